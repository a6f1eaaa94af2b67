//! Persistent search threads. They wait for messages on channels. The first one, the main thread,
//! ends the search, collects all results and sends the best one as the event.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use parking_lot::Mutex;
use xiangqi::board::Position;

use super::caller_worker::CallerWorker;
use super::jobs::{Busy, Collector, LimitedJob};
use super::strength::LimitedSearch;
use super::{Event, HostThreads, ThreadBody};
use crate::search::{SearchContext, Worker, WorkerResult};

/// Stack of a worker in bytes. The search recurses to 128 plies and more in quiescence, with a few
/// kilobytes each; only touched pages use memory.
pub(super) const STACK: usize = 64 << 20;

/// Maximum number of threads per core. With more, a move would be late: the main thread waits too
/// long for its turn, and then for the end of all others.
const MAX_PER_CORE: usize = 4;

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
    /// `None` for a thread of the host, which ends some time after the messages do.
    handle: Option<JoinHandle<()>>,
    duties: Arc<Mutex<Duties>>,
}

/// Senders of a thread, on whose end others wait.
#[derive(Default)]
struct Duties {
    has_ended: bool,
    result: Option<Sender<(usize, WorkerResult)>>,
    clearing: Option<Sender<()>>,
}

/// Ends the duties of a thread when it is dropped.
struct EndOfThread(Arc<Mutex<Duties>>);

impl Drop for EndOfThread {
    fn drop(&mut self) {
        *self.0.lock() = Duties { has_ended: true, ..Duties::default() };
    }
}

impl Thread {
    /// Returns a thread that has not been started, and its body.
    fn with_body(id: usize) -> (Thread, ThreadBody) {
        let (messages, inbox) = unbounded();
        let duties = Arc::default();
        let end = EndOfThread(Arc::clone(&duties));
        let (unread, failed) = (inbox.clone(), Arc::clone(&duties));
        let body = ThreadBody {
            run: Box::new(move || work(id, &inbox, &end.0)),
            fail: Box::new(move || {
                drop(EndOfThread(failed));
                while unread.try_recv().is_ok() {}
            }),
        };
        (Thread { messages, handle: None, duties }, body)
    }

    fn is_alive(&self) -> bool {
        !self.duties.lock().has_ended
    }

    /// Sends a message, which is dropped if the thread has ended.
    fn send(&self, message: Message) {
        let duties = self.duties.lock();
        if !duties.has_ended {
            // The thread ends before its channel does.
            let _ = self.messages.send(message);
        }
    }
}

pub(super) struct Workers {
    threads: Vec<Thread>,
    /// Works where the system has no threads; those in `threads` are then of the host.
    caller: Option<Mutex<CallerWorker>>,
    host: Option<HostThreads>,
}

impl Workers {
    /// Creates up to `count` workers, as many as the system allows.
    pub(super) fn new(count: usize) -> Workers {
        let mut threads = Vec::new();
        for id in 0..count.max(1) {
            let (thread, body) = Thread::with_body(id);
            let name = format!("worker {id}");
            match thread::Builder::new().name(name).stack_size(STACK).spawn(body.run) {
                Ok(handle) => threads.push(Thread { handle: Some(handle), ..thread }),
                Err(_) => break,
            }
        }
        if threads.is_empty() {
            Workers::of_host(None)
        } else {
            Workers { threads, caller: None, host: None }
        }
    }

    /// Creates a worker that the caller runs, by [`Workers::advance`] if the searches have pauses.
    /// Others are started by the host.
    pub(super) fn of_host(host: Option<HostThreads>) -> Workers {
        let caller = Some(Mutex::new(CallerWorker::new()));
        Workers { threads: Vec::new(), caller, host }
    }

    /// Changes the number of workers to `count`, or as many as there can be. No search may run.
    pub(super) fn resize(&mut self, count: usize) {
        self.end_threads();
        if self.caller.is_none() {
            *self = Workers::new(count);
        } else if let Some(host) = &self.host {
            for id in 1..count.min(host.most) {
                let (thread, body) = Thread::with_body(id);
                (host.start)(body);
                self.threads.push(thread);
            }
        }
    }

    /// Ends the threads; those of the host end by themselves.
    fn end_threads(&mut self) {
        for Thread { messages, handle, .. } in self.threads.drain(..) {
            drop(messages);
            if let Some(handle) = handle {
                let _ = handle.join();
            }
        }
    }

    /// Returns the maximum number of workers with which a search keeps its time on this machine.
    pub(super) fn most(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        self.host.as_ref().map_or_else(|| MAX_PER_CORE * cores(), |host| host.most)
    }

    /// Returns the number of workers, which may be less than requested.
    pub(super) fn len(&self) -> usize {
        self.threads().count() + usize::from(self.caller.is_some())
    }

    /// Returns the threads before the first that has ended: the host may have given up the last
    /// ones, and one may have failed.
    fn threads(&self) -> impl Iterator<Item = &Thread> {
        self.threads.iter().take_while(|thread| thread.is_alive())
    }

    /// Lets the worker of the caller search on to the end or to the next pause.
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
        let mut collector = Some(collector);
        let mut of_thread = if self.caller.is_none() { collector.take() } else { None };
        for thread in self.threads() {
            let job = Job {
                context: Arc::clone(context),
                position: position.clone(),
                found: found.clone(),
                collector: of_thread.take(),
            };
            thread.send(Message::Search(Box::new(job)));
        }
        if let (Some(caller), Some(collector)) = (&self.caller, collector) {
            caller.lock().search(context, position, found, collector);
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
            thread.send(Message::Limited(Box::new(job)));
        }
    }

    /// Clears the data all workers learned in earlier searches.
    pub(super) fn clear(&self) {
        if let Some(caller) = &self.caller {
            caller.lock().clear();
        }
        let (done, all_done) = bounded(0);
        for thread in self.threads() {
            thread.send(Message::Clear(done.clone()));
        }
        drop(done);
        while all_done.recv().is_ok() {}
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.end_threads();
    }
}

fn work(id: usize, inbox: &Receiver<Message>, duties: &Mutex<Duties>) {
    let mut worker = Worker::new(id);
    for message in inbox {
        match message {
            Message::Clear(done) => {
                duties.lock().clearing = Some(done);
                worker.clear();
                duties.lock().clearing = None;
            }
            Message::Limited(job) => job.run(&mut worker),
            Message::Search(job) => {
                let Job { context, position, found, collector } = *job;
                duties.lock().result = Some(found);
                let fallback = collector.as_ref().map(|_| position.clone());
                // A bug in the search must not leave the client without an answer.
                let result = catch_unwind(AssertUnwindSafe(|| worker.search(&context, position)));
                let found = duties.lock().result.take();
                match (result, found) {
                    (Ok(result), Some(found)) => {
                        let _ = found.send((id, result));
                    }
                    (Ok(_), None) => {}
                    (Err(_), _) => worker = Worker::new(id),
                }
                if let (Some(collector), Some(position)) = (collector, fallback) {
                    collector.conclude(context, &position);
                }
            }
        }
    }
}
