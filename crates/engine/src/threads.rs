//! Who does the work of the engine: persistent threads of the system, those of a host, or the caller
//! of an engine without threads.
//!
//! The threads wait for messages on channels. The first one, the main thread, ends the search,
//! collects all results and sends the best one as the event.

use std::mem;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, bounded, unbounded};
use parking_lot::{Condvar, Mutex};
use web_time::Instant;
use xiangqi::board::Position;

use crate::event::{Conclusion, Event};
use crate::search::{Bound, PvInfo, SearchContext, SearchState, Worker, WorkerResult};
use crate::strength::{LimitedRun, LimitedSearch};

/// Stack of a worker in bytes. The search recurses to 128 plies and more in quiescence, with a few
/// kilobytes each; only touched pages use memory.
const STACK: usize = 64 << 20;

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

pub(crate) struct Workers {
    threads: Vec<Thread>,
    /// Present where the system has no threads: those in `threads` are then of the host, and without
    /// them the caller works, by [`Workers::advance`].
    caller: Option<Mutex<CallerWorker>>,
    host: Option<HostThreads>,
}

impl Workers {
    /// Creates up to `count` workers, as many as the system allows.
    pub(crate) fn new(count: usize) -> Workers {
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
    pub(crate) fn without_threads(host: Option<HostThreads>, count: usize) -> Workers {
        let caller = Some(Mutex::new(CallerWorker::new()));
        let mut workers = Workers { threads: Vec::new(), caller, host };
        workers.start_host_threads(count);
        workers
    }

    /// Changes the number of workers to `count`, or as many as there can be. No search may run.
    pub(crate) fn resize(&mut self, count: usize) {
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
    pub(crate) fn most(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        self.host.as_ref().map_or_else(|| MAX_PER_CORE * cores(), |host| host.most)
    }

    /// Returns the number of workers, which may be less than requested.
    pub(crate) fn len(&self) -> usize {
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
    pub(crate) fn needs_caller(&self) -> bool {
        self.caller().is_some()
    }

    /// Returns whether the system has no threads.
    pub(crate) fn are_hosted(&self) -> bool {
        self.caller.is_some()
    }

    /// Lets the worker of the caller work to the end, or up to the instant `until`.
    pub(crate) fn advance(&self, until: Option<Instant>) {
        if let Some(caller) = self.caller() {
            caller.lock().advance(until);
        }
    }

    /// Starts a search on all threads, or in the worker of the caller. `busy` is set by the caller
    /// and cleared when the search is over and its result sent.
    pub(crate) fn search(
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
    pub(crate) fn search_limited(
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
    pub(crate) fn run(&self, work: Step, end: Step) {
        if let Some(caller) = self.caller() {
            caller.lock().run(work, end);
        } else if let Some(thread) = self.threads().next() {
            drop(thread.send(Message::Run(work), Duties { end: Some(end), ..Duties::default() }));
        }
    }

    /// Clears the data all workers learned in earlier searches.
    pub(crate) fn clear(&self) {
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

/// Body of a thread. If the host drops it without running it, the engine searches without it.
pub struct ThreadBody {
    /// Blocks between searches, and returns when the engine no longer needs the thread.
    pub run: Box<dyn FnOnce() + Send>,
    /// Says that the thread has ended in the middle of `run`, which nothing unwinds there. The
    /// engine ends the search of the thread and goes on without it.
    pub fail: Box<dyn FnOnce() + Send>,
}

/// The threads that a host can start.
pub struct HostThreads {
    /// Maximum number of threads of the engine. The caller of the engine is none of them.
    pub most: usize,
    /// Starts a thread. The next search may wait for it, so the host lets it begin, or drops its
    /// body, before it calls the engine again.
    pub start: Box<dyn Fn(ThreadBody) + Send + Sync>,
}

/// The worker and its work in progress.
struct CallerWorker {
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
    fn new() -> CallerWorker {
        CallerWorker { worker: Box::new(Worker::new(0)), task: None }
    }

    fn clear(&mut self) {
        self.worker.clear();
    }

    /// Takes over a search. `end` collects the result that `found` receives.
    fn search(
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
    fn search_limited(&mut self, job: LimitedJob) {
        let run = Box::new(job.search.begin(&mut self.worker, &job.position, &job.events));
        self.task = Some(CallerTask::Limited { job: Box::new(job), run });
    }

    /// Takes over work that is not a search and has no slices.
    fn run(&mut self, work: Step, end: Step) {
        self.task = Some(CallerTask::Other { work, end });
    }

    /// Works to the end, or up to the instant `until`.
    fn advance(&mut self, until: Option<Instant>) {
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

/// Busy flag with a way to wait until it is cleared.
#[derive(Default)]
pub(crate) struct Busy {
    busy: Mutex<bool>,
    changed: Condvar,
}

impl Busy {
    pub(crate) fn set(&self, busy: bool) {
        *self.busy.lock() = busy;
        self.changed.notify_all();
    }

    pub(crate) fn is_set(&self) -> bool {
        *self.busy.lock()
    }

    pub(crate) fn wait(&self) {
        let mut busy = self.busy.lock();
        while *busy {
            self.changed.wait(&mut busy);
        }
    }
}

/// Work that is done once.
pub(crate) type Step = Box<dyn FnOnce() + Send>;

/// A search below full strength, for one worker.
#[derive(Clone)]
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

impl LimitedJob {
    /// Searches to the end and returns the result.
    fn run(&self, worker: &mut Worker) -> Conclusion {
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
    fn fail(self) {
        let conclusion = Conclusion::broken(&self.position, self.search.limits());
        self.conclude(conclusion);
    }

    /// Sends the result.
    fn conclude(self, conclusion: Conclusion) {
        let LimitedJob { search, events, busy, .. } = self;
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

/// Weight of the worst result in centipawns, so that it has a vote.
const BASE_VOTE: i32 = 20;

/// Returns the result to use: every worker votes for its move with a weight that grows with its
/// depth and with its score above the worst one; in a decided game the best score is used without a
/// vote.
///
/// The first result is the main thread's, which wins ties. A worker that finished no depth has a
/// move but no score; it counts only if no worker finished one.
fn best_result(results: &[WorkerResult]) -> Option<&WorkerResult> {
    let candidates = || results.iter().filter(|result| result.best.is_some() && result.depth > 0);
    let Some(worst) = candidates().map(|result| result.score.centipawns()).min() else {
        return results.iter().find(|result| result.best.is_some());
    };
    let weight = |result: &WorkerResult| {
        i64::from(result.score.centipawns() - worst + BASE_VOTE) * i64::from(result.depth)
    };
    let votes = |candidate: &WorkerResult| -> i64 {
        candidates().filter(|other| other.best == candidate.best).map(weight).sum()
    };
    let mut best = candidates().next()?;
    for candidate in candidates().skip(1) {
        let (old, new) = (best.score.centipawns(), candidate.score.centipawns());
        let is_decisive = best.score.is_decisive() || candidate.score.is_decisive();
        let better = if is_decisive && (best.score.is_decisive() || new > 0) {
            new > old
        } else {
            !is_decisive && (votes(candidate), weight(candidate)) > (votes(best), weight(best))
        };
        if better {
            best = candidate;
        }
    }
    Some(best)
}

/// A task that runs in the background.
pub struct BackgroundTask {
    stopped: AtomicBool,
    events: Sender<Event>,
}

impl BackgroundTask {
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// Returns whether the task must end as soon as possible.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Sends a line of output.
    pub fn print(&self, line: String) {
        // Without a receiver the line is not needed.
        let _ = self.events.send(Event::Text(line));
    }
}

/// Returns a task, the work that does it, and its end. `busy` is set by the caller and cleared at
/// the end.
pub(crate) fn prepare_background(
    events: Sender<Event>,
    busy: Arc<Busy>,
    work: impl FnOnce(&BackgroundTask) + Send + 'static,
) -> (Arc<BackgroundTask>, Step, Step) {
    let task = Arc::new(BackgroundTask { stopped: AtomicBool::new(false), events });
    let (worker, ended) = (Arc::clone(&task), Arc::clone(&task));
    let end = move || {
        let _ = ended.events.send(Event::Done);
        busy.set(false);
    };
    (task, Box::new(move || work(&worker)), Box::new(end))
}

/// Runs a task on a separate thread. `busy` is set by the caller and cleared at the end.
pub(crate) fn spawn_background(
    events: Sender<Event>,
    busy: Arc<Busy>,
    work: impl FnOnce(&BackgroundTask) + Send + 'static,
) -> Arc<BackgroundTask> {
    let (task, work, end) = prepare_background(events, Arc::clone(&busy), work);
    let run = move || {
        work();
        end();
    };
    let thread = thread::Builder::new().name("background".to_owned()).stack_size(STACK).spawn(run);
    if let Err(error) = thread {
        task.print(format!("cannot start a thread: {error}"));
        let _ = task.events.send(Event::Done);
        busy.set(false);
    }
    task
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Score;
    use xiangqi::rules::search::Tally;

    fn result(mv: &str, score: Score, depth: u32) -> WorkerResult {
        WorkerResult {
            best: mv.parse().ok(),
            ponder: None,
            score,
            bound: Bound::Exact,
            exact: Some(score),
            depth,
            pv: Vec::new(),
            nodes: 0,
            judging: Tally::default(),
        }
    }

    fn chosen(results: &[WorkerResult]) -> String {
        best_result(results).and_then(|result| result.best).expect("a move").to_string()
    }

    #[test]
    fn the_main_thread_wins_ties() {
        let same = [result("h2e2", Score::Cp(10), 9), result("b2e2", Score::Cp(10), 9)];
        assert_eq!(chosen(&same), "h2e2");
    }

    #[test]
    fn agreement_and_depth_outweigh_one_worker() {
        let results = [
            result("h2e2", Score::Cp(12), 9),
            result("b2e2", Score::Cp(10), 10),
            result("b2e2", Score::Cp(11), 10),
        ];
        assert_eq!(chosen(&results), "b2e2");
    }

    #[test]
    fn the_shortest_mate_is_played_and_the_longest_suffered() {
        let winning = [
            result("h2e2", Score::Cp(900), 20),
            result("b2e2", Score::Mate(5), 9),
            result("a0a1", Score::Mate(3), 9),
        ];
        assert_eq!(chosen(&winning), "a0a1");
        let losing = [result("h2e2", Score::Mate(-2), 9), result("b2e2", Score::Mate(-4), 9)];
        assert_eq!(chosen(&losing), "b2e2");
    }

    #[test]
    fn a_worker_without_a_move_has_no_vote() {
        let none = WorkerResult { best: None, ..result("h2e2", Score::Mate(0), 0) };
        assert!(best_result(std::slice::from_ref(&none)).is_none());
        let unfinished = result("b2e2", Score::Mate(9), 0);
        assert_eq!(chosen(&[unfinished.clone(), result("h2e2", Score::Cp(-9), 1)]), "h2e2");
        assert_eq!(chosen(&[unfinished]), "b2e2");
        assert_eq!(chosen(&[none, result("h2e2", Score::Cp(0), 1)]), "h2e2");
    }
}
