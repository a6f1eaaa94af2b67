//! The moves of a PGN game: main line and variations, in any notation.

use crate::board::{FenError, Position, START_FEN};
use crate::geometry::Color;
use crate::notation::{NotationError, Ranks, ranks_of, read_with};
use crate::records::builder::GameBuilder;
use crate::records::move_lines::MoveLines;
use crate::records::reading::Reading;
use crate::records::{Game, NodeId, RecordError};
use crate::rules::GameResult;
use crate::text_form::excerpt;

use super::lexer::raw_games;
use super::raw_game::{RawGame, Section, Token};

/// The value of the tag `Format` for coordinates with ranks 1 to 10.
pub(super) const FORMAT_FROM_ONE: &str = "UCI10";

/// A part of the tag `Site` of a server that numbers ranks from 1 to 10 in algebraic notation.
const SITE_FROM_ONE: &str = "pychess.org";

/// Returns whether the value of a tag `Site` names such a server.
pub(super) fn is_site_from_one(site: &str) -> bool {
    site.contains(SITE_FROM_ONE)
}

/// Defects with their lines.
type Defects = Vec<(usize, RecordError)>;

/// Reads all games of a PGN text.
pub(in crate::records) fn read(text: &str) -> Reading {
    let mut reading = Reading::default();
    let mut number = 0;
    for raw in raw_games(text) {
        let mut defects = Vec::new();
        let mut game = read_game(&raw, &mut defects);
        // A text whose first word is not a move, without tags and result, is no game.
        let has_nothing = |game: &Game| {
            game.is_empty() && game.result == GameResult::Unknown && raw.tags.is_empty()
        };
        let is_move = |(_, defect): &(usize, RecordError)| {
            matches!(defect.in_any_line(), RecordError::Move { .. })
        };
        if game.as_ref().is_ok_and(has_nothing) {
            if let Some(first) = defects.iter().position(is_move) {
                game = Err(defects.remove(first).1);
            } else if let Some(defect) = text_alone(&raw).filter(|_| number == 0) {
                game = Err(defect);
            }
        }
        // Any text with braces has comments; one with nothing else is no game either.
        if defects.is_empty() && raw.result.is_none() && game.as_ref().is_ok_and(has_nothing) {
            continue;
        }
        let defects = defects.into_iter().map(|(line, error)| (Some(line), error)).collect();
        number += 1;
        reading.add(number, Some(raw.line), game, defects);
    }
    reading
}

/// Returns the defect of a text without moves: its first word is none.
fn text_alone(raw: &RawGame<'_>) -> Option<RecordError> {
    let text = raw.tokens.iter().find_map(|(_, token)| match token {
        Token::Text(text) => Some(*text),
        _ => None,
    })?;
    let word = text.split_whitespace().next().unwrap_or_default();
    Some(RecordError::Move {
        number: 1,
        side: Color::Red,
        reason: NotationError::Syntax(excerpt(word)),
    })
}

/// Reads the moves of one game, which another format encloses and begins in this line, with its
/// tags. Returns the game and its defects with their lines.
pub(in crate::records) fn read_move_text(
    text: &str,
    line: usize,
    tags: Vec<(String, String)>,
) -> (Result<Game, RecordError>, Defects) {
    let mut raw = raw_games(text).next().unwrap_or_default();
    raw.tags = tags;
    raw.line = line;
    let places = raw.tokens.iter_mut().map(|(place, _)| place);
    places
        .chain(raw.defects.iter_mut().map(|(place, _)| place))
        .for_each(|place| *place += line - 1);
    let mut defects = Vec::new();
    let game = read_game(&raw, &mut defects);
    (game, defects)
}

/// Returns the start of a game. If its FEN is a board alone, the first number tells the side.
fn start(fen: &str, raw: &RawGame<'_>) -> Result<Position, FenError> {
    let first = raw.tokens.iter().find_map(|(_, token)| match token {
        Token::Number(_, is_black) => Some(*is_black),
        Token::Word(_) => Some(false),
        _ => None,
    });
    if first == Some(true) && !fen.trim().contains(char::is_whitespace) {
        return Position::from_recorded_fen(&format!("{fen} b"));
    }
    Position::from_recorded_fen(fen)
}

