//! Time management and the other limits of a `go`.
//!
//! The clock gives two times: a soft one, after which no new iteration begins, and a hard one, at
//! which the search is aborted. The soft time is scaled by how stable the search is.

use web_time::{Duration, Instant};

use super::context::{SearchContext, SearchOptions};
use super::limits::Limits;
use super::params::Parameters;
use super::value::{MATE, MATE_BAND};

/// Maximum number of nodes between two checks of the limits.
const CHECK_INTERVAL: u64 = 256;

/// Target time between two checks. Nodes take some microseconds, but a hundred times as long where
/// the system swaps or has to provide memory.
const CHECK_PERIOD: Duration = Duration::from_millis(1);

/// The times of one search, in seconds since its start, and when to check them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeManager {
    start: Instant,
    /// Time after which, once scaled, no new iteration begins.
    soft: Option<f64>,
    /// Time at which the search is aborted.
    hard: Option<f64>,
    /// True if the soft time was over after the last iteration, which ended while pondering.
    ready_for_hit: bool,
    /// Number of nodes of the worker at which the limits are checked next.
    pub(crate) next_check: u64,
    /// Instant and node count of the last check.
    last_check: (Instant, u64),
    /// Instant at which the slice of the search is over; `None` for a search in one piece.
    slice_end: Option<Instant>,
}

/// Findings of an iteration that scale the time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IterationSummary {
    /// Reported value of the best move, in centipawns: that of the endgame tables outranks the
    /// search's.
    pub(crate) value: i32,
    /// Fall of the value since the previous iteration, in centipawns; negative if it rose.
    pub(crate) value_drop: i32,
    /// Fall of the value since the search of the last move, in centipawns; negative if it rose.
    pub(crate) drop_since_last_move: i32,
    /// Changes of the best move within iterations, halved after each iteration.
    pub(crate) best_move_changes: f64,
    /// Number of iterations for which the best move has been the same.
    pub(crate) stability: i32,
    /// Share of the nodes spent on the best move, 0 to 1; `None` with several principal variations.
    pub(crate) best_move_effort: Option<f64>,
    /// True if there is only one root move.
    pub(crate) is_only_move: bool,
}

impl TimeManager {
    pub(crate) fn new(context: &SearchContext) -> TimeManager {
        let (soft, hard) =
            budget(&context.limits, context.options.move_overhead, &context.options.parameters);
        let last_check = (Instant::now(), 0);
        let start = context.start;
        TimeManager {
            start,
            soft,
            hard,
            ready_for_hit: false,
            next_check: 0,
            last_check,
            slice_end: None,
        }
    }

    /// Begins a slice of the search, up to this instant.
    pub(crate) fn begin_slice(&mut self, end: Option<Instant>) {
        self.slice_end = end;
    }

    /// Returns whether the slice of the search is over.
    pub(crate) fn is_slice_over(&self) -> bool {
        self.slice_end.is_some_and(|end| Instant::now() >= end)
    }

    /// Returns whether the node limit or the hard time limit is reached, if the search `may_end`
    /// yet. Sets the next check; `own_nodes` are the nodes of the worker that checks.
    pub(crate) fn is_limit_reached(
        &mut self,
        context: &SearchContext,
        own_nodes: u64,
        may_end: bool,
    ) -> bool {
        let mut interval = self.check_interval(own_nodes);
        let mut reached = false;
        let is_pondering = context.limits.ponder && context.signals.is_pondering();
        if let Some(limit) = context.limits.nodes.filter(|_| !is_pondering) {
            let nodes = context.nodes();
            reached = nodes >= limit;
            interval = interval.min(limit.saturating_sub(nodes) / context.counters.len() as u64);
        }
        self.next_check = own_nodes + interval.max(1);
        may_end && (reached || self.is_timed_out(context))
    }

