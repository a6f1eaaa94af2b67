//! The end of a game: mate, stalemate, repetitions, limits.

use pyo3::prelude::*;
use xiangqi::rules::{Regulations, occurrences};

use crate::errors::value_error;
use crate::numbers::Whole;

use super::{Board, is_red};

#[pymethods]
impl Board {
    /// True if the side to move is in check and has no legal move.
    fn is_checkmate(&self) -> PyResult<bool> {
        let position = self.position()?;
        Ok(position.in_check() && !position.has_legal_move())
    }

    /// True if the side to move has no legal move and is not in check. It has lost.
    fn is_stalemate(&self) -> PyResult<bool> {
        let position = self.position()?;
        Ok(!position.in_check() && !position.has_legal_move())
    }

    /// True if the position has occurred at least this often on the board.
    #[pyo3(signature = (count = 3))]
    fn is_repetition(&self, #[pyo3(from_py_with = repetitions)] count: u32) -> PyResult<bool> {
        Ok(occurrences(self.position()?).count() + 1 >= count as usize)
    }

    /// True if the game has ended; see ``outcome``.
    #[pyo3(signature = (*, rules = "WXF", natural_limit = None))]
    fn is_game_over(&self, rules: &str, natural_limit: Option<Whole>) -> PyResult<bool> {
        let regulations = regulations(rules, natural_limit)?;
        Ok(regulations.outcome(self.position()?).is_some())
    }

    /// The end of the game by a rule book, or None: mate, stalemate, a repetition that is ruled at
    /// the third occurrence, the natural-move limit in plies (by default that of the rule book, 0
    /// for none), or pieces with which neither side can win.
    ///
    /// >>> board = Board("3k5/9/9/9/9/9/9/9/4A4/R3K4 w")
    /// >>> _ = board.push_line("a0a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9 a8a9")
    /// >>> print(board.outcome())
    /// black wins: repetition (red: perpetual check, black: allowed moves)
    #[pyo3(signature = (*, rules = "WXF", natural_limit = None))]
    fn outcome<'py>(
        &self,
        py: Python<'py>,
        rules: &str,
        natural_limit: Option<Whole>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let regulations = regulations(rules, natural_limit)?;
        let Some(outcome) = regulations.outcome(self.position()?) else { return Ok(None) };
        let class = py.import("cannonade._results")?.getattr("Outcome")?;
        let termination = crate::rulings::termination(outcome.reason);
        let winner = outcome.winner.map(is_red);
        class.call1((termination, winner, outcome.to_string())).map(Some)
    }
}

/// The regulations of a rule book by name.
fn regulations(rules: &str, natural_limit: Option<Whole>) -> PyResult<Regulations> {
    let rules = Regulations::of(rules.parse().map_err(value_error)?);
    let Some(plies) = natural_limit else {
        return Ok(rules);
    };
    let natural_limit = plies.within("natural_limit", 0..=u16::MAX.into())? as u16;
    Ok(Regulations { natural_limit, ..rules })
}

/// A number of occurrences of a position.
fn repetitions(number: &Bound<'_, PyAny>) -> PyResult<u32> {
    number.extract::<Whole>()?.within("count", 0..=u32::MAX)
}
