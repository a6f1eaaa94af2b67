//! A position with the moves that led to it.

mod drawing;
mod ending;
mod perft;
mod pieces;
mod values;

pub use values::restore_board;

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use xiangqi::notation::{self, write_line};
use xiangqi::{Color, Position, START_FEN};

use crate::errors::value_error;
use crate::moves::{Move, MoveOrText, MovesOrText};

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
/// Two boards are equal, and have the same hash, if the same pieces stand on the same squares and
/// the same side is to move; counters and the moves before do not matter. A board that is a key of
/// a dictionary must not be changed.
#[pyclass(module = "cannonade")]
pub struct Board {
    pub position: Position,
}

/// A side as Python has it: True for Red.
pub fn is_red(color: Color) -> bool {
    color == Color::Red
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (fen = START_FEN))]
    fn new(fen: &str) -> PyResult<Board> {
        Ok(Board { position: Position::from_fen(fen).map_err(value_error)? })
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

    /// True if the move is legal.
    fn is_legal(&self, r#move: &Move) -> bool {
        self.position.check_move(r#move.0).is_ok()
    }

    /// True if the move captures a piece.
    fn is_capture(&self, r#move: &Move) -> bool {
        self.position.is_capture(r#move.0)
    }

    /// Reads a legal move in any notation.
    ///
    /// >>> Board().parse_move("H2+3")
    /// Move.from_uci('h0g2')
    pub fn parse_move(&self, text: &str) -> PyResult<Move> {
        notation::read(&self.position, text).map(Move).map_err(value_error)
    }

    /// Makes a legal move, given as ``Move`` or as text in any notation, and returns it.
    ///
    /// >>> Board().push("e0e5")
    /// Traceback (most recent call last):
    /// ...
    /// ValueError: 'e0e5': the red king cannot go there
    fn push(&mut self, r#move: MoveOrText) -> PyResult<Move> {
        let mv = r#move.legal(&self.position)?;
        self.position.play_unchecked(mv);
        Ok(Move(mv))
    }

    /// Makes several legal moves, or none if one of them is not legal: a list, or a text in which
    /// spaces divide them. A result at the end, such as ``1-0``, is skipped.
    ///
    /// >>> board = Board()
    /// >>> board.push_line("1. C2=5 H8+7 2. H2+3 *")
    /// [Move.from_uci('h2e2'), Move.from_uci('h9g7'), Move.from_uci('h0g2')]
    fn push_line(&mut self, moves: MovesOrText) -> PyResult<Vec<Move>> {
        let moves = moves.legal(&self.position)?;
        for &mv in &moves {
            self.position.play_unchecked(mv);
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
}

impl Board {
    /// The moves made on the board.
    fn moves(&self) -> Vec<xiangqi::Move> {
        self.position.played_moves().collect()
    }

    /// The position before the first move.
    fn start(&self) -> Position {
        self.position.at_ply(0)
    }
}
