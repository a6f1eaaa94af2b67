"""Xiangqi (Chinese chess): rules, notation, game files, pictures, and the engine Cannonade.

>>> import cannonade
>>> board = cannonade.Board()
>>> board.push("炮二平五")
Move.from_uci('h2e2')
>>> with cannonade.Engine() as engine:
...     best = engine.play(board, nodes=1000).move
>>> best in board.legal_moves
True

The interface follows python-chess where the games are alike. Whatever is wrong with an input is a ``ValueError``
in the words of the program ``cannonade``; files that cannot be read or written are an ``OSError``.
"""

from . import tables
from ._analysis import (
    AnalysedMove,
    GameEvent,
    GameReport,
    SideSummary,
    analyse_game,
    games_table,
    reports_page,
)
from ._batches import LegalMoves, PieceArrays, evaluate, legal_moves, piece_arrays
from ._cannonade import Board, Move, version
from ._engine import Analysis, Engine, Info, Line, PlayResult, Score
from ._game import Collection, Game, GameNode, Headers, Problem, read_games, write_games
from ._results import Outcome
from ._rulings import RULE_SETS, LoopRuling, Repetition, Ruling, judge, repetitions
from ._squares import (
    BLACK,
    RED,
    SQUARES,
    START_FEN,
    Color,
    color_name,
    parse_square,
    square,
    square_file,
    square_name,
    square_rank,
)

__version__ = version().split()[0]

__all__ = [
    "BLACK", "RED", "RULE_SETS", "SQUARES", "START_FEN",
    "AnalysedMove", "Analysis", "Board", "Collection", "Color", "Engine", "Game", "GameEvent", "GameNode",
    "GameReport", "Headers", "Info", "LegalMoves", "Line", "LoopRuling", "Move", "Outcome", "PieceArrays", "PlayResult",
    "Problem", "Repetition", "Ruling", "Score", "SideSummary",
    "analyse_game", "color_name", "evaluate", "games_table", "judge", "legal_moves", "parse_square", "piece_arrays",
    "read_games", "repetitions", "reports_page", "square", "square_file", "square_name", "square_rank", "tables", "version", "write_games",
]
