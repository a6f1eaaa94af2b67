#!/usr/bin/env python3
"""Tests of make_starts.py.

    python3 -m unittest discover scripts
"""

import random
import subprocess
import sys
import unittest
from pathlib import Path

from make_openings import squares_of
from make_starts import attacked, ending

SCRIPT = Path(__file__).resolve().parent / "make_starts.py"


class StartsTest(unittest.TestCase):
    def test_checks_are_found(self):
        for board, checked in (
            ("4k4/9/9/9/9/9/9/9/9/4K4", True),
            ("4k4/9/9/9/4p4/9/9/9/9/4K4", False),
            ("4k4/9/9/9/9/9/9/9/9/3KR4", True),
            ("4k4/4a4/9/9/9/9/9/9/9/3KR4", False),
            ("4k4/4a4/9/9/9/9/9/9/9/3KC4", True),
            ("4k4/9/3N5/9/9/9/9/9/9/3K5", True),
            ("4k4/3a5/3N5/9/9/9/9/9/9/3K5", False),
            ("4k4/4P4/9/9/9/9/9/9/9/3K5", True),
            ("3Pk4/9/9/9/9/9/9/9/9/5K3", True),
            ("4k4/9/4P4/9/9/9/9/9/9/3K5", False),
        ):
            self.assertEqual(attacked(squares_of(board), (9, 4), True), checked, board)
        self.assertTrue(attacked(squares_of("3k5/9/9/9/9/9/9/9/9/4Kp3"), (0, 4), False))
        self.assertFalse(attacked(squares_of("3k5/9/9/9/9/9/9/9/4P4/4K4"), (0, 4), False))

    def test_endings_have_the_pieces_that_a_side_can_have(self):
        chance = random.Random(5)
        found = [fen for fen in (ending(chance, 4) for _ in range(500)) if fen]
        self.assertGreater(len(found), 200)
        for fen in found:
            board = fen.split()[0]
            self.assertEqual((board.count("K"), board.count("k")), (1, 1), fen)
            self.assertTrue(1 <= sum(board.lower().count(x) for x in "rncp") <= 4, fen)
            self.assertTrue(all(board.count(x) <= 2 for x in "AaBbRrNnCc"), fen)

    def test_more_attackers_than_there_are_are_refused(self):
        for attackers in ("0", "40"):
            run = subprocess.run(
                [sys.executable, SCRIPT, "endings", "--count", "1", "--attackers", attackers],
                capture_output=True, text=True, check=False, timeout=60,
            )
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn("give 1 to 22", run.stderr)

    def test_a_repetition_and_an_end_by_the_rules_give_a_start(self):
        fen = "4k4/9/9/9/9/9/9/9/9/R3K3r b - - 3 1"
        there_and_back = ["i0i1:0", "a0a1:0", "i1i0:0", "a1a0:0"]
        games = [
            f"1;1/2-1/2;rules;{fen};" + " ".join(there_and_back * 2),
            f"2;1-0;mate;{fen};" + " ".join([*there_and_back, "e9e8:5"]),
            f"3;1-0;mate;{fen};i0i1:0 a0a1:0",
        ]
        run = subprocess.run(
            [sys.executable, SCRIPT, "repetitions", "--before", "3"],
            input="\n".join(games) + "\n", capture_output=True, text=True, check=True,
        )
        board = "4k4/9/9/9/9/9/9/9/8r/R3K4 w - - 0 1"
        self.assertEqual(run.stdout, board + "\n", "both games lead to one position")


if __name__ == "__main__":
    unittest.main()
