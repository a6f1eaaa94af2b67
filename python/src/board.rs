//! A position with the moves that led to it.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::PyDict;
use xiangqi::notation::{self, write_line};
use xiangqi::rules::{Regulations, occurrences};
use xiangqi::{Color, Position, START_FEN, Square};

use crate::errors::value_error;
use crate::moves::{Move, MoveOrText, MovesOrText, square};
use crate::pictures::Drawing;
use crate::waiting;

/// The deepest count of move paths: no deeper one finishes, and the stack grows with it.
const DEEPEST_PERFT: u32 = 20;

/// A position with the moves that led to it.
///
/// ``Board()`` is the starting position, ``Board(fen)`` another one; counters may be left out.
///
/// >>> board = Board()
/// >>> board.push("炮二平五")
/// Move.from_uci('h2e2')
/// >>> board.fen()
/// 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1'
/// >>> board.turn == BLACK, len(board.legal_moves)
/// (True, 45)
///
/// Two boards are equal, and have the same hash, if the same pieces stand on the same squares and the
/// same side is to move; counters and the moves before do not matter. A board that is a key of a
/// dictionary must not be changed.
#[pyclass(module = "cannonade")]
pub struct Board {
    pub position: Position,
}

/// A side as Python has it: True for Red.
pub fn is_red(color: Color) -> bool {
    color == Color::Red
}

