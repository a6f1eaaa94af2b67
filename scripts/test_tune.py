#!/usr/bin/env python3
"""Tests of tune.py that play no game.

    python3 -m unittest discover scripts
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent / "tune.py"


class TuneTest(unittest.TestCase):
    def tune(self, *words):
        """Goes on with a run of one constant that has done five iterations."""
        with tempfile.TemporaryDirectory() as folder:
            state = Path(folder) / "tune.json"
            state.write_text(json.dumps({"iteration": 5, "values": {"lmr_base": 80.0}}))
            command = [sys.executable, SCRIPT, "--state", state, "--engine", SCRIPT, *words]
            return subprocess.run(command, capture_output=True, text=True, check=False)

    def test_a_finished_run_says_so(self):
        for names in ([], ["lmr_base"]):
            run = self.tune("--iterations", "5", *names)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("5 of 5 iterations done", run.stdout)

    def test_other_constants_than_those_of_the_state_are_refused(self):
        run = self.tune("--iterations", "5", "lmr_factor")
        self.assertEqual(run.returncode, 2, run.stdout)
        self.assertIn("a run with other constants (lmr_base)", run.stderr)


if __name__ == "__main__":
    unittest.main()
