#!/usr/bin/env python3
"""Checks the games of a match with an independent rules library (PyPI `pyffish`).

    scripts/check_games.py games.pgn...

Every move must be legal; a game that ended by checkmate or stalemate must have no legal move left,
any other must have one. Prints what is wrong and exits with 1, or counts games and plies.
"""

import re
import sys

import pyffish

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


def games_of(text):
    """Yields (headers, moves in ICCS such as H2-E2) of each game."""
    for game in re.split(r"(?m)^(?=\[Game )", text):
        headers = dict(re.findall(r'(?m)^\[(\w+) "(.*)"\]', game))
        if headers:
            body = game.split("\n\n", 1)[1]
            body = re.sub(r"\{[^}]*\}", " ", body)
            yield headers, re.findall(r"\b[A-I][0-9]-[A-I][0-9]\b", body)


def square(text):
    """A square as pyffish writes it: ranks from 1."""
    return text[0].lower() + str(int(text[1]) + 1)


def fault(headers, moves):
    """What is wrong with a game; None if nothing is."""
    fen = headers.get("FEN", START)
    played = []
    for number, move in enumerate(moves, 1):
        mv = square(move[:2]) + square(move[3:])
        if mv not in pyffish.legal_moves("xiangqi", fen, played):
            return f"ply {number}: {move} is illegal"
        played.append(mv)
    if int(headers["PlyCount"]) != len(moves):
        return f"{len(moves)} moves, but PlyCount {headers['PlyCount']}"
    over = not pyffish.legal_moves("xiangqi", fen, played)
    told = headers["Termination"] in ("checkmate", "stalemate")
    if over != told:
        return f"ended by {headers['Termination']}, but a legal move is {'not ' * over}left"
    if over:
        red_to_move = (len(moves) % 2 == 0) == (" w" in fen)
        if headers["Result"] != ("0-1" if red_to_move else "1-0"):
            return f"the side without a move lost, but the result is {headers['Result']}"
    return None


def main():
    games, plies, faults = 0, 0, 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for headers, moves in games_of(text):
            games, plies = games + 1, plies + len(moves)
            problem = fault(headers, moves)
            if problem:
                faults += 1
                print(f"{path}, game {headers['Round']}: {problem}")
    print(f"{games} games, {plies} plies, {faults} faults")
    return 1 if faults or not games else 0


if __name__ == "__main__":
    sys.exit(main())
