//! Iterative deepening with aspiration windows: one search of one worker.

#[cfg(test)]
mod tests;

use std::mem;
use std::sync::Arc;

use xiangqi::board::{Move, Position};

use super::context::{NodeCounter, SearchContext};
use super::info::{Bound, Score, WorkerResult};
use super::node::Root;
use super::root_moves::RootMove;
use super::time::IterationSummary;
use super::value::{INFINITE, MAX_PLY, is_decisive};
use super::worker::Worker;

/// Maximum depth of an iteration.
const MAX_DEPTH: i32 = MAX_PLY as i32 - 8;

/// State of iterative deepening, from which a search resumes after a pause.
#[derive(Clone, Debug)]
pub struct Deepening {
    /// The running iteration.
    depth: i32,
    max_depth: i32,
    /// The last finished iteration; 0 before.
    finished: i32,
    /// Number of principal variations.
    pv_count: usize,
    /// Number of iterations for which the best move has been the same.
    stability: i32,
    last_best: Option<Move>,
    last_value: Option<i32>,
    /// Value of the last search of the game, if it was for the same side.
    value_before: Option<i32>,
    /// The aspiration loop that a pause has interrupted, of the line `Worker::pv_index`. Its nodes
    /// are in `Worker::interrupted`.
    interrupted: Option<Aspiration>,
    /// True if there is nothing more to search.
    is_complete: bool,
}

/// Progress of an aspiration loop.
#[derive(Clone, Debug)]
struct Aspiration {
    depth: i32,
    /// The next window.
    alpha: i32,
    beta: i32,
    /// The step by which the window is widened next.
    delta: i32,
    /// Number of plies by which searches that failed high reduce the depth.
    fail_high_reduction: i32,
    /// The move expected to be the best.
    expected: Move,
}

impl Worker {
    /// Searches a position (with the moves that led to it, for repetitions) until a limit is
    /// reached or the search is stopped. In a ponder or infinite search worker 0 returns only after
    /// `stop` or `ponderhit`. When it returns, the other workers stop.
    pub fn search(&mut self, context: &Arc<SearchContext>, position: Position) -> WorkerResult {
        let mut place = self.begin(context, position);
        loop {
            if let Some(result) = self.resume(&mut place) {
                return result;
            }
        }
    }

    /// Prepares a search, which [`Worker::resume`] makes.
    pub fn begin(&mut self, context: &Arc<SearchContext>, position: Position) -> Deepening {
        self.prepare(context, position);
        self.first_place()
    }

    /// Prepares a search of the position after another move than the one that led to the root of
    /// the last search, which has ended and had the same rules.
    pub fn begin_beside(&mut self, context: &Arc<SearchContext>, mv: Move) -> Deepening {
        self.prepare_beside(context, mv);
        self.first_place()
    }

