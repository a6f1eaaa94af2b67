"""Games with variations and comments, and their files."""

import re
import warnings
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from dataclasses import dataclass
from os import PathLike, fsdecode
from pathlib import Path
from typing import IO, Any, Optional, Union, cast, final, overload
from weakref import WeakKeyDictionary

from . import _cannonade
from ._board import Board, wrapped
from ._cannonade import GameTree, Move
from ._engine import Score

PathText = Union[str, "PathLike[str]"]

NAG_GOOD_MOVE = 1
NAG_MISTAKE = 2
NAG_BRILLIANT_MOVE = 3
NAG_BLUNDER = 4
NAG_SPECULATIVE_MOVE = 5
NAG_DUBIOUS_MOVE = 6

#: The commands of comments: the score, and hours, minutes and seconds of a clock.
_EVAL = re.compile(r"\[%eval\s+(?:#([+-]?\d+)|([+-]?\d*\.?\d+))(?:,\d+)?\s*\]")
_CLOCK = re.compile(r"\[%clk\s+(\d+):(\d+):(\d+(?:\.\d*)?)\s*\]")


class GameNode:
    """A move of a game with what follows it. The root, before the first move, is the ``Game`` itself."""

    def __init__(self, tree: GameTree, index: int) -> None:
        self._tree = tree
        self._index = index

    def _at(self, index: int) -> "GameNode":
        return GameNode(self._tree, index) if index else Game._of(self._tree)

    @property
    def move(self) -> Optional[Move]:
        """The move; None for the root."""
        return self._tree.move(self._index)

    @property
    def parent(self) -> Optional["GameNode"]:
        """The node before; None for the root."""
        return self._at(self._tree.parent(self._index)) if self._index else None

    @property
    def variations(self) -> list["GameNode"]:
        """The next moves: the continuation first, then the variations."""
        return [self._at(child) for child in self._tree.children(self._index)]

    def variation(self, index: int) -> "GameNode":
        """One of ``variations``; 0 is the continuation."""
        return self.variations[index]

    def is_end(self) -> bool:
        """True if no move follows."""
        return not self._tree.children(self._index)

    def is_mainline(self) -> bool:
        """True if the node is the root or on the main line."""
        return self == self.game() or self in self.game().mainline()

    def next(self) -> Optional["GameNode"]:
        """The continuation, if there is one."""
        children = self._tree.children(self._index)
        return self._at(children[0]) if children else None

    def mainline(self) -> Iterator["GameNode"]:
        """The nodes after this one along the continuations."""
        node = self.next()
        while node is not None:
            yield node
            node = node.next()

    def end(self) -> "GameNode":
        """The last node along the continuations."""
        node = self
        for later in self.mainline():
            node = later
        return node

    def game(self) -> "Game":
        """The game."""
        return Game._of(self._tree)

    def board(self) -> Board:
        """The position after the move, with all moves that led there."""
        return wrapped(self._tree.board(self._index))

    def ply(self) -> int:
        """The number of moves from the root to this node."""
        return self.board().ply()

    def san(self) -> str:
        """The move in WXF notation. The root has no move, so it raises a ``ValueError``.

        >>> Game().add_variation("h2e2").san()
        'C2=5'
        """
        move, board = self._played(), self.board()
        board.pop()
        return board.san(move)

    def uci(self) -> str:
        """The move as engines write it, ``h2e2``. The root has no move, so it raises a ``ValueError``."""
        return self._played().uci()

    def _played(self) -> Move:
        move = self.move
        if move is None:
            raise ValueError("the root of a game has no move")
        return move

    def eval(self) -> Optional[Score]:
        """The score for Red in the comment, such as ``[%eval 0.35,12]`` or ``[%eval #-3]``, or None.

        >>> Game().add_variation("h2e2", comment="[%eval #-3,9]").eval()
        Score(kind='mate', value=-3)
        """
        found = _EVAL.search(self.comment)
        if found is None:
            return None
        if found[1] is None:
            return Score("cp", round(100 * float(found[2])))
        # The side that moved has given the mate.
        moves = int(found[1])
        return Score("mate", moves, moves == 0 and not self.board().turn)

    def clock(self) -> Optional[float]:
        """The seconds left to the player of the move, from a comment such as ``[%clk 0:04:58.3]``, or None."""
        found = _CLOCK.search(self.comment)
        return None if found is None else 3600 * int(found[1]) + 60 * int(found[2]) + float(found[3])

    @property
    def comment(self) -> str:
        """The comment after the move, or before the first one for the root."""
        return self._tree.comment(self._index)

    @comment.setter
    def comment(self, text: str) -> None:
        self._tree.set_comment(self._index, text)

    @property
    def nags(self) -> list[int]:
        """The numeric annotation glyphs: 1 ``!``, 2 ``?``, 3 ``!!``, 4 ``??``, 5 ``!?``, 6 ``?!``."""
        return self._tree.glyphs(self._index)

    @nags.setter
    def nags(self, glyphs: Iterable[int]) -> None:
        self._tree.set_glyphs(self._index, list(glyphs))

    def add_variation(self, move: Union[Move, str], *, comment: str = "", nags: Iterable[int] = ()) -> "GameNode":
        """Adds a legal move after this one: its continuation, or a variation if it has one already.

        >>> game = Game()
        >>> node = game.add_variation("炮二平五").add_variation("马8进7", comment="the main defence")
        >>> node.move, node.parent.move
        (Move.from_uci('h9g7'), Move.from_uci('h2e2'))
        """
        return self._at(self._tree.add(self._index, move, comment, list(nags)))

    def remove(self) -> None:
        """Takes this move and all after it out of the game; the root stays."""
        self._tree.remove(self._index)

    def promote_to_main(self) -> None:
        """Makes the line that leads here the main line."""
        self._tree.promote(self._index)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameNode) and self._tree is other._tree and self._index == other._index

    def __hash__(self) -> int:
        return hash((id(self._tree), self._index))

    def __copy__(self) -> "GameNode":
        return self._at(self._index)

    def __reduce__(self) -> tuple[Any, ...]:
        # Nodes get other numbers when their game is read from a pickle.
        path = []
        index = self._index
        while index:
            parent = self._tree.parent(index)
            children = self._tree.children(parent)
            if index not in children:
                raise ValueError("this move was taken out of its game; only the game can be copied")
            path.append(children.index(index))
            index = parent
        return _node_at, (self.game(), path[::-1])

    def __repr__(self) -> str:
        return f"<GameNode {self.move} of {self.game()!r}>"


