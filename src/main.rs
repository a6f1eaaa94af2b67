//! The `cannonade` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    match cannonade::commands::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
