//! Values of the search and their bands.
//!
//! ```text
//! 0 ... EVALUATION_LIMIT     RULE_BAND ... RULE_WIN     MATE_BAND ... MATE
//! evaluations                won repetitions            mates
//! ```
//! Negative values mirror these bands. In the bands of won games fewer plies are greater values. A
//! repetition that the rules decide has a band of its own below the mates: it is a win, but it
//! depends on the path to the position, so a mate is preferred to it.

use xiangqi::Score;

/// Maximum distance from the root in plies, at which the search evaluates and returns.
pub(crate) const MAX_PLY: usize = 128;

/// Bound above every value.
pub(crate) const INFINITE: i32 = 32_500;
/// Value of a mate on the board; reduced by one per ply to it.
pub(crate) const MATE: i32 = 32_000;
/// Value of a repetition that wins, on the board; reduced by one per ply to it.
pub(crate) const RULE_WIN: i32 = 31_000;
/// Minimum mate value. A mate found some plies below a node may be read from the table at the same
/// position further from the root: together up to twice [`MAX_PLY`].
pub(crate) const MATE_BAND: i32 = MATE - 2 * MAX_PLY as i32;
/// Minimum value of a win by repetition; evaluations are smaller.
pub(crate) const RULE_BAND: i32 = RULE_WIN - 2 * MAX_PLY as i32;
/// Exclusive bound of the absolute value of evaluations.
pub(crate) const EVALUATION_LIMIT: i32 = 20_000;

/// Returns the value of being mated `ply` plies from the root.
#[inline]
pub(crate) const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// Returns whether the value is a win or loss, by mate or by repetition.
#[inline]
pub(crate) const fn is_decisive(value: i32) -> bool {
    value.abs() >= RULE_BAND
}

/// Returns whether the value is a won or lost repetition.
#[inline]
pub(crate) const fn is_by_rule(value: i32) -> bool {
    value.abs() >= RULE_BAND && value.abs() <= RULE_WIN
}

/// Converts a value to the form of the transposition table: the plies of won games are counted from
/// the node, not from the root.
#[inline]
pub(crate) const fn to_table(value: i32, ply: usize) -> i32 {
    if value >= RULE_BAND {
        value + ply as i32
    } else if value <= -RULE_BAND {
        value - ply as i32
    } else {
        value
    }
}

/// Inverts [`to_table`].
#[inline]
pub(crate) const fn from_table(value: i32, ply: usize) -> i32 {
    if value >= RULE_BAND {
        value - ply as i32
    } else if value <= -RULE_BAND {
        value + ply as i32
    } else {
        value
    }
}

/// Converts a value to the form of the protocols.
pub(crate) fn score_of(value: i32) -> Score {
    // A move that no search has reached has the value -INFINITE.
    let value = value.max(-MATE);
    if value >= MATE_BAND {
        Score::Mate((MATE - value + 1) / 2)
    } else if value <= -MATE_BAND {
        Score::Mate(-(MATE + value) / 2)
    } else if value.abs() >= RULE_BAND {
        Score::Rule((RULE_WIN - value.abs()).max(1) * value.signum())
    } else {
        Score::Cp(value)
    }
}

/// Score in centipawns at which half the games are won: without pieces, and for each piece on the
/// board. All four numbers are fitted by `scripts/fit_wdl.py` to 50,014 positions of 364 games of
/// the engine (generation 10) with itself at about 6000 nodes per move.
const HALF_WON: [f64; 2] = [483.2, -9.58];

/// Centipawns that multiply the odds of a win by e: without pieces, and for each piece on the
/// board.
const SPREAD: [f64; 2] = [43.3, 5.70];

/// Returns the chances of win, draw and loss of the mover in permille; they sum to 1000. `pieces` is
/// the number of pieces on the board.
///
/// The logistic model of Stockfish and Pikafish (`UCIEngine::wdl`) with constants of our own.
pub fn win_draw_loss(score: Score, pieces: usize) -> [u32; 3] {
    let cp = score.centipawns();
    if score.is_decisive() {
        return if cp > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let of = |[base, slope]: [f64; 2]| base + slope * pieces as f64;
    let (half_won, spread) = (of(HALF_WON), of(SPREAD));
    let won = |cp: f64| (1000.0 / (1.0 + ((half_won - cp) / spread).exp())).round() as u32;
    let (win, loss) = (won(f64::from(cp)), won(-f64::from(cp)));
    [win, 1000_u32.saturating_sub(win + loss), loss]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_the_table_are_counted_from_the_node_and_back() {
        for ply in [0, 1, 17, MAX_PLY] {
            for distance in 0..MAX_PLY as i32 {
                for top in [MATE, RULE_WIN] {
                    // A game won this many plies after the node.
                    let value = top - ply as i32 - distance;
                    assert_eq!(to_table(value, ply), top - distance);
                    assert_eq!(from_table(to_table(value, ply), ply), value);
                    assert_eq!(from_table(to_table(-value, ply), ply), -value);
                    assert_eq!((value >= MATE_BAND, is_by_rule(value)), (top == MATE, top != MATE));
                }
            }
            for value in [0, 350, 1 - EVALUATION_LIMIT] {
                assert_eq!((to_table(value, ply), from_table(value, ply)), (value, value));
            }
        }
    }

    #[test]
    fn only_won_repetitions_are_by_rule() {
        for value in [RULE_WIN, -RULE_WIN, RULE_BAND] {
            assert!(is_by_rule(value) && is_decisive(value), "{value}");
        }
        for value in [MATE, MATE_BAND, mated_in(3)] {
            assert!(!is_by_rule(value) && is_decisive(value), "{value}");
        }
        for value in [0, EVALUATION_LIMIT, -EVALUATION_LIMIT] {
            assert!(!is_by_rule(value) && !is_decisive(value), "{value}");
        }
    }

    #[test]
    fn chances_sum_to_one_and_mirror() {
        for pieces in 2..=32 {
            let mut last = 0;
            for cp in -3000..=3000 {
                let [win, draw, loss] = win_draw_loss(Score::Cp(cp), pieces);
                assert_eq!(win + draw + loss, 1000, "{cp}");
                assert_eq!(win_draw_loss(Score::Cp(-cp), pieces), [loss, draw, win]);
                assert!(win >= last, "{cp}");
                last = win;
            }
        }
        assert_eq!(win_draw_loss(Score::Mate(3), 32), [1000, 0, 0]);
        assert_eq!(win_draw_loss(Score::Mate(0), 2), [0, 0, 1000]);
    }
}
