//! The analysed game as a game record: scores and mistakes as comments, better lines as variations.

use crate::notation::{Notation, write};
use crate::records::{Game, NodeId};
use crate::rules::Language;

use super::report::{percent, red_score_text};
use super::{Assessment, MoveAssessment, MoveClass};

/// Moves of a better line that are shown.
const MOVES_SHOWN: usize = 8;

/// The main line of a game with the results of the analysis; own comments and variations stay.
///
/// After each analysed move stand the score for Red before the move and the depth, `+0.35/12`.
/// Inaccuracies, mistakes and blunders have their glyph (`$6`, `$2`, `$4`), the points they lose in
/// percent, and the better line as a variation.
pub fn annotate(game: &Game, assessment: &Assessment, notation: Notation) -> Game {
    let mut annotated = game.clone();
    let nodes: Vec<NodeId> = game.main_line().collect();
    for (&node, mv) in nodes.iter().zip(&assessment.moves) {
        let Some(mv) = mv else { continue };
        let score = red_score_text(mv.analysis.score, mv.side);
        let mut comment = format!("{score}/{}", mv.analysis.depth);
        if mv.class >= MoveClass::Inaccuracy {
            annotated.add_glyph(node, glyph(mv.class));
            comment += &format!(" {} loses {}", mv.class.name(), percent(mv.loss));
            if let Some(best) = mv.analysis.best() {
                comment += &format!("; better {}", write(&mv.before, best, notation));
            }
        }
        annotated.add_comment(node, &comment);
        if mv.class >= MoveClass::Inaccuracy {
            add_better_line(&mut annotated, node, mv);
        }
    }
    for event in &assessment.events {
        if let Some(&node) = event.ply.checked_sub(1).and_then(|index| nodes.get(index)) {
            annotated.add_comment(node, &event.kind.text(Language::English));
        }
    }
    annotated
}

const fn glyph(class: MoveClass) -> u8 {
    match class {
        MoveClass::Best | MoveClass::Good => 1,
        MoveClass::Inaccuracy => 6,
        MoveClass::Mistake => 2,
        MoveClass::Blunder => 4,
    }
}

fn add_better_line(game: &mut Game, node: NodeId, mv: &MoveAssessment) {
    let Some(line) = mv.analysis.lines.first() else { return };
    let mut position = mv.before.clone();
    let mut parent = game.parent(node);
    for better in line.moves().into_iter().take(MOVES_SHOWN) {
        if position.check_move(better).is_err() {
            break;
        }
        parent = game.add(parent, better);
        position.make(better);
    }
}
