//! The pieces of a board, what they attack, and checks.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use xiangqi::{Color, Square};

use crate::moves::{Move, square};
use crate::numbers::Whole;

use super::{Board, defect};

#[pymethods]
impl Board {
    /// True if the side to move is in check.
    fn is_check(&self) -> PyResult<bool> {
        Ok(self.position()?.in_check())
    }

    /// The reason why the position cannot be searched, or None: the start of a game file may leave
    /// the side that is not to move in check.
    ///
    /// >>> from cannonade import read_games
    /// >>> game = read_games(b'[FEN "3kR4/9/9/9/9/9/9/9/9/4K4 w"]\n\n*')[0]
    /// >>> game.board().defect()
    /// "black is in check but it is the other side's turn; change the side to move"
    fn defect(&self) -> Option<String> {
        self.placement().defect().map(|defect| defect.to_string())
    }

    /// The squares of the pieces that give check.
    fn checkers(&self) -> PyResult<Vec<usize>> {
        Ok(self.position()?.checkers().into_iter().map(Square::index).collect())
    }

    /// True if the move gives check.
    fn gives_check(&self, r#move: &Move) -> PyResult<bool> {
        let mut position = self.position()?.without_history();
        position.play_unchecked(r#move.legal(&position)?);
        Ok(position.in_check())
    }

    /// The piece on a square as its FEN letter, capital for Red, or None.
    fn piece_at(&self, square: Whole) -> PyResult<Option<char>> {
        Ok(self.placement().piece_on(self::square(&square)?).map(xiangqi::Piece::letter))
    }

    /// All pieces: FEN letters by square.
    fn piece_map<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let map = PyDict::new(py);
        for (square, piece) in self.placement().iter() {
            map.set_item(square.index(), piece.letter())?;
        }
        Ok(map)
    }

    /// The square of a side's king.
    fn king(&self, color: bool) -> PyResult<usize> {
        let side = if color { Color::Red } else { Color::Black };
        self.placement().king(side).map(Square::index).ok_or_else(|| defect(self.placement()))
    }

    /// The squares of the pieces of a side that attack a square.
    fn attackers(&self, color: bool, square: Whole) -> PyResult<Vec<usize>> {
        let side = if color { Color::Red } else { Color::Black };
        let board = self.placement();
        let attackers = board.attackers_to(self::square(&square)?, board.occupied());
        Ok((attackers & board.color(side)).into_iter().map(Square::index).collect())
    }
}
