//! A worker without a thread: its caller runs it, from pause to pause.

use std::sync::Arc;

use crossbeam_channel::Sender;
use xiangqi::board::Position;

use super::jobs::{Collector, LimitedJob};
use super::strength::LimitedRun;
use crate::search::{Deepening, SearchContext, Worker, WorkerResult};

/// The worker and its work in progress.
pub(super) struct CallerWorker {
    worker: Box<Worker>,
    task: Option<CallerTask>,
}

/// A search, and what receives its result.
enum CallerTask {
    Search {
        context: Arc<SearchContext>,
        position: Position,
        place: Deepening,
        found: Sender<(usize, WorkerResult)>,
        collector: Collector,
    },
    Limited {
        job: LimitedJob,
        run: Box<LimitedRun>,
    },
}

impl CallerWorker {
    pub(super) fn new() -> CallerWorker {
        CallerWorker { worker: Box::new(Worker::new(0)), task: None }
    }

    pub(super) fn clear(&mut self) {
        self.worker.clear();
    }

    /// Takes over a search. Without pauses it is made at once.
    pub(super) fn search(
        &mut self,
        context: &Arc<SearchContext>,
        position: &Position,
        found: Sender<(usize, WorkerResult)>,
        collector: Collector,
    ) {
        let place = self.worker.begin(context, position.clone());
        let (context, position) = (Arc::clone(context), position.clone());
        let has_pauses = context.has_pauses();
        self.task = Some(CallerTask::Search { context, position, place, found, collector });
        if !has_pauses {
            self.advance();
        }
    }

    /// Takes over a search below full strength. Without pauses it is made at once.
    pub(super) fn search_limited(&mut self, job: LimitedJob) {
        let run = Box::new(job.search.begin(&mut self.worker, &job.position, &job.events));
        let has_pauses = job.search.has_pauses();
        self.task = Some(CallerTask::Limited { job, run });
        if !has_pauses {
            self.advance();
        }
    }

    /// Searches on to the end or to the next pause.
    pub(super) fn advance(&mut self) {
        match self.task.take() {
            None => {}
            Some(CallerTask::Search { context, position, mut place, found, collector }) => {
                match self.worker.resume(&mut place) {
                    Some(result) => {
                        let _ = found.send((0, result));
                        // The collector waits until every sender is gone.
                        drop(found);
                        collector.conclude(context, &position);
                    }
                    None => {
                        self.task =
                            Some(CallerTask::Search { context, position, place, found, collector });
                    }
                }
            }
            Some(CallerTask::Limited { job, mut run }) => {
                let worker = &mut *self.worker;
                match job.search.resume(&mut run, worker, &job.events) {
                    Some(conclusion) => job.conclude(conclusion),
                    None => self.task = Some(CallerTask::Limited { job, run }),
                }
            }
        }
    }
}
