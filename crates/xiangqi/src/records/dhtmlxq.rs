//! DhtmlXQ, also called UBB: the text format of dpxq.com and of web boards.
//!
//! `[DhtmlXQ_tag]value[/DhtmlXQ_tag]` between `[DhtmlXQ]` and `[/DhtmlXQ]`. Squares are two digits,
//! file from Red's left and rank from Black's side; `binit` lists the squares of the men (see
//! [`super::men`]), `99` if absent; `movelist` the moves of the main line with four digits each;
//! `move_P_N_K` is line K, which leaves line P (0 is the main line) with another half-move N of the
//! game; `commentN` follows half-move N of the main line and `commentK_N` that of line K. `||` is
//! the end of a line of text. The side to move is that of the first move; `fen` is written where
//! there is none and Black is to move. Other readers ignore it.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::board::{Move, Position};
use crate::geometry::{Color, Square};
use crate::rules::GameResult;

use super::builder::GameBuilder;
use super::move_lines::MoveLines;
use super::reading::Reading;
use super::{Game, NodeId, RecordError, TextEncoding, men};

/// Tags of DhtmlXQ with the tags of PGN for the same.
const TAGS: [(&str, &str); 11] = [
    ("title", "Title"),
    ("event", "Event"),
    ("date", "Date"),
    ("place", "Site"),
    ("round", "Round"),
    ("red", "Red"),
    ("redteam", "RedTeam"),
    ("black", "Black"),
    ("blackteam", "BlackTeam"),
    ("author", "Author"),
    ("remark", "Annotator"),
];

/// The prefix of the names of tags.
const PREFIX: &str = "DhtmlXQ_";

/// The tags of one game by name, each with its line.
type Fields<'a> = BTreeMap<&'a str, (usize, &'a str)>;

/// Reads all games of a text.
pub(super) fn read(text: &str) -> Reading {
    let mut reading = Reading::default();
    for (index, (line, fields)) in split_games(text).into_iter().enumerate() {
        let mut defects = Vec::new();
        let game = read_game(&fields, &mut defects);
        let defects = defects.into_iter().map(|(line, error)| (Some(line), error)).collect();
        reading.add(index + 1, Some(line), game, defects);
    }
    reading
}

/// Returns the tags of each game, with the line where it begins. A second `binit` or `movelist`
/// begins a game too, and in texts without the enclosing `[DhtmlXQ]` any second tag of a name.
fn split_games(text: &str) -> Vec<(usize, Fields<'_>)> {
    let mut games: Vec<(usize, Fields)> = Vec::new();
    let (mut is_open, mut is_enclosed) = (false, false);
    let (mut line, mut at) = (1, 0);
    // The start of the next closing tag, which is searched for only after the last one.
    let mut closing = 0;
    while let Some(found) = text[at..].find('[') {
        let start = at + found;
        line += text[at..start].matches('\n').count();
        at = start + 1;
        let rest = &text[at..];
        let is_sign = |c: char| !(c.is_ascii_alphanumeric() || "_/".contains(c));
        let close = rest.find(is_sign).unwrap_or(rest.len());
        if !rest[close..].starts_with(']') {
            continue;
        }
        let name = &rest[..close];
        if name == "DhtmlXQ" || name == "/DhtmlXQ" {
            is_open = false;
            is_enclosed = name == "DhtmlXQ";
            continue;
        }
        let Some(name) = name.strip_prefix(PREFIX) else { continue };
        let value_start = at + close + 1;
        let value = &text[value_start..];
        if closing < value_start {
            let found = value.find("[/DhtmlXQ");
            closing = found.map_or(usize::MAX, |found| value_start + found);
        }
        let end = match closing {
            usize::MAX => value.find('\n').unwrap_or(value.len()),
            closing => closing - value_start,
        };
        let is_repeated = || {
            let is_known = games.last().is_some_and(|(_, fields)| fields.contains_key(name));
            is_known && (!is_enclosed || matches!(name, "binit" | "movelist"))
        };
        if !is_open || is_repeated() {
            games.push((line, Fields::new()));
            is_open = true;
        }
        if let Some((_, fields)) = games.last_mut() {
            fields.insert(name, (line, value[..end].trim()));
        }
        line += text[at..value_start + end].matches('\n').count();
        at = value_start + end;
    }
    games
}

/// Returns the square of two digits: file, and rank from the top.
fn square(digits: &[u8]) -> Option<Square> {
    let &[file, rank] = digits else { return None };
    let digit = |byte: u8| byte.is_ascii_digit().then(|| byte - b'0');
    Square::new(digit(file)?, digit(rank)?).map(Square::flip)
}

fn start(fields: &Fields) -> Result<Position, RecordError> {
    let fen = fields.get("fen").filter(|(_, text)| !text.is_empty());
    let fen = fen.map(|(_, text)| Position::from_recorded_fen(text));
    let Some((_, binit)) = fields.get("binit").filter(|(_, text)| !text.is_empty()) else {
        return fen.unwrap_or_else(|| Ok(Position::startpos())).map_err(RecordError::Fen);
    };
    if binit.len() < 2 * men::COUNT {
        return Err(RecordError::Binit(binit.len()));
    }
    let mut squares = [None; men::COUNT];
    for (slot, pair) in squares.iter_mut().zip(binit.as_bytes().chunks(2)) {
        *slot = square(pair);
    }
    let movelist = fields.get("movelist").map_or("", |(_, text)| text);
    let from = movelist.as_bytes().get(..2).and_then(square);
    let mover = men::side_of_first_move(&squares, from);
    let side =
        mover.or(fen.and_then(Result::ok).map(|position| position.side())).unwrap_or(Color::Red);
    men::start(&squares, side, mover.is_none()).map_err(RecordError::Start)
}

/// A line of moves, and the place where it leaves another line.
struct MoveLine<'a> {
    /// The half-move that its first move is, from 1.
    first: usize,
    moves: &'a str,
    /// Line of the file.
    at: usize,
    name: String,
}

