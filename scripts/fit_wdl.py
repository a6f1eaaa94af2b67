#!/usr/bin/env python3
"""Fit the chances of win, draw and loss (`UCI_ShowWDL`) to games of `cannonade match`.

    scripts/fit_wdl.py games.pgn --held-out other.pgn

The model is the logistic one of Stockfish (`UCIEngine::wdl`): with `n` pieces on the board a score
of `s` centipawns wins with probability 1 / (1 + exp((a - s) / b)) and loses with that of -s, where
a = a0 + a1 n and b = b0 + b1 n. The four numbers are those of maximum likelihood over all
positions whose score is not a mate; they belong in crates/engine/src/search/value.rs. Games must
have been played with `--pgn-comments`, which records the scores of the engines, and with enough time
that the result follows from the position. A game that occurs again, as when equal engines play an
opening with both colours at fixed nodes, is counted once.

With --held-out, the loss and the reliability are those of these other games: how many points were
made and how many the chances promise, with the fitted numbers and with those in the program.
"""

import argparse
import math
import re
import sys
from collections import Counter
from pathlib import Path

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
MOVE = re.compile(r"\b([A-Ia-i])([0-9])-?([A-Ia-i])([0-9])\b\s*(?:\{([^}]*)\})?")
SCORE = re.compile(r"\s*([+-]\d+\.\d+)/")
# Positions with larger scores are decided and do not help to fit the slope.
LIMIT = 1000
GRAIN = 10
SOURCE = Path(__file__).resolve().parent.parent / "crates/engine/src/search/value.rs"


def squares_of(fen):
    """The occupied squares, as (file, rank), and whether red is to move."""
    placement, side = fen.split()[:2]
    occupied = set()
    for row, line in enumerate(placement.split("/")):
        file = 0
        for char in line:
            if char.isdigit():
                file += int(char)
            else:
                occupied.add((file, 9 - row))
                file += 1
    return occupied, side == "w"


def count(text, bins, known):
    """Adds each scored position to (score, pieces, result for the mover); returns the games."""
    games = 0
    for game in re.split(r"(?m)^(?=\[Game )", text):
        headers = dict(re.findall(r'(?m)^\[([\w-]+) "(.*)"\]', game))
        result = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(headers.get("Result", ""))
        if result is None or "\n\n" not in game:
            continue
        moves = MOVE.findall(game.split("\n\n", 1)[1])
        key = (headers.get("FEN"), *("".join(move[:4]) for move in moves))
        if key in known:
            continue
        known.add(key)
        games += 1
        occupied, red_moves = squares_of(headers.get("FEN", START))
        for from_file, from_rank, to_file, to_rank, comment in moves:
            score = SCORE.match(comment)
            if score and abs(float(score[1])) * 100 <= LIMIT:
                value = round(float(score[1]) * 100 / GRAIN) * GRAIN
                bins[value, len(occupied), result if red_moves else -result] += 1
            occupied.discard((ord(from_file.lower()) - 97, int(from_rank)))
            occupied.add((ord(to_file.lower()) - 97, int(to_rank)))
            red_moves = not red_moves
    return games


def read(paths, known):
    """The scored positions of files, counted by (score, pieces, result for the mover), and games."""
    bins, games = Counter(), 0
    for path in paths:
        try:
            games += count(Path(path).read_text(encoding="utf-8"), bins, known)
        except (OSError, UnicodeDecodeError) as error:
            sys.exit(f"error: {path} cannot be read: {error}")
    if not bins:
        sys.exit("no position with a score and a result; were the games written with comments?")
    return bins, games


def chances(parameters, score, pieces):
    """The chances of loss, draw and win; None if the parameters make no sense."""
    a0, a1, b0, b1 = parameters
    a, b = a0 + a1 * pieces, b0 + b1 * pieces
    if b < 5 or a < 0:
        return None
    win = 1 / (1 + math.exp(min((a - score) / b, 700)))
    lose = 1 / (1 + math.exp(min((a + score) / b, 700)))
    return lose, 1 - win - lose, win


