"""The engine in the process."""

import atexit
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from queue import SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Any, Callable, Literal, Optional, Union

from . import _cannonade
from ._board import Board
from ._cannonade import Move
from ._limits import Limit, check_limits, named_limits
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

    @property
    def relative(self) -> "Score":
        """The score itself, which is for the side to move."""
        return self

    def is_mate(self) -> bool:
        """True if a side can force mate or has mated."""
        return self.kind == "mate"

    def mate(self) -> Optional[int]:
        """The moves to mate, negative if the other side mates; None for another score."""
        return self.value if self.is_mate() else None

    def score(self, *, mate_score: Optional[int] = None) -> Optional[int]:
        """The centipawns, also of a repetition. For a mate: None, or ``mate_score`` minus the moves to mate.

        >>> Score("cp", 35).score(), Score("mate", -2).score(), Score("mate", -2).score(mate_score=10000)
        (35, None, -9998)
        """
        if not self.is_mate():
            return self.centipawns
        if mate_score is None:
            return None
        return mate_score - self.value if self.value > 0 or self.wins else -mate_score - self.value

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


class _Result(Mapping[str, Any]):
    """Attributes that are keys too, as python-chess has them."""

    def __getitem__(self, name: str) -> Any:
        if name not in tuple(self):
            raise KeyError(name)
        return getattr(self, name)

    def __iter__(self) -> Iterator[str]:
        names = (field.name for field in fields(self))  # type: ignore[arg-type]
        return iter(dict.fromkeys([*names, *(name for name in ("pv", "move") if hasattr(self, name))]))

    def __len__(self) -> int:
        return len(list(iter(self)))


@dataclass(frozen=True)
class Line:
    """A line of best play with its score for the side to move."""

    score: Score
    moves: list[Move]


@dataclass(frozen=True)
class Info(_Result):
    """A line of a running search. ``info["depth"]`` is ``info.depth``."""

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

    @property
    def pv(self) -> list[Move]:
        """The moves."""
        return self.moves


@dataclass(frozen=True)
class Analysis(_Result):
    """The result of a search. ``analysis["score"]`` is ``analysis.score``."""

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

    @property
    def move(self) -> Optional[Move]:
        """The move to play, as ``PlayResult`` names it."""
        return self.best


@dataclass(frozen=True)
class PlayResult(_Result):
    """A move to play, with the expected answer."""

    move: Optional[Move]
    ponder: Optional[Move]
    score: Score


@dataclass(frozen=True)
class Option:
    """An option of the engine."""

    name: str
    type: Literal["check", "spin", "combo", "button", "string"]
    default: Union[str, int, bool, None]
    #: The bounds of a number.
    min: Optional[int]
    max: Optional[int]
    #: The values of a choice.
    var: list[str]


class RunningAnalysis:
    """A search on its own thread; see ``Engine.analysis``. Iteration yields each line as it is found and ends with the
    search. Leaving the ``with`` block stops the search."""

    def __init__(self, search: Callable[[Callable[[Info], object]], Analysis], stop: Callable[[], None]) -> None:
        self._search = search
        self._stop = stop
        self._is_stopped = False
        self._lines: SimpleQueue[Optional[Info]] = SimpleQueue()
        self._latest: dict[int, Info] = {}
        self._found: Optional[Analysis] = None
        self._error: Optional[BaseException] = None
        # A search that no one stops must not keep the process alive, and its thread must not outlive the interpreter.
        self._thread = Thread(target=self._run, daemon=True)
        atexit.register(self._end)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._found = self._search(self._tell)
        except BaseException as error:  # ``wait`` raises it.
            self._error = error
        atexit.unregister(self._end)
        self._lines.put(None)

    def _tell(self, info: Info) -> None:
        self._latest[info.multipv] = info
        self._lines.put(info)
        # The search misses a stop that comes before its start.
        if self._is_stopped:
            self._stop()

    def _end(self) -> None:
        self.stop()
        self._thread.join()

    @property
    def info(self) -> Optional[Info]:
        """The latest best line; None before the first one. Does not wait."""
        return self._latest.get(1)

    @property
    def multipv(self) -> list[Info]:
        """The latest line of each rank. Does not wait."""
        return [info for _, info in sorted(self._latest.copy().items())]

    def stop(self) -> None:
        """Ends the search; ``wait`` then returns its result."""
        if self._thread.is_alive():
            self._is_stopped = True
            self._stop()

    def wait(self) -> Analysis:
        """Waits until the search ends and returns its result; raises what the search has raised."""
        self._thread.join()
        if self._found is None:
            raise self._error or RuntimeError("the search has no result")
        return self._found

    def __iter__(self) -> Iterator[Info]:
        while (info := self._lines.get()) is not None:
            yield info
        # Another iteration ends at once.
        self._lines.put(None)
        self.wait()

    def __enter__(self) -> "RunningAnalysis":
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._end()