/// Reads a FEN.
pub fn position(fen: &str) -> PyResult<Position> {
    Position::from_fen(fen).map_err(value_error)
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (fen = START_FEN))]
    fn new(fen: &str) -> PyResult<Board> {
        Ok(Board { position: position(fen)? })
    }

    /// The position as FEN with all six fields.
    fn fen(&self) -> String {
        self.position.fen()
    }

    /// The side to move: ``RED`` (True) or ``BLACK`` (False).
    #[getter]
    fn turn(&self) -> bool {
        is_red(self.position.side())
    }

    /// The number of the next move, from 1; it grows after Black's moves.
    #[getter]
    fn fullmove_number(&self) -> u32 {
        self.position.move_number()
    }

    /// The plies since the last capture.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        self.position.halfmove_clock()
    }

    /// The Zobrist key of the pieces and the side to move, 64 bits.
    #[getter]
    fn key(&self) -> u64 {
        self.position.key()
    }

    /// The plies made on this board.
    fn ply(&self) -> usize {
        self.position.ply()
    }

    /// The moves made on this board, the first one first.
    #[getter]
    fn move_stack(&self) -> Vec<Move> {
        self.moves().into_iter().map(Move).collect()
    }

    /// The board before the first move.
    fn root(&self) -> Board {
        Board { position: self.start() }
    }

    /// The legal moves.
    #[getter]
    fn legal_moves(&self) -> Vec<Move> {
        self.position.legal_moves().into_iter().map(Move).collect()
    }

    /// Whether the move is legal.
    fn is_legal(&self, r#move: &Move) -> bool {
        self.position.check_move(r#move.0).is_ok()
    }

    /// Whether the move captures a piece.
    fn is_capture(&self, r#move: &Move) -> bool {
        self.position.is_capture(r#move.0)
    }

    /// Reads a legal move in any notation.
    ///
    /// >>> Board().parse_move("H2+3")
    /// Move.from_uci('h0g2')
    fn parse_move(&self, text: &str) -> PyResult<Move> {
        notation::read(&self.position, text).map(Move).map_err(value_error)
    }

    /// Makes a legal move, given as ``Move`` or as text in any notation, and returns it.
    ///
    /// >>> Board().push("e0e5")
    /// Traceback (most recent call last):
    /// ...
    /// ValueError: 'e0e5': move e0e5: the red king on e0 cannot go to e5
    fn push(&mut self, r#move: MoveOrText) -> PyResult<Move> {
        let mv = r#move.legal(&self.position)?;
        self.position.make(mv);
        Ok(Move(mv))
    }

    /// Makes several legal moves, or none if one of them is not legal: a list, or a text in which spaces
    /// divide them.
    ///
    /// >>> board = Board()
    /// >>> board.push_line("1. C2=5 H8+7 2. H2+3")
    /// [Move.from_uci('h2e2'), Move.from_uci('h9g7'), Move.from_uci('h0g2')]
    fn push_line(&mut self, moves: MovesOrText) -> PyResult<Vec<Move>> {
        let moves = moves.legal(&self.position)?;
        for &mv in &moves {
            self.position.make(mv);
        }
        Ok(moves.into_iter().map(Move).collect())
    }

    /// Takes the last move back and returns it.
    fn pop(&mut self) -> PyResult<Move> {
        let last = self.peek()?;
        self.position.unmake();
        Ok(last)
    }

    /// The last move.
    fn peek(&self) -> PyResult<Move> {
        let no_move = || PyIndexError::new_err("there is no move on the board");
        self.position.state().mv.map(Move).ok_or_else(no_move)
    }

    /// The texts of a line of legal moves from here, in the notation of this name.
    ///
    /// >>> Board().variation(["h2e2", "h9g7"], "chinese")
    /// ['炮二平五', '马８进７']
    #[pyo3(signature = (moves, notation = "wxf"))]
    fn variation(&self, moves: MovesOrText, notation: &str) -> PyResult<Vec<String>> {
        let notation = notation.parse().map_err(value_error)?;
        Ok(write_line(&self.position, &moves.legal(&self.position)?, notation))
    }

    /// Whether the side to move is in check.
    fn is_check(&self) -> bool {
        self.position.in_check()
    }

    /// The squares of the pieces that give check.
    fn checkers(&self) -> Vec<usize> {
        self.position.checkers().into_iter().map(Square::index).collect()
    }

    /// Whether the move gives check.
    fn gives_check(&self, r#move: &Move) -> PyResult<bool> {
        let mut position = self.position.without_history();
        position.make(position.check_move(r#move.0).map_err(value_error)?);
        Ok(position.in_check())
    }

    /// Whether the side to move is in check and has no legal move.
    fn is_checkmate(&self) -> bool {
        self.position.in_check() && !self.position.has_legal_move()
    }

    /// Whether the side to move has no legal move and is not in check. It has lost.
    fn is_stalemate(&self) -> bool {
        !self.position.in_check() && !self.position.has_legal_move()
    }

    /// Whether the position has occurred this often on the board.
    #[pyo3(signature = (count = 3))]
    fn is_repetition(&self, count: usize) -> bool {
        occurrences(&self.position).count() + 1 >= count
    }

    /// Whether the game has ended; see ``outcome``.
    #[pyo3(signature = (*, rules = "WXF", natural_limit = None))]
    fn is_game_over(&self, rules: &str, natural_limit: Option<u16>) -> PyResult<bool> {
        let regulations = regulations(rules, natural_limit)?;
        Ok(regulations.outcome(&self.position).is_some())
    }

    /// How the game has ended by a rule book, or None: mate, stalemate, a repetition that is ruled at the
    /// third occurrence, the natural-move limit in plies (by default that of the rule book, 0 for none),
    /// or pieces with which neither side can win.
    ///
    /// >>> board = Board("3k5/9/9/9/9/9/9/9/4A4/R3K4 w")
    /// >>> _ = board.push_line("a0a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9 a8a9")
    /// >>> print(board.outcome())
    /// black wins: repetition (red: perpetual check, black: idle)
    #[pyo3(signature = (*, rules = "WXF", natural_limit = None))]
    fn outcome<'py>(
        &self,
        py: Python<'py>,
        rules: &str,
        natural_limit: Option<u16>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let regulations = regulations(rules, natural_limit)?;
        let Some(outcome) = regulations.outcome(&self.position) else { return Ok(None) };
        let class = py.import("cannonade._results")?.getattr("Outcome")?;
        let termination = crate::rulings::termination(outcome.reason);
        let winner = outcome.winner.map(is_red);
        class.call1((termination, winner, outcome.to_string())).map(Some)
    }

    /// The piece on a square as its FEN letter, capital for Red, or None.
    ///
    /// >>> Board().piece_at(parse_square("h2"))
    /// 'C'
    fn piece_at(&self, square: usize) -> PyResult<Option<char>> {
        Ok(self.position.piece_on(crate::moves::square(square)?).map(xiangqi::Piece::letter))
    }

    /// All pieces: FEN letters by square.
    fn piece_map<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let map = PyDict::new(py);
        for square in self.position.occupied() {
            let piece = self.position.piece_on(square).map(xiangqi::Piece::letter);
            map.set_item(square.index(), piece)?;
        }
        Ok(map)
    }

    /// The square of a side's king.
    fn king(&self, color: bool) -> usize {
        self.position.king(if color { Color::Red } else { Color::Black }).index()
    }

    /// The squares of the pieces of a side that attack a square.
    fn attackers(&self, color: bool, square: usize) -> PyResult<Vec<usize>> {
        let side = if color { Color::Red } else { Color::Black };
        let board = self.position.board();
        let attackers = board.attackers_to(self::square(square)?, board.occupied());
        Ok((attackers & board.color(side)).into_iter().map(Square::index).collect())
    }

    /// The number of move paths of this many plies.
    ///
    /// >>> Board().perft(3)
    /// 79666
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        if depth > DEEPEST_PERFT {
            let message = format!("depth {depth} is too deep; expected 0 to {DEEPEST_PERFT}");
            return Err(value_error(message));
        }
        let mut position = self.position.without_history();
        if depth == 0 {
            return Ok(1);
        }
        let stop = std::sync::atomic::AtomicBool::new(false);
        let ordering = std::sync::atomic::Ordering::Relaxed;
        let count = || count_paths(&mut position, depth, &|| stop.load(ordering));
        waiting::run(py, count, || stop.store(true, ordering))
    }

    /// A copy; without its moves if ``stack`` is False.
    #[pyo3(signature = (*, stack = true))]
    fn copy(&self, stack: bool) -> Board {
        let position = if stack { self.position.clone() } else { self.position.without_history() };
        Board { position }
    }

    /// The board as an SVG document that needs no font: ``pieces`` are ``chinese``, ``simplified``,
    /// ``latin`` or ``symbols``, ``coordinates`` ``0-9``, ``1-10``, ``chinese`` or ``none``, the theme
    /// ``light`` or ``dark``. Arrows (``h2e2``, ``h2e2:chase:1``) and marks (``e4``, ``e4:victim``) are as
    /// those of ``cannonade board``. The last move is marked unless ``last_move`` is False.
    ///
    /// >>> Board().svg(arrows=["h2e2"])[:4]
    /// '<svg'
    #[pyo3(signature = (*, arrows = vec![], marks = vec![], flipped = false, pieces = "chinese",
        coordinates = "0-9", theme = "light", last_move = true, size = None))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn svg(
        &self,
        arrows: Vec<String>,
        marks: Vec<String>,
        flipped: bool,
        pieces: &str,
        coordinates: &str,
        theme: &str,
        last_move: bool,
        size: Option<u32>,
    ) -> PyResult<String> {
        let drawing = Drawing { arrows, marks, flipped, pieces, coordinates, theme, last_move };
        drawing.svg(&self.position, size)
    }

    /// The board as a PNG picture of this width in pixels; the other arguments are those of ``svg``.
    #[pyo3(signature = (width = 976, *, arrows = vec![], marks = vec![], flipped = false,
        pieces = "chinese", coordinates = "0-9", theme = "light", last_move = true))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn png(
        &self,
        py: Python<'_>,
        width: u32,
        arrows: Vec<String>,
        marks: Vec<String>,
        flipped: bool,
        pieces: &str,
        coordinates: &str,
        theme: &str,
        last_move: bool,
    ) -> PyResult<Vec<u8>> {
        let drawing = Drawing { arrows, marks, flipped, pieces, coordinates, theme, last_move };
        let picture = drawing.picture(&self.position)?;
        py.detach(|| xiangqi::pictures::png(&picture, width)).map_err(value_error)
    }

    /// The board as text with Chinese pieces and lines.
    fn unicode(&self) -> String {
        crate::pictures::unicode(&self.position)
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        Drawing::default().svg(&self.position, Some(400))
    }

    fn __str__(&self) -> String {
        self.position.board().to_string()
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.position.fen())
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Board>() else { return Ok(py.NotImplemented()) };
        let are_equal = self.position.board() == other.try_borrow()?.position.board();
        match op {
            CompareOp::Eq => Ok(are_equal.into_pyobject(py)?.to_owned().into_any().unbind()),
            CompareOp::Ne => Ok((!are_equal).into_pyobject(py)?.to_owned().into_any().unbind()),
            _ => Err(PyTypeError::new_err("boards have no order")),
        }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.position.key().hash(&mut hasher);
        hasher.finish()
    }

    fn __copy__(&self) -> Board {
        self.copy(true)
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Board {
        self.copy(true)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, Vec<Move>))> {
        let restore = py.import("cannonade._cannonade")?.getattr("restore_board")?;
        Ok((restore, (self.start().fen(), self.move_stack())))
    }
}

