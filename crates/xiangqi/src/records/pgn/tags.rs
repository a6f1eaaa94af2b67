//! The tags of a game: in brackets, or as lines of the form `name: value` in texts for people.

/// Returns the start of the first line with a tag whose value is quoted.
pub(in crate::records) fn first_tag(text: &str) -> Option<usize> {
    let mut starts = std::iter::once(0).chain(text.match_indices('\n').map(|(end, _)| end + 1));
    let begins_with_tag = |&start: &usize| {
        let line = text.get(start..).unwrap_or_default();
        let line = &line[..line.find('\n').unwrap_or(line.len())];
        let line = line.trim_start_matches([' ', '\t', '\u{feff}']);
        let tag = parse_tag(line).and_then(|(_, _, length)| line.get(..length));
        tag.is_some_and(|tag| tag.contains('"'))
    };
    starts.find(begins_with_tag)
}

/// The names of tags, and the words that texts for people write for them at the head of a game, as in
/// `红方：甲`.
const HEADINGS: [(&str, &[&str]); 8] = [
    (
        "Event",
        &["Event", "Title", "标题", "標題", "棋局", "对局", "對局", "赛事", "賽事", "比赛", "比賽"],
    ),
    ("Site", &["Site", "Place", "地点", "地點"]),
    ("Date", &["Date", "日期", "时间", "時間"]),
    ("Round", &["Round", "轮次", "輪次"]),
    ("Red", &["Red", "红方", "紅方", "红", "紅", "先手"]),
    ("Black", &["Black", "黑方", "黑", "后手", "後手"]),
    ("Result", &["Result", "结果", "結果"]),
    ("FEN", &["FEN"]),
];

/// Splits a tag off a line: name, value and the bytes it takes; `None` if the line does not begin
/// with one.
///
/// The value ends at the first quote that is not escaped and that `]` and the end of the line or
/// another tag follow: some programs put quotes into values as they are.
pub(super) fn parse_tag(line: &str) -> Option<(String, String, usize)> {
    let inside = line.strip_prefix('[')?.trim_start();
    let name_end = inside.find(|c: char| !c.is_alphanumeric() && !"_-".contains(c))?;
    let (name, rest) = inside.split_at(name_end);
    let value = rest.trim_start();
    if name.is_empty() || value.len() == rest.len() {
        return None;
    }
    let offset = |part: &str| part.as_ptr() as usize - line.as_ptr() as usize;
    let Some(quoted) = value.strip_prefix('"') else {
        let end = value.find(']')?;
        let value = value[..end].trim();
        return Some((name.to_owned(), value.to_owned(), offset(rest) + rest.find(']')? + 1));
    };
    for (at, _) in quoted.match_indices('"') {
        let Some(behind) = quoted[at + 1..].trim_start().strip_prefix(']') else { continue };
        let next = behind.trim_start();
        if !ends_escaped(&quoted[..at]) && (next.is_empty() || next.starts_with('[')) {
            return Some((name.to_owned(), unescaped(&quoted[..at]), offset(behind)));
        }
    }
    let end = quoted.rfind(']')?;
    let value = quoted[..end].trim_end().trim_end_matches('"');
    Some((name.to_owned(), value.to_owned(), offset(quoted) + end + 1))
}

/// Returns the tag that a line of the form `name: value` at the head of a game stands for: one of
/// [`HEADINGS`], or any single word if others stand before it.
pub(super) fn heading(line: &str, follows_another: bool) -> Option<(String, String)> {
    let (word, value) = line.split_once([':', '：'])?;
    let (word, value) = (word.trim(), value.trim());
    let is_known =
        |(_, words): &&(&str, &[&str])| words.iter().any(|known| known.eq_ignore_ascii_case(word));
    let name = match HEADINGS.iter().find(is_known) {
        Some((name, _)) => name,
        None if follows_another && word.chars().all(char::is_alphanumeric) => word,
        None => return None,
    };
    (!name.is_empty()).then(|| (name.to_owned(), value.to_owned()))
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
