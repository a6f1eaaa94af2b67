//! The root: iterative deepening with aspiration windows, the lines of several principal
//! variations, and the root moves with their ranks by the endgame tables and the rules.

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::sync::Arc;

use cannonade_tables::{Tables, Value};
use web_time::Instant;
use xiangqi::Score;
use xiangqi::board::{Move, Position};
use xiangqi::rules::search::{judge_occurrences, reaches_natural_limit};
use xiangqi::rules::{DEFAULT_OCCURRENCES, RuleSet, Wdl, mates_in_time, natural_plies, repeats};

use super::context::{NodeCounter, SearchContext};
use super::limits::Limits;
use super::node::Root;
use super::report::{Bound, PvInfo, WorkerResult};
use super::time::IterationSummary;
use super::value::{INFINITE, MATE, MAX_PLY, is_decisive, score_of};
use super::worker::Worker;

/// Slices of an iteration after which they are doubled.
const EQUAL_SLICES: u32 = 16;

/// Maximum depth of an iteration.
const MAX_DEPTH: i32 = MAX_PLY as i32 - 8;

/// State of a search between its iterations, or between the slices of one.
#[derive(Clone, Debug)]
pub struct SearchState {
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
    /// Number of slices that ended in the middle of the iteration.
    cuts: u32,
    /// True if there is nothing more to search.
    is_complete: bool,
}

impl SearchState {
    /// Returns the factor of the next slice if the iteration must end: what it repeats may take
    /// longer than a slice.
    fn growth(&self) -> u32 {
        1 << (self.cuts / EQUAL_SLICES).min(20)
    }
}

impl Worker {
    /// Searches a position (with the moves that led to it, for repetitions) until a limit is
    /// reached or the search is stopped. In a ponder or infinite search worker 0 returns only after
    /// `stop` or `ponderhit`. When it returns, the other workers stop.
    pub fn search(&mut self, context: &Arc<SearchContext>, position: Position) -> WorkerResult {
        let mut state = self.begin(context, position);
        loop {
            if let Some(result) = self.resume(&mut state, None) {
                return result;
            }
        }
    }

    /// Prepares a search, which [`Worker::resume`] makes.
    pub fn begin(&mut self, context: &Arc<SearchContext>, position: Position) -> SearchState {
        self.prepare(context, position);
        self.initial_state()
    }

    /// Prepares a search of a sibling of the last root: the position after another move than the
    /// one that led there. The last search has ended and had the same rules.
    pub fn begin_sibling(&mut self, context: &Arc<SearchContext>, mv: Move) -> SearchState {
        self.prepare_sibling(context, mv);
        self.initial_state()
    }

