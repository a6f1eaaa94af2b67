//! How long to think.
//!
//! From the clock come two times: one after which no new depth is begun, stretched or shortened
//! by how settled the search is, and one at which it is broken off.

use std::time::{Duration, Instant};

use super::{Limits, SearchContext};

/// The times of one search.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeManager {
    start: Instant,
    /// Seconds after which no new depth is begun, before it is stretched.
    soft: Option<f64>,
    /// Seconds after which the search is broken off.
    hard: Option<f64>,
}

impl TimeManager {
    pub(super) fn new(context: &SearchContext) -> TimeManager {
        let (soft, hard) = budget(
            &context.limits,
            context.options.move_overhead,
            context.options.parameters.time_horizon as u32,
        );
        TimeManager { start: context.start, soft, hard }
    }

    /// Seconds since the search began.
    pub(super) fn elapsed(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    /// Whether the search has to be broken off. While the opponent thinks, time costs nothing;
    /// when the expected move comes, our clock starts.
    pub(super) fn is_over(&self, context: &SearchContext) -> bool {
        let Some(hard) = self.hard else { return false };
        if self.elapsed() < hard || context.signals.is_pondering() {
            return false;
        }
        let start = context.signals.hit_at().map_or(self.start, |hit| hit.max(self.start));
        start.elapsed().as_secs_f64() >= hard
    }

    /// Whether another depth is not worth beginning; `stretch` scales the time it may take.
    pub(super) fn is_enough(&self, stretch: f64) -> bool {
        self.soft.is_some_and(|soft| {
            self.elapsed() >= (soft * stretch).min(self.hard.unwrap_or(f64::INFINITY))
        })
    }
}

/// Soft and hard limit in seconds; `horizon` moves are expected without a time control ahead.
fn budget(limits: &Limits, overhead: Duration, horizon: u32) -> (Option<f64>, Option<f64>) {
    let overhead = overhead.as_secs_f64();
    // Never less than a millisecond: a move has to be made even if the clock has run out.
    let keep_back = |left: f64| (left - overhead).max(left * 0.1).max(0.001);
    if let Some(time) = limits.move_time {
        // No new depth is refused: the time was given for this very move.
        return (None, Some(keep_back(time.as_secs_f64())));
    }
    let Some(clock) = limits.clock else { return (None, None) };
    let left = keep_back(clock.left.as_secs_f64());
    let increment = clock.increment.as_secs_f64();
    let moves = f64::from(clock.moves_to_go.unwrap_or(horizon).clamp(1, horizon));

    // Where moves cost more than the increment brings, the clock as it then is will tell: to keep
    // back the cost of all moves to come would leave half of a short clock unused.
    let pool = left + (moves - 1.0) * (increment - overhead).max(0.0);
    let soft = match clock.moves_to_go {
        Some(1) => left * 0.9,
        Some(_) => pool / moves * 0.95,
        None => pool / moves,
    };
    let share = if clock.moves_to_go.is_some_and(|moves| moves < 3) { 0.9 } else { 0.45 };
    let hard = (soft * 4.5).min(left * share);
    (Some(soft.min(hard)), Some(hard))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Clock, Parameters};

    fn times(left: u64, increment: u64, moves_to_go: Option<u32>) -> (f64, f64) {
        let clock = Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        let horizon = Parameters::default().time_horizon as u32;
        match budget(&limits, Duration::from_millis(30), horizon) {
            (Some(soft), Some(hard)) => (soft, hard),
            other => panic!("a clock gives times: {other:?}"),
        }
    }

    #[test]
    fn no_clock_is_ever_overdrawn() {
        for left in [0, 1, 5, 20, 50, 100, 1_000, 60_000, 3_600_000] {
            for increment in [0, 10, 100, 5_000] {
                for moves in [None, Some(1), Some(2), Some(5), Some(40), Some(1000)] {
                    let (soft, hard) = times(left, increment, moves);
                    assert!(soft <= hard, "{left} {increment} {moves:?}");
                    let limit = (left as f64 / 1000.0 - 0.030).max(left as f64 / 10_000.0);
                    assert!(hard <= limit.max(0.001), "{left} {increment} {moves:?}: {hard}");
                }
            }
        }
    }

    #[test]
    fn a_move_for_which_all_time_may_be_used_uses_most_of_it() {
        let (soft, hard) = times(1_000, 0, Some(1));
        assert!(soft > 0.7 && hard > 0.8, "{soft} {hard}");
    }

    #[test]
    fn a_long_game_keeps_time_for_later() {
        let (soft, _) = times(60_000, 0, None);
        assert!((0.8..3.0).contains(&soft), "{soft}");
    }
}
