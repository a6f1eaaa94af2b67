#!/usr/bin/env python3
"""Compare two versions of the engine at several lengths of search.

A change of the search that wins at 5,000 nodes a move may lose at 400,000, so every change is played
at two lengths at least.

    scripts/ladder.py games NEW OLD --folder data/ladder
    scripts/ladder.py games NEW NEW --options lmr_base=900 --lengths 50000 200000 --pairs 100
    scripts/ladder.py positions NEW OLD crates/engine/tests/data/mates.epd
    scripts/ladder.py positions NEW OLD scripts/good-moves.epd --nodes 200000 --hash 16

`games` plays a match at each length: nodes a move, or a clock such as 10+0.1. Each row has the games,
won, drawn and lost by NEW, and its Elo with the 95 % interval. The same command continues a ladder
that was interrupted. `positions` gives the nodes after which each version solves a position, as
geometric means, and their ratio with its 95 % interval. A line with `dm MOVES` is solved by a report
of a mate in at most so many moves, one with `bm MOVE ..` from the report on after which the best move
is always one of these. A position that is not solved counts as twice the nodes.
"""

import argparse
import json
import math
import re
import statistics
import subprocess
import sys
from pathlib import Path

from inputs import need_files, run_match
from tune import ADJUDICATION, parameters

ROOT = Path(__file__).resolve().parent.parent
LENGTHS = ["10000", "50000", "200000", "10+0.1"]
MATE = re.compile(r"^([^;#]+?)\s*;\s*dm (\d+)")
GOOD_MOVES = re.compile(r"^([^;#]+?)\s*;\s*bm ([a-i]\d[a-i]\d(?: [a-i]\d[a-i]\d)*)")


def match_command(arguments, length, games, result):
    """The match at one length."""
    options, old_options = (
        [f"option.{option}" for option in options] for options in (arguments.options, arguments.old_options)
    )
    limit = f"tc={length}" if "+" in length else f"nodes={length}"
    return [
        *(arguments.new, "match"),
        *("--engine", f"cmd={arguments.new}", "name=new", *options),
        *("--engine", f"cmd={arguments.old}", "name=old", *old_options),
        *("--each", limit, f"option.Hash={arguments.hash}"),
        *("--rounds", str(arguments.pairs), "--repeat", "--seed", str(arguments.seed)),
        *("--openings", f"file={arguments.openings}", "order=random"),
        *ADJUDICATION,
        *("--concurrency", str(arguments.concurrency), "--report-every", "0"),
        *("--pgn", str(games), "--json", str(result)),
        *(["--resume"] if games.exists() else []),
    ]


def row(length, record):
    """One line of the table, from the JSON of a match."""
    pairing = record["pairings"][0]
    score, estimate = pairing["score"], pairing["estimate"]
    counts = " ".join(f"{sign}{score[name]}" for sign, name in (("+", "wins"), ("=", "draws"), ("-", "losses")))
    played = sum(score[name] for name in ("wins", "draws", "losses"))
    elo = estimate.get("elo") if estimate else None
    # An end of an interval that is open is null.
    ends = ["open" if elo[end] is None else f"{elo[end]:+.0f}" for end in ("estimate", "lower", "upper")] if elo else []
    interval = "{} [{}, {}]".format(*ends) if elo else "unknown"
    return f"| {length} | {played}: {counts} | {interval} |"


def games(arguments):
    folder = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    print("| nodes a move or clock | games | Elo of new over old, 95 % |\n|---|---|---|")
    for length in arguments.lengths:
        name = length.replace("+", "_")
        pgn, result = folder / f"{name}.pgn", folder / f"{name}.json"
        code, told = run_match(match_command(arguments, length, pgn, result), parameters())
        if code != 0 or not result.exists():
            sys.exit(f"the match at {length} failed:\n{told}")
        print(row(length, json.loads(result.read_text())), flush=True)


def read_positions(path):
    """The positions of an EPD file, each with the distance to mate in moves or the good moves."""
    positions: list[tuple[str, int | set[str]]] = []
    for line in path.read_text().splitlines():
        if found := MATE.match(line):
            positions.append((found[1], int(found[2])))
        elif found := GOOD_MOVES.match(line):
            positions.append((found[1], set(found[2].split())))
    if not positions:
        sys.exit(f"{path}: no positions found; expected lines 'FEN ;dm MOVES' or 'FEN ;bm MOVE ..'")
    return positions


