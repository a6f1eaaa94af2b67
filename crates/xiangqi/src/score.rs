//! The score of a position, as engines report it.

use crate::Color;

/// A score from the view of the side to move.
///
/// With the feature `serde` it is written as `{"cp":35}`, `{"mate":-3}` or `{"rule":5}`.
///
/// ```
/// use xiangqi::{Color, Score};
///
/// let score = Score::Mate(3);
/// assert!(score.is_decisive());
/// assert_eq!(score.for_red(Color::Black), Score::Mate(-3));
/// assert!(Score::Cp(120).centipawns() < Score::Rule(8).centipawns());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Score {
    /// Hundredths of a pawn.
    Cp(i32),
    /// The mover mates in this many moves; if negative, the opponent does. Zero: the mover has no
    /// move, which loses.
    Mate(i32),
    /// The mover wins by a repetition in this many plies; if negative, the opponent does.
    Rule(i32),
}

impl Default for Score {
    fn default() -> Score {
        Score::Cp(0)
    }
}

impl Score {
    /// The largest evaluation, in centipawns. A larger [`Score::Cp`] is a win in the endgame tables.
    pub const LARGEST_EVALUATION: i32 = 15_000;

    /// Returns the score as a plain number of centipawns: mates are near 30000 and won repetitions
    /// near 20000, minus the distance.
    pub const fn centipawns(self) -> i32 {
        match self {
            Score::Cp(cp) => cp,
            Score::Mate(0) => -30_000,
            Score::Mate(moves) => moves.signum() * (30_000 - 2 * moves.abs()),
            Score::Rule(plies) => plies.signum() * (20_000 - plies.abs()),
        }
    }

    /// Converts a score of a position with this side to move to Red's view.
    #[must_use]
    pub const fn for_red(self, side: Color) -> Score {
        match (side, self) {
            (Color::Red, score) => score,
            (Color::Black, Score::Cp(cp)) => Score::Cp(-cp),
            (Color::Black, Score::Mate(moves)) => Score::Mate(-moves),
            (Color::Black, Score::Rule(plies)) => Score::Rule(-plies),
        }
    }

    /// Returns whether the game is decided: a mate, a repetition that is won or lost, or a win or
    /// loss in the endgame tables.
    pub const fn is_decisive(self) -> bool {
        self.centipawns().abs() > Score::LARGEST_EVALUATION
    }
}
