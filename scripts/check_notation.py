#!/usr/bin/env python3
"""Compares the notations that Cannonade writes with those of two other programs.

    scripts/check_notation.py GAMES [--positions N]

GAMES has one game a line: a result and moves in coordinates such as h2e2. Each move of the first N
positions is written by the Python package `cannonade` and compared with the WXF of pyffish (Fairy-Stockfish) and
the Chinese of cchess. Differences are counted by what they have in common, with an example each.

Needs: pip install ./python pyffish cchess
"""

import argparse
import collections
import re

try:
    import cannonade
    import cchess
    import pyffish
except ImportError:
    cannonade = cchess = pyffish = None

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


def from_one(move):
    """The move with ranks from 1 to 10."""
    return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"


def by_cchess(moves):
    board = cchess.ChessBoard(START)
    texts = []
    for move in moves:
        made = board.move_iccs(move)
        texts.append(made.to_text() if made else "?")
        board.next_turn()
    return texts


def kind(ours, theirs):
    """What a difference is about, for counting."""
    if re.search("[+-]", ours[1:2]) and theirs[1:2].isdigit():
        return "place, theirs file"
    if any(c in ours for c in "兵卒") or ours[0] == "P" or ours[0].isdigit():
        return "pawns"
    return "other"


def compare(name, games, ours, theirs):
    count, differences, examples = 0, collections.Counter(), {}
    for moves, own, other in zip(games, ours, theirs):
        assert len(moves) == len(own) == len(other), (len(moves), len(own), len(other))
        for ply, (a, b) in enumerate(zip(own, other)):
            count += 1
            if a != b:
                what = kind(a, b)
                differences[what] += 1
                examples.setdefault(what, f"{a} / {b} after {' '.join(moves[:ply])}")
    print(f"{name}: {count} moves, {sum(differences.values())} differences {dict(differences)}")
    for what, example in examples.items():
        print(f"  {what}: ours / theirs {example}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", help="a file of games, one a line: a result and moves such as h2e2")
    parser.add_argument(
        "--positions", type=int, default=100_000, help="moves at least, if the games have so many (default: %(default)s)"
    )
    arguments = parser.parse_args()
    if pyffish is None:
        parser.error("Python libraries are missing: pip install ./python pyffish cchess")
    games, count = [], 0
    with open(arguments.games) as lines:
        for line in lines:
            moves = line.split()[1:]
            if moves and count < arguments.positions:
                games.append(moves)
                count += len(moves)
    start = cannonade.Board()
    wxf = [
        pyffish.get_san_moves(
            "xiangqi", START, [from_one(m) for m in moves], False, pyffish.NOTATION_XIANGQI_WXF
        )
        for moves in games
    ]
    compare("WXF, pyffish", games, [start.variation(moves, "wxf") for moves in games], wxf)
    chinese = [by_cchess(moves) for moves in games]
    compare("Chinese, cchess", games, [start.variation(moves, "chinese") for moves in games], chinese)


if __name__ == "__main__":
    main()
