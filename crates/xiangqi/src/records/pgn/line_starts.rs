//! Recognises lines that begin with a move.

use crate::notation::{has_move_form, without_number};

use super::lexer::{SEPARATORS, ends_word};

/// More characters than a move has, with its number and blanks.
const LONGEST_MOVE: usize = 40;

/// Returns whether a text begins with the number of a first move, or with a move.
pub(super) fn begins_with_move(text: &str) -> bool {
    let has_number = ["1.", "1、", "１．", "１、"].iter().any(|first| text.starts_with(first));
    has_number || first_word_is_move(text)
}

/// Returns whether the first word of a text that is not a number has the form of a move. It may
/// touch its number: `1.h2e2`.
pub(super) fn first_word_is_move(text: &str) -> bool {
    let end = text.char_indices().nth(LONGEST_MOVE).map_or(text.len(), |(at, _)| at);
    let mut rest = &text[..end];
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || SEPARATORS.contains(&c));
        let (word, behind) = rest.split_at(rest.find(ends_word).unwrap_or(rest.len()));
        let mv = without_number(word);
        if word.is_empty() || !mv.is_empty() {
            return looks_like_a_move(mv);
        }
        rest = behind;
    }
}

/// Returns whether a word has the form of a move, or nearly so: `h2e2`, `C2=5!`, `炮二平五`. The
/// numbers of pawns, such as `25=6`, have that of other numbers too.
fn looks_like_a_move(word: &str) -> bool {
    let word = word.trim_end_matches(['!', '?', '！', '？', '*']);
    let is_nearly_wxf = matches!(word.as_bytes(), [letter, number, b'+' | b'-' | b'=', digit]
        if letter.is_ascii_alphabetic() && number.is_ascii_digit() && digit.is_ascii_digit());
    let is_nearly_chinese = word.chars().count() == 4
        && word.chars().nth(2).is_some_and(|direction| "平进進退".contains(direction));
    let has_letter = word.contains(char::is_alphabetic);
    is_nearly_wxf || is_nearly_chinese || (has_letter && has_move_form(word))
}
