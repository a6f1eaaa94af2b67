//! Moves, and what is taken for moves.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PySequence, PyString};
use xiangqi::notation::{self, Notation, read_moves, without_number};
use xiangqi::{GameResult, Position, Square};

use crate::board::Board;
use crate::errors::value_error;
use crate::numbers::Whole;

/// A move from one square to another, squares numbered 0 (a0) to 89 (i9), or the null move, which
/// is no legal move and false.
///
/// >>> move = Move.from_uci("h2e2")
/// >>> move.iccs()
/// 'H2-E2'
/// >>> move.wxf(Board()), move.chinese(Board())
/// ('C2=5', '炮二平五')
#[pyclass(frozen, eq, ord, hash, from_py_object, module = "cannonade")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub Option<xiangqi::Move>);

impl From<xiangqi::Move> for Move {
    fn from(mv: xiangqi::Move) -> Move {
        Move(Some(mv))
    }
}

/// The text of the null move in UCI.
const NULL: &str = "0000";

/// A square by its number.
pub fn square(index: &Whole) -> PyResult<Square> {
    match index.get() {
        Some(index @ 0..90) => Ok(Square::from_index(index)),
        _ => Err(value_error(format_args!("{index} is not a square; expected 0 (a0) to 89 (i9)"))),
    }
}

#[pymethods]
impl Move {
    #[new]
    fn new(from_square: Whole, to_square: Whole) -> PyResult<Move> {
        let (from, to) = (square(&from_square)?, square(&to_square)?);
        let mv = xiangqi::Move::new(from, to);
        mv.map(Move::from).ok_or_else(|| value_error("a move needs two different squares"))
    }

    /// The null move, `0000`, which stands for no move.
    ///
    /// >>> bool(Move.null()), Move.null() == Move.from_uci("0000")
    /// (False, True)
    #[staticmethod]
    fn null() -> Move {
        Move(None)
    }

    /// Reads two squares such as `h2e2` or `H2-E2`, or the null move `0000`.
    ///
    /// >>> Move.from_uci("h2-x2")
    /// Traceback (most recent call last):
    /// ...
    /// ValueError: 'h2-x2' is not a valid move; expected two squares such as 'h2e2' (files a-i,
    /// ranks 0-9)
    #[staticmethod]
    fn from_uci(text: &str) -> PyResult<Move> {
        if text == NULL {
            return Ok(Move::null());
        }
        text.parse().map(|mv| Move(Some(mv))).map_err(value_error)
    }

    /// Reads a legal move of the board in any notation: UCI, ICCS, WXF, Chinese or algebraic.
    ///
    /// >>> Move.parse("马八进七", Board())
    /// Move.from_uci('b0c2')
    #[staticmethod]
    fn parse(text: &str, board: PyRef<'_, Board>) -> PyResult<Move> {
        board.parse_move(text)
    }

    /// The square that the piece leaves; 0 for the null move.
    #[getter]
    #[allow(clippy::wrong_self_convention, reason = "the name in python-chess")]
    fn from_square(&self) -> usize {
        self.0.map_or(0, |mv| mv.from().index())
    }

    /// The square that the piece goes to; 0 for the null move.
    #[getter]
    #[allow(clippy::wrong_self_convention, reason = "the name in python-chess")]
    fn to_square(&self) -> usize {
        self.0.map_or(0, |mv| mv.to().index())
    }

    /// The move as engines write it, ``h2e2``.
    fn uci(&self) -> String {
        self.0.map_or_else(|| NULL.to_owned(), |mv| mv.to_string())
    }

    /// The move as game files write it, ``H2-E2``.
    fn iccs(&self) -> String {
        let text = |mv: xiangqi::Move| format!("{}-{}", mv.from(), mv.to()).to_uppercase();
        self.0.map_or_else(|| NULL.to_owned(), text)
    }

    /// The move in WXF notation, ``C2=5``. It must be legal on the board.
    fn wxf(&self, board: PyRef<'_, Board>) -> PyResult<String> {
        self.written(&board, Notation::Wxf)
    }

