//! The engine: its options, its position, and the work of its threads.

use std::cell::OnceCell;
use std::io;
use std::sync::Arc;

use cannonade_tables::random::fresh_seed;
use cannonade_tables::{OpenedTables, TableSource, Tables, free_mebibytes};
use crossbeam_channel::Sender;
use web_time::{Duration, Instant};
use xiangqi::board::Position;
use xiangqi::notation::Ranks;

use crate::event::{Conclusion, Event};
use crate::nnue::{Evaluation, NetworkError, piece_values, static_value};
use crate::opening_books::{BookChoice, OpeningBooks};
use crate::options::{OptionEffect, OptionError, Options};
use crate::search::{Limits, ProbeResult, Score, SearchContext, SearchOptions, TranspositionTable};
use crate::strength::{Handicap, LimitedSearch};
use crate::threads::{self, BackgroundTask, Busy, HostThreads, Workers};

/// Maximum time that `isready` waits for the memory of the transposition table.
const MEMORY_WAIT: Duration = Duration::from_millis(500);

/// Interval at which the events of threads of a host are read: nothing tells of them.
const EVENT_INTERVAL: Duration = Duration::from_millis(10);

/// Current work of the threads.
enum Work {
    Search(Arc<SearchContext>),
    Limited(Arc<LimitedSearch>),
    Background(Arc<BackgroundTask>),
}

/// The engine. All methods return at once unless documented to wait.
///
/// ```
/// use std::time::Instant;
/// use cannonade_engine::{Engine, Event};
/// use cannonade_engine::search::Limits;
///
/// let (sender, events) = crossbeam_channel::unbounded();
/// let mut engine = Engine::new(sender);
/// engine.go(Limits { depth: Some(2), ..Limits::default() }, Instant::now());
/// let best = events.iter().find_map(|event| match event {
///     Event::BestMove(conclusion) => conclusion.best,
///     _ => None,
/// });
/// assert!(best.is_some());
/// ```
pub struct Engine {
    options: Options,
    /// Evaluation, loaded when first needed: a handshake does not wait for it.
    evaluation: OnceCell<Evaluation>,
    /// The endgame tables, opened when first needed.
    tables: OnceCell<Arc<Tables>>,
    /// True if an empty option `TablePath` means the tables of the user.
    finds_user_tables: bool,
    books: OpeningBooks,
    position: Position,
    table: Arc<TranspositionTable>,
    /// Table of searches below full strength, allocated at the first one.
    limited_table: OnceCell<Arc<TranspositionTable>>,
    /// Seed of oversights below full strength, unless the options give one.
    seed: u64,
    workers: Workers,
    events: Sender<Event>,
    busy: Arc<Busy>,
    work: Option<Work>,
}

impl Engine {
    /// Creates an engine at the starting position that sends its results to `events`.
    pub fn new(events: Sender<Event>) -> Engine {
        let options = Options::default();
        let workers = Workers::new(options.threads);
        Engine::with_workers(events, options, workers)
    }

    /// Creates an engine where the system has no threads. It has up to `threads` of the host, or
    /// works in [`Engine::advance`]. The caller calls that method until no work is left.
    pub fn without_threads(
        events: Sender<Event>,
        threads: usize,
        host: Option<HostThreads>,
    ) -> Engine {
        let mut options = Options::default();
        options.0.threads = threads;
        let workers = Workers::without_threads(host, threads);
        Engine::with_workers(events, options, workers)
    }

    fn with_workers(events: Sender<Event>, options: Options, workers: Workers) -> Engine {
        Engine {
            evaluation: OnceCell::new(),
            tables: OnceCell::new(),
            finds_user_tables: false,
            books: OpeningBooks::new(),
            position: Position::startpos(),
            table: Arc::new(TranspositionTable::new(options.hash_mib)),
            limited_table: OnceCell::new(),
            seed: fresh_seed(),
            workers,
            options,
            events,
            busy: Arc::default(),
            work: None,
        }
    }

