"""Bounds of the numbers that limit a search."""

import operator
from typing import Any

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
