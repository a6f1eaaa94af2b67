//! The text format of H. Yang's "Chinese Chess File Format", which the World Xiangqi Federation
//! publishes and servers such as PlayOK and the program XieXie write: lines with a name and a value,
//! then the moves in braces.
//!
//! ```text
//! FORMAT  WXF
//! RED     a name ; 1200 ;;
//! BLACK   another name ; 1240 ;;
//! RESULT  0-1
//! START{
//!  1. P3+1 c8.7   2. E7+5 c2.5
//! }END
//! ```
//!
//! Between the braces stands move text as in PGN, in any notation, also with comments and
//! variations. A start may be given as `FEN`; the form of its other description, `SETUP{ }`, is not
//! known.

use super::RecordError;
use super::pgn::read_move_text;
use super::reading::Reading;

/// The names of lines with the tags of PGN for the same.
const TAGS: [(&str, &str); 10] = [
    ("GAME", "Title"),
    ("EVENT", "Event"),
    ("SITE", "Site"),
    ("PLACE", "Site"),
    ("DATE", "Date"),
    ("ROUND", "Round"),
    ("RED", "Red"),
    ("BLACK", "Black"),
    ("RESULT", "Result"),
    ("FEN", "FEN"),
];

/// The values of `FORMAT`, the notation of the moves.
const FORMATS: [&str; 5] = ["WXF", "AXF", "ICCS", "LALG", "SALG"];

/// The part of a game that is missing or has no end.
const MOVES: &str = "the list of moves, START{ to }END,";

/// Returns the lines of a text with the places where they begin.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |end, line| {
        let start = *end;
        *end += line.len();
        Some((start, line))
    })
}

/// Returns where the first line begins that only this format has.
pub(super) fn mark(text: &str) -> Option<usize> {
    let is_mark = |(_, line): &(usize, &str)| is_format(line) || after_start(line).is_some();
    lines(text).find(is_mark).map(|(start, _)| start)
}

/// Splits the name off a line; the value may be empty.
fn name_and_value(line: &str) -> (&str, &str) {
    let (name, value) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
    (name, value.trim())
}

/// Returns whether a line begins a game: `FORMAT` with a notation, which the letters of the pieces
/// may follow.
fn is_format(line: &str) -> bool {
    let (name, value) = name_and_value(line);
    name == "FORMAT"
        && value.split([',', ' ', '\t']).next().is_some_and(|one| FORMATS.contains(&one))
}

/// Returns the text behind `START{`, if the line begins with it.
fn after_start(line: &str) -> Option<&str> {
    line.trim_start().strip_prefix("START")?.trim_start().strip_prefix('{')
}

/// Returns where the moves end in a line, before `}END`.
fn end_of_moves(line: &str) -> Option<usize> {
    let mut braces = line.match_indices('}');
    let ends = |(brace, _): &(usize, &str)| {
        let behind = line.get(brace + 1..).and_then(|rest| rest.trim_start().strip_prefix("END"));
        behind.is_some_and(|behind| !behind.starts_with(char::is_alphanumeric))
    };
    braces.find(ends).map(|(brace, _)| brace)
}

/// The lines of a game before its moves.
#[derive(Default)]
struct Header {
    /// The number of the first line.
    first_line: Option<usize>,
    has_format: bool,
    has_setup: bool,
    tags: Vec<(String, String)>,
}

impl Header {
    /// Takes a line of the form `NAME value`. Without `FORMAT` before it the name must be known.
    fn add(&mut self, number: usize, line: &str) {
        let (name, value) = name_and_value(line);
        let is_setup = name.starts_with("SETUP{") || (name == "SETUP" && value.starts_with('{'));
        let known = TAGS.iter().find(|(known, _)| *known == name).map(|(_, tag)| (*tag).to_owned());
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase());
        let other = || {
            let (first, rest) = name.split_at_checked(1)?;
            (self.has_format && is_name).then(|| first.to_owned() + &rest.to_ascii_lowercase())
        };
        let tag = known.or_else(other);
        if is_format(line) {
            self.has_format = true;
        } else if is_setup {
            self.has_setup = true;
        } else if let Some(tag) = tag {
            self.add_tag(tag, value);
        } else {
            return;
        }
        self.first_line.get_or_insert(number);
    }

    /// Adds the tag of a value, which may have several parts: `name ; rating ;;`.
    fn add_tag(&mut self, tag: String, value: &str) {
        let mut parts: Vec<&str> = value.split(';').map(str::trim).collect();
        if ["Red", "Black"].contains(&tag.as_str())
            && let Some(&rating) = parts.get(1)
            && rating.parse::<u32>().is_ok()
        {
            self.tags.push((format!("{tag}Elo"), rating.to_owned()));
            parts.remove(1);
        }
        parts.retain(|part| !part.is_empty());
        self.tags.push((tag, parts.join(" ; ")));
    }
}

/// A list of moves whose end is not read yet.
struct OpenMoves {
    header: Header,
    /// The number of the line with `START{`.
    line: usize,
    /// The place in the text behind it.
    start: usize,
}

/// The games of a text up to a line.
struct Reader<'a> {
    text: &'a str,
    reading: Reading,
    /// The games that were added, with those that have no start.
    count: usize,
    header: Header,
    moves: Option<OpenMoves>,
}

impl Reader<'_> {
    /// Takes the line that begins at this place of the text.
    fn take(&mut self, number: usize, at: usize, line: &str) {
        let behind_start = after_start(line);
        if is_format(line) || behind_start.is_some() {
            self.end_moves(at, false);
        }
        if self.moves.is_none() {
            let Some(behind) = behind_start else {
                if is_format(line) {
                    self.end_header();
                }
                return self.header.add(number, line);
            };
            let header = std::mem::take(&mut self.header);
            let start = at + line.len() - behind.len();
            self.moves = Some(OpenMoves { header, line: number, start });
        }
        let moves = behind_start.unwrap_or(line);
        if let Some(end) = end_of_moves(moves) {
            self.end_moves(at + line.len() - moves.len() + end, true);
        }
    }

    /// Adds the game of a header that no moves follow.
    fn end_header(&mut self) {
        let header = std::mem::take(&mut self.header);
        if let (true, Some(line)) = (header.has_format, header.first_line) {
            self.add(header, line, "", false);
        }
    }

    /// Adds the game whose list of moves ends at this place, if there is one.
    fn end_moves(&mut self, end: usize, is_closed: bool) {
        if let Some(OpenMoves { header, line, start }) = self.moves.take() {
            let moves = self.text.get(start..end).unwrap_or_default();
            self.add(header, line, moves, is_closed);
        }
    }

    /// Adds a game with moves that begin in this line.
    fn add(&mut self, header: Header, line: usize, moves: &str, is_closed: bool) {
        let (mut game, mut defects) = read_move_text(moves, line, header.tags);
        if header.has_setup {
            (game, defects) = (Err(RecordError::Setup), Vec::new());
        }
        if !is_closed {
            defects.push((line, RecordError::NotClosed(MOVES)));
        }
        let defects = defects.into_iter().map(|(line, defect)| (Some(line), defect)).collect();
        self.count += 1;
        let first_line = header.first_line.unwrap_or(line);
        self.reading.add(self.count, Some(first_line), game, defects);
    }
}

/// Reads all games of a text.
pub(super) fn read(text: &str) -> Reading {
    let reading = Reading::default();
    let mut reader = Reader { text, reading, count: 0, header: Header::default(), moves: None };
    for (number, (start, line)) in (1..).zip(lines(text)) {
        reader.take(number, start, line);
    }
    reader.end_moves(text.len(), false);
    reader.end_header();
    reader.reading
}
