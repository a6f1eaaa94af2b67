//! One position, or several, as a table of lines or as JSON.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::anyhow;
use serde_json::json;
use xiangqi::board::Position;
use xiangqi::notation::{Notation, write, write_line};
use xiangqi::rules::{Language, Regulations, outcome};

use super::super::output::print_error;
use super::super::{Failure, Output};
use super::arguments::Arguments;
use super::flag_names::{flag_error, print_warning};
use crate::analysis::{PositionAnalysis, SearchSettings, Searcher, score_text};
use crate::search::PvInfo;

/// Moves shown of each line.
const MOVES_SHOWN: usize = 12;

/// The destination of the lines: standard output, one by one, or a file, once all are done.
struct PositionLines<'a> {
    output: Output,
    file: Option<(&'a Path, String)>,
}

impl PositionLines<'_> {
    fn line(&mut self, text: impl Display) {
        match &mut self.file {
            Some((_, lines)) => *lines += &format!("{text}\n"),
            None => self.output.line(text),
        }
    }

    fn finish(mut self) -> Result<(), Failure> {
        if let Some((path, lines)) = self.file {
            self.output.file(path, lines.as_bytes())?;
        }
        self.output.finish()
    }
}

/// Refuses flags that apply to games only.
///
/// # Errors
///
/// If there is one.
pub(super) fn check(arguments: &Arguments) -> Result<(), Failure> {
    let flags = [
        ("--html", arguments.html.is_some()),
        ("--pgn", arguments.pgn),
        ("--resume", arguments.resume),
        ("--games", arguments.games.is_some()),
        ("--forward", arguments.forward),
        ("--concurrency", arguments.concurrency > 1),
    ];
    match flags.into_iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(Failure::Input(anyhow!("{flag} needs games; the files hold FENs"))),
        None => Ok(()),
    }
}

pub(super) fn run(
    arguments: &Arguments,
    positions: &[Position],
    settings: &SearchSettings,
    stop: &Arc<AtomicBool>,
) -> Result<(), Failure> {
    let searcher = Searcher::new(settings, Arc::clone(stop));
    let mut searcher = searcher.map_err(|error| flag_error(&error))?;
    if let Some(warning) = searcher.warning() {
        print_warning(warning);
    }
    let path = arguments.output.as_deref().filter(|path| *path != Path::new("-"));
    let mut output =
        PositionLines { output: Output::new(), file: path.map(|path| (path, String::new())) };
    let mut searched = 0;
    for (index, position) in positions.iter().enumerate() {
        if index > 0 && (searcher.is_stopped() || output.output.is_closed()) {
            break;
        }
        searched = index + 1;
        if arguments.json {
            let found = searcher.search_to_stop(position, |_| {});
            output.line(object(position, &found, arguments.notation));
            continue;
        }
        if index > 0 {
            output.line("");
        }
        let (board, fen, side) = (position.board(), position.fen(), position.side());
        output.line(format_args!("{board}\n{fen}, {side} to move\n"));
        output.line("depth    time       nodes   score  line");
        let found = searcher.search_to_stop(position, |info| {
            output.line(row(info, position, arguments.notation));
        });
        output.line(format_args!("\n{}", summary(&found, position, arguments.notation)));
        if let Some(end) =
            outcome(position, &Regulations::default()).filter(|end| !end.reason.is_without_move())
        {
            let winner = end.winner.map_or("draw".to_owned(), |winner| format!("{winner} wins"));
            output.line(format_args!("By the rules the game is over: {winner}: {}", end.reason));
        }
    }
    let is_closed = output.output.is_closed();
    output.finish()?;
    if searched < positions.len() && !is_closed {
        print_error(format_args!("stopped: positions analysed: {searched} of {}", positions.len()));
    }
    Ok(())
}

fn row(info: &PvInfo, position: &Position, notation: Notation) -> String {
    let shown = &info.pv[..info.pv.len().min(MOVES_SHOWN)];
    let line = write_line(position, shown, notation).join(" ");
    let depth = format!("{}/{}", info.depth, info.sel_depth);
    let time = format!("{:.2} s", info.time.as_secs_f64());
    let more = if info.pv.len() > MOVES_SHOWN { " .." } else { "" };
    let score = score_text(info.score);
    format!("{depth:>6} {time:>8} {:>11} {score:>7}  {line}{more}", info.nodes)
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
        "type": "position",
        "fen": position.fen(),
        "side": position.side().to_string(),
        "score": found.score,
        "wdl": found.score.win_draw_loss(position.occupied().len()),
        "best": best,
        "text": best.map(|mv| write(position, mv, notation)),
        "lines": found.lines,
        "depth": found.depth,
        "nodes": found.nodes,
        "time_ms": found.time_ms,
        "table": found.table,
        "over": outcome(position, &Regulations::default()).map(|end| {
            json!({
                "winner": end.winner.map(|winner| winner.to_string()),
                "reason": end.reason.to_string(),
            })
        }),
    })
    .to_string()
}
