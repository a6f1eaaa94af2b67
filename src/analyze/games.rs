//! The games of files.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, anyhow};
use cannonade_analysis::{
    CollectionAnalysis, CollectionError, CollectionEvent, Journal, JournalError, Order,
    SearchSettings,
};
use indicatif::{ProgressBar, ProgressStyle};

use super::super::Failure;
use super::super::output::print_error;
use super::arguments::Arguments;
use super::file_games::FileGames;
use super::flag_names::{flag_error, print_warning};
use super::progress::AnalysisProgress;
use super::reports;

pub(super) fn run(
    arguments: &Arguments,
    files: &FileGames,
    settings: &SearchSettings,
    stop: &Arc<AtomicBool>,
) -> Result<(), Failure> {
    let selected = selected(arguments, files)?;
    let order = if arguments.forward { Order::Forward } else { Order::Backward };
    let mut collection = CollectionAnalysis::new(&files.games, selected.clone(), settings, order);
    if collection.remaining() == 0 {
        let message = "no game can be analysed; see the defects above";
        return Err(Failure::Input(anyhow!(message)));
    }
    open_journal(arguments, &mut collection)?;
    let bar = progress_bar(collection.remaining());
    let result = collection.run(usize::from(arguments.concurrency), stop, |event| match event {
        CollectionEvent::Warning(warning) => print_warning(warning),
        CollectionEvent::Position { .. } => bar.inc(1),
    });
    bar.finish_and_clear();
    result.map_err(collection_failure)?;

    let analyses = collection.analyses();
    let progress = AnalysisProgress::of(&analyses[selected.clone()]);
    if !progress.is_nothing() {
        reports::write(arguments, files, analyses, selected, settings)?;
    }
    let journal = collection.close_journal().context("cannot remove the record of the analysis")?;
    if progress.is_nothing() {
        let message = "stopped before the first position was analysed; nothing was written";
        return Err(Failure::Interrupted(message.to_owned()));
    }
    match journal {
        _ if !progress.is_complete() => {
            return Err(Failure::Interrupted(progress.text(arguments.pgn, journal.is_some())));
        }
        Some(path) => print_error(format_args!(
            "{} is kept: it holds games that --games leaves out; the command without --games \
             continues with them",
            path.display()
        )),
        None => {}
    }
    Ok(())
}

/// Converts the error of an analysis that cannot start or go on.
pub(super) fn collection_failure(error: CollectionError) -> Failure {
    match error {
        CollectionError::Option(error) => flag_error(&error),
        CollectionError::Journal { .. } | CollectionError::Thread(_) => anyhow!(error).into(),
    }
}

/// Returns the indices of the games to analyse.
fn selected(arguments: &Arguments, files: &FileGames) -> Result<Range<usize>, Failure> {
    let Some(range) = &arguments.games else { return Ok(0..files.games.len()) };
    let (first, last, count) = (range.start(), range.end(), files.count);
    if *last > count {
        let plural = if count == 1 { "" } else { "s" };
        let message = format!("--games {first}-{last}: the files hold only {count} game{plural}");
        return Err(Failure::Input(anyhow!(message)));
    }
    Ok(files.indices(range))
}

/// Keeps a journal beside an output; an earlier run may have had one of the outputs only.
pub(super) fn open_journal(
    arguments: &Arguments,
    collection: &mut CollectionAnalysis<'_>,
) -> Result<(), Failure> {
    let outputs = arguments.output.iter().chain(&arguments.html);
    let files: Vec<PathBuf> = outputs.filter_map(|path| Journal::beside(path)).collect();
    if files.is_empty() && arguments.resume {
        let message = "--resume needs a file for --output or --html: an analysis that goes to \
                       standard output cannot be continued";
        return Err(Failure::Input(anyhow!(message)));
    }
    let is_resumed = collection.keep_in(&files, arguments.resume).map_err(|error| match error {
        JournalError::File { .. } => Failure::Work(error.into()),
        JournalError::Exists { .. } | JournalError::Busy { .. } | JournalError::Other { .. } => {
            Failure::input(error)
        }
    })?;
    if arguments.resume && !is_resumed {
        let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
        print_error(format_args!(
            "there is nothing to resume, no {}; the analysis starts from the beginning",
            names.join(" or ")
        ));
    }
    Ok(())
}

/// Creates a progress bar, shown on standard error if it is a terminal.
pub(super) fn progress_bar(positions: usize) -> ProgressBar {
    let bar = ProgressBar::new(positions as u64);
    let template = "{bar:30} {pos}/{len} positions, {elapsed}, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
