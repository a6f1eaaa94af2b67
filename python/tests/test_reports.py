"""Reports of analysed games."""

import dataclasses
import json
import pickle
import subprocess
import sys
import typing

import pytest
from cannonade import Game, GameEvent, analyse_game, games_table, reports_page


def without_times(lines):
    """The moves and the summary of a report in JSON lines."""
    found = [json.loads(line) for line in lines.splitlines()]
    return [{key: value for key, value in one.items() if key != "time_ms"} for one in found if one["type"] != "game"]


def test_a_game_is_analysed_as_by_the_program(tmp_path):
    game = Game()
    game.add_line("炮二平五 马8进7 炮五进四 马7进5 马二进三")
    report = analyse_game(game, nodes=3000)
    assert len(report.moves) == len(report.curve) == 5
    assert report.red.accuracy is not None and 0 <= report.red.accuracy <= 100
    assert report.mistakes and report.mistakes[0].sign and report.mistakes[0].best
    assert report.annotated().mainline_moves() == game.mainline_moves()
    other = pickle.loads(pickle.dumps(report))
    assert other.json_lines() == report.json_lines() and str(other) == str(report)
    page = tmp_path / "report.html"
    assert "<html" in report.html(page) and page.exists()
    assert report.moves[0].text == "h2e2"
    report.notation = "wxf"
    assert report.moves[0].text == "C2=5" and "C2=5" in str(report)
    with pytest.raises(ValueError, match="'morse' is not a notation"):
        report.notation = "morse"
    report.notation = "uci"
    path = tmp_path / "game.pgn"
    game.write(path)
    command = [sys.executable, "-m", "cannonade", "analyze", str(path), "--nodes", "3000", "--json"]
    told = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    assert without_times(told) == without_times(report.json_lines())
    for wrong in ({}, {"nodes": 100, "notation": "morse"}, {"time": -1}):
        with pytest.raises(ValueError):
            analyse_game(game, **wrong)
    for name in ("nodes", "depth", "multipv", "threads", "hash"):
        with pytest.raises(ValueError, match=f"{name}: -1 is not a whole number"):
            analyse_game(game, **{"nodes": 1, name: -1})


def test_several_games_share_a_table_and_a_page():
    reports = []
    for line in ("炮二平五 马8进7", "兵七进一"):
        game = Game()
        game.add_line(line)
        reports.append(analyse_game(game, nodes=100))
    assert [line.split()[0] for line in games_table(reports).splitlines()] == ["game", "1", "2"]
    assert [json.loads(line)["game"] for line in reports[1].json_lines(7).splitlines()] == [7, 7, 7]
    page = reports_page(reports, language="zh", notation="chinese")
    assert "炮二平五" in page and "兵七进一" in page and "100 nodes" in page
    other = analyse_game(reports[0].game, nodes=200)
    assert "00 nodes" not in reports_page([reports[0], other]), "they have no limits in common"
    with pytest.raises(ValueError):
        reports_page(reports, language="tlh")


def named(found, names):
    """The names of the fields for the keys of an object in JSON."""
    return {names.get(key, key) for key in found} - {"schema", "type", "game"}


def test_a_report_has_all_that_its_json_has():
    game = Game("3k5/9/9/9/9/9/9/9/9/R3K4 w")
    game.add_line("a0a9 d9d8 a9a8")
    report = analyse_game(game, nodes=100)
    _, *moves, summary = [json.loads(line) for line in report.json_lines().splitlines()]
    for found, move in zip(moves, report.moves):
        assert named(found, {"class": "mark", "time_ms": "time"}) == {field.name for field in dataclasses.fields(move)}
        assert (move.cp_loss, move.nodes, move.lines_depth) == (found["cp_loss"], found["nodes"], found["lines_depth"])
        assert (move.table.result, move.table.plies) == (found["table"]["result"], found["table"]["plies"])
    for found, side in ((summary["red"], report.red), (summary["black"], report.black)):
        assert named(found, {"classes": "marks"}) == {field.name for field in dataclasses.fields(side)}
        assert side.average_cp_loss == found["average_cp_loss"] is not None
    assert report.opening is None


def test_a_game_has_an_opening_and_leaves_the_book():
    game = Game()
    game.add_line("h2e2 h9g7 h0g2 i9h9 i0h0 a6a5")
    report = analyse_game(game, nodes=10)
    assert report.opening and report.opening in games_table([report])
    assert [event.kind for event in report.events] == ["book"]
    assert "book" in typing.get_args(typing.get_type_hints(GameEvent)["kind"])
