//! The analysed game as a game record: scores and mistakes as comments, better lines as variations.

use cannonade_engine::search::Score;
use xiangqi::board::Move;
use xiangqi::notation::{Notation, write};
use xiangqi::records::{Game, NodeId};
use xiangqi::rules::explanation::Language;

use super::earlier::{without_event, without_scores};
use super::report::percent;
use super::{Assessment, EventKind, MoveAssessment, MoveClass};

/// The tag that names the opening.
const OPENING_TAG: &str = "Opening";

/// Moves of a better line that are shown.
const MOVES_SHOWN: usize = 8;

/// Returns the main line of a game with the results of the analysis; own comments and variations
/// stay.
///
/// After each analysed move stand the score for Red after the move and the depth, as other programs
/// read them: `[%eval 0.35,12]`, `[%eval #-3,9]`. Inaccuracies, mistakes and blunders have their
/// glyph (`$6`, `$2`, `$4`), the points they lose in percent and the centipawns, and the better
/// line as a variation. A tag names the opening, unless the game has one. The text of an earlier
/// analysis of an analysed move is replaced.
pub fn annotate(game: &Game, assessment: &Assessment, notation: Notation) -> Game {
    let mut annotated = game.clone();
    if let Some(opening) = assessment.opening.filter(|_| game.tag(OPENING_TAG).is_none()) {
        // The name is one of a tag.
        let _ = annotated.set_tag(OPENING_TAG, opening.name(Language::English));
    }
    let events_at = |ply| -> Vec<EventKind> {
        let events = assessment.events.iter().filter(|event| event.ply == ply);
        events.map(|event| event.kind).collect()
    };
    for event in events_at(0) {
        add_event(&mut annotated, NodeId::ROOT, event);
    }
    let nodes: Vec<NodeId> = game.main_line().collect();
    for (index, &node) in nodes.iter().enumerate() {
        let events = events_at(index + 1);
        if let Some(Some(mv)) = assessment.moves.get(index) {
            remove_earlier(&mut annotated, node, mv, &events);
        }
        for event in events {
            add_event(&mut annotated, node, event);
        }
        if let Some(Some(mv)) = assessment.moves.get(index) {
            add_score(&mut annotated, node, mv, notation);
        }
    }
    annotated
}

const fn glyph(class: MoveClass) -> Option<u8> {
    match class {
        MoveClass::Best | MoveClass::Good => None,
        MoveClass::Inaccuracy => Some(6),
        MoveClass::Mistake => Some(2),
        MoveClass::Blunder => Some(4),
    }
}

/// Removes the text of an earlier analysis from a move.
fn remove_earlier(game: &mut Game, node: NodeId, mv: &MoveAssessment, events: &[EventKind]) {
    let (mut comment, earlier) = without_scores(game.comment(node));
    for event in events {
        comment = without_event(&comment, &event.without_table().text(Language::English));
    }
    game.set_comment(node, &comment);
    let old: Vec<u8> = earlier.classes.into_iter().filter_map(glyph).collect();
    let glyphs = game.glyphs(node).iter().copied().filter(|glyph| !old.contains(glyph));
    game.set_glyphs(node, glyphs.collect());
    for better in earlier.better {
        remove_better_line(game, node, mv, &better);
    }
}

/// Removes the better line of an earlier analysis, which begins with this move. If there are
/// several such variations, one may be a person's, and all stay; of identical lines all go.
fn remove_better_line(game: &mut Game, node: NodeId, mv: &MoveAssessment, better: &str) {
    let is_written = |mv: &MoveAssessment, other: Move| {
        Notation::ALL.into_iter().any(|notation| write(&mv.before, other, notation) == better)
    };
    let variations = game.children(game.parent(node)).iter().filter(|&&child| child != node);
    let lines: Vec<(NodeId, Vec<Move>)> = variations
        .filter(|&&child| game.mv(child).is_some_and(|other| is_written(mv, other)))
        .filter_map(|&child| Some((child, bare_line(game, child)?)))
        .collect();
    let are_copies = lines.iter().zip(lines.iter().skip(1)).all(|((_, a), (_, b))| a == b);
    if are_copies {
        for (child, _) in lines {
            game.remove(child);
        }
    }
}

/// Returns the moves from this one on if they are no more than those of a better line and have no
/// comments, glyphs or variations.
fn bare_line(game: &Game, first: NodeId) -> Option<Vec<Move>> {
    let line: Vec<NodeId> = std::iter::once(first).chain(game.line_after(first)).collect();
    let is_bare = |&id: &NodeId| {
        game.comment(id).is_empty() && game.glyphs(id).is_empty() && game.children(id).len() < 2
    };
    (line.len() <= MOVES_SHOWN && line.iter().all(is_bare))
        .then(|| line.into_iter().filter_map(|id| game.mv(id)).collect())
}

/// Returns a score from Red's view as `[%eval]` has it: pawns, or `#` and the moves to a mate. A
/// won repetition is near 200 pawns.
fn eval_text(score: Score) -> String {
    match score {
        Score::Mate(moves) => format!("#{moves}"),
        _ => format!("{:.2}", f64::from(score.centipawns()) / 100.0),
    }
}

fn add_score(game: &mut Game, node: NodeId, mv: &MoveAssessment, notation: Notation) {
    let mut comment = format!("[%eval {},{}]", eval_text(mv.red_score()), mv.after.depth);
    if let Some(glyph) = glyph(mv.class) {
        if !game.glyphs(node).contains(&glyph) {
            game.add_glyph(node, glyph);
        }
        let (class, points) = (mv.class.name(), percent(mv.loss));
        comment += &format!(" {class} loses {points} ({} cp)", mv.cp_loss);
        if let Some(best) = mv.analysis.best() {
            comment += &format!("; better {}", write(&mv.before, best, notation));
        }
        add_better_line(game, game.parent(node), mv);
    }
    game.add_comment(node, &comment);
}

/// Adds the better line unless the game has a variation with exactly its moves.
fn add_better_line(game: &mut Game, parent: NodeId, mv: &MoveAssessment) {
    let line = better_line(mv);
    let mut reached = vec![parent];
    for &better in &line {
        let children = reached.iter().flat_map(|&id| game.children(id)).copied();
        reached = children.filter(|&child| game.mv(child) == Some(better)).collect();
    }
    if reached.iter().any(|&id| id != parent && game.children(id).is_empty()) {
        return;
    }
    // They were checked in the same position, with the same moves before it.
    line.into_iter().fold(parent, |last, better| game.add_unchecked(last, better));
}

/// Returns the first legal moves of the best line.
fn better_line(mv: &MoveAssessment) -> Vec<Move> {
    let mut position = mv.before.clone();
    let moves = mv.analysis.lines.first().map_or(&[][..], |line| &line.moves);
    let legal = moves.iter().copied().take(MOVES_SHOWN);
    legal.take_while(|&better| position.play(better).is_ok()).collect()
}

/// Adds the description of an event. A text of an earlier analysis that says as much or more stays.
fn add_event(game: &mut Game, node: NodeId, event: EventKind) {
    let text = event.text(Language::English);
    if !game.comment(node).contains(&text) {
        let bare = event.without_table().text(Language::English);
        let rest = without_event(game.comment(node), &bare);
        game.set_comment(node, &rest);
        game.add_comment(node, &text);
    }
}