impl Board {
    /// The moves made on the board.
    fn moves(&self) -> Vec<xiangqi::Move> {
        self.position.states().iter().filter_map(|state| state.mv).collect()
    }

    /// The position before the first move.
    fn start(&self) -> Position {
        let mut position = self.position.clone();
        while position.ply() > 0 {
            position.unmake();
        }
        position
    }
}

/// The board that was pickled.
#[pyfunction]
pub fn restore_board(fen: &str, moves: Vec<Move>) -> PyResult<Board> {
    let mut position = position(fen)?;
    for mv in moves {
        let mv = position.check_move(mv.0).map_err(value_error)?;
        position.make(mv);
    }
    Ok(Board { position })
}

/// The regulations of a rule book by name.
fn regulations(rules: &str, natural_limit: Option<u16>) -> PyResult<Regulations> {
    let rules = Regulations::of(rules.parse().map_err(value_error)?);
    Ok(Regulations { natural_limit: natural_limit.unwrap_or(rules.natural_limit), ..rules })
}

/// Counts move paths; the count means nothing once `is_stopped` is true.
fn count_paths(position: &mut Position, depth: u32, is_stopped: &impl Fn() -> bool) -> u64 {
    if depth <= 3 {
        return xiangqi::perft(position, depth);
    }
    let mut nodes = 0;
    for mv in position.legal_moves() {
        if is_stopped() {
            break;
        }
        position.make(mv);
        nodes += count_paths(position, depth - 1, is_stopped);
        position.unmake();
    }
    nodes
}
