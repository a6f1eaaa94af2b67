#!/usr/bin/env python3
"""Make start positions for self-play: openings, endings, and roads to repetition.

    scripts/make_starts.py openings master-games.txt.gz > openings.epd
    scripts/make_starts.py endings --count 50000 --seed 1 > endings.epd
    cannonade data text a.games --notation uci | scripts/make_starts.py repetitions > repetitions.epd
    cannonade datagen --openings endings.epd --listed-share 100 --nodes 800 --output endings.games

openings: all different positions, board and side to move, of plies --first-ply to --last-ply of
games. The games are lines of a result and moves in ICCS squares (`h2e2`), plain or gzipped.

endings: random legal positions of every material. Each side has a king, any of its guards (two
advisors, two bishops), and rooks, knights, cannons and pawns; the two sides have one to --attackers
of these together. All numbers of attackers are equally frequent. Nobody is in check, and the kings
do not face each other.

repetitions: reads games as `cannonade data text` prints them, one a line. Takes a position --before
plies before the end of each game that the rules of repetition or the natural-move limit ended, and
one before the first repetition of each other game that has one, each board once.

The output depends on the input and --seed only; no engine is asked, and moves are not checked for
being legal. datagen makes 2 to 4 random moves from each position, and drops those that a search
scores beyond 400 centipawns.
"""

import argparse
import random
import re
import sys

import make_openings
from make_openings import MOVE, START, board_of, play, squares_of

FILES, RANKS = 9, 10
GUARDS = [("a", 2), ("b", 2)]
ATTACKERS = {"r": 2, "n": 2, "c": 2, "p": 5}


def home(letter):
    """The squares, as (rank, file), where a piece of Red can stand."""
    palace = [(rank, file) for rank in range(3) for file in range(3, 6)]
    if letter == "k":
        return palace
    if letter == "a":
        return [(0, 3), (0, 5), (1, 4), (2, 3), (2, 5)]
    if letter == "b":
        return [(0, 2), (0, 6), (2, 0), (2, 4), (2, 8), (4, 2), (4, 6)]
    everywhere = [(rank, file) for rank in range(RANKS) for file in range(FILES)]
    if letter == "p":
        return [(r, f) for r, f in everywhere if r > 4 or (r > 2 and f % 2 == 0)]
    return everywhere


HOME = {letter: home(letter) for letter in "kabrncp"}


