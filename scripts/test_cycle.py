#!/usr/bin/env python3
"""Tests of cycle.py with a program in place of the engine that only pretends.

    python3 -m unittest discover scripts
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent / "cycle.py"

# Writes its arguments to calls.txt and behaves as plan.json in its folder says.
PRETENDER = r'''#!PYTHON
import json, sys
from pathlib import Path
home = Path(__file__).resolve().parent
words = sys.argv[1:]
if words == ["--version"]:
    sys.exit(print("cannonade 1.0.0 abcdef0 net 01234567"))
plan = json.loads((home / "plan.json").read_text())
with open(home / "calls.txt", "a") as calls:
    calls.write(" ".join(words) + "\n")
after = lambda flag: words[words.index(flag) + 1]
if words[0] == plan.get("stop_at"):
    print("stopped; the same command continues from here", file=sys.stderr)
    sys.exit(130)
elif words[0] == plan.get("fail_at"):
    sys.exit("error: no space left")
elif words[0] == "datagen":
    Path(after("--output")).write_text("games by " + after("--net"))
    print(after("--games") + " games in a file")
elif words[0] == "data":
    for flag in ("--output", "--rest"):
        if flag in words:
            Path(after(flag)).write_text("games")
    print("10 games")
elif words[0] == "train":
    net = Path(after("--output"))
    net.write_text("network")
    net.with_suffix(".svg").write_text("curve")
    failed = 0 if plan.get("sound", True) else 1
    print("(1260 -> 64)x2 -> 8: 900 samples, 100 held out")
    print("epoch   1: loss 0.020000, validation 0.021000, rate 1e-3, 5 positions/s")
    sys.exit(failed)
elif words[:2] == ["net", "show"]:
    print("shape  (1260 + 5008 threats -> 256)x2 -> (1 + 16 -> 1) x 8, mirror pairs")
elif words[:2] == ["net", "average"]:
    Path(after("--output")).write_text("network")
elif words[0] == "net":
    sys.exit(0 if plan.get("sound", True) else 1)
elif words[0] == "match":
    gate = Path(after("--json")).stem
    found = {"pairings": [{"score": {"wins": 9, "losses": 1, "draws": 0}, "pairs": [0, 0, 1, 0, 4],
             "estimate": {"elo": {"estimate": 382, "lower": 200, "upper": None}}}], "sprt": None}
    if "--sprt" in words:
        state = "accept_h0" if gate in plan.get("lost", []) else "accept_h1"
        found["sprt"] = {"report": {"llr": 3.0, "state": state}}
    Path(after("--json")).write_text(json.dumps(found))
'''.replace("PYTHON", sys.executable)


@unittest.skipIf(os.name == "nt", "the pretended engine is a script")
class CycleTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.home = Path(place.name) / "cycle"
        self.engine = Path(place.name) / "pretender"
        self.engine.write_text(PRETENDER)
        self.engine.chmod(0o755)
        self.home.mkdir()

    def run_cycle(self, plan, *flags):
        (self.home / "plan.json").write_text(json.dumps(plan))
        command = [sys.executable, SCRIPT, self.home, "--engine", self.engine, "--threads", "1", *flags]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def calls(self):
        return (self.home / "calls.txt").read_text().splitlines()

    def state(self):
        return json.loads((self.home / "state.json").read_text())

    def test_each_network_is_made_by_the_one_before(self):
        run = self.run_cycle({}, "--generations", "2", "--games", "5", "7")
        self.assertEqual(run.returncode, 0, run.stderr)
        datagen = [call for call in self.calls() if call.startswith("datagen")]
        self.assertIn("--games 5 ", datagen[0])
        self.assertIn("/nets/default.net ", datagen[0])
        self.assertIn("--games 7 ", datagen[1])
        self.assertIn("/networks/generation-1.net ", datagen[1])
        matches = [call for call in self.calls() if call.startswith("match")]
        self.assertEqual(len(matches), 5, "two matches per generation and the last one")
        self.assertIn("/nets/default.net", matches[0])
        self.assertIn("networks/generation-1.net", matches[2])
        merged = [call for call in self.calls() if call.startswith("data merge")]
        self.assertEqual(merged[1].count("self-play.games"), 1, "the window is one generation")
        train = [call for call in self.calls() if call.startswith("train")]
        self.assertEqual(len(train), 6, "three runs per generation")
        self.assertIn("nets/default.net --learning-rate 0.0003 --width 256 --pairs 8 --threats ", train[0])
        self.assertIn(" --seed 3 ", train[2])
        self.assertIn("networks/generation-1.net --learning-rate 0.0003 ", train[3])
        averages = [call for call in self.calls() if call.startswith("net average")]
        self.assertEqual(averages[0].count("/run-"), 3, averages[0])
        record = (self.home / "record.md").read_text()
        self.assertIn("adopted as networks/generation-2.net", record)
        self.assertIn("+9 -1 =0, Elo +382 (+200 to open)", record)

    def test_a_network_of_another_shape_does_not_start_from_the_rival(self):
        run = self.run_cycle({}, "--generations", "1", "--width", "128")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertFalse(any("--start" in call for call in self.calls()))
        self.assertFalse(any("average" in call for call in self.calls()), "nothing in common")

    def test_a_cycle_from_nothing_trains_from_random_weights(self):
        run = self.run_cycle({}, "--preset", "small")
        self.assertEqual(run.returncode, 0, run.stderr)
        calls = self.calls()
        train = next(call for call in calls if call.startswith("train"))
        self.assertNotIn("--start", train)
        self.assertIn("--width 64 --pairs 4 --epochs ", train)
        self.assertIn("--net none ", next(call for call in calls if call.startswith("datagen")))

    def test_known_endings_are_trained_with(self):
        endings = self.home / "endings.samples"
        endings.write_text("samples")
        run = self.run_cycle({}, "--generations", "1", "--endings", str(endings))
        self.assertEqual(run.returncode, 0, run.stderr)
        train = next(call for call in self.calls() if call.startswith("train"))
        self.assertIn("endings.samples --validation ", train)

    def test_a_network_that_loses_a_gate_is_not_adopted(self):
        run = self.run_cycle({"lost": ["at-fixed-nodes"]}, "--generations", "2")
        self.assertEqual(run.returncode, 0, run.stderr)
        matches = [call for call in self.calls() if call.startswith("match")]
        self.assertEqual(len(matches), 2, "the second gate is spared, and there is nothing to measure")
        datagen = [call for call in self.calls() if call.startswith("datagen")]
        self.assertIn("/nets/default.net ", datagen[1])
        self.assertFalse((self.home / "networks").exists())

    def test_an_unsound_network_plays_no_match(self):
        run = self.run_cycle({"sound": False}, "--generations", "1")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertFalse(any(call.startswith("match") for call in self.calls()))

    def test_an_interrupted_cycle_continues(self):
        for word in ("datagen", "train", "match"):
            run = self.run_cycle({"stop_at": word}, "--generations", "1")
            self.assertEqual(run.returncode, 1)
            self.assertIn("interrupted; the same command continues", run.stderr)
        run = self.run_cycle({"fail_at": "match"}, "--generations", "1")
        self.assertIn("exit code 1 of", run.stderr)
        run = self.run_cycle({}, "--generations", "1")
        self.assertEqual(run.returncode, 0, run.stderr)
        words = [call.split()[0] for call in self.calls()]
        self.assertEqual(words.count("datagen"), 2)
        self.assertEqual(words.count("train"), 1 + 3, "the first of three was stopped")
        self.assertEqual(words.count("match"), 5)
        finished = len(words)
        self.run_cycle({}, "--generations", "1")
        self.assertEqual(len(self.calls()), finished, "nothing is left to do")

    def test_settings_that_cannot_be_are_refused_before_self_play(self):
        for flag, value in (
            ("--width", "100"), ("--width", "32"), ("--pairs", "33"), ("--result-weight", "1.5"), ("--lookahead", "nan"),
            ("--epochs", "0"), ("--games", "0"), ("--gate-rounds", "0"), ("--threads", "0"), ("--warm-start", "2"),
            ("--gate-tc", "fast"), ("--gate-tc", "0+0"), ("--sprt-nodes", "0"), ("--sprt-time", "0 x"), ("--sprt-time", "5 0"),
        ):
            run = self.run_cycle({}, flag, value)
            self.assertEqual(run.returncode, 2, (flag, value))
            self.assertRegex(run.stderr, f"{flag} '?{re.escape(value)}'?: give")
        run = self.run_cycle({}, "--engine", "/bin/true")
        self.assertIn("--engine: /bin/true is not the program cannonade", run.stderr)
        self.assertFalse((self.home / "calls.txt").exists())
        self.assertFalse((self.home / "state.json").exists())

    def test_a_setting_may_change_until_a_step_uses_it(self):
        self.run_cycle({"stop_at": "match"}, "--generations", "1")
        for flags in (["--epochs", "2"], ["--games", "5"], ["--gate-rounds", "9"], ["--sprt-nodes", "0 3"]):
            run = self.run_cycle({}, "--generations", "1", *flags)
            self.assertIn(f"{flags[0]} was ", run.stderr, flags)
        flags = ["--generations", "2", "--gate-tc", "1+0.01", "--games", "100000", "5", "--yardstick-rounds", "0"]
        run = self.run_cycle({}, *flags)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue(any("tc=1+0.01 " in call for call in self.calls()))
        self.assertIn("--games 5 ", [call for call in self.calls() if call.startswith("datagen")][1])

    def test_the_record_names_the_version_of_the_program(self):
        self.run_cycle({}, "--generations", "1")
        self.assertIn("| cannonade 1.0.0 abcdef0 net 01234567, program SHA-256 ", (self.home / "record.md").read_text())

    def test_other_settings_are_refused_but_more_generations_are_not(self):
        self.run_cycle({}, "--generations", "1")
        run = self.run_cycle({}, "--generations", "1", "--gate-nodes", "7")
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("--gate-nodes was 5000, now 7", run.stderr)
        run = self.run_cycle({}, "--generations", "2")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("generation 2: verdict", self.state()["steps"])


if __name__ == "__main__":
    unittest.main()