def loss(parameters, bins):
    """The mean negative logarithm of the likelihood."""
    total = 0.0
    for (score, pieces, result), number in bins.items():
        found = chances(parameters, score, pieces)
        if found is None:
            return math.inf
        total -= number * math.log(max(found[result + 1], 1e-9))
    return total / sum(bins.values())


def reliability(fitted, current, bins):
    """Promised and real points of the mover, by the points that the fitted chances promise."""
    rows = [[0, 0.0, 0.0, 0.0] for _ in range(10)]
    for (score, pieces, result), number in bins.items():
        promised = []
        for parameters in (fitted, current):
            lose, _, win = chances(parameters, score, pieces)
            promised.append(0.5 + (win - lose) / 2)
        row = rows[min(int(promised[0] * 10), 9)]
        for place, value in enumerate((1, promised[0], promised[1], 0.5 + result / 2)):
            row[place] += number * value
    print("promised points   positions   fitted   program   real")
    for step, (number, fitted_points, current_points, real) in enumerate(rows):
        if number:
            means = (fitted_points / number, current_points / number, real / number)
            print(f"  {step / 10:.1f} to {step / 10 + 0.1:.1f}   {number:12}   " + "   ".join(f"{x:6.3f}" for x in means))


def in_program():
    """The numbers in the program."""
    text = SOURCE.read_text(encoding="utf-8")
    pair = lambda name: re.search(rf"{name}: \[f64; 2\] = \[([-\d.]+), ([-\d.]+)\]", text).groups()
    return tuple(float(number) for name in ("HALF_WON", "SPREAD") for number in pair(name))


def minimise(function, start, steps, rounds=400):
    """J. A. Nelder and R. Mead's simplex method ("A simplex method for function minimization", 1965)."""
    points = [list(start)]
    for index, step in enumerate(steps):
        points.append([x + step * (i == index) for i, x in enumerate(start)])
    simplex = sorted((function(point), point) for point in points)
    for _ in range(rounds):
        worst = simplex[-1]
        centre = [sum(point[i] for _, point in simplex[:-1]) / len(steps) for i in range(len(steps))]

        def at(distance, centre=centre, worst=worst):
            point = [c + distance * (c - x) for c, x in zip(centre, worst[1])]
            return function(point), point

        candidate = at(1)
        if candidate < simplex[0]:
            candidate = min(candidate, at(2))
        elif candidate >= simplex[-2]:
            candidate = min(at(0.5), at(-0.5))
        if candidate < worst:
            simplex[-1] = candidate
        else:
            best = simplex[0][1]
            shrunk = [[(x + y) / 2 for x, y in zip(point, best)] for _, point in simplex[1:]]
            simplex[1:] = [(function(point), point) for point in shrunk]
        simplex.sort()
    return simplex[0]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="+", help="files of `cannonade match --pgn --pgn-comments`")
    parser.add_argument("--held-out", nargs="+", help="the same with other games, to measure with")
    arguments = parser.parse_args()
    known = set()
    bins, games = read(arguments.games, known)
    guess = (250.0, 0.0, 90.0, 0.0)
    current = in_program()
    final, fitted = minimise(lambda p: loss(p, bins), guess, (50.0, 3.0, 30.0, 1.0))
    a0, a1, b0, b1 = fitted
    print(f"{games} games, {sum(bins.values())} positions")
    print(f"loss {loss(current, bins):.4f} with the numbers in the program; fitted {final:.4f}")
    print(f"a = {a0:.1f} + {a1:.2f} n, b = {b0:.1f} + {b1:.2f} n")
    for pieces in (8, 16, 24, 32):
        print(f"  {pieces} pieces: a = {a0 + a1 * pieces:.0f}, b = {b0 + b1 * pieces:.0f}")
    if arguments.held_out:
        others, games = read(arguments.held_out, known)
        print(f"held out: {games} games, {sum(others.values())} positions")
        print(f"loss {loss(current, others):.4f} with the numbers in the program; fitted {loss(fitted, others):.4f}")
        reliability(fitted, current, others)


if __name__ == "__main__":
    main()