def _node_at(game: "Game", path: list[int]) -> GameNode:
    """The node that is reached from the root by these places among the next moves."""
    node: GameNode = game
    for place in path:
        node = node.variations[place]
    return node


class Headers(MutableMapping[str, str]):
    """The tags of a game, their names in any case. An empty value removes a tag.

    ``Result`` is the result of the game, if it is known. The tags of the start and the notation, such as ``FEN``, are
    written without being set.
    """

    def __init__(self, tree: GameTree) -> None:
        self._tree = tree

    def __getitem__(self, name: str) -> str:
        value = self._tree.tag(name) if isinstance(name, str) else None
        if value is None:
            raise KeyError(name)
        return value

    def __setitem__(self, name: str, value: str) -> None:
        self._tree.set_tag(name, value)

    def __delitem__(self, name: str) -> None:
        self[name]
        self._tree.set_tag(name, "")

    def __iter__(self) -> Iterator[str]:
        return iter([name for name, _ in self._tree.tags()])

    def __len__(self) -> int:
        return len(self._tree.tags())

    def __repr__(self) -> str:
        return f"Headers({dict(self)!r})"


@final
class Game(GameNode):
    """A game: its tags, start, result, and the tree of its moves, whose root it is.

    ``Game()`` starts with the starting position, ``Game(board)`` or ``Game(fen)`` with another one; the moves made on
    the board are not taken, see ``Game.from_board``. An object is a view of its game, so there are no subclasses.

    >>> game = Game()
    >>> game.headers["Red"] = "胡荣华"
    >>> last = game.add_line("炮二平五 马8进7 马二进三")
    >>> game.result = "1-0"
    >>> print(game.text("wxf").split("\\n\\n")[1])
    1. C2=5 H8+7 2. H2+3 1-0
    """

    def __init__(self, board: Union[Board, str, None] = None) -> None:
        start = board if isinstance(board, _cannonade.Board) else Board() if board is None else Board(board)
        super().__init__(GameTree(start), 0)

    def __init_subclass__(cls) -> None:
        raise TypeError("Game cannot be the base of a class")

    @staticmethod
    def from_board(board: Board) -> "Game":
        """The game of a board: its start and the moves made on it.

        >>> board = Board()
        >>> moves = board.push_line("炮二平五 马8进7")
        >>> Game.from_board(board).mainline_moves() == moves
        True
        """
        game = Game(board.root())
        game.add_line(board.move_stack)
        return game

    @classmethod
    def _of(cls, tree: GameTree) -> "Game":
        game = cls.__new__(cls)
        GameNode.__init__(game, tree, 0)
        return game

    @property
    def headers(self) -> Headers:
        """The tags, such as ``Red``, ``Black``, ``Event`` and ``Date``."""
        return Headers(self._tree)

    @property
    def result(self) -> str:
        """``1-0``, ``0-1``, ``1/2-1/2`` or ``*``."""
        return self._tree.result()

    @result.setter
    def result(self, text: str) -> None:
        self._tree.set_result(text)

    def mainline_moves(self) -> list[Move]:
        """The moves of the main line."""
        return self._tree.moves()

    def add_line(self, moves: Union[str, Iterable[Union[Move, str]]]) -> GameNode:
        """Adds legal moves after the main line and returns the last node; spaces divide those of a text."""
        node = self.end()
        line = moves if isinstance(moves, str) else list(moves)
        for move in node.board().push_line(line):
            node = node.add_variation(move)
        return node

    def plain(self) -> "Game":
        """A copy without comments, glyphs and variations."""
        return Game._of(self._tree.plain())

    def copy(self) -> "Game":
        """A copy of all."""
        return Game._of(self._tree.copy())

    def text(self, notation: str = "iccs") -> str:
        """The game as PGN, its moves in the notation of this name."""
        return _cannonade.write_games([self._tree], "pgn", notation, "utf-8").decode()

    def write(
        self,
        path: Union[PathText, IO[bytes]],
        *,
        kind: Optional[str] = None,
        notation: str = "iccs",
        encoding: str = "utf-8",
    ) -> None:
        """Writes a file with this game; see ``write_games``."""
        write_games([self], path, kind=kind, notation=notation, encoding=encoding)

    def __copy__(self) -> "Game":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return Game._of, (self._tree,)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        red, black = self.headers.get("Red", "?"), self.headers.get("Black", "?")
        return f"<Game {red} - {black} {self.result}, {len(self.mainline_moves())} plies>"


