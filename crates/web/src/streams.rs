//! What a search tells its page: events that wait until the page can take them.
//!
//! The lines of a search replace those that the page has not taken yet, so a page that reads slowly,
//! or not at all, costs no memory and misses outdated lines only.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::{Condvar, Mutex};
use serde::Serialize;
use web_time::{Duration, Instant};

use super::trees::FoundScore;

/// What a search tells.
#[derive(Clone, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum SearchEvent {
    /// The engine has begun; before, it has worked for others.
    Started {},
    /// The best lines so far.
    Lines(FoundLines),
    /// The move of a search that has ended.
    Best(BestMove),
    /// The value of the position after so many half-moves of a line.
    Value { ply: usize, score: FoundScore },
}

#[derive(Clone, Serialize)]
pub(super) struct FoundLines {
    pub(super) nodes: u64,
    pub(super) nps: u64,
    /// Milliseconds.
    pub(super) time: u64,
    pub(super) hashfull: u32,
    /// The best line first.
    pub(super) lines: Vec<FoundLine>,
}

#[derive(Clone, Serialize)]
pub(super) struct FoundLine {
    pub(super) score: FoundScore,
    pub(super) moves: Vec<String>,
    pub(super) texts: Vec<String>,
}

#[derive(Clone, Serialize)]
pub(super) struct BestMove {
    #[serde(rename = "move")]
    pub(super) mv: Option<String>,
    /// The value of the position, unless the engine plays below its strength.
    pub(super) score: Option<FoundScore>,
    /// True if an opening book has the move.
    pub(super) book: bool,
    /// Milliseconds of the engine.
    pub(super) time: u64,
}

#[derive(Default)]
struct Outbox {
    waiting: VecDeque<SearchEvent>,
    has_ended: bool,
    is_left: bool,
}

#[derive(Default)]
struct Shared {
    outbox: Mutex<Outbox>,
    has_changed: Condvar,
}

/// The engine's end of a stream, which ends with it.
pub(super) struct EventSender(Arc<Shared>);

/// The page's end of a stream; without it no search is wanted.
pub(super) struct EventStream(Arc<Shared>);

/// Creates a stream.
pub(super) fn stream() -> (EventSender, EventStream) {
    let shared = Arc::new(Shared::default());
    (EventSender(Arc::clone(&shared)), EventStream(shared))
}

impl EventSender {
    pub(super) fn send(&self, event: SearchEvent) {
        let mut outbox = self.0.outbox.lock();
        if matches!(event, SearchEvent::Lines(_)) {
            outbox.waiting.retain(|waiting| !matches!(waiting, SearchEvent::Lines(_)));
        }
        outbox.waiting.push_back(event);
        self.0.has_changed.notify_all();
    }

    /// Returns whether the page still listens.
    pub(super) fn is_heard(&self) -> bool {
        !self.0.outbox.lock().is_left
    }
}

impl Drop for EventSender {
    fn drop(&mut self) {
        self.0.outbox.lock().has_ended = true;
        self.0.has_changed.notify_all();
    }
}

impl EventStream {
    /// Returns what has come since the last call, after `time` at the latest; `None` at the end.
    pub(super) fn next(&self, time: Duration) -> Option<Vec<SearchEvent>> {
        let end = Instant::now() + time;
        let mut outbox = self.0.outbox.lock();
        while outbox.waiting.is_empty() && !outbox.has_ended {
            let left = end.saturating_duration_since(Instant::now());
            if self.0.has_changed.wait_for(&mut outbox, left).timed_out() {
                break;
            }
        }
        let events: Vec<SearchEvent> = outbox.waiting.drain(..).collect();
        (!events.is_empty() || !outbox.has_ended).then_some(events)
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        self.0.outbox.lock().is_left = true;
    }
}
