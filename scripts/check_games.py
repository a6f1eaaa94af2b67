#!/usr/bin/env python3
"""Checks the games of a match with an independent rules library (PyPI `pyffish`).

    scripts/check_games.py games.pgn...

Every move must be legal; a game that ended by checkmate or stalemate must have no legal move left,
any other must have one. With the Python package `cannonade` (pip install ./python) the files may be of any kind and
notation; without it, PGN with coordinates. Prints each wrong game and ends with code 1, or prints the number of games
and plies.
"""

import argparse
import re
import sys
from pathlib import Path

try:
    import pyffish
except ImportError:
    pyffish = None
try:
    import cannonade
except ImportError:
    cannonade = None

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


def games_of(path):
    """Yields (headers, start as FEN, moves such as h2e2) of each game of a file."""
    if cannonade is not None:
        for game in cannonade.read_games(path):
            headers = {**game.headers, "Result": game.result}
            yield headers, game.board().fen(), [move.uci() for move in game.mainline_moves()]
        return
    text = path.read_text(encoding="utf-8")
    for game in re.split(r"(?m)^(?=\[Game )", text):
        headers = dict(re.findall(r'(?m)^\[([\w-]+) "(.*)"\]', game))
        if headers:
            # The tag FEN has the letters H and E, which pyffish does not read.
            fen = headers.get("Xiangqi-FEN") or headers.get("FEN", START)
            body = game.partition("\n\n")[2]
            body = re.sub(r"\{[^}]*\}", " ", body)
            moves = re.findall(r"\b[A-Ia-i][0-9]-?[A-Ia-i][0-9]\b", body)
            yield headers, fen, [move.replace("-", "").lower() for move in moves]


def square(text):
    """A square as pyffish writes it: ranks from 1."""
    return text[0] + str(int(text[1]) + 1)


def fault(headers, fen, moves):
    """The fault of a game, or None. Of the headers only those that a file has are checked."""
    played = []
    for number, move in enumerate(moves, 1):
        mv = square(move[:2]) + square(move[2:])
        if mv not in pyffish.legal_moves("xiangqi", fen, played):
            return f"ply {number}: {move} is illegal"
        played.append(mv)
    if int(headers.get("PlyCount", len(moves))) != len(moves):
        return f"{len(moves)} moves, but PlyCount {headers['PlyCount']}"
    over = not pyffish.legal_moves("xiangqi", fen, played)
    ending = headers.get("Termination")
    if ending is not None and over != (ending in ("checkmate", "stalemate")):
        return f"ended by {ending}, but a legal move is {'not ' * over}left"
    if over:
        red_to_move = (len(moves) % 2 == 0) == (" w" in fen)
        if headers["Result"] != ("0-1" if red_to_move else "1-0"):
            return f"the side without a move lost, but the result is {headers['Result']}"
    return None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="+", type=Path, help="files written by cannonade match --pgn, or others")
    paths = parser.parse_args().games
    if pyffish is None:
        parser.error("the Python library pyffish is missing: pip install pyffish")
    games, plies, faults = 0, 0, 0
    for path in paths:
        try:
            found = list(games_of(path))
        except (OSError, ValueError) as error:
            parser.error(f"cannot read {path}: {error}")
        for number, (headers, fen, moves) in enumerate(found, 1):
            games, plies = games + 1, plies + len(moves)
            problem = fault(headers, fen, moves)
            if problem:
                faults += 1
                print(f"{path}, game {headers.get('Round', number)}: {problem}")
    print(f"{games} games, {plies} plies, {faults} faults")
    return 1 if faults or not games else 0


if __name__ == "__main__":
    sys.exit(main())
