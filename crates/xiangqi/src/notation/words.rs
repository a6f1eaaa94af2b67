//! Words of move text taken apart: the numbers of moves, moves that stand together without blanks,
//! and the signs and marks behind them.

use super::coordinates;
use super::reader::{has_move_form, normalized};
use super::{chinese, wxf};

/// A part of a word of move text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WordPart<'a> {
    /// The number of a move, with its dots.
    Number(&'a str),
    /// A text that has the form of a move, without number, signs and marks.
    Move(&'a str),
    /// A sign of annotation or evaluation behind a move, such as `!?` or `±`.
    Sign(&'a str),
    /// A mark behind a move that points to a note or a variation elsewhere, such as `①` or `*`.
    Mark(&'a str),
}

/// Opinions on a position, which may follow a move with or without a blank. Where one begins or
/// ends another, the longer one comes first.
const SIGNS: [&str; 33] = [
    "=∞", "∞=", "+/-", "-/+", "+/=", "=/+", "+-", "-+", "+−", "−+", "+–", "–+", "+=", "=+", "±",
    "∓", "⩲", "⩱", "□", "∞", "⟳", "↑", "→", "⇆", "⊕", "∆", "△", "⨀", "⊙", "⌓", "N", "=", "＝",
];

/// More bytes than a move has, with its signs.
const LONGEST: usize = 64;

const DOTS: [char; 6] = ['.', '…', '．', '⋯', '‥', '·'];

/// The words after the number of a move, as in `第1回合`.
const COUNTERS: [&str; 7] = ["回合", "着", "著", "步", "手", "招", "回"];

/// The words for a side before its move, as in `红方：炮二平五`.
const SIDES: [&str; 10] =
    ["红方", "紅方", "黑方", "红棋", "紅棋", "黑棋", "红先", "红", "紅", "黑"];

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || ('０'..='９').contains(&c)
}

fn is_numeral(c: char) -> bool {
    "〇零一二三四五六七八九十百".contains(c)
}

/// Returns whether a character is a number in a circle, in brackets or with a dot.
fn is_circled(c: char) -> bool {
    matches!(c, '①'..='⒛' | '㈠'..='㈩' | '㉑'..='㉟' | '㊀'..='㊉' | '㊱'..='㊿' | '❶'..='➓')
}

fn is_mark(c: char) -> bool {
    is_circled(c) || "*＊※★☆▲●○◎◆◇■".contains(c)
}

/// Returns the text without the signs behind it if it then has the form of a move; else the text.
/// The `+` of a check and the `=` of a move sideways belong to the move.
pub(super) fn without_signs(text: &str) -> &str {
    let has_sign = text.ends_with(|c: char| !c.is_alphanumeric() || c == 'N');
    if text.len() > LONGEST || !has_sign {
        return text;
    }
    let mut rest = text;
    while !has_move_form(rest) {
        let without =
            |sign: &&str| rest.strip_suffix(*sign).or(rest.strip_suffix(['!', '?', '！', '？']));
        match SIGNS.iter().find_map(without) {
            Some(shorter) if !shorter.is_empty() => rest = shorter,
            _ => return text,
        }
    }
    rest
}

/// Returns the word without the number of a move before it: nothing of `3.`, and `C2=5` of
/// `1.C2=5`, `第1回合C2=5`, `①C2=5` and `一.C2=5`. The side that moves counts as a number, as in
/// `红：炮二平五`.
pub fn without_number(word: &str) -> &str {
    // As moves begin in most notations.
    if word.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return word;
    }
    let rest = word.trim_start_matches(is_digit);
    let has_digits = rest.len() < word.len();
    let behind = rest.trim_start_matches(DOTS);
    if behind.is_empty() {
        return "";
    }
    // `23.4` is a pawn move in WXF.
    let digits = word.chars().take_while(|&c| is_digit(c)).count();
    let is_pawn = digits == 2 && behind.chars().count() == 1 && behind.starts_with(is_digit);
    if behind.len() < rest.len() {
        // `2026.11.24` is a date.
        return if is_pawn || digits > 3 { word } else { behind };
    }
    let after_colon =
        |rest: &'_ str| -> Option<usize> { rest.strip_prefix([':', '：']).map(str::len) };
    let tail = |length: usize| word.get(word.len() - length..).unwrap_or_default();
    if has_digits {
        if let Some(length) = after_counter(rest) {
            return tail(length);
        }
        // `1:C2=5`, and `1炮二平五` where the digit is no part of the move.
        let is_move = |text: &str| text.is_empty() || take_move(text).is_some();
        if let Some(length) = after_colon(rest).filter(|&length| is_move(tail(length))) {
            return tail(length);
        }
        let is_whole = |word: &str| word.len() <= LONGEST && has_move_form(word);
        return if !is_whole(word) && chinese_move(rest).is_some() { rest } else { word };
    }
    if let Some(ordinal) = word.strip_prefix('第') {
        let rest = ordinal.trim_start_matches(|c| is_digit(c) || is_numeral(c));
        let is_number = rest.len() < ordinal.len();
        return after_counter(rest).filter(|_| is_number).map_or(word, tail);
    }
    let rest = word.trim_start_matches(is_circled);
    if rest.len() < word.len() {
        return rest;
    }
    let rest = word.trim_start_matches(is_numeral);
    if rest.is_empty() {
        return "";
    }
    if rest.len() < word.len() {
        let behind = rest.trim_start_matches(DOTS);
        if behind.len() < rest.len() {
            return behind;
        }
        return after_colon(rest).or_else(|| after_counter(rest)).map_or(word, tail);
    }
    for side in SIDES {
        if let Some(rest) = word.strip_prefix(side) {
            if rest.is_empty() {
                return "";
            }
            return after_colon(rest).map_or(word, tail);
        }
    }
    word
}

/// Returns the bytes behind a counter such as `回合`, with a colon if there is one; `None` if the
/// text does not begin with one.
fn after_counter(text: &str) -> Option<usize> {
    let rest = COUNTERS.iter().find_map(|counter| text.strip_prefix(counter))?;
    let rest = rest.strip_prefix(['红', '黑', '紅']).unwrap_or(rest);
    Some(rest.trim_start_matches([':', '：', '.', '．']).len())
}

#[cfg(feature = "records")]
/// Returns the value of the number of a move, and whether dots after it say that Black moves.
pub(crate) fn number_value(number: &str) -> (Option<u32>, bool) {
    let number = number.trim_start_matches('第');
    let rest = number.trim_start_matches(|c| is_digit(c) || is_numeral(c) || is_circled(c));
    let digits = number.get(..number.len() - rest.len()).unwrap_or_default();
    let dots = rest.chars().filter(|c| DOTS.contains(c)).count();
    let is_black = dots > 1 || rest.contains(['…', '⋯', '黑']);
    (value(digits), is_black)
}

/// Returns the value of digits of any kind.
#[cfg(feature = "records")]
fn value(digits: &str) -> Option<u32> {
    let first = digits.chars().next()?;
    if is_circled(first) {
        let start = ['①', '⑴', '⒈', '❶']
            .into_iter()
            .find(|&one| (u32::from(one)..u32::from(one) + 20).contains(&u32::from(first)))?;
        return Some(u32::from(first) - u32::from(start) + 1);
    }
    if is_digit(first) {
        return normalized(digits).parse().ok();
    }
    let (mut total, mut last) = (0_u32, 0_u32);
    for digit in digits.chars().take(6) {
        match digit {
            '百' => (total, last) = (total + 100 * last.max(1), 0),
            '十' => (total, last) = (total + 10 * last.max(1), 0),
            '〇' | '零' => {}
            _ => last = "一二三四五六七八九".chars().position(|c| c == digit)? as u32 + 1,
        }
    }
    Some(total + last)
}

/// Returns the first four characters if they are a move in Chinese.
fn chinese_move(text: &str) -> Option<&str> {
    let end = text.char_indices().nth(4).map_or(text.len(), |(at, _)| at);
    let first = text.get(..end)?;
    chinese::parse(&normalized(first)).map(|_| first)
}

/// Returns the move that a text begins with, of those forms whose end needs no blank: Chinese,
/// coordinates and WXF.
fn take_move(text: &str) -> Option<&str> {
    let coordinates = || {
        let (_, behind) = coordinates::square(text)?;
        let behind = behind.strip_prefix(['-', 'x', 'X']).unwrap_or(behind);
        let (_, behind) = coordinates::square(behind)?;
        text.get(..text.len() - behind.len())
    };
    // The numbers of pawns, such as `25=6`, have the form of other numbers.
    let wxf = || {
        let four = text.get(..4).filter(|four| four.is_ascii() && wxf::parse(four).is_some())?;
        four.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(four)
    };
    chinese_move(text).or_else(coordinates).or_else(wxf)
}

/// Takes a word apart into numbers, moves, signs and marks. Returns them with the text behind them,
/// which is empty if the word has nothing else. Only a word that begins with a move, or a number
/// and a move, has parts; one that is a number has this one part.
pub(crate) fn word_parts(word: &str) -> (Vec<WordPart<'_>>, &str) {
    let mut parts = Vec::new();
    let mut rest = without_number(word);
    if let Some(number) = word.strip_suffix(rest).filter(|number| !number.is_empty()) {
        parts.push(WordPart::Number(number));
    }
    if rest.is_empty() {
        return (parts, rest);
    }
    let whole = without_signs(rest.trim_end_matches(is_mark));
    if has_move_form(whole) {
        let whole = whole.trim_end_matches(['!', '?', '！', '？']);
        parts.push(WordPart::Move(whole));
        rest = rest.get(whole.len()..).unwrap_or_default();
    } else if let Some(first) = take_move(rest) {
        parts.push(WordPart::Move(first));
        rest = rest.get(first.len()..).unwrap_or_default();
    } else {
        return (Vec::new(), word);
    }
    while let Some(c) = rest.chars().next() {
        let annotation = rest.len() - rest.trim_start_matches(['!', '?', '！', '？']).len();
        let sign =
            || SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(0, |sign| sign.len());
        let number = without_number(rest);
        let length = if annotation > 0 { annotation } else { sign() };
        // What divides moves in some texts: `炮二平五-马8进7`.
        let divided =
            rest.trim_start_matches(['-', '—', '>', '＞', '/', '／', '|', '｜', '~', '_']);
        let divider = rest.len() - divided.len();
        let (part, length) = if divider > 0 && take_move(divided).is_some() {
            (WordPart::Sign(rest.get(..divider).unwrap_or_default()), divider)
        } else if let Some(mv) = take_move(rest) {
            (WordPart::Move(mv), mv.len())
        } else if length > 0 {
            (WordPart::Sign(rest.get(..length).unwrap_or_default()), length)
        } else if number.len() < rest.len() && take_move(number).is_some() {
            let length = rest.len() - number.len();
            (WordPart::Number(rest.get(..length).unwrap_or_default()), length)
        } else if is_mark(c) || (c == 'B' && rest == "B") {
            (WordPart::Mark(rest.get(..c.len_utf8()).unwrap_or_default()), c.len_utf8())
        } else {
            break;
        };
        parts.push(part);
        rest = rest.get(length..).unwrap_or_default();
    }
    (parts, rest)
}

/// Returns the moves of a word in which moves may stand together without blanks, as in
/// `炮二平五马8进7`, with numbers between them. What cannot be read is returned as it is written.
///
/// ```
/// use xiangqi::notation::moves_of_word;
///
/// assert_eq!(moves_of_word("1.炮二平五马8进7"), ["炮二平五", "马8进7"]);
/// assert_eq!(moves_of_word("h2e2±"), ["h2e2"]);
/// assert_eq!(moves_of_word("12."), [""; 0]);
/// assert_eq!(moves_of_word("h2z9"), ["h2z9"]);
/// ```
pub fn moves_of_word(word: &str) -> Vec<&str> {
    let (parts, rest) = word_parts(word);
    if !rest.is_empty() {
        return vec![without_number(word)].into_iter().filter(|text| !text.is_empty()).collect();
    }
    let moves = parts.into_iter().filter_map(|part| match part {
        WordPart::Move(text) => Some(text),
        _ => None,
    });
    moves.collect()
}
