//! Endgame tables.

use std::path::PathBuf;
use std::sync::Arc;

use cannonade::tables::{Tables as OpenTables, Value};
use pyo3::prelude::*;

use crate::board::Board;
use crate::errors::value_error;
use crate::moves::Move;

/// A value: result for the side to move, plies to the end, whether it holds under rules of repetition.
pub type TableValue = (&'static str, Option<u8>, bool);

pub fn table_value(value: Value) -> TableValue {
    (value.wdl().name(), value.plies(), value.is_exact())
}

/// The built-in tables and those of a folder.
#[pyclass(frozen, module = "cannonade._cannonade")]
pub struct Tables {
    tables: Arc<OpenTables>,
    problems: Vec<String>,
}

#[pymethods]
impl Tables {
    #[new]
    #[pyo3(signature = (folder = None))]
    fn new(folder: Option<PathBuf>) -> PyResult<Tables> {
        let Some(folder) = folder else {
            return Ok(Tables { tables: OpenTables::shared(), problems: Vec::new() });
        };
        let (tables, problems) = OpenTables::open(&folder).map_err(value_error)?;
        let problems = problems.iter().map(ToString::to_string).collect();
        Ok(Tables { tables: Arc::new(tables), problems })
    }

    /// The files that could not be used, with the reasons.
    #[getter]
    fn problems(&self) -> Vec<String> {
        self.problems.clone()
    }

    /// The names of the tables.
    #[getter]
    fn signatures(&self) -> Vec<String> {
        self.tables.signatures().iter().map(ToString::to_string).collect()
    }

    /// The value of a position and those of its moves, the best one first; None without a table.
    fn probe(&self, board: PyRef<'_, Board>) -> Option<(TableValue, Vec<(Move, TableValue)>)> {
        let found = self.tables.probe(&board.position)?;
        let moves = found.moves.into_iter().map(|(mv, value)| (Move(mv), table_value(value)));
        Some((table_value(found.value), moves.collect()))
    }
}
