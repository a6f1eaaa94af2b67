//! Text for people around the moves of a game: which lines and words are text, and where it ends.
//!
//! Nobody writes such text for a program, so that its form decides. A line that begins with text is
//! text, with the moves that it names, up to a numbered move. In a line of moves a word is text if
//! it has not the form of a move.

use crate::notation::{WordPart, number_value, without_number, word_parts};
use crate::rules::GameResult;

use super::lexer::{SEPARATORS, ends_word};

/// What a word of the move text is by its form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WordKind {
    /// The number of a move, or the side that moves.
    Number,
    /// One or more moves, also with a number, signs and marks; or what is meant as a move.
    Move,
    /// A move that text follows without a blank. True if a number stands before the move.
    MoveWithText(bool),
    Result,
    /// No letter and no digit, or a sign of evaluation.
    Sign,
    Text,
}

/// Returns the kind of a word.
pub(super) fn word_kind(word: &str) -> WordKind {
    let (parts, rest) = word_parts(word);
    let has_move = parts.iter().any(|part| matches!(part, WordPart::Move(_)));
    if has_move && (rest.is_empty() || worded_result(rest).is_some()) {
        WordKind::Move
    } else if has_move {
        WordKind::MoveWithText(matches!(parts.first(), Some(WordPart::Number(_))))
    } else if worded_result(word).is_some() {
        WordKind::Result
    } else if !parts.is_empty() {
        WordKind::Number
    } else if word == "N" || word == "B" || !without_number(word).contains(char::is_alphanumeric) {
        WordKind::Sign
    } else if is_wrong_move(word) {
        WordKind::Move
    } else {
        WordKind::Text
    }
}

/// Returns whether a word that is no move is meant as one: `Zz9`, `C0=5`, `炮二平十`.
fn is_wrong_move(word: &str) -> bool {
    let word = word.trim_end_matches(['!', '?', '！', '？', '*']);
    if word.is_ascii() {
        let bytes = word.as_bytes();
        let has = |is: fn(&u8) -> bool| bytes.iter().any(is);
        let is_opening_code = matches!(bytes, [b'A'..=b'E', first, second] if first.is_ascii_digit() && second.is_ascii_digit());
        return (3..=6).contains(&bytes.len())
            && bytes.first().is_some_and(u8::is_ascii_alphabetic)
            && has(u8::is_ascii_digit)
            && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+-=".contains(byte))
            && !is_opening_code;
    }
    let signs: Vec<char> = word.chars().take(5).collect();
    let [first, second, third, fourth] = signs[..] else { return false };
    let is_number =
        |c: char| c.is_ascii_digit() || "一二三四五六七八九１２３４５６７８９".contains(c);
    let is_man = |c: char| "帅帥将將仕士相象马馬傌车車俥炮砲包兵卒".contains(c);
    let is_origin = (is_man(first) && is_number(second))
        || (("前中后後".contains(first) || is_number(first)) && is_man(second));
    is_origin && ("平进進退".contains(third) || is_number(fourth))
        || (is_number(second) || is_man(second)) && "平进進退".contains(third) && is_number(fourth)
}

/// What texts say behind the side that has won.
const WON: [&str; 10] = ["胜", "勝", "胜定", "勝定", "胜局", "获胜", "獲勝", "得胜", "赢", "贏"];

/// What texts say behind the side that has lost.
const LOST: [&str; 16] = [
    "负",
    "負",
    "认负",
    "認負",
    "认输",
    "認輸",
    "投子认负",
    "投子認負",
    "投子",
    "投降",
    "超时负",
    "超时判负",
    "超时",
    "败",
    "輸",
    "输",
];

/// Returns the result that a word states, also as people put it: `红胜定`, `黑方认负`.
pub(super) fn worded_result(word: &str) -> Option<GameResult> {
    let word = word.trim_end_matches(['！', '!', '。', '.']);
    if let Some(result) = GameResult::from_text(word) {
        return Some(result);
    }
    let (side, rest) = [("红", true), ("紅", true), ("黑", false)]
        .into_iter()
        .find_map(|(side, is_red)| Some((is_red, word.strip_prefix(side)?)))?;
    let rest = rest.strip_prefix(['方', '棋']).unwrap_or(rest);
    let has_won = if WON.contains(&rest) {
        true
    } else if LOST.contains(&rest) {
        false
    } else {
        return None;
    };
    Some(if side == has_won { GameResult::RedWins } else { GameResult::BlackWins })
}

/// Returns the length of the word that a text begins with; it has at least one character. A colon
/// before a move ends a word too.
pub(super) fn word_length(text: &str) -> usize {
    let end = text.char_indices().skip(1).find(|&(_, c)| ends_word(c) || is_bracket(c));
    let word = &text[..end.map_or(text.len(), |(at, _)| at)];
    let is_move = |text: &str| !text.is_empty() && matches!(word_kind(text), WordKind::Move);
    match word.find([':', '：']) {
        Some(at) => {
            let colon = at + word[at..].chars().next().map_or(1, char::len_utf8);
            if is_move(&word[colon..]) { colon } else { word.len() }
        }
        None => word.len(),
    }
}

/// Returns whether a character is a bracket of texts for people.
pub(super) fn is_bracket(c: char) -> bool {
    "（）【】〔〕［］「」『』〈〉《》".contains(c)
}

/// Returns the words of a line with the places where they begin.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &line[at..];
        let word = rest.trim_start_matches(|c: char| ends_word(c) || is_bracket(c));
        let start = line.len() - word.len();
        if word.is_empty() {
            return None;
        }
        let length = word_length(word);
        at = start + length;
        Some((start, &word[..length]))
    })
}

