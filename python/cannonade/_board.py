"""Boards."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Optional, Union

from . import _cannonade
from ._cannonade import Move
from ._pieces import PIECES, Piece, PieceType
from ._squares import RED, SQUARES, Color, square_mirror

#: An operation of EPD: its name, then operands, of which a text in quotes may hold semicolons.
_OPERATION = re.compile(r'([^\s;]+)\s*((?:"[^"]*"|[^";])*);')


class MoveList(list[Move]):
    """The legal moves of a board."""

    def count(self, move: Optional[Move] = None) -> int:
        """The number of moves; with a move, how often it is among them."""
        return len(self) if move is None else super().count(move)


class Board(_cannonade.Board):
    """A position with the moves that led to it.

    ``Board()`` is the starting position, ``Board(fen)`` another one; counters may be left out.

    >>> board = Board()
    >>> board.push("炮二平五")
    Move.from_uci('h2e2')
    >>> board.fen()
    'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1'
    >>> board.turn == BLACK, board.legal_moves.count()
    (True, 45)

    Two boards are equal, and have the same hash, if the same pieces are on the same squares and the same side is to
    move; counters and earlier moves do not matter. Do not change a board that is a key of a dictionary.

    You can set up a board piece by piece. Until it is a valid position, because a king is missing for example, moves
    and checks raise a ``ValueError`` that names the defect.
    """

    __slots__ = ()

    # Set up

    @classmethod
    def empty(cls) -> "Board":
        """A board without pieces, to set up a position.

        >>> board = Board.empty()
        >>> board.defect()
        'red has no king; put one into the palace'
        >>> board.set_piece_map({D0: Piece(KING, RED), E9: Piece(KING, BLACK)})
        >>> board.is_valid(), board.fen()
        (True, '4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1')
        """
        board = cls()
        board.clear()
        return board

    @classmethod
    def from_epd(cls, epd: str) -> "tuple[Board, dict[str, Any]]":
        """Reads a line of EPD: the board and the operations. ``bm`` and ``am`` are lists of moves; other operands are
        whole numbers, or text.

        >>> board, operations = Board.from_epd('3k5/9/9/9/9/9/9/9/9/R3K4 w - - bm a0a9; id "rook";')
        >>> operations
        {'bm': [Move.from_uci('a0a9')], 'id': 'rook'}
        """
        fields = epd.split(None, 4)
        counters = re.match(r"\s*(\d+)\s+(\d+)(?=\s|$)", fields[4]) if len(fields) > 4 else None
        rest = "" if len(fields) < 5 else fields[4][counters.end() :] if counters else fields[4]
        board = cls(" ".join(fields[:4] + list(counters.groups() if counters else ())))
        operations: dict[str, Any] = {}
        for name, operand in _OPERATION.findall(rest.strip()):
            text = operand.strip()
            if name in ("bm", "am"):
                operations[name] = [board.parse_san(move) for move in text.split()]
            elif re.fullmatch(r"[+-]?\d+", text):
                operations[name] = int(text)
            else:
                operations[name] = text[1:-1] if re.fullmatch(r'"[^"]*"', text) else text
        return board, operations

    def set_fen(self, fen: str) -> None:
        """Sets another position, without moves before it."""
        self.set_to(Board(fen))

    def set_board_fen(self, fen: str) -> None:
        """Sets the pieces by the first field of a FEN; the side to move stays."""
        self.set_fen(f"{fen} {'w' if self.turn else 'b'}")

    def reset(self) -> None:
        """Sets the starting position."""
        self.set_to(Board())

    def clear(self) -> None:
        """Removes all pieces and moves and gives Red the turn."""
        self.set_up([], RED)

    def set_piece_map(self, pieces: Mapping[int, str]) -> None:
        """Sets all pieces, ``Piece`` or FEN letters by square. The side to move stays; the moves made are forgotten."""
        self.set_up(list(pieces.items()), self.turn)

    def set_piece_at(self, square: int, piece: Optional[str]) -> None:
        """Puts a ``Piece`` or FEN letter on a square; None empties it. The moves made are forgotten and the counters start
        again."""
        pieces = {**self.piece_map(), square: piece}
        self.set_piece_map({square: piece for square, piece in pieces.items() if piece is not None})

    def remove_piece_at(self, square: int) -> Optional[Piece]:
        """Empties a square, as ``set_piece_at`` does, and returns its piece, or None."""
        piece = self.piece_at(square)
        self.set_piece_at(square, None)
        return piece

    @property
    def turn(self) -> Color:
        """The side to move: ``RED`` (True) or ``BLACK`` (False). If you set it, the moves made are forgotten and the
        counters start again."""
        return super().turn

    @turn.setter
    def turn(self, color: Color) -> None:
        self.set_up(list(self.piece_map().items()), color)

    def mirror(self) -> "Board":
        """The same position for the other side: top and bottom exchanged, and the colours.

        >>> Board("3k5/9/9/9/9/9/9/9/9/R3K4 w").mirror().fen()
        'r3k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1'
        """
        board = Board.empty()
        pieces = self.piece_map().items()
        board.set_up([(square_mirror(square), piece.swapcase()) for square, piece in pieces], not self.turn)
        return board

    def copy(self, *, stack: bool = True) -> "Board":
        """A copy; without its moves if ``stack`` is False."""
        return wrapped(super().copy(stack=stack))

    def root(self) -> "Board":
        """The board before the first move."""
        return wrapped(super().root())

    def __copy__(self) -> "Board":
        return self.copy()

    def __deepcopy__(self, _memo: Any) -> "Board":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, super().__reduce__()[1]

    # Texts

    def board_fen(self) -> str:
        """The pieces: the first field of the FEN."""
        return self.fen().split()[0]

    def epd(self, **operations: Union[str, int, Sequence[Move]]) -> str:
        """The position as EPD with operations: texts, whole numbers, or lists of moves.

        >>> Board("3k5/9/9/9/9/9/9/9/9/R3K4 w").epd(bm=[Move.from_uci("a0a9")], id="rook")
        '3k5/9/9/9/9/9/9/9/9/R3K4 w - - bm a0a9; id "rook";'
        """

        def written(operand: Union[str, int, Sequence[Move]]) -> str:
            if isinstance(operand, int):
                return str(operand)
            return f'"{operand}"' if isinstance(operand, str) else " ".join(map(str, operand))

        return " ".join(self.fen().split()[:4] + [f"{name} {written(operand)};" for name, operand in operations.items()])

    # Pieces

    def piece_at(self, square: int) -> Optional[Piece]:
        """The piece on a square, which equals its FEN letter, or None.

        >>> Board().piece_at(H2)
        Piece.from_symbol('C')
        """
        letter = super().piece_at(square)
        return None if letter is None else PIECES[letter]

    def piece_map(self) -> dict[int, Piece]:
        """All pieces by square."""
        return {square: PIECES[letter] for square, letter in super().piece_map().items()}

    def piece_type_at(self, square: int) -> Optional[PieceType]:
        """The type of the piece on a square, or None."""
        piece = self.piece_at(square)
        return None if piece is None else piece.piece_type

    def color_at(self, square: int) -> Optional[Color]:
        """The side of the piece on a square, or None."""
        piece = self.piece_at(square)
        return None if piece is None else piece.color

    def pieces(self, piece_type: PieceType, color: Color) -> list[int]:
        """The squares of the pieces of a type and side.

        >>> [square_name(square) for square in Board().pieces(CANNON, RED)]
        ['b2', 'h2']
        """
        wanted = Piece(piece_type, color)
        return [square for square, piece in self.piece_map().items() if piece == wanted]

    def is_attacked_by(self, color: Color, square: int) -> bool:
        """True if a piece of this side attacks the square."""
        return bool(self.attackers(color, square))

    def attacks(self, square: int) -> list[int]:
        """The squares that the piece on a square attacks.

        >>> [square_name(square) for square in Board().attacks(B0)]
        ['a2', 'c2']
        """
        color = self.color_at(square)
        return [] if color is None else [target for target in SQUARES if square in self.attackers(color, target)]

    # Moves

    @property
    def legal_moves(self) -> MoveList:
        """The legal moves: a list, whose ``count()`` is their number."""
        return MoveList(super().legal_moves)

    def generate_legal_moves(self) -> Iterator[Move]:
        """The legal moves one after another."""
        return iter(self.legal_moves)

    def generate_legal_captures(self) -> Iterator[Move]:
        """The legal moves that capture a piece."""
        return filter(self.is_capture, self.legal_moves)

    def find_move(self, from_square: int, to_square: int) -> Move:
        """The legal move between two squares."""
        return self.parse_uci(Move(from_square, to_square).uci())

    def uci(self, move: Move) -> str:
        """The move as engines write it, ``h2e2``."""
        return move.uci()

    def san(self, move: Move) -> str:
        """The legal move in WXF notation, which is to xiangqi what SAN is to chess.

        >>> Board().san(Move(H2, E2))
        'C2=5'
        """
        return move.wxf(self)

    def variation_san(self, variation: Sequence[Union[Move, str]]) -> str:
        """A line of legal moves in WXF notation, with numbers.

        >>> Board().variation_san(["h2e2", "h9g7", "h0g2"])
        '1. C2=5 H8+7 2. H2+3'
        """
        number, words = self.fullmove_number, list[str]()
        for ply, move in enumerate(self.variation(list(variation)), 0 if self.turn else 1):
            if ply % 2 == 0 or not words:
                words.append(f"{number + ply // 2}{'...' if ply % 2 else '.'}")
            words.append(move)
        return " ".join(words)

    def parse_san(self, san: str) -> Move:
        """Reads a legal move in any notation; as ``parse_move``."""
        return self.parse_move(san)

    def parse_uci(self, uci: str) -> Move:
        """Reads a legal move such as ``h2e2``.

        >>> Board().parse_uci("C2=5")
        Traceback (most recent call last):
        ...
        ValueError: 'C2=5' is not a valid move; expected two squares such as 'h2e2' (files a-i, ranks 0-9)
        """
        return self.parse_move(Move.from_uci(uci).uci())

    def push_san(self, san: str) -> Move:
        """Makes a legal move in any notation and returns it; as ``push``."""
        return self.push(san)

    def push_uci(self, uci: str) -> Move:
        """Makes a legal move such as ``h2e2`` and returns it."""
        return self.push(Move.from_uci(uci))

    # Ends

    def is_valid(self) -> bool:
        """True if the position can be searched; if not, ``defect`` says why."""
        return self.defect() is None

    def is_insufficient_material(self) -> bool:
        """True if neither side has enough material to win."""
        outcome = self.copy(stack=False).outcome(rules="None", natural_limit=0)
        return outcome is not None and outcome.termination == "dead material"

    def result(self, *, rules: str = "WXF", natural_limit: Optional[int] = None) -> str:
        """``1-0``, ``0-1`` or ``1/2-1/2`` by ``outcome``, or ``*`` if the game goes on.

        >>> Board().result(), Board("3k4R/6R2/9/9/9/9/9/9/9/4K4 b").result()
        ('*', '1-0')
        """
        outcome = self.outcome(rules=rules, natural_limit=natural_limit)
        return "*" if outcome is None else outcome.result()


def wrapped(compiled: _cannonade.Board) -> Board:
    """The board that the compiled part has made."""
    board = Board()
    board.set_to(compiled)
    return board


def _restored(fen: str, moves: list[Move]) -> Board:
    """The board that was pickled."""
    return wrapped(_cannonade.restore_board(fen, moves))
