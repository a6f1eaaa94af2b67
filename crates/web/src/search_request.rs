//! A search requested by a session, and the engine's reports to the session.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use cannonade_book::Book;
use cannonade_engine::Conclusion;
use cannonade_engine::search::{Clock, PvInfo};
use crossbeam_channel::Sender;
use xiangqi::board::{Move, Position};
use xiangqi::rules::RuleSet;

/// Returns whether the engine searches a position: it has a legal move and no defect, such as a
/// check of the side that is not to move.
pub(super) fn is_searchable(position: &Position) -> bool {
    position.defect().is_none() && position.has_legal_move()
}

/// The purpose of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchKind {
    /// A move to play.
    Move(MoveSearch),
    /// The best lines, until the session requests something else.
    Analysis {
        /// The number of lines.
        lines: usize,
    },
    /// The value of one position of a game.
    Valuation {
        /// The time to search.
        time: Duration,
    },
}

/// A search for a move to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MoveSearch {
    /// The strength as `UCI_Elo`; `None` is full strength.
    pub(super) elo: Option<u32>,
    /// The time to think.
    pub(super) time: ThinkingTime,
}

/// The engine's time to think about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ThinkingTime {
    /// A fixed time.
    Fixed(Duration),
    /// The engine's choice with this clock.
    Clock(Clock),
}

#[derive(Clone, Debug)]
pub(super) enum SearchResult {
    /// The conclusion of a search.
    Searched(Conclusion),
    /// A move of an opening book, without a search.
    FromBook(Move),
}

/// The client of a search. The engine's thread calls these methods; they return soon.
pub(super) trait SearchClient: Send + Sync {
    /// Returns whether the client still wants the result.
    fn wants(&self, search: u64) -> bool;

    /// Notes that the search has begun.
    fn started(&self, search: u64);

    /// Receives a line of the search.
    fn report(&self, search: u64, line: &PvInfo);

    /// Notes that the move is found; its result is handed over later.
    fn concluded(&self, search: u64);

    /// Receives the result of the search. `None` if it was not made, or not to its end.
    fn finished(&self, search: u64, result: Option<&SearchResult>);
}

/// A search that waits for the engine or has it.
pub(super) struct QueuedSearch {
    /// The number, unique in this server.
    pub(super) number: u64,
    pub(super) client: Arc<dyn SearchClient>,
    pub(super) position: Position,
    pub(super) rules: RuleSet,
    pub(super) kind: SearchKind,
    /// The opening book whose move is played instead of a search.
    pub(super) book: Option<Arc<Book>>,
}

/// A message to the engine's thread.
pub(super) enum PoolMessage {
    /// A search for the end of the queue.
    Enqueue(Box<QueuedSearch>),
    /// A client no longer wants its search.
    Reconsider,
    /// The move of the search with this number is wanted now.
    MoveNow(u64),
    /// The server ends.
    End,
}

/// The handle to the engine's thread.
#[derive(Clone)]
pub(super) struct PoolHandle {
    sender: Sender<PoolMessage>,
    last_number: Arc<AtomicU64>,
}

impl PoolHandle {
    pub(super) fn new(sender: Sender<PoolMessage>) -> PoolHandle {
        PoolHandle { sender, last_number: Arc::default() }
    }

    /// Returns a number that no other search has; never 0.
    pub(super) fn search_number(&self) -> u64 {
        self.last_number.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Sends a message, which is lost if the server has ended.
    pub(super) fn send(&self, message: PoolMessage) {
        let _ = self.sender.send(message);
    }
}
