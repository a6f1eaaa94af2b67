//! A worker without a thread: its caller runs it, in slices.

use std::sync::Arc;

use crossbeam_channel::Sender;
use web_time::Instant;
use xiangqi::board::Position;

use super::jobs::{LimitedJob, Step};
use super::strength::LimitedRun;
use crate::search::{SearchContext, SearchState, Worker, WorkerResult};

/// The worker and its work in progress.
pub(super) struct CallerWorker {
    worker: Box<Worker>,
    task: Option<CallerTask>,
}

/// Work, and what is done at its end.
enum CallerTask {
    Search { state: SearchState, found: Sender<(usize, WorkerResult)>, end: Step },
    Limited { job: Box<LimitedJob>, run: Box<LimitedRun> },
    Other { work: Step, end: Step },
}

impl CallerWorker {
    pub(super) fn new() -> CallerWorker {
        CallerWorker { worker: Box::new(Worker::new(0)), task: None }
    }

    pub(super) fn clear(&mut self) {
        self.worker.clear();
    }

    /// Takes over a search. `end` collects the result that `found` receives.
    pub(super) fn search(
        &mut self,
        context: &Arc<SearchContext>,
        position: &Position,
        found: Sender<(usize, WorkerResult)>,
        end: Step,
    ) {
        let state = self.worker.begin(context, position.clone());
        self.task = Some(CallerTask::Search { state, found, end });
    }

    /// Takes over a search below full strength.
    pub(super) fn search_limited(&mut self, job: LimitedJob) {
        let run = Box::new(job.search.begin(&mut self.worker, &job.position, &job.events));
        self.task = Some(CallerTask::Limited { job: Box::new(job), run });
    }

    /// Takes over work that is not a search and has no slices.
    pub(super) fn run(&mut self, work: Step, end: Step) {
        self.task = Some(CallerTask::Other { work, end });
    }

    /// Works to the end, or up to the instant `until`.
    pub(super) fn advance(&mut self, until: Option<Instant>) {
        match self.task.take() {
            None => {}
            Some(CallerTask::Search { mut state, found, end }) => {
                match self.worker.resume(&mut state, until) {
                    Some(result) => {
                        let _ = found.send((0, result));
                        // The collector waits until every sender is gone.
                        drop(found);
                        end();
                    }
                    None => self.task = Some(CallerTask::Search { state, found, end }),
                }
            }
            Some(CallerTask::Limited { job, mut run }) => {
                let worker = &mut *self.worker;
                match job.search.resume(&mut run, worker, &job.events, until) {
                    Some(conclusion) => job.conclude(conclusion),
                    None => self.task = Some(CallerTask::Limited { job, run }),
                }
            }
            Some(CallerTask::Other { work, end }) => {
                work();
                end();
            }
        }
    }
}
