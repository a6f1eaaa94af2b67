#!/usr/bin/env python3
"""Tests of check_games.py.

    python3 -m unittest discover scripts
"""

import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import check_games

# A game of a match: `FEN` has the letters H and E, which pyffish does not read.
STALEMATE = """[Game "Chinese Chess"]
[Round "1.1"]
[Result "1-0"]
[FEN "3k5/9/9/9/9/9/9/9/R8/4K3H w - - 0 1"]
[Xiangqi-FEN "3k5/9/9/9/9/9/9/9/R8/4K3N w - - 0 1"]
[PlyCount "1"]
[Termination "stalemate"]

1. a1a8
1-0
"""


@unittest.skipIf(check_games.pyffish is None, "pyffish is not installed")
class CheckGamesTest(unittest.TestCase):
    def check(self, text, suffix=".pgn"):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(sys, "argv", ["check_games.py"]):
            path = Path(folder) / f"games{suffix}"
            path.write_text(text, encoding="utf-8")
            sys.argv.append(str(path))
            with contextlib.redirect_stdout(io.StringIO()) as out:
                code = check_games.main()
            return code, out.getvalue().replace(str(path), "FILE")

    def both_ways(self, text):
        """The answers with the package and without it; they must agree."""
        found = self.check(text)
        with mock.patch.object(check_games, "cannonade", None):
            self.assertEqual(self.check(text), found)
        return found

    def test_a_stalemate_from_a_start_in_the_letters_of_xboard_is_right(self):
        self.assertEqual(self.both_ways(STALEMATE), (0, "1 games, 1 plies, 0 faults\n"))

    def test_a_wrong_result_is_named(self):
        code, told = self.both_ways(STALEMATE.replace("1-0", "0-1"))
        self.assertEqual(code, 1)
        self.assertIn("FILE, game 1.1: the side without a move lost, but the result is 0-1", told)

    def test_a_game_cut_off_in_its_headers_is_a_fault_and_no_error_of_python(self):
        with mock.patch.object(check_games, "cannonade", None):
            code, told = self.check(STALEMATE + "\n" + STALEMATE.partition("\n\n")[0])
        self.assertEqual(code, 1)
        self.assertIn("FILE, game 1.1: 0 moves, but PlyCount 1", told)

    @unittest.skipIf(check_games.cannonade is None, "the package cannonade is not installed")
    def test_a_file_without_the_tags_of_a_match_is_checked_by_its_moves(self):
        listed = "* h2e2 h9g7 h0g2\n"
        self.assertEqual(self.check(listed, ".list"), (0, "1 games, 3 plies, 0 faults\n"))


if __name__ == "__main__":
    unittest.main()
