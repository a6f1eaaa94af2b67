//! The tags of a game: in brackets, or as lines of the form `name: value` in texts for people.

use thiserror::Error;

use crate::board::Board;

use super::line_starts::{begins_with_move, first_word_is_move};

/// Tags that the writer makes from the game itself.
const DERIVED_TAGS: [&str; 6] = ["FEN", "Xiangqi-FEN", "SetUp", "Result", "Format", "Variant"];

/// Error of setting a tag of a [`Game`](crate::Game).
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TagError {
    /// A name that PGN cannot hold.
    #[error("{0:?} is not the name of a tag; expected letters, digits, _ and -")]
    Name(String),
    /// A tag that a file has without being set.
    #[error("the tag {0} follows from the start, the result and the notation of the game")]
    Derived(String),
}

/// Returns the start of the first line with a tag whose value is quoted.
pub(in crate::records) fn first_tag(text: &str) -> Option<usize> {
    let mut starts = std::iter::once(0).chain(text.match_indices('\n').map(|(end, _)| end + 1));
    let begins_with_tag = |&start: &usize| {
        let line = text.get(start..).unwrap_or_default();
        let line = &line[..line.find('\n').unwrap_or(line.len())];
        is_quoted_tag(line.trim_start_matches([' ', '\t', '\u{feff}']))
    };
    starts.find(begins_with_tag)
}

/// Returns whether a line begins with a tag whose value is quoted.
pub(super) fn is_quoted_tag(line: &str) -> bool {
    has_quoted_value(line) && parse_tag(line).is_some()
}

/// Returns whether a text begins as a tag whose value is quoted; its end is not looked for.
pub(in crate::records) fn has_quoted_value(text: &str) -> bool {
    name_and_value(text).is_some_and(|(_, value)| value.starts_with('"'))
}

/// Returns whether a line after a game begins with a tag: its value is quoted, or its name is
/// known. Other words in brackets are text.
pub(super) fn is_tag_after_game(line: &str) -> bool {
    let is_known = |name: &str| {
        let names = HEADINGS.iter().map(|(name, _)| *name).chain(["Game", "White"]);
        names.into_iter().any(|known| known.eq_ignore_ascii_case(name))
    };
    let tag = name_and_value(line).filter(|(name, value)| value.starts_with('"') || is_known(name));
    tag.is_some() && parse_tag(line).is_some()
}

/// The names of tags, and the words that texts for people write for them at the head of a game, as
/// in `红方：甲`.
const HEADINGS: [(&str, &[&str]); 8] = [
    (
        "Event",
        &[
            "Event",
            "Title",
            "标题",
            "標題",
            "棋局",
            "对局",
            "對局",
            "赛事",
            "賽事",
            "比赛",
            "比賽",
            "赛事名称",
            "比赛名称",
            "棋谱名称",
            "局名",
        ],
    ),
    ("Site", &["Site", "Place", "地点", "地點", "比赛地点"]),
    ("Date", &["Date", "日期", "时间", "時間", "比赛日期", "对局日期", "比赛时间"]),
    ("Round", &["Round", "轮次", "輪次"]),
    ("Red", &["Red", "红方", "紅方", "红", "紅", "先手", "红方姓名", "红方棋手"]),
    ("Black", &["Black", "黑方", "黑", "后手", "後手", "黑方姓名", "黑方棋手"]),
    ("Result", &["Result", "结果", "結果", "对局结果", "比赛结果"]),
    ("FEN", &["FEN", "初始局面", "起始局面", "初始FEN", "局面"]),
];

/// Splits a tag off a line: name, value and the bytes it takes; `None` if the line does not begin
/// with one.
///
/// The value ends at the first quote that is not escaped and that `]` and the end of the line,
/// another tag, a comment or a move follow: some programs put quotes into values as they are. If
/// there is none, it ends at the first one that `]` follows.
pub(super) fn parse_tag(line: &str) -> Option<(String, String, usize)> {
    let (name, value) = name_and_value(line)?;
    let offset = |part: &str| part.as_ptr() as usize - line.as_ptr() as usize;
    let Some(quoted) = value.strip_prefix('"') else {
        let end = value.find(']')?;
        return Some((name.to_owned(), value[..end].trim().to_owned(), offset(value) + end + 1));
    };
    let mut first = None;
    for (at, _) in quoted.match_indices('"') {
        let Some(behind) = quoted[at + 1..].trim_start().strip_prefix(']') else { continue };
        if ends_escaped(&quoted[..at]) {
            continue;
        }
        let next = behind.trim_start();
        if next.is_empty() || next.starts_with(['[', '{', ';']) || begins_with_move(next) {
            return Some((name.to_owned(), unescaped(&quoted[..at]), offset(behind)));
        }
        first = first.or(Some((at, behind)));
    }
    if let Some((at, behind)) = first {
        return Some((name.to_owned(), unescaped(&quoted[..at]), offset(behind)));
    }
    let end = quoted.rfind(']')?;
    let value = quoted[..end].trim_end().trim_end_matches('"');
    Some((name.to_owned(), value.to_owned(), offset(quoted) + end + 1))
}

