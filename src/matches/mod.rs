//! `cannonade match`: plays a match between engines.

mod arguments;
mod progress;
mod typed;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, anyhow};
use cannonade_match::{
    DialogueLog, EngineOptionError, EngineSettings, Fault, FinishedGame, MatchError, MatchRecorder,
    MatchReport, MatchSetup, OrphanGuard, StopSignal, inspect_engine,
};
use cannonade_tables::file_lock::LockFile;

use self::progress::ProgressDisplay;
use self::typed::save;
use super::Failure;
use super::flags::verdict;
use super::interrupt::stop_on_interrupt;
use super::output::{Output, check_files, check_replaces_json, print_error, write_json};

pub(super) use self::arguments::Arguments;
pub(super) use self::typed::flags;

/// Plays the match of these flags, which were written with these `words`.
pub(super) fn run(arguments: &Arguments, words: &[OsString]) -> Result<(), Failure> {
    let mut setup = arguments.setup().map_err(Failure::Input)?;
    let stop = StopSignal::new();
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let (signal, flag) = (stop.clone(), Arc::clone(&is_interrupted));
    stop_on_interrupt(move || {
        flag.store(true, Ordering::Relaxed);
        signal.stop();
    })?;
    if let Some(distinct) = repeated_after(&setup) {
        print_error(format_args!(
            "warning: the openings repeat after {distinct} games of a pairing, and without a clock engines \
             may play the same games again, which narrows the interval without new information; give more \
             --openings"
        ));
    }
    let (_lock, log) = open_outputs(arguments)?;
    for engine in &mut setup.engines {
        Arc::make_mut(engine).log = log.clone();
    }
    let orphans = OrphanGuard::start();
    let inspect = |engine| inspect(engine, arguments, &stop);
    let versions = setup.engines.iter().map(inspect).collect::<Result<Vec<_>, _>>()?;
    // The versions of engines that were not asked are unknown and compare with none.
    if stop.is_stopped() {
        return Err(Failure::Interrupted("stopped before the first game".to_owned()));
    }
    if let Some(path) = &arguments.save_config {
        save(path, words)?;
    }
    let mut recorder = MatchRecorder::new(&setup, arguments.conditions(&setup, &versions));
    if let Some(path) = &arguments.pgn {
        let (style, resumes) = (arguments.style(), arguments.resume);
        recorder.keep_in(path, style, resumes).map_err(Failure::input)?;
    }
    let mut output = MatchOutput::new(arguments, &setup);
    let played = recorder.run(&stop, |game| output.add(&game, &stop));
    drop(orphans);
    let interrupted = is_interrupted.load(Ordering::Relaxed);
    output.conclude(&recorder.report(), played, stop.is_stopped(), interrupted)?;
    match (&arguments.log, log.and_then(|log| log.take_error())) {
        (Some(path), Some(error)) => {
            let path = path.display();
            Err(Failure::Work(anyhow!("--log {path}: the log is incomplete: {error}")))
        }
        _ => Ok(()),
    }
}

/// Returns the number of games of a pairing after which they may repeat: engines without a clock
/// play the same game if opening and colours are the same.
fn repeated_after(setup: &MatchSetup) -> Option<u64> {
    let has_time = |engine: &Arc<EngineSettings>| {
        engine.control.clock.is_some() || engine.control.move_time.is_some()
    };
    let distinct = setup.schedule.distinct_games(setup.openings.count());
    let repeats = setup.schedule.games_of_a_pairing() > distinct;
    (repeats && !setup.engines.iter().any(has_time)).then_some(distinct)
}

/// Opens the log, and locks the results. Wrong paths are reported before the games.
fn open_outputs(arguments: &Arguments) -> Result<(Option<LockFile>, Option<DialogueLog>), Failure> {
    let outputs = arguments.json.iter().chain(&arguments.pgn).chain(&arguments.log);
    let outputs: Vec<_> = outputs.chain(&arguments.save_config).map(PathBuf::as_path).collect();
    check_files(arguments.opening_file().iter().chain(&arguments.config), &outputs)?;
    let lock = arguments.json.as_deref().map(lock_results).transpose()?;
    if let Some(path) = arguments.pgn.as_ref().filter(|_| !arguments.resume) {
        MatchRecorder::check_new(path).map_err(Failure::input)?;
    }
    let create = |path: &PathBuf| {
        DialogueLog::create(path).with_context(|| format!("--log {}", path.display()))
    };
    let log = arguments.log.as_ref().map(create).transpose().map_err(Failure::Input)?;
    Ok((lock.flatten(), log))
}

/// Keeps other matches from replacing the results of this one; a device is not locked.
fn lock_results(path: &Path) -> Result<Option<LockFile>, Failure> {
    check_replaces_json(path)?;
    if path.exists() && !path.is_file() {
        return Ok(None);
    }
    let mut name = path.canonicalize().unwrap_or_else(|_| path.to_owned()).into_os_string();
    name.push(".lock");
    let lock = LockFile::acquire(Path::new(&name))
        .with_context(|| format!("cannot lock {}", path.display()))
        .map_err(Failure::Input)?;
    let busy = || {
        let path = path.display();
        anyhow!("{path} is being written by another match; wait for its end, or give another file")
    };
    lock.map(Some).ok_or_else(|| Failure::Input(busy()))
}

