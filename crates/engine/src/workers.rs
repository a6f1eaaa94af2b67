//! Persistent search threads. They wait for messages on channels. The first one, the main thread,
//! ends the search, collects all results and sends the best one as the event.

use std::mem;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use parking_lot::Mutex;
use web_time::Instant;
use xiangqi::board::Position;

use super::caller_worker::CallerWorker;
use super::jobs::{Busy, Collector, LimitedJob, Step};
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
    Search(Arc<SearchContext>, Box<Position>),
    Limited(Box<LimitedJob>),
    /// Other work, such as a perft.
    Run(Step),
    /// Clear the data learned in earlier searches.
    Clear,
}

struct Thread {
    messages: Sender<Message>,
    /// `None` for a thread of the host, which ends some time after the messages do.
    handle: Option<JoinHandle<()>>,
    duties: Arc<Mutex<Duties>>,
}

/// What others wait for until a thread has done its work. A thread that ends does it, too.
#[derive(Default)]
struct Duties {
    has_ended: bool,
    /// Receives the result of the search.
    result: Option<Sender<(usize, WorkerResult)>>,
    /// Dropped when the thread has cleared its data.
    clearing: Option<Sender<()>>,
    /// Ends the work: for a search, of all threads. Present in the main thread only.
    end: Option<Step>,
}

/// Does the duties of a thread when it is dropped.
struct EndOfThread(Arc<Mutex<Duties>>);

impl Drop for EndOfThread {
    fn drop(&mut self) {
        let left = Duties { has_ended: true, ..Duties::default() };
        let Duties { result, clearing, end, .. } = mem::replace(&mut *self.0.lock(), left);
        drop((result, clearing));
        if let Some(end) = end {
            end();
        }
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

    /// Sends a message with the duties of its work. If the thread has ended, returns the duties,
    /// which are done when they are dropped.
    fn send(&self, message: Message, duties: Duties) -> Option<EndOfThread> {
        let mut own = self.duties.lock();
        if own.has_ended {
            return Some(EndOfThread(Arc::new(Mutex::new(duties))));
        }
        *own = duties;
        // The thread ends before its channel does.
        let _ = self.messages.send(message);
        None
    }
}

pub(super) struct Workers {
    threads: Vec<Thread>,
    /// Present where the system has no threads: those in `threads` are then of the host, and without
    /// them the caller works, by [`Workers::advance`].
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
            Workers::without_threads(None, 1)
        } else {
            Workers { threads, caller: None, host: None }
        }
    }

    /// Creates workers where the system has no threads: up to `count` of the host, else the caller.
    pub(super) fn without_threads(host: Option<HostThreads>, count: usize) -> Workers {
        let caller = Some(Mutex::new(CallerWorker::new()));
        let mut workers = Workers { threads: Vec::new(), caller, host };
        workers.start_host_threads(count);
        workers
    }

    /// Changes the number of workers to `count`, or as many as there can be. No search may run.
    pub(super) fn resize(&mut self, count: usize) {
        self.end_threads();
        if self.caller.is_none() {
            *self = Workers::new(count);
        } else {
            self.start_host_threads(count);
        }
    }

    fn start_host_threads(&mut self, count: usize) {
        let Some(host) = &self.host else { return };
        for id in 0..count.min(host.most) {
            let (thread, body) = Thread::with_body(id);
            (host.start)(body);
            self.threads.push(thread);
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
        self.threads().count().max(1)
    }

    /// Returns the threads before the first that has ended: the host may have given up the last
    /// ones, and one may have failed.
    fn threads(&self) -> impl Iterator<Item = &Thread> {
        self.threads.iter().take_while(|thread| thread.is_alive())
    }

    /// Returns the worker of the caller if there is no thread.
    fn caller(&self) -> Option<&Mutex<CallerWorker>> {
        self.caller.as_ref().filter(|_| self.threads().next().is_none())
    }

    /// Returns whether the caller has to work, by [`Workers::advance`].
    pub(super) fn needs_caller(&self) -> bool {
        self.caller().is_some()
    }

    /// Returns whether the system has no threads.
    pub(super) fn are_hosted(&self) -> bool {
        self.caller.is_some()
    }

    /// Lets the worker of the caller work to the end, or up to the instant `until`.
    pub(super) fn advance(&self, until: Option<Instant>) {
        if let Some(caller) = self.caller() {
            caller.lock().advance(until);
        }
    }

    /// Starts a search on all threads, or in the worker of the caller. `busy` is set by the caller
    /// and cleared when the search is over and its result sent.
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
        let end: Step = {
            let (context, position) = (Arc::clone(context), position.clone());
            Box::new(move || collector.conclude(context, &position))
        };
        if let Some(caller) = self.caller() {
            caller.lock().search(context, position, found, end);
            return;
        }
        let mut end = Some(end);
        let mut left = Vec::new();
        for thread in self.threads() {
            let message = Message::Search(Arc::clone(context), Box::new(position.clone()));
            let result = Some(found.clone());
            let duties = Duties { result, end: end.take(), ..Duties::default() };
            left.extend(thread.send(message, duties));
        }
        // The collector waits until every sender is gone.
        drop(found);
        drop(left);
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
        if let Some(caller) = self.caller() {
            caller.lock().search_limited(job);
        } else if let Some(thread) = self.threads().next() {
            let failed = job.clone();
            let end: Option<Step> = Some(Box::new(move || failed.fail()));
            drop(thread.send(Message::Limited(Box::new(job)), Duties { end, ..Duties::default() }));
        }
    }

    /// Does other work where the system has no threads, and then `end`.
    pub(super) fn run(&self, work: Step, end: Step) {
        if let Some(caller) = self.caller() {
            caller.lock().run(work, end);
        } else if let Some(thread) = self.threads().next() {
            drop(thread.send(Message::Run(work), Duties { end: Some(end), ..Duties::default() }));
        }
    }

    /// Clears the data all workers learned in earlier searches.
    pub(super) fn clear(&self) {
        if let Some(caller) = &self.caller {
            caller.lock().clear();
        }
        let (done, all_done) = bounded(0);
        for thread in self.threads() {
            let clearing = Some(done.clone());
            drop(thread.send(Message::Clear, Duties { clearing, ..Duties::default() }));
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
            Message::Clear => {
                worker.clear();
                duties.lock().clearing = None;
            }
            Message::Limited(job) => {
                let conclusion = job.run(&mut worker);
                // The next work may come as soon as the result is sent.
                duties.lock().end = None;
                job.conclude(conclusion);
            }
            Message::Run(work) => {
                work();
                let end = duties.lock().end.take();
                if let Some(end) = end {
                    end();
                }
            }
            Message::Search(context, position) => {
                // A bug in the search must not leave the client without an answer.
                let result = catch_unwind(AssertUnwindSafe(|| worker.search(&context, *position)));
                // The table must be free to be replaced as soon as the result is sent.
                drop(context);
                let Duties { result: found, end, .. } = mem::take(&mut *duties.lock());
                match result {
                    Ok(result) => {
                        let _ = found.map(|found| found.send((id, result)));
                    }
                    Err(_) => {
                        drop(found);
                        worker = Worker::new(id);
                    }
                }
                if let Some(end) = end {
                    end();
                }
            }
        }
    }
}
