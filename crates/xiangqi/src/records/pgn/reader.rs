//! The moves of a PGN game: main line and variations, in any notation.

use crate::board::{Position, START_FEN};
use crate::geometry::Color;
use crate::notation::{NotationError, Ranks, ranks_of, read_with};
use crate::records::builder::GameBuilder;
use crate::records::reading::Reading;
use crate::records::{Game, NodeId, RecordError};
use crate::rules::GameResult;

use super::lexer::raw_games;
use super::raw_game::{RawGame, Token};

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
        if game.as_ref().is_ok_and(has_nothing)
            && let Some(first) = defects.iter().position(is_move)
        {
            game = Err(defects.remove(first).1);
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

/// Plays one game; an error if its start is not a position.
fn read_game(raw: &RawGame<'_>, defects: &mut Defects) -> Result<Game, RecordError> {
    let fen = raw.tag("FEN").filter(|fen| !fen.trim().is_empty());
    let start = Position::from_recorded_fen(fen.unwrap_or(START_FEN)).map_err(RecordError::Fen)?;
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

fn play(raw: &RawGame<'_>, start: &Position, ranks: Ranks) -> (Game, Defects) {
    let mut builder = GameBuilder::new(start.clone());
    let mut defects = Vec::new();
    let mut outer: Vec<Outer> = Vec::new();
    let mut broken = false;
    // A comment at the head of a variation, before its first move.
    let mut pending = String::new();
    let mut is_head = false;
    for &(line, token) in &raw.tokens {
        match token {
            Token::Open => {
                let place = builder.node();
                let has_move = builder.node() != NodeId::ROOT && !is_head;
                if !has_move && !broken {
                    let defect = RecordError::Parenthesis('(');
                    defects.push((line, defect.of_line(!outer.is_empty())));
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
            Token::Word(_) | Token::Dots(_) | Token::Comment(_) | Token::Glyph(_) if broken => {}
            // In place of a move; elsewhere they mean nothing.
            Token::Dots(_) if !dots_are_a_move(&builder, start, !outer.is_empty()) => {}
            Token::Word(word) | Token::Dots(word) => {
                match read_with(builder.position(), word, ranks) {
                    Ok(mv) => {
                        builder.play(mv);
                        let comment = std::mem::take(&mut pending);
                        builder.game.add_comment(builder.node(), &comment);
                        is_head = false;
                    }
                    Err(reason) => {
                        let position = builder.position();
                        let (number, side) = (position.move_number(), position.side());
                        let defect = RecordError::Move { number, side, reason };
                        defects.push((line, defect.of_line(!outer.is_empty())));
                        broken = true;
                    }
                }
            }
            Token::Comment(text) if is_head => {
                pending += if pending.is_empty() { "" } else { " " };
                pending += text;
            }
            Token::Comment(text) => builder.game.add_comment(builder.node(), text),
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
