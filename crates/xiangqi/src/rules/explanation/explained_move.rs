//! One move of a loop with all that it does.

use crate::board::Move;
use crate::geometry::{Bitboard, Color, Piece};
use crate::rules::RuleSet;

use super::attack::{Attack, attacks_after};
use super::effect::Played;
use super::move_kind::{MoveKind, kinds_of};

/// One move of the loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExplainedMove {
    /// The move.
    pub mv: Move,
    /// The piece that moves.
    pub piece: Piece,
    /// What the move does by the rule book, the heaviest first; at least one kind.
    pub kinds: Vec<MoveKind>,
    /// Where the pieces stand that the move chases.
    pub victims: Bitboard,
    /// What the side attacks after the move, chases first; nothing by rule books without chases.
    pub attacks: Vec<Attack>,
}

impl ExplainedMove {
    /// Explains a move; nothing if no piece stands on its target after it.
    pub(super) fn of(played: &Played, rules: RuleSet) -> Option<ExplainedMove> {
        let attacks = attacks_after(played, rules);
        let chases = attacks.iter().filter(|attack| attack.effect.is_chase());
        Some(ExplainedMove {
            mv: played.mv,
            piece: played.after.piece_on(played.mv.to())?,
            kinds: kinds_of(played, &attacks, rules),
            victims: chases.map(|attack| attack.victim.square).collect(),
            attacks,
        })
    }

    /// The side that moves.
    pub fn side(&self) -> Color {
        self.piece.color()
    }

    /// The heaviest of what the move does.
    pub fn class(&self) -> MoveKind {
        self.kinds.first().copied().unwrap_or(MoveKind::Idle)
    }
}
