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

from . import _squares, tables
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
from ._board import Board, MoveList
from ._cannonade import Move, version
from ._engine import (
    Analysis,
    Engine,
    Info,
    Line,
    Option,
    PlayResult,
    RunningAnalysis,
    Score,
)
from ._game import (
    NAG_BLUNDER,
    NAG_BRILLIANT_MOVE,
    NAG_DUBIOUS_MOVE,
    NAG_GOOD_MOVE,
    NAG_MISTAKE,
    NAG_SPECULATIVE_MOVE,
    Collection,
    Game,
    GameNode,
    Headers,
    Problem,
    read_game,
    read_games,
    write_games,
)
from ._limits import Limit
from ._pieces import (
    ADVISOR,
    BISHOP,
    CANNON,
    KING,
    KNIGHT,
    PAWN,
    PIECE_NAMES,
    PIECE_SYMBOLS,
    PIECE_TYPES,
    ROOK,
    Piece,
    PieceType,
    piece_name,
    piece_symbol,
)
from ._results import Outcome
from ._rulings import RULE_SETS, LoopRuling, Repetition, Ruling, judge, repetitions
from ._squares import *  # noqa: F403

__version__ = version().split()[0]

__all__ = [
    "ADVISOR", "BISHOP", "CANNON", "KING", "KNIGHT", "NAG_BLUNDER", "NAG_BRILLIANT_MOVE", "NAG_DUBIOUS_MOVE", "NAG_GOOD_MOVE",
    "NAG_MISTAKE", "NAG_SPECULATIVE_MOVE", "PAWN", "PIECE_NAMES", "PIECE_SYMBOLS", "PIECE_TYPES", "ROOK", "RULE_SETS",
    "AnalysedMove", "Analysis", "Board", "Collection", "Engine", "Game", "GameEvent", "GameNode", "GameReport", "Headers", "Info",
    "LegalMoves", "Limit", "Line", "LoopRuling", "Move", "MoveList", "Option", "Outcome", "Piece", "PieceArrays", "PieceType",
    "PlayResult", "Problem", "Repetition", "Ruling", "RunningAnalysis", "Score", "SideSummary",
    "analyse_game", "evaluate", "games_table", "judge", "legal_moves", "piece_arrays", "piece_name", "piece_symbol", "read_game",
    "read_games", "repetitions", "reports_page", "tables", "version", "write_games",
]
__all__ += _squares.__all__