def tree_of(game: Game) -> GameTree:
    """The tree of a game; ``TypeError`` for what is none, such as a board."""
    if isinstance(game, GameNode):
        return game._tree
    raise TypeError(f"expected a Game, such as Game.from_board(board), not {type(game).__name__}")


@dataclass(frozen=True)
class Problem:
    """A defect of a game file. What was read before it is kept."""

    #: The number of the game in the file, from 1.
    game: int
    #: The line of a text file, from 1.
    line: Optional[int]
    #: True if moves or the start of the game are wrong, False if only characters of a text are.
    affects_moves: bool
    text: str

    def __str__(self) -> str:
        return self.text


class Collection(Sequence[Game]):
    """The games of a file, with what is wrong with it."""

    def __init__(self, games: Iterable[Game], kind: str, encoding: str, problems: Iterable[Problem]) -> None:
        self._games = list(games)
        #: The kind that the content showed, such as ``pgn`` or ``xqf``.
        self.kind = kind
        #: The encoding of the text.
        self.encoding = encoding
        #: The defects in order.
        self.problems = list(problems)

    @overload
    def __getitem__(self, index: int) -> Game: ...
    @overload
    def __getitem__(self, index: slice) -> list[Game]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Game, list[Game]]:
        return self._games[index]

    def __len__(self) -> int:
        return len(self._games)

    def __repr__(self) -> str:
        return f"<Collection of {len(self)} games: {self.kind}, {self.encoding}, {len(self.problems)} problems>"


