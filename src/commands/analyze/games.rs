//! The games of files: spread over threads, resumed.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use anyhow::{Context as _, anyhow};
use crossbeam_channel::{Sender, unbounded};
use indicatif::{ProgressBar, ProgressStyle};

use super::super::Failure;
use super::super::output::print_error;
use super::arguments::Arguments;
use super::progress::Progress;
use super::reports;
use super::searcher::{new_searcher, warn_of};
use crate::analysis::{
    GameAnalysis, Journal, Order, PositionAnalysis, SearchSettings, Searcher, analyse_game,
};
use crate::records::Game;

/// A finished position: game, ply and what was found.
type Finished = (usize, usize, PositionAnalysis);

pub(super) fn run(
    arguments: &Arguments,
    games: &[Game],
    settings: &SearchSettings,
    stop: &Arc<AtomicBool>,
) -> Result<(), Failure> {
    let selected = selected(arguments, games.len())?;
    let mut analyses: Vec<GameAnalysis> = games.iter().map(GameAnalysis::new).collect();
    let mut journal = open_journal(arguments, games, settings, &mut analyses)?;
    let left = |analysis: &GameAnalysis| analysis.positions.iter().filter(|p| p.is_none()).count();
    let bar = progress_bar(analyses[selected.clone()].iter().map(left).sum());

    let order = if arguments.forward { Order::Forward } else { Order::Backward };
    let (sender, finished) = unbounded();
    let next = AtomicUsize::new(selected.start);
    let searchers = (0..usize::from(arguments.concurrency).min(selected.len()))
        .map(|_| new_searcher(settings, stop))
        .collect::<Result<Vec<_>, Failure>>()?;
    // All of them have the same settings.
    searchers.iter().take(1).for_each(warn_of);
    let known = analyses.clone();
    let mut failed = None;
    std::thread::scope(|scope| {
        for searcher in searchers {
            let (sender, next, known) = (sender.clone(), &next, &known);
            let games = &games[..selected.end];
            scope.spawn(move || work(searcher, order, games, known, next, &sender));
        }
        drop(sender);
        for (game, ply, found) in &finished {
            bar.inc(1);
            if let Some(journal) = &mut journal
                && let Err(error) = journal.add(game, ply, &found)
            {
                failed.get_or_insert(error);
                stop.store(true, Ordering::Relaxed);
            }
            if let Some(slot) = analyses[game].positions.get_mut(ply) {
                *slot = Some(found);
            }
        }
    });
    bar.finish_and_clear();
    if let Some(error) = failed {
        return Err(anyhow!(error).context("cannot write what is known so far").into());
    }

    finish(arguments, games, &analyses, selected, journal)
}

/// Writes what is known, and says so if that is not all.
fn finish(
    arguments: &Arguments,
    games: &[Game],
    analyses: &[GameAnalysis],
    selected: Range<usize>,
    journal: Option<Journal>,
) -> Result<(), Failure> {
    let progress = Progress::of(&analyses[selected.clone()]);
    if progress.is_nothing() {
        // What it holds of games that are not selected may still be wanted.
        let is_useless = !analyses.iter().any(GameAnalysis::is_begun);
        journal.filter(|_| is_useless).map_or(Ok(()), remove)?;
        let message = "stopped before the first position was analysed; nothing is written";
        return Err(anyhow!(message).into());
    }
    reports::write(arguments, games, analyses, selected.clone())?;
    if progress.is_complete() {
        let Some(journal) = journal else { return Ok(()) };
        let (before, rest) = analyses.split_at(selected.start);
        let mut others = before.iter().chain(rest.iter().skip(selected.len()));
        if !others.any(GameAnalysis::is_begun) {
            return remove(journal);
        }
        print_error(format_args!(
            "{} is kept: it holds games that --games leaves out; the command without --games goes on \
             with them",
            journal.path().display()
        ));
        return Ok(());
    }
    print_error(progress.text(arguments.pgn, journal.is_some()));
    Ok(())
}