/// Checks that a game can have a tag with this name: it is read back, and not made from the game.
pub(in crate::records) fn check_tag_name(name: &str) -> Result<(), TagError> {
    if name.is_empty() || name.contains(ends_name) {
        return Err(TagError::Name(name.to_owned()));
    }
    if DERIVED_TAGS.iter().any(|derived| derived.eq_ignore_ascii_case(name)) {
        return Err(TagError::Derived(name.to_owned()));
    }
    Ok(())
}

fn ends_name(c: char) -> bool {
    !c.is_alphanumeric() && !"_-".contains(c)
}

/// Splits the name off a line that begins as a tag; the value goes on to the end of the text.
fn name_and_value(line: &str) -> Option<(&str, &str)> {
    let inside = line.strip_prefix('[')?.trim_start();
    let name_end = inside.find(ends_name)?;
    let (name, rest) = inside.split_at(name_end);
    let value = rest.trim_start();
    (!name.is_empty() && value.len() < rest.len()).then_some((name, value))
}

/// A heading of a text for people: its word, the tag that it stands for, and the value.
pub(super) type Heading<'a> = (&'a str, &'a str, String);

/// Returns the headings of a line of the form `name: value` at the head of a game; it may have
/// several of [`HEADINGS`], `红方：甲  黑方：乙`.
pub(super) fn headings(line: &str, follows_another: bool) -> Vec<Heading<'_>> {
    let mut found: Vec<Heading> = Vec::new();
    let mut rest = line;
    while let Some(one) = heading(rest, follows_another) {
        found.push(one);
        let Some(next) = next_heading(rest, &found) else { break };
        let own = heading(rest[..next].trim_end_matches(divides_headings), follows_another);
        if let (Some((.., value)), Some((.., own))) = (found.last_mut(), own) {
            *value = own;
        }
        rest = &rest[next..];
    }
    found
}

/// Returns where the next heading begins behind the one at the start of the text, if none of those
/// found has its word.
fn next_heading(text: &str, found: &[Heading]) -> Option<usize> {
    let is_new = |word: &&str| found.iter().all(|(known, ..)| known != word);
    let words: Vec<&str> =
        HEADINGS.iter().flat_map(|(_, words)| words.iter().copied()).filter(is_new).collect();
    text.match_indices([':', '：', '】']).skip(1).find_map(|(colon, sign)| {
        let before = text[..colon].trim_end();
        let start_of = |word: &&str| {
            let start = before.len().checked_sub(word.len())?;
            before.get(start..)?.eq_ignore_ascii_case(word).then_some(start)
        };
        let with_bracket = |start: usize| match sign {
            "】" => before[..start].ends_with('【').then(|| start - '【'.len_utf8()),
            _ => Some(start),
        };
        let is_heading = |start: &usize| {
            before[..*start].ends_with(divides_headings)
                && heading(&text[*start..], false).is_some()
        };
        words.iter().filter_map(start_of).filter_map(with_bracket).find(is_heading)
    })
}

/// Returns whether the character divides headings on one line.
fn divides_headings(c: char) -> bool {
    c.is_whitespace() || "，,、；;|".contains(c)
}

/// Returns the heading that a text of the form `name: value` or `【name】value` is: one of
/// [`HEADINGS`], or any single word with a colon if others stand before it. `红：炮二平五` is none: it
/// is a move with the side that makes it. A position that is no FEN is kept under its own name.
fn heading(line: &str, follows_another: bool) -> Option<Heading<'_>> {
    let bracketed = line.trim_start().strip_prefix('【').and_then(|line| line.split_once('】'));
    let (word, value) = bracketed.or_else(|| line.split_once([':', '：']))?;
    let (word, value) = (word.trim(), value.trim_start_matches([':', '：']).trim());
    let is_known =
        |(_, words): &&(&str, &[&str])| words.iter().any(|known| known.eq_ignore_ascii_case(word));
    let name = match HEADINGS.iter().find(is_known) {
        Some(("FEN", _)) if Board::from_fen(value).is_err() => word,
        Some((name, _)) => name,
        None if bracketed.is_some() => return None,
        None if follows_another && word.chars().all(char::is_alphanumeric) => word,
        None => return None,
    };
    (!name.is_empty() && !first_word_is_move(value)).then(|| (word, name, value.to_owned()))
}

/// Returns the value of a line that begins with a heading of the result.
pub(super) fn after_result_heading(line: &str) -> Option<&str> {
    let (_, words) = HEADINGS.iter().find(|(name, _)| *name == "Result")?;
    let rest = words.iter().find_map(|word| line.strip_prefix(word))?;
    Some(rest.trim_start().strip_prefix([':', '：'])?.trim())
}

/// Returns whether a quote after the text would be escaped.
fn ends_escaped(text: &str) -> bool {
    text.bytes().rev().take_while(|&byte| byte == b'\\').count() % 2 == 1
}

fn unescaped(text: &str) -> String {
    let mut value = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '\\' && matches!(letters.peek(), Some('\\' | '"')) {
            value.extend(letters.next());
        } else {
            value.push(letter);
        }
    }
    value
}
