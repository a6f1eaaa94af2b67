"""The end of a game."""

from dataclasses import dataclass
from typing import Literal, Optional

from ._squares import Color

Termination = Literal["checkmate", "stalemate", "repetition", "natural-move limit", "dead material"]


@dataclass(frozen=True)
class Outcome:
    """The end of a game by the rules; see ``Board.outcome``."""

    #: Why.
    termination: Termination
    #: Who has won; None for a draw.
    winner: Optional[Color]
    #: Both in words, such as ``red wins: checkmate``.
    text: str

    def result(self) -> str:
        """The result as records have it: ``1-0``, ``0-1`` or ``1/2-1/2``."""
        return "1/2-1/2" if self.winner is None else "1-0" if self.winner else "0-1"

    def __str__(self) -> str:
        return self.text