/// Starts an engine once, to detect a missing program or wrong options before the first game;
/// returns its name and version.
fn inspect(
    engine: &Arc<EngineSettings>,
    arguments: &Arguments,
    stop: &StopSignal,
) -> Result<Option<String>, Failure> {
    let name = &engine.name;
    match inspect_engine(engine, stop) {
        Ok(found) => {
            for error in found.wrong_options {
                if !arguments.allow_option_errors {
                    return Err(Failure::Input(anyhow!("engine {name}: {}", remedy(&error))));
                }
                print_error(format_args!("warning: engine {name}: {error}"));
            }
            for remark in found.remarks {
                print_error(format_args!("engine {name}: {remark}"));
            }
            Ok(found.name)
        }
        Err(Fault::NoStart(error)) => Err(Failure::Input(anyhow!("engine {name}: {error}"))),
        // Testing it may be the purpose of the match.
        Err(fault) if arguments.recover => {
            print_error(format_args!("warning: engine {name}: {fault}"));
            Ok(None)
        }
        Err(fault) => Err(Failure::Work(anyhow!(
            "engine {name}: {fault}; with --recover the match is played anyway"
        ))),
    }
}

/// Returns the error about an option with what to do.
fn remedy(error: &EngineOptionError) -> String {
    let remedy = match error {
        EngineOptionError::Unknown(_) => {
            "; give it to the --engine that has it, or play without it by --allow-option-errors"
        }
        EngineOptionError::Refused(_) => "; --allow-option-errors plays anyway",
        EngineOptionError::Value { .. } => "",
    };
    format!("{error}{remedy}")
}

/// Shows the games of a match and writes its results.
struct MatchOutput<'a> {
    arguments: &'a Arguments,
    display: ProgressDisplay,
    out: Output,
    /// The first error of writing the results, which ends the match.
    error: Option<anyhow::Error>,
}

impl MatchOutput<'_> {
    fn new<'a>(arguments: &'a Arguments, setup: &MatchSetup) -> MatchOutput<'a> {
        let display = ProgressDisplay::new(setup.schedule.total(), arguments.output);
        MatchOutput { arguments, display, out: Output::new(), error: None }
    }

    /// Shows a game. Stops the match if the results cannot be written, or if no output is left. A
    /// closed standard output alone does not stop a match that writes files.
    fn add(&mut self, game: &FinishedGame<'_>, stop: &StopSignal) {
        let Arguments { report_every, pgn, json, .. } = self.arguments;
        let FinishedGame { report, .. } = game;
        let due = *report_every > 0
            && report.games.is_multiple_of(*report_every)
            && report.games < report.planned;
        self.display.show(&mut self.out, game, due);
        if due && let Err(error) = self.write_json(report) {
            self.error.get_or_insert(error);
        }
        if self.error.is_some() || self.out.is_closed() && pgn.is_none() && json.is_none() {
            stop.stop();
        }
    }

    fn write_json(&self, report: &MatchReport) -> anyhow::Result<()> {
        self.arguments.json.as_ref().map_or(Ok(()), |path| write_json(path, report))
    }

    /// Prints and writes the results, also those of a match that an error has ended.
    fn conclude(
        mut self,
        report: &MatchReport,
        played: Result<(), MatchError>,
        stopped: bool,
        interrupted: bool,
    ) -> Result<(), Failure> {
        self.display.end();
        let saved = self.write_json(report);
        let error = played.err().map(with_remedy).or(self.error);
        let verdict = report.sprt.as_ref().and_then(|sprt| verdict(sprt.report.state));
        let verdict = verdict.filter(|_| error.is_none());
        let _ = write!(self.out, "{}", self.display.report(report));
        if let Some(verdict) = verdict {
            let _ = writeln!(self.out, "{verdict}");
        }
        let _ = if verdict.is_none() && stopped {
            writeln!(self.out, "Stopped after {} of {} games", report.games, report.planned)
        } else {
            writeln!(self.out, "Finished match")
        };
        if let Some(error) = error {
            return Err(Failure::Work(error));
        }
        saved?;
        self.out.finish()?;
        if interrupted && verdict.is_none() && report.games < report.planned {
            let resumable = self.arguments.pgn.is_some();
            let how = if resumable { "; the same command with --resume continues" } else { "" };
            let text =
                format!("stopped: games played: {} of {}{how}", report.games, report.planned);
            return Err(Failure::Interrupted(text));
        }
        Ok(())
    }
}

/// Returns the error of a match with its remedy.
fn with_remedy(error: MatchError) -> anyhow::Error {
    match error {
        MatchError::Breakdowns { .. } => {
            anyhow!("{error}. With --recover the match continues, and such games count as lost")
        }
        MatchError::Archive(error) => anyhow::Error::new(error)
            .context("a game was not stored, and the same command with --resume plays it again"),
        MatchError::Thread(_) => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command, FromArgMatches};

    use super::*;

    fn arguments(words: &str) -> Arguments {
        let words = ["match"].into_iter().chain(words.split_whitespace());
        let matches = Arguments::augment_args(Command::new("match")).try_get_matches_from(words);
        Arguments::from_arg_matches(&matches.expect("valid flags")).expect("valid flags")
    }

    #[test]
    fn games_that_engines_without_a_clock_repeat_are_found() {
        let repeated_after = |words: &str| {
            let words = format!("--engine cmd=a --engine cmd=b {words}");
            repeated_after(&arguments(&words).setup().expect("a match"))
        };
        assert_eq!(repeated_after("--each depth=1 --rounds 2"), None, "with colours exchanged");
        assert_eq!(repeated_after("--each depth=1 --rounds 3"), Some(2));
        assert_eq!(repeated_after("--each nodes=9 --rounds 2 --repeat"), Some(2));
        assert_eq!(repeated_after("--each nodes=9 --rounds 1 --repeat"), None);
        assert_eq!(repeated_after("--each depth=1 st=1 --rounds 3"), None);
        assert_eq!(repeated_after("--each depth=1 tc=1+1 --rounds 3"), None);
    }
}
