//! One piece attacking another, and all attacks of a side after its move.

use crate::board::{Board, Move};
use crate::geometry::{Bitboard, Piece, Square};
use crate::notation::{Notation, RelativeMan};
use crate::rules::RuleSet;
use crate::rules::cxa::capture_chases;
use crate::rules::protection::{fake_roots, is_outweighed, real_roots};

use super::effect::{Effect, Played, attacks_from};

/// A piece on its square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceOn {
    /// The piece.
    pub piece: Piece,
    /// Its square.
    pub square: Square,
    man: RelativeMan,
}

impl PieceOn {
    /// Returns the piece on a square of the board.
    pub(super) fn find(board: &Board, square: Square) -> Option<PieceOn> {
        let man = RelativeMan::on(board, square)?;
        Some(PieceOn { piece: board.piece_on(square)?, square, man })
    }

    /// Names the piece as its moves begin, `C2` or `炮二`; `None` for notations that name squares.
    pub fn name(&self, notation: Notation) -> Option<String> {
        notation.man(self.man)
    }

    /// Returns the pieces on the squares.
    pub(super) fn all(board: &Board, squares: Bitboard) -> Vec<PieceOn> {
        squares.into_iter().filter_map(|square| PieceOn::find(board, square)).collect()
    }
}

/// One piece attacking another.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Attack {
    /// The attacking piece.
    pub attacker: PieceOn,
    /// The attacked piece.
    pub victim: PieceOn,
    /// The ruling on the attack.
    pub effect: Effect,
    /// True if the attack did not exist before the move.
    pub is_new: bool,
    /// The other pieces of a joint chase, as far as they are known.
    pub partners: Vec<PieceOn>,
    /// The pieces that can legally recapture.
    pub roots: Vec<PieceOn>,
    /// The pieces that guard the victim but cannot legally recapture.
    pub fake_roots: Vec<PieceOn>,
    /// True if the victim outweighs its attacker, so that roots do not matter.
    pub is_outweighed: bool,
}

impl Attack {
    /// Returns whether the attack concerns the move: it is new, or its ruling depends on novelty.
    pub fn is_worth_showing(&self) -> bool {
        self.is_new
            || self.effect.is_chase()
            || matches!(self.effect, Effect::NotNew | Effect::NotMet)
    }

    /// Returns whether the attack is no chase because a root protects the victim.
    pub(super) fn is_on_protected(&self) -> bool {
        match self.effect {
            Effect::Protected => true,
            Effect::NoGain => !self.roots.is_empty(),
            _ => false,
        }
    }
}

/// Returns the mover's attacks after the move, chases first.
pub(super) fn attacks_after(played: &Played, rules: RuleSet) -> Vec<Attack> {
    if matches!(rules, RuleSet::CheckOnly | RuleSet::None) {
        return Vec::new();
    }
    let after = played.after;
    let chases = match rules {
        RuleSet::Cxa => capture_chases(played.before, played.mv),
        _ => Vec::new(),
    };
    let effect_of = |capture| match rules {
        RuleSet::Computer => (played.effect_by_computer_rules(capture), Bitboard::EMPTY),
        RuleSet::Cxa => match chases.iter().find(|(chase, _)| *chase == capture) {
            Some((_, Some(partners))) => (Effect::JointChase, *partners),
            Some(_) => (Effect::Chase, Bitboard::EMPTY),
            None => (played.effect_without_gain(capture), Bitboard::EMPTY),
        },
        _ => (played.effect_by_wxf(capture), Bitboard::EMPTY),
    };
    let mut attacks = Vec::new();
    for attacker in PieceOn::all(after, after.color(!after.side())) {
        let from = attacker.square;
        for victim in PieceOn::all(after, attacks_from(after, from)) {
            let to = victim.square;
            let capture = Move::between(from, to);
            let (effect, partners) = effect_of(capture);
            attacks.push(Attack {
                attacker,
                victim,
                effect,
                is_new: played.is_new(capture),
                partners: PieceOn::all(after, partners),
                roots: PieceOn::all(after, real_roots(after, from, to)),
                fake_roots: PieceOn::all(after, fake_roots(after, from, to)),
                is_outweighed: is_outweighed(after, from, to),
            });
        }
    }
    attacks.sort_by_key(|attack| !attack.effect.is_chase());
    attacks
}
