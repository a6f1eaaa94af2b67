//! Facade of the engine for front ends.

use std::cell::OnceCell;
use std::sync::Arc;

use cannonade_tables::random::fresh_seed;
use cannonade_tables::{OpenedTables, TableSource, Tables};
use crossbeam_channel::Sender;
use web_time::{Duration, Instant};
use xiangqi::board::Position;
use xiangqi::notation::Ranks;

use super::background::{self, BackgroundTask};
use super::jobs::Busy;
use super::opening_books::{BookChoice, OpeningBooks};
use super::strength::{Handicap, LimitedSearch};
use super::workers::Workers;
use super::{Conclusion, Event, HostThreads, OptionError, Options};
use crate::nnue::{Evaluation, piece_values, static_value};
use crate::search::{Limits, ProbeResult, Score, SearchContext, SearchOptions, TranspositionTable};

/// Maximum time that `isready` waits for the memory of the transposition table.
const MEMORY_WAIT: Duration = Duration::from_millis(500);

/// Interval at which the events of threads of a host are read: nothing tells of them.
const EVENT_INTERVAL: Duration = Duration::from_millis(10);

/// Current work of the threads.
pub(super) enum Work {
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
    pub(super) options: Options,
    /// Evaluation, loaded when first needed: a handshake does not wait for it.
    pub(super) evaluation: OnceCell<Evaluation>,
    /// The endgame tables, opened when first needed.
    pub(super) tables: OnceCell<Arc<Tables>>,
    /// True if an empty option `TablePath` means the tables of the user.
    finds_user_tables: bool,
    pub(super) books: OpeningBooks,
    position: Position,
    pub(super) table: Arc<TranspositionTable>,
    /// Table of searches below full strength, allocated at the first one.
    limited_table: OnceCell<Arc<TranspositionTable>>,
    /// Seed of oversights below full strength, unless the options give one.
    seed: u64,
    pub(super) workers: Workers,
    events: Sender<Event>,
    busy: Arc<Busy>,
    pub(super) work: Option<Work>,
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
        options.limit_threads(threads);
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
                self.options.set_tables(Some(source.clone()));
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
            let (running, work, end) = background::prepare(events, busy, task);
            self.workers.run(work, end);
            running
        } else {
            background::spawn(events, busy, task)
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
    pub(super) fn work_off(&self) {
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
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
        self.wait();
    }
}
