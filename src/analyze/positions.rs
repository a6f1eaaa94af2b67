//! One position, or a list of positions, as tables of lines or as JSON.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use cannonade_analysis::{
    ANALYSIS_SCHEMA, CollectionAnalysis, CollectionEvent, Order, PositionAnalysis, SearchSettings,
    Searcher, score_text,
};
use cannonade_engine::SearchLine;
use cannonade_engine::search::win_draw_loss;
use serde_json::json;
use xiangqi::board::Position;
use xiangqi::notation::{Notation, write, write_line};
use xiangqi::records::Game;
use xiangqi::rules::Regulations;
use xiangqi::rules::explanation::Language;

use super::super::{Failure, Output};
use super::arguments::Arguments;
use super::flag_names::{flag_error, print_warning};
use super::games::{collection_failure, open_journal, progress_bar};

/// Moves shown of each line.
const MOVES_SHOWN: usize = 12;

const TABLE_HEAD: &str = "depth    time       nodes   score  line";

/// Refuses flags that apply to games only.
///
/// # Errors
///
/// If there is one.
pub(super) fn check(arguments: &Arguments) -> Result<(), Failure> {
    let flags = [
        ("--html", arguments.html.is_some()),
        ("--pgn", arguments.pgn),
        ("--games", arguments.games.is_some()),
        ("--forward", arguments.forward),
    ];
    match flags.into_iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(Failure::Input(anyhow!("{flag} needs games; the files hold FENs"))),
        None => Ok(()),
    }
}

/// Analyses one position; its table grows during the search.
pub(super) fn run_one(
    arguments: &Arguments,
    position: &Position,
    settings: &SearchSettings,
    stop: &Arc<AtomicBool>,
) -> Result<(), Failure> {
    let searcher = Searcher::new(settings, Arc::clone(stop));
    let mut searcher = searcher.map_err(|error| flag_error(&error))?;
    if let Some(warning) = searcher.warning() {
        print_warning(warning);
    }
    let mut output = Output::new();
    if arguments.json {
        let found = searcher.search_to_stop(position, |_| {});
        output.line(object(position, &found, arguments.notation()));
    } else {
        output.line(head(position));
        let found = searcher.search_to_stop(position, |info| {
            let depth = format!("{}/{}", info.depth, info.sel_depth);
            let line = SearchLine { score: info.score, moves: info.pv.clone() };
            output.line(row(
                &depth,
                info.time,
                info.nodes,
                &line,
                (position, arguments.notation()),
            ));
            if output.is_closed() {
                stop.store(true, Ordering::Relaxed);
            }
        });
        output.line(tail(position, &found, arguments.notation()));
    }
    let is_interrupted = searcher.is_stopped() && !output.is_closed();
    output.finish()?;
    if is_interrupted {
        return Err(Failure::Interrupted("stopped before the limit of the search".to_owned()));
    }
    Ok(())
}