/// Plays one game; an error if its start is not a position.
fn read_game(raw: &RawGame<'_>, defects: &mut Defects) -> Result<Game, RecordError> {
    let fen = raw.tag("FEN").filter(|fen| !fen.trim().is_empty());
    let start = start(fen.unwrap_or(START_FEN), raw).map_err(RecordError::Fen)?;
    let words = raw.tokens.iter().filter_map(|(_, token)| match token {
        Token::Word(word) => Some(*word),
        _ => None,
    });
    let is_from_one = |format: &str| format.eq_ignore_ascii_case(FORMAT_FROM_ONE);
    let tagged = raw.tag("Format").is_some_and(is_from_one).then_some(Ranks::FromOne);
    // A rank 0 or 10 is a proof.
    let proven = ranks_of(words).or(tagged);
    // A tag `Format` is of a program that wrote the moves anew, and kept the tag `Site`.
    let is_of_site = raw.tag("Format").is_none() && raw.tag("Site").is_some_and(is_site_from_one);
    let usual = if is_of_site { Ranks::FromOne } else { Ranks::FromZero };
    let ranks = proven.unwrap_or(usual);
    let (mut game, mut found) = play(raw, &start, ranks);
    if proven.is_none() && found.iter().any(|(_, error)| can_be_by_ranks(error)) {
        let (other, other_defects) = play(raw, &start, ranks.other());
        if other_defects.is_empty() {
            (game, found) = (other, other_defects);
        }
    }
    game.set_tags(raw.tags.iter().cloned());
    game.result = raw.final_result();
    defects.extend(found);
    defects.extend(raw.defects.iter().cloned());
    defects.sort_by_key(|(line, _)| *line);
    Ok(game)
}

/// Returns whether a move can be wrong because the ranks are numbered in the other way.
fn can_be_by_ranks(error: &RecordError) -> bool {
    let RecordError::Move { reason, .. } = error.in_any_line() else { return false };
    !matches!(reason, NotationError::Syntax(_))
}

/// Returns whether dots stand in place of a move: where Black has the second move of a pair, or
/// before the first move of a game in which Red begins.
fn dots_are_a_move(builder: &GameBuilder, start: &Position, is_variation: bool) -> bool {
    let is_first = builder.node() == NodeId::ROOT && !is_variation;
    start.side() == Color::Red && (builder.position().side() == Color::Black || is_first)
}

/// A line of moves that waits for the end of a variation.
struct Outer {
    /// The place where it goes on.
    place: NodeId,
    /// True if it ended with a defect, so that its further moves are skipped.
    broken: bool,
    /// True if it has no move yet.
    is_head: bool,
    /// The comments before its first move.
    pending: String,
}

/// The lines that headings such as `【变2-0-7】` begin, and the main line.
struct Sections<'a> {
    lines: MoveLines,
    /// The number of the line that is read; that of the main line is 0.
    current: usize,
    /// The heading of the line whose first move has not been read yet.
    waiting: Option<Section<'a>>,
    /// The next number for a line that has none.
    free: usize,
    /// The moves that may still be taken back and made to reach the places of further lines. Those
    /// of real files need far fewer, and hostile ones would need a time that grows as the square of
    /// their length.
    steps: usize,
}

impl<'a> Sections<'a> {
    /// A number that no heading gives.
    /// A number that no heading gives, on machines of 32 bits too.
    const FREE: usize = usize::MAX / 2;

