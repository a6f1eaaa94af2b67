//! Recognises lines that begin with a move.

use crate::board::Move;
use crate::notation::without_number;

/// More characters than a move has, with its number.
const LONGEST_MOVE: usize = 20;

/// Returns whether a text begins with the number of a first move, or with a move.
pub(super) fn begins_with_move(text: &str) -> bool {
    let end = text.char_indices().nth(LONGEST_MOVE).map_or(text.len(), |(at, _)| at);
    let has_number = ["1.", "1、", "１．", "１、"].iter().any(|first| text.starts_with(first));
    has_number || looks_like_a_move(text[..end].split_whitespace().next().unwrap_or_default())
}

/// Returns whether a word, with or without a number, has the form of a move: `h2e2`, `C2=5`,
/// `炮二平五`.
pub(super) fn looks_like_a_move(word: &str) -> bool {
    let word = without_number(word);
    let is_wxf = matches!(word.as_bytes(), [letter, _, b'+' | b'-' | b'=' | b'.', digit]
        if letter.is_ascii_alphabetic() && digit.is_ascii_digit());
    let is_chinese = word.chars().count() == 4 && word.contains(['平', '进', '進', '退']);
    is_wxf || is_chinese || word.parse::<Move>().is_ok()
}