    /// The move in Chinese, ``炮二平五``. It must be legal on the board.
    #[pyo3(signature = (board, traditional = false))]
    fn chinese(&self, board: PyRef<'_, Board>, traditional: bool) -> PyResult<String> {
        let notation = if traditional { Notation::Traditional } else { Notation::Chinese };
        self.written(&board, notation)
    }

    /// The move in the notation of this name: ``iccs``, ``uci``, ``uci10``, ``wxf``, ``chinese``,
    /// ``traditional`` or ``algebraic``. It must be legal on the board.
    fn text(&self, board: PyRef<'_, Board>, notation: &str) -> PyResult<String> {
        self.written(&board, notation.parse().map_err(value_error)?)
    }

    fn __str__(&self) -> String {
        self.uci()
    }

    fn __repr__(&self) -> String {
        format!("Move.from_uci('{}')", self.uci())
    }

    fn __bool__(&self) -> bool {
        self.0.is_some()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Move>().getattr("from_uci")?, (self.uci(),)))
    }
}

impl Move {
    /// The move if it is legal.
    pub fn legal(&self, position: &Position) -> PyResult<xiangqi::Move> {
        let no_pass = || value_error("the null move passes the turn, which xiangqi does not allow");
        position.check_move(self.0.ok_or_else(no_pass)?).map_err(value_error)
    }

    fn written(&self, board: &Board, notation: Notation) -> PyResult<String> {
        let position = board.position()?;
        Ok(notation::write(position, self.legal(position)?, notation))
    }
}

/// A move, or its text in any notation.
pub enum MoveOrText {
    Move(Move),
    Text(String),
}

impl<'a, 'py> FromPyObject<'a, 'py> for MoveOrText {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<MoveOrText> {
        if let Ok(mv) = object.extract() {
            return Ok(MoveOrText::Move(mv));
        }
        if object.is_instance_of::<PyString>() {
            return object.extract().map(MoveOrText::Text);
        }
        Err(wrong_type("a Move or text", object))
    }
}

fn wrong_type(expected: &str, object: Borrowed<'_, '_, PyAny>) -> PyErr {
    match object.get_type().name() {
        Ok(name) => PyTypeError::new_err(format!("expected {expected}, not {name}")),
        Err(error) => error,
    }
}

impl MoveOrText {
    /// The move if it is legal.
    pub fn legal(&self, position: &Position) -> PyResult<xiangqi::Move> {
        match self {
            MoveOrText::Move(mv) => mv.legal(position),
            MoveOrText::Text(text) => notation::read(position, text).map_err(value_error),
        }
    }

    fn text(self) -> String {
        match self {
            MoveOrText::Move(mv) => mv.uci(),
            MoveOrText::Text(text) => text,
        }
    }
}

/// Moves one after another, or a text of them, divided by spaces or commas.
pub enum MovesOrText {
    Text(String),
    Moves(Vec<MoveOrText>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for MovesOrText {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<MovesOrText> {
        if object.is_instance_of::<PyString>() {
            return object.extract().map(MovesOrText::Text);
        }
        if object.cast::<PySequence>().is_ok() {
            return object.extract().map(MovesOrText::Moves);
        }
        Err(wrong_type("text or a list of moves", object))
    }
}

impl MovesOrText {
    /// The moves if they are legal one after another; the numbers of moves, such as `3.`, are
    /// skipped, and a result at the end.
    pub fn legal(self, position: &Position) -> PyResult<Vec<xiangqi::Move>> {
        let texts: Vec<String> = match self {
            MovesOrText::Text(text) => vec![text],
            MovesOrText::Moves(moves) => moves.into_iter().map(MoveOrText::text).collect(),
        };
        let is_divider = |c: char| c.is_whitespace() || c == ',';
        let words = texts.iter().flat_map(|text| text.split(is_divider));
        let words = words.map(without_number).filter(|word| !word.is_empty());
        let mut words: Vec<&str> = words.collect();
        words.pop_if(|word| GameResult::from_text(word).is_some());
        read_moves(position, &words).map_err(value_error)
    }
}