/// Analyses a list of positions and writes each result as soon as those before it are written.
pub(super) fn run_list(
    arguments: &Arguments,
    positions: &[Position],
    settings: &SearchSettings,
    stop: &Arc<AtomicBool>,
) -> Result<(), Failure> {
    let games: Vec<Game> = positions.iter().cloned().map(Game::new).collect();
    let mut collection = CollectionAnalysis::new(&games, 0..games.len(), settings, Order::Forward);
    open_journal(arguments, &mut collection)?;
    let path = arguments.output.as_deref().filter(|path| *path != Path::new("-"));
    let bar = progress_bar(if path.is_some() { collection.remaining() } else { 0 });
    let mut results = OrderedResults::new(arguments, positions, path);
    for (index, known) in collection.analyses().iter().enumerate() {
        if let Some(Some(found)) = known.positions.first() {
            results.add(index, found);
        }
    }
    let concurrency = usize::from(arguments.concurrency);
    let run = collection.run(concurrency, stop, |event| match event {
        CollectionEvent::Warning(warning) => print_warning(warning),
        CollectionEvent::Position { game, analysis, .. } => {
            bar.inc(1);
            results.add(game, analysis);
            if results.is_closed() {
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    bar.finish_and_clear();
    run.map_err(collection_failure)?;
    let written = results.next;
    let is_closed = results.output.is_closed();
    results.finish()?;
    let journal = collection.close_journal().context("cannot remove the record of the analysis")?;
    if written == positions.len() || is_closed {
        return Ok(());
    }
    let mut text = format!("stopped: positions analysed: {written} of {}", positions.len());
    if journal.is_some() {
        text += "; the same command with --resume continues";
    }
    Err(Failure::Interrupted(text))
}

/// Writes results in the order of the positions to standard output or a file.
struct OrderedResults<'a> {
    arguments: &'a Arguments,
    positions: &'a [Position],
    output: Output,
    /// Created with the first result, so that an analysis without one leaves an older file alone.
    file: Option<(&'a Path, Option<File>)>,
    error: Option<io::Error>,
    /// The position whose result is written next.
    next: usize,
    /// Results of later positions.
    waiting: BTreeMap<usize, String>,
}

impl<'a> OrderedResults<'a> {
    fn new(
        arguments: &'a Arguments,
        positions: &'a [Position],
        path: Option<&'a Path>,
    ) -> OrderedResults<'a> {
        OrderedResults {
            arguments,
            positions,
            output: Output::new(),
            file: path.map(|path| (path, None)),
            error: None,
            next: 0,
            waiting: BTreeMap::new(),
        }
    }

    fn add(&mut self, index: usize, found: &PositionAnalysis) {
        let Some(position) = self.positions.get(index) else { return };
        self.waiting.insert(index, self.text(index, position, found));
        while let Some(text) = self.waiting.remove(&self.next) {
            self.next += 1;
            match &mut self.file {
                None => self.output.line(text),
                Some((path, file)) => {
                    let written = write_line_to(path, file, &text);
                    self.error = self.error.take().or(written.err());
                }
            }
        }
    }

    fn text(&self, index: usize, position: &Position, found: &PositionAnalysis) -> String {
        let notation = self.arguments.notation();
        if self.arguments.json {
            return object(position, found, notation);
        }
        let mut text = if index > 0 { "\n".to_owned() } else { String::new() };
        text += &head(position);
        let time = Duration::from_millis(found.time_ms);
        for line in &found.lines {
            let depth = found.depth.to_string();
            text += &format!("\n{}", row(&depth, time, found.nodes, line, (position, notation)));
        }
        text + "\n" + &tail(position, found, notation)
    }

    /// Returns whether no further result can be written.
    fn is_closed(&self) -> bool {
        self.output.is_closed() || self.error.is_some()
    }

    fn finish(self) -> Result<(), Failure> {
        if let (Some(error), Some((path, _))) = (self.error, self.file) {
            let error = anyhow::Error::new(error);
            return Err(error.context(format!("cannot write {}", path.display())).into());
        }
        self.output.finish()
    }
}

fn write_line_to(path: &Path, file: &mut Option<File>, text: &str) -> io::Result<()> {
    let file = match file {
        Some(file) => file,
        None => file.insert(File::create(path)?),
    };
    file.write_all(format!("{text}\n").as_bytes())
}

/// Returns the board, the FEN and the head of the table.
fn head(position: &Position) -> String {
    let (board, fen, side) = (position.board(), position.fen(), position.side());
    format!("{board}\n{fen}, {side} to move\n\n{TABLE_HEAD}")
}

/// Returns a line of the table.
fn row(
    depth: &str,
    time: Duration,
    nodes: u64,
    line: &SearchLine,
    (position, notation): (&Position, Notation),
) -> String {
    let shown = &line.moves[..line.moves.len().min(MOVES_SHOWN)];
    let moves = write_line(position, shown, notation).join(" ");
    let time = format!("{:.2} s", time.as_secs_f64());
    let more = if line.moves.len() > MOVES_SHOWN { " .." } else { "" };
    let score = score_text(line.score);
    format!("{depth:>6} {time:>8} {nodes:>11} {score:>7}  {moves}{more}")
}

/// Returns the best move and how the game has ended, if it has.
fn tail(position: &Position, found: &PositionAnalysis, notation: Notation) -> String {
    let mut text = format!("\n{}", summary(found, position, notation));
    if let Some(end) =
        Regulations::default().outcome(position).filter(|end| !end.reason.is_without_move())
    {
        let winner = end.winner.map_or("draw".to_owned(), |winner| format!("{winner} wins"));
        text += &format!("\nBy the rules the game is over: {winner}: {}", end.reason);
    }
    text
}

fn summary(found: &PositionAnalysis, position: &Position, notation: Notation) -> String {
    let Some(best) = found.best() else {
        return format!("No legal move: {} has lost.", position.side());
    };
    let line = found.lines.first().map_or(&[][..], |line| &line.moves);
    let answer = match write_line(position, line, notation).get(1) {
        Some(answer) => format!(", expecting {answer}"),
        None => String::new(),
    };
    let seconds = found.time_ms as f64 / 1e3;
    let thousands = found.nodes as f64 / seconds.max(1e-3) / 1e3;
    let table = found.table.map(|table| table.describe(position.side(), Language::English));
    let table = table.map(|text| format!("Endgame tables: {text}\n")).unwrap_or_default();
    format!(
        "Best move: {}{answer}\n{table}{} nodes in {seconds:.2} s, {thousands:.0} thousand per \
         second",
        write(position, best, notation),
        found.nodes
    )
}

fn object(position: &Position, found: &PositionAnalysis, notation: Notation) -> String {
    let best = found.best();
    json!({
        "schema": ANALYSIS_SCHEMA,
        "type": "position",
        "fen": position.fen(),
        "side": position.side().to_string(),
        "score": found.score,
        "wdl": win_draw_loss(found.score, position.occupied().len()),
        "best": best,
        "text": best.map(|mv| write(position, mv, notation)),
        "lines": found.lines,
        "depth": found.depth,
        "nodes": found.nodes,
        "time_ms": found.time_ms,
        "table": found.table,
        "over": Regulations::default().outcome(position).map(|end| {
            json!({
                "winner": end.winner.map(|winner| winner.to_string()),
                "reason": end.reason.to_string(),
            })
        }),
    })
    .to_string()
}
