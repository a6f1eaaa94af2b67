//! One thread's searcher: iterative deepening with aspiration windows.

use std::sync::Arc;
use std::time::Duration;

use super::context::SearchContext;
use super::histories::Histories;
use super::line::Lines;
use super::negamax::Root;
use super::parameters::Parameters;
use super::report::{Bound, Score, SearchInfo, SearchResult};
use super::root::{RootMove, root_moves};
use super::stack::Stack;
use super::time::TimeManager;
use super::value::{INFINITE, MATE, MATE_BAND, MAX_PLY, is_decisive};
use crate::board::{Move, Position};
use crate::evaluation::Evaluator;
use crate::geometry::Color;
use crate::rules::{History, RuleSet};

/// Nodes between two looks at the clock.
const CLOCK_INTERVAL: u64 = 1024;

/// See the module. A worker lives as long as its thread and keeps its histories between searches.
pub struct Worker {
    pub(super) id: usize,
    pub(super) parameters: Parameters,
    pub(super) reductions: Vec<i32>,
    pub(super) histories: Histories,
    pub(super) evaluator: Evaluator,
    pub(super) stack: Stack,
    pub(super) lines: Lines,
    pub(super) position: Position,
    pub(super) history: History,
    pub(super) ply: usize,
    pub(super) sel_depth: usize,
    pub(super) root_depth: i32,
    pub(super) root_side: Color,
    pub(super) root_moves: Vec<RootMove>,
    /// The root moves before this one have their lines already.
    pub(super) pv_index: usize,
    /// The earliest ply that the value just returned depends on by a won or lost repetition;
    /// negative before the root, greatest if there is none.
    pub(super) dependence: i32,
    /// Below this ply no null move is tried, while one is verified.
    pub(super) no_null_before: usize,
    pub(super) stopped: bool,
    /// When the root move that is searched may be said again; see [`Worker::announce`].
    pub(super) next_announcement: Duration,
    next_look: u64,
    time: Option<TimeManager>,
}

impl Worker {
    /// A worker with empty histories; worker 0 reports and watches the clock.
    pub fn new(id: usize) -> Worker {
        let parameters = Parameters::default();
        Worker {
            id,
            reductions: reduction_table(&parameters),
            parameters,
            histories: Histories::new(),
            evaluator: Evaluator::new(),
            stack: Stack::new(),
            lines: Lines::new(),
            history: History::new(&Position::startpos(), RuleSet::default()),
            position: Position::startpos(),
            ply: 0,
            sel_depth: 0,
            root_depth: 0,
            root_side: Color::Red,
            root_moves: Vec::new(),
            pv_index: 0,
            dependence: i32::MAX,
            no_null_before: 0,
            stopped: false,
            next_announcement: Duration::ZERO,
            next_look: 0,
            time: None,
        }
    }

    /// Forgets what was learned, for a new game.
    pub fn clear(&mut self) {
        self.histories.clear();
    }

    /// Searches a position (with the moves that led to it, for repetitions) until a limit is met
    /// or the search is stopped. While pondering or infinite, worker 0 returns only after `stop`
    /// or `ponderhit`; it stops the others.
    pub fn search(&mut self, context: &Arc<SearchContext>, position: Position) -> SearchResult {
        self.position = position;
        self.position.reserve(MAX_PLY + 8);
        self.history = History::new(&self.position, context.options.rules);
        self.history.reserve(MAX_PLY + 8);
        if self.parameters != context.options.parameters {
            self.parameters = context.options.parameters.clone();
            self.reductions = reduction_table(&self.parameters);
        }
        self.root_side = self.position.side();
        self.ply = 0;
        self.stopped = false;
        self.no_null_before = 0;
        self.next_announcement = Duration::ZERO;
        self.next_look = 0;
        self.root_moves = root_moves(&self.position, &context.limits);
        self.stack.clear();
        self.evaluator.reset(&context.options.evaluation);
        self.time = Some(TimeManager::new(context));

        let depth = if self.root_moves.is_empty() { 0 } else { self.deepen(context) };
        if self.id == 0 {
            context.signals.wait_for_release(context.limits.infinite);
            context.signals.request_stop();
        }
        self.outcome(context, depth)
    }

