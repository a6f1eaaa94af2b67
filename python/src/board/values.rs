//! Boards as values of Python: copied, compared, hashed, pickled.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use xiangqi::Position;
use xiangqi::board::FenError;

use crate::errors::value_error;
use crate::moves::Move;

use super::Board;

#[pymethods]
impl Board {
    /// A copy; without its moves if ``stack`` is False.
    #[pyo3(signature = (*, stack = true))]
    fn copy(&self, stack: bool) -> Board {
        match &self.position {
            Ok(position) if !stack => position.without_history().into(),
            position => Board { position: position.clone() },
        }
    }

    fn __str__(&self) -> String {
        self.placement().to_string()
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.fen())
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Board>() else { return Ok(py.NotImplemented()) };
        let are_equal = self.placement() == other.try_borrow()?.placement();
        match op {
            CompareOp::Eq => Ok(are_equal.into_pyobject(py)?.to_owned().into_any().unbind()),
            CompareOp::Ne => Ok((!are_equal).into_pyobject(py)?.to_owned().into_any().unbind()),
            _ => Err(PyTypeError::new_err("boards have no order")),
        }
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.key().hash(&mut hasher);
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
        Ok((restore, (self.root().fen(), self.move_stack())))
    }
}

/// The board that was pickled.
#[pyfunction]
pub fn restore_board(fen: &str, moves: Vec<Move>) -> PyResult<Board> {
    let mut position = match Position::from_recorded_fen(fen) {
        Ok(position) => position,
        Err(FenError::Defect(_)) => {
            let placement = xiangqi::Board::from_fen(fen).map_err(value_error)?;
            return Ok(Board { position: Err(placement) });
        }
        Err(error) => return Err(value_error(error)),
    };
    for mv in moves {
        let mv = mv.legal(&position)?;
        position.play_unchecked(mv);
    }
    Ok(position.into())
}