/// Removes the file of what is known.
fn remove(journal: Journal) -> Result<(), Failure> {
    Ok(journal.remove().context("cannot remove the record of the analysis")?)
}

/// The indices of the games to analyse.
fn selected(arguments: &Arguments, count: usize) -> Result<Range<usize>, Failure> {
    let Some(range) = &arguments.games else { return Ok(0..count) };
    let (first, last) = (*range.start(), *range.end());
    if last > count {
        let plural = if count == 1 { "" } else { "s" };
        let message = format!("--games {first}-{last}: the files hold only {count} game{plural}");
        return Err(Failure::Input(anyhow!(message)));
    }
    Ok(first - 1..last)
}

/// Analyses one game after another until none is left or the searcher is stopped.
fn work(
    mut searcher: Searcher,
    order: Order,
    games: &[Game],
    known: &[GameAnalysis],
    next: &AtomicUsize,
    finished: &Sender<Finished>,
) {
    while !searcher.is_stopped() {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let (Some(game), Some(known)) = (games.get(index), known.get(index)) else { return };
        let mut analysis = known.clone();
        searcher.new_game();
        analyse_game(game, &mut searcher, order, &mut analysis, |ply, found| {
            // The receiver lives as long as this thread.
            let _ = finished.send((index, ply, found.clone()));
        });
    }
}

/// The file beside an output that holds what is known, and what an earlier run left there; the run
/// may have had one of the outputs only.
fn open_journal(
    arguments: &Arguments,
    games: &[Game],
    settings: &SearchSettings,
    analyses: &mut [GameAnalysis],
) -> Result<Option<Journal>, Failure> {
    let outputs = arguments.output.iter().chain(&arguments.html);
    let paths: Vec<PathBuf> =
        outputs.filter(|path| is_file(path)).map(|path| journal_path(path)).collect();
    let Some(first) = paths.first() else {
        if arguments.resume {
            let message = "--resume needs an --output or --html that is a file: nothing is kept of \
                           an analysis that goes to standard output";
            return Err(Failure::Input(anyhow!(message)));
        }
        return Ok(None);
    };
    let task = task_name(games, settings);
    let begun = paths.iter().find(|path| Journal::is_begun(path));
    let Some(begun) = begun.filter(|_| arguments.resume) else {
        if arguments.resume {
            let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
            print_error(format_args!(
                "there is nothing to go on with, no {}; the analysis starts from the beginning",
                names.join(" or ")
            ));
        }
        return Journal::create(begun.unwrap_or(first), &task).map(Some).map_err(Failure::input);
    };
    let (journal, known) = Journal::resume(begun, &task).map_err(Failure::input)?;
    for ((game, ply), found) in known {
        let analysis = analyses.get_mut(game);
        if let Some(slot) = analysis.and_then(|analysis| analysis.positions.get_mut(ply)) {
            *slot = Some(found);
        }
    }
    Ok(Some(journal))
}

/// Whether an output is a file, or will be one: neither standard output nor a device.
fn is_file(path: &Path) -> bool {
    path != Path::new("-") && std::fs::metadata(path).map_or(true, |data| data.is_file())
}

/// The name of the file beside an output.
fn journal_path(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}

/// A text that two analyses share if they have the same games and limits.
fn task_name(games: &[Game], settings: &SearchSettings) -> String {
    let mut hasher = DefaultHasher::new();
    for game in games {
        game.start().fen().hash(&mut hasher);
        game.moves().hash(&mut hasher);
    }
    let SearchSettings { limits, multi_pv, .. } = settings;
    format!("{} games {:016x}, {multi_pv} lines, {limits:?}", games.len(), hasher.finish())
}

/// Shown on standard error if it is a terminal.
fn progress_bar(positions: usize) -> ProgressBar {
    let bar = ProgressBar::new(positions as u64);
    let template = "{bar:30} {pos}/{len} positions, {elapsed}, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