    fn outcome(&self, context: &SearchContext, depth: i32) -> SearchResult {
        let nodes = context.counters.get(self.id).map_or(0, |counter| counter.nodes());
        let judging = self.history.tally();
        let Some(best) = self.root_moves.first() else {
            // No legal move is a loss, checked or not; moves that were all banned are no result.
            let score = if self.position.has_legal_move() { Score::Cp(0) } else { Score::Mate(0) };
            let pv = Vec::new();
            return SearchResult { best: None, ponder: None, score, depth: 0, pv, nodes, judging };
        };
        SearchResult {
            best: Some(best.mv),
            ponder: self.ponder_move(context, best),
            score: Score::from_value(best.best_value()),
            depth: depth as u32,
            pv: best.pv.clone(),
            nodes,
            judging,
        }
    }

    /// The expected answer: from the line, or else from the table.
    fn ponder_move(&self, context: &SearchContext, best: &RootMove) -> Option<Move> {
        let of_line = best.pv.get(1).copied();
        of_line.or_else(|| {
            let mut position = self.position.clone();
            position.make(best.mv);
            let mv = context.table.probe(position.key(), 1)?.mv?;
            (position.is_pseudo_legal(mv) && position.is_legal(mv)).then_some(mv)
        })
    }

    /// Searches depth after depth; returns the last one finished.
    fn deepen(&mut self, context: &Arc<SearchContext>) -> i32 {
        let limits = &context.limits;
        let lines = limits.multi_pv.clamp(1, self.root_moves.len());
        let max_depth = limits
            .depth
            .map_or(MAX_PLY as i32 - 8, |depth| depth.clamp(1, MAX_PLY as u32 - 8) as i32);
        let mut finished = 0;
        let mut stability = 0;
        let mut last_best: Option<Move> = None;
        let mut last_value: Option<i32> = None;

        for depth in 1..=max_depth {
            self.root_depth = depth;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.best_value();
                root_move.value = -INFINITE;
            }
            for index in 0..lines {
                self.pv_index = index;
                self.sel_depth = 0;
                self.aspire(context, depth);
                if self.stopped {
                    break;
                }
                self.root_moves[..=index].sort_by_key(|root_move| -root_move.best_value());
            }
            if self.stopped {
                break;
            }
            finished = depth;
            self.report_lines(context, lines);

            let best = &self.root_moves[0];
            let value = best.value;
            stability = if last_best == Some(best.mv) { stability + 1 } else { 0 };
            let drop = last_value.map_or(0, |last| last - value);
            last_best = Some(best.mv);
            last_value = Some(value);
            if self.id == 0 && self.is_enough(context, stability, drop) {
                break;
            }
        }
        if self.stopped && finished > 0 && self.id == 0 {
            self.report_lines(context, lines);
        }
        finished
    }

    /// Whether the iterations found enough for the limits.
    fn is_enough(&self, context: &SearchContext, stability: i32, drop: i32) -> bool {
        let limits = &context.limits;
        let best = &self.root_moves[0];
        if let Some(moves) = limits.mate {
            // A mate in n moves is a mate in 2n - 1 plies.
            if best.value >= MATE_BAND && MATE - best.value < 2 * moves as i32 {
                return true;
            }
        }
        if limits.soft_nodes.is_some_and(|nodes| context.nodes() >= nodes) {
            return true;
        }
        let Some(time) = &self.time else { return false };
        if limits.clock.is_none() || context.signals.is_pondering() {
            return false;
        }
        let nodes = context.counters[self.id].nodes().max(1);
        let share = best.nodes as f64 / nodes as f64;
        let settled = [1.35, 1.15, 1.0, 0.9, 0.85][stability.clamp(0, 4) as usize];
        let falling = (1.0 + f64::from(drop) / 180.0).clamp(0.75, 1.6);
        let effort = (1.75 - share).clamp(0.75, 1.4);
        let obvious = if self.root_moves.len() == 1 { 0.1 } else { 1.0 };
        time.is_enough(settled * falling * effort * obvious)
    }

    /// One depth with a window round the expected value, widened until the value is inside.
    fn aspire(&mut self, context: &Arc<SearchContext>, depth: i32) {
        let mean = self.root_moves[self.pv_index].mean;
        let mut delta = self.parameters.aspiration_window;
        let (mut alpha, mut beta) = match mean {
            Some(mean) if depth >= 4 && !is_decisive(mean) => {
                delta += mean.abs() / 64;
                ((mean - delta).max(-INFINITE), (mean + delta).min(INFINITE))
            }
            _ => (-INFINITE, INFINITE),
        };
        let mut reduced = 0;
        loop {
            let depth = (depth - reduced).max(1);
            let value = self.negamax::<Root>(context, alpha, beta, depth, false);
            let index = self.pv_index;
            self.root_moves[index..].sort_by_key(|root_move| -root_move.value);
            if self.stopped {
                return;
            }
            if value <= alpha {
                self.root_moves[index].bound = Bound::Upper;
                beta = (alpha + beta) / 2;
                alpha = (value - delta).max(-INFINITE);
                reduced = 0;
            } else if value >= beta {
                self.root_moves[index].bound = Bound::Lower;
                beta = (value + delta).min(INFINITE);
                reduced = (reduced + 1).min(3);
            } else {
                let best = &mut self.root_moves[index];
                best.bound = Bound::Exact;
                best.mean = Some(best.mean.map_or(value, |mean| (2 * value + mean) / 3));
                return;
            }
            delta += delta / 2;
            if is_decisive(value) {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    fn report_lines(&mut self, context: &SearchContext, lines: usize) {
        if self.id != 0 {
            return;
        }
        for (index, root_move) in self.root_moves.iter().take(lines).enumerate() {
            if root_move.best_value() != -INFINITE {
                let report = root_move.report(context, self.root_depth, index + 1);
                (context.reporter)(SearchInfo::Pv(report));
            }
        }
    }

    /// Counts a node and, now and then, looks whether the search has to end.
    #[inline]
    pub(super) fn count_node(&mut self, context: &SearchContext) {
        let counter = &context.counters[self.id];
        counter.count();
        // The first depth is finished whatever happens: there has to be a sensible move.
        if self.root_depth > 1 && context.signals.is_stopped() {
            self.stopped = true;
        }
        if self.id == 0 && counter.nodes() >= self.next_look {
            self.look_at_limits(context);
        }
    }

    #[cold]
    fn look_at_limits(&mut self, context: &SearchContext) {
        let mut interval = CLOCK_INTERVAL;
        if let Some(limit) = context.limits.nodes.filter(|_| !context.signals.is_pondering()) {
            let nodes = context.nodes();
            if nodes >= limit {
                self.stopped = true;
            }
            interval = interval.min(limit.saturating_sub(nodes) / context.counters.len() as u64);
        }
        self.next_look = context.counters[self.id].nodes() + interval.max(1);
        if self.root_depth > 1 && self.time.as_ref().is_some_and(|time| time.is_over(context)) {
            self.stopped = true;
        }
        if self.stopped {
            context.signals.request_stop();
        }
    }

    /// The value of a draw for the side to move: the set draw score is from the view of the side
    /// that searches.
    #[inline]
    pub(super) fn draw_value(&self, context: &SearchContext) -> i32 {
        let score = context.options.draw_score;
        if self.position.side() == self.root_side { score } else { -score }
    }
}

/// Reductions in 1024ths of a ply for each depth and move count, row by row of 64.
fn reduction_table(parameters: &Parameters) -> Vec<i32> {
    let mut table = vec![0; 64 * 64];
    for depth in 1..64 {
        for count in 1..64 {
            let logarithms = (depth as f64).ln() * (count as f64).ln();
            table[depth * 64 + count] =
                parameters.lmr_base + (f64::from(parameters.lmr_factor) * logarithms) as i32;
        }
    }
    table
}
