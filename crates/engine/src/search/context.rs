//! State shared by all workers of one search: limits, options, signals, the transposition table and
//! the node counters. Each `go` creates a new one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use cannonade_tables::Tables;
use once_cell::sync::Lazy;
use parking_lot::{Condvar, Mutex};
use web_time::{Duration, Instant};
use xiangqi::rules::{DEFAULT_NATURAL_LIMIT, RuleSet};

use super::limits::{DEFAULT_MOVE_OVERHEAD, Limits};
use super::params::Parameters;
use super::report::{PvInfo, SearchInfo};
use super::tt::TranspositionTable;
use crate::nnue::Evaluation;

/// The options of a search.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// The rules of repetition.
    pub rules: RuleSet,
    /// Natural-move limit: plies without capture that draw the game; 0 is no limit.
    pub natural_move_limit: u16,
    /// Value of a draw for the searching side, in centipawns; negative avoids draws.
    pub draw_score: i32,
    /// Time reserved per move for the communication between client and engine.
    pub move_overhead: Duration,
    /// The constants of the search.
    pub parameters: Parameters,
    /// The evaluation.
    pub evaluation: Evaluation,
    /// The endgame tables.
    pub tables: Arc<Tables>,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            rules: RuleSet::default(),
            natural_move_limit: DEFAULT_NATURAL_LIMIT,
            draw_score: 0,
            move_overhead: DEFAULT_MOVE_OVERHEAD,
            parameters: Parameters::default(),
            evaluation: Evaluation::default(),
            tables: Tables::shared(),
        }
    }
}

/// Signals by which `stop` and `ponderhit` reach a running search.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    /// Changes only under the lock of `hit_at`.
    pondering: AtomicBool,
    hit_at: Mutex<Option<Instant>>,
    changed: Condvar,
}

impl Signals {
    /// Creates the signals of a search that may begin as a ponder search.
    pub fn new(pondering: bool) -> Signals {
        Signals { pondering: AtomicBool::new(pondering), ..Signals::default() }
    }

    /// Ends the search as soon as possible.
    pub fn request_stop(&self) {
        // Under the lock, so that a thread between its test and its sleep does not miss the change.
        let _lock = self.hit_at.lock();
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Continues the search under the clock: the opponent played the expected move.
    pub fn ponder_hit(&self) {
        let mut hit_at = self.hit_at.lock();
        if self.is_pondering() {
            *hit_at = Some(Instant::now());
            self.pondering.store(false, Ordering::Release);
        }
        self.changed.notify_all();
    }

    /// Returns whether the search must end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns whether the search runs on the opponent's time.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// Returns the instant at which the opponent played the expected move.
    pub fn hit_at(&self) -> Option<Instant> {
        *self.hit_at.lock()
    }

    /// Returns whether a result may be given: after `stop` or, unless the search is infinite, when
    /// it does not ponder.
    pub fn is_released(&self, infinite: bool) -> bool {
        self.is_stopped() || !(infinite || self.is_pondering())
    }

    /// Waits until a result may be given: after `stop` or, unless the search is infinite, when it
    /// does not ponder.
    pub fn wait_for_release(&self, infinite: bool) {
        let mut lock = self.hit_at.lock();
        while !self.is_released(infinite) {
            self.changed.wait(&mut lock);
        }
    }
}

/// Node counter written by one worker and read by all, alone on its cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
pub struct NodeCounter(AtomicU64);

impl NodeCounter {
    /// Counts one node. Only the owner writes, so no atomic addition is needed.
    #[inline]
    pub(crate) fn count(&self) {
        self.0.store(self.0.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Returns the nodes counted so far.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Receives the information about a running search.
pub type Reporter = Box<dyn Fn(SearchInfo) + Send + Sync>;

/// State shared by all workers of one search.
pub struct SearchContext {
    /// The limits of the `go`.
    pub limits: Limits,
    /// Instant at which the `go` was received.
    pub start: Instant,
    /// Options of the search.
    pub options: SearchOptions,
    /// Signals `stop` and `ponderhit`.
    pub signals: Signals,
    /// The transposition table.
    pub tt: Arc<TranspositionTable>,
    /// One counter per worker.
    pub counters: Vec<NodeCounter>,
    /// Positions found in endgame tables; see [`SearchContext::tb_hits`].
    tb_hits: AtomicU64,
    /// Receives the information about the running search.
    pub reporter: Reporter,
}

impl SearchContext {
    /// Creates a context for `workers` workers.
    pub fn new(
        limits: Limits,
        start: Instant,
        options: SearchOptions,
        tt: Arc<TranspositionTable>,
        workers: usize,
        reporter: Reporter,
    ) -> SearchContext {
        tt.use_rules(options.rules);
        SearchContext {
            signals: Signals::new(limits.ponder),
            limits,
            start,
            options,
            tt,
            counters: (0..workers.max(1)).map(|_| NodeCounter::default()).collect(),
            tb_hits: AtomicU64::new(0),
            reporter,
        }
    }

    /// Returns the context of a worker that does not search.
    pub(crate) fn idle() -> Arc<SearchContext> {
        static IDLE: Lazy<Arc<SearchContext>> = Lazy::new(|| {
            let tt = Arc::new(TranspositionTable::new(1));
            let (limits, options) = (Limits::default(), SearchOptions::default());
            let reporter = Box::new(|_| ());
            Arc::new(SearchContext::new(limits, Instant::now(), options, tt, 1, reporter))
        });
        Arc::clone(&IDLE)
    }

    /// Converts to a part of a larger search that may be pondering: its time begins with the ponder
    /// hit. If its own limits do not ponder, it counts its nodes before the hit too, and does not
    /// wait for the hit at its end.
    #[must_use]
    pub fn as_part(self, is_pondering: bool) -> SearchContext {
        SearchContext { signals: Signals::new(is_pondering), ..self }
    }

    /// Counts positions found in endgame tables.
    pub(crate) fn count_tb_hits(&self, hits: usize) {
        self.tb_hits.fetch_add(hits as u64, Ordering::Relaxed);
    }

    /// Returns the positions found in endgame tables by all workers.
    pub fn tb_hits(&self) -> u64 {
        self.tb_hits.load(Ordering::Relaxed)
    }

    /// Returns the nodes of all workers.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(NodeCounter::nodes).sum()
    }

    /// Returns the line with the statistics that the search has now.
    pub fn with_statistics(&self, line: PvInfo) -> PvInfo {
        PvInfo {
            nodes: self.nodes(),
            hashfull: self.tt.hashfull(),
            tb_hits: self.tb_hits(),
            time: self.start.elapsed(),
            ..line
        }
    }
}