    /// Uses endgame tables besides the built-in ones, in place of those before; those of a folder
    /// as by the option `TablePath`.
    ///
    /// # Errors
    /// If the folder cannot be read; [`OptionError::InPart`] if files of it are not sound, which
    /// are left out.
    pub fn use_tables(&mut self, source: &TableSource) -> Result<(), OptionError> {
        match source {
            TableSource::BuiltIn => {
                self.finds_user_tables = false;
                self.set_option("TablePath", "").map(drop)
            }
            TableSource::User => {
                self.set_option("TablePath", "")?;
                self.find_user_tables();
                let problem = OpenedTables::of_user().problem();
                problem
                    .map_or(Ok(()), |reason| Err(OptionError::InPart { name: "TablePath", reason }))
            }
            TableSource::Folder(_) => {
                let old = self.options.clone();
                // As text of the option a name could lose spaces or bytes.
                self.options.0.tables = Some(source.clone());
                self.load_tables(&old)
            }
        }
    }

    /// Sets the options `Threads` and `Hash`, cut to their bounds, and uses endgame tables. Returns
    /// the warning that files of a folder are not sound and were left out.
    ///
    /// # Errors
    /// If the system does not give the threads or memory, or the folder cannot be read.
    pub fn configure(
        &mut self,
        threads: usize,
        hash_mib: usize,
        tables: &TableSource,
    ) -> Result<Option<OptionError>, OptionError> {
        self.set_option("Threads", &threads.to_string())?;
        self.set_option("Hash", &hash_mib.to_string())?;
        match self.use_tables(tables) {
            Ok(()) => Ok(None),
            Err(error @ OptionError::InPart { .. }) => Ok(Some(error)),
            Err(error) => Err(error),
        }
    }

    /// Lets an empty option `TablePath` mean the [tables of the user](TableSource::User), opened
    /// when first needed; [`Event::Message`] names files that cannot be used.
    pub fn find_user_tables(&mut self) {
        self.finds_user_tables = true;
        if self.options.tables.is_none() {
            self.tables.take();
        }
    }

