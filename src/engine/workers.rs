//! Persistent search threads. They wait for messages on channels. The first one, the main thread,
//! ends the search, collects all results and sends the best one as the event.

use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use parking_lot::{Condvar, Mutex};
use xiangqi::board::Position;

use super::best_thread::best_result;
use super::strength::LimitedSearch;
use super::{Conclusion, Event};
use crate::search::{Bound, PvInfo, Score, SearchContext, Worker, WorkerResult};

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

/// Busy flag with a way to wait until it is cleared.
#[derive(Default)]
pub(super) struct Busy {
    busy: Mutex<bool>,
    changed: Condvar,
}

impl Busy {
    pub(super) fn set(&self, busy: bool) {
        *self.busy.lock() = busy;
        self.changed.notify_all();
    }

    pub(super) fn is_set(&self) -> bool {
        *self.busy.lock()
    }

    pub(super) fn wait(&self) {
        let mut busy = self.busy.lock();
        while *busy {
            self.changed.wait(&mut busy);
        }
    }
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

/// A search below full strength, for one worker.
struct LimitedJob {
    search: Arc<LimitedSearch>,
    position: Position,
    events: Sender<Event>,
    busy: Arc<Busy>,
}

/// Collects the results of all workers at the end of a search.
struct Collector {
    /// Each result with the number of its worker, in the order of their ends.
    found: Receiver<(usize, WorkerResult)>,
    events: Sender<Event>,
    busy: Arc<Busy>,
}

struct Thread {
    messages: Sender<Message>,
    handle: Option<JoinHandle<()>>,
}

pub(super) struct Workers {
    threads: Vec<Thread>,
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
        Workers { threads }
    }

    /// Returns the number of workers, which may be less than requested.
    pub(super) fn len(&self) -> usize {
        self.threads.len()
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
        let mut collector =
            Some(Collector { found: collected, events: events.clone(), busy: Arc::clone(busy) });
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
        drop(found);
        // Without any thread there is still an answer.
        if let Some(collector) = collector {
            collector.conclude(Arc::clone(context), position);
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
        match self.threads.first() {
            Some(thread) => {
                let _ = thread.messages.send(Message::Limited(Box::new(job)));
            }
            None => job.run(&mut Worker::new(0)),
        }
    }

    /// Clears the data all workers learned in earlier searches.
    pub(super) fn clear(&self) {
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

impl LimitedJob {
    fn run(self, worker: &mut Worker) {
        let LimitedJob { search, position, events, busy } = self;
        let run = || search.run(worker, &position, &events);
        let result = catch_unwind(AssertUnwindSafe(run));
        let conclusion = result.unwrap_or_else(|_| {
            *worker = Worker::new(0);
            Conclusion {
                best: position.legal_moves().first().copied(),
                ponder: None,
                score: Score::Cp(0),
                depth: 0,
                nodes: 0,
                time: Duration::ZERO,
                broken: true,
            }
        });
        drop(search);
        // Without a receiver the event is not needed.
        let _ = events.send(Event::BestMove(conclusion));
        busy.set(false);
    }
}

impl Collector {
    /// Ends the search of all workers and sends the result.
    fn conclude(self, context: Arc<SearchContext>, position: &Position) {
        context.signals.request_stop();
        let mut numbered: Vec<_> = self.found.iter().collect();
        numbered.sort_unstable_by_key(|&(id, _)| id);
        let has_main = numbered.first().is_some_and(|&(id, _)| id == 0);
        let results: Vec<WorkerResult> = numbered.into_iter().map(|(_, result)| result).collect();
        let broken = results.len() < context.counters.len();
        let single = context.limits.multi_pv <= 1;
        let own = results.first().filter(|_| has_main);
        // The client last received the main thread's line; with the same move it stays.
        let chosen = if single { best_result(&results) } else { None }
            .filter(|chosen| own.is_none_or(|own| own.best != chosen.best))
            .or(results.first())
            .cloned();
        let time = context.start.elapsed();
        let nodes = context.nodes();
        if let Some(chosen) = &chosen
            && chosen.best != own.and_then(|own| own.best)
        {
            let micros = time.as_micros().max(1);
            let nps = u64::try_from(u128::from(nodes) * 1_000_000 / micros).unwrap_or(0);
            let report = PvInfo {
                depth: chosen.depth,
                sel_depth: chosen.pv.len().max(chosen.depth as usize) as u32,
                multi_pv: 1,
                score: chosen.score,
                bound: Bound::Exact,
                nodes,
                nps,
                hashfull: context.tt.hashfull(),
                tb_hits: context.tb_hits(),
                time,
                pv: chosen.pv.clone(),
            };
            let _ = self.events.send(Event::Pv(report));
        }
        let conclusion = match chosen {
            Some(WorkerResult { best, ponder, score, depth, .. }) => {
                Conclusion { best, ponder, score, depth, nodes, time, broken }
            }
            None => Conclusion {
                best: position.legal_moves().first().copied(),
                ponder: None,
                score: Score::Cp(0),
                depth: 0,
                nodes,
                time,
                broken,
            },
        };
        // The table must be free to be replaced as soon as the result is sent.
        drop(context);
        let _ = self.events.send(Event::BestMove(conclusion));
        self.busy.set(false);
    }
}