fn read_game(
    fields: &Fields,
    defects: &mut Vec<(usize, RecordError)>,
) -> Result<Game, RecordError> {
    let mut builder = GameBuilder::new(start(fields)?);
    for (name, tag) in TAGS {
        if let Some((_, value)) = fields.get(name) {
            builder.game.put_tag(tag, value.replace("||", " "));
        }
    }
    let result = fields.get("result").and_then(|(_, text)| GameResult::from_tag(text));
    builder.game.result = result.unwrap_or_default();

    let (at, moves) = fields.get("movelist").copied().unwrap_or((1, ""));
    let main = MoveLine { first: 1, moves, at, name: "movelist".to_owned() };

    let (places, defect) = play_line(&mut builder, NodeId::ROOT, &main);
    defects.extend(defect.map(|defect| (at, defect)));
    let mut lines = MoveLines::new(places);
    play_variations(&mut builder, &mut lines, fields, defects);
    for (name, (at, text)) in fields {
        let Some(numbers) = name.strip_prefix("comment") else { continue };
        let (line, ply) = match numbers.split_once('_') {
            Some((line, ply)) => (line.parse().ok(), ply.parse().ok()),
            None => (Some(0), numbers.parse().ok()),
        };
        let (Some(line), Some(ply)) = (line, ply) else { continue };
        let place = if ply == 0 { Some(NodeId::ROOT) } else { lines.place(line, ply) };
        match place {
            Some(place) => builder.game.add_comment(place, &text.replace("||", "\n")),
            None if text.is_empty() => {}
            None => defects.push((*at, RecordError::CommentOfNoMove { name: (*name).to_owned() })),
        }
    }
    defects.sort_by_key(|(line, _)| *line);
    Ok(builder.game)
}

/// Returns the variations by the number of the line that they leave, each with its own number.
fn variations<'a>(fields: &Fields<'a>) -> BTreeMap<usize, Vec<(usize, MoveLine<'a>)>> {
    let mut children: BTreeMap<usize, Vec<(usize, MoveLine)>> = BTreeMap::new();
    for (name, &(at, moves)) in fields {
        let Some(numbers) = name.strip_prefix("move_") else { continue };
        let numbers: Vec<usize> = numbers.split('_').filter_map(|n| n.parse().ok()).collect();
        let [parent, first, index] = numbers[..] else { continue };
        let line = MoveLine { first, moves, at, name: (*name).to_owned() };
        children.entry(parent).or_default().push((index, line));
    }
    children
}

/// Plays the variations, each after the line that has the move before it.
fn play_variations(
    builder: &mut GameBuilder,
    lines: &mut MoveLines,
    fields: &Fields,
    defects: &mut Vec<(usize, RecordError)>,
) {
    let mut children = variations(fields);
    // The variations by the line that has the move before them, which may be farther back than the
    // one that they name.
    let mut followers: BTreeMap<usize, Vec<(usize, MoveLine)>> = BTreeMap::new();
    let mut without_parent = Vec::new();
    let mut named = vec![0];
    while let Some(parent) = named.pop() {
        for (index, line) in children.remove(&parent).unwrap_or_default() {
            if line.first == 0 || lines.contains(index) {
                without_parent.push(line);
                continue;
            }
            let owner = lines.insert(index, parent, line.first);
            followers.entry(owner).or_default().push((index, line));
            named.push(index);
        }
    }
    without_parent.extend(children.into_values().flatten().map(|(_, line)| line));
    // A line, then what follows it, the last place first and each with all of its own followers: so
    // each move is made and taken back once. Those of one place keep their order.
    let mut next_of = |line: usize| {
        let mut next = followers.remove(&line).unwrap_or_default();
        next.sort_by_key(|(index, line)| (line.first, Reverse(*index)));
        next.into_iter().map(move |(index, variation)| (line, index, variation))
    };
    let mut waiting: Vec<_> = next_of(0).collect();
    while let Some((owner, index, line)) = waiting.pop() {
        let before = match line.first {
            1 => Some(NodeId::ROOT),
            first => lines.place(owner, first - 1),
        };
        match before {
            Some(before) => {
                let (places, defect) = play_line(builder, before, &line);
                defects.extend(defect.map(|defect| (line.at, defect.of_line(true))));
                lines.set_places(index, places);
            }
            None => without_parent.push(line),
        }
        waiting.extend(next_of(index));
    }
    let no_parent = |line: MoveLine| (line.at, RecordError::NoParent { name: line.name });
    defects.extend(without_parent.into_iter().map(no_parent));
}

