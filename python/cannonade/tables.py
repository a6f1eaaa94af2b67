"""Endgame tables: results that ignore repetitions and the natural-move limit.

The tables of one attacking piece, and four of two cannons, are built in. ``Tables()`` has those of the user's folder too,
which ``cannonade tables build`` fills, ``Tables(folder)`` those of another one, and ``Tables("none")`` the built-in ones only.

>>> from cannonade import Board, tables
>>> found = tables.probe(Board("3k5/9/9/9/9/9/9/9/9/R3K4 w"))
>>> found.result, found.moves[0].result
('win', 'win')
>>> print(tables.probe(Board()))
None
"""

from dataclasses import dataclass
from functools import cache
from os import PathLike
from typing import Literal, Optional, Union

from . import _cannonade
from ._board import Board
from ._cannonade import Move

__all__ = ["Probe", "TableMove", "TableValue", "Tables", "probe"]


@dataclass(frozen=True)
class TableValue:
    """The value of a position in a table."""

    #: For the side to move.
    result: Literal["win", "draw", "loss"]
    #: Plies to the end with best play; None for a draw.
    plies: Optional[int]
    #: False if a draw may be held only by a perpetual check, which rules of repetition forbid.
    exact: bool


@dataclass(frozen=True)
class TableMove:
    """A move with its value for the side that makes it."""

    move: Move
    result: Literal["win", "draw", "loss"]
    plies: Optional[int]
    exact: bool


@dataclass(frozen=True)
class Probe(TableValue):
    """The value of a position and of each legal move, the best one first."""

    moves: list[TableMove]


class Tables:
    """The built-in tables and those of a folder: of the user, another one, or ``"none"``.

    The user's folder is read once in a process.
    """

    def __init__(self, folder: Union[str, "PathLike[str]", None] = None) -> None:
        self._tables = _cannonade.Tables(folder)

    @property
    def problems(self) -> list[str]:
        """The files of the folder that could not be used, with the reasons."""
        return self._tables.problems

    @property
    def signatures(self) -> list[str]:
        """The names of the tables, such as ``KR-K``."""
        return self._tables.signatures

    def probe(self, board: Board) -> Optional[Probe]:
        """The value of a position and of its moves; None if a table is missing."""
        found = self._tables.probe(board)
        if found is None:
            return None
        value, moves = found
        result, plies, exact = value
        return Probe(result, plies, exact, [TableMove(move, *value) for move, value in moves])


@cache
def _of_user() -> Tables:
    return Tables()


def probe(board: Board) -> Optional[Probe]:
    """The value of a position and of its moves in the tables of ``Tables()``; None if they do not hold it."""
    return _of_user().probe(board)
