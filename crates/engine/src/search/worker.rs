//! State of one search thread, and making and unmaking of moves.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use xiangqi::board::{Move, Position};
use xiangqi::geometry::Color;
use xiangqi::rules::RuleSet;
use xiangqi::rules::search::GameHistory;

use super::context::SearchContext;
use super::history::{
    ContinuationRow, Corrections, Histories, MoveOrdering, MovePair, PositionKeys, piece_to,
};
use super::movepick::MoveScores;
use super::node::ReductionTable;
use super::params::Parameters;
use super::root::{RootMove, rank_root_moves, root_moves};
use super::stack::{PvTable, Stack};
use super::time::TimeManager;
use super::tt::TtEntry;
use super::value::MAX_PLY;
use crate::nnue::Evaluator;

/// State of one search thread. A worker lives as long as its thread and keeps its histories between
/// searches.
pub struct Worker {
    /// Worker 0 watches the clock and reports.
    pub(crate) id: usize,
    /// The running search; between searches an idle one, so that no table is kept alive.
    pub(crate) context: Arc<SearchContext>,
    pub(crate) parameters: Parameters,
    pub(crate) reductions: ReductionTable,
    pub(crate) histories: Histories,
    pub(crate) corrections: Corrections,
    pub(crate) evaluator: Evaluator,
    pub(crate) stack: Stack,
    pub(crate) pv: PvTable,
    pub(crate) position: Position,
    /// The positions of the game and of the current path, for repetitions.
    pub(crate) game_history: GameHistory,
    /// Plies from the root to the current position.
    pub(crate) ply: usize,
    /// Maximum ply of the current iteration.
    pub(crate) sel_depth: usize,
    /// The depth of the current iteration.
    pub(crate) root_depth: i32,
    /// The width of the window at the root.
    pub(crate) root_window: i32,
    /// The side to move at the root.
    pub(crate) root_side: Color,
    pub(crate) root_moves: Vec<RootMove>,
    /// Index before which the root moves already have their principal variations in this iteration.
    pub(crate) pv_index: usize,
    /// Earliest ply that the last returned value depends on through a won or lost repetition:
    /// negative before the root, `i32::MAX` if there is none.
    pub(crate) path_dependence: i32,
    /// Changes of the best move at the root in this search, halved after each iteration.
    pub(crate) best_move_changes: f64,
    /// The side to move and the value of the last search of this game.
    pub(crate) last_search: Option<(Color, i32)>,
    /// First ply at which null moves are tried, while one is verified.
    pub(crate) null_move_min_ply: usize,
    /// True if the search, or its slice, must end; values returned from then on are meaningless.
    pub(crate) stopped: bool,
    /// Earliest time, since the start of the search, for the next report of the current root move.
    pub(crate) next_current_move: Duration,
    pub(crate) time: TimeManager,
}

impl Worker {
    /// Creates a worker with empty histories. The worker with `id` 0 watches the clock and reports.
    pub fn new(id: usize) -> Worker {
        let parameters = Parameters::default();
        Worker {
            id,
            context: SearchContext::idle(),
            reductions: ReductionTable::new(&parameters),
            parameters,
            histories: Histories::new(),
            corrections: Corrections::new(),
            evaluator: Evaluator::new(),
            stack: Stack::new(),
            pv: PvTable::new(),
            game_history: GameHistory::new(&Position::startpos(), RuleSet::default()),
            position: Position::startpos(),
            ply: 0,
            sel_depth: 0,
            root_depth: 0,
            root_window: 1,
            root_side: Color::Red,
            root_moves: Vec::new(),
            pv_index: 0,
            path_dependence: i32::MAX,
            best_move_changes: 0.0,
            last_search: None,
            null_move_min_ply: 0,
            stopped: false,
            next_current_move: Duration::ZERO,
            time: TimeManager::new(&SearchContext::idle()),
        }
    }

