//! Ends of a game other than repetition: no legal move, the natural-move limit, dead material.
//! Referee and search share them, so that they agree on the order: a side without a legal move has
//! lost, even on the last ply of the limit.

use std::fmt;

use crate::board::Position;
use crate::geometry::Color;

use super::Level;
use super::material::is_dead;
use super::natural_limit::reaches_natural_limit;

/// The rule that ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum EndByRules {
    /// The side to move is in check and has no legal move: it has lost.
    Checkmate,
    /// The side to move is not in check and has no legal move: it has lost too.
    Stalemate,
    /// A position has occurred too often.
    #[non_exhaustive]
    Repetition {
        /// The loser; `None` if it is a draw.
        loser: Option<Color>,
        /// Red's conduct.
        red: Level,
        /// Black's conduct.
        black: Level,
    },
    /// The natural-move limit is reached: a draw.
    NaturalLimit,
    /// Neither side can still win: a draw.
    DeadMaterial,
}

impl EndByRules {
    /// Returns whether the side to move has no legal move and so has lost.
    pub fn is_without_move(self) -> bool {
        matches!(self, EndByRules::Checkmate | EndByRules::Stalemate)
    }
}

impl fmt::Display for EndByRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EndByRules::Checkmate => f.write_str("checkmate"),
            EndByRules::Stalemate => f.write_str("stalemate"),
            EndByRules::Repetition { red, black, .. } => {
                write!(f, "repetition (red: {}, black: {})", red.english(), black.english())
            }
            EndByRules::NaturalLimit => f.write_str("natural-move limit"),
            EndByRules::DeadMaterial => f.write_str("neither side can win"),
        }
    }
}

/// Returns the rule that ends the game in this position, except repetition; `limit` is the
/// natural-move limit in plies, 0 for none.
pub(super) fn end_of_game(position: &Position, limit: u16) -> Option<EndByRules> {
    if let Some(end) = without_legal_move(position) {
        return Some(end);
    }
    if reaches_natural_limit(position, limit) {
        return Some(EndByRules::NaturalLimit);
    }
    is_dead(position.board()).then_some(EndByRules::DeadMaterial)
}

/// Returns the rule that ends a game which would otherwise be drawn in this position by the
/// natural-move limit (plies; 0 for none) or because the last move has left dead material. It sees
/// no other mate or stalemate, which a search finds as it generates moves, and asks for the material
/// only after captures and at the first state, as a search goes no further than a draw.
#[inline]
pub fn end_by_count(position: &Position, limit: u16) -> Option<EndByRules> {
    let state = position.state();
    let may_be_dead = state.captured.is_some() || state.mv.is_none();
    let draw = if reaches_natural_limit(position, limit) {
        EndByRules::NaturalLimit
    } else if may_be_dead && is_dead(position.board()) {
        EndByRules::DeadMaterial
    } else {
        return None;
    };
    Some(without_legal_move(position).unwrap_or(draw))
}

fn without_legal_move(position: &Position) -> Option<EndByRules> {
    match (position.has_legal_move(), position.in_check()) {
        (true, _) => None,
        (false, true) => Some(EndByRules::Checkmate),
        (false, false) => Some(EndByRules::Stalemate),
    }
}
