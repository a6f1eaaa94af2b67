//! The program `cannonade`, the same as the binary.

use std::ffi::OsString;

use cannonade_engine::build_name;
use pyo3::prelude::*;

/// Runs the command line; the first argument is the name of the program. Returns the exit code;
/// wrong flags, `--help` and `--version` end the process at once.
#[pyfunction]
pub fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| match cannonade::run(arguments) {
        Ok(()) => 0,
        Err(failure) => failure.report(),
    })
}

/// The version with the commit, the network and the instruction set.
#[pyfunction]
pub fn version() -> &'static str {
    build_name()
}