/// Returns whether a number of a move stands in this word, so that a move may follow it: not digits
/// alone, as texts have them.
fn is_clear_number(word: &str, behind: &str) -> bool {
    let digits = word.trim_end_matches(['.', '．', '…']);
    let is_number = number_value(word).0.is_some();
    is_number && (digits.len() < word.len() || behind.starts_with('、') || word.contains("回合"))
}

/// Returns the number before the move of a word.
fn number_before(word: &str) -> &str {
    &word[..word.len() - without_number(word).len()]
}

/// Returns the length of the text that a line begins with, or `None` if it begins with a move, a
/// result or a sign. The text ends before a move whose number is one that can follow; before moves
/// that are all the rest of the line, if they are several or follow a colon; or at the end of the
/// line.
pub(super) fn text_at_start(line: &str, can_follow: impl Fn(u32) -> bool) -> Option<usize> {
    let is_text = matches!(first_kind(line)?, WordKind::Text | WordKind::MoveWithText(false));
    if !is_text {
        return None;
    }
    let kinds: Vec<(usize, &str, WordKind)> =
        words(line).map(|(at, word)| (at, word, word_kind(word))).collect();
    let is_lead = |kind: WordKind| matches!(kind, WordKind::Number | WordKind::Sign);
    let first = kinds.iter().position(|&(_, _, kind)| !is_lead(kind))?;
    let behind = |at: usize, word: &str| line.get(at + word.len()..).unwrap_or_default();
    let rest = kinds.get(first + 1..).unwrap_or_default();
    let leads = |kind| matches!(kind, WordKind::Move | WordKind::MoveWithText(_));
    // The first numbered move decides: one whose number cannot follow belongs to the text.
    let numbered = rest.iter().enumerate().find_map(|(index, &(at, word, kind))| {
        let next = rest.get(index + 1).map(|(_, _, kind)| *kind);
        let number = match kind {
            WordKind::Number if next.is_some_and(|next| leads(next) || next == WordKind::Sign) => {
                word
            }
            kind if leads(kind) => number_before(word),
            _ => return None,
        };
        is_clear_number(number, behind(at, number)).then_some((at, number))
    });
    if let Some((at, number)) = numbered {
        let follows = number_value(number).0.is_some_and(can_follow);
        return Some(if follows { at } else { line.len() });
    }
    let text = rest.iter().take_while(|(_, _, kind)| *kind == WordKind::Text).count();
    let (moves, others) = rest.split_at(text);
    let last = moves.last().or(kinds.get(first))?;
    let is_plain = |kind: WordKind| !matches!(kind, WordKind::Text | WordKind::MoveWithText(_));
    let count = others.iter().filter(|(_, _, kind)| *kind == WordKind::Move).count();
    let follows_colon = last.1.ends_with([':', '：']);
    if others.iter().all(|&(_, _, kind)| is_plain(kind))
        && (count > 1 || (count == 1 && follows_colon))
        && let Some(&(at, ..)) = others.first()
        // Moves between commas are those that the text names.
        && (follows_colon || line[..at].ends_with(char::is_whitespace))
    {
        return Some(at);
    }
    Some(line.len())
}

/// Returns the length of the text that a word begins in the middle of a line: up to a word of
/// another kind after a blank. `depth` is the number of open variations, which a bracket ends.
pub(super) fn text_length(line: &str, depth: usize) -> usize {
    let mut end = 0;
    loop {
        let rest = &line[end..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\u{3000}', '\r']).len();
        let (_, start) = line.split_at(end + blank);
        let word = &start[..word_length_in_text(start)];
        if word.is_empty() || (end > 0 && word_kind(word) != WordKind::Text) {
            return end;
        }
        // A clause in Chinese has no blanks, and names moves between commas.
        let clause = start.find(|c: char| c.is_whitespace() || "{};".contains(c));
        let clause = &start[..clause.unwrap_or(start.len())];
        let close = clause.find(')').filter(|_| depth > 0 && !clause.contains('('));
        let clause = &clause[..close.unwrap_or(clause.len())];
        let numbered = clause.match_indices(SEPARATORS).find(|(at, sign)| {
            let next = &clause[at + sign.len()..];
            let word = &next[..if next.is_empty() { 0 } else { word_length(next) }];
            is_clear_number(number_before(word), "") && matches!(word_kind(word), WordKind::Move)
        });
        let length = numbered.map_or(clause.len(), |(at, _)| at);
        end += blank + length;
        if length < clause.len() || close.is_some() || length == 0 {
            return end;
        }
    }
}

fn word_length_in_text(text: &str) -> usize {
    match text.chars().next() {
        Some(c) if !c.is_whitespace() && !"{};)".contains(c) => word_length(text),
        _ => 0,
    }
}

/// Returns the kind of the first word of a text that is neither a number nor a sign.
pub(super) fn first_kind(text: &str) -> Option<WordKind> {
    let is_lead = |kind: &WordKind| matches!(kind, WordKind::Number | WordKind::Sign);
    words(text).map(|(_, word)| word_kind(word)).find(|kind| !is_lead(kind))
}

/// Returns the text in brackets of a mark or number alone, such as `1` of `（1）`.
pub(super) fn is_bracketed_number(inner: &str) -> bool {
    let inner = inner.trim();
    !inner.is_empty()
        && inner.chars().count() <= 4
        && without_number(inner).is_empty()
        && number_value(inner).0.is_some()
}
