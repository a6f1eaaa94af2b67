"""The limits of a search and their bounds."""

import operator
from dataclasses import dataclass
from typing import Any, Optional

from ._squares import Color


@dataclass(frozen=True)
class Limit:
    """The limits of a search, named as in python-chess, with Red in the place of White.

    >>> with Engine() as engine:
    ...     engine.play(Board(), Limit(red_clock=60, black_clock=60, red_inc=1, black_inc=1)).move in Board().legal_moves
    True
    """

    #: Seconds for this search.
    time: Optional[float] = None
    depth: Optional[int] = None
    nodes: Optional[int] = None
    #: Ends with a mate in this many moves.
    mate: Optional[int] = None
    #: The seconds left on the clocks.
    red_clock: Optional[float] = None
    black_clock: Optional[float] = None
    #: The seconds added after each move.
    red_inc: Optional[float] = None
    black_inc: Optional[float] = None
    #: The moves to the next time control.
    remaining_moves: Optional[int] = None


def named_limits(limit: Optional[Limit], turn: Color, **single: Any) -> dict[str, Any]:
    """The limits of a search by name, from a ``Limit`` for the side to move or given one by one."""
    if limit is None:
        return single
    if not isinstance(limit, Limit):
        raise TypeError(f"limit: expected a Limit, such as Limit(time=0.1), not {type(limit).__name__}")
    given = [name for name, value in single.items() if value is not None]
    if given:
        raise TypeError(f"expected a Limit or {given[0]}, not both")
    return {
        "nodes": limit.nodes, "time": limit.time, "depth": limit.depth, "mate": limit.mate,
        "clock": limit.red_clock if turn else limit.black_clock, "increment": limit.red_inc if turn else limit.black_inc,
        "moves_to_go": limit.remaining_moves,
    }

#: The minimum and the maximum of each whole number.
BOUNDS = {
    "nodes": (0, 2**64 - 1),
    "depth": (0, 2**32 - 1),
    "mate": (1, 1000),
    "moves_to_go": (0, 2**32 - 1),
    "multipv": (1, 2**32 - 1),
    "threads": (1, 512),
    "hash": (1, 65536),
}

#: The numbers of seconds.
SECONDS = ("time", "clock", "increment")

#: Those that None cannot stand for.
NEEDED = ("multipv", "threads", "hash")


def check_limits(**limits: Any) -> None:
    """Raises ``ValueError`` for a number out of its bounds, ``TypeError`` for what is no number; None is no limit."""
    for name, value in limits.items():
        if value is None and name not in NEEDED:
            continue
        if name in BOUNDS:
            if not hasattr(value, "__index__"):
                raise TypeError(f"{name}: expected a whole number, not {type(value).__name__}")
            minimum, maximum = BOUNDS[name]
            if not minimum <= operator.index(value) <= maximum:
                raise ValueError(f"{name}: {value} is not a whole number from {minimum} to {maximum}")
        elif name in SECONDS:
            if not (hasattr(value, "__float__") or hasattr(value, "__index__")):
                raise TypeError(f"{name}: expected a number of seconds, not {type(value).__name__}")
            try:
                float(value)
            except OverflowError:
                raise ValueError(f"{name}: {value} is not a number of seconds") from None