def read_games(
    source: Union[PathText, bytes, bytearray, memoryview, IO[bytes], IO[str]], *, strict: bool = False
) -> Collection:
    """Reads the games of a path, an open file, or bytes: PGN, XQF, DhtmlXQ, CBR, CBL, CBF, WXF, lists of moves
    and ``position`` commands, in UTF-8, GB18030, Big5 or UTF-16. Kind and encoding are found by the content.

    A defect ends the line of moves where it is and is listed in ``problems``; ``strict`` raises it.

    >>> game = read_games("[Red \\"许银川\\"]\\n\\n1. 炮二平五 马8进7 *".encode("gb18030"))[0]
    >>> game.headers["Red"], game.mainline_moves()
    ('许银川', [Move.from_uci('h2e2'), Move.from_uci('h9g7')])
    """
    name = "the file"
    content: Union[bytes, str]
    if isinstance(source, (bytes, bytearray, memoryview)):
        content = bytes(source)
    elif hasattr(source, "read"):
        read = cast("IO[Any]", source).read()
        content = read.encode() if isinstance(read, str) else bytes(read)
        name = str(getattr(source, "name", name))
    else:
        content = name = fsdecode(source)
    kind, encoding, trees, defects = _cannonade.read_games(content)
    problems = [Problem(*defect) for defect in defects]
    if not trees and not problems:
        raise ValueError(
            f"{name} holds no game; expected PGN, XQF, DhtmlXQ, CBR, CBL, CBF, WXF, or per line a result and moves "
            "or a 'position' command"
        )
    if strict:
        for problem in problems:
            if problem.affects_moves:
                raise ValueError(f"{name}: {problem}")
    return Collection(map(Game._of, trees), kind, encoding, problems)


#: The games of open files that ``read_game`` has read but not returned yet, with the place in the file.
_unread: "WeakKeyDictionary[Any, tuple[Optional[int], Iterator[Game]]]" = WeakKeyDictionary()


def read_game(source: Union[IO[bytes], IO[str]]) -> Optional[Game]:
    """Returns the next game of an open file, or None at its end. Defects of the file are warnings; ``read_games`` returns
    all games at once and lists the defects.

    >>> import io
    >>> file = io.StringIO("1. h2e2 h9g7 *")
    >>> read_game(file).mainline_moves(), read_game(file)
    ([Move.from_uci('h2e2'), Move.from_uci('h9g7')], None)
    """
    place = source.tell() if source.seekable() else None
    kept, games = _unread.get(source, (None, iter(())))
    game = next(games, None) if kept == place else None
    if game is None:
        content = source.read()
        if not content.strip():
            return None
        found = read_games(content.encode() if isinstance(content, str) else content)
        for problem in found.problems:
            warnings.warn(f"game {problem.game}: {problem}", stacklevel=2)
        games = iter(found)
        _unread[source] = source.tell() if source.seekable() else None, games
        game = next(games, None)
    return game


def write_games(
    games: Iterable[Game],
    path: Union[PathText, IO[bytes]],
    *,
    kind: Optional[str] = None,
    notation: str = "iccs",
    encoding: str = "utf-8",
) -> None:
    """Writes games to a path or an open binary file.

    ``kind`` is ``pgn``, ``dhtmlxq``, ``xqf``, ``cbr``, ``cbf``, ``list`` or ``position``; by default what the name of
    the file shows, else ``pgn``. ``xqf``, ``cbr`` and ``cbf`` hold one game. ``notation`` is that of PGN; ``encoding``
    is ``utf-8``, ``gb18030``, ``big5``, ``utf-16le`` or ``utf-16be``.
    """
    target = None if hasattr(path, "write") else Path(path)
    if kind is None:
        # The name of an open file may be its number.
        name = getattr(path, "name", None) if target is None else target
        kind = _cannonade.kind_of_path(fsdecode(name)) if isinstance(name, (str, bytes, PathLike)) else None
        kind = kind or "pgn"
    content = _cannonade.write_games([tree_of(game) for game in games], kind, notation, encoding)
    if target is None:
        cast("IO[bytes]", path).write(content)
    else:
        target.write_bytes(content)
