//! Games analysed.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cannonade_analysis::{
    Assessment, GameAnalysis, MoveAssessment, Order, PositionAnalysis, ReportGame, ReportOptions,
    SearchSettings, Searcher,
};
use cannonade_engine::search::Limits;
use cannonade_tables::TableSource;
use pyo3::prelude::*;
use xiangqi::Game;
use xiangqi::rules::Regulations;

use crate::engine::duration;
use crate::errors::{option_error, value_error};
use crate::game::GameTree;
use crate::numbers::Whole;
use crate::tables::{table_source, warn_of_user_tables};
use crate::waiting;

/// An analysed game.
#[pyclass(frozen, module = "cannonade._cannonade")]
pub struct Report {
    game: Game,
    analysis: GameAnalysis,
    assessment: Assessment,
    /// The limits and conditions in words.
    limits: String,
}

impl Report {
    fn new(game: Game, analysis: GameAnalysis, limits: String) -> Report {
        let assessment = Assessment::new(&game, &analysis, Regulations::default());
        Report { game, analysis, assessment, limits }
    }
}

/// Analyses the main line of a game with the limits of each position.
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub fn analyse_game(
    py: Python<'_>,
    game: PyRef<'_, GameTree>,
    nodes: Option<u64>,
    time: Option<f64>,
    depth: Option<u32>,
    multipv: usize,
    threads: usize,
    hash: usize,
    tables: Option<PathBuf>,
) -> PyResult<Report> {
    let copy = game.game.clone();
    // Other threads may use the tree meanwhile.
    drop(game);
    let game = copy;
    if let Some(defect) = game.start().defect() {
        return Err(value_error(format!("start position: {defect}")));
    }
    let move_time = time.map(|time| duration("time", time)).transpose()?;
    let limits = Limits { nodes, move_time, depth, multi_pv: multipv, ..Limits::default() };
    let tables = table_source(tables);
    if tables == TableSource::User {
        warn_of_user_tables(py)?;
    }
    let settings = SearchSettings { limits, threads, hash_mib: hash, tables, multi_pv: multipv };
    let stop = Arc::new(AtomicBool::new(false));
    let work = || {
        let searcher = Searcher::new(&settings, Arc::clone(&stop));
        let mut searcher = searcher.map_err(|error| option_error(&error))?;
        match searcher.warning() {
            Some(warning) if settings.tables != TableSource::User => {
                return Err(value_error(warning));
            }
            _ => {}
        }
        let mut analysis = GameAnalysis::new(&game);
        cannonade_analysis::analyse_game(
            &game,
            &mut searcher,
            Order::Backward,
            &mut analysis,
            |_, _| (),
        );
        Ok(analysis)
    };
    let analysis = waiting::run(py, work, || stop.store(true, Ordering::Relaxed))??;
    Ok(Report::new(game, analysis, settings.to_string()))
}

#[pymethods]
impl Report {
    /// The limits and conditions in words.
    #[getter]
    fn limits(&self) -> &str {
        &self.limits
    }

    /// The game.
    fn game(&self) -> GameTree {
        self.game.clone().into()
    }

    /// The lines that `cannonade analyze --json` writes, of the game with this number.
    fn json(&self, notation: &str, number: Whole) -> PyResult<String> {
        let notation = notation.parse().map_err(value_error)?;
        let number = number.within("number", 0..=u32::MAX)? as usize;
        Ok(cannonade_analysis::json_lines(
            &self.game,
            number,
            &self.analysis,
            &self.assessment,
            notation,
        ))
    }

    /// Red's expected points after each analysed move, 0 to 1.
    fn points(&self) -> Vec<f64> {
        self.assessment.moves.iter().flatten().map(MoveAssessment::red_points).collect()
    }

    /// The report as text.
    fn text(&self, notation: &str) -> PyResult<String> {
        let notation = notation.parse().map_err(value_error)?;
        Ok(cannonade_analysis::write_report(&self.game, &self.analysis, &self.assessment, notation))
    }

    /// The game with scores, signs and better lines.
    fn annotated(&self, notation: &str) -> PyResult<GameTree> {
        let notation = notation.parse().map_err(value_error)?;
        Ok(cannonade_analysis::annotate(&self.game, &self.assessment, notation).into())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (GameTree, String, String))> {
        let restore = py.import("cannonade._cannonade")?.getattr("restore_report")?;
        let positions = serde_json::to_string(&self.analysis.positions).map_err(value_error)?;
        Ok((restore, (self.game(), positions, self.limits.clone())))
    }
}

/// A page of reports; it names their limits if they share them.
#[pyfunction]
pub fn report_page(
    reports: Vec<PyRef<'_, Report>>,
    language: &str,
    notation: &str,
    rules: &str,
) -> PyResult<String> {
    let limits = reports.first().map(|report| report.limits.clone());
    let options = ReportOptions {
        language: language.parse().map_err(value_error)?,
        notation: notation.parse().map_err(value_error)?,
        rules: rules.parse().map_err(value_error)?,
        opens_at_repetition: false,
        limits: limits.filter(|limits| reports.iter().all(|report| report.limits == *limits)),
    };
    let games: Vec<ReportGame<'_>> = reports
        .iter()
        .map(|report| ReportGame {
            game: &report.game,
            analysis: Some((&report.analysis, &report.assessment)),
        })
        .collect();
    Ok(cannonade_analysis::report_page(&games, &options))
}

/// The table of reports, a line each.
#[pyfunction]
pub fn games_table(reports: Vec<PyRef<'_, Report>>) -> String {
    let games = reports.iter().enumerate();
    cannonade_analysis::games_table(
        games.map(|(index, report)| (index + 1, &report.game, &report.assessment)),
    )
}

/// The report that was pickled.
#[pyfunction]
pub fn restore_report(
    game: PyRef<'_, GameTree>,
    positions: &str,
    limits: String,
) -> PyResult<Report> {
    let positions: Vec<Option<PositionAnalysis>> =
        serde_json::from_str(positions).map_err(value_error)?;
    Ok(Report::new(game.game.clone(), GameAnalysis { positions }, limits))
}
