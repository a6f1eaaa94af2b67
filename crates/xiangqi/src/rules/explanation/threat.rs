//! A threat that starts with a check, with its moves.

use crate::board::{Board, Move, Position};
use crate::notation::{Notation, write_line};
use crate::rules::RuleSet;
use crate::rules::cxa::{ThreatByCheck, new_threat_by_check};

use super::attack::PieceOn;
use super::effect::Played;

/// The value of a knight or cannon: a threat to win less by check is not named by WXF.
const WORTH_NAMING: i32 = 4;

/// A threat to mate or to win material that starts with a check.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Threat {
    /// The moves that would follow if the other side passed: checks and replies to them, then
    /// captures.
    pub moves: Vec<Move>,
    /// True if the threat is mate.
    pub is_mate: bool,
    /// The pieces that the side captures in these moves.
    pub captured: Vec<PieceOn>,
    /// The board after the move, with the side to move again.
    board: Board,
}

impl Threat {
    /// Returns the moves in a notation.
    pub fn line(&self, notation: Notation) -> Vec<String> {
        let position = Position::from_board(self.board.clone(), 0);
        position.map_or_else(|_| Vec::new(), |start| write_line(&start, &self.moves, notation))
    }

    /// Returns the threat after the move; nothing if its moves were not found within the limit on
    /// nodes.
    pub(super) fn new(found: ThreatByCheck, after: &Board) -> Option<Threat> {
        if found.line.is_empty() {
            return None;
        }
        let mut position = Position::from_board(after.clone(), 0).ok()?;
        position.make_null();
        let board = position.board().clone();
        let mut captured = Vec::new();
        for (i, &mv) in found.line.iter().enumerate() {
            // Every second move is a reply.
            if i % 2 == 0 {
                captured.extend(PieceOn::find(position.board(), mv.to()));
            }
            position.play_unchecked(mv);
        }
        Some(Threat { moves: found.line, is_mate: found.is_mate, captured, board })
    }
}

/// Returns the new threat of the move that starts with a check, if the rule book names it.
pub(super) fn threat_of(played: &Played, rules: RuleSet) -> Option<ThreatByCheck> {
    if matches!(rules, RuleSet::CheckOnly | RuleSet::None) {
        return None;
    }
    let least = if rules == RuleSet::Cxa { 1 } else { WORTH_NAMING };
    let found = new_threat_by_check(played.before, played.mv)?;
    found.gain.is_none_or(|gain| gain >= least).then_some(found)
}
