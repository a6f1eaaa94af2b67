//! A search that a session asks for, and how the engine reports to the session.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crossbeam_channel::Sender;

use crate::board::{Move, Position};
use crate::book::Book;
use crate::engine::Conclusion;
use crate::rules::RuleSet;
use crate::search::{Clock, PvInfo};

/// What a search is for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// A move to play.
    Move {
        /// The strength as `UCI_Elo`; `None` is full strength.
        elo: Option<u32>,
        /// How long to think.
        time: ThinkingTime,
    },
    /// The best lines, until the session wants something else.
    Analysis {
        /// How many lines.
        lines: usize,
    },
    /// The value of one position of a game.
    Valuation {
        /// How long to search.
        time: Duration,
    },
}

/// How long the engine thinks about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ThinkingTime {
    /// A fixed time.
    Fixed(Duration),
    /// What the engine takes with this clock.
    Clock(Clock),
}

/// The result of a job.
#[derive(Clone, Debug)]
pub(super) enum Finding {
    /// What the search has found.
    Searched(Conclusion),
    /// A move of an opening book, without a search.
    FromBook(Move),
}

/// Who asks for searches. The engine's thread calls these methods; they return soon.
pub(super) trait Client: Send + Sync {
    /// Whether the client still wants the result.
    fn wants(&self, job: u64) -> bool;

    /// The search has begun.
    fn started(&self, job: u64);

    /// The search has found a line.
    fn report(&self, job: u64, line: &PvInfo);

    /// The search is over. `None` if it was not made, or not to its end.
    fn finished(&self, job: u64, finding: Option<&Finding>);
}

/// A search to be made.
pub(super) struct Job {
    /// The number, unique in this server.
    pub(super) number: u64,
    pub(super) client: Arc<dyn Client>,
    pub(super) position: Position,
    pub(super) rules: RuleSet,
    pub(super) purpose: Purpose,
    /// The opening book whose move is played instead of a search.
    pub(super) book: Option<Arc<Book>>,
}

/// A message to the engine's thread.
pub(super) enum Order {
    /// A job for the end of the queue.
    Enqueue(Box<Job>),
    /// A client no longer wants what it wanted.
    Reconsider,
    /// The move of this job is wanted now.
    MoveNow(u64),
    /// The server ends.
    End,
}

/// The way to the engine's thread.
#[derive(Clone)]
pub(super) struct Orders {
    sender: Sender<Order>,
    last_job: Arc<AtomicU64>,
}

impl Orders {
    pub(super) fn new(sender: Sender<Order>) -> Orders {
        Orders { sender, last_job: Arc::default() }
    }

    /// A number that no other job has; never 0.
    pub(super) fn job_number(&self) -> u64 {
        self.last_job.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Gives an order. It is lost if the server has ended.
    pub(super) fn give(&self, order: Order) {
        let _ = self.sender.send(order);
    }
}
