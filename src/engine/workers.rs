//! Persistent search threads. They wait for messages on channels. The first one, the main thread,
//! ends the search, collects all results and sends the best one as the event.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use parking_lot::Mutex;
use xiangqi::board::Position;

use super::Event;
use super::caller_worker::CallerWorker;
use super::jobs::{Busy, Collector, LimitedJob};
use super::strength::LimitedSearch;
use crate::search::{SearchContext, Worker, WorkerResult};

/// Stack of a worker in bytes. The search recurses to 128 plies and more in quiescence, with a few
/// kilobytes each; only touched pages use memory.
pub(super) const STACK: usize = 64 << 20;

/// Maximum number of threads per core. With more, a move would be late: the main thread waits too
/// long for its turn, and then for the end of all others.
const MOST_PER_CORE: usize = 4;

/// Returns the maximum number of threads with which a search keeps its time on this machine.
pub(super) fn most_threads() -> usize {
    MOST_PER_CORE * thread::available_parallelism().map_or(1, NonZero::get)
}

/// A message to a worker.
enum Message {
    Search(Box<Job>),
    Limited(Box<LimitedJob>),
    /// Clear the data learned in earlier searches; the sender is dropped when that is done.
    Clear(Sender<()>),
}

struct Job {
    context: Arc<SearchContext>,
    position: Position,
    found: Sender<(usize, WorkerResult)>,
    /// Present in the main thread only.
    collector: Option<Collector>,
}

struct Thread {
    messages: Sender<Message>,
    handle: Option<JoinHandle<()>>,
}

pub(super) struct Workers {
    threads: Vec<Thread>,
    /// Works where there are no threads.
    caller: Option<Mutex<CallerWorker>>,
}

impl Workers {
    /// Creates up to `count` workers, as many as the system allows.
    pub(super) fn new(count: usize) -> Workers {
        let mut threads = Vec::new();
        for id in 0..count.max(1) {
            let (messages, inbox) = unbounded();
            let handle = thread::Builder::new()
                .name(format!("worker {id}"))
                .stack_size(STACK)
                .spawn(move || work(id, &inbox));
            match handle {
                Ok(handle) => threads.push(Thread { messages, handle: Some(handle) }),
                Err(_) => break,
            }
        }
        if threads.is_empty() {
            Workers::without_threads()
        } else {
            Workers { threads, caller: None }
        }
    }

    /// Creates a worker that the caller runs, by [`Workers::advance`] if the searches have pauses.
    pub(super) fn without_threads() -> Workers {
        Workers { threads: Vec::new(), caller: Some(Mutex::new(CallerWorker::new())) }
    }

    /// Returns the number of workers, which may be less than requested.
    pub(super) fn len(&self) -> usize {
        self.threads.len().max(1)
    }

    /// Without threads: searches on to the end or to the next pause.
    pub(super) fn advance(&self) {
        if let Some(caller) = &self.caller {
            caller.lock().advance();
        }
    }

    /// Starts a search on all threads. `busy` is set by the caller and cleared when the search is
    /// over and its result sent.
    pub(super) fn search(
        &self,
        context: &Arc<SearchContext>,
        position: &Position,
        events: &Sender<Event>,
        busy: &Arc<Busy>,
    ) {
        let (found, collected) = unbounded();
        let collector =
            Collector { found: collected, events: events.clone(), busy: Arc::clone(busy) };
        if let Some(caller) = &self.caller {
            return caller.lock().search(context, position, found, collector);
        }
        let mut collector = Some(collector);
        for thread in &self.threads {
            let job = Job {
                context: Arc::clone(context),
                position: position.clone(),
                found: found.clone(),
                collector: collector.take(),
            };
            // A worker ends only when its channel does, so the message arrives.
            let _ = thread.messages.send(Message::Search(Box::new(job)));
        }
    }

    /// Starts a search below full strength, on one thread. `busy` is set by the caller and cleared
    /// when the search is over and its result sent.
    pub(super) fn search_limited(
        &self,
        search: &Arc<LimitedSearch>,
        position: &Position,
        events: &Sender<Event>,
        busy: &Arc<Busy>,
    ) {
        let job = LimitedJob {
            search: Arc::clone(search),
            position: position.clone(),
            events: events.clone(),
            busy: Arc::clone(busy),
        };
        if let Some(caller) = &self.caller {
            caller.lock().search_limited(job);
        } else if let Some(thread) = self.threads.first() {
            let _ = thread.messages.send(Message::Limited(Box::new(job)));
        }
    }

    /// Clears the data all workers learned in earlier searches.
    pub(super) fn clear(&self) {
        if let Some(caller) = &self.caller {
            return caller.lock().clear();
        }
        let (done, all_done) = bounded(0);
        for thread in &self.threads {
            let _ = thread.messages.send(Message::Clear(done.clone()));
        }
        drop(done);
        while all_done.recv().is_ok() {}
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        for thread in self.threads.drain(..) {
            drop(thread.messages);
            if let Some(handle) = thread.handle {
                let _ = handle.join();
            }
        }
    }
}

fn work(id: usize, inbox: &Receiver<Message>) {
    let mut worker = Worker::new(id);
    for message in inbox {
        match message {
            Message::Clear(done) => {
                worker.clear();
                drop(done);
            }
            Message::Limited(job) => job.run(&mut worker),
            Message::Search(job) => {
                let Job { context, position, found, collector } = *job;
                let fallback = collector.as_ref().map(|_| position.clone());
                // A bug in the search must not leave the client without an answer.
                let result = catch_unwind(AssertUnwindSafe(|| worker.search(&context, position)));
                match result {
                    Ok(result) => {
                        let _ = found.send((id, result));
                    }
                    Err(_) => worker = Worker::new(id),
                }
                drop(found);
                if let (Some(collector), Some(position)) = (collector, fallback) {
                    collector.conclude(context, &position);
                }
            }
        }
    }
}
