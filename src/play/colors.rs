//! Colours of the terminal.

use std::io;

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use clap::ColorChoice;

/// The use of colours in text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TerminalColors {
    enabled: bool,
}

/// The role of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// A red piece.
    Red,
    /// A black piece.
    Black,
    /// Lines and labels of the board.
    Grid,
    /// Text to be noticed.
    Notice,
}

impl TerminalColors {
    /// Resolves a `--color` flag. Automatic is yes on a terminal that has colours, unless the user
    /// set `NO_COLOR` (no-color.org).
    pub(super) fn chosen(choice: ColorChoice) -> TerminalColors {
        let enabled = match choice {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never,
        };
        TerminalColors { enabled }
    }

    /// Returns the text in the colour of its role; `marked` stands out.
    pub(super) fn paint(self, text: &str, role: Role, marked: bool) -> String {
        if !self.enabled {
            return text.to_owned();
        }
        let mut style = match role {
            Role::Red => AnsiColor::Red.on_default().bold(),
            Role::Black => AnsiColor::Cyan.on_default().bold(),
            Role::Grid => Style::new().dimmed(),
            Role::Notice => AnsiColor::Yellow.on_default().bold(),
        };
        if marked {
            style = style.invert();
        }
        format!("{style}{text}{style:#}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colours_a_text_stays_as_it_is() {
        let never = TerminalColors::chosen(ColorChoice::Never);
        assert_eq!(never.paint("R", Role::Red, true), "R");
        let always = TerminalColors::chosen(ColorChoice::Always);
        assert_eq!(always.paint("R", Role::Red, true), "\x1b[1m\x1b[7m\x1b[31mR\x1b[0m");
    }
}
