"""Games analysed: the score of each position, mistakes, accuracy."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Optional, Union

from . import _cannonade
from ._cannonade import Move
from ._engine import Line, Score
from ._game import Game, tree_of
from ._limits import check_limits
from ._squares import Color
from .tables import TableValue

MoveClass = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
Phase = Literal["opening", "middlegame", "endgame"]

_SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}


@dataclass(frozen=True)
class AnalysedMove:
    """A move of a game compared with the best one."""

    #: The half-move, from 1, and the number of the move in the game.
    ply: int
    number: int
    side: Color
    move: Move
    #: The move in the notation of the report.
    text: str
    #: The position before the move.
    fen: str
    phase: Phase
    #: After the move, for Red.
    score: Score
    #: Red's chances of win, draw and loss after the move, in permille.
    wdl: tuple[int, int, int]
    #: The last finished depth of the search after the move.
    depth: int
    #: The best move instead, and the best lines with their scores for Red.
    best: Optional[Move]
    lines: list[Line]
    #: The depth, the nodes and the seconds of the search before the move.
    lines_depth: int
    nodes: int
    time: float
    #: The result for the side to move before the move, if the endgame tables have one that rules cannot change.
    table: Optional[TableValue]
    #: Points lost, 0 to 1, and what that is called.
    loss: float
    mark: MoveClass
    #: Centipawns lost, where scores beyond 1000 count as 1000.
    cp_loss: int

    @property
    def sign(self) -> str:
        """``?!``, ``?``, ``??``, or an empty text."""
        return _SIGNS.get(self.mark, "")


@dataclass(frozen=True)
class GameEvent:
    """The first move out of the built-in book, a repetition, the end by the rules, or a named ending."""

    #: The half-moves played until then.
    ply: int
    kind: Literal["book", "repetition", "over", "ending"]
    text: str


@dataclass(frozen=True)
class SideSummary:
    """The moves of one side."""

    #: The mean accuracy in percent; None without moves.
    accuracy: Optional[float]
    accuracy_by_phase: dict[Phase, Optional[float]]
    #: The number of moves of each class.
    marks: dict[MoveClass, int]
    #: The mean of the centipawns lost a move; None without moves.
    average_cp_loss: Optional[float]


class GameReport:
    """An analysed game. It can be pickled, so that other processes and machines can analyse games."""

    def __init__(self, report: _cannonade.Report, notation: str) -> None:
        self._report = report
        self._notation = notation

    @property
    def notation(self) -> str:
        """The notation of the texts. It can be set."""
        return self._notation

    @notation.setter
    def notation(self, name: str) -> None:
        # An unknown notation is refused here, not where the report is read.
        self._report.text(name)
        self._notation = name
        for cached in ("_objects", "moves"):
            self.__dict__.pop(cached, None)

    @cached_property
    def _objects(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.json_lines().splitlines()]

    @cached_property
    def moves(self) -> list[AnalysedMove]:
        """The moves of the main line up to the end of the game by the rules."""
        return [_analysed(found) for found in self._objects if found["type"] == "move"]

    @property
    def mistakes(self) -> list[AnalysedMove]:
        """The inaccuracies, mistakes and blunders."""
        return [move for move in self.moves if move.sign]

    @property
    def red(self) -> SideSummary:
        """Red's moves."""
        return _summary(self._objects[-1]["red"])

    @property
    def black(self) -> SideSummary:
        """Black's moves."""
        return _summary(self._objects[-1]["black"])

    @property
    def events(self) -> list[GameEvent]:
        """What ``GameEvent`` names, in order."""
        return [GameEvent(**event) for event in self._objects[-1]["events"]]

    @property
    def opening(self) -> Optional[str]:
        """The name of the opening in English, if it has one."""
        name: Optional[str] = self._objects[0]["opening"]
        return name

    @property
    def curve(self) -> list[float]:
        """Red's expected points after each move, from 0 (loss) to 1 (win)."""
        return self._report.points()

    @property
    def limits(self) -> str:
        """The limits and conditions of the analysis in words."""
        return self._report.limits

    @property
    def game(self) -> Game:
        """The game as it was given."""
        return Game._of(self._report.game())

    def annotated(self) -> Game:
        """The game with scores and marks as comments and better lines as variations."""
        return Game._of(self._report.annotated(self._notation))

    def json_lines(self, number: int = 1) -> str:
        """The report as ``cannonade analyze --json`` writes it for the game with this number; ``docs/json.md`` has the
        schema."""
        return self._report.json(self._notation, number)

    def html(self, path: Union[str, "PathLike[str]", None] = None, *, language: str = "en", rules: str = "WXF") -> str:
        """The report as a page to step through, one HTML file; written to ``path`` if there is one."""
        page = reports_page([self], language=language, notation=self._notation, rules=rules)
        if path is not None:
            Path(path).write_text(page, encoding="utf-8")
        return page

    def __str__(self) -> str:
        return self._report.text(self._notation)

    def __repr__(self) -> str:
        return f"<GameReport of {self.game!r}: {self.limits}>"


