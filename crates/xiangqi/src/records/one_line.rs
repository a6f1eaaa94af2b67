//! Texts on one line, for formats whose values have no line ends.

/// Returns the text with blanks for its line ends and tabs, without other control characters.
pub(super) fn on_one_line(text: &str) -> String {
    let blank = |c: char| if matches!(c, '\r' | '\n' | '\t') { ' ' } else { c };
    text.replace("\r\n", " ").chars().map(blank).filter(|c| !c.is_control()).collect()
}
