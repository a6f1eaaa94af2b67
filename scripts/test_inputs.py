#!/usr/bin/env python3
"""Tests of inputs.py, and of the messages of scripts about what cannot be read or started.

    python3 -m unittest discover scripts
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import inputs
import spread

HERE = Path(__file__).resolve().parent


class MatchTest(unittest.TestCase):
    def test_the_exit_code_and_the_errors_of_a_match_are_returned(self):
        said = "import sys; print('1 - 0'); sys.exit('error: engine a: no option lmr_bsae')"
        self.assertEqual(inputs.run_match([sys.executable, "-c", said]), (1, "error: engine a: no option lmr_bsae"))

    def test_a_spread_match_needs_its_networks(self):
        for value in ("nowhere.net", "None", ""):
            with self.assertRaisesRegex(SystemExit, f"option.EvalFile={value}: there is no such file"):
                spread.Match(None, ["--engine", "cmd=./new", f"option.EvalFile={value}"])


class MessagesTest(unittest.TestCase):
    def script(self, *words, stdin=""):
        command = [sys.executable, HERE / words[0], *words[1:]]
        return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False, timeout=60)

    def test_what_is_missing_is_named(self):
        for words in (
            ["ladder.py", "games", "no/such", "no/such"],
            ["ladder.py", "positions", sys.executable, sys.executable, "no/such"],
            ["screen.py", "iir_depth=2:6", "--engine", "no/such", "--record", "no/record"],
            ["make_openings.py", "no/such", "-o", "out.epd"],
            ["make_openings.py", HERE / "openings.epd", "-o", "out.epd", "--engine", "no/such"],
            ["fit_wdl.py", "no/such"],
            ["soak.py", "session", "no/such", "--log", "log"],
            ["make_obk.py", "no/such"],
            ["load_web.py", "--program", "no/such"],
            ["check_export.py", "folder", "--only", "no/such"],
        ):
            run = self.script(*words)
            self.assertNotEqual(run.returncode, 0, words)
            self.assertIn("no/such", run.stderr.splitlines()[-1], words)
            self.assertNotIn("Traceback", run.stderr, words)

    def test_a_program_that_is_no_server_is_named(self):
        run = self.script("load_web.py", "--program", "true")
        self.assertEqual(run.stderr, "error: 'true web' did not start\n")

    def test_no_openings_are_made_of_no_games(self):
        with tempfile.TemporaryDirectory() as folder:
            games, output = Path(folder) / "games.txt", Path(folder) / "out.epd"
            for text, reason in (("1-0 h2e2 zzz\n", "line 1: 'zzz' is no move"), ("1-0 h2e2\n", "no game has a level position")):
                games.write_text(text, encoding="ascii")
                run = self.script("make_openings.py", games, "-o", output)
                self.assertEqual(run.returncode, 1)
                self.assertIn(reason, run.stderr)
                self.assertFalse(output.exists())

    def test_a_line_that_is_no_game_is_named(self):
        for line in ("garbage", "0;1-0;rules;9/9 w;a0a1:3", "0;1-0;rules;4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1;C8=5:3"):
            run = self.script("make_starts.py", "repetitions", stdin=line + "\n")
            self.assertEqual((run.returncode, run.stdout), (1, ""))
            self.assertIn(f"line 1 is no game as 'cannonade data text --notation uci' writes it: '{line[:40]}'", run.stderr)

    def test_help_needs_no_package(self):
        run = subprocess.run(
            [sys.executable, "-S", "-E", HERE / "compare_python.py", "--help"], capture_output=True, text=True, check=False
        )
        self.assertEqual(run.returncode, 0, run.stderr)


if __name__ == "__main__":
    unittest.main()
