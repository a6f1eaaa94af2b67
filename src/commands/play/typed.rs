//! The events of a terminal with a line editor.

/// A line of a terminal, or Ctrl-C. The channel closes at the end of the input.
pub(super) enum Typed {
    Line(String),
    Interrupt,
}