    /// Returns the state before the first iteration.
    fn initial_state(&self) -> SearchState {
        let limits = &self.context.limits;
        let max_depth =
            limits.depth.map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH as u32) as i32);
        // The value of the last search counts only if it was for the same side.
        let before = self.last_search.filter(|&(side, _)| side == self.root_side);
        SearchState {
            // Every other worker is a ply ahead, so that it fills the table before the others.
            depth: 1 + (self.id % 2) as i32,
            max_depth,
            finished: 0,
            pv_count: limits.multi_pv.clamp(1, self.root_moves.len().max(1)),
            stability: 0,
            last_best: None,
            last_value: None,
            value_before: before.map(|(_, value)| value),
            cuts: 0,
            is_complete: self.root_moves.is_empty(),
        }
    }

    /// Searches to the end, or for a slice: up to the instant `until`, then it returns `None`. The
    /// next slice starts the iteration again; the transposition table has most of what the last one
    /// found. An infinite search or one that ponders also returns `None` while it waits for its
    /// signal. Do not start another search in between, and use slices with one worker only.
    ///
    /// If only its depth or nodes end the search, the slices of an iteration grow, so that it ends.
    pub fn resume(
        &mut self,
        state: &mut SearchState,
        until: Option<Instant>,
    ) -> Option<WorkerResult> {
        if !state.is_complete {
            let factor = if self.context.limits.is_counted() { state.growth() } else { 1 };
            self.time.begin_slice(until.map(|until| {
                let now = Instant::now();
                now + factor * until.saturating_duration_since(now)
            }));
            state.is_complete = self.deepen(state);
            if !state.is_complete {
                return None;
            }
        }
        let context = Arc::clone(&self.context);
        if self.id == 0 {
            let is_infinite = context.limits.infinite;
            if is_infinite || context.limits.ponder {
                if until.is_some() && !context.signals.is_released(is_infinite) {
                    return None;
                }
                context.signals.wait_for_release(is_infinite);
            }
            context.signals.request_stop();
        }
        let result = self.result(state);
        self.context = SearchContext::idle();
        Some(result)
    }

    /// Searches depth after depth. Returns false if the slice ends first.
    fn deepen(&mut self, state: &mut SearchState) -> bool {
        // After a stop between two slices the iteration that was cut counts as it is.
        self.stopped = state.cuts > 0 && self.context.signals.is_stopped();
        while !self.stopped && state.depth <= state.max_depth {
            if state.cuts > 0 {
                self.restart_line();
            } else {
                self.begin_depth(state.depth);
            }
            self.search_depth(state);
            if self.stopped {
                // The end of a slice is not signalled.
                if !self.context.signals.is_stopped() {
                    state.cuts += 1;
                    return false;
                }
                break;
            }
            state.cuts = 0;
            state.finished = state.depth;
            self.report_pvs(state.pv_count, true);

            let best = &self.root_moves[0];
            let (mv, value) = (best.mv, best.value);
            state.stability = if state.last_best == Some(mv) { state.stability + 1 } else { 0 };
            let iteration = IterationSummary {
                value: best.best_value(),
                value_drop: state.last_value.map_or(0, |last| last - value),
                drop_since_last_move: state.value_before.map_or(0, |last| last - value),
                best_move_changes: self.best_move_changes,
                stability: state.stability,
                // The nodes of further lines say nothing about the best move.
                best_move_effort: (state.pv_count == 1)
                    .then(|| best.nodes as f64 / self.nodes().max(1) as f64),
                is_only_move: self.root_moves.len() == 1,
            };
            state.last_best = Some(mv);
            state.last_value = Some(value);
            if self.id == 0 && self.time.is_enough(&self.context, &iteration) {
                break;
            }
            state.depth += 1;
        }
        self.last_search = state.last_value.map(|value| (self.root_side, value));
        if self.stopped && state.finished > 0 {
            self.report_pvs(state.pv_count, false);
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

    /// Begins the line again in which a slice has ended. The finished lines of the iteration stay,
    /// and so does the order of the other moves.
    fn restart_line(&mut self) {
        for root_move in &mut self.root_moves[self.pv_index..] {
            root_move.value = -INFINITE;
        }
    }

    /// Searches one iteration, or the rest of it after a slice: the root once for each requested
    /// principal variation.
    fn search_depth(&mut self, state: &SearchState) {
        for index in self.pv_index..state.pv_count {
            self.pv_index = index;
            self.sel_depth = 0;
            self.search_with_aspiration(state.depth);
            // Only lines scored in this iteration are compared.
            if self.root_moves[index].value != -INFINITE {
                self.root_moves[..=index]
                    .sort_by_key(|root_move| (-root_move.rank, -root_move.best_value()));
            }
            if self.stopped {
                return;
            }
        }
    }

    /// Searches the root with a window around the expected value, and widens the window until the
    /// value is inside it.
    fn search_with_aspiration(&mut self, depth: i32) {
        let index = self.pv_index;
        let RootMove { mv: expected, mean, .. } = self.root_moves[index];
        let parameters = &self.parameters;
        let (growth, max_reduction) =
            (parameters.aspiration_growth, parameters.aspiration_reduction_max);
        let mut delta = parameters.aspiration_window;
        let (mut alpha, mut beta) = match mean {
            Some(mean) if depth >= parameters.aspiration_depth && !is_decisive(mean) => {
                delta += mean.abs() / parameters.aspiration_value_divisor;
                ((mean - delta).max(-INFINITE), (mean + delta).min(INFINITE))
            }
            _ => (-INFINITE, INFINITE),
        };
        // Searches that failed high reduce the depth.
        let mut reduction = 0;
        loop {
            self.root_window = (beta - alpha).max(1);
            let value = self.negamax::<Root>(alpha, beta, (depth - reduction).max(1), false);
            // A root move knows whether its value is a bound.
            self.root_moves[index..].sort_by_key(RootMove::order);
            if self.stopped {
                return;
            }
            if value <= alpha {
                beta = (alpha + beta) / 2;
                alpha = (value - delta).max(-INFINITE);
                reduction = 0;
            } else if value >= beta {
                beta = (value + delta).min(INFINITE);
                reduction = (reduction + 1).min(max_reduction);
            } else {
                let best = &mut self.root_moves[index];
                // The mean of a move that was not the best one lately is out of date.
                let mean = best.mean.filter(|_| best.mv == expected);
                best.mean = Some(mean.map_or(value, |mean| (value + mean) / 2));
                return;
            }
            delta += delta * growth / 1024;
            if is_decisive(value) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Returns the result of the search.
    fn result(&self, state: &SearchState) -> WorkerResult {
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
        let finished = || state.last_value.map(score_of);
        WorkerResult {
            best: Some(best.mv),
            ponder: self.ponder_move(&pv),
            score,
            bound,
            exact: if bound == Bound::Exact { Some(score) } else { finished() },
            depth: state.finished as u32,
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

#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) mv: Move,
    /// Value in this iteration; `-INFINITE` if only known to be worse than the best.
    pub(crate) value: i32,
    /// Its line of the previous iteration, if it had one.
    pub(crate) previous: Option<PreviousLine>,
    /// Running mean of the values, the centre of the aspiration window.
    pub(crate) mean: Option<i32>,
    /// Relation of `value` to the true one: the value of a failed aspiration window is a bound.
    pub(crate) bound: Bound,
    /// Maximum ply reached below the move, counted from the root.
    pub(crate) sel_depth: usize,
    /// Nodes searched below the move, over all iterations.
    pub(crate) nodes: u64,
    /// Principal variation, beginning with the move.
    pub(crate) pv: Vec<Move>,
    /// Value from the endgame tables, as seen from the root.
    pub(crate) table_value: Option<i32>,
    /// Rank by the endgame tables and the rules: a move of a higher rank comes before all of a lower
    /// one, whatever the search says. 0 if neither decides.
    pub(crate) rank: i32,
}

/// A finished line of an iteration, while the next one has none for the move.
#[derive(Clone, Debug)]
pub(crate) struct PreviousLine {
    pub(crate) value: i32,
    sel_depth: usize,
    pv: Vec<Move>,
}

impl RootMove {
    fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            value: -INFINITE,
            previous: None,
            mean: None,
            bound: Bound::Exact,
            sel_depth: 0,
            nodes: 0,
            pv: vec![mv],
            table_value: None,
            rank: 0,
        }
    }

    /// Begins an iteration.
    pub(crate) fn begin_depth(&mut self) {
        // Only lines have values, and of a move that was none the last line is out of date.
        self.previous = (self.value != -INFINITE).then(|| PreviousLine {
            value: self.value,
            sel_depth: self.sel_depth,
            pv: self.pv.clone(),
        });
        self.value = -INFINITE;
    }

    /// Returns the line of the previous iteration if this one has none for the move.
    fn line_before(&self) -> Option<&PreviousLine> {
        self.previous.as_ref().filter(|_| self.value == -INFINITE)
    }

    /// Returns the value of this iteration, or of the previous one if this one has none. A value
    /// from the endgame tables outranks both.
    pub(crate) fn best_value(&self) -> i32 {
        let searched = self.line_before().map_or(self.value, |line| line.value);
        self.table_value.unwrap_or(searched)
    }

    /// Returns the principal variation of the same iteration as [`RootMove::best_value`].
    pub(crate) fn best_pv(&self) -> &[Move] {
        self.line_before().map_or(&self.pv, |line| &line.pv)
    }

    /// Returns the key that sorts root moves: by rank, then by the value of this iteration, then by
    /// that of the previous one.
    pub(crate) fn order(&self) -> Reverse<(i32, i32, Option<i32>)> {
        Reverse((self.rank, self.value, self.previous.as_ref().map(|line| line.value)))
    }

    /// Returns the score for the protocols, and its relation to the true one.
    pub(crate) fn score(&self) -> (Score, Bound) {
        let is_searched = self.value != -INFINITE && self.table_value.is_none();
        let bound = if is_searched { self.bound } else { Bound::Exact };
        (score_of(self.best_value()), bound)
    }

    /// Records that the move is the best of this iteration so far; `rest` is the continuation.
    pub(crate) fn set_best(&mut self, value: i32, bound: Bound, sel_depth: usize, rest: &[Move]) {
        self.value = value;
        self.bound = bound;
        self.sel_depth = sel_depth;
        self.pv.clear();
        self.pv.push(self.mv);
        self.pv.extend(rest);
    }

    /// Returns the information about this move as line number `multi_pv`.
    pub(crate) fn pv_info(
        &self,
        context: &SearchContext,
        depth: i32,
        multi_pv: usize,
        pv: Vec<Move>,
    ) -> PvInfo {
        let is_current = self.value != -INFINITE;
        let (score, bound) = self.score();
        let depth = if is_current { depth } else { (depth - 1).max(1) };
        let sel_depth = self.line_before().map_or(self.sel_depth, |line| line.sel_depth) as u32;
        let line = PvInfo::new(depth as u32, score, bound, pv);
        PvInfo { sel_depth, multi_pv, ..context.with_statistics(line) }
    }
}

/// Returns the legal moves that the limits allow.
pub(crate) fn root_moves(position: &Position, limits: &Limits) -> Vec<RootMove> {
    position.legal_moves().into_iter().filter(|&mv| limits.allows(mv)).map(RootMove::new).collect()
}

// Values of the root moves by the endgame tables and the rules, before the search. A table ignores
// the past of the game and the natural-move limit. Hence a move that ends the game by a rule has no
// table value, and a win or loss counts as known only if the mate comes before the limit.

/// Within this many plies of the natural-move limit, the search ranks the moves whose mate the
/// table does not promise in time. Earlier the shortest way is the best guess.
const NEAR_LIMIT: u16 = 40;

// Ranks of the moves: higher is better for the side that moves.
const WON_BY_RULE: i32 = 3000;
const WON_IN_TIME: i32 = 2000;
const WON: i32 = 1000;
const WON_NEAR_LIMIT: i32 = 500;
const WON_REPEATING: i32 = 1;
const DRAWN: i32 = 0;

/// A root move judged by the tables and the rules.
struct Judged {
    rank: i32,
    /// Value from the root, if certain.
    value: Option<i32>,
}

/// Ranks the root moves. If the endgame tables hold the root, drops those that are worse than
/// others: the shortest wins, the draws or the longest losses stay, and for several principal
/// variations the next best. Else moves that lose at once by a repetition come last: to be mated
/// takes longer. Returns the number of positions looked up.
pub(crate) fn rank_root_moves(
    root_moves: &mut Vec<RootMove>,
    position: &Position,
    context: &SearchContext,
) -> usize {
    let tables = &context.options.tables;
    let held = tables.may_hold(position.board()) && !root_moves.is_empty();
    let Some(probe) = held.then(|| tables.probe(position).ok()).flatten() else {
        rank_by_repetition(root_moves, position, context.options.rules);
        return 0;
    };
    for root_move in root_moves.iter_mut() {
        let found = probe.moves.iter().find(|(mv, _)| *mv == root_move.mv);
        // Positions that a perpetual check may decide rank as draws, but the search values them.
        let value = found.map(|&(_, value)| value).filter(|value| value.is_exact());
        let judged = judge_move(position, root_move.mv, value, context);
        root_move.table_value = judged.value;
        root_move.rank = judged.rank;
    }
    root_moves.sort_by_key(|root_move| -root_move.rank);
    let lines = context.limits.multi_pv.clamp(1, root_moves.len());
    let least = root_moves[lines - 1].rank;
    root_moves.retain(|root_move| root_move.rank >= least);
    1 + probe.moves.len()
}

/// Ranks the moves that lose at once by a repetition below the others.
fn rank_by_repetition(root_moves: &mut [RootMove], position: &Position, rules: RuleSet) {
    let mut after = position.clone();
    for root_move in root_moves.iter_mut() {
        after.play_unchecked(root_move.mv);
        if verdict_by_repetition(&after, rules) == Some(Wdl::Win) {
            root_move.rank = -WON_BY_RULE;
        }
        after.unmake();
    }
    root_moves.sort_by_key(|root_move| -root_move.rank);
}

/// Judges a move with this table value, seen from the root.
fn judge_move(
    position: &Position,
    mv: Move,
    value: Option<Value>,
    context: &SearchContext,
) -> Judged {
    let after = position.after([mv]);
    let limit = context.options.natural_move_limit;
    if let Some(rank) = end_by_rule(&after, context.options.rules, limit) {
        return Judged { rank, value: None };
    }
    let Some(plies) = value.and_then(Value::plies) else {
        return Judged { rank: DRAWN, value: value.map(|_| context.options.draw_score) };
    };
    // The table counts from before the move.
    let in_time = mates_in_time(&after, u16::from(plies) - 1, limit);
    let is_near = natural_plies(&after).saturating_add(NEAR_LIMIT) > limit;
    let distance = i32::from(plies);
    let is_win = value.is_some_and(|value| value.wdl() == Wdl::Win);
    let rank = if is_win && repeats(position, mv) {
        // The shortest way does not repeat positions, unless an earlier move left it.
        WON_REPEATING
    } else if in_time {
        WON_IN_TIME - distance
    } else if is_near {
        WON_NEAR_LIMIT
    } else {
        WON - distance
    };
    let sign = if is_win { 1 } else { -1 };
    Judged { rank: sign * rank, value: in_time.then_some(sign * (MATE - distance)) }
}

/// Returns the rank of a move to this position if the game ends there by repetition or by the
/// natural-move limit.
fn end_by_rule(after: &Position, rules: RuleSet, limit: u16) -> Option<i32> {
    let ruled = verdict_by_repetition(after, rules).map(|verdict| match verdict {
        // Verdicts are for the side to move, the opponent.
        Wdl::Win => -WON_BY_RULE,
        Wdl::Draw => DRAWN,
        Wdl::Loss => WON_BY_RULE,
    });
    let drawn = || (reaches_natural_limit(after, limit) && after.has_legal_move()).then_some(DRAWN);
    ruled.or_else(drawn)
}

/// Returns the verdict for the side to move if the game ends by repetition in this position.
fn verdict_by_repetition(position: &Position, rules: RuleSet) -> Option<Wdl> {
    judge_occurrences(position, DEFAULT_OCCURRENCES, rules).map(|ruling| ruling.verdict)
}

/// Returns the line by the tables after the first move of `line`, until the mate or a position that
/// they do not decide. Of equal moves that of `line` is preferred.
pub(crate) fn table_line(tables: &Tables, position: &Position, line: &[Move]) -> Vec<Move> {
    let mut moves: Vec<Move> = line.iter().take(1).copied().collect();
    let mut position = position.after(moves.iter().copied());
    while moves.len() < MAX_PLY
        && let Ok(probe) = tables.probe(&position)
        && let Some(&(first, best)) = probe.moves.first()
        && best.is_exact()
        && best.plies().is_some()
    {
        let is_best = |mv: &&Move| probe.moves.contains(&(**mv, best));
        let mv = line.get(moves.len()).filter(is_best).copied().unwrap_or(first);
        moves.push(mv);
        position.play_unchecked(mv);
    }
    moves
}
