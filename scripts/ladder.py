#!/usr/bin/env python3
"""Compare two versions of the engine at several lengths of search.

A change of the search that wins at 5,000 nodes a move may lose at 400,000, so every change is played
at two lengths at least.

    scripts/ladder.py games NEW OLD --folder data/ladder
    scripts/ladder.py games NEW NEW --options lmr_base=900 --lengths 50000 200000 --pairs 100
    scripts/ladder.py positions NEW OLD engine-tests/data/mates.epd

`games` plays a match at each length: nodes a move, or a clock such as 10+0.1. Each row has the games,
won, drawn and lost by NEW, and its Elo with the 95 % interval. The same command continues a ladder
that was interrupted. `positions` gives the nodes after which each version reports a mate in at most
the moves of `dm` (EPD), as the geometric mean of the positions that both solve.
"""

import argparse
import json
import math
import re
import subprocess
import sys
from pathlib import Path

from inputs import need_files, run_match
from tune import ADJUDICATION, parameters

ROOT = Path(__file__).resolve().parent.parent
LENGTHS = ["10000", "50000", "200000", "10+0.1"]
DISTANCE = re.compile(r"^([^;#]+?)\s*;\s*dm (\d+)")


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


def read_distances(path):
    """The positions of an EPD file with the distance to mate in moves."""
    found = [DISTANCE.match(line) for line in path.read_text().splitlines()]
    positions = [(match[1], int(match[2])) for match in found if match]
    if not positions:
        sys.exit(f"{path}: no positions found; expected lines 'FEN ;dm MOVES'")
    return positions


class Engine:
    """An engine that speaks UCI."""

    def __init__(self, program, hash_size):
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.send(f"setoption name Hash value {hash_size}")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def nodes_to_mate(self, fen, moves, limit):
        """The nodes after which the engine reports a mate in at most this many moves, or None."""
        self.send("ucinewgame")
        self.send(f"position fen {fen}")
        self.send(f"go nodes {limit}")
        solved = None
        for line in self.process.stdout:
            words = line.split()
            if words[:1] == ["bestmove"]:
                return solved
            has_mate = words[:1] == ["info"] and "mate" in words and "nodes" in words
            if has_mate and solved is None and 0 < int(words[words.index("mate") + 1]) <= moves:
                solved = int(words[words.index("nodes") + 1])
        sys.exit("the engine ended during a search")


def positions(arguments):
    engines = [Engine(program, arguments.hash) for program in (arguments.new, arguments.old)]
    known = read_distances(arguments.file)
    nodes = [[engine.nodes_to_mate(fen, moves, arguments.nodes) for fen, moves in known] for engine in engines]
    both = [pair for pair in zip(*nodes) if None not in pair]
    print(f"| version | solved of {len(known)} within {arguments.nodes} nodes | nodes, geometric mean of {len(both)} |")
    print("|---|---|---|")
    for side, (name, counts) in enumerate(zip(("new", "old"), nodes)):
        mean = math.exp(sum(math.log(pair[side]) for pair in both) / len(both)) if both else math.nan
        print(f"| {name} | {sum(count is not None for count in counts)} | {mean:.0f} |")
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

    solving = commands.add_parser("positions", help="nodes to the solution of mates")
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
