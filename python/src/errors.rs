//! Errors of the engine as exceptions.

use std::fmt::Display;
use std::path::Path;

use pyo3::PyErr;
use pyo3::exceptions::{PyOSError, PyValueError};

/// A `ValueError` with the words of the program.
pub fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The `OSError` of a file; Python chooses the subclass, such as `FileNotFoundError`, by the
/// number.
pub fn file_error(error: &std::io::Error, path: &Path) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            let text = error.to_string();
            // Python adds the number itself.
            let text = text.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((number, text, path.to_path_buf()))
        }
        None => PyOSError::new_err(format!("cannot read {}: {error}", path.display())),
    }
}