def analyse_game(
    game: Game,
    *,
    nodes: Optional[int] = None,
    time: Optional[float] = None,
    depth: Optional[int] = None,
    multipv: int = 1,
    threads: int = 1,
    hash: int = 64,
    tables: Union[str, "PathLike[str]", None] = None,
    notation: str = "uci",
) -> GameReport:
    """Analyses the main line of a game, from its last position to its first, with limits for each position.

    ``time`` is in seconds, ``hash`` the size of the transposition table in MiB, ``tables`` a folder of endgame tables
    besides the built-in ones (that of the user, or ``"none"``), ``notation`` that of the texts. The interpreter's lock is released.

    >>> game = Game()
    >>> last = game.add_line("炮二平五 马8进7 炮五进四 马7进5")
    >>> report = analyse_game(game, nodes=2000)
    >>> [move.mark for move in report.mistakes][-1], len(report.curve)
    ('blunder', 4)
    """
    if nodes is None and time is None and depth is None:
        raise ValueError("expected a limit for each position: nodes, time or depth")
    check_limits(nodes=nodes, time=time, depth=depth, multipv=multipv, threads=threads, hash=hash)
    found = _cannonade.analyse_game(tree_of(game), nodes, time, depth, multipv, threads, hash, tables)
    report = GameReport(found, "uci")
    report.notation = notation
    return report


def reports_page(
    reports: Iterable[GameReport], *, language: str = "en", notation: str = "wxf", rules: str = "WXF"
) -> str:
    """A page to step through several games, one HTML file, as ``cannonade analyze --html`` writes it."""
    return _cannonade.report_page([report._report for report in reports], language, notation, rules)


def games_table(reports: Iterable[GameReport]) -> str:
    """A line for each game: players, result, accuracy, centipawns lost a move, blunders, opening.

    >>> game = Game()
    >>> last = game.add_line("炮二平五 马8进7")
    >>> print(games_table([analyse_game(game, nodes=100)] * 2).splitlines()[0].split())
    ['game', 'red', 'black', 'result', 'plies', 'accuracy', 'cp', 'loss', 'blunders', 'opening']
    """
    return _cannonade.games_table([report._report for report in reports])


def _score(found: dict[str, int], red_moved: bool = False) -> Score:
    """The score for Red; one of a game that is over is lost for the side that did not move."""
    ((kind, value),) = found.items()
    return Score(kind, value, red_moved and kind == "mate" and value == 0)  # type: ignore[arg-type]


def _analysed(found: dict[str, Any]) -> AnalysedMove:
    is_red = found["side"] == "red"
    lines = [Line(_score(line["score"]), list(map(Move.from_uci, line["moves"]))) for line in found["lines"]]
    return AnalysedMove(
        ply=found["ply"], number=found["number"], side=is_red, move=Move.from_uci(found["move"]),
        text=found["text"], fen=found["fen"], phase=found["phase"], score=_score(found["score"], is_red),
        wdl=tuple(found["wdl"]), depth=found["depth"],
        best=None if found["best"] is None else Move.from_uci(found["best"]), lines=lines,
        lines_depth=found["lines_depth"], nodes=found["nodes"], time=found["time_ms"] / 1000,
        table=None if found["table"] is None else TableValue(**found["table"], exact=True), loss=found["loss"],
        mark=found["class"], cp_loss=found["cp_loss"],
    )


def _summary(found: dict[str, Any]) -> SideSummary:
    return SideSummary(
        found["accuracy"], found["accuracy_by_phase"], marks=found["classes"], average_cp_loss=found["average_cp_loss"]
    )
