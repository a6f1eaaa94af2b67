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
use xiangqi::{Color, Piece, Position, START_FEN};

use crate::errors::value_error;
use crate::moves::{Move, MoveOrText, MovesOrText, square};
use crate::numbers::Whole;

/// The compiled part of ``cannonade.Board``: a position with the moves that led to it.
#[pyclass(subclass, module = "cannonade._cannonade")]
pub struct Board {
    /// The placement alone if it is not a valid position.
    position: Result<Position, xiangqi::Board>,
}

impl From<Position> for Board {
    fn from(position: Position) -> Board {
        Board { position: Ok(position) }
    }
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
        Ok(Position::from_fen(fen).map_err(value_error)?.into())
    }

    /// Sets the pieces, as squares and FEN letters, and the side to move; forgets the moves made.
    ///
    /// If this is not a valid position, because a king is missing for example, the board can be
    /// shown, copied, compared and set up again. Everything else raises a ``ValueError`` that names
    /// the defect.
    fn set_up(&mut self, pieces: Vec<(Whole, char)>, turn: bool) -> PyResult<()> {
        let mut board = xiangqi::Board::empty();
        for (square, letter) in pieces {
            board.put(Piece::from_letter(letter).map_err(value_error)?, self::square(&square)?);
        }
        board.set_side(if turn { Color::Red } else { Color::Black });
        self.position = Position::from_board(board.clone(), 0).map_err(|_| board);
        Ok(())
    }

    /// Copies the position and the moves of another board.
    fn set_to(&mut self, other: &Bound<'_, Board>) -> PyResult<()> {
        self.position = other.try_borrow()?.position.clone();
        Ok(())
    }

    /// The position as FEN with all six fields.
    fn fen(&self) -> String {
        match &self.position {
            Ok(position) => position.fen(),
            Err(placement) => placement.fen(),
        }
    }

    /// The side to move: ``RED`` (True) or ``BLACK`` (False).
    #[getter]
    fn turn(&self) -> bool {
        is_red(self.placement().side())
    }

    /// The number of the next move, from 1; it grows after Black's moves.
    #[getter]
    fn fullmove_number(&self) -> u32 {
        self.position.as_ref().map_or(1, Position::move_number)
    }

    /// The plies since the last capture.
    #[getter]
    fn halfmove_clock(&self) -> u16 {
        self.position.as_ref().map_or(0, Position::halfmove_clock)
    }

    /// The Zobrist key of the pieces and the side to move, 64 bits.
    #[getter]
    fn key(&self) -> u64 {
        self.placement().key()
    }

    /// The plies made on this board.
    fn ply(&self) -> usize {
        self.position.as_ref().map_or(0, Position::ply)
    }

    /// The moves made on this board, the first one first.
    #[getter]
    fn move_stack(&self) -> Vec<Move> {
        self.moves().into_iter().map(Move::from).collect()
    }

    /// The board before the first move.
    fn root(&self) -> Board {
        match &self.position {
            Ok(position) => position.at_ply(0).into(),
            Err(placement) => Board { position: Err(placement.clone()) },
        }
    }

    /// The legal moves.
    #[getter]
    fn legal_moves(&self) -> PyResult<Vec<Move>> {
        Ok(self.position()?.legal_moves().into_iter().map(Move::from).collect())
    }

    /// True if the move is legal.
    fn is_legal(&self, r#move: &Move) -> PyResult<bool> {
        Ok(r#move.legal(self.position()?).is_ok())
    }

    /// True if the move captures a piece.
    fn is_capture(&self, r#move: &Move) -> bool {
        r#move.0.is_some_and(|mv| self.placement().piece_on(mv.to()).is_some())
    }

    /// Reads a legal move in any notation.
    ///
    /// >>> Board().parse_move("H2+3")
    /// Move.from_uci('h0g2')
    pub fn parse_move(&self, text: &str) -> PyResult<Move> {
        notation::read(self.position()?, text).map(Move::from).map_err(value_error)
    }

    /// Makes a legal move, given as ``Move`` or as text in any notation, and returns it.
    ///
    /// >>> Board().push("e0e5")
    /// Traceback (most recent call last):
    /// ...
    /// ValueError: 'e0e5': the red king cannot go there
    fn push(&mut self, r#move: MoveOrText) -> PyResult<Move> {
        let position = self.position_mut()?;
        let mv = r#move.legal(position)?;
        position.play_unchecked(mv);
        Ok(mv.into())
    }

    /// Makes several legal moves, or none if one of them is not legal: a list, or a text in which
    /// spaces divide them. A result at the end, such as ``1-0``, is skipped.
    ///
    /// >>> board = Board()
    /// >>> board.push_line("1. C2=5 H8+7 2. H2+3 *")
    /// [Move.from_uci('h2e2'), Move.from_uci('h9g7'), Move.from_uci('h0g2')]
    fn push_line(&mut self, moves: MovesOrText) -> PyResult<Vec<Move>> {
        let position = self.position_mut()?;
        let moves = moves.legal(position)?;
        for &mv in &moves {
            position.play_unchecked(mv);
        }
        Ok(moves.into_iter().map(Move::from).collect())
    }

    /// Takes the last move back and returns it.
    fn pop(&mut self) -> PyResult<Move> {
        let last = self.peek()?;
        self.position_mut()?.unmake();
        Ok(last)
    }

    /// The last move.
    fn peek(&self) -> PyResult<Move> {
        let no_move = || PyIndexError::new_err("there is no move on the board");
        self.last_move().map(Move::from).ok_or_else(no_move)
    }

    /// The texts of a line of legal moves from here, in the notation of this name.
    ///
    /// >>> Board().variation(["h2e2", "h9g7"], "chinese")
    /// ['炮二平五', '马８进７']
    #[pyo3(signature = (moves, notation = "wxf"))]
    fn variation(&self, moves: MovesOrText, notation: &str) -> PyResult<Vec<String>> {
        let notation = notation.parse().map_err(value_error)?;
        let position = self.position()?;
        Ok(write_line(position, &moves.legal(position)?, notation))
    }
}

impl Board {
    /// The position, or the error that names the defect of the placement.
    pub fn position(&self) -> PyResult<&Position> {
        self.position.as_ref().map_err(defect)
    }

    fn position_mut(&mut self) -> PyResult<&mut Position> {
        self.position.as_mut().map_err(|placement| defect(placement))
    }

    /// The placement, valid or not.
    fn placement(&self) -> &xiangqi::Board {
        self.position.as_ref().map_or_else(|placement| placement, Position::board)
    }

    /// The last move.
    fn last_move(&self) -> Option<xiangqi::Move> {
        self.position.as_ref().ok()?.state().mv
    }

    /// The moves made on the board.
    fn moves(&self) -> Vec<xiangqi::Move> {
        self.position.iter().flat_map(Position::played_moves).collect()
    }
}

/// The error of a call that needs a valid position.
fn defect(placement: &xiangqi::Board) -> PyErr {
    let defect = placement.defect().map(|defect| defect.to_string());
    value_error(format_args!("the board is not a valid position: {}", defect.unwrap_or_default()))
}
