//! The `cannonade` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    cannonade::commands::run()
}
