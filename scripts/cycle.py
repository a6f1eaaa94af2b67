#!/usr/bin/env python3
"""Make networks: data, training and matches, generation after generation.

    scripts/cycle.py data/small --preset small
    scripts/cycle.py data/cycle --generations 4 --threads 8

The preset "full" starts from the network of the repository (nets/default.net), with its shape and
the settings of its training; "small" makes a small network from nothing.

In each generation the best network so far plays itself (`cannonade datagen`). The games of the last
generations are joined without duplicates and split (`cannonade data`). A network is trained
(`cannonade train`; three of them and their mean, if the training starts from the best network) and
checked (`cannonade net verify`). It must then pass an SPRT against the best network so far, first at
fixed nodes, then at time (`cannonade match`). If it passes, it becomes the
best network; if not, the next generation has more data of the old one. The first data are made by
--teacher, and the first network must beat --rival. If both are the same network, the first training
starts from its weights too.

The folder holds everything: the program that was used, one folder per generation with games,
network, loss curve, match records and logs, `state.json` with the steps that are done, and
`record.md` for people. After Ctrl-C or a power cut the same command continues the run.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from cycle_record import record

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

ROOT = Path(__file__).resolve().parent.parent
OPENINGS = ROOT / "scripts/openings.epd"
DEFAULT_NET = "nets/default.net"
# The exit code of a command that Ctrl-C has stopped.
INTERRUPTED = 130

# Name -> (default, value of the preset "small", help). Lists have one value per generation; the
# last value is used for all later generations.
SETTINGS: dict[str, tuple[Any, Any, str]] = {
    "generations": (3, 1, "number of generations"),
    "games": ([100_000], [6_000], "games of self-play, for each generation"),
    "nodes": ([400], [400], "nodes per move in self-play, for each generation"),
    "width": ([256], [64], "width of the network, for each generation"),
    "pairs": ([8], [4], "pairs of the second layer, for each generation; 0 for none"),
    "threats": ([1], [0], "1: threats are inputs, for each generation"),
    "epochs": ([1], [12], "passes over the data, for each generation"),
    "result_weight": ([0.1], [0.15], "share of the result in the target, for each generation"),
    "ending_result_weight": ([0.2], [0.2], "the same share in endings, for each generation"),
    "lookahead": ([0.8], [0.0], "share of each score that comes from later scores, for each generation"),
    "warm_start": (1, 0, "1: start the training from the best network if it has the same shape"),
    "warm_rate": (3e-4, 1e-3, "learning rate at the start of such a training"),
    "runs": (3, 1, "trainings from the best network, with other seeds, whose networks are averaged"),
    "batch": (8192, 1024, "samples per training step"),
    "window": (1, 1, "number of generations whose games are used to train"),
    "endings": ("", "", "samples of positions with known results to train with, if any"),
    "teacher": (DEFAULT_NET, "none", "what plays the first games: a network, none or material"),
    "rival": (DEFAULT_NET, "material", "what the first network must beat: a network, none or material"),
    "gate_nodes": (5000, 2000, "nodes per move of the match at fixed nodes"),
    "gate_tc": ("10+0.1", "1+0.02", "time control of the match at time"),
    "gate_rounds": (1000, 100, "greatest number of game pairs per match"),
    "sprt_nodes": ("0 10", "0 100", "elo0 and elo1 of the SPRT at fixed nodes, normalised"),
    "sprt_time": ("0 10", "0 100", "elo0 and elo1 of the SPRT at time, normalised"),
    "yardstick": ("none", "material", "opponent of the best network in a last match without SPRT"),
    "yardstick_rounds": (100, 100, "game pairs of that match, at fixed nodes; 0 for no match"),
    "seed": (1, 1, "random seed of all steps"),
}

BUILT_IN_NAMES = ("none", "material")

# The least and the greatest value of the settings that are numbers, as the program demands them.
BOUNDS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("generations", "games", "nodes", "gate_nodes", "window", "runs", "batch"), (1, 1_000_000_000)),
    **dict.fromkeys(("threats", "warm_start", "result_weight", "ending_result_weight", "lookahead", "warm_rate"), (0, 1)),
    "pairs": (0, 32),
    "epochs": (1, 100_000),
    "gate_rounds": (1, 1_000_000),
    "yardstick_rounds": (0, 1_000_000),
    "seed": (0, 1_000_000_000),
}

# What a step of each kind depends on; once such a step has begun, these settings stay.
USED_BY = {
    "self-play": ("games", "nodes", "teacher", "seed"),
    "data": ("window", "seed"),
    "training": (
        *("width", "pairs", "threats", "epochs", "result_weight", "ending_result_weight", "lookahead"),
        *("warm_start", "warm_rate", "runs", "batch", "endings", "seed"),
    ),
    "match at fixed nodes": ("rival", "gate_nodes", "gate_rounds", "sprt_nodes"),
    "match at time": ("rival", "gate_tc", "gate_rounds", "sprt_time"),
    "shape": ("rival", "teacher"),
    "yardstick": ("yardstick", "yardstick_rounds", "gate_nodes", "seed"),
}


class Interrupted(Exception):
    """A program was stopped before its end; the same command continues."""


class Failed(Exception):
    """A program failed."""


def checksum(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def value_of(settings, name, generation):
    """The value of a setting for a generation, counted from 1."""
    values = settings.get(name)
    return values[min(generation, len(values)) - 1] if isinstance(values, list) else values


def used_settings(steps):
    """The settings, with the generation, that steps of these names depend on."""
    used = set()
    for step in steps:
        found = re.fullmatch(r"generation (\d+): (.*)", step)
        generation, kind = (int(found[1]), found[2]) if found else (1, "yardstick" if " against " in step else step)
        used.update((name, generation) for name in USED_BY.get(kind, ()))
    return used


def wrong_setting(settings):
    """What is wrong with the numbers and words, or None: the steps that need them come after hours."""
    flag = lambda name: f"--{name.replace('_', '-')}"
    for name, (least, greatest) in BOUNDS.items():
        values = settings[name] if isinstance(settings[name], list) else [settings[name]]
        for value in values:
            if not least <= value <= greatest:
                return f"{flag(name)} {value}: give {least} to {greatest}"
    for width in settings["width"]:
        if not (64 <= width <= 1024 and width % 64 == 0):
            return f"--width {width}: give a multiple of 64 up to 1024"
    for name in ("sprt_nodes", "sprt_time"):
        try:
            elo0, elo1 = map(float, settings[name].split())
        except ValueError:
            elo0, elo1 = 0.0, 0.0
        if not -300 <= elo0 < elo1 <= 300:
            return f"{flag(name)} '{settings[name]}': give two numbers, the smaller one first, such as '0 10'"
    clock = re.fullmatch(r"(?:[1-9]\d*/)?([\d:.]+(?:\+[\d:.]+)?)", settings["gate_tc"])
    if not clock or not re.search("[1-9]", clock[1]):
        return f"--gate-tc '{settings['gate_tc']}': give seconds and increment, such as 10+0.1"
    return None


def write_whole(path, text):
    """Replaces a file in one step, so that it is never incomplete."""
    scratch = path.with_name(path.name + ".part")
    scratch.write_text(text, encoding="utf-8")
    scratch.replace(path)


def version_of(program):
    """What the program says of its version, with the commit; None if it is not Cannonade."""
    try:
        run = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return None
    return run.stdout.strip() if run.stdout.startswith("cannonade ") else None


class Cycle:
    def __init__(self, folder, settings, threads, engine):
        self.folder = folder
        self.settings = settings
        self.threads = threads
        self.engine_given = engine
        self.engine = folder / ("cannonade.exe" if os.name == "nt" else "cannonade")
        self.state_file = folder / "state.json"
        folder.mkdir(parents=True, exist_ok=True)
        self.lock = self.take_lock()
        self.state = self.begin()

    def take_lock(self):
        """Locks the folder against a second run. The programs that are started inherit the lock, so
        that it lasts while one of them still runs after the end of this script."""
        lock = open(self.folder / "lock", "a", encoding="utf-8")  # noqa: SIM115  open as long as the run
        if fcntl:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                sys.exit(f"error: another run uses {self.folder}; wait for its end or stop it")
        return lock

    def begin(self):
        fresh = {"settings": self.settings, "steps": {}}
        if not self.state_file.exists():
            return fresh
        state = json.loads(self.state_file.read_text(encoding="utf-8"))
        old = state["settings"]
        # What no step has used yet may change. Other changes would mix two runs.
        used = used_settings([*state["steps"], *state.get("unfinished", {})])
        changed = sorted(
            f"--{name.replace('_', '-')} was {value_of(old, name, number)}, now {value_of(self.settings, name, number)}"
            for name, number in used
            if value_of(old, name, number) != value_of(self.settings, name, number)
        )
        if changed:
            sys.exit(
                f"error: {self.folder} has steps made with other settings ({'; '.join(changed)}); "
                "use the old settings or another folder"
            )
        state["settings"] = self.settings
        return state

    def of(self, name, generation):
        return value_of(self.settings, name, generation)

    # Steps

    def step(self, name, work):
        """Does a step unless it is done, and keeps its result."""
        if name in self.state["steps"]:
            return self.state["steps"][name]
        print(f"== {name}", flush=True)
        start, used = time.time(), os.times()
        earlier = self.state.get("unfinished", {}).get(name, {"seconds": 0, "cpu_seconds": 0})
        finished = False
        # The files of a step that a power cut ends are of these settings.
        self.state["unfinished"] = {name: earlier}
        self.save()
        try:
            found = work()
            finished = True
        finally:
            now = os.times()
            cpu = now.children_user + now.children_system
            cpu -= used.children_user + used.children_system
            times = {
                "seconds": round(earlier["seconds"] + time.time() - start, 1),
                "cpu_seconds": round(earlier["cpu_seconds"] + cpu, 1),
            }
            self.state["unfinished"] = {} if finished else {name: times}
            if finished:
                self.state["steps"][name] = {**times, **found}
            self.save()
        return self.state["steps"][name]

    def save(self):
        write_whole(self.state_file, json.dumps(self.state, indent=1))
        write_whole(self.folder / "record.md", record(self.state))

    def run(self, log, *arguments):
        """Runs a command of the engine; prints, logs and returns its output lines."""
        command = [str(self.engine), *map(str, arguments)]
        lines = []
        with open(log, "a", encoding="utf-8") as file:
            file.write("$ " + " ".join(command) + "\n")
            process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                text=True,
                encoding="utf-8",
                pass_fds=[self.lock.fileno()] if fcntl else [],
            )
            try:
                for line in process.stdout:
                    print("  " + line, end="", flush=True)
                    file.write(line)
                    file.flush()
                    lines.append(line.rstrip("\n"))
                code = process.wait()
            except KeyboardInterrupt:
                # The program saves its work.
                if os.name != "nt":
                    process.send_signal(signal.SIGINT)
                process.wait()
                raise Interrupted from None
        if code == INTERRUPTED:
            raise Interrupted
        if code != 0:
            raise Failed(f"exit code {code} of: {' '.join(command)}\nSee {log}.")
        return lines

    # The steps of a run

    def go(self):
        self.step("build", self.build)
        rival, teacher = self.settings["rival"], self.settings["teacher"]
        best = {"name": rival, "teacher": teacher, "shape": None}
        if rival == teacher and rival not in BUILT_IN_NAMES:
            best["shape"] = self.step("shape", lambda: {"shape": self.shape_of(rival)})["shape"]
        for generation in range(1, self.settings["generations"] + 1):
            best = self.generation(generation, best)
        self.measure(best)

    def build(self):
        program = self.engine_given
        if program is None:
            print("  cargo build --release", flush=True)
            subprocess.run(["cargo", "build", "--release"], cwd=ROOT, check=True)
            program = ROOT / "target/release" / self.engine.name
        # A copy, so that one program makes all generations, even if another one is built meanwhile.
        shutil.copy2(program, self.engine)
        return {"program": checksum(self.engine), "version": version_of(self.engine)}

    def generation(self, number, best):
        home = self.folder / f"generation-{number}"
        home.mkdir(exist_ok=True)
        name = f"generation {number}"
        net = home / "net.net"
        self.step(f"{name}: self-play", lambda: self.self_play(home, number, best["teacher"]))
        self.step(f"{name}: data", lambda: self.data(home, number))
        start = self.warm_start(number, best)
        self.step(f"{name}: training", lambda: self.train(home, number, net, start))
        passed = self.step(f"{name}: checks", lambda: self.verify(home, net))["passed"]
        for gate, conditions, elo in (
            ("at fixed nodes", [f"nodes={self.settings['gate_nodes']}"], "sprt_nodes"),
            ("at time", [f"tc={self.settings['gate_tc']}", "timemargin=500"], "sprt_time"),
        ):
            if passed:
                passed = self.step(
                    f"{name}: match {gate}",
                    lambda gate=gate, conditions=conditions, elo=elo: self.match(
                        home / gate.replace(" ", "-"),
                        (f"generation-{number}", net),
                        ("best", best["name"]),
                        conditions,
                        self.settings["gate_rounds"],
                        number,
                        self.settings[elo],
                    ),
                )["passed"]
        verdict = self.step(f"{name}: verdict", lambda: self.adopt(number, net, passed))
        if not verdict["adopted"]:
            return best
        path = str(self.folder / verdict["network"])
        return {"name": path, "teacher": path, "shape": self.shape(number)}

    def shape_of(self, net):
        """Width, pairs of the second layer and threats of a network, as `net show` prints them."""
        told = "\n".join(self.run(self.folder / "shape.log", "net", "show", net))
        found = re.search(r"\(1260( \+ \d+ threats)? -> (\d+)\)x2 -> (?:\(1 \+ (\d+))?", told)
        if not found or "mirror pairs" not in told:
            return None
        threats, width, second = found.groups()
        return [int(width), int(second or 0) // 2, int(threats is not None)]

    def shape(self, number):
        """The same of the network that a generation trains."""
        return [self.of(name, number) for name in ("width", "pairs", "threats")]

    def warm_start(self, number, best):
        """The network whose weights the training of a generation starts from, if any."""
        same = best["shape"] == self.shape(number)
        return best["name"] if self.settings["warm_start"] and same else None

    def self_play(self, home, number, teacher):
        lines = self.run(
            home / "self-play.log",
            "datagen",
            *("--output", home / "self-play.games"),
            *("--games", self.of("games", number)),
            *("--nodes", self.of("nodes", number)),
            *("--seed", self.settings["seed"] + 1000 * number),
            *("--threads", self.threads),
            *("--net", teacher),
            *("--openings", OPENINGS),
        )
        return {
            "by": teacher,
            "games": self.of("games", number),
            "nodes": self.of("nodes", number),
            "sha256": checksum(home / "self-play.games"),
            "said": lines[-1] if lines else "",
        }

    def data(self, home, number):
        log = home / "data.log"
        first = max(1, number - self.settings["window"] + 1)
        files = [self.folder / f"generation-{n}/self-play.games" for n in range(first, number + 1)]
        joined, training, held_out = (
            home / f"{name}.games" for name in ("joined", "training", "validation")
        )
        merged = self.run(log, "data", "merge", *files, "--output", joined)
        split = self.run(
            log,
            *("data", "split", joined, "--output", training, "--rest", held_out),
            *("--seed", self.settings["seed"]),
        )
        statistics = self.run(log, "data", "stats", joined)
        joined.unlink()
        return {
            "generations": [first, number],
            "said": merged[-1:] + split[-1:],
            "statistics": statistics,
        }

    def train(self, home, number, net, start):
        # Only networks from the same start have a useful mean.
        runs = self.settings["runs"] if start else 1
        if runs == 1:
            return self.train_once(home, number, net, start, self.settings["seed"])
        parts = [home / f"run-{run + 1}.net" for run in range(runs)]
        results = [
            self.train_once(home, number, part, start, self.settings["seed"] + run)
            for run, part in enumerate(parts)
        ]
        try:
            self.run(home / "average.log", "net", "average", *parts, "--output", net)
        except Failed:
            if not net.exists():
                raise
        shutil.copy2(parts[0].with_suffix(".svg"), net.with_suffix(".svg"))
        return {**results[0], "sha256": checksum(net)}

    def train_once(self, home, number, net, start, seed):
        log = net.with_suffix(".log")
        warm = ("--start", start, "--learning-rate", self.settings["warm_rate"]) if start else ()
        endings = (self.settings["endings"],) if self.settings["endings"] else ()
        try:
            self.run(
                log,
                *("train", home / "training.games", *endings),
                *("--validation", home / "validation.games"),
                *("--output", net),
                *warm,
                *("--width", self.of("width", number)),
                *("--pairs", self.of("pairs", number)),
                *(("--threats",) if self.of("threats", number) else ()),
                *("--epochs", self.of("epochs", number)),
                *("--result-weight", self.of("result_weight", number)),
                *("--ending-result-weight", self.of("ending_result_weight", number)),
                *("--lookahead", self.of("lookahead", number)),
                *("--batch", self.settings["batch"]),
                *("--seed", seed),
                *("--threads", self.threads),
                *("--note", f"generation {number} of scripts/cycle.py"),
            )
        except Failed:
            # Where only the checks failed, the network is there, and the next step judges it.
            if not net.exists():
                raise
        # From the log, which also has the epochs before an interruption.
        told = log.read_text(encoding="utf-8")
        epochs = re.findall(r"epoch +(\d+): loss ([\d.]+), validation ([\d.]+)", told)
        by_number = {int(epoch): [float(a), float(b)] for epoch, a, b in epochs}
        losses = [losses for _, losses in sorted(by_number.items())]
        samples = next((line for line in reversed(told.splitlines()) if "samples, " in line), "")
        return {"network": samples, "losses": losses, "sha256": checksum(net)}

    def verify(self, home, net):
        try:
            self.run(home / "checks.log", "net", "verify", net)
        except Failed as failure:
            return {"passed": False, "said": str(failure).splitlines()[0]}
        return {"passed": True, "said": "all passed"}

    def match(self, record, one, other, conditions, rounds, seed, sprt):
        """Plays a match. Without `sprt` all games are played and the match always passes."""
        engines = []
        for name, evaluation in (one, other):
            engines += ["--engine", f"cmd={self.engine}", f"name={name}", f"option.EvalFile={evaluation}"]
        result = record.with_suffix(".json")
        test = []
        if sprt:
            elo0, elo1 = sprt.split()
            test = ["--sprt", f"elo0={elo0}", f"elo1={elo1}"]
        self.run(
            record.with_suffix(".log"),
            "match",
            *engines,
            *("--each", "option.Hash=16", *conditions),
            *("--rounds", rounds, "--repeat"),
            *("--openings", f"file={OPENINGS}", "order=random", "--seed", seed),
            *("--concurrency", self.threads),
            *("--pgn", record.with_suffix(".pgn"), "--resume", "--json", result),
            *("--report-every", 50),
            *test,
        )
        found = json.loads(result.read_text(encoding="utf-8"))
        pairing = found["pairings"][0]
        report = found["sprt"]["report"] if sprt else None
        return {
            "against": str(other[1]),
            "conditions": " ".join(conditions),
            "score": pairing["score"],
            "pairs": pairing["pairs"],
            "elo": pairing["estimate"]["elo"],
            "sprt": {"bounds": sprt, **report} if report else None,
            "passed": report is None or report["state"] == "accept_h1",
        }

    def adopt(self, number, net, passed):
        for name in ("training", "validation"):
            net.with_name(f"{name}.games").unlink(missing_ok=True)
        if not passed:
            return {"adopted": False}
        home = self.folder / "networks"
        home.mkdir(exist_ok=True)
        adopted = home / f"generation-{number}.net"
        shutil.copy2(net, adopted)
        shutil.copy2(net.with_suffix(".svg"), adopted.with_suffix(".svg"))
        return {
            "adopted": True,
            "network": str(adopted.relative_to(self.folder)),
            "sha256": checksum(adopted),
        }

    def measure(self, best):
        """Measures the best network against an opponent that stays the same."""
        rounds = self.settings["yardstick_rounds"]
        if rounds == 0 or best["name"] == self.settings["rival"]:
            return
        name = Path(best["name"]).stem
        self.step(
            f"{name} against {self.settings['yardstick']}",
            lambda: self.match(
                self.folder / f"{name}-yardstick",
                (name, best["name"]),
                ("yardstick", self.settings["yardstick"]),
                [f"nodes={self.settings['gate_nodes']}"],
                rounds,
                self.settings["seed"],
                None,
            ),
        )


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="the folder of the run")
    parser.add_argument(
        "--preset",
        choices=("full", "small"),
        default="full",
        help="small: a small network from nothing, within a quarter of an hour on two cores",
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--engine", type=Path, help="a program to use; built if left out")
    for name, (full, small, text) in SETTINGS.items():
        many = isinstance(full, list)
        show = lambda value, many=many: " ".join(map(str, value)) if many else value
        parser.add_argument(
            f"--{name.replace('_', '-')}",
            nargs="+" if many else None,
            type=type(full[0] if many else full),
            help=f"{text} (full: {show(full)}; small: {show(small)})",
        )
    arguments = parser.parse_args()
    small = arguments.preset == "small"
    settings: dict[str, Any] = {}
    for name, values in SETTINGS.items():
        given = getattr(arguments, name)
        settings[name] = values[int(small)] if given is None else given
    if fault := wrong_setting(settings):
        parser.error(fault)
    if not 1 <= arguments.threads <= 1024:
        parser.error(f"--threads {arguments.threads}: give 1 to 1024")
    for name in ("teacher", "rival", "yardstick"):
        if settings[name] not in BUILT_IN_NAMES:
            path = Path(settings[name])
            if settings[name] == DEFAULT_NET and not path.is_file():
                path = ROOT / DEFAULT_NET
            if not path.is_file():
                parser.error(f"--{name}: there is no file {settings[name]}; or give none or material")
            settings[name] = str(path.resolve())
    if settings["endings"]:
        if not Path(settings["endings"]).is_file():
            parser.error(f"--endings: there is no file {settings['endings']}")
        settings["endings"] = str(Path(settings["endings"]).resolve())
    if arguments.engine and version_of(arguments.engine.resolve()) is None:
        parser.error(f"--engine: {arguments.engine} is not the program cannonade")

    start = time.time()
    cycle = Cycle(arguments.folder.resolve(), settings, arguments.threads, arguments.engine)
    try:
        cycle.go()
    except (Interrupted, KeyboardInterrupt):
        sys.exit("interrupted; the same command continues from here")
    except (Failed, subprocess.CalledProcessError) as failure:
        sys.exit(f"error: {failure}\nThe same command tries this step again.")
    print(f"done in {time.time() - start:.0f} s; see {cycle.folder / 'record.md'}")


if __name__ == "__main__":
    main()