    /// Returns the nodes until the next check: as many as take the period at the pace since the
    /// last one, but at most twice as many as then, because the pace may fall.
    fn check_interval(&mut self, own_nodes: u64) -> u64 {
        let now = Instant::now();
        let (last, last_nodes) = std::mem::replace(&mut self.last_check, (now, own_nodes));
        let nodes = own_nodes.saturating_sub(last_nodes);
        let periods = (now - last).as_secs_f64() / CHECK_PERIOD.as_secs_f64();
        let interval = (nodes as f64 / periods.max(1e-9)) as u64;
        interval.min(2 * nodes).clamp(1, CHECK_INTERVAL)
    }

    /// Returns whether the hard time limit is reached. While pondering no time is spent; at the
    /// ponder hit the own clock starts, unless another iteration is no longer worth its time.
    fn is_timed_out(&self, context: &SearchContext) -> bool {
        if self.ready_for_hit && !context.signals.is_pondering() {
            return true;
        }
        let Some(hard) = self.hard else { return false };
        if self.elapsed() < hard || context.signals.is_pondering() {
            return false;
        }
        let start = context.signals.hit_at().unwrap_or(self.start);
        start.elapsed().as_secs_f64() >= hard
    }

    /// Returns whether the search ends after this iteration: the requested mate is found, the soft
    /// node limit is reached, or another iteration is not worth its time.
    pub(crate) fn is_enough(
        &mut self,
        context: &SearchContext,
        iteration: &IterationSummary,
    ) -> bool {
        let limits = &context.limits;
        if let Some(moves) = limits.mate {
            // A mate in n moves is a mate in 2n - 1 plies.
            let plies = i64::from(MATE - iteration.value);
            if iteration.value >= MATE_BAND && plies < 2 * i64::from(moves) {
                return true;
            }
        }
        if limits.soft_nodes.is_some_and(|nodes| context.nodes() >= nodes) {
            return true;
        }
        if limits.clock.is_none() {
            return false;
        }
        let is_over = self.soft.is_some_and(|soft| {
            let limit = (soft * time_scale(iteration, &context.options.parameters))
                .min(self.hard.unwrap_or(f64::INFINITY));
            self.elapsed() >= limit
        });
        let is_pondering = context.signals.is_pondering();
        self.ready_for_hit = is_over && is_pondering;
        is_over && !is_pondering
    }

