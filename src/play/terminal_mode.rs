//! The mode of the terminal, which a line editor changes while a line is typed.

#[cfg(unix)]
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

/// The mode of standard input when the program started; restored at the end.
pub(super) struct TerminalMode {
    #[cfg(unix)]
    mode: Option<Termios>,
}

impl TerminalMode {
    /// Keeps the present mode, if standard input is a terminal.
    pub(super) fn current() -> TerminalMode {
        TerminalMode {
            #[cfg(unix)]
            mode: tcgetattr(std::io::stdin()).ok(),
        }
    }
}

#[cfg(unix)]
impl Drop for TerminalMode {
    fn drop(&mut self) {
        if let Some(mode) = &self.mode {
            // A terminal that has gone needs no mode.
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, mode);
        }
    }
}
