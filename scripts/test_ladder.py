#!/usr/bin/env python3
"""Tests of ladder.py that play no game.

    python3 -m unittest discover scripts
"""

import argparse
import tempfile
import unittest
from pathlib import Path

import ladder


class LadderTest(unittest.TestCase):
    def record(self, elo):
        score = {"wins": 6, "losses": 2, "draws": 2}
        return {"pairings": [{"score": score, "estimate": {"elo": elo}}]}

    def test_a_row_has_the_games_and_the_interval(self):
        elo = {"estimate": 147.2, "lower": -20.4, "upper": 401.0}
        self.assertEqual(ladder.row("50000", self.record(elo)), "| 50000 | 10: +6 =2 -2 | +147 [-20, +401] |")

    def test_an_interval_may_be_open(self):
        elo = {"estimate": 279.6, "lower": 46.6, "upper": None}
        self.assertEqual(ladder.row("50000", self.record(elo)), "| 50000 | 10: +6 =2 -2 | +280 [+47, open] |")

    def test_too_few_games_have_no_interval(self):
        self.assertEqual(ladder.row("10+0.1", self.record(None)), "| 10+0.1 | 10: +6 =2 -2 | unknown |")

    def test_each_side_has_its_own_options(self):
        arguments = argparse.Namespace(
            new="a", old="b", options=["x=1"], old_options=["y=2"], hash=16, pairs=1, seed=1, openings="o", concurrency=1
        )
        command = ladder.match_command(arguments, "5000", Path("none.pgn"), Path("none.json"))
        new, old = (i for i, part in enumerate(command) if part == "--engine")
        self.assertEqual(command[new + 1 : old], ["cmd=a", "name=new", "option.x=1"])
        self.assertEqual(command[old + 1 : command.index("--each")], ["cmd=b", "name=old", "option.y=2"])

    def test_distances_are_read_and_comments_skipped(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "mates.epd"
            path.write_text("# FEN ;dm moves\n3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1 ;dm 3\n")
            self.assertEqual(ladder.read_distances(path), [("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1", 3)])
            path.write_text("nothing\n")
            with self.assertRaises(SystemExit):
                ladder.read_distances(path)


if __name__ == "__main__":
    unittest.main()
