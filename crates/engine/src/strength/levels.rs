//! Table of levels, and the strengths between them.

/// The weakest Elo, that of Skill Level 0.
pub(crate) const MIN_ELO: i64 = LEVELS[0].elo;

/// The Skill Level of full strength.
pub(crate) const MAX_SKILL: i64 = LEVELS.len() as i64;

/// The strongest limited Elo, that of the Skill Level below full strength.
pub(crate) const MAX_ELO: i64 = LEVELS[LEVELS.len() - 1].elo;

/// Perception and effort of a player of some strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Habits {
    /// Chance to overlook a move of mean difficulty.
    pub(crate) overlooks: f64,
    /// Standard deviation of the judgement of a position, in centipawns.
    pub(crate) misjudges: f64,
    /// Number of moves calculated after a first look.
    pub(crate) candidates: f64,
    /// Total number of nodes to calculate them.
    pub(crate) nodes: f64,
}

/// A Skill Level.
#[derive(Clone, Copy, PartialEq, Debug)]
struct StrengthLevel {
    /// Measured strength, see `docs/lab/levels.md`.
    elo: i64,
    habits: Habits,
}

const fn level(
    elo: i64,
    overlooks: f64,
    misjudges: f64,
    candidates: f64,
    nodes: f64,
) -> StrengthLevel {
    StrengthLevel { elo, habits: Habits { overlooks, misjudges, candidates, nodes } }
}

/// The Skill Levels from 0 on; full strength is above the last.
#[rustfmt::skip]
const LEVELS: [StrengthLevel; 20] = [
    //    Elo    overlooks misjudges candidates nodes
    level(500,   0.6,      370.0,    1.0,       20.0),
    level(680,   0.51,     300.0,    1.0,       20.0),
    level(880,   0.43,     240.0,    1.0,       20.0),
    level(1030,  0.37,     190.0,    1.0,       20.0),
    level(1190,  0.31,     150.0,    1.5,       29.0),
    level(1300,  0.26,     120.0,    2.0,       64.0),
    level(1440,  0.22,     94.0,     2.0,       130.0),
    level(1580,  0.18,     73.0,     3.0,       240.0),
    level(1680,  0.15,     56.0,     3.0,       410.0),
    level(1790,  0.13,     42.0,     3.0,       680.0),
    level(1940,  0.095,    32.0,     3.0,       1100.0),
    level(2080,  0.074,    24.0,     3.0,       1900.0),
    level(2240,  0.055,    18.0,     3.5,       2900.0),
    level(2360,  0.04,     13.0,     4.0,       4600.0),
    level(2460,  0.028,    9.8,      4.0,       7200.0),
    level(2600,  0.017,    6.9,      4.0,       11000.0),
    level(2720,  0.0092,   5.0,      3.5,       16000.0),
    level(2850,  0.0045,   3.2,      3.0,       33000.0),
    level(3000,  0.002,    1.9,      3.0,       100000.0),
    level(3310,  0.0006,   0.8,      8.0,       300000.0),
];

/// A strength below the full one, on the scale of `UCI_Elo`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Strength {
    elo: i64,
}

impl Strength {
    /// Returns the strength of an Elo, moved into the bounds.
    pub fn from_elo(elo: i64) -> Strength {
        Strength { elo: elo.clamp(MIN_ELO, MAX_ELO) }
    }

    /// Returns the strength of a Skill Level; `None` from `MAX_SKILL` on, which is full strength.
    pub fn from_skill(skill: i64) -> Option<Strength> {
        (skill < MAX_SKILL).then(|| Strength { elo: LEVELS[skill.max(0) as usize].elo })
    }

    /// Returns the Elo.
    pub fn elo(self) -> i64 {
        self.elo
    }

    /// Returns the row of the table, or an interpolation between two rows.
    pub(crate) fn habits(self) -> Habits {
        let above = LEVELS.partition_point(|level| level.elo <= self.elo).min(LEVELS.len() - 1);
        let (low, high) = (LEVELS[above - 1], LEVELS[above]);
        let share = (self.elo - low.elo) as f64 / (high.elo - low.elo) as f64;
        let (low, high) = (low.habits, high.habits);
        let linear = |low: f64, high: f64| low + (high - low) * share;
        // Chances and nodes change by factors from row to row.
        let geometric = |low: f64, high: f64| low * (high / low).powf(share);
        Habits {
            overlooks: geometric(low.overlooks, high.overlooks),
            misjudges: geometric(low.misjudges, high.misjudges),
            candidates: linear(low.candidates, high.candidates),
            nodes: geometric(low.nodes, high.nodes),
        }
    }
}

/// Limitation of the engine's play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Handicap {
    /// The strength; `None` is the full one.
    pub(crate) strength: Option<Strength>,
    /// At full strength, the maximum loss of a move against the best one in centipawns, for
    /// variety; below, the minimum deviation of the judgement.
    pub(crate) variety: i32,
    /// True if a strength below the full one chooses its moves by the seed and the game alone, not
    /// by what its earlier searches have learnt.
    pub(crate) is_repeatable: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stronger_level_overlooks_less_and_calculates_more() {
        for pair in LEVELS.windows(2) {
            let [lower, higher] = [pair[0].habits, pair[1].habits];
            assert!(higher.overlooks <= lower.overlooks, "{pair:?}");
            assert!(higher.misjudges <= lower.misjudges, "{pair:?}");
            assert!(higher.nodes >= lower.nodes, "{pair:?}");
            assert_ne!(lower, higher);
            assert!(pair[1].elo >= pair[0].elo + 100, "{pair:?}");
        }
    }

    #[test]
    fn every_skill_level_is_a_row_of_the_table() {
        for (skill, row) in LEVELS.iter().enumerate() {
            let strength = Strength::from_skill(skill as i64).expect("below full");
            let (habits, row) = (strength.habits(), row.habits);
            assert_eq!(strength, Strength::from_elo(LEVELS[skill].elo));
            assert!((habits.nodes / row.nodes - 1.0).abs() < 1e-9, "{habits:?} {row:?}");
            assert!((habits.overlooks / row.overlooks - 1.0).abs() < 1e-9, "{habits:?} {row:?}");
        }
        assert_eq!(Strength::from_skill(MAX_SKILL), None);
    }

    #[test]
    fn strengths_between_two_levels_lie_between_their_rows() {
        for elo in MIN_ELO..MAX_ELO {
            let (now, next) =
                (Strength::from_elo(elo).habits(), Strength::from_elo(elo + 1).habits());
            assert!(now.overlooks >= next.overlooks && now.nodes <= next.nodes, "{elo}");
        }
    }

    #[test]
    fn an_elo_out_of_bounds_is_moved_inside() {
        assert_eq!(Strength::from_elo(-5).elo(), MIN_ELO);
        assert_eq!(Strength::from_elo(9_999).elo(), MAX_ELO);
        assert_eq!(Strength::from_skill(-3), Strength::from_skill(0));
    }
}
