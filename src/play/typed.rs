//! The events of a terminal with a line editor.

/// A line of a terminal, or Ctrl-C. The channel closes at the end of the input.
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "nothing is typed there"))]
pub(super) enum Typed {
    Line(String),
    Interrupt,
}
