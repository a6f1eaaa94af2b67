"""Sides and squares."""

import operator

__all__ = [  # noqa: RUF022 (the squares are in the order of the board)
    "BLACK", "COLORS", "COLOR_NAMES", "FILE_NAMES", "RANK_NAMES", "RED", "SQUARES", "SQUARE_NAMES", "STARTING_FEN", "START_FEN",
    "Color", "color_name", "parse_square", "square", "square_distance", "square_file", "square_mirror", "square_name",
    "square_rank",
    "A0", "B0", "C0", "D0", "E0", "F0", "G0", "H0", "I0",
    "A1", "B1", "C1", "D1", "E1", "F1", "G1", "H1", "I1",
    "A2", "B2", "C2", "D2", "E2", "F2", "G2", "H2", "I2",
    "A3", "B3", "C3", "D3", "E3", "F3", "G3", "H3", "I3",
    "A4", "B4", "C4", "D4", "E4", "F4", "G4", "H4", "I4",
    "A5", "B5", "C5", "D5", "E5", "F5", "G5", "H5", "I5",
    "A6", "B6", "C6", "D6", "E6", "F6", "G6", "H6", "I6",
    "A7", "B7", "C7", "D7", "E7", "F7", "G7", "H7", "I7",
    "A8", "B8", "C8", "D8", "E8", "F8", "G8", "H8", "I8",
    "A9", "B9", "C9", "D9", "E9", "F9", "G9", "H9", "I9",
]

Color = bool
RED: Color = True
BLACK: Color = False

#: Both sides.
COLORS: list[Color] = [RED, BLACK]

#: The names of the sides, by side.
COLOR_NAMES = ["black", "red"]

#: The starting position, and its name in python-chess.
START_FEN = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
STARTING_FEN = START_FEN

#: All squares, from a0 to i9.
SQUARES = range(90)

FILE_NAMES = list("abcdefghi")
RANK_NAMES = list("0123456789")

#: The names of the squares, by square.
SQUARE_NAMES = [file + rank for rank in RANK_NAMES for file in FILE_NAMES]

A0, B0, C0, D0, E0, F0, G0, H0, I0 = range(0, 9)
A1, B1, C1, D1, E1, F1, G1, H1, I1 = range(9, 18)
A2, B2, C2, D2, E2, F2, G2, H2, I2 = range(18, 27)
A3, B3, C3, D3, E3, F3, G3, H3, I3 = range(27, 36)
A4, B4, C4, D4, E4, F4, G4, H4, I4 = range(36, 45)
A5, B5, C5, D5, E5, F5, G5, H5, I5 = range(45, 54)
A6, B6, C6, D6, E6, F6, G6, H6, I6 = range(54, 63)
A7, B7, C7, D7, E7, F7, G7, H7, I7 = range(63, 72)
A8, B8, C8, D8, E8, F8, G8, H8, I8 = range(72, 81)
A9, B9, C9, D9, E9, F9, G9, H9, I9 = range(81, 90)


def color_name(color: Color) -> str:
    """``red`` or ``black``."""
    return COLOR_NAMES[bool(color)]


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
    return SQUARE_NAMES[_number(square)]


def square_mirror(square: int) -> int:
    """The square that the other side sees in its place: top and bottom exchanged.

    >>> square_mirror(A0) == A9
    True
    """
    return 9 * (9 - square_rank(square)) + square_file(square)


def square_distance(a: int, b: int) -> int:
    """The greater of the distances in files and ranks."""
    return max(abs(square_file(a) - square_file(b)), abs(square_rank(a) - square_rank(b)))


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
