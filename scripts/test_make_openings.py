#!/usr/bin/env python3
"""Tests of make_openings.py.

    python3 -m unittest discover scripts
"""

import subprocess
import sys
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent / "make_openings.py"


class OpeningsTest(unittest.TestCase):
    def test_numbers_that_cannot_be_are_refused(self):
        for flags, reason in (
            (["--jobs", "0"], "--jobs 0: give at least 1"),
            (["--first-ply", "20"], "--first-ply must be"),
        ):
            command = [sys.executable, str(SCRIPT), "games.txt", "-o", "out.epd", *flags]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn(reason, run.stderr)


if __name__ == "__main__":
    unittest.main()
