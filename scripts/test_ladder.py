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
            new="a",
            old="b",
            options=["x=1"],
            old_options=["y=2"],
            hash=16,
            pairs=1,
            seed=1,
            openings="o",
            concurrency=1,
        )
        command = ladder.match_command(arguments, "5000", Path("none.pgn"), Path("none.json"))
        new, old = (i for i, part in enumerate(command) if part == "--engine")
        self.assertEqual(command[new + 1 : old], ["cmd=a", "name=new", "option.x=1"])
        self.assertEqual(command[old + 1 : command.index("--each")], ["cmd=b", "name=old", "option.y=2"])

    def test_positions_are_read_and_comments_skipped(self):
        fen = "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "positions.epd"
            path.write_text(f"# FEN ;dm moves\n{fen} ;dm 3\n{fen} ;bm e0e1 e0d0\n")
            self.assertEqual(ladder.read_positions(path), [(fen, 3), (fen, {"e0e1", "e0d0"})])
            path.write_text("nothing\n")
            with self.assertRaises(SystemExit):
                ladder.read_positions(path)

    def solved(self, goal, *lines):
        solution = ladder.Solution(goal)
        for line in lines:
            solution.hear(line.split())
        return solution.nodes

    def test_a_mate_is_solved_by_the_first_report_that_is_short_enough(self):
        lines = [
            f"info depth 1 score mate {moves} nodes {nodes} pv e0e1"
            for moves, nodes in ((4, 10), (-3, 20), (3, 30), (2, 40))
        ]
        self.assertEqual(self.solved(3, *lines), 30)
        self.assertIsNone(self.solved(1, *lines))

    def test_a_good_move_counts_from_where_it_stays(self):
        lines = [
            f"info depth 1 score cp 1 nodes {nodes} pv {mv}"
            for mv, nodes in (("e0e1", 10), ("e0f0", 20), ("e0d0", 30), ("e0e1", 40))
        ]
        self.assertEqual(self.solved({"e0e1", "e0d0"}, *lines), 30)
        self.assertIsNone(self.solved({"e0f0"}, *lines))

    def test_a_ratio_has_an_interval(self):
        mean, lower, upper = ladder.ratio([200, 100, 400], [100, 100, 100])
        self.assertAlmostEqual(mean, 2)
        self.assertLess(lower, 2)
        self.assertAlmostEqual(lower * upper, 4)


if __name__ == "__main__":
    unittest.main()
