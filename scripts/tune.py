#!/usr/bin/env python3
"""Tune the constants of the search by SPSA, with `cannonade match` as the judge.

SPSA (J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation
gradient approximation", 1992) moves all constants at once: each iteration plays a few pairs of
games between the constants pushed one way and the other at random, and moves each of them by its
share of the result.

The constants, their defaults and bounds are read from crates/engine/src/search/params.rs; the engine takes
them as options that it does not announce. The state is a JSON file, so a run that was stopped goes
on where it was. Without names all constants are tuned; those of the clock (time_*) only with --tc,
since games at equal nodes say nothing about them. With --write the tuned defaults are put into the source.

    scripts/tune.py --iterations 2000 --nodes 5000 --state data/tune.json lmr_base lmr_factor
"""

import argparse
import json
import random
import re
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from inputs import need_files, run_match

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "crates/engine/src/search/params.rs"
PARAMETER = re.compile(r"^    (\w+): (-?\d+) in (-?\d+) ?\.\.= ?(-?\d+);$", re.MULTILINE)

# Games that are decided, or level for long, teach nothing more.
ADJUDICATION = [
    *("--resign", "movecount=3", "score=800"),
    *("--draw", "movenumber=40", "movecount=8", "score=15"),
]

# Spall's exponents, and the share of the iterations over which the steps settle.
ALPHA, GAMMA, SETTLING = 0.602, 0.101, 0.1


def parameters():
    """Name -> (default, least, greatest)."""
    found = {
        name: (int(default), int(least), int(greatest))
        for name, default, least, greatest in PARAMETER.findall(SOURCE.read_text())
    }
    if not found:
        sys.exit(f"{SOURCE}: no parameters found; expected lines 'name: default in least ..= greatest;'")
    return found


def play(arguments, sides, seed):
    """The mean result of the first side against the second, from -1 to 1."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        command = [arguments.engine, "match"]
        for name, values in zip(("plus", "minus"), sides):
            options = [f"option.{key}={value}" for key, value in values.items()]
            command += ["--engine", f"cmd={arguments.engine}", f"name={name}", *options]
        limit = f"tc={arguments.tc}" if arguments.tc else f"nodes={arguments.nodes}"
        command += ["--each", limit, "option.Hash=16"]
        command += ["--rounds", str(arguments.pairs), "--repeat", "--seed", str(seed)]
        command += ["--openings", f"file={arguments.openings}", "order=random"]
        command += ADJUDICATION
        command += ["--concurrency", "1", "--json", str(result)]
        code, told = run_match(command)
        if code != 0 or not result.exists():
            sys.exit(f"the match failed: {' '.join(command)}\n{told}")
        score = json.loads(result.read_text())["pairings"][0]["score"]
    games = score["wins"] + score["losses"] + score["draws"]
    return (score["wins"] - score["losses"]) / max(games, 1)


class Tuner:
    """The constants on their way."""

    def __init__(self, arguments, known, state):
        self.arguments = arguments
        self.known = known
        self.state = state
        self.lock = threading.Lock()
        # At the end a push is a twentieth of the range.
        self.push_end = {
            name: max(1.0, (known[name][2] - known[name][1]) / 20) for name in state["values"]
        }

    def iterate(self, iteration):
        iterations = self.arguments.iterations
        seed = self.arguments.seed * 1_000_003 + iteration
        chance = random.Random(seed)
        widening = (iterations / iteration) ** GAMMA
        sign = {name: chance.choice((-1, 1)) for name in self.push_end}
        with self.lock:
            values = dict(self.state["values"])

        def side(direction):
            pushed = {}
            for name, value in values.items():
                _, least, greatest = self.known[name]
                push = direction * sign[name] * self.push_end[name] * widening
                pushed[name] = round(min(max(value + push, least), greatest))
            return pushed

        result = play(self.arguments, (side(1), side(-1)), seed)
        with self.lock:
            self.move(iteration, result, sign)

    def move(self, iteration, result, sign):
        iterations, values = self.arguments.iterations, self.state["values"]
        offset = SETTLING * iterations
        rate = self.arguments.rate * ((iterations + offset) / (iteration + offset)) ** ALPHA
        for name, push in self.push_end.items():
            _, least, greatest = self.known[name]
            values[name] = min(max(values[name] + rate * push * result * sign[name], least), greatest)
        # What was played is counted, not which: an interrupted run plays a few numbers again.
        self.state["iteration"] += 1
        state = self.arguments.state
        state.parent.mkdir(parents=True, exist_ok=True)
        scratch = state.with_suffix(".tmp")
        scratch.write_text(json.dumps(self.state, indent=1))
        scratch.replace(state)
        moved = ", ".join(f"{name} {value:.1f}" for name, value in values.items())
        print(f"{self.state['iteration']}/{iterations} {result:+.2f}: {moved}", flush=True)


def write_defaults(values):
    text = SOURCE.read_text()
    for name, value in values.items():
        text = re.sub(rf"^(    {name}: )-?\d+", rf"\g<1>{round(value)}", text, flags=re.MULTILINE)
    SOURCE.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="constants to tune (default: see above)")
    parser.add_argument("--engine", default=str(ROOT / "target/release/cannonade"))
    parser.add_argument("--openings", default=str(ROOT / "scripts/openings.epd"))
    parser.add_argument("--nodes", type=int, default=5000, help="nodes a move")
    parser.add_argument("--tc", help="clock in place of nodes, as in `cannonade match`: 1+0.01")
    parser.add_argument("--pairs", type=int, default=4, help="pairs of games an iteration")
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=0.06, help="step at the end, as a share of the push")
    parser.add_argument("--concurrency", type=int, default=2, help="iterations at once")
    parser.add_argument("--state", type=Path, default=ROOT / "data/tune.json")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true", help="put the tuned values into the source and end")
    arguments = parser.parse_args()

    known = parameters()
    unknown = [name for name in arguments.names if name not in known]
    if unknown:
        parser.error(f"no such constant: {', '.join(unknown)}; known are {', '.join(known)}")

    if arguments.state.exists():
        state = json.loads(arguments.state.read_text())
        if arguments.names and set(arguments.names) != set(state["values"]):
            parser.error(
                f"{arguments.state} is a run with other constants ({', '.join(state['values'])}); "
                "give no names to continue it, or another --state"
            )
    else:
        names = arguments.names or [
            name for name in known if arguments.tc or not name.startswith("time_")
        ]
        state = {"iteration": 0, "values": {name: float(known[name][0]) for name in names}}
    values = state["values"]

    if arguments.write:
        write_defaults(values)
        return
    need_files(parser, arguments.engine, arguments.openings)
    if state["iteration"] >= arguments.iterations:
        print(
            f"{state['iteration']} of {arguments.iterations} iterations done; "
            "--write puts the values into the source, greater --iterations continue"
        )
        return

    tuner = Tuner(arguments, known, state)
    # Each core has an iteration of its own, as in Fishtest: none waits for another's last game.
    pool = ThreadPoolExecutor(arguments.concurrency)
    try:
        for _ in pool.map(tuner.iterate, range(state["iteration"] + 1, arguments.iterations + 1)):
            pass
    except KeyboardInterrupt:
        print("interrupted; the same command continues from here")
    finally:
        pool.shutdown(cancel_futures=True)


if __name__ == "__main__":
    main()
