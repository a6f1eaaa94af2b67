//! Errors of the engine as exceptions.

use std::ffi::CString;
use std::fmt::Display;
use std::io;
use std::path::Path;

use cannonade_engine::OptionError;
use pyo3::exceptions::{PyOSError, PyUserWarning, PyValueError};
use pyo3::prelude::*;

/// A `ValueError` with the words of the program.
pub fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The `OSError` of a file; Python chooses the subclass, such as `FileNotFoundError`, by the
/// number.
pub fn file_error(error: &io::Error, path: &Path) -> PyErr {
    match error.raw_os_error() {
        Some(number) => {
            PyOSError::new_err((number, without_number(number, error), path.as_os_str().to_owned()))
        }
        None => PyOSError::new_err(format!("cannot read {}: {error}", path.display())),
    }
}

/// The error of an input: an `OSError` if an error of the system is the cause, else a `ValueError`.
pub fn input_error(error: impl Display, system: Option<&io::Error>) -> PyErr {
    match system {
        Some(system) => system_error(system.raw_os_error(), error),
        None => value_error(error),
    }
}

/// The error of an option, as [`input_error`].
pub fn option_error(error: &OptionError) -> PyErr {
    match error {
        OptionError::Unreadable { code, .. } => system_error(*code, error),
        _ => value_error(error),
    }
}

fn system_error(number: Option<i32>, error: impl Display) -> PyErr {
    match number {
        Some(number) => PyOSError::new_err((number, without_number(number, error))),
        None => PyOSError::new_err(error.to_string()),
    }
}

/// The words of an error of the system. Python adds the number itself.
fn without_number(number: i32, error: impl Display) -> String {
    error.to_string().replace(&format!(" (os error {number})"), "")
}

/// Warns of what can be used only in part. The warning names the line of the function of Python
/// that is at this level: 1 is the one that called Rust, 2 its caller.
pub fn warn(py: Python<'_>, text: impl Display, level: i32) -> PyResult<()> {
    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(text.to_string())?, level)
}
