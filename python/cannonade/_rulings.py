"""Repetitions judged and explained."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Optional, Union

from . import _cannonade
from ._board import Board
from ._cannonade import Move
from ._game import Game, GameNode
from ._squares import START_FEN

RulingText = Literal["red loses", "black loses", "draw", "none"]
Level = Literal["idle", "perpetual chase", "perpetual attack", "perpetual check"]

#: The rule books by name.
RULE_SETS: tuple[str, ...] = tuple(_cannonade.rule_sets())


@dataclass(frozen=True)
class Ruling:
    """The ruling of the last repetition of a game, with its reasons, in the words of ``cannonade judge --json``."""

    #: ``red loses``, ``black loses``, ``draw``, or ``none`` without a repetition.
    ruling: RulingText
    #: Red's conduct in the loop.
    red: Level
    #: Black's conduct in the loop.
    black: Level
    #: True if a search for threats ran out of nodes, so that the ruling may miss an offence.
    undecided: bool
    #: The number of occurrences of the position.
    occurrences: int
    #: The plies played before the loop.
    cycle_start: Optional[int]
    #: The position in which the loop starts and ends.
    fen: Optional[str]
    #: The rule book.
    rules: str
    #: The rule that decides, with article and diagrams, in the language.
    article: Optional[str]
    #: The conduct of each side, in the language.
    reason: str
    #: The rules that apply, the one that decides first, as ``judge --json`` has them.
    reasons: list[dict[str, Any]]
    #: The moves of the loop with what they do and attack, as ``judge --json`` has them.
    moves: list[dict[str, Any]]
    #: All of it as text, as ``cannonade judge`` prints it.
    explanation: str

    @property
    def loser(self) -> Optional[str]:
        """The side that loses, ``red`` or ``black``, or None."""
        return {"red loses": "red", "black loses": "black"}.get(self.ruling)

    def __str__(self) -> str:
        return self.explanation


def board_of(position: Union[Board, Game]) -> Board:
    """The board, or that at the end of a game's main line."""
    if isinstance(position, Board):
        return position
    if isinstance(position, GameNode):
        return position.end().board()
    raise TypeError(f"expected a Game or Board, such as Board(fen), not {type(position).__name__}")


def judge(
    game: Union[Board, Game, None] = None,
    *,
    fen: Optional[str] = None,
    moves: Union[str, Iterable[Union[Move, str]], None] = None,
    rules: str = "WXF",
    language: str = "en",
    notation: str = "uci",
) -> Ruling:
    """Judges the last repetition of a game or board, or of the moves from a FEN (by default the starting position).

    ``rules`` is one of ``RULE_SETS``, ``language`` ``en`` or ``zh``; ``notation`` is that of the explanation.

    >>> moves = "a0a9 d9d8 a9a8 d8d9 a8a9 d9d8"
    >>> ruling = judge(fen="3k5/9/9/9/9/9/9/9/4A4/R3K4 w", moves=moves)
    >>> ruling.ruling, ruling.red, ruling.black
    ('red loses', 'perpetual check', 'idle')
    >>> judge(fen="3k5/9/9/9/9/9/9/9/4A4/R3K4 w", moves=moves, rules="CXA", language="zh").reason
    '红方：长将；黑方：均为闲着'
    """
    if game is not None and (fen is not None or moves is not None):
        raise ValueError("expected a game or board, or fen and moves, not both")
    if game is not None:
        board = board_of(game)
    else:
        board = Board(START_FEN if fen is None else fen)
        board.push_line([] if moves is None else moves if isinstance(moves, str) else list(moves))
    report, text = _cannonade.judge(board, rules, language, notation)
    fields = json.loads(report)
    del fields["schema"]
    return Ruling(**fields, explanation=text)


@dataclass(frozen=True)
class LoopRuling:
    """The ruling of a repetition by one rule book."""

    rules: str
    ruling: RulingText
    red: Level
    black: Level
    #: True if a search for threats ran out of nodes, so that the ruling may miss an offence.
    undecided: bool


@dataclass(frozen=True)
class Repetition:
    """A repetition of a game, ruled over its last three occurrences, or two; of equal turns the loop is the last."""

    #: The plies played before the loop.
    start: int
    #: The moves of the loop.
    moves: list[Move]
    #: The number of occurrences of the last position.
    occurrences: int
    #: The rulings by rule book, in the order in which these were given.
    rulings: dict[str, LoopRuling]


def repetitions(game: Union[Board, Game], rules: Sequence[str] = RULE_SETS) -> list[Repetition]:
    """All repetitions of a game, or of the moves on a board, judged by several rule books.

    >>> board = Board("3k5/9/9/9/9/9/9/9/4A4/R3K4 w")
    >>> _ = board.push_line("a0a9 d9d8 a9a8 d8d9 a8a9 d9d8")
    >>> for found in repetitions(board, ["WXF", "None"]):
    ...     print(found.start, [ruling.ruling for ruling in found.rulings.values()])
    2 ['red loses', 'draw']
    """
    if isinstance(rules, str):
        rules = [rules]
    return [
        Repetition(start, moves, occurrences, {ruled[0]: LoopRuling(*ruled) for ruled in rulings})
        for start, moves, occurrences, rulings in _cannonade.repetitions(board_of(game), list(rules))
    ]