    /// Clears the histories, for a new game.
    pub fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
        self.last_search = None;
    }

    /// Prepares the search of a position.
    pub(crate) fn prepare(&mut self, context: &Arc<SearchContext>, position: Position) {
        self.position = position;
        self.position.reserve(MAX_PLY + 8);
        self.game_history = GameHistory::new(&self.position, context.options.rules);
        self.game_history.reserve(MAX_PLY + 8);
        self.prepare_root(context);
    }

    /// Prepares the search of a sibling of the last root, by the same rules, without replaying the
    /// game.
    pub(crate) fn prepare_sibling(&mut self, context: &Arc<SearchContext>, mv: Move) {
        self.game_history.pop(&self.position);
        self.position.unmake();
        self.position.play_unchecked(mv);
        self.game_history.push(&self.position);
        self.prepare_root(context);
    }

    fn prepare_root(&mut self, context: &Arc<SearchContext>) {
        self.context = Arc::clone(context);
        if self.parameters != context.options.parameters {
            self.parameters = context.options.parameters.clone();
            self.reductions = ReductionTable::new(&self.parameters);
        }
        self.root_side = self.position.side();
        self.ply = 0;
        self.stopped = false;
        self.best_move_changes = 0.0;
        self.null_move_min_ply = 0;
        self.next_current_move = Duration::ZERO;
        self.root_moves = root_moves(&self.position, &context.limits);
        let tb_hits = rank_root_moves(&mut self.root_moves, &self.position, context);
        if self.id == 0 {
            context.count_tb_hits(tb_hits);
        }
        self.stack.clear();
        self.histories.begin_search(self.parameters.main_share);
        self.evaluator.reset(&context.options.evaluation);
        self.time = TimeManager::new(context);
    }

    /// Prefetches the table entry of the position after a move, so that it arrives while the move
    /// is examined.
    #[inline]
    pub(crate) fn prefetch(&self, mv: Move) {
        self.context.tt.prefetch(self.position.key_after(mv));
    }

    /// Makes a legal move. Call [`Worker::prefetch`] before, the earlier the better.
    #[inline]
    pub(crate) fn make(&mut self, mv: Move) {
        let delta = self.position.play_unchecked(mv);
        self.game_history.push(&self.position);
        self.evaluator.push(delta);
        let frame = self.stack.at(self.ply);
        frame.mv = Some(mv);
        let moved = piece_to(delta.piece, mv.to());
        frame.moved = Some(moved);
        frame.row = ContinuationRow::new(frame.in_check, delta.captured.is_some(), moved);
        frame.move_number = 0;
        self.ply += 1;
        self.corrections.prefetch(self.move_pairs());
    }

    /// Undoes the last move.
    #[inline]
    pub(crate) fn unmake(&mut self) {
        self.ply -= 1;
        self.evaluator.pop();
        self.game_history.pop(&self.position);
        self.position.unmake();
    }

    /// Passes the turn to the opponent.
    pub(crate) fn make_null(&mut self) {
        let frame = self.stack.at(self.ply);
        frame.mv = None;
        frame.moved = None;
        frame.row = ContinuationRow::NONE;
        frame.move_number = 0;
        self.position.make_null();
        self.game_history.push(&self.position);
        self.ply += 1;
    }

    /// Undoes a null move.
    pub(crate) fn unmake_null(&mut self) {
        self.ply -= 1;
        self.game_history.pop(&self.position);
        self.position.unmake();
    }

    /// Counts a node and, from time to time, checks whether the search must end.
    #[inline]
    pub(crate) fn count_node(&mut self) {
        let counter = &self.context.counters[self.id];
        counter.count();
        // The first iteration always finishes, so that a sensible move exists.
        if self.root_depth > 1 && self.context.signals.is_stopped() {
            self.stopped = true;
        }
        if self.id == 0 && counter.nodes() >= self.time.next_check {
            self.check_limits();
        }
    }

    #[cold]
    fn check_limits(&mut self) {
        let nodes = self.nodes();
        if self.time.is_limit_reached(&self.context, nodes, self.root_depth > 1) {
            self.stopped = true;
        }
        if self.stopped {
            self.context.signals.request_stop();
        } else if self.root_depth > 1 && self.time.is_slice_over() {
            self.stopped = true;
        }
    }

    /// Returns the nodes of this worker in this search.
    #[inline]
    pub(crate) fn nodes(&self) -> u64 {
        self.context.counters[self.id].nodes()
    }

    /// Returns the entry of the current node.
    #[inline]
    pub(crate) fn probe(&self) -> Option<TtEntry> {
        self.context.tt.probe(self.position.key(), self.ply)
    }

    /// Stores an entry for the current node, see [`TranspositionTable::store_in_path`].
    ///
    /// [`TranspositionTable::store_in_path`]: super::tt::TranspositionTable::store_in_path
    #[inline]
    pub(crate) fn store(&self, entry: TtEntry) {
        let key = self.position.key();
        self.context.tt.store_in_path(key, self.ply, self.path_dependence, entry);
    }

    /// Returns the inputs of the picker's move scoring.
    #[inline]
    pub(crate) fn move_scores(&self) -> MoveScores<'_> {
        MoveScores { histories: &self.histories, parameters: &self.parameters }
    }

    /// Records the node's inputs of the histories in the stack.
    #[inline]
    pub(crate) fn enter_node(&mut self) {
        let keys = PositionKeys::of(&self.position);
        self.corrections.prefetch_hashed(self.position.side(), keys);
        let frame = self.stack.at(self.ply);
        frame.keys = keys;
        frame.in_check = self.position.in_check();
        frame.reduction = 0;
    }

    /// Returns the moves two and four plies ago, each with the last one.
    #[inline]
    pub(crate) fn move_pairs(&self) -> [Option<MovePair>; 2] {
        let moved = |plies| self.stack.before(self.ply, plies).moved;
        let last = moved(1);
        [moved(2).zip(last), moved(4).zip(last)]
    }

    /// Returns the move-ordering inputs of this node.
    #[inline]
    pub(crate) fn move_ordering(&self) -> MoveOrdering {
        let ply = self.ply;
        MoveOrdering {
            ply,
            keys: self.stack.before(ply, 0).keys,
            previous: MoveOrdering::PREVIOUS.map(|plies| self.stack.before(ply, plies).row),
        }
    }
}
