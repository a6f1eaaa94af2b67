//! What all workers of one search share; made new for each `go`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::report::SearchInfo;
use super::{Limits, Parameters, TranspositionTable};
use crate::evaluation::Evaluation;
use crate::rules::RuleSet;

/// What the user has set and every node may ask for.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Which repetitions lose.
    pub rules: RuleSet,
    /// Plies without capture that draw the game; 0 is no limit.
    pub natural_move_limit: u16,
    /// The value of a draw for the side that searches, in centipawns; negative avoids draws.
    pub draw_score: i32,
    /// Time kept back for the way between client and engine.
    pub move_overhead: Duration,
    /// The constants of the search.
    pub parameters: Parameters,
    /// What evaluates.
    pub evaluation: Evaluation,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            rules: RuleSet::default(),
            natural_move_limit: 120,
            draw_score: 0,
            move_overhead: Duration::from_millis(30),
            parameters: Parameters::default(),
            evaluation: Evaluation::default(),
        }
    }
}

#[derive(Debug, Default)]
struct Waiting {
    pondering: bool,
    hit_at: Option<Instant>,
}

/// How the outside speaks to a running search.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

impl Signals {
    /// Signals of a search that may begin as a ponder search.
    pub fn new(pondering: bool) -> Signals {
        Signals {
            pondering: AtomicBool::new(pondering),
            waiting: Mutex::new(Waiting { pondering, hit_at: None }),
            ..Signals::default()
        }
    }

    /// Ends the search as soon as possible.
    pub fn request_stop(&self) {
        // Under the lock, so that a waiter between its test and its sleep does not miss it.
        let _waiting = self.waiting.lock();
        self.stop.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// The opponent played the expected move: the search goes on under the clock.
    pub fn ponder_hit(&self) {
        let mut waiting = self.waiting.lock();
        if waiting.pondering {
            waiting.pondering = false;
            waiting.hit_at = Some(Instant::now());
            self.pondering.store(false, Ordering::Release);
        }
        self.changed.notify_all();
    }

    /// Whether the search has to end.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the opponent is still thinking.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// When the opponent played the expected move.
    pub fn hit_at(&self) -> Option<Instant> {
        self.waiting.lock().hit_at
    }

    /// Sleeps until a result may be given: after `stop`, or, unless the search is infinite, when
    /// the opponent no longer thinks.
    pub(super) fn wait_for_release(&self, infinite: bool) {
        let mut waiting = self.waiting.lock();
        while !self.is_stopped() && (infinite || waiting.pondering) {
            self.changed.wait(&mut waiting);
        }
    }
}

/// A node counter that one worker writes and all read, alone on its cache line.
#[derive(Debug, Default)]
#[repr(align(64))]
pub struct NodeCounter(AtomicU64);

impl NodeCounter {
    /// Counts one node. Only the owner writes, so no atomic addition is needed.
    #[inline]
    pub(super) fn count(&self) {
        self.0.store(self.0.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    /// Nodes so far.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Receives the information about a running search.
pub type Reporter = Box<dyn Fn(SearchInfo) + Send + Sync>;

/// What all workers of one search share.
pub struct SearchContext {
    /// What the `go` asked for.
    pub limits: Limits,
    /// When the `go` was read.
    pub start: Instant,
    /// What the user has set.
    pub options: SearchOptions,
    /// How the outside speaks to the search.
    pub signals: Signals,
    /// The hash table.
    pub table: Arc<TranspositionTable>,
    /// One counter a worker.
    pub counters: Vec<NodeCounter>,
    /// Receives the information about the running search.
    pub reporter: Reporter,
}

impl SearchContext {
    /// A context for `workers` workers.
    pub fn new(
        limits: Limits,
        start: Instant,
        options: SearchOptions,
        table: Arc<TranspositionTable>,
        workers: usize,
        reporter: Reporter,
    ) -> SearchContext {
        SearchContext {
            signals: Signals::new(limits.ponder),
            limits,
            start,
            options,
            table,
            counters: (0..workers.max(1)).map(|_| NodeCounter::default()).collect(),
            reporter,
        }
    }

    /// Nodes of all workers.
    pub fn nodes(&self) -> u64 {
        self.counters.iter().map(NodeCounter::nodes).sum()
    }
}