def attacked(ranks, target, by_red):
    """Whether a piece of this side attacks the square; the kings attack along an open file."""
    rank, file = target
    own = str.isupper if by_red else str.islower

    def at(r, f):
        return ranks[r][f] if 0 <= r < RANKS and 0 <= f < FILES else ""

    for dr, df in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        between, r, f = 0, rank + dr, file + df
        while at(r, f):
            piece = at(r, f)
            if piece != ".":
                kind = piece.lower()
                if own(piece) and between == 0 and (kind == "r" or (kind == "k" and df == 0)):
                    return True
                if own(piece) and between == 1 and kind == "c":
                    return True
                between += 1
            r, f = r + dr, f + df
    for dr, df in ((1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)):
        piece = at(rank + dr, file + df)
        # The leg of the knight is beside the knight, towards the target.
        leg = (rank + dr // 2, file + df) if abs(dr) == 2 else (rank + dr, file + df // 2)
        if piece and piece in "nN" and own(piece) and at(*leg) == ".":
            return True
    forward = 1 if by_red else -1
    for dr, df in ((-forward, 0), (0, 1), (0, -1)):
        piece = at(rank + dr, file + df)
        if piece and piece in "pP" and own(piece):
            crossed = rank > 4 if by_red else rank < 5
            if df == 0 or crossed:
                return True
    return False


def openings(arguments):
    known = set()
    for moves in make_openings.move_lists(arguments.games):
        ranks = squares_of(START)
        for ply, move in enumerate(moves[: arguments.last_ply], start=1):
            play(ranks, move)
            if ply >= arguments.first_ply:
                known.add(f"{board_of(ranks)} {'wb'[ply % 2]}")
    for start in sorted(known):
        print(f"{start} - - 0 1")


def ending(chance, attackers):
    """A FEN of random material and placement; None if the placement is not allowed."""
    pieces = ["K", "k"]
    for red in (True, False):
        for letter, most in GUARDS:
            pieces += [letter.upper() if red else letter] * chance.randint(0, most)
    count = chance.randint(1, attackers)
    left = {letter: most for kind, most in ATTACKERS.items() for letter in (kind, kind.upper())}
    while count:
        letter = chance.choice(list(left))
        if left[letter]:
            left[letter] -= 1
            pieces.append(letter)
            count -= 1
    ranks = [["."] * FILES for _ in range(RANKS)]
    for piece in pieces:
        free = [(r if piece.isupper() else RANKS - 1 - r, f) for r, f in HOME[piece.lower()]]
        free = [(r, f) for r, f in free if ranks[r][f] == "."]
        # Own pawns on one file before the river would have to have captured.
        if piece in "pP":
            before = (lambda r: r < 5) if piece == "P" else (lambda r: r > 4)
            taken = {f for r in range(RANKS) if before(r) for f in range(FILES) if ranks[r][f] == piece}
            free = [(r, f) for r, f in free if not (before(r) and f in taken)]
        rank, file = chance.choice(free)
        ranks[rank][file] = piece
    for king, by_red in (("K", False), ("k", True)):
        place = next((r, row.index(king)) for r, row in enumerate(ranks) if king in row)
        if attacked(ranks, place, by_red):
            return None
    return f"{board_of(ranks)} {chance.choice('wb')} - - 0 1"


def endings(arguments):
    chance, known = random.Random(arguments.seed), set()
    while len(known) < arguments.count:
        fen = ending(chance, arguments.attackers)
        if fen and fen not in known:
            known.add(fen)
            print(fen)


def game_of(line):
    """End, ranks, side to move and moves of a line of `cannonade data text`; None if it is no such line."""
    found = re.fullmatch(r"[^;]*;[^;]*;([^;]*);([A-Za-z1-9/]+) ([wb])[^;]*;(.*)", line.rstrip())
    if not found:
        return None
    how, board, side, plies = found.groups()
    ranks, moves = squares_of(board), [ply.split(":")[0] for ply in plies.split()]
    is_board = [len(row) for row in ranks] == RANKS * [FILES]
    return (how, ranks, side, moves) if is_board and all(map(MOVE.fullmatch, moves)) else None


def repetitions(arguments):
    known = set()
    for number, line in enumerate(sys.stdin, start=1):
        game = game_of(line)
        if game is None:
            sys.exit(f"line {number} is no game as 'cannonade data text --notation uci' writes it: '{line.strip()[:40]}'")
        how, ranks, side, moves = game
        boards = []
        first = None
        for ply, move in enumerate([None, *moves]):
            if move:
                play(ranks, move)
            red = (side == "w") == (ply % 2 == 0)
            text = f"{board_of(ranks)} {'w' if red else 'b'}"
            if first is None and text in boards:
                first = ply
            boards.append(text)
        end = len(moves) if how == "rules" else first
        if end is not None and end >= arguments.before:
            start = boards[end - arguments.before]
            if start not in known:
                known.add(start)
                print(f"{start} - - 0 1")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    kinds = parser.add_subparsers(dest="kind", required=True)
    usual = kinds.add_parser("openings", help="all positions of the openings of games")
    usual.add_argument("games", help="a file of games, one a line: a result and moves; plain or gzipped")
    usual.add_argument("--first-ply", type=int, default=6)
    usual.add_argument("--last-ply", type=int, default=20)
    few = kinds.add_parser("endings", help="random endings of every material")
    few.add_argument("--count", type=int, default=50_000)
    few.add_argument("--attackers", type=int, default=5, help="the most of both sides together")
    few.add_argument("--seed", type=int, default=1)
    again = kinds.add_parser("repetitions", help="positions of games shortly before a repetition")
    again.add_argument("--before", type=int, default=16, help="plies before the repetition or the end")
    arguments = parser.parse_args()
    most = 2 * sum(ATTACKERS.values())
    if arguments.kind == "endings" and not 1 <= arguments.attackers <= most:
        parser.error(f"--attackers {arguments.attackers}: give 1 to {most}, all that both sides have")
    make = {"openings": openings, "endings": endings, "repetitions": repetitions}[arguments.kind]
    try:
        make(arguments)
    except BrokenPipeError:
        sys.stdout = None
    except make_openings.UNREADABLE as error:
        parser.error(f"the games cannot be read: {error}")


if __name__ == "__main__":
    main()