class Engine:
    """The engine, with its own search threads and transposition table.

    ``threads`` is a number from 1 to 512, ``hash`` the size of the table in MiB, ``rules`` the rule book of repetitions; other options are given by their
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
        check_limits(threads=threads, hash=hash)
        self._engine: Optional[_cannonade.Engine] = _cannonade.Engine()
        self._set({"Threads": threads, "Hash": hash, "RepetitionRule": rules, **(options or {})})

    @property
    def id(self) -> dict[str, str]:
        """The name and the author, as UCI has them."""
        return {"name": f"Cannonade {_cannonade.version()}", "author": "the Cannonade developers"}

    @property
    def options(self) -> dict[str, Option]:
        """The options by name, with their defaults and bounds.

        >>> Engine().options["Hash"]
        Option(name='Hash', type='spin', default=16, min=1, max=65536, var=[])
        """
        return {row[0]: Option(*row) for row in _cannonade.options()}

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
        limit: Optional[Limit] = None,
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

        You can give the limits as a ``Limit`` instead. ``time`` is in seconds; ``mate`` ends with a mate in this many moves; ``multipv`` is the number of lines;
        ``moves`` are the only ones considered, spaces divide those of a text; ``info`` is called with each line as it
        is found, on this thread. The moves on the board count for repetitions.
        """
        limits = named_limits(limit, board.turn, nodes=nodes, time=time, depth=depth, mate=mate)
        if not infinite and all(value is None for value in limits.values()):
            raise ValueError("expected a limit: nodes, time, depth or mate, or infinite=True to search until stop()")
        return self._search(board, _chosen(moves), info, multipv=multipv, **limits)

    def analysis(
        self,
        board: Board,
        limit: Optional[Limit] = None,
        *,
        multipv: int = 1,
        moves: Union[str, Iterable[Union[Move, str]], None] = None,
    ) -> RunningAnalysis:
        """Starts a search on another thread and returns at once. Without a limit it searches until you stop it.

        >>> with Engine() as engine, engine.analysis(Board()) as analysis:
        ...     for info in analysis:
        ...         if info.depth >= 4:
        ...             analysis.stop()
        >>> analysis.wait().best == analysis.wait().pv[0]
        True
        """
        limits = {"multipv": multipv, **named_limits(limit, board.turn)}
        check_limits(**limits)
        # The caller may continue to use the board, or close the engine.
        copy, chosen, stop = board.copy(), _chosen(moves), self._open().stop
        return RunningAnalysis(lambda tell: self._search(copy, chosen, tell, **limits), stop)

    def play(
        self,
        board: Board,
        limit: Optional[Limit] = None,
        *,
        nodes: Optional[int] = None,
        time: Optional[float] = None,
        depth: Optional[int] = None,
        clock: Optional[float] = None,
        increment: float = 0.0,
        moves_to_go: Optional[int] = None,
    ) -> PlayResult:
        """Chooses a move: within limits, or with the seconds left on the clock of the side to move. You can give the limits
        as a ``Limit`` instead.

        Books and levels apply, if the options say so.

        >>> with Engine(options={"OwnBook": True, "Book Variety": 0}) as engine:
        ...     engine.play(Board(), clock=60.0, increment=1.0).move in Board().legal_moves
        True
        """
        limits = named_limits(
            limit, board.turn, nodes=nodes, time=time, depth=depth, clock=clock, increment=increment or None,
            moves_to_go=moves_to_go,
        )
        if all(limits.get(name) is None for name in ("nodes", "time", "depth", "mate", "clock")):
            raise ValueError("expected a limit: nodes, time, depth or clock")
        found = self._search(board, [], None, **limits)
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

    def quit(self) -> None:
        """As ``close``."""
        self.close()

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


def _chosen(moves: Union[str, Iterable[Union[Move, str]], None]) -> list[Union[Move, str]]:
    """The moves to consider; none stands for all."""
    chosen = moves.replace(",", " ").split() if isinstance(moves, str) else list(moves or ())
    if moves is not None and not chosen:
        raise ValueError("moves: expected at least one move; without moves all are considered")
    return list(chosen)


def _info(line: dict[str, Any]) -> Info:
    return Info(**{**line, "score": Score(*line["score"])})
