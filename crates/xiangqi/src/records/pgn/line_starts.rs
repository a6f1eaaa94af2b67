//! Recognises lines that begin with a move.

use crate::notation::{WordPart, number_value, without_number, word_parts};

use super::lexer::{SEPARATORS, ends_word};
use super::prose::{WordKind, is_bracket, is_bracketed_number, word_kind, word_length};

/// More characters than a move has, with its number and blanks.
const LONGEST_MOVE: usize = 40;

/// Returns whether a text begins with the number of a first move, or with a move.
pub(in crate::records) fn begins_with_move(text: &str) -> bool {
    let has_number = ["1.", "1、", "１．", "１、"].iter().any(|first| text.starts_with(first));
    has_number || first_word_is_move(text)
}

/// Returns whether the first word of a text that is not a number has the form of a move. It may
/// touch its number: `1.h2e2`.
pub(super) fn first_word_is_move(text: &str) -> bool {
    first_move(text).is_some()
}

/// Returns the number of the move that a text begins with, if it has one, and whether its dots say
/// that Black moves.
pub(super) fn first_move_number(text: &str) -> Option<(u32, bool)> {
    // Most lines of text are told from numbers by their first character.
    let begins_number =
        |c: char| c.is_numeric() || is_bracket(c) || "(第一二三四五六七八九十百".contains(c);
    if !text.trim_start().starts_with(begins_number) {
        return None;
    }
    let (number, is_black) = first_move(text)?;
    Some((number?, is_black))
}

/// Returns the number of the move that a text begins with, if it has one, and whether its dots say
/// that Black moves; `None` if the text begins with something else.
fn first_move(text: &str) -> Option<(Option<u32>, bool)> {
    let end = text.char_indices().nth(LONGEST_MOVE).map_or(text.len(), |(at, _)| at);
    let mut rest = &text[..end];
    let mut number = (None, false);
    let mut take = |text: &str| {
        let (value, is_black) = number_value(text);
        if value.is_some() {
            number = (value, is_black);
        } else {
            number.1 |= is_black;
        }
    };
    // `（1）炮二平五`
    let opens = |c: char| c == '(' || is_bracket(c);
    if let Some(inner) = rest.trim_start().strip_prefix(opens)
        && let Some(close) = inner.find(|c| c == ')' || is_bracket(c))
        && is_bracketed_number(&inner[..close])
    {
        take(&inner[..close]);
        rest = inner[close..].trim_start_matches(|c| c == ')' || is_bracket(c));
    }
    loop {
        rest = rest.trim_start_matches(|c: char| {
            c.is_whitespace() || SEPARATORS.contains(&c) || c == ')' || c == '）'
        });
        if rest.is_empty() || rest.starts_with(|c| ends_word(c) || is_bracket(c)) {
            return None;
        }
        let (word, behind) = rest.split_at(word_length(rest));
        let mv = without_number(word);
        take(&word[..word.len() - mv.len()]);
        if !mv.is_empty() {
            // The numbers of pawns, such as `25=6`, have the form of other numbers too.
            let is_move = match word_kind(word) {
                WordKind::Move => has_move(word) || is_nearly_a_move(mv),
                WordKind::MoveWithText(has_number) => has_number,
                _ => false,
            };
            return (is_move && mv.contains(char::is_alphabetic)).then_some(number);
        }
        rest = behind;
    }
}

fn has_move(word: &str) -> bool {
    word_parts(word).0.iter().any(|part| matches!(part, WordPart::Move(_)))
}

/// Returns whether a word that is no move differs from one only in a number: `C0=5`, `炮二平十`.
fn is_nearly_a_move(word: &str) -> bool {
    let word = word.trim_end_matches(['!', '?', '！', '？', '*']);
    let is_nearly_wxf = matches!(word.as_bytes(), [letter, number, b'+' | b'-' | b'=', digit]
        if letter.is_ascii_alphabetic() && number.is_ascii_digit() && digit.is_ascii_digit());
    let is_nearly_chinese = word.chars().count() == 4
        && word.chars().nth(2).is_some_and(|direction| "平进進退".contains(direction));
    is_nearly_wxf || is_nearly_chinese
}
