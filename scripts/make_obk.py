#!/usr/bin/env python3
"""Makes the small opening books in SQLite with which the reader of .obk files is tested.

    scripts/make_obk.py crates/book/tests/data

They are written by Python's sqlite3 module, with keys computed here, by both orders of the pieces that
are known; one has keys as text in UTF-16 and no other column than those that are needed. Numbers of the keys: rand() of Microsoft's C library after srand(0), five calls of 15 bits for
each, the lowest bits first; 256 for each of 14 pieces, then one for the side to move.
"""

import argparse
import itertools
import pathlib
import random
import sqlite3
import struct

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
ORDERS = {"red-first": "KABNRCPkabnrcp", "black-first": "krcnbapKRCNBAP"}
LINES = [
    ("h2e2 h9g7 h0g2 i9h9", 120, (40, 30, 20)),
    ("h2e2 h7e7", 80, (20, 20, 25)),
    ("b2e2 b9c7", 30, (5, 6, 7)),
    ("c3c4 g6g5", 60, (10, 12, 8)),
]


def numbers():
    state = 0
    while True:
        value = 0
        for shift in range(0, 75, 15):
            state = (state * 214013 + 2531011) & 0xFFFFFFFF
            value ^= ((state >> 16) & 0x7FFF) << shift
        yield value & 0xFFFFFFFFFFFFFFFF


def board(fen):
    pieces = {}
    for row, rank in enumerate(fen.split("/")):
        column = 0
        for letter in rank:
            if letter.isdigit():
                column += int(letter)
            else:
                pieces[16 * (row + 3) + column + 3] = letter
                column += 1
    return pieces


def square(text):
    return 16 * (12 - int(text[1])) + 3 + ord(text[0]) - ord("a")


def stored(key):
    """As the programs write it: a key beyond 63 bits is the bits of a floating-point number."""
    return key if key < 1 << 63 else struct.unpack("<d", struct.pack("<Q", key))[0]


def key_of(order):
    """The function from pieces and the side to move to the key."""
    stream = numbers()
    table = [next(stream) for _ in range(14 * 256)]
    red_to_move = next(stream)

    def key(pieces, is_red):
        value = red_to_move if is_red else 0
        for at, letter in pieces.items():
            value ^= table[256 * order.index(letter) + at]
        return value

    return key


def rows_of(lines, key):
    rows = {}
    for line, score, counts in lines:
        pieces = board(START)
        for ply, move in enumerate(line.split()):
            origin, target = square(move[:2]), square(move[2:])
            row = (key(pieces, ply % 2 == 0), 256 * origin + target)
            rows[row] = (max(score, rows.get(row, (0,))[0]), counts)
            pieces[target] = pieces.pop(origin)
    return rows


def whole_line(key):
    """A line to a position whose key SQLite stores as an integer, because it is a floating-point number
    without a fraction, and the answer b9c7."""
    red = [f"{file}3{file}4" for file in "acegi"] + ["a0a1", "a0a2", "i0i1", "i0i2", "b2c2", "h2g2"]
    black = [f"{file}6{file}5" for file in "acegi"] + ["a9a8", "a9a7", "i9i8", "i9i7", "h7g7"]
    for first, answer, second in itertools.product(red, black, red):
        pieces = board(START)
        for move in (first, answer, second):
            pieces[square(move[2:])] = pieces.pop(square(move[:2]), "")
        number = stored(key(pieces, False))
        is_whole = isinstance(number, float) and number.is_integer() and abs(number) < 1 << 63
        if first[:2] != second[:2] and is_whole:
            return f"{first} {answer} {second} b9c7"
    raise AssertionError("no such line")


def make_whole(path, order):
    """A key that SQLite stores as another kind of number than the others."""
    key = key_of(order)
    line = whole_line(key)
    print(f"{path}: {line}")
    path.unlink(missing_ok=True)
    data = sqlite3.connect(path)
    data.execute("PRAGMA page_size = 512")
    data.execute("CREATE TABLE bhobk (vkey INTEGER, vmove INTEGER)")
    for vkey, vmove in rows_of([(line, 0, ())], key):
        data.execute("INSERT INTO bhobk VALUES (?, ?)", (stored(vkey), vmove))
    kinds = {kind for (kind,) in data.execute("SELECT typeof(vkey) FROM bhobk WHERE vkey < 0")}
    assert kinds == {"integer", "real"}, kinds
    data.commit()
    data.close()


def make_text(path, order):
    """Keys as text; a position that has moves of its own and of its mirror image."""
    lines = [("c3c4 g6g5", 0, ()), ("g3g4 h9g7", 0, ()), ("h2e2 h9g7", 0, ())]
    path.unlink(missing_ok=True)
    data = sqlite3.connect(path)
    data.execute("PRAGMA page_size = 512")
    data.execute("PRAGMA encoding = 'UTF-16le'")
    data.execute("CREATE TABLE bhobk (vmove INTEGER, vkey TEXT)")
    for vkey, vmove in rows_of(lines, key_of(order)):
        data.execute("INSERT INTO bhobk (vkey, vmove) VALUES (?, ?)", (stored(vkey), vmove))
    data.commit()
    data.close()


def make(path, order):
    key = key_of(order)
    rows = rows_of(LINES, key)
    path.unlink(missing_ok=True)
    data = sqlite3.connect(path)
    data.execute("PRAGMA page_size = 512")
    data.execute(
        "CREATE TABLE bhobk (id INTEGER PRIMARY KEY, vkey INTEGER, vmove INTEGER, vscore INTEGER,"
        " vwin INTEGER, vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo BLOB, vindex INTEGER)"
    )
    data.execute("CREATE INDEX bhobk_key ON bhobk (vkey)")
    insert = "INSERT INTO bhobk (vkey, vmove, vscore, vwin, vdraw, vlost, vvalid, vmemo, vindex) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)"
    for (vkey, vmove), (score, counts) in rows.items():
        data.execute(insert, (stored(vkey), vmove, score, *counts, 1, "a long remark " * 60))
    start = key(board(START), True)
    switched_off = 256 * square("a3") + square("a4")
    data.execute(insert, (stored(start), switched_off, 500, 1, 1, 1, 0, None))
    chance = random.Random(1)
    for _ in range(60):
        data.execute(insert, (chance.getrandbits(62), 0x3343, 1, 0, 0, 0, 1, None))
    data.commit()
    data.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    if not folder.is_dir():
        parser.error(f"there is no folder {folder}")
    for name, order in ORDERS.items():
        make(folder / f"{name}.obk", order)
    make_text(folder / "text-keys.obk", ORDERS["red-first"])
    make_whole(folder / "whole-keys.obk", ORDERS["red-first"])


if __name__ == "__main__":
    main()
