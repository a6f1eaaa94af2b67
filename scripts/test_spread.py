#!/usr/bin/env python3
"""Tests of spread.py on this machine, with two workers.

    python3 -m unittest discover scripts

They need Ray (`pip install ray`), the program, which `cargo build --release` makes, and those of the
analysis the Python package (`pip install ./python`).
"""

import argparse
import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import uuid
from pathlib import Path

import spread

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "scripts/spread.py"
ENGINE = Path(os.environ.get("CANNONADE", ROOT / "target/release/cannonade"))
OPENINGS = ROOT / "scripts/openings.epd"


class PlanTest(unittest.TestCase):
    def test_a_run_with_another_total_is_refused(self):
        # The last shard of 7 games would count as done for 10.
        with tempfile.TemporaryDirectory() as folder:
            for games, refused in ((7, False), (7, False), (10, True)):
                arguments = argparse.Namespace(
                    kind="datagen", folder=Path(folder), games=games, shard=5, sprt=[], seed=1,
                    engine=SCRIPT, openings=None,
                )
                work = spread.SelfPlay(arguments, [])
                if refused:
                    with self.assertRaisesRegex(SystemExit, "holds a run with other settings"):
                        work.keep_plan()
                else:
                    work.keep_plan()


class PackageTest(unittest.TestCase):
    """A machine that cannot load the package that was sent."""

    def load(self, sent, own):
        """What a machine with its own package says to one that was sent, both by the text of their `__init__.py`."""
        with tempfile.TemporaryDirectory() as place:
            home = Path(place)
            for name, text in (("sent", sent), ("own", own)):
                if text is not None:
                    (home / name / "cannonade").mkdir(parents=True)
                    (home / name / "cannonade/__init__.py").write_text(text)
            shipment = spread.Shipment()
            shipment.add_package(home / "sent/cannonade")
            ((name, _, content),) = shipment.files.values()
            (home / name).write_bytes(content)
            program = (
                f"import sys; sys.path[:0] = [{str(ROOT / 'scripts')!r}]; import pathlib, spread\n"
                f"for _ in range(2): print(spread.import_package(pathlib.Path({str(home / name)!r}), '1.0.0').__file__)\n"
            )
            # Without the packages that are installed here.
            environment = {**os.environ, "PYTHONPATH": str(home / "own")}
            run = subprocess.run(
                [sys.executable, "-S", "-c", program], capture_output=True, text=True, check=False, env=environment
            )
            return run.stdout.replace(place, "").splitlines(), run.stderr.splitlines()[-1:]

    def test_the_package_that_was_sent_is_used(self):
        said, error = self.load("__version__ = '1.0.0'", "__version__ = '0.9.0'")
        self.assertEqual((said, error), (["/cannonade/cannonade/__init__.py"] * 2, []))

    def test_a_machine_of_another_kind_uses_its_own(self):
        said, error = self.load("from . import _cannonade", "__version__ = '1.0.0'")
        self.assertEqual((said, error), (["/own/cannonade/__init__.py"] * 2, []))

    def test_a_machine_without_a_package_that_works_is_named(self):
        for own, reason in ((None, "nor its own (No module named 'cannonade')"), ("__version__ = '0.9.0'", "has version 0.9.0")):
            said, (error,) = self.load("from . import _cannonade", own)
            self.assertEqual(said, [])
            self.assertIn(f"{socket.gethostname()} cannot load the Python package that was sent", error)
            self.assertIn(reason, error)
            self.assertIn("install version 1.0.0 of it there", error)


