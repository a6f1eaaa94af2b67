//! Searches one position after another with one engine.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cannonade_engine::search::{Limits, PvInfo, Score};
use cannonade_engine::{BlockingEngine, FinishedSearch, OptionError, SearchLine};
use cannonade_tables::TableSource;
use serde::{Deserialize, Serialize};
use xiangqi::board::{Move, Position};
use xiangqi::rules::mates_in_time;

use super::TableResult;

/// The settings that all searches of an analysis share.
#[derive(Clone, Debug)]
pub struct SearchSettings {
    /// The limit of each position.
    pub limits: Limits,
    /// Threads of the search.
    pub threads: usize,
    /// Size of the transposition table in MiB.
    pub hash_mib: usize,
    /// Endgame tables besides the built-in ones.
    pub tables: TableSource,
    /// Best lines of each position.
    pub multi_pv: usize,
}

impl SearchSettings {
    /// Returns whether two analyses of a game give the same result: time and several threads leave
    /// room for chance.
    pub fn is_reproducible(&self) -> bool {
        self.limits.is_counted() && self.threads == 1
    }
}

/// The limits of a position and the conditions, such as `50000 nodes, 1 line, 1 thread, 64 MiB`.
impl fmt::Display for SearchSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: usize, what: &str| {
            format!("{count} {what}{}", if count == 1 { "" } else { "s" })
        };
        let Limits { depth, nodes, move_time, .. } = &self.limits;
        let limits = [
            move_time.map(|time| format!("{} s", time.as_secs_f64())),
            depth.map(|depth| format!("depth {depth}")),
            nodes.map(|nodes| format!("{nodes} nodes")),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        let (lines, threads) = (counted(self.multi_pv, "line"), counted(self.threads, "thread"));
        write!(f, "{}, {lines}, {threads}, {} MiB", limits.join(", "), self.hash_mib)
    }
}

/// The result of a search of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PositionAnalysis {
    /// The score of the best line for the side to move: exact, or a bound if no depth was finished.
    pub score: Score,
    /// The best lines of the last finished depth, the best one first; none if the position has no
    /// legal move.
    pub lines: Vec<SearchLine>,
    /// The last depth that was finished.
    pub depth: u32,
    /// Nodes of the search.
    pub nodes: u64,
    /// Time of the search, in milliseconds.
    pub time_ms: u64,
    /// The exact result, if a table holds the position.
    #[serde(default)]
    pub table: Option<TableResult>,
}

impl PositionAnalysis {
    /// Returns the best move.
    pub fn best(&self) -> Option<Move> {
        self.lines.first()?.moves.first().copied()
    }

    /// Returns the analysis of a position in which the game is over with this score for the side to
    /// move: the search, which does not know that, has no say.
    pub(super) fn ended(&self, score: Score) -> PositionAnalysis {
        PositionAnalysis { score, lines: Vec::new(), ..self.clone() }
    }
}

/// An engine that analyses positions.
pub struct Searcher {
    engine: BlockingEngine,
    limits: Limits,
    warning: Option<OptionError>,
    stop: Arc<AtomicBool>,
}

impl Searcher {
    /// Creates a searcher that ends early when `stop` becomes true.
    ///
    /// # Errors
    ///
    /// If the system does not give the threads or memory, or a folder of tables cannot be read.
    pub fn new(settings: &SearchSettings, stop: Arc<AtomicBool>) -> Result<Searcher, OptionError> {
        let mut searcher = BlockingEngine::new();
        let engine = searcher.engine_mut();
        engine.set_option("MultiPV", &settings.multi_pv.to_string())?;
        let warning = engine.configure(settings.threads, settings.hash_mib, &settings.tables)?;
        engine.prepare();
        Ok(Searcher { engine: searcher, limits: settings.limits.clone(), warning, stop })
    }

    /// Returns the setting that could not be used, if any.
    pub fn warning(&self) -> Option<&OptionError> {
        self.warning.as_ref()
    }

    /// Clears the transposition table of the entries of other games.
    pub fn new_game(&mut self) {
        self.engine.engine_mut().new_game();
    }

    /// Returns whether the searcher was stopped.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Searches a position up to the limits. `None` if the search was stopped from outside.
    pub fn search(&mut self, position: &Position) -> Option<PositionAnalysis> {
        if self.is_stopped() {
            return None;
        }
        let found = self.search_to_stop(position, |_| {});
        (!self.is_stopped()).then_some(found)
    }

    /// Searches a position up to the limits or until it is stopped from outside; `report` receives
    /// each new principal variation.
    pub fn search_to_stop(
        &mut self,
        position: &Position,
        report: impl FnMut(&PvInfo),
    ) -> PositionAnalysis {
        let is_stopped = || self.stop.load(Ordering::Relaxed);
        let limits = self.limits.clone();
        let found = self.engine.search(position.clone(), limits, is_stopped, report);
        PositionAnalysis { table: self.table_result(position), ..found.into() }
    }

    /// Returns the result in the endgame tables, if they hold the position, no perpetual check can
    /// decide it and the natural-move limit cannot come before the mate.
    fn table_result(&self, position: &Position) -> Option<TableResult> {
        let limit = self.engine.engine().options().natural_limit();
        let tables = self.engine.engine().tables();
        let value = tables.value(position.board()).filter(|value| value.is_exact())?;
        let is_in_time = |plies| mates_in_time(position, u16::from(plies), limit);
        value.plies().is_none_or(is_in_time).then(|| value.into())
    }
}

impl From<FinishedSearch> for PositionAnalysis {
    fn from(found: FinishedSearch) -> PositionAnalysis {
        let conclusion = &found.conclusion;
        PositionAnalysis {
            score: found.score(),
            lines: found.settled_lines().to_vec(),
            depth: conclusion.depth,
            nodes: conclusion.nodes,
            time_ms: u64::try_from(conclusion.time.as_millis()).unwrap_or(u64::MAX),
            table: None,
        }
    }
}