    /// Returns the seconds since the start of the search.
    fn elapsed(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

/// Returns the factor of the soft time: less for a stable best move, more for a changing one and
/// for a falling value (ideas of Stockfish, with our own numbers).
fn time_scale(iteration: &IterationSummary, parameters: &Parameters) -> f64 {
    let stable = hundredths(match iteration.stability {
        i32::MIN..=0 => parameters.time_stability_0,
        1 => parameters.time_stability_1,
        2 => parameters.time_stability_2,
        3 => parameters.time_stability_3,
        _ => parameters.time_stability_4,
    });
    let changing = 1.0 + iteration.best_move_changes * hundredths(parameters.time_changes);
    let drop = (f64::from(iteration.value_drop)
        + f64::from(iteration.drop_since_last_move) * hundredths(parameters.time_search_drop))
        / f64::from(parameters.time_drop_scale);
    let falling = (1.0 + drop)
        .clamp(hundredths(parameters.time_drop_min), hundredths(parameters.time_drop_max));
    let effort = iteration.best_move_effort.map_or(1.0, |effort| {
        (hundredths(parameters.time_effort_base) - effort)
            .clamp(hundredths(parameters.time_effort_min), hundredths(parameters.time_effort_max))
    });
    let only_move =
        if iteration.is_only_move { hundredths(parameters.time_only_move) } else { 1.0 };
    stable * changing * falling * effort * only_move
}

/// Converts a parameter in hundredths to a factor.
fn hundredths(parameter: i32) -> f64 {
    f64::from(parameter) / 100.0
}

/// Returns the time after which a search with these limits is aborted, if it is limited.
pub(crate) fn longest_time(limits: &Limits, options: &SearchOptions) -> Option<Duration> {
    let (_, hard) = budget(limits, options.move_overhead, &options.parameters);
    hard.map(Duration::from_secs_f64)
}

/// Returns the soft and the hard limit in seconds.
fn budget(
    limits: &Limits,
    overhead: Duration,
    parameters: &Parameters,
) -> (Option<f64>, Option<f64>) {
    let least_share = hundredths(parameters.time_least_share);
    let horizon = parameters.time_horizon as u32;
    let overhead = overhead.as_secs_f64();
    // At least a millisecond: a move is required even if the clock has run out.
    let usable = |left: f64| (left - overhead).max(left * least_share).max(0.001);
    if let Some(time) = limits.move_time {
        // No soft limit: the time was given for this move.
        return (None, Some(usable(time.as_secs_f64())));
    }
    let Some(clock) = limits.clock else { return (None, None) };
    let left = usable(clock.left.as_secs_f64());
    let increment = clock.increment.as_secs_f64();
    let moves = f64::from(clock.moves_to_go.unwrap_or(horizon).clamp(1, horizon));

    // An overhead above the increment is not reserved for all moves to come: that would leave half
    // of a short clock unused.
    let pool = left + (moves - 1.0) * (increment - overhead).max(0.0);
    let soft = match clock.moves_to_go {
        Some(1) => left * hundredths(parameters.time_soft_last),
        Some(_) => pool / moves * hundredths(parameters.time_soft_control),
        None => pool / moves,
    };
    let (of_last, of_many) = (parameters.time_hard_share_control, parameters.time_hard_share);
    let share = match clock.moves_to_go {
        Some(1) => of_last,
        // Keep time for the second move.
        Some(2) => (of_last + of_many) / 2,
        _ => of_many,
    };
    let hard = (soft * hundredths(parameters.time_hard_factor)).min(left * hundredths(share));
    (Some(soft.min(hard)), Some(hard))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::search::{Clock, TranspositionTable};

    fn times(left: u64, increment: u64, moves_to_go: Option<u32>) -> (f64, f64) {
        let clock = Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        match budget(&limits, Duration::from_millis(30), &Parameters::default()) {
            (Some(soft), Some(hard)) => (soft, hard),
            other => panic!("a clock gives times: {other:?}"),
        }
    }

    #[test]
    fn the_hard_limit_is_never_beyond_the_clock() {
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
    fn the_last_move_before_a_time_control_uses_most_of_the_time() {
        let (soft, hard) = times(1_000, 0, Some(1));
        assert!(soft > 0.7 && hard > 0.8, "{soft} {hard}");
    }

    #[test]
    fn the_first_of_two_moves_leaves_time_for_the_second() {
        let (soft, hard) = times(1_000, 0, Some(2));
        assert!(soft < 0.5 && hard < 0.7, "{soft} {hard}");
    }

    #[test]
    fn the_clock_is_checked_more_often_where_nodes_take_long() {
        let mut time = TimeManager::new(&context(Limits::default()));
        let ago =
            |ms| Instant::now().checked_sub(Duration::from_millis(ms)).expect("a running clock");
        time.last_check = (ago(0), 0);
        assert_eq!(time.check_interval(100_000), CHECK_INTERVAL);
        time.last_check = (ago(100), 1000);
        let interval = time.check_interval(1256);
        assert!((1..=3).contains(&interval), "{interval}");
        time.last_check = (ago(100), 1256);
        assert_eq!(time.check_interval(1257), 1);
        assert!(time.check_interval(1260) <= 6);
    }

    #[test]
    fn a_long_game_keeps_time_for_later() {
        let (soft, _) = times(60_000, 0, None);
        assert!((0.8..3.0).contains(&soft), "{soft}");
    }

    fn context(limits: Limits) -> SearchContext {
        let tt = Arc::new(TranspositionTable::new(1));
        let options = SearchOptions::default();
        SearchContext::new(limits, Instant::now(), options, tt, 1, Box::new(|_| ()))
    }

    const QUIET: IterationSummary = IterationSummary {
        value: 20,
        value_drop: 0,
        drop_since_last_move: 0,
        best_move_changes: 0.0,
        stability: 2,
        best_move_effort: Some(0.5),
        is_only_move: false,
    };

    #[test]
    fn a_stable_search_takes_less_time_than_an_unstable_one() {
        let parameters = Parameters::default();
        let scale = |iteration: IterationSummary| time_scale(&iteration, &parameters);
        assert!(scale(IterationSummary { stability: 9, ..QUIET }) < scale(QUIET));
        assert!(scale(IterationSummary { stability: 0, ..QUIET }) > scale(QUIET));
        assert!(scale(IterationSummary { value_drop: 60, ..QUIET }) > scale(QUIET));
        assert!(scale(IterationSummary { value_drop: -60, ..QUIET }) < scale(QUIET));
        assert!(scale(IterationSummary { best_move_changes: 1.5, ..QUIET }) > scale(QUIET));
        assert!(scale(IterationSummary { drop_since_last_move: 60, ..QUIET }) > scale(QUIET));
        assert!(scale(IterationSummary { drop_since_last_move: -60, ..QUIET }) < scale(QUIET));
        assert!(scale(IterationSummary { best_move_effort: Some(0.9), ..QUIET }) < scale(QUIET));
        // Several principal variations need no more time for their nodes.
        assert!(scale(IterationSummary { best_move_effort: None, ..QUIET }) < scale(QUIET));
        assert!(scale(IterationSummary { is_only_move: true, ..QUIET }) < scale(QUIET) / 5.0);
    }

    #[test]
    fn a_search_for_a_mate_ends_with_a_mate_short_enough() {
        let context = context(Limits { mate: Some(2), ..Limits::default() });
        let mut time = TimeManager::new(&context);
        let mut is_enough = |value| time.is_enough(&context, &IterationSummary { value, ..QUIET });
        assert!(is_enough(MATE - 1) && is_enough(MATE - 3));
        assert!(!is_enough(MATE - 5) && !is_enough(20) && !is_enough(3 - MATE));
    }

    #[test]
    fn only_a_search_by_the_clock_ends_early() {
        let clock = Clock { left: Duration::ZERO, increment: Duration::ZERO, moves_to_go: None };
        let clock = Limits { clock: Some(clock), ..Limits::default() };
        let pondering = Limits { ponder: true, ..clock.clone() };
        let ends = [clock, pondering, Limits::default()].map(|limits| {
            let context = context(limits);
            let mut time = TimeManager::new(&context);
            std::thread::sleep(Duration::from_millis(5));
            time.is_enough(&context, &QUIET)
        });
        assert_eq!(ends, [true, false, false]);
    }

    #[test]
    fn time_spent_pondering_counts_at_the_hit() {
        let left = Duration::from_secs(60);
        let clock = Clock { left, increment: Duration::ZERO, moves_to_go: None };
        let limits = Limits { clock: Some(clock), ponder: true, ..Limits::default() };
        for (pondered, ends) in [(Duration::from_secs(50), true), (Duration::ZERO, false)] {
            let context = context(limits.clone());
            let mut time = TimeManager::new(&context);
            time.start = Instant::now().checked_sub(pondered).expect("a running clock");
            assert!(!time.is_enough(&context, &QUIET), "it ponders");
            assert!(!time.is_limit_reached(&context, 0, true), "it ponders");
            context.signals.ponder_hit();
            assert_eq!(time.is_limit_reached(&context, 1, true), ends, "{pondered:?}");
        }
    }

    #[test]
    fn the_limits_are_checked_in_time_for_the_last_node() {
        let context = context(Limits { nodes: Some(100), ..Limits::default() });
        let mut time = TimeManager::new(&context);
        // As in the worker: count, and check when the next check is due.
        for nodes in 0..100 {
            if nodes >= time.next_check {
                assert!(!time.is_limit_reached(&context, nodes, true), "{nodes}");
            }
            assert!((nodes + 1..=100).contains(&time.next_check), "{nodes}");
            context.counters[0].count();
        }
        assert!(time.is_limit_reached(&context, 100, true));
    }
}
