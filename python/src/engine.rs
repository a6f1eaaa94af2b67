//! The engine in the process.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use cannonade_engine::search::{Clock, Limits, PvInfo, Score, win_draw_loss};
use cannonade_engine::{
    BlockingEngine, FinishedSearch, OPTIONS, OptionError, OptionKind, OptionRow, SearchLine,
};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use xiangqi::Position;

use crate::board::Board;
use crate::errors::{option_error, value_error, warn};
use crate::moves::{Move, MoveOrText};
use crate::tables::{table_value, warn_of_user_tables};
use crate::waiting::SIGNAL_INTERVAL;

/// The longest time that a caller can give, in seconds.
const LONGEST: f64 = 31_536_000.0;

/// Interval at which a call looks whether the search of another thread has ended.
const TURN_INTERVAL: Duration = Duration::from_millis(1);

/// A score: `cp`, `mate` or `rule`, and its number.
pub fn score(score: Score) -> (&'static str, i32) {
    match score {
        Score::Cp(cp) => ("cp", cp),
        Score::Mate(moves) => ("mate", moves),
        Score::Rule(plies) => ("rule", plies),
    }
}

/// A time in seconds.
pub fn duration(name: &str, seconds: f64) -> PyResult<Duration> {
    if (0.0..=LONGEST).contains(&seconds) {
        return Ok(Duration::from_secs_f64(seconds));
    }
    Err(value_error(format!("{name}: {seconds} is not a number of seconds from 0 to {LONGEST}")))
}

#[pyclass(frozen, module = "cannonade._cannonade")]
pub struct Engine {
    engine: Arc<Mutex<BlockingEngine>>,
    /// The thread that waits for a search and calls its `info`.
    searching: Mutex<Option<ThreadId>>,
    /// Calls of `stop`: a search ends when there is one since it was asked for.
    stops: AtomicU64,
    /// The process whose threads search: a fork does not have them.
    process: u32,
}

/// The limits of a search, by their names in Python.
#[derive(FromPyObject)]
pub struct AskedLimits {
    #[pyo3(item)]
    nodes: Option<u64>,
    #[pyo3(item)]
    depth: Option<u32>,
    #[pyo3(item)]
    time: Option<f64>,
    #[pyo3(item)]
    mate: Option<u32>,
    #[pyo3(item)]
    clock: Option<f64>,
    #[pyo3(item)]
    increment: Option<f64>,
    #[pyo3(item)]
    moves_to_go: Option<u32>,
    #[pyo3(item)]
    multipv: usize,
}

impl AskedLimits {
    pub fn limits(self, moves: &[MoveOrText], position: &Position) -> PyResult<Limits> {
        let clock = match self.clock {
            Some(left) => Some(Clock {
                left: duration("clock", left)?,
                increment: duration("increment", self.increment.unwrap_or_default())?,
                moves_to_go: self.moves_to_go,
            }),
            None => None,
        };
        Ok(Limits {
            nodes: self.nodes,
            depth: self.depth,
            move_time: self.time.map(|time| duration("time", time)).transpose()?,
            mate: self.mate,
            clock,
            multi_pv: self.multipv,
            search_moves: moves.iter().map(|mv| mv.legal(position)).collect::<PyResult<_>>()?,
            ..Limits::default()
        })
    }
}

impl Engine {
    /// Waits for a search that is running on another thread, or until a handler of a signal raises;
    /// the caller must not hold the lock of the interpreter, which that search may need. From the
    /// `info` of a search it would wait for ever.
    fn lock(&self) -> PyResult<MutexGuard<'_, BlockingEngine>> {
        if *locked(&self.searching) == Some(thread::current().id()) {
            return Err(PyRuntimeError::new_err(
                "the engine is searching and this is its info function, which can only call stop()",
            ));
        }
        let mut looked = Instant::now();
        loop {
            match self.engine.try_lock() {
                Ok(engine) => return Ok(engine),
                Err(TryLockError::Poisoned(engine)) => return Ok(engine.into_inner()),
                Err(TryLockError::WouldBlock) => thread::sleep(TURN_INTERVAL),
            }
            if looked.elapsed() >= SIGNAL_INTERVAL {
                looked = Instant::now();
                Python::attach(|py| py.check_signals())?;
            }
        }
    }

    fn check_process(&self) -> PyResult<()> {
        if self.process == std::process::id() {
            return Ok(());
        }
        Err(PyRuntimeError::new_err(
            "this engine belongs to the process that was forked, and its threads are not here; create \
             an engine after the fork",
        ))
    }
}

