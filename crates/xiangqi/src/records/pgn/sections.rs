//! Headings and notes of the texts that dpxq.com writes for people, and of those that people write in
//! this way.
//!
//! `【主变: 和棋】` stands before the main line with the result of the game, and `【变2-0-7】` before line
//! 2, which leaves line 0, the main line, in round 7; also as `变②接主变第7回合`. The first number of
//! the line says where it begins. `*第 7 回合黑: text` is a note about a move.

use crate::notation::number_value;
use crate::rules::GameResult;

use super::prose::worded_result;
use super::raw_game::Section;

/// A line that says which moves follow it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Heading<'a> {
    /// The main line, with the result of the game.
    MainLine(Option<GameResult>),
    Section(Section<'a>),
}

/// More bytes than such a heading has.
const LONGEST: usize = 80;

/// Returns the heading that a line is.
pub(super) fn heading_of(line: &str) -> Option<Heading<'_>> {
    let name = line.trim();
    if name.len() > LONGEST {
        return None;
    }
    let inner = name.strip_prefix(['【', '［', '〔', '[']).unwrap_or(name);
    let inner = inner.trim_end_matches([':', '：', '】', '］', '〕', ']']).trim();
    if let Some(rest) = inner.strip_prefix("主变").or_else(|| inner.strip_prefix("副图主变"))
    {
        let rest = rest.trim_start_matches([':', '：', ' ', '\u{3000}']);
        let result = GameResult::from_tag(rest).or_else(|| worded_result(rest));
        return (rest.is_empty() || result.is_some()).then_some(Heading::MainLine(result));
    }
    let rest = inner.strip_prefix('变')?;
    let section = |line, parent| Some(Heading::Section(Section { line, parent, name }));
    let mut numbers = rest.split(['-', '－', '—']).map(|number| number.trim().parse().ok());
    if let (Some(Some(line)), Some(Some(parent)), Some(Some::<usize>(_)), None) =
        (numbers.next(), numbers.next(), numbers.next(), numbers.next())
    {
        return section(Some(line), parent);
    }
    if let Some((line, parent)) = rest.split_once('接') {
        let parent = parent.split('第').next()?;
        let parent = parent.trim_start_matches('变').trim_end_matches('变');
        let parent = if parent.contains('主') { Some(0) } else { index(parent) };
        return section(index(line), parent?);
    }
    let rest = rest.trim_start_matches(['化', '着', '著', '例', '招']);
    let is_number =
        rest.trim().chars().all(|c| c.is_numeric() || "一二三四五六七八九十（）() ".contains(c));
    if is_number { section(None, 0) } else { None }
}

/// Returns the number of a line.
fn index(text: &str) -> Option<usize> {
    number_value(text.trim()).0.map(|number| number as usize)
}

/// Reads a note about a move: its number, whether it is one of Black, and the text. The text is empty
/// if it only lists the lines that leave there.
pub(super) fn note(line: &str) -> Option<(u32, bool, &str)> {
    let rest = line.trim().strip_prefix('*')?.strip_prefix('第')?.trim_start();
    let (number, rest) = rest.split_once("回合")?;
    let (side, text) = rest.split_once([':', '：'])?;
    let is_black = match side.trim() {
        "红" => false,
        "黑" => true,
        _ => return None,
    };
    let text = text.trim();
    let text = if text.starts_with("有[变") { "" } else { text };
    Some((number.trim().parse().ok()?, is_black, text))
}
