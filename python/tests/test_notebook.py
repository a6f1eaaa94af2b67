"""The example script, on a GB18030 collection of games with repetitions."""

import json
import os
import subprocess
import sys
from pathlib import Path

import cannonade
import pytest
from cannonade import Board, Game

ROOT = Path(__file__).resolve().parents[2]


def run_notebook(path):
    script = ROOT / "python/examples/notebook.py"
    assert len(script.read_text(encoding="utf-8").splitlines()) < 45
    environment = {**os.environ, "MPLBACKEND": "agg", "PYTHONUTF8": "1"}
    command = [sys.executable, script, path.name]
    return subprocess.run(command, check=False, cwd=path.parent, env=environment, capture_output=True, text=True, encoding="utf-8", timeout=60)


def test_the_notebook_takes_games_without_names_and_without_repetitions(tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "games.list"
    loops = "a0a1 a9a8 a1a0 a8a9 a0a1 a9a8 a1a0 a8a9"
    for line, status, told in (("h2e2 h9g7", 1, "no game has a repetition"), (loops, 0, "? - ?, ply 4: WXF draw")):
        game = Game()
        game.add_line(line)
        game.write(path)
        run = run_notebook(path)
        assert run.returncode == status and told in run.stdout + run.stderr, run.stderr


def test_the_notebook_rules_and_draws_a_collection(tmp_path):
    pytest.importorskip("matplotlib")
    tomllib = pytest.importorskip("tomllib")
    cases = tomllib.loads((ROOT / "crates/xiangqi/tests/data/game-loops.toml").read_text(encoding="utf-8"))["case"][:12]
    games = []
    for i, case in enumerate(cases):
        game = Game(Board(case["fen"]))
        game.headers["Red"], game.headers["Black"] = f"红方{i}", "黑方"
        game.add_line(f"{case['lead']} {case['loop']} {case['loop']}")
        games.append(game)
    path = tmp_path / "games.pgn"
    cannonade.write_games(games, path, notation="chinese", encoding="gb18030")
    run = run_notebook(path)
    told = run.stdout
    assert run.returncode == 0, run.stderr
    assert told.startswith("12 games, gb18030, 0 problems\n")
    for i, case in enumerate(cases):
        assert f"红方{i} - 黑方" in told and f"WXF {case['ruling']}" in told
    assert "accuracy: red " in told
    assert (tmp_path / "repetition.svg").read_text(encoding="utf-8").startswith("<svg")
    assert (tmp_path / "curve.png").read_bytes()[:4] == b"\x89PNG"


def test_the_cluster_example_runs_without_ray(tmp_path):
    games = []
    for line in ("炮二平五 马8进7 马二进三", "C2=5 c8=5"):
        game = Game()
        game.add_line(line)
        games.append(game)
    cannonade.write_games(games, tmp_path / "games.pgn")
    command = [sys.executable, ROOT / "python/examples/cluster.py", "games.pgn", "report.jsonl", "--nodes", "500"]
    run = subprocess.run(command, check=False, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("accuracy") == 2
    lines = (tmp_path / "report.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line)["class"] for line in lines if json.loads(line)["type"] == "move"]
    assert found == [move.mark for game in games for move in cannonade.analyse_game(game, nodes=500).moves]
