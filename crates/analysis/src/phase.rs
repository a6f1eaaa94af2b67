//! The phases of a game.

use serde::Serialize;
use xiangqi::board::Position;
use xiangqi::geometry::PieceKind;

/// Half-moves after which no position belongs to the opening.
const OPENING_PLIES: usize = 20;

/// The weight of the attackers, rooks counting 2, knights and cannons 1, below which a position is
/// an endgame; the start has 16.
const MIDDLEGAME_WEIGHT: usize = 7;

/// The weight below which a position has left the opening.
const OPENING_WEIGHT: usize = 13;

/// A part of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// The first ten moves, as long as nearly all attackers are there.
    Opening,
    /// Neither of the others.
    Middlegame,
    /// At most 6 of the attackers' weight of 16 remain.
    Endgame,
}

impl Phase {
    /// All phases in order.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    /// Returns the phase of a position `ply` half-moves after the start of its game.
    pub fn of(position: &Position, ply: usize) -> Phase {
        let count = |kind| position.board().kind(kind).len();
        let weight =
            2 * count(PieceKind::Rook) + count(PieceKind::Knight) + count(PieceKind::Cannon);
        if weight < MIDDLEGAME_WEIGHT {
            Phase::Endgame
        } else if ply < OPENING_PLIES && weight >= OPENING_WEIGHT {
            Phase::Opening
        } else {
            Phase::Middlegame
        }
    }

    /// Returns the English name, as reports and JSON have it.
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middlegame => "middlegame",
            Phase::Endgame => "endgame",
        }
    }
}
