"""Repetitions of a collection by three rule books, a picture of one, and the curve of a game.

    python notebook.py games.pgn      # needs the package cannonade, and pip install matplotlib
"""

import sys
from pathlib import Path

import cannonade
import matplotlib.pyplot as plt

games = cannonade.read_games(sys.argv[1])
print(f"{len(games)} games, {games.encoding}, {len(games.problems)} problems")

found = [(game, repetition) for game in games for repetition in cannonade.repetitions(game, ["WXF", "AXF", "CXA"])]
for game, repetition in found:
    rulings = ", ".join(f"{name} {ruling.ruling}" for name, ruling in repetition.rulings.items())
    print(f"{game.headers.get('Red', '?')} - {game.headers.get('Black', '?')}, ply {repetition.start}: {rulings}")
if not found:
    sys.exit("no game has a repetition")

game, repetition = found[0]
board = game.board()
board.push_line(game.mainline_moves()[: repetition.start])
loop = [move.uci() for move in repetition.moves]
Path("repetition.svg").write_text(board.svg(arrows=loop, pieces="simplified"), encoding="utf-8")
print(cannonade.judge(game, language="zh", notation="chinese"))

report = cannonade.analyse_game(game, nodes=5000)
print(f"accuracy: red {report.red.accuracy:.1f} %, black {report.black.accuracy:.1f} %")
for move in report.mistakes:
    print(f"{move.number}. {move.text}{move.sign}, better {move.best}")
plt.plot(report.curve)
plt.ylabel("expected points of Red")
plt.savefig("curve.png")
