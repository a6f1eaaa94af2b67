"""Sides and squares."""

import operator

Color = bool
RED: Color = True
BLACK: Color = False

START_FEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

#: All squares, from a0 to i9.
SQUARES = range(90)


def color_name(color: Color) -> str:
    """``red`` or ``black``."""
    return "red" if color else "black"


def square(file: int, rank: int) -> int:
    """The square on a file, 0 (a) to 8 (i), and a rank, 0 (Red's back rank) to 9.

    >>> square(7, 2) == parse_square("h2")
    True
    """
    file, rank = operator.index(file), operator.index(rank)
    if not (0 <= file < 9 and 0 <= rank < 10):
        raise ValueError(f"file {file} and rank {rank} are not a square; expected files 0 to 8 and ranks 0 to 9")
    return 9 * rank + file


def parse_square(name: str) -> int:
    """The square of this name, such as ``e0``."""
    text = name.lower()
    if len(text) != 2 or text[0] not in "abcdefghi" or text[1] not in "0123456789":
        raise ValueError(f"'{name}' is not a valid square; expected a file a-i and a rank 0-9, such as 'e0'")
    return square("abcdefghi".index(text[0]), int(text[1]))


def square_name(square: int) -> str:
    """The name of a square.

    >>> square_name(0), square_name(89)
    ('a0', 'i9')
    """
    return "abcdefghi"[square_file(square)] + str(square_rank(square))


def square_file(square: int) -> int:
    """The file of a square, 0 (a) to 8 (i)."""
    return _number(square) % 9


def square_rank(square: int) -> int:
    """The rank of a square, 0 (Red's back rank) to 9."""
    return _number(square) // 9


def _number(square: int) -> int:
    """The number of a square as an ``int``."""
    number = operator.index(square)
    if not 0 <= number < 90:
        raise ValueError(f"{square} is not a square; expected 0 (a0) to 89 (i9)")
    return number
