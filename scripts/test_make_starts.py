#!/usr/bin/env python3
"""Tests of make_starts.py.

    python3 -m unittest discover scripts
"""

import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from make_openings import squares_of
from make_starts import attacked, ending

SCRIPT = Path(__file__).resolve().parent / "make_starts.py"


class StartsTest(unittest.TestCase):
    def openings(self, games, *more):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "games.txt"
            path.write_text(games, encoding="ascii")
            return subprocess.run(
                [sys.executable, SCRIPT, "openings", path, *more],
                capture_output=True, text=True, check=False, timeout=60,
            )

    def test_openings_are_the_different_positions_of_the_plies(self):
        games = "1-0 h2e2 h9g7 h0g2\n* h0g2 h9g7 h2e2\n0-1 h2e2\n*\n"
        after_two = [
            "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 0 1",
            "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C4NC1/9/RNBAKAB1R w - - 0 1",
        ]
        both = "rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b - - 0 1"
        run = self.openings(games, "--first-ply", "2", "--last-ply", "3")
        self.assertEqual(run.stdout.splitlines(), sorted([*after_two, both]), run.stderr)

    def test_a_word_that_is_no_move_is_named(self):
        run = self.openings("1-0 h2e2\n1-0 h2e2 C8=5\n")
        self.assertEqual(run.returncode, 1)
        self.assertIn("line 2: 'C8=5' is no move", run.stderr)
        run = self.openings("1-0 h2e2\n", "--last-ply", "3")
        self.assertEqual((run.returncode, run.stdout), (0, ""), "no game is long enough")
        run = subprocess.run(
            [sys.executable, SCRIPT, "openings", "no/such/file"],
            capture_output=True, text=True, check=False, timeout=60,
        )
        self.assertEqual(run.returncode, 2)
        self.assertIn("no/such/file", run.stderr.splitlines()[-1])

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
