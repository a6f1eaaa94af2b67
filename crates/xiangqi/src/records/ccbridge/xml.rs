//! CBF, a CCBridge record in XML.
//!
//! `Head` has the texts, the result as in CBR and the start as a FEN; `MoveList` a `Move` with a
//! `value` for each half-move, `77-47` for file and row from the top of both squares, after one
//! with `00-00` for the start. The form for variations and comments is not known; only the main
//! line is read and written.

use std::fmt::Write as _;

use super::reader::move_between;
use crate::board::Position;
use crate::geometry::Square;
use crate::records::builder::GameBuilder;
use crate::records::one_line::on_one_line;
use crate::records::reading::Reading;
use crate::records::result_code::{result, result_code};
use crate::records::{Game, RecordError};
use crate::text_form::excerpt;

/// The elements of the head with the tags of PGN for the same.
const TEXTS: [(&str, &str); 10] = [
    ("Name", "Title"),
    ("Event", "Event"),
    ("Round", "Round"),
    ("Date", "Date"),
    ("Place", "Site"),
    ("Red", "Red"),
    ("RedTeam", "RedTeam"),
    ("Black", "Black"),
    ("BlackTeam", "BlackTeam"),
    ("Author", "Author"),
];

/// The value of the first `Move`, which stands for the start.
const START_MOVE: &str = "00-00";

/// The maximum nesting of elements that is read; a record needs three. The reader of XML recurses.
const MAX_NESTING: usize = 100;

/// The maximum number of attributes of an element; the reader of XML compares each with all others.
const MAX_ATTRIBUTES: usize = 1000;

/// The maximum number of namespaces; the reader of XML copies those of an element for each element
/// in it that adds one.
const MAX_NAMESPACES: usize = 100;

/// Reads a CBF file.
pub(in crate::records) fn read_xml(text: &str) -> Reading {
    let mut reading = Reading::default();
    let mut defects = Vec::new();
    let game = read_xml_game(text, &mut defects);
    reading.add(1, None, game, defects.into_iter().map(|error| (None, error)).collect());
    reading
}

fn read_xml_game(text: &str, defects: &mut Vec<RecordError>) -> Result<Game, RecordError> {
    let text = text.trim_start_matches('\u{feff}');
    if nesting(text) > MAX_NESTING {
        return Err(RecordError::Xml(format!("elements are nested more than {MAX_NESTING} deep")));
    }
    let has_too_many = |tag: &str| {
        let inside = tag.split('>').next().unwrap_or(tag);
        inside.matches('=').count() > MAX_ATTRIBUTES
    };
    if text.split('<').any(has_too_many) {
        let defect = format!("an element has more than {MAX_ATTRIBUTES} attributes");
        return Err(RecordError::Xml(defect));
    }
    if text.matches("xmlns").count() > MAX_NAMESPACES {
        return Err(RecordError::Xml(format!("there are more than {MAX_NAMESPACES} namespaces")));
    }
    let document = roxmltree::Document::parse(text);
    let document = document.map_err(|error| RecordError::Xml(error.to_string()))?;
    let value = |name: &str| {
        let node = document.descendants().find(|node| node.has_tag_name(name));
        node.and_then(|node| node.text()).map(str::trim).filter(|text| !text.is_empty())
    };
    let start = match value("FEN") {
        Some(fen) => Position::from_recorded_fen(fen).map_err(RecordError::Fen)?,
        None => Position::startpos(),
    };
    let mut builder = GameBuilder::new(start);
    for (name, tag) in TEXTS {
        builder.game.put_tag(tag, value(name).unwrap_or_default().to_owned());
    }
    builder.game.result =
        result(value("RecordResult").and_then(|code| code.parse().ok()).unwrap_or(0));
    let moves = document.descendants().filter(|node| node.has_tag_name("Move"));
    let values = moves.filter_map(|node| node.attribute("value"));
    for text in values.filter(|&value| value != START_MOVE) {
        let digits: Vec<usize> = text.bytes().map(|b| usize::from(b.wrapping_sub(b'0'))).collect();
        let mv = match digits[..] {
            [x1 @ 0..9, y1 @ 0..10, _, x2 @ 0..9, y2 @ 0..10] => {
                move_between(9 * y1 + x1, 9 * y2 + x2)
            }
            _ => Err(excerpt(text)),
        };
        if let Err(defect) = builder.play_squares(mv) {
            defects.push(defect);
            break;
        }
    }
    Ok(builder.game)
}

/// Returns an upper bound of the nesting of elements in a text. Elements in comments count too.
fn nesting(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for tag in text.split('<').skip(1) {
        let inside = tag.split('>').next().unwrap_or(tag);
        match tag.bytes().next() {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(b'!' | b'?') | None => {}
            Some(_) if inside.ends_with('/') => deepest = deepest.max(depth + 1),
            Some(_) => {
                depth += 1;
                deepest = deepest.max(depth);
            }
        }
    }
    deepest
}

/// Returns the file of a game.
pub(in crate::records) fn write_xml(game: &Game) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text += "<ChineseChessRecord Version=\"1.0\">\n <Head>\n";
    let mut element = |name: &str, value: &str| {
        let _ = writeln!(text, "  <{name}>{}</{name}>", escaped(value));
    };
    for (name, tag) in TEXTS {
        if let Some(value) = game.field(tag) {
            element(name, value);
        }
    }
    element("RecordResult", &result_code(game.result).to_string());
    element("FEN", &game.start().fen());
    text += " </Head>\n <MoveList>\n";
    let moves = game.moves();
    let digits = |sq: Square| format!("{}{}", sq.file(), sq.flip().rank());
    let values = moves.iter().map(|mv| format!("{}-{}", digits(mv.from()), digits(mv.to())));
    for (number, value) in std::iter::once(START_MOVE.to_owned()).chain(values).enumerate() {
        let end = if number == moves.len() { " end=\"1\"" } else { "" };
        let _ = writeln!(text, "  <Move value=\"{value}\"{end} />");
    }
    text += " </MoveList>\n</ChineseChessRecord>\n";
    text
}

/// Returns a text as XML holds it, on one line and without the characters that XML cannot hold.
fn escaped(text: &str) -> String {
    let text = on_one_line(text).replace(['\u{FFFE}', '\u{FFFF}'], "");
    html_escape::encode_text(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_text_become_words() {
        let mut game = Game::new(Position::startpos());
        game.set_tag("Title", "a\r\nb\nc\td\u{1}").expect("a tag");
        let again = read_xml(&write_xml(&game)).games.remove(0);
        assert_eq!(again.tag("Title"), Some("a b c d"));
    }
}
