#!/usr/bin/env python3
"""Find out which constants of the search matter, before they are tuned.

A random two-level factorial design: each pair of games is played between a side that has every
constant at one of its two levels, drawn at random, and a side that has the other levels. All games
tell about all constants at once. The effect of each is estimated by ridge regression, with a prior
of 10 Elo.

    scripts/screen.py --nodes 50000 --record data/screen.jsonl lmr_base=1000:1800 iir_depth=2:6

The same command continues the record; Ctrl-C ends it and prints the estimates. `--pairs 0` only
prints them. A positive effect speaks for the second level.
"""

import argparse
import json
import math
import random
import sys
from pathlib import Path

from inputs import need_files
from tune import parameters, play

ROOT = Path(__file__).resolve().parent.parent
# The standard deviation of the prior, as a mean result from -1 to 1, and Elo for one unit of it.
PRIOR = 0.03
ELO = 800 / math.log(10)


def level_pair(text):
    """`name=first:second`."""
    name, _, levels = text.partition("=")
    try:
        first, second = (int(level) for level in levels.split(":"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=FIRST:SECOND") from None
    if first == second:
        raise argparse.ArgumentTypeError(f"'{text}': the levels must differ")
    return name, (first, second)


def wrong_levels(levels, known):
    """What is wrong with the names and levels, or None."""
    for name, pair in levels.items():
        if name not in known:
            return f"no such constant: {name}; known are {', '.join(known)}"
        _, least, greatest = known[name]
        for level in pair:
            if not least <= level <= greatest:
                return f"{name}={level}: give {least} to {greatest}"
    return None


def inverse(matrix):
    """The inverse of a positive definite matrix, by Gauss-Jordan elimination."""
    size = len(matrix)
    rows = [list(row) + [float(i == j) for j in range(size)] for i, row in enumerate(matrix)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda i: abs(rows[i][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        scale = rows[column][column]
        rows[column] = [value / scale for value in rows[column]]
        for i in range(size):
            factor = rows[i][column]
            if i != column and factor:
                rows[i] = [value - factor * other for value, other in zip(rows[i], rows[column])]
    return [row[size:] for row in rows]


def effects(records, names):
    """The effect of the second level over the first and its standard error, by name, in Elo."""
    results = [record["result"] for record in records]
    # As if one more pair had been won by one side: few results that are alike tell little about their spread.
    variance = (1 + sum(result * result for result in results)) / (1 + len(results))
    ridge = variance / PRIOR**2
    signs = [[record["signs"][name] for name in names] for record in records]
    normal = [
        [sum(row[i] * row[j] for row in signs) + (ridge if i == j else 0.0) for j in range(len(names))]
        for i in range(len(names))
    ]
    moments = [sum(row[i] * result for row, result in zip(signs, results)) for i in range(len(names))]
    covariance = inverse(normal)
    return {
        name: (
            ELO * sum(weight * moment for weight, moment in zip(covariance[i], moments)),
            ELO * math.sqrt(covariance[i][i] * variance),
        )
        for i, name in enumerate(names)
    }


def held_out_gain(records, names, splits=20):
    """What the second levels that one half of the pairs prefers gain in the other half, in Elo; the mean of random halves."""
    chance = random.Random(1)
    gain = 0.0
    for _ in range(splits):
        shuffled = chance.sample(records, len(records))
        middle = len(records) // 2
        chosen, tried = effects(shuffled[:middle], names), effects(shuffled[middle:], names)
        gain += sum(tried[name][0] for name in names if chosen[name][0] > 0) / splits
    return gain


def read_record(path, levels):
    """The pairs played so far. A record of other constants is refused."""
    if not path.exists():
        return []
    records = [json.loads(line) for line in path.read_text().splitlines()]
    if any(record["levels"] != {name: list(pair) for name, pair in levels.items()} for record in records):
        sys.exit(f"{path} is a record of other constants or levels; give another --record")
    return records


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs="+", type=level_pair, metavar="NAME=FIRST:SECOND")
    parser.add_argument("--engine", default=str(ROOT / "target/release/cannonade"))
    parser.add_argument("--openings", default=str(ROOT / "scripts/openings.epd"))
    parser.add_argument("--nodes", type=int, default=50000, help="nodes a move")
    parser.add_argument("--pairs", type=int, default=400, help="pairs of games in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--record", type=Path, default=ROOT / "data/screen.jsonl")
    # The match of an iteration of the tuner: one pair, at equal nodes.
    parser.set_defaults(tc=None)
    arguments = parser.parse_args()
    total, arguments.pairs = arguments.pairs, 1
    levels = dict(arguments.levels)
    records = read_record(arguments.record, levels)
    if len(records) < total:
        if fault := wrong_levels(levels, parameters()):
            parser.error(fault)
        need_files(parser, arguments.engine, arguments.openings)
    arguments.record.parent.mkdir(parents=True, exist_ok=True)
    try:
        while len(records) < total:
            seed = arguments.seed * 1_000_003 + len(records)
            chance = random.Random(seed)
            signs = {name: chance.choice((-1, 1)) for name in levels}
            sides = [
                {name: pair[int(direction * signs[name] > 0)] for name, pair in levels.items()}
                for direction in (1, -1)
            ]
            result = play(arguments, sides, seed)
            records.append({"levels": {n: list(p) for n, p in levels.items()}, "signs": signs, "result": result})
            with arguments.record.open("a") as record:
                record.write(json.dumps(records[-1]) + "\n")
    except KeyboardInterrupt:
        print("interrupted; the same command continues from here")
    if not records:
        return
    print(f"| constant | levels | effect of the second, Elo, after {len(records)} pairs |\n|---|---|---|")
    found = effects(records, list(levels))
    for name, (effect, error) in sorted(found.items(), key=lambda item: -abs(item[1][0])):
        first, second = levels[name]
        print(f"| `{name}` | {first}, {second} | {effect:+.1f} +- {1.96 * error:.1f} |")
    if len(records) > 1:
        gain = held_out_gain(records, list(levels))
        print(f"\nThe second levels that one half of the pairs prefers gain {gain:+.1f} Elo in the other half.")


if __name__ == "__main__":
    main()
