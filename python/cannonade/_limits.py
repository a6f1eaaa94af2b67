"""Bounds of the numbers that limit a search."""

from typing import Any

#: The minimum and the maximum of each whole number.
BOUNDS = {
    "nodes": (0, 2**64 - 1),
    "depth": (0, 2**32 - 1),
    "mate": (0, 2**32 - 1),
    "moves_to_go": (0, 2**32 - 1),
    "multipv": (1, 2**32 - 1),
    "threads": (0, 2**32 - 1),
    "hash": (0, 2**32 - 1),
}


def check_limits(**limits: Any) -> None:
    """Raises ``ValueError`` for a number out of its bounds; None is no limit."""
    for name, value in limits.items():
        if name in BOUNDS and isinstance(value, int):
            minimum, maximum = BOUNDS[name]
            if not minimum <= value <= maximum:
                raise ValueError(f"{name}: {value} is not a whole number from {minimum} to {maximum}")
