"""The engine in the process."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Callable, Literal, Optional, Union

from . import _cannonade
from ._cannonade import Board, Move
from ._limits import check_limits
from ._squares import Color
from .tables import TableValue


@dataclass(frozen=True, order=False)
class Score:
    """A score for the side to move, or for Red after ``for_red``."""

    #: ``cp``: hundredths of a pawn. ``mate``: moves to mate, negative if the other side mates, 0 if the side to move
    #: has no move. ``rule``: plies to a repetition that wins by the rules, negative if it loses.
    kind: Literal["cp", "mate", "rule"]
    value: int
    #: Of a mate in 0: True if it is the other side that has no move, as ``for_red`` can find.
    wins: bool = False

    @property
    def centipawns(self) -> int:
        """The score as one number: mates are near 30000 and won repetitions near 20000, minus the distance."""
        if self.kind == "cp":
            return self.value
        if self.kind == "mate" and self.value == 0:
            return 30000 if self.wins else -30000
        sign = 1 if self.value > 0 else -1
        return sign * (30000 - 2 * abs(self.value)) if self.kind == "mate" else sign * (20000 - abs(self.value))

    def for_red(self, turn: Color) -> "Score":
        """The score for Red, if this one is for the side ``turn``."""
        is_over = self.kind == "mate" and self.value == 0
        return self if turn else Score(self.kind, -self.value, is_over and not self.wins)

    def __str__(self) -> str:
        if self.kind == "cp":
            return f"{self.value / 100:+.2f}"
        sign = "+" if self.value > 0 or self.wins else "-"
        return f"{sign}M{abs(self.value)}" if self.kind == "mate" else f"{sign}rule"

    def __repr__(self) -> str:
        wins = ", wins=True" if self.wins else ""
        return f"Score(kind={self.kind!r}, value={self.value!r}{wins})"


@dataclass(frozen=True)
class Line:
    """A line of best play with its score for the side to move."""

    score: Score
    moves: list[Move]


@dataclass(frozen=True)
class Info:
    """A line of a running search."""

    depth: int
    seldepth: int
    #: The rank of the line, from 1.
    multipv: int
    #: For the side to move.
    score: Score
    nodes: int
    #: Seconds since the start.
    time: float
    moves: list[Move]


@dataclass(frozen=True)
class Analysis:
    """The result of a search."""

    #: The move to play; None without a legal one.
    best: Optional[Move]
    #: The expected answer.
    ponder: Optional[Move]
    #: For the side to move.
    score: Score
    #: Chances of win, draw and loss of the side to move in permille.
    wdl: tuple[int, int, int]
    #: The best lines of the last finished depth, the best one first.
    lines: list[Line]
    #: The last finished depth.
    depth: int
    nodes: int
    #: Seconds.
    time: float
    #: The exact result, if a table holds the position.
    table: Optional[TableValue]

    @property
    def pv(self) -> list[Move]:
        """The best line."""
        return self.lines[0].moves if self.lines else []


@dataclass(frozen=True)
class PlayResult:
    """A move to play, with the expected answer."""

    move: Optional[Move]
    ponder: Optional[Move]
    score: Score


class Engine:
    """The engine, with its own search threads and transposition table.

    ``rules`` is the rule book of repetitions, ``hash`` the size of the table in MiB; other options are given by their
    names in UCI, see ``configure``. Several engines search at once, and searches release the interpreter's lock. An
    engine serves one search at a time: a second thread waits for the first.

    >>> with Engine(threads=1) as engine:
    ...     found = engine.analyse(Board(), nodes=2000, multipv=2)
    >>> len(found.lines), found.best == found.pv[0], found.nodes >= 2000
    (2, True, True)
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        hash: int = 16,
        rules: str = "WXF",
        options: Optional[Mapping[str, Union[str, int, bool]]] = None,
    ) -> None:
        self._engine: Optional[_cannonade.Engine] = _cannonade.Engine()
        self._set({"Threads": threads, "Hash": hash, "RepetitionRule": rules, **(options or {})})

    def configure(self, options: Mapping[str, Union[str, int, bool]]) -> None:
        """Sets options by their names in UCI; ``docs/protocol.md`` lists them. A number beyond its bounds is set to the
        nearest bound, as in UCI; more threads than keep the time on this machine are a warning.

        >>> engine = Engine()
        >>> engine.configure({"Skill Level": 3, "OwnBook": True})
        >>> engine.configure({"Hash": "many"})
        Traceback (most recent call last):
        ...
        ValueError: option Hash: 'many' is not a whole number from 1 to 65536
        """
        self._set(options)

    def _set(self, options: Mapping[str, Union[str, int, bool]]) -> None:
        engine = self._open()
        for name, value in options.items():
            if value is None:
                raise TypeError(f"option {name}: expected a value, not None")
            text = str(value).lower() if isinstance(value, bool) else str(value)
            engine.set_option(name, text)

    def analyse(
        self,
        board: Board,
        *,
        nodes: Optional[int] = None,
        time: Optional[float] = None,
        depth: Optional[int] = None,
        mate: Optional[int] = None,
        multipv: int = 1,
        moves: Union[str, Iterable[Union[Move, str]], None] = None,
        infinite: bool = False,
        info: Optional[Callable[[Info], object]] = None,
    ) -> Analysis:
        """Searches a position until the first limit is reached, ``stop`` is called, or Ctrl-C is pressed.

        ``time`` is in seconds; ``mate`` ends with a mate in this many moves; ``multipv`` is the number of lines;
        ``moves`` are the only ones considered, spaces divide those of a text; ``info`` is called with each line as it
        is found, on this thread. The moves on the board count for repetitions.
        """
        if not infinite and nodes is None and time is None and depth is None and mate is None:
            raise ValueError("expected a limit: nodes, time, depth or mate, or infinite=True to search until stop()")
        chosen = moves.replace(",", " ").split() if isinstance(moves, str) else list(moves or ())
        if moves is not None and not chosen:
            raise ValueError("moves: expected at least one move; without moves all are considered")
        return self._search(
            board, chosen, info, nodes=nodes, time=time, depth=depth, mate=mate, multipv=multipv,
        )

    def play(
        self,
        board: Board,
        *,
        nodes: Optional[int] = None,
        time: Optional[float] = None,
        depth: Optional[int] = None,
        clock: Optional[float] = None,
        increment: float = 0.0,
        moves_to_go: Optional[int] = None,
    ) -> PlayResult:
        """Chooses a move: within limits, or with the seconds left on the clock of the side to move.

        Books and levels apply, if the options say so.

        >>> with Engine(options={"OwnBook": True, "Book Variety": 0}) as engine:
        ...     engine.play(Board(), clock=60.0, increment=1.0).move in Board().legal_moves
        True
        """
        if nodes is None and time is None and depth is None and clock is None:
            raise ValueError("expected a limit: nodes, time, depth or clock")
        found = self._search(
            board, [], None, nodes=nodes, time=time, depth=depth, clock=clock, increment=increment,
            moves_to_go=moves_to_go,
        )
        return PlayResult(found.best, found.ponder, found.score)

    def _search(
        self, board: Board, moves: Sequence[Union[Move, str]], info: Optional[Callable[[Info], object]], **limits: Any
    ) -> Analysis:
        names = ("nodes", "depth", "time", "mate", "clock", "increment", "moves_to_go")
        asked = {**dict.fromkeys(names), "multipv": 1, **limits}
        check_limits(**asked)
        report = None if info is None else lambda line: info(_info(line))
        found = self._open().search(board, asked, moves, report)
        lines = [Line(Score(*score), moves) for score, moves in found["lines"]]
        table = found["table"]
        return Analysis(
            best=found["best"], ponder=found["ponder"], score=Score(*found["score"]), wdl=tuple(found["wdl"]),
            lines=lines, depth=found["depth"], nodes=found["nodes"], time=found["time"],
            table=None if table is None else TableValue(*table),
        )

    def stop(self) -> None:
        """Ends the running search, from any thread; it returns what it has found."""
        if self._engine is not None:
            self._engine.stop()

    def new_game(self) -> None:
        """Forgets what was learned of the last game."""
        self._open().new_game()

    def close(self) -> None:
        """Ends a running search and frees the memory once it has returned. The engine cannot be used any more."""
        self.stop()
        self._engine = None

    def _open(self) -> _cannonade.Engine:
        if self._engine is None:
            raise ValueError("the engine is closed")
        return self._engine

    def __enter__(self) -> "Engine":
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()


def _info(line: dict[str, Any]) -> Info:
    return Info(**{**line, "score": Score(*line["score"])})
