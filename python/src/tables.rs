//! Endgame tables.

use std::path::PathBuf;

use cannonade_tables::{OpenedTables, TableSource, Value};
use pyo3::prelude::*;

use crate::board::Board;
use crate::errors::{input_error, warn};
use crate::moves::Move;

/// A value: result for the side to move, plies to the end, whether it holds under rules of
/// repetition.
pub type TableValue = (&'static str, Option<u8>, bool);

/// The value of a position and those of its moves.
type Probed = (TableValue, Vec<(Move, TableValue)>);

pub fn table_value(value: Value) -> TableValue {
    (value.wdl().name(), value.plies(), value.is_exact())
}

/// The tables of a folder; without one those of the user.
pub fn table_source(folder: Option<PathBuf>) -> TableSource {
    folder.map_or(TableSource::User, TableSource::from)
}

/// Warns of files in the folder of the user that cannot be used; it was not named by the caller.
/// The warning has the line that calls the function of Python.
pub fn warn_of_user_tables(py: Python<'_>) -> PyResult<()> {
    let Some(problem) = py.detach(|| OpenedTables::of_user().problem()) else { return Ok(()) };
    warn(py, problem, 2)
}

/// The built-in tables and those of a folder.
#[pyclass(frozen, module = "cannonade._cannonade")]
pub struct Tables(OpenedTables);

#[pymethods]
impl Tables {
    #[new]
    #[pyo3(signature = (folder = None))]
    fn new(folder: Option<PathBuf>) -> PyResult<Tables> {
        let opened = table_source(folder).open();
        opened.map(Tables).map_err(|error| input_error(&error, error.system_error()))
    }

    /// The files that could not be used, with the reasons.
    #[getter]
    fn problems(&self) -> Vec<String> {
        self.0.problems.iter().map(ToString::to_string).collect()
    }

    /// The names of the tables.
    #[getter]
    fn signatures(&self) -> Vec<String> {
        self.0.tables.signatures().iter().map(ToString::to_string).collect()
    }

    /// The value of a position and those of its moves, the best one first; None without a table.
    fn probe(&self, board: PyRef<'_, Board>) -> PyResult<Option<Probed>> {
        let Ok(found) = self.0.tables.probe(board.position()?) else { return Ok(None) };
        let moves = found.moves.into_iter().map(|(mv, value)| (Move::from(mv), table_value(value)));
        Ok(Some((table_value(found.value), moves.collect())))
    }
}