impl Drop for Engine {
    /// Leaves an engine to the process that was forked: here its end would wait for threads that
    /// are not here, so that it is never dropped.
    fn drop(&mut self) {
        if self.process != std::process::id() {
            std::mem::forget(Arc::clone(&self.engine));
        }
    }
}

#[pymethods]
impl Engine {
    #[new]
    fn new(py: Python<'_>) -> PyResult<Engine> {
        warn_of_user_tables(py)?;
        let mut engine = py.detach(BlockingEngine::new);
        engine.engine_mut().find_user_tables();
        let (engine, searching) = (Arc::new(Mutex::new(engine)), Mutex::new(None));
        Ok(Engine { engine, searching, stops: AtomicU64::new(0), process: std::process::id() })
    }

    /// Sets an option by its name in UCI or UCCI. Warns if the value can be used only in part, with
    /// the line that calls the caller of `Engine._set`.
    fn set_option(&self, py: Python<'_>, name: &str, value: &str) -> PyResult<()> {
        self.check_process()?;
        if let Some(instead) = OptionRow::find(name).and_then(instead) {
            return Err(value_error(format!("option {name}: {instead}")));
        }
        let set =
            py.detach(|| Ok::<_, PyErr>(self.lock()?.engine_mut().set_option(name, value)))?;
        match set {
            Ok(_) => Ok(()),
            Err(error @ OptionError::InPart { .. }) => warn(py, error, 3),
            Err(error) => Err(option_error(&error)),
        }
    }

    /// Forgets what was learned of the last game.
    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        self.check_process()?;
        py.detach(|| self.lock().map(|mut engine| engine.engine_mut().new_game()))
    }

    /// Ends the running search and those that wait for it.
    fn stop(&self) {
        self.stops.fetch_add(1, Ordering::Relaxed);
    }

    /// Searches a position, all of its moves or only some; `report` is called with each new line.
    /// Returns a dictionary.
    fn search<'py>(
        &self,
        py: Python<'py>,
        board: PyRef<'py, Board>,
        limits: AskedLimits,
        moves: Vec<MoveOrText>,
        report: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        self.check_process()?;
        let position = board.position()?.clone();
        drop(board);
        if let Some(defect) = position.defect() {
            return Err(value_error(defect));
        }
        let limits = limits.limits(&moves, &position)?;
        let pieces = position.occupied().len();
        let before = self.stops.load(Ordering::Relaxed);
        let searched = py.detach(|| {
            let mut engine = self.lock()?;
            let _searching = Searching::begin(self);
            let mut watch = Watch { engine: self, before, last: Instant::now(), raised: None };
            let watch = Mutex::new(&mut watch);
            let found = engine.search(
                position.clone(),
                limits,
                || locked(&watch).is_stopped(),
                |info| {
                    let told = report.as_ref().map_or(Ok(()), |report| tell(report, info));
                    if let Err(error) = told {
                        locked(&watch).raised.get_or_insert(error);
                    }
                },
            );
            let table = engine.engine().tables().value(position.board());
            match locked(&watch).raised.take() {
                Some(error) => Err(error),
                None => Ok((found, table)),
            }
        });
        let (found, table) = searched?;
        if found.conclusion.broken {
            let message = "a search thread panicked, which is a bug; please report it";
            return Err(PyRuntimeError::new_err(message));
        }
        let result = result(py, &found, pieces)?;
        result.set_item("table", table.map(table_value))?;
        Ok(result)
    }
}

/// An option: name, type, default, minimum, maximum, values.
type OptionFields<'py> = (
    &'static str,
    &'static str,
    Option<Bound<'py, PyAny>>,
    Option<i64>,
    Option<i64>,
    &'static [&'static str],
);