    fn new(raw: &RawGame<'_>) -> Sections<'a> {
        let lines = MoveLines::new(Vec::new());
        let steps = 20_000 + 20 * raw.tokens.len();
        Sections { lines, current: 0, waiting: None, free: Sections::FREE, steps }
    }

    /// Goes to the place where the waiting line begins, if it has one: before this half-move.
    fn enter(
        &mut self,
        builder: &mut GameBuilder,
        first: Option<usize>,
    ) -> Result<(), RecordError> {
        let Some(section) = self.waiting.take() else { return Ok(()) };
        let before = first.and_then(|first| match first {
            1 => Some(NodeId::ROOT),
            first => self.lines.place(section.parent, first.checked_sub(1)?),
        });
        let no_parent = || RecordError::NoParent { name: section.name.to_owned() };
        let (before, first) = before.zip(first).ok_or_else(no_parent)?;
        let steps = builder.game.depth(before) + builder.game.depth(builder.node());
        self.steps = self.steps.checked_sub(steps).ok_or_else(no_parent)?;
        let own = section.line.filter(|&line| line < Sections::FREE && !self.lines.contains(line));
        self.free += usize::from(own.is_none());
        self.current = own.unwrap_or(self.free);
        self.lines.insert(self.current, section.parent, first);
        builder.go_to(before);
        Ok(())
    }
}

/// The numbers of moves in a text: each counts a pair of moves, or each one move.
struct Numbering {
    is_by_move: bool,
    first: u32,
    black_begins: bool,
}

impl Numbering {
    fn of(raw: &RawGame<'_>, start: &Position) -> Numbering {
        let count = |is: fn(&Token<'_>) -> bool| raw.tokens.iter().filter(|(_, t)| is(t)).count();
        let numbers = count(|token| matches!(token, Token::Number(..)));
        let moves = count(|token| matches!(token, Token::Word(_)));
        let first = raw.tokens.iter().find_map(|(_, token)| match token {
            Token::Number(number, _) => Some(*number),
            _ => None,
        });
        Numbering {
            is_by_move: moves > 1 && 4 * numbers > 3 * moves,
            first: first.unwrap_or(1),
            black_begins: start.side() == Color::Black,
        }
    }

    /// Returns the half-move of a number, from 1.
    fn half_move(&self, number: u32, is_black: bool) -> Option<usize> {
        let later = number.checked_sub(self.first)? as usize;
        if self.is_by_move {
            return Some(later + 1);
        }
        (2 * later + usize::from(is_black) + 1).checked_sub(usize::from(self.black_begins))
    }
}

fn play(raw: &RawGame<'_>, start: &Position, ranks: Ranks) -> (Game, Defects) {
    let mut builder = GameBuilder::new(start.clone());
    let mut defects = Vec::new();
    let mut outer: Vec<Outer> = Vec::new();
    let mut broken = false;
    // A comment at the head of a variation, before its first move.
    let mut pending = String::new();
    let mut is_head = false;
    let numbering = Numbering::of(raw, start);
    let mut sections = Sections::new(raw);
    // The number of the next move, and the last number with the moves that follow it.
    let mut number = None;
    let mut last_number = (0, 0);
    // The text behind the last move, with its line.
    let mut text_behind = None;
    for &(line, token) in &raw.tokens {
        let is_variation = !outer.is_empty() || sections.current > 0;
        match token {
            Token::Open => {
                let place = builder.node();
                let has_move = builder.node() != NodeId::ROOT && !is_head;
                if !has_move && !broken {
                    let defect = RecordError::Parenthesis('(');
                    defects.push((line, defect.of_line(is_variation)));
                }
                outer.push(Outer { place, broken, is_head, pending: std::mem::take(&mut pending) });
                broken |= !has_move;
                if !broken {
                    builder.back();
                }
                is_head = true;
            }
            Token::Close => {
                let Some(line_before) = outer.pop() else {
                    defects.push((line, RecordError::Parenthesis(')')));
                    continue;
                };
                let without_move = std::mem::replace(&mut pending, line_before.pending);
                builder.go_to(line_before.place);
                broken = line_before.broken;
                is_head = line_before.is_head;
                // The comments of a variation without moves are about the move before it.
                builder.game.add_comment(builder.node(), &without_move);
            }
            Token::Section(section) => {
                sections.waiting = Some(section);
                sections.current = usize::MAX;
                (broken, is_head) = (false, true);
            }
            Token::Number(value, is_black) => {
                // A text in place of the second move of a pair would make the next move that of the
                // other side.
                if let Some((line, text)) = text_behind
                    && !broken
                    && outer.is_empty()
                    && !is_black
                    && !numbering.is_by_move
                    && last_number == (value.wrapping_sub(1), 1)
                {
                    let (number, side) =
                        (builder.position().move_number(), builder.position().side());
                    let reason = NotationError::Syntax(excerpt(text));
                    let defect = RecordError::Move { number, side, reason };
                    defects.push((line, defect.of_line(is_variation)));
                    broken = true;
                }
                number = Some((value, is_black));
                // Dots count as the first move of the pair.
                last_number = (value, i32::from(is_black));
            }
            Token::Note(value, is_black, text) => {
                let place = numbering
                    .half_move(value, is_black)
                    .and_then(|ply| sections.lines.place(sections.current, ply));
                builder.game.add_comment(place.unwrap_or(builder.node()), text);
            }
            Token::Word(_)
            | Token::Dots(_)
            | Token::Comment(_)
            | Token::Text(_)
            | Token::Glyph(_)
                if broken => {}
            // In place of a move; elsewhere they mean nothing.
            Token::Dots(_) if !dots_are_a_move(&builder, start, is_variation) => {}
            Token::Word(word) | Token::Dots(word) => {
                let first =
                    number.take().and_then(|(value, black)| numbering.half_move(value, black));
                if let Err(defect) = sections.enter(&mut builder, first) {
                    defects.push((line, defect));
                    broken = true;
                    continue;
                }
                match read_with(builder.position(), word, ranks) {
                    Ok(mv) => {
                        builder.play(mv);
                        let comment = std::mem::take(&mut pending);
                        builder.game.add_comment(builder.node(), &comment);
                        is_head = false;
                        if outer.is_empty() {
                            sections.lines.add_place(sections.current, builder.node());
                            last_number.1 += 1;
                            text_behind = None;
                        }
                    }
                    Err(reason) => {
                        let position = builder.position();
                        let (number, side) = (position.move_number(), position.side());
                        let defect = RecordError::Move { number, side, reason };
                        defects.push((line, defect.of_line(is_variation)));
                        broken = true;
                    }
                }
            }
            Token::Comment(text) | Token::Text(text) if is_head => {
                pending += if pending.is_empty() { "" } else { " " };
                pending += text;
            }
            Token::Comment(text) | Token::Text(text) => {
                builder.game.add_comment(builder.node(), text);
                if matches!(token, Token::Text(_)) && outer.is_empty() {
                    text_behind = Some((line, text));
                }
            }
            Token::Glyph(glyph) if builder.node() != NodeId::ROOT && !is_head => {
                builder.game.add_glyph(builder.node(), glyph);
            }
            Token::Glyph(_) => {}
        }
    }
    if let Some(line_before) = outer.last() {
        builder.game.add_comment(line_before.place, &pending);
        let line = raw.tokens.last().map_or(raw.line, |(line, _)| *line);
        defects.push((line, RecordError::NotClosed("a variation")));
    }
    (builder.game, defects)
}
