"""Rulings of repetitions."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cannonade import RULE_SETS, Board, Game, judge, repetitions

DATA = Path(__file__).resolve().parents[2] / "crates/xiangqi/tests/data"
FEN = "3k5/9/9/9/9/9/9/9/4A4/R3K4 w"
MOVES = "a0a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9 a8a9"


@pytest.mark.parametrize("ruling", ["red loses", "black loses", "draw"])
def test_a_loop_of_each_ruling_is_ruled_as_the_suite_says(ruling):
    tomllib = pytest.importorskip("tomllib")
    cases = tomllib.loads((DATA / "game-loops.toml").read_text(encoding="utf-8"))["case"]
    case = next(case for case in cases if case["ruling"] == ruling)
    board = Board(case["fen"])
    board.push_line(case["lead"])
    board.push_line(case["loop"])
    board.push_line(case["loop"])
    assert judge(board).ruling == ruling, case["name"]


def test_the_ruling_is_that_of_the_program():
    for rules in RULE_SETS:
        for language in ("en", "zh"):
            command = [sys.executable, "-m", "cannonade", "judge", "--fen", FEN, "--moves", MOVES, "--rules", rules]
            command += ["--language", language]
            told = json.loads(subprocess.run([*command, "--json"], capture_output=True, check=True).stdout)
            found = judge(fen=FEN, moves=MOVES, rules=rules, language=language)
            assert told.pop("schema")
            assert {key: getattr(found, key) for key in told} == told
            text = subprocess.run(command, capture_output=True, check=True).stdout
            assert found.explanation == text.decode().replace("\r\n", "\n")


def test_a_game_a_board_and_moves_have_one_ruling():
    game = Game(Board(FEN))
    game.add_line(MOVES)
    board = game.end().board()
    assert judge(game) == judge(board) == judge(fen=FEN, moves=MOVES.split())
    assert judge(game).loser == "red" and judge(game).occurrences == 3
    assert judge(Game()).ruling == "none" and judge(Game()).loser is None
    (found,) = repetitions(game)
    assert list(found.rulings) == list(RULE_SETS)
    assert found.rulings["WXF"].ruling == "red loses" and found.rulings["None"].ruling == "draw"


def test_wrong_input_is_refused():
    for wrong in (
        {"fen": "x"}, {"moves": "a0a9"}, {"rules": "FIDE"}, {"language": "fr"}, {"notation": "morse"},
        {"game": Board(), "fen": FEN},
    ):
        with pytest.raises(ValueError):
            judge(**wrong)
