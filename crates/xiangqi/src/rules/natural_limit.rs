//! The natural-move limit: a game in which nothing is captured for long is a draw.
//!
//! WXF and AXF count 50 moves by each side, CXA 60; of a side's checks at most ten are counted, so
//! that no side reaches the limit by checking on. As the moves are those of each side, the answer
//! to a check that is not counted brings the limit no nearer either: the round is left out, as
//! other engines do. A move that mates on the last ply wins.

use crate::board::Position;

/// The limit in plies that engines and servers use.
pub const DEFAULT_NATURAL_LIMIT: u16 = 120;

/// The number of a side's checks that are counted.
const COUNTED_CHECKS: u16 = 10;

/// Returns whether the plies without a capture have reached the limit; 0 is no limit. The caller
/// tests for mate first.
#[inline]
pub fn reaches_natural_limit(position: &Position, limit: u16) -> bool {
    limit != 0 && position.halfmove_clock() >= limit && natural_plies(position) >= limit
}

/// Returns whether a mate after `plies` further moves without a capture comes in time: no later
/// than the limit, on whose last ply a mate still wins; a limit of 0 is none. A position that is
/// mate already is decided, whatever the count.
pub fn mates_in_time(position: &Position, plies: u16, limit: u16) -> bool {
    limit == 0 || plies == 0 || natural_plies(position).saturating_add(plies) <= limit
}

/// Returns the plies since the last capture as the rule counts them: without the checks of each
/// side beyond its tenth and the answers to them. Plies from before the first state, known from its
/// FEN only, count in full.
pub fn natural_plies(position: &Position) -> u16 {
    let quiet = position.halfmove_clock();
    let states = position.states();
    let newest = states.len() - 1;
    let known = usize::from(quiet).min(newest);
    let mut checks = [0u16; 2];
    let mut is_answer = false;
    let mut uncounted = 0;
    for (i, state) in states[newest + 1 - known..].iter().enumerate() {
        checks[i % 2] += u16::from(state.in_check());
        let is_excess = state.in_check() && checks[i % 2] > COUNTED_CHECKS;
        uncounted += u16::from(is_excess || is_answer);
        is_answer = is_excess;
    }
    quiet.saturating_sub(uncounted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_on_the_last_ply_of_the_limit_is_in_time() {
        let position = |quiet: u16| {
            let fen = format!("3k5/9/9/9/9/9/9/9/9/R4K3 w - - {quiet} 60");
            Position::from_fen(&fen).expect("a position")
        };
        assert!(mates_in_time(&position(117), 3, 120));
        assert!(!mates_in_time(&position(118), 3, 120));
        assert!(mates_in_time(&position(118), 3, 0));
        assert!(mates_in_time(&position(130), 0, 120));
        assert!(!mates_in_time(&position(0), u16::MAX, 120));
    }
}
