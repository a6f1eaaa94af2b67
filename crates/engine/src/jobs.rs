//! The end of a search: collects the results of its workers and sends the best one.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender};
use parking_lot::{Condvar, Mutex};
use xiangqi::board::Position;

use super::best_thread::best_result;
use super::strength::LimitedSearch;
use super::{Conclusion, Event};
use crate::search::{Bound, PvInfo, SearchContext, Worker, WorkerResult};

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

/// Work that is done once.
pub(super) type Step = Box<dyn FnOnce() + Send>;

/// A search below full strength, for one worker.
#[derive(Clone)]
pub(super) struct LimitedJob {
    pub(super) search: Arc<LimitedSearch>,
    pub(super) position: Position,
    pub(super) events: Sender<Event>,
    pub(super) busy: Arc<Busy>,
}

/// Collects the results of all workers at the end of a search.
pub(super) struct Collector {
    /// Each result with the number of its worker, in the order of their ends.
    pub(super) found: Receiver<(usize, WorkerResult)>,
    pub(super) events: Sender<Event>,
    pub(super) busy: Arc<Busy>,
}

impl LimitedJob {
    /// Searches to the end and returns the result.
    pub(super) fn run(&self, worker: &mut Worker) -> Conclusion {
        let search = || {
            let mut run = self.search.begin(worker, &self.position, &self.events);
            loop {
                if let Some(end) = self.search.resume(&mut run, worker, &self.events, None) {
                    return end;
                }
            }
        };
        catch_unwind(AssertUnwindSafe(search)).unwrap_or_else(|_| {
            *worker = Worker::new(0);
            Conclusion::broken(&self.position, self.search.limits())
        })
    }

    /// Ends a search whose thread has failed.
    pub(super) fn fail(self) {
        let conclusion = Conclusion::broken(&self.position, self.search.limits());
        self.conclude(conclusion);
    }

    /// Sends the result.
    pub(super) fn conclude(self, conclusion: Conclusion) {
        let LimitedJob { search, events, busy, .. } = self;
        drop(search);
        // Without a receiver the event is not needed.
        let _ = events.send(Event::BestMove(conclusion));
        busy.set(false);
    }
}

impl Collector {
    /// Ends the search of all workers and sends the result.
    pub(super) fn conclude(self, context: Arc<SearchContext>, position: &Position) {
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
            let WorkerResult { depth, score, bound, pv, .. } = chosen;
            let line = PvInfo::new(*depth, *score, *bound, pv.clone());
            let line = PvInfo { ends_iteration: *bound == Bound::Exact, ..line };
            let _ = self.events.send(Event::Pv(context.with_statistics(line)));
        }
        let conclusion = match chosen {
            Some(WorkerResult { best, ponder, score, bound, depth, .. }) => {
                Conclusion { best, ponder, score, bound, depth, nodes, time, broken }
            }
            None => Conclusion { nodes, time, ..Conclusion::broken(position, &context.limits) },
        };
        // The table must be free to be replaced as soon as the result is sent.
        drop(context);
        let _ = self.events.send(Event::BestMove(conclusion));
        self.busy.set(false);
    }
}
