"""Pieces."""

from typing import Any

from ._squares import COLORS, Color

PieceType = int

PAWN: PieceType = 1
ADVISOR: PieceType = 2
BISHOP: PieceType = 3
KNIGHT: PieceType = 4
CANNON: PieceType = 5
ROOK: PieceType = 6
KING: PieceType = 7

#: All types of pieces. Their numbers are those of ``piece_arrays``.
PIECE_TYPES: list[PieceType] = [PAWN, ADVISOR, BISHOP, KNIGHT, CANNON, ROOK, KING]

#: The FEN letters of the types, by type.
PIECE_SYMBOLS = [None, "p", "a", "b", "n", "c", "r", "k"]

#: The names of the types, by type.
PIECE_NAMES = [None, "pawn", "advisor", "bishop", "knight", "cannon", "rook", "king"]

#: The characters of ``Board.unicode``, by type.
_CHARACTERS = {True: " 兵仕相傌炮俥帥", False: " 卒士象馬砲車將"}


def piece_symbol(piece_type: PieceType) -> str:
    """The FEN letter of a type, lower-case."""
    return _of_type(PIECE_SYMBOLS, piece_type)


def piece_name(piece_type: PieceType) -> str:
    """The name of a type.

    >>> piece_name(CANNON)
    'cannon'
    """
    return _of_type(PIECE_NAMES, piece_type)


def _of_type(texts: "list[Any]", piece_type: PieceType) -> str:
    if piece_type not in PIECE_TYPES:
        raise ValueError(f"{piece_type} is not a type of piece; expected 1 (PAWN) to 7 (KING)")
    text: str = texts[piece_type]
    return text


class Piece(str):
    """A piece. It is equal to its FEN letter, a capital for Red.

    >>> piece = Board().piece_at(H2)
    >>> piece, piece == "C", piece.piece_type == CANNON, piece.color == RED
    (Piece.from_symbol('C'), True, True, True)
    """

    __slots__ = ()

    def __new__(cls, piece_type: PieceType, color: Color) -> "Piece":
        letter = piece_symbol(piece_type)
        return super().__new__(cls, letter.upper() if color else letter)

    @staticmethod
    def from_symbol(symbol: str) -> "Piece":
        """The piece with this FEN letter."""
        piece = PIECES.get(symbol)
        if piece is None:
            raise ValueError(f"'{symbol}' is not a piece; expected one of p a b n c r k, a capital for Red")
        return piece

    @property
    def piece_type(self) -> PieceType:
        """The type, such as ``ROOK``."""
        return PIECE_SYMBOLS.index(self.lower())

    @property
    def color(self) -> Color:
        """The side: ``RED`` (True) or ``BLACK``."""
        return self.isupper()

    def symbol(self) -> str:
        """The FEN letter as plain text."""
        return str(self)

    def unicode_symbol(self) -> str:
        """The Chinese character on the piece, which differs between the sides.

        >>> Piece(ROOK, RED).unicode_symbol(), Piece(ROOK, BLACK).unicode_symbol()
        ('俥', '車')
        """
        return _CHARACTERS[self.color][self.piece_type]

    def __getnewargs__(self) -> tuple[PieceType, Color]:  # type: ignore[override]
        return self.piece_type, self.color

    def __repr__(self) -> str:
        return f"Piece.from_symbol('{self}')"


#: All pieces by their FEN letters.
PIECES: dict[str, Piece] = {piece: piece for color in COLORS for piece in (Piece(kind, color) for kind in PIECE_TYPES)}