class Solution:
    """Follows the lines of a search of one position. `nodes` is None until it is solved."""

    def __init__(self, goal):
        self.goal, self.nodes = goal, None

    def hear(self, words):
        if words[:1] != ["info"] or "nodes" not in words or "pv" not in words:
            return
        nodes = int(words[words.index("nodes") + 1])
        if isinstance(self.goal, set):
            is_solved = words[words.index("pv") + 1] in self.goal
            self.nodes = (self.nodes or nodes) if is_solved else None
        elif self.nodes is None and "mate" in words and 0 < int(words[words.index("mate") + 1]) <= self.goal:
            self.nodes = nodes


class Engine:
    """An engine that speaks UCI."""

    def __init__(self, program, hash_size):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.send(f"setoption name Hash value {hash_size}")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def solve(self, fen, goal, limit):
        """The nodes after which the engine solves the position, or None."""
        self.send("ucinewgame")
        self.send(f"position fen {fen}")
        self.send(f"go nodes {limit}")
        solution = Solution(goal)
        for line in self.process.stdout:
            words = line.split()
            if words[:1] == ["bestmove"]:
                return solution.nodes
            solution.hear(words)
        sys.exit("the engine ended during a search")


def ratio(new, old):
    """The geometric mean of the ratios and its 95 % interval."""
    logarithms = [math.log(n / o) for n, o in zip(new, old)]
    mean = statistics.fmean(logarithms)
    error = 1.96 * statistics.stdev(logarithms) / math.sqrt(len(logarithms)) if len(logarithms) > 1 else math.nan
    return tuple(math.exp(mean + end * error) for end in (0, -1, 1))


def positions(arguments):
    engines = [Engine(program, arguments.hash) for program in (arguments.new, arguments.old)]
    known = read_positions(arguments.file)
    found = [[engine.solve(fen, goal, arguments.nodes) for fen, goal in known] for engine in engines]
    counted = [[nodes or 2 * arguments.nodes for nodes in side] for side in found]
    print(f"| version | solved of {len(known)} within {arguments.nodes} nodes | nodes, geometric mean |\n|---|---|---|")
    for name, side, nodes in zip(("new", "old"), found, counted):
        print(f"| {name} | {sum(n is not None for n in side)} | {statistics.geometric_mean(nodes):.0f} |")
    print("\nnew needs {:.3f} [{:.3f}, {:.3f}] times the nodes of old".format(*ratio(*counted)))
    for engine in engines:
        engine.send("quit")
        engine.process.wait(timeout=10)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)

    ladder = commands.add_parser("games", help="a match at each length")
    ladder.set_defaults(run=games)
    ladder.add_argument("new")
    ladder.add_argument("old")
    ladder.add_argument("--lengths", nargs="+", default=LENGTHS, help=f"default: {' '.join(LENGTHS)}")
    ladder.add_argument("--pairs", type=int, default=100, help="pairs of games at each length")
    ladder.add_argument("--options", nargs="*", default=[], metavar="NAME=VALUE", help="options of NEW")
    ladder.add_argument("--old-options", nargs="*", default=[], metavar="NAME=VALUE", help="options of OLD")
    ladder.add_argument("--openings", default=str(ROOT / "scripts/openings.epd"))
    ladder.add_argument("--concurrency", type=int, default=1)
    ladder.add_argument("--seed", type=int, default=1)
    ladder.add_argument("--folder", type=Path, default=ROOT / "data/ladder")

    solving = commands.add_parser("positions", help="nodes to the solution of positions")
    solving.set_defaults(run=positions)
    solving.add_argument("new")
    solving.add_argument("old")
    solving.add_argument("file", type=Path)
    solving.add_argument("--nodes", type=int, default=1_000_000, help="nodes for each position")

    for command in (ladder, solving):
        command.add_argument("--hash", type=int, default=64, help="MiB of each engine")
    arguments = parser.parse_args()
    needed = arguments.openings if arguments.run is games else arguments.file
    need_files(parser, arguments.new, arguments.old, needed)
    arguments.run(arguments)


if __name__ == "__main__":
    main()