def workers(mark):
    """The processes that run a shard for the test with this mark, and nobody else's."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            title = (process / "cmdline").read_bytes()
            environment = (process / "environ").read_bytes()
        except OSError:
            continue
        if title.startswith(b"ray::run_shard") and mark.encode() in environment:
            found.append(int(process.name))
    return found


@unittest.skipUnless(importlib.util.find_spec("ray"), "Ray is not installed; pip install ray")
@unittest.skipUnless(ENGINE.is_file(), f"there is no {ENGINE}; cargo build --release makes it")
class SpreadTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.home = Path(place.name)
        self.mark = f"test-{uuid.uuid4()}"

    def command(self, kind, folder, *words):
        return [
            *(sys.executable, SCRIPT, kind, self.home / folder),
            *("--local", "2", "--engine", ENGINE, "--openings", OPENINGS, *words),
        ]

    def run_script(self, *words):
        environment = {**os.environ, "SPREAD_TEST": self.mark}
        return subprocess.run(
            self.command(*words), capture_output=True, text=True, check=False, env=environment
        )

    def engine(self, *words):
        run = subprocess.run([ENGINE, *words], capture_output=True, text=True, check=True)
        return run.stdout

    def kill_a_worker(self, killed):
        """Kills the first worker that is seen in the middle of a shard."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            for worker in workers(self.mark):
                time.sleep(1)
                # Still the same shard: its program is a child of the worker.
                children = Path(f"/proc/{worker}/task/{worker}/children")
                if children.exists() and children.read_text().strip():
                    os.kill(worker, 9)
                    killed.append(worker)
                    return
            time.sleep(0.05)

    @unittest.skipUnless(sys.platform == "linux", "finds the worker in /proc")
    def test_a_lost_worker_costs_only_its_shard(self):
        killed = []
        killer = threading.Thread(target=self.kill_a_worker, args=[killed])
        killer.start()
        settings = ["--nodes", "300", "--net", "none"]
        flags = ["--games", "120", "--shard", "30", "--seed", "5", "--", *settings]
        run = self.run_script("datagen", "data", *flags)
        killer.join()
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(killed, "no worker was seen")
        self.assertEqual(run.stdout.count("lost (WorkerCrashedError)"), 1, run.stdout)
        self.assertEqual(run.stdout.count(": done on"), 4, run.stdout)
        self.assertIn("120 games; 0 duplicates left out", run.stdout)
        # The same games as from one run of the program.
        whole = self.home / "whole.games"
        flags = ["--games", "120", "--seed", "5", "--openings", str(OPENINGS), *settings]
        self.engine("datagen", "--output", whole, *flags)
        texts = [self.engine("data", "text", file) for file in (whole, self.home / "data/all.games")]
        self.assertEqual(*(sorted(text.splitlines()) for text in texts))

    def test_the_pooled_test_stops_all_shards(self):
        engines = [
            *("--engine", f"cmd={ENGINE}", "name=many", "nodes=800"),
            *("--engine", f"cmd={ENGINE}", "name=few", "nodes=80"),
        ]
        flags = ["--pairs", "400", "--shard", "4", "--sprt", "elo0=0", "elo1=100", "--", *engines]
        run = self.run_script("match", "match", *flags)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("SPRT: H1 was accepted", run.stdout)
        self.assertIn("decided; the other shards are stopped", run.stdout)
        shards = [json.loads(f.read_text()) for f in (self.home / "match/shards").glob("*.json")]
        self.assertLess(len(shards), 100)
        pooled = json.loads((self.home / "match/pooled.json").read_text())
        pairs = [sum(counts) for counts in zip(*(shard["pairings"][0]["pairs"] for shard in shards))]
        self.assertEqual(pooled["pairings"][0]["pairs"], pairs)
        self.assertEqual(sum(pairs), 4 * len(shards))
        games = (self.home / "match/games.pgn").read_text()
        self.assertEqual(games.count("[Round "), 8 * len(shards))
        # Each shard has openings of its own.
        starts = {line for line in games.splitlines() if line.startswith("[FEN ")}
        self.assertEqual(len(starts), 4 * len(shards))
        self.assertEqual(workers(self.mark), [])

        again = self.run_script("match", "match", *flags)
        self.assertNotIn(": done on", again.stdout, "it was decided before")
        flags[1] = "500"
        other = self.run_script("match", "match", "--seed", "9", *flags)
        self.assertIn("holds a run with other settings", other.stderr)

    def analyze(self, *flags):
        """Runs an analysis with two games in a shard."""
        command = [
            *(sys.executable, SCRIPT, "analyze", self.home / "report", "--local", "2", "--shard", "2"),
            *("--", *flags),
        ]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    @unittest.skipUnless(importlib.util.find_spec("cannonade"), "needs the package; pip install ./python")
    def test_an_analysis_is_that_of_one_run_of_the_program(self):
        moves = ["1. h2e2 h9g7 2. h0g2 *", "1. c3c4 *", "1. h2h4 b9c7 *", "1. g3g4 *", "1. b0c2 *"]
        games = self.home / "games.pgn"
        games.write_text("".join(f'[Event "{n}"]\n\n{text}\n\n' for n, text in enumerate(moves)))
        limits = [games, "--nodes", "100", "--hash", "1"]
        for done, output, suffix in ((3, "--json", "jsonl"), (0, "--pgn", "pgn"), (0, None, "txt"), (0, "--html", "html")):
            flags = [*limits, output] if output else limits
            run = self.analyze(*flags)
            self.assertEqual(run.returncode, 0, run.stderr)
            # Another output needs no new analysis.
            self.assertEqual(run.stdout.count(": done on"), done, run.stdout)
            joined = (self.home / f"report/analysis.{suffix}").read_text()
            whole = self.engine("analyze", *flags, *(["-"] if output == "--html" else []), "--tables", "none")
            # Measured anew, or by chance anew.
            changing = r'"time_ms":\d+|nonce[-=]"?[^"\' ]+'
            self.assertEqual(*(re.sub(changing, "", text) for text in (joined, whole)))

        other = self.analyze(games, "--nodes", "200")
        self.assertIn("holds a run with other settings", other.stderr)

    @unittest.skipUnless(importlib.util.find_spec("cannonade"), "needs the package; pip install ./python")
    def test_defects_of_the_files_are_told_and_the_rest_is_analysed(self):
        games = self.home / "games.pgn"
        in_check = '[FEN "3kR4/9/9/9/9/9/9/9/9/4K4 w - - 0 1"]\n\n*\n\n'
        games.write_text(f'{in_check}[Event "b"]\n\n1. h2e2 zzz *\n')
        run = self.analyze(games, "--nodes", "100", "--hash", "1")
        self.assertEqual(run.returncode, 1)
        self.assertIn("game 1, line 1: start position: black is in check", run.stderr)
        self.assertIn("game 2, line 7: move 1 (black): 'zzz' is not a move", run.stderr)
        self.assertIn("1 game in ", run.stdout)
        for flags, error in (
            ([], "expected a limit for each position"),
            (["--nodes", "9", "--notation", "morse"], "'morse' is not a notation"),
            (["--depth", "1", "--tables", "/nowhere"], "/nowhere"),
        ):
            run = self.analyze(games, *flags)
            self.assertNotIn(" of them done before", run.stdout)
            self.assertIn("\nerror: ", run.stderr)
            self.assertIn(error, run.stderr.splitlines()[-1])

    def test_a_command_that_cannot_work_is_given_up_with_its_reason(self):
        run = self.run_script("datagen", "data", "--games", "4", "--shard", "2", "--", "--nodes", "0")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("failed 4 times", run.stderr)
        self.assertIn("--nodes", run.stderr)


if __name__ == "__main__":
    unittest.main()