/// Plays a line from a place. Returns the place after each of its moves, and the defect that ends
/// it.
fn play_line(
    builder: &mut GameBuilder,
    before: NodeId,
    line: &MoveLine,
) -> (Vec<NodeId>, Option<RecordError>) {
    let mut places = Vec::with_capacity(line.moves.len() / 4);
    builder.go_to(before);
    for digits in line.moves.as_bytes().chunks(4) {
        let squares = digits.get(..2).and_then(square).zip(digits.get(2..).and_then(square));
        let mv = squares.and_then(|(from, to)| Move::new(from, to));
        let mv = mv.ok_or_else(|| String::from_utf8_lossy(digits).into_owned());
        if let Err(defect) = builder.play_squares(mv) {
            return (places, Some(defect));
        }
        places.push(builder.node());
    }
    (places, None)
}

/// Returns the text of a game, for a file in this encoding.
pub(super) fn write_dhtmlxq(game: &Game, encoding: TextEncoding) -> String {
    let mut text = String::from("[DhtmlXQ]\n");
    let mut field = |name: &str, value: &str| {
        let value = value.replace("\r\n", "||").replace(['\r', '\n'], "||");
        let value = value.replace("[/", "(/").replace("[D", "(D");
        let _ = writeln!(text, "[{PREFIX}{name}]{value}[/{PREFIX}{name}]");
    };
    field("ver", "www_dpxq_com");
    for (name, tag) in TAGS {
        if let Some(value) = game.field(tag) {
            field(name, value);
        }
    }
    field("result", result_text(game.result, encoding));
    let men = men::squares(game.start().board());
    field("binit", &men.map(|square| square.map_or("99".to_owned(), digits)).concat());
    if game.is_empty() && game.start().side() == Color::Black {
        field("fen", &game.start().fen());
    }
    write_lines(game, field);
    text += "[/DhtmlXQ]\n";
    text
}

/// Returns a result as DhtmlXQ has it. More forms are read.
const fn result_text(result: GameResult, encoding: TextEncoding) -> &'static str {
    match (result, encoding) {
        (GameResult::RedWins, TextEncoding::Big5) => "紅勝",
        (GameResult::RedWins, _) => "红胜",
        (GameResult::BlackWins, TextEncoding::Big5) => "黑勝",
        (GameResult::BlackWins, _) => "黑胜",
        (GameResult::Draw, _) => "和棋",
        (GameResult::Unknown, _) => "未知",
    }
}

/// Returns the digits of a square.
fn digits(square: Square) -> String {
    format!("{}{}", square.file(), square.flip().rank())
}

/// A line of moves to be written.
#[derive(Clone, Copy)]
struct WrittenLine {
    /// The number of the line that it leaves.
    parent: usize,
    /// The half-move that its first move is, from 1.
    first: usize,
    /// The node of its first move.
    node: NodeId,
}

/// Writes the main line and all variations, each with its comments, as fields.
fn write_lines(game: &Game, mut field: impl FnMut(&str, &str)) {
    // In the order of their numbers.
    let mut lines: Vec<WrittenLine> = Vec::new();
    if let Some(&node) = game.children(NodeId::ROOT).first() {
        lines.push(WrittenLine { parent: 0, first: 1, node });
    } else {
        field("movelist", "");
    }
    if !game.comment(NodeId::ROOT).is_empty() {
        field("comment0", game.comment(NodeId::ROOT));
    }
    let mut index = 0;
    while let Some(&WrittenLine { parent, first, node }) = lines.get(index) {
        let line: Vec<NodeId> = std::iter::once(node).chain(game.line_after(node)).collect();
        let moves = line.iter().filter_map(|&id| game.mv(id));
        let moves: String = moves.map(|mv| digits(mv.from()) + &digits(mv.to())).collect();
        match index {
            0 => field("movelist", &moves),
            _ => field(&format!("move_{parent}_{first}_{index}"), &moves),
        }
        for (ply, id) in (first..).zip(line) {
            let comment = game.comment(id);
            match index {
                _ if comment.is_empty() => {}
                0 => field(&format!("comment{ply}"), comment),
                _ => field(&format!("comment{index}_{ply}"), comment),
            }
            let siblings = game.children(game.parent(id));
            // A line's first move is not the place of its own siblings, unless it is the main line.
            if siblings.first() == Some(&id) {
                let others = siblings.iter().skip(1);
                lines.extend(others.map(|&node| WrittenLine { parent: index, first: ply, node }));
            }
        }
        index += 1;
    }
}
