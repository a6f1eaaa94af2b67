"""Many positions at once, as NumPy arrays."""

from collections.abc import Iterable
from importlib.util import find_spec
from os import PathLike
from typing import TYPE_CHECKING, NamedTuple, Optional, Union

from . import _cannonade

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def _need_numpy() -> None:
    """Raises ``ImportError``, which names the remedy, if NumPy is not installed."""
    if find_spec("numpy") is None:
        raise ImportError("arrays need NumPy: pip install cannonade[numpy]")


def _texts(fens: Iterable[str]) -> list[str]:
    """The FENs of a list, an array or a column of a table."""
    if isinstance(fens, str):
        raise ValueError("expected a list of FENs, not one; write [fen]")
    return fens.tolist() if hasattr(fens, "tolist") else list(fens)


def evaluate(
    fens: Iterable[str],
    *,
    threads: Optional[int] = None,
    network: Union[str, "PathLike[str]", None] = None,
) -> "NDArray[np.int32]":
    """Evaluates positions without a search: centipawns for the side to move.

    ``threads`` is the number of cores by default, ``network`` the file of another network than the built-in one.

    >>> evaluate([Board().fen()] * 3).shape
    (3,)
    """
    _need_numpy()
    import numpy as np

    return np.frombuffer(_cannonade.evaluate(_texts(fens), threads, network), dtype=np.int32)


class LegalMoves(NamedTuple):
    """The legal moves of many positions: those of position ``i`` are ``squares[offsets[i]:offsets[i + 1]]``."""

    #: From and to of each move, 0 (a0) to 89 (i9): shape (moves, 2).
    squares: "NDArray[np.uint8]"
    #: The index of the first move of each position, and the number of all moves at the end: shape (positions + 1,).
    offsets: "NDArray[np.int64]"


def legal_moves(fens: Iterable[str], *, threads: Optional[int] = None) -> LegalMoves:
    """Lists the legal moves of positions.

    >>> moves = legal_moves([Board().fen(), "3k5/9/9/9/9/9/9/9/9/R3K4 w"])
    >>> moves.offsets.tolist(), moves.squares.shape
    ([0, 44, 58], (58, 2))
    """
    _need_numpy()
    import numpy as np

    squares, offsets = _cannonade.legal_moves(_texts(fens), threads)
    return LegalMoves(np.frombuffer(squares, np.uint8).reshape(-1, 2), np.frombuffer(offsets, np.int64))


class PieceArrays(NamedTuple):
    """Positions as numbers."""

    #: 0 for an empty square, 1 to 7 for Red's pawn, advisor, bishop, knight, cannon, rook and king, -1 to -7 for
    #: Black's: shape (positions, 10, 9), rank by rank from Red's back rank.
    pieces: "NDArray[np.int8]"
    #: True where Red is to move: shape (positions,).
    red_to_move: "NDArray[np.bool_]"


def piece_arrays(fens: Iterable[str], *, threads: Optional[int] = None) -> PieceArrays:
    """Writes positions as arrays of pieces, such as the inputs of a network are made of.

    >>> pieces, red_to_move = piece_arrays([Board().fen()])
    >>> pieces[0, 0].tolist(), red_to_move.tolist()
    ([6, 4, 3, 2, 7, 2, 3, 4, 6], [True])
    """
    _need_numpy()
    import numpy as np

    pieces, turns = _cannonade.piece_arrays(_texts(fens), threads)
    return PieceArrays(np.frombuffer(pieces, np.int8).reshape(-1, 10, 9), np.frombuffer(turns, np.bool_))