    /// Returns the place before the first iteration.
    fn first_place(&self) -> Deepening {
        let limits = &self.context.limits;
        let max_depth =
            limits.depth.map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH as u32) as i32);
        // The value of the last search counts only if it was for the same side.
        let before = self.last_search.filter(|&(side, _)| side == self.root_side);
        Deepening {
            // Every other worker is a ply ahead, so that it fills the table before the others.
            depth: 1 + (self.id % 2) as i32,
            max_depth,
            finished: 0,
            pv_count: limits.multi_pv.clamp(1, self.root_moves.len().max(1)),
            stability: 0,
            last_best: None,
            last_value: None,
            value_before: before.map(|(_, value)| value),
            interrupted: None,
            is_complete: self.root_moves.is_empty(),
        }
    }

    /// Searches on to the end, or to a pause if the context has them: then returns `None`. No other
    /// search may come between. A pause keeps the searched moves of the nodes of the principal
    /// variation; only the search of a move with a null window is repeated, with the transposition
    /// table.
    pub fn resume(&mut self, place: &mut Deepening) -> Option<WorkerResult> {
        if !place.is_complete && !self.deepen(place) {
            return None;
        }
        place.is_complete = true;
        let context = Arc::clone(&self.context);
        if self.id == 0 {
            let is_infinite = context.limits.infinite;
            if is_infinite || context.limits.ponder {
                if context.has_pauses() && !context.signals.is_released(is_infinite) {
                    return None;
                }
                context.signals.wait_for_release(is_infinite);
            }
            context.signals.request_stop();
        }
        let result = self.result(place);
        self.context = SearchContext::idle();
        Some(result)
    }

    /// Searches depth after depth. Returns false at a pause.
    fn deepen(&mut self, place: &mut Deepening) -> bool {
        self.stopped = false;
        while place.depth <= place.max_depth {
            if place.interrupted.is_none() {
                self.begin_depth(place.depth);
            }
            self.search_depth(place);
            if mem::take(&mut self.paused) {
                return false;
            }
            if self.stopped {
                break;
            }
            place.finished = place.depth;
            self.report_pvs(place.pv_count, true);

            let best = &self.root_moves[0];
            let (mv, value) = (best.mv, best.value);
            place.stability = if place.last_best == Some(mv) { place.stability + 1 } else { 0 };
            let iteration = IterationSummary {
                value: best.best_value(),
                value_drop: place.last_value.map_or(0, |last| last - value),
                drop_since_last_move: place.value_before.map_or(0, |last| last - value),
                best_move_changes: self.best_move_changes,
                stability: place.stability,
                // The nodes of further lines say nothing about the best move.
                best_move_effort: (place.pv_count == 1)
                    .then(|| best.nodes as f64 / self.nodes().max(1) as f64),
                is_only_move: self.root_moves.len() == 1,
            };
            place.last_best = Some(mv);
            place.last_value = Some(value);
            if self.id == 0 && self.time.is_enough(&self.context, &iteration) {
                break;
            }
            place.depth += 1;
        }
        self.last_search = place.last_value.map(|value| (self.root_side, value));
        if self.stopped && place.finished > 0 {
            self.report_pvs(place.pv_count, false);
        }
        true
    }

    /// Begins an iteration.
    fn begin_depth(&mut self, depth: i32) {
        self.best_move_changes /= 2.0;
        self.root_depth = depth;
        self.pv_index = 0;
        for root_move in &mut self.root_moves {
            root_move.begin_depth();
        }
    }

    /// Searches one iteration, or the rest of it after a pause: the root once for each requested
    /// principal variation.
    fn search_depth(&mut self, place: &mut Deepening) {
        for index in self.pv_index..place.pv_count {
            let mut aspiration = place.interrupted.take().unwrap_or_else(|| {
                self.pv_index = index;
                self.sel_depth = 0;
                self.aspiration(place.depth)
            });
            self.search_with_aspiration(&mut aspiration);
            if self.paused {
                place.interrupted = Some(aspiration);
                return;
            }
            // Without a value of this iteration the line is not compared with lines that have one.
            if self.root_moves[index].value != -INFINITE {
                self.root_moves[..=index]
                    .sort_by_key(|root_move| (-root_move.rank, -root_move.best_value()));
            }
            if self.stopped {
                return;
            }
        }
    }

    /// Returns the beginning of an aspiration loop: a window around the expected value.
    fn aspiration(&self, depth: i32) -> Aspiration {
        let RootMove { mv: expected, mean, .. } = self.root_moves[self.pv_index];
        let parameters = &self.parameters;
        let mut delta = parameters.aspiration_window;
        let (alpha, beta) = match mean {
            Some(mean) if depth >= parameters.aspiration_depth && !is_decisive(mean) => {
                delta += mean.abs() / parameters.aspiration_value_divisor;
                ((mean - delta).max(-INFINITE), (mean + delta).min(INFINITE))
            }
            _ => (-INFINITE, INFINITE),
        };
        Aspiration { depth, alpha, beta, delta, fail_high_reduction: 0, expected }
    }

    /// Searches the root and widens the window until the value is inside it. Continues an
    /// interrupted search.
    fn search_with_aspiration(&mut self, aspiration: &mut Aspiration) {
        let growth = self.parameters.aspiration_growth;
        let max_reduction = self.parameters.aspiration_reduction_max;
        let &mut Aspiration { depth, expected, .. } = aspiration;
        let Aspiration { alpha, beta, delta, fail_high_reduction, .. } = aspiration;
        loop {
            let value = if self.interrupted.is_empty() {
                let depth = (depth - *fail_high_reduction).max(1);
                self.root_window = (*beta - *alpha).max(1);
                self.negamax::<Root>(*alpha, *beta, depth, false)
            } else {
                self.resume_moves::<Root>()
            };
            if self.paused {
                return;
            }
            let index = self.pv_index;
            // A root move knows whether its value is a bound.
            self.root_moves[index..].sort_by_key(RootMove::order);
            if self.stopped {
                return;
            }
            if value <= *alpha {
                *beta = (*alpha + *beta) / 2;
                *alpha = (value - *delta).max(-INFINITE);
                *fail_high_reduction = 0;
            } else if value >= *beta {
                *beta = (value + *delta).min(INFINITE);
                *fail_high_reduction = (*fail_high_reduction + 1).min(max_reduction);
            } else {
                let best = &mut self.root_moves[index];
                // The mean of a move that was not the best one lately is out of date.
                let mean = best.mean.filter(|_| best.mv == expected);
                best.mean = Some(mean.map_or(value, |mean| (value + mean) / 2));
                return;
            }
            *delta += *delta * growth / 1024;
            if is_decisive(value) {
                (*alpha, *beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Returns the result of the search.
    fn result(&self, place: &Deepening) -> WorkerResult {
        let nodes = self.context.counters.get(self.id).map_or(0, NodeCounter::nodes);
        let judging = self.game_history.tally();
        let Some(best) = self.root_moves.first() else {
            // No legal move is a loss, in check or not; if only the limits left no move, there is
            // no result.
            let score = if self.position.has_legal_move() { Score::Cp(0) } else { Score::Mate(0) };
            return WorkerResult {
                best: None,
                ponder: None,
                score,
                bound: Bound::Exact,
                exact: Some(score),
                depth: 0,
                pv: Vec::new(),
                nodes,
                judging,
            };
        };
        let (score, bound) = best.score();
        let pv = self.pv_of(best);
        let finished = || place.last_value.map(Score::from_value);
        WorkerResult {
            best: Some(best.mv),
            ponder: self.ponder_move(&pv),
            score,
            bound,
            exact: if bound == Bound::Exact { Some(score) } else { finished() },
            depth: place.finished as u32,
            pv,
            nodes,
            judging,
        }
    }

    /// Returns the expected answer: from the principal variation, else from the transposition
    /// table.
    fn ponder_move(&self, pv: &[Move]) -> Option<Move> {
        pv.get(1).copied().or_else(|| {
            let position = self.position.after(pv.iter().copied());
            let mv = self.context.tt.probe(position.key(), 1)?.mv?;
            (position.is_pseudo_legal(mv) && position.is_legal(mv)).then_some(mv)
        })
    }
}
