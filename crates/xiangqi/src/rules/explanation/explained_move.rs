//! One move of a loop with its kinds and attacks.

use crate::board::Move;
use crate::geometry::{Bitboard, Color, Piece};
use crate::rules::RuleSet;

use super::attack::{Attack, attacks_after};
use super::effect::Played;
use super::move_kind::{MoveKind, kinds_of};
use super::threat::{Threat, threat_of};

/// One move of the loop.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ExplainedMove {
    /// The move.
    pub mv: Move,
    /// The piece that moves.
    pub piece: Piece,
    /// The kinds of the move by the rule book, heaviest first; at least one.
    pub kinds: Vec<MoveKind>,
    /// The squares of the pieces that the move chases.
    pub victims: Bitboard,
    /// The threat of a kill or a capture by check, if its moves were found.
    pub threat: Option<Threat>,
    /// The side's attacks after the move, chases first; empty by rule books without chases.
    pub attacks: Vec<Attack>,
}

impl ExplainedMove {
    /// Explains a move; nothing if no piece stands on its target after it.
    pub(super) fn of(played: &Played, rules: RuleSet) -> Option<ExplainedMove> {
        let attacks = attacks_after(played, rules);
        let threat = threat_of(played, rules);
        let chases = attacks.iter().filter(|attack| attack.effect.is_chase());
        Some(ExplainedMove {
            mv: played.mv,
            piece: played.after.piece_on(played.mv.to())?,
            kinds: kinds_of(played, &attacks, threat.as_ref(), rules),
            victims: chases.map(|attack| attack.victim.square).collect(),
            threat: threat.and_then(|threat| Threat::new(threat, played.after)),
            attacks,
        })
    }

    /// Returns the side that moves.
    pub fn side(&self) -> Color {
        self.piece.color()
    }

    /// Returns the attacks that explain the move: the new ones, those whose ruling depends on
    /// novelty and, if it follows, those of protected pieces by the piece that has moved.
    pub fn shown_attacks(&self) -> impl Iterator<Item = &Attack> {
        let follows = self.class() == MoveKind::Follow;
        self.attacks.iter().filter(move |attack| {
            let is_followed = attack.attacker.square == self.mv.to() && attack.is_on_protected();
            attack.is_worth_showing() || follows && is_followed
        })
    }

    /// Returns the heaviest kind of the move.
    pub fn class(&self) -> MoveKind {
        self.kinds.first().copied().unwrap_or(MoveKind::Idle)
    }
}
