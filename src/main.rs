//! The `cannonade` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    match cannonade::run(std::env::args_os()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => ExitCode::from(failure.report()),
    }
}
