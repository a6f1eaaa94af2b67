//! Colours of the terminal, as escape sequences of ECMA-48.

use std::env;
use std::io::{self, IsTerminal};

use clap::ColorChoice;

/// Whether and how text is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Colors {
    enabled: bool,
}

/// What a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A red piece.
    Red,
    /// A black piece.
    Black,
    /// Lines and labels of the board.
    Grid,
    /// What a person should notice.
    Notice,
}

impl Colors {
    /// The colours of a `--color` flag. Automatic is yes on a terminal that has them, unless the
    /// user set `NO_COLOR` (no-color.org).
    pub(super) fn chosen(choice: ColorChoice) -> Colors {
        let enabled = match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                let terminal = env::var_os("TERM");
                // Only some terminals of Windows understand the sequences; they name themselves.
                let known = if cfg!(windows) {
                    terminal.is_some() || env::var_os("WT_SESSION").is_some()
                } else {
                    terminal.is_some_and(|name| name != "dumb")
                };
                io::stdout().is_terminal() && known && !refused
            }
        };
        Colors { enabled }
    }

    /// The text in the colour of its role; `marked` stands out.
    pub(super) fn paint(self, text: &str, role: Role, marked: bool) -> String {
        if !self.enabled {
            return text.to_owned();
        }
        let code = match role {
            Role::Red => "1;31",
            Role::Black => "1;36",
            Role::Grid => "2",
            Role::Notice => "1;33",
        };
        let mark = if marked { ";7" } else { "" };
        format!("\x1b[{code}{mark}m{text}\x1b[0m")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colours_a_text_stays_as_it_is() {
        let never = Colors::chosen(ColorChoice::Never);
        assert_eq!(never.paint("R", Role::Red, true), "R");
        let always = Colors::chosen(ColorChoice::Always);
        assert_eq!(always.paint("R", Role::Red, true), "\x1b[1;31;7mR\x1b[0m");
    }
}
