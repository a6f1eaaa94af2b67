//! The rules that a ruling can rest on.

use crate::geometry::Color;

use super::attack::PieceOn;

/// A rule that applies to a loop.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Reason {
    /// The rule.
    pub kind: ReasonKind,
    /// The side that it is about; `None` if it is about both.
    pub side: Option<Color>,
    /// The pieces that it is about, on their squares at the start of the loop.
    pub pieces: Vec<PieceOn>,
}

/// A rule's statement about a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum ReasonKind {
    /// One side checks with every move.
    PerpetualCheck,
    /// Both sides check with every move.
    MutualCheck,
    /// One side checks with every move, the other chases with every move.
    CheckAgainstChase,
    /// One side chases one piece with every move.
    PerpetualChase,
    /// Both sides chase with every move.
    MutualChase,

    /// A knight or cannon chases a rook, protected or not.
    RookByLesser,
    /// This side chases with every move, the other side with some moves only.
    TwoToOne,
    /// An advisor or bishop chases a heavier piece that is protected.
    HeavierByGuard,
    /// Several pieces chase one piece in turn.
    SeveralChasers,
    /// The protector of the chased piece cannot legally recapture.
    FakeRoot,
    /// The chased piece, of the kind of its attacker, cannot capture it.
    SameKindUnable,
    /// A cannon chases by a screen that moves.
    MovedScreen,
    /// The chased piece is a pawn that has crossed the river.
    CrossedPawn,
    /// King or pawn take part in the chase, but other pieces chase with every move.
    WithKingOrPawn,
    /// The chase offers an exchange at the same time.
    WithExchange,
    /// The chased rook has no legal move but captures.
    ImmobileRook,
    /// The chased rook pins a piece of the chaser.
    PinningRook,

    /// Every move threatens mate.
    PerpetualKill,
    /// Checks and threats of mate in turn.
    CheckAndKill,
    /// Checks and threats to capture by check in turn.
    CheckAndCapture,
    /// Checks and chases in turn.
    CheckAndChase,
    /// Checks in turn with several of the three: threats of mate, threats to capture by check,
    /// chases.
    CheckAndThreats,
    /// Checks and other moves in turn.
    CheckAndIdle,
    /// Chases and threats of mate, or threats to capture by check, in turn.
    ChaseAndThreat,
    /// Chases and other moves in turn.
    ChaseAndIdle,
    /// Threats of mate and threats to capture by check in turn.
    KillAndCapture,
    /// Threats of mate and other moves in turn.
    KillAndIdle,
    /// Every move chases, but not one and the same piece.
    SeveralVictims,
    /// The attacked pawn has not crossed the river.
    UncrossedPawn,
    /// The attacked piece is protected.
    Protected,
    /// Pieces of one kind attack each other.
    SameKind,
    /// Pieces of one kind: the one that cannot capture the other is protected.
    SameKindProtected,
    /// Only king or pawn attack.
    ByKingOrPawn,
    /// The attacker is pinned.
    PinnedAttacker,
    /// The reply lets the attacked piece hang.
    NotMet,
    /// The attack was there before.
    NotNew,
    /// Threats to capture by check.
    CaptureByCheck,
    /// Moves that stand in the way of a threat.
    Block,
    /// A piece is offered.
    Offer,
    /// Neither side does anything that the rules know.
    OnlyIdle,

    /// By CXA: one side checks, kills or chases with every move, the other does not.
    OneSideForbidden,
    /// By CXA: neither side does so.
    NeitherForbidden,
    /// By CXA: both do, and one of them in the heavier way.
    HeavierOffence,
    /// By CXA: both chase alike, but one of them with two pieces together.
    JointChase,
    /// By CXA: both do, in equal ways.
    EqualOffences,
    /// By CXA: nothing is proven, because a search for threats ran out of nodes.
    Undecided,

    /// By the rules of computer matches: no chase counts, because somebody checks in the loop.
    CheckInLoop,
    /// The rule set forbids nothing of what was done.
    NoRule,
}

impl ReasonKind {
    /// Returns whether the reason is about the moves of one side, and of both if both make them.
    pub(super) fn is_about_moves(self) -> bool {
        !matches!(
            self,
            ReasonKind::MutualCheck
                | ReasonKind::MutualChase
                | ReasonKind::OnlyIdle
                | ReasonKind::NeitherForbidden
                | ReasonKind::EqualOffences
                | ReasonKind::Undecided
                | ReasonKind::CheckInLoop
                | ReasonKind::NoRule
        )
    }

    /// Returns whether the reason says nothing if there are others.
    pub(super) fn is_default(self) -> bool {
        matches!(self, ReasonKind::OnlyIdle)
    }

    /// Returns whether the reason may hold for one attack of a loop alone: it depends on the
    /// position.
    pub(super) fn is_about_one_attack(self) -> bool {
        matches!(self, ReasonKind::Protected | ReasonKind::NotNew | ReasonKind::NotMet)
    }

    /// Returns how far the moves allowed by this are from an offence: checks, chases with every move,
    /// attacks with every move that are no chases, others.
    pub(super) fn distance(self) -> u8 {
        match self {
            ReasonKind::CheckAndKill
            | ReasonKind::CheckAndCapture
            | ReasonKind::CheckAndChase
            | ReasonKind::CheckAndThreats
            | ReasonKind::CheckAndIdle => 0,
            ReasonKind::SeveralVictims => 1,
            ReasonKind::UncrossedPawn
            | ReasonKind::Protected
            | ReasonKind::SameKind
            | ReasonKind::SameKindProtected
            | ReasonKind::ByKingOrPawn
            | ReasonKind::PinnedAttacker
            | ReasonKind::NotMet
            | ReasonKind::NotNew => 2,
            _ => 3,
        }
    }

    /// Returns whether the moves allowed by this are nearly an offence.
    pub(super) fn is_near_offence(self) -> bool {
        matches!(
            self,
            ReasonKind::CheckAndKill
                | ReasonKind::CheckAndCapture
                | ReasonKind::CheckAndChase
                | ReasonKind::CheckAndThreats
                | ReasonKind::CheckAndIdle
                | ReasonKind::ChaseAndThreat
                | ReasonKind::ChaseAndIdle
                | ReasonKind::SeveralVictims
                | ReasonKind::PerpetualKill
        )
    }
}