/// The options that can be set by their names in UCI.
#[pyfunction]
pub fn options(py: Python<'_>) -> PyResult<Vec<OptionFields<'_>>> {
    let fields = |option: &OptionRow| {
        let (kind, default, choices): (_, _, &[_]) = match option.kind {
            OptionKind::Check { default, .. } => {
                ("check", Some(default.into_pyobject(py)?.to_owned().into_any()), &[])
            }
            OptionKind::Spin { default, .. } => {
                ("spin", Some(default.into_pyobject(py)?.into_any()), &[])
            }
            OptionKind::Combo { choices, .. } => {
                let default = choices.first().map(|choice| choice.into_pyobject(py));
                ("combo", default.transpose()?.map(Bound::into_any), choices)
            }
            OptionKind::Button => ("button", None, &[]),
            OptionKind::Text { .. } => ("string", None, &[]),
        };
        let (min, max) = option.bounds().unzip();
        Ok((option.name(), kind, default, min, max, choices))
    };
    let can_be_set = |option: &&OptionRow| option.uci.is_some() && instead(option).is_none();
    OPTIONS.iter().filter(can_be_set).map(fields).collect()
}

/// What there is here in the place of an option that only clients of a protocol need.
fn instead(option: &OptionRow) -> Option<&'static str> {
    match option.name() {
        "MultiPV" => Some("each search takes its number of lines: analyse(board, multipv=3)"),
        "Debug Log File" => {
            Some("there are no lines to log; analyse(board, info=print) shows a search")
        }
        _ => None,
    }
}

/// Marks the thread that waits for a search, until the search has ended.
struct Searching<'a>(&'a Engine);

impl Searching<'_> {
    fn begin(engine: &Engine) -> Searching<'_> {
        *locked(&engine.searching) = Some(thread::current().id());
        Searching(engine)
    }
}

impl Drop for Searching<'_> {
    fn drop(&mut self) {
        *locked(&self.0.searching) = None;
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A request to end a search: by `stop`, Ctrl-C or an exception of a callback.
struct Watch<'a> {
    engine: &'a Engine,
    before: u64,
    last: Instant,
    raised: Option<PyErr>,
}

impl Watch<'_> {
    fn is_stopped(&mut self) -> bool {
        if self.last.elapsed() >= SIGNAL_INTERVAL {
            self.last = Instant::now();
            if let Err(error) = Python::attach(|py| py.check_signals()) {
                self.raised.get_or_insert(error);
            }
        }
        self.raised.is_some() || self.engine.stops.load(Ordering::Relaxed) != self.before
    }
}

fn moves(line: &[xiangqi::Move]) -> Vec<Move> {
    line.iter().copied().map(Move::from).collect()
}

fn result<'py>(
    py: Python<'py>,
    found: &FinishedSearch,
    pieces: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let result = PyDict::new(py);
    let conclusion = &found.conclusion;
    let (lines, value) = (found.settled_lines(), found.score());
    let line = |line: &SearchLine| (score(line.score), moves(&line.moves));
    result.set_item("best", conclusion.best.map(Move::from))?;
    result.set_item("ponder", conclusion.ponder.map(Move::from))?;
    result.set_item("score", score(value))?;
    result.set_item("wdl", win_draw_loss(value, pieces))?;
    result.set_item("lines", lines.iter().map(line).collect::<Vec<_>>())?;
    result.set_item("depth", conclusion.depth)?;
    result.set_item("nodes", conclusion.nodes)?;
    result.set_item("time", conclusion.time.as_secs_f64())?;
    Ok(result)
}

/// Calls a Python function with a line of a running search.
fn tell(report: &Py<PyAny>, info: &PvInfo) -> PyResult<()> {
    Python::attach(|py| {
        let line = PyDict::new(py);
        line.set_item("depth", info.depth)?;
        line.set_item("seldepth", info.sel_depth)?;
        line.set_item("multipv", info.multi_pv)?;
        line.set_item("score", score(info.score))?;
        line.set_item("nodes", info.nodes)?;
        line.set_item("time", info.time.as_secs_f64())?;
        line.set_item("moves", moves(&info.pv))?;
        report.call1(py, (line,)).map(drop)
    })
}
