//! The error of a command, and its exit code.

use std::io;

use cannonade_training::GameFileError;

use super::output::print_error;

/// The error of a command, which decides the exit code.
#[derive(Debug)]
pub enum Failure {
    /// The input is wrong: a FEN, move, file or flag. Exit code 2, as clap returns for flags.
    Input(anyhow::Error),
    /// The work could not be done. Exit code 1.
    Work(anyhow::Error),
    /// Ctrl-C or a request to end came before all work was done: what is done and how to go on.
    /// Exit code 130, as shells report a process that Ctrl-C has ended.
    Interrupted(String),
}

impl Failure {
    /// Returns an error of the input, for `map_err`.
    pub(super) fn input(error: impl Into<anyhow::Error>) -> Failure {
        Failure::Input(error.into())
    }

    /// Prints the error and returns the exit code.
    ///
    /// A closed output pipe (`cannonade ... | head`) is not a failure.
    pub fn report(&self) -> u8 {
        let (code, error) = match self {
            Failure::Input(error) => (2, error),
            Failure::Work(error) => (1, error),
            Failure::Interrupted(text) => {
                print_error(text);
                return 130;
            }
        };
        let is_broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
            let of_file = cause.downcast_ref().and_then(GameFileError::system_error);
            let error = of_file.or_else(|| cause.downcast_ref());
            error.is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe)
        };
        if error.chain().any(is_broken_pipe) {
            return 0;
        }
        print_error(format_args!("error: {error:#}"));
        code
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::Work(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Work(error.into())
    }
}