    /// Returns the values of the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the position that [`Engine::go`] will search.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Sets the position of the next search; a running one goes on with its own.
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
    }

    /// Clears the data learned in earlier games. Waits for a running search to end.
    pub fn new_game(&mut self) {
        self.wait();
        self.table.clear();
        self.workers.clear();
    }

    /// Starts to search the position; `start` is the instant from which time counts. A running
    /// search is stopped first, and answers.
    pub fn go(&mut self, mut limits: Limits, start: Instant) {
        self.stop();
        self.wait();
        if limits.multi_pv == 0 {
            limits.multi_pv = self.options.multi_pv;
        }
        if let Some(defect) = self.position.defect() {
            self.work = None;
            for event in
                [Event::Message(defect.to_string()), Event::BestMove(Conclusion::default())]
            {
                // Without a receiver the result is not needed.
                let _ = self.events.send(event);
            }
            return;
        }
        if let Some(choice) = self.books.choose(&self.position, &limits, &self.options) {
            self.answer_from_book(choice, start);
            return;
        }
        if limits.is_counted() {
            self.table.use_all();
        }
        if let Some(handicap) = self.options.handicap() {
            return self.go_limited(handicap, limits, start);
        }
        self.table.new_search();
        let events = self.events.clone();
        let context = SearchContext::new(
            limits,
            start,
            self.search_options(),
            Arc::clone(&self.table),
            self.workers.len(),
            Box::new(move |info| {
                let _ = events.send(info.into());
            }),
        );
        let context = Arc::new(context);
        self.busy.set(true);
        self.workers.search(&context, &self.position, &self.events, &self.busy);
        self.work = Some(Work::Search(context));
    }

    /// Sends a move from a book as the result.
    fn answer_from_book(&mut self, choice: BookChoice, start: Instant) {
        self.work = None;
        let conclusion = Conclusion {
            best: Some(choice.mv),
            ponder: choice.ponder,
            score: self.evaluate(),
            time: start.elapsed(),
            ..Conclusion::default()
        };
        for event in [Event::Message(choice.message), Event::BestMove(conclusion)] {
            // Without a receiver the move is not needed.
            let _ = self.events.send(event);
        }
    }

    /// Starts a search below full strength.
    fn go_limited(&mut self, handicap: Handicap, limits: Limits, start: Instant) {
        let seed = match self.options.level_seed {
            0 => self.seed,
            seed => seed,
        };
        let table = match handicap.strength {
            Some(_) => self.limited_table.get_or_init(|| Arc::new(TranspositionTable::new(1))),
            None => &self.table,
        };
        let options = self.search_options();
        let limits = (limits, start);
        let search = LimitedSearch::new(handicap, seed, limits, options, Arc::clone(table));
        let search = Arc::new(search);
        self.busy.set(true);
        self.workers.search_limited(&search, &self.position, &self.events, &self.busy);
        self.work = Some(Work::Limited(search));
    }

    /// Runs a task that is not a search in the background; [`Event::Done`] is its end. A running
    /// search is stopped first, and answers.
    pub fn run_in_background(&mut self, task: impl FnOnce(&BackgroundTask) + Send + 'static) {
        self.stop();
        self.wait();
        self.busy.set(true);
        let (events, busy) = (self.events.clone(), Arc::clone(&self.busy));
        let running = if self.workers.are_hosted() {
            let (running, work, end) = threads::prepare_background(events, busy, task);
            self.workers.run(work, end);
            running
        } else {
            threads::spawn_background(events, busy, task)
        };
        self.work = Some(Work::Background(running));
    }

    /// Works for about the time `slice` if the engine has no threads; a perft or benchmark works to
    /// its end. Returns the time after which to call this again, also to read the events; `None` if
    /// no work is left.
    pub fn advance(&self, slice: Duration) -> Option<Duration> {
        let until = Instant::now() + slice;
        self.workers.advance(Some(until));
        // A search that has left a part of its slice waits for a signal.
        let is_cut = self.workers.needs_caller() && Instant::now() >= until;
        let time = if is_cut { Duration::ZERO } else { EVENT_INTERVAL };
        self.is_searching().then_some(time)
    }

    /// Works to the end if the engine has no threads.
    pub(crate) fn work_off(&self) {
        self.workers.advance(None);
    }

    /// Stops a running search or task as soon as possible; harmless without one.
    pub fn stop(&self) {
        match &self.work {
            Some(Work::Search(context)) => context.signals.request_stop(),
            Some(Work::Limited(search)) => search.request_stop(),
            Some(Work::Background(task)) => task.stop(),
            None => {}
        }
    }

    /// Starts the clock: the opponent played the pondered move. Harmless without pondering.
    pub fn ponder_hit(&self) {
        match &self.work {
            Some(Work::Search(context)) => context.signals.ponder_hit(),
            Some(Work::Limited(search)) => search.ponder_hit(),
            Some(Work::Background(_)) | None => {}
        }
    }

    /// Returns whether a search or task is running.
    pub fn is_searching(&self) -> bool {
        self.busy.is_set()
    }

    /// Waits until no work is running. The work has then sent its last [`Event`].
    pub fn wait(&self) {
        self.work_off();
        self.busy.wait();
    }

    /// Looks up a position in the transposition table.
    pub fn probe(&self, position: &Position) -> Option<ProbeResult> {
        // The stored move may be another position's with the same key.
        self.table.lookup(position.key(), self.options.rules).map(|found| ProbeResult {
            mv: found.mv.filter(|&mv| position.check_move(mv).is_ok()),
            ..found
        })
    }

    /// Returns the static evaluation of the position, from the view of the side to move.
    pub fn evaluate(&self) -> Score {
        if !self.position.has_legal_move() {
            return Score::Mate(0);
        }
        Score::Cp(static_value(&self.position, &self.evaluation_in_use()))
    }

    /// Returns the value of each piece on its square, as a board.
    pub fn piece_values(&self, ranks: Ranks) -> String {
        piece_values(&self.position, &self.evaluation_in_use(), ranks.first())
    }

    /// Loads the data that the first search needs. Takes time only once, and not during a search.
    pub fn prepare(&self) {
        self.evaluation();
        self.opened_tables();
        self.table.provide_memory();
        if !self.is_searching() {
            self.table.wait_for_memory(MEMORY_WAIT);
        }
    }

    fn evaluation(&self) -> &Evaluation {
        self.evaluation.get_or_init(Evaluation::default)
    }

    /// Returns the evaluation of the options, or of a limited knowledge.
    fn evaluation_in_use(&self) -> Evaluation {
        let limited = self.options.knowledge.evaluation();
        limited.unwrap_or_else(|| self.evaluation().clone())
    }

    fn search_options(&self) -> SearchOptions {
        SearchOptions {
            rules: self.options.rules,
            natural_move_limit: self.options.natural_limit(),
            draw_score: self.options.draw_score,
            move_overhead: self.options.move_overhead,
            parameters: self.options.parameters.clone(),
            evaluation: self.evaluation_in_use(),
            tables: self.tables(),
        }
    }

    /// Returns the endgame tables: the built-in ones and those of the option `TablePath`.
    pub fn tables(&self) -> Arc<Tables> {
        Arc::clone(self.opened_tables())
    }

    fn opened_tables(&self) -> &Arc<Tables> {
        self.tables.get_or_init(|| {
            if !self.finds_user_tables {
                return Tables::shared();
            }
            let opened = OpenedTables::of_user();
            if let Some(problem) = opened.problem() {
                // Without a receiver the message is not needed.
                let _ = self.events.send(Event::Message(format!("TablePath: {problem}")));
            }
            opened.tables
        })
    }

    /// Sets an option from text. Waits for a running search to end if the option concerns threads
    /// or memory. Returns the effect, of which [`OptionEffect::OpenLog`] is left to the caller.
    ///
    /// # Errors
    /// If there is no such option, its value does not fit, or the system refuses it.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<OptionEffect, OptionError> {
        let old = self.options.clone();
        let effect = self.options.set(name, value)?;
        match effect {
            // Threads may have failed.
            OptionEffect::ResizeWorkers if self.options.threads != self.workers.len() => {
                self.resize_workers()?;
            }
            OptionEffect::ResizeTable if self.options.hash_mib != old.hash_mib => {
                self.resize_table(old.hash_mib)?;
            }
            OptionEffect::ClearTable => self.clear_table(),
            OptionEffect::ForgetValues if self.options != old => self.clear_table(),
            OptionEffect::NewGame => self.new_game(),
            OptionEffect::LoadEvaluation => {
                let evaluation = chosen_evaluation(&self.options).map_err(|error| {
                    self.options.0.eval_file.clone_from(&old.eval_file);
                    let reason = match &error {
                        // The error already names the file.
                        NetworkError::Io { .. } => error.to_string(),
                        _ => format!("{value}: {error}"),
                    };
                    refused("EvalFile", reason, error.system_error())
                })?;
                self.evaluation = OnceCell::from(evaluation);
                // Values found with the old evaluation are of no use.
                self.new_game();
            }
            OptionEffect::LoadTables => self.load_tables(&old)?,
            OptionEffect::LoadBooks => self.load_books(&old)?,
            OptionEffect::None
            | OptionEffect::OpenLog
            | OptionEffect::ResizeWorkers
            | OptionEffect::ResizeTable
            | OptionEffect::ForgetValues => {}
        }
        Ok(effect)
    }

    fn clear_table(&mut self) {
        self.wait();
        self.table.clear();
    }

    /// Opens the tables of the options. Files that are not sound are reported and skipped.
    fn load_tables(&mut self, old: &Options) -> Result<(), OptionError> {
        let name = "TablePath";
        let Some(source) = &self.options.tables else {
            // Those of the front end are opened when they are needed.
            self.tables.take();
            return Ok(());
        };
        let opened = match source.open() {
            Ok(opened) => opened,
            Err(error) => {
                self.options.0.tables.clone_from(&old.tables);
                return Err(refused(name, error.to_string(), error.system_error()));
            }
        };
        let problem = match source {
            TableSource::Folder(folder)
                if opened.problems.is_empty() && opened.tables.is_built_in() =>
            {
                Some(format!(
                    "{} holds no endgame tables; only the built-in ones are used",
                    folder.display()
                ))
            }
            _ => opened.problem(),
        };
        self.tables = OnceCell::from(opened.tables);
        problem.map_or(Ok(()), |reason| Err(OptionError::InPart { name, reason }))
    }

    /// Opens the books of the options. Files that are not sound are reported and skipped.
    fn load_books(&mut self, old: &Options) -> Result<(), OptionError> {
        let (opened, errors) = self.books.open(self.options.book_file.as_deref());
        let Some(first) = errors.first() else { return Ok(()) };
        let name = "BookFile";
        let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
        let texts = texts.join("; ");
        if opened {
            let reason = format!("{texts}; the other books are used");
            return Err(OptionError::InPart { name, reason });
        }
        self.options.0.book_file.clone_from(&old.book_file);
        let reason = format!("{texts}; the books stay as they were");
        Err(refused(name, reason, first.system_error()))
    }

    fn resize_workers(&mut self) -> Result<(), OptionError> {
        self.wait();
        let (asked, most) = (self.options.threads, self.workers.most());
        self.workers.resize(asked.min(most));
        let given = self.workers.len();
        if given < asked {
            self.options.0.threads = given;
            let reason = if given == most {
                format!(
                    "{asked} threads would not keep the time on this machine; at most {most} do"
                )
            } else {
                let plural = if given == 1 { "" } else { "s" };
                format!("the system allows only {given} thread{plural}")
            };
            return Err(OptionError::InPart { name: "Threads", reason });
        }
        Ok(())
    }

    fn resize_table(&mut self, old_mebibytes: usize) -> Result<(), OptionError> {
        self.wait();
        self.work = None;
        // The old table is freed before anything is allocated, so that the new one can take its
        // place.
        self.table = Arc::new(TranspositionTable::empty());
        let refused = match allocate_table(self.options.hash_mib) {
            Ok(table) => {
                self.table = table;
                return Ok(());
            }
            Err(reason) => OptionError::Refused { name: "Hash", reason },
        };
        let old = allocate_table(old_mebibytes).map(|table| (old_mebibytes, table));
        let (mebibytes, table) = old.unwrap_or_else(|_| (1, Arc::new(TranspositionTable::new(1))));
        self.options.0.hash_mib = mebibytes;
        self.table = table;
        Err(refused)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.wait();
    }
}

/// Returns the refusal of a file, with the error of the system if that is the cause.
fn refused(name: &'static str, reason: String, system: Option<&io::Error>) -> OptionError {
    match system {
        Some(system) => OptionError::Unreadable { name, reason, code: system.raw_os_error() },
        None => OptionError::Refused { name, reason },
    }
}

/// Returns a table whose memory is being provided, or the reason for failure.
fn allocate_table(mebibytes: usize) -> Result<Arc<TranspositionTable>, String> {
    if let Some(available) = free_mebibytes().filter(|&available| available < mebibytes) {
        return Err(format!("{mebibytes} MiB are too much; {available} MiB are free"));
    }
    let table = TranspositionTable::try_new(mebibytes)
        .ok_or_else(|| format!("the system has no memory for {mebibytes} MiB"))?;
    let table = Arc::new(table);
    table.provide_memory();
    Ok(table)
}

/// Loads the evaluation selected by the options.
fn chosen_evaluation(options: &Options) -> Result<Evaluation, NetworkError> {
    options.eval_file.as_deref().map_or_else(|| Ok(Evaluation::default()), Evaluation::find)
}
