//! `cannonade match`: plays a match between engines.

mod arguments;
mod progress;

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, anyhow};
use xiangqi::geometry::Color;

use self::progress::ProgressDisplay;
use super::Failure;
use super::flags::verdict;
use super::interrupt::stop_on_interrupt;
use super::output::{Output, check_files, print_error, write_json};
use crate::file_lock::LockFile;
use crate::tournament::statistics::{Sprt, SprtState};
use crate::tournament::{
    Archive, DialogueLog, EndingCounts, EngineOptionError, EngineSettings, Fault, GameRecord,
    MatchConditions, MatchEvent, MatchReport, MatchSetup, OrphanGuard, PgnStyle, Schedule,
    Standings, StopSignal, inspect_engine, run_match,
};

pub(super) use self::arguments::Arguments;

/// The number of breakdowns of one engine at which a match ends.
const MOST_BREAKDOWNS: u32 = 2;

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut setup = arguments.setup().map_err(Failure::Input)?;
    let sprt = arguments.sprt().map_err(Failure::Input)?;
    let stop = StopSignal::new();
    let signal = stop.clone();
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&is_interrupted);
    stop_on_interrupt(move || {
        flag.store(true, Ordering::Relaxed);
        signal.stop();
    })?;
    if let Some(distinct) = repeated_after(&setup) {
        print_error(format_args!(
            "warning: the openings repeat after {distinct} games of a pairing, and without a clock engines \
             may play the same games again, which narrow the interval and say nothing new; give more \
             --openings"
        ));
    }
    // Wrong paths must be reported before the games.
    let outputs = arguments.json.iter().chain(&arguments.pgn).chain(&arguments.log);
    let outputs: Vec<_> = outputs.map(PathBuf::as_path).collect();
    check_files(arguments.opening_file(), &outputs)?;
    let _lock = arguments.json.as_deref().map(lock_results).transpose()?;
    if let Some(path) = arguments.pgn.as_ref().filter(|_| !arguments.resume) {
        Archive::check_new(path).map_err(Failure::input)?;
    }
    let log = arguments.log.as_deref().map(DialogueLog::create).transpose();
    let name = || format!("--log {}", arguments.log.as_deref().unwrap_or(Path::new("")).display());
    let log = log.with_context(name).map_err(Failure::Input)?;
    for engine in &mut setup.engines {
        Arc::make_mut(engine).log = log.clone();
    }
    let orphans = OrphanGuard::new();
    let inspect = |engine| inspect(engine, arguments.recover, &stop);
    let versions = setup.engines.iter().map(inspect).collect::<Result<Vec<_>, _>>()?;
    let mut recorder = MatchRecorder::new(arguments, &mut setup, sprt, &versions)?;
    if !recorder.is_decided() {
        run_match(&setup, &stop, |event| {
            if let MatchEvent::Finished(record) = event {
                recorder.add(&record, &stop);
            }
        });
    }
    drop(orphans);
    let interrupted = is_interrupted.load(Ordering::Relaxed);
    recorder.conclude(stop.is_stopped(), interrupted)?;
    match log.and_then(|log| log.take_error()) {
        None => Ok(()),
        Some(error) => Err(Failure::Work(anyhow!("{}: the log is incomplete: {error}", name()))),
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

/// Keeps other matches from replacing the results of this one; a device is not locked.
fn lock_results(path: &Path) -> Result<Option<LockFile>, Failure> {
    check_replaceable(path)?;
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

/// Checks that a file to be replaced by results holds results and not, say, games.
fn check_replaceable(path: &Path) -> Result<(), Failure> {
    let is_file = path.metadata().is_ok_and(|data| data.is_file());
    let text = if is_file { fs::read(path).map_err(Failure::input)? } else { Vec::new() };
    match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
        None | Some(b'{') => Ok(()),
        Some(_) => Err(Failure::Input(anyhow!(
            "--json: {} exists and does not hold results as JSON; give another file",
            path.display()
        ))),
    }
}

/// Starts an engine once, to detect a missing program or wrong options before the first game;
/// returns its name and version.
fn inspect(
    engine: &Arc<EngineSettings>,
    recover: bool,
    stop: &StopSignal,
) -> Result<Option<String>, Failure> {
    let name = &engine.name;
    match inspect_engine(engine, stop) {
        Ok(found) => {
            for error in found.wrong_options {
                let message = format!("engine {name}: {error}");
                if let EngineOptionError::Value { .. } = error {
                    return Err(Failure::Input(anyhow!(message)));
                }
                // An option of --each may be meant for the other engines.
                print_error(format_args!("warning: {message}"));
            }
            for remark in found.remarks {
                print_error(format_args!("engine {name}: {remark}"));
            }
            Ok(found.name)
        }
        Err(Fault::NoStart(error)) => Err(Failure::Input(anyhow!("engine {name}: {error}"))),
        // Testing it may be the purpose of the match.
        Err(fault) if recover => {
            print_error(format_args!("warning: engine {name}: {fault}"));
            Ok(None)
        }
        Err(fault) => Err(Failure::Work(anyhow!(
            "engine {name}: {fault}; with --recover the match is played all the same"
        ))),
    }
}

/// Counts, shows and stores the games of a match.
struct MatchRecorder<'a> {
    arguments: &'a Arguments,
    schedule: Schedule,
    conditions: MatchConditions,
    sprt: Option<Sprt>,
    standings: Standings,
    endings: EndingCounts,
    /// The number of breakdowns of each engine, by its index.
    breakdowns: BTreeMap<usize, u32>,
    archive: Option<Archive>,
    display: ProgressDisplay,
    out: Output,
    /// The first error, which ends the match.
    error: Option<anyhow::Error>,
}

impl MatchRecorder<'_> {
    /// Returns a recorder without games; with `--resume` one with the games of the file, which are
    /// marked as played in the setup.
    fn new<'a>(
        arguments: &'a Arguments,
        setup: &mut MatchSetup,
        sprt: Option<Sprt>,
        versions: &[Option<String>],
    ) -> Result<MatchRecorder<'a>, Failure> {
        let names: Vec<String> = setup.engines.iter().map(|engine| engine.name.clone()).collect();
        let mut recorder = MatchRecorder {
            arguments,
            schedule: setup.schedule.clone(),
            conditions: arguments.conditions(setup, versions),
            sprt,
            standings: Standings::new(names),
            endings: EndingCounts::default(),
            breakdowns: BTreeMap::new(),
            archive: None,
            display: ProgressDisplay::new(setup.schedule.total()),
            out: Output::new(),
            error: None,
        };
        let Some(path) = &arguments.pgn else { return Ok(recorder) };
        let style = PgnStyle {
            event: arguments.event.clone(),
            site: arguments.site.clone(),
            comments: arguments.comments(),
            notation: arguments.notation,
            rules: setup.rules_text(),
            engines: recorder.conditions.engine_texts(setup),
            match_began: recorder.conditions.began.clone(),
        };
        recorder.archive = Some(if arguments.resume {
            let (archive, played) = Archive::resume(path, style, setup).map_err(Failure::input)?;
            for game in played {
                if setup.played.insert(game.number) {
                    recorder.standings.record(&setup.schedule, game.number, game.result);
                    recorder.endings.add_earlier(&game);
                }
            }
            archive.match_began().clone_into(&mut recorder.conditions.began);
            archive
        } else {
            Archive::create(path, style).map_err(Failure::input)?
        });
        Ok(recorder)
    }

    fn report(&self) -> MatchReport {
        let total = self.schedule.total();
        let matches = std::slice::from_ref(&self.conditions);
        MatchReport::new(&self.standings, total, self.sprt.as_ref(), &self.endings, matches)
    }

    fn is_decided(&self) -> bool {
        let observed = self.standings.first_pairing().distribution();
        self.sprt.is_some_and(|sprt| sprt.report(&observed).state != SprtState::Continue)
    }

    /// Adds a game. Stops the match if the test is decided, if something cannot be stored, or if no
    /// output is left. A closed standard output alone does not stop a match that writes files.
    fn add(&mut self, record: &GameRecord, stop: &StopSignal) {
        // A decision is final: a game that ends after it is dropped, as those that are broken off.
        if self.is_decided() {
            return;
        }
        // A game that ends after another reason to stop counts.
        self.standings.record(&self.schedule, record.number, record.ending.for_side(Color::Red));
        self.endings.add(record);
        if let Err(error) = self.check_breakdowns(record) {
            self.error.get_or_insert(error);
            stop.stop();
        }
        let round = self.schedule.round_label(record.number);
        let stored = self.archive.as_mut().map(|archive| archive.append(record, &round));
        let report = self.report();
        let due = self.arguments.report_every > 0
            && self.standings.games().is_multiple_of(self.arguments.report_every)
            && self.standings.games() < self.schedule.total();
        self.display.show(&mut self.out, record, &round, &report, due);
        let saved = if due { self.write_json(&report) } else { Ok(()) };
        let stored = stored.unwrap_or(Ok(())).context("cannot write the games");
        for result in [stored, saved] {
            if let Err(error) = result {
                self.error.get_or_insert(error);
                stop.stop();
            }
        }
        let writes_files = self.archive.is_some() || self.arguments.json.is_some();
        if self.is_decided() || self.out.is_closed() && !writes_files {
            stop.stop();
        }
    }

    /// Counts the breakdowns of engines in a game and between games.
    ///
    /// # Errors
    ///
    /// If one is not the first of its engine, and the match does not recover from breakdowns.
    fn check_breakdowns(&mut self, record: &GameRecord) -> anyhow::Result<()> {
        for (side, fault) in record.breakdowns() {
            let count = self.breakdowns.entry(record.engines[side]).or_default();
            *count += 1;
            let name = &record.names[side];
            anyhow::ensure!(
                *count < MOST_BREAKDOWNS || self.arguments.recover,
                "engine {name} has failed {count} times, now by: {fault}; the results say nothing of \
                 its strength. With --recover the match goes on, and such games count as lost"
            );
        }
        Ok(())
    }

    fn write_json(&self, report: &MatchReport) -> anyhow::Result<()> {
        let Some(path) = &self.arguments.json else { return Ok(()) };
        write_json(path, report)
    }

    /// Prints and stores the results, also those of a match that an error has ended.
    fn conclude(mut self, stopped: bool, interrupted: bool) -> Result<(), Failure> {
        self.display.end();
        let report = self.report();
        let saved = self.write_json(&report);
        let verdict = report.sprt.as_ref().and_then(|sprt| verdict(sprt.report.state));
        let verdict = verdict.filter(|_| self.error.is_none());
        let conclusion = match verdict {
            Some(verdict) => verdict.to_owned(),
            None if stopped => {
                format!("Stopped after {} of {} games", report.games, report.planned)
            }
            None => "Finished match".to_owned(),
        };
        let _ = writeln!(self.out, "{report}{conclusion}");
        if let Some(error) = self.error {
            return Err(Failure::Work(error));
        }
        saved?;
        self.out.finish()?;
        if interrupted && verdict.is_none() && report.games < report.planned {
            let how = if self.archive.is_some() {
                "; the same command with --resume goes on"
            } else {
                ""
            };
            let text =
                format!("stopped: games played: {} of {}{how}", report.games, report.planned);
            return Err(Failure::Interrupted(text));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use clap::{Args, Command, FromArgMatches};
    use xiangqi::board::Position;
    use xiangqi::records::Game;
    use xiangqi::rules::{Outcome, Wdl};

    use super::*;
    use crate::tournament::Termination;

    fn arguments(words: &str) -> Arguments {
        let words = ["match"].into_iter().chain(words.split_whitespace());
        let matches = Arguments::augment_args(Command::new("match")).try_get_matches_from(words);
        Arguments::from_arg_matches(&matches.expect("valid flags")).expect("valid flags")
    }

    /// Returns a game that the engine with the index `loser` resigns.
    fn lost_game(setup: &MatchSetup, number: u32, loser: usize) -> GameRecord {
        let engines = setup.schedule.plan(number).expect("a planned game").engines;
        let color = if engines[0] == loser { Color::Red } else { Color::Black };
        GameRecord {
            number,
            engines,
            names: engines.map(|engine| setup.engines[engine].name.clone()),
            controls: engines.map(|engine| setup.engines[engine].control),
            game: Game::new(Position::startpos()),
            reports: Vec::new(),
            ending: Outcome::loss(color, Termination::Resignation),
            faults_between: [None, None],
            began: SystemTime::now(),
            duration: Duration::ZERO,
        }
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

    #[test]
    fn games_that_end_after_the_decision_of_a_test_do_not_take_it_back() {
        let arguments = arguments(
            "--engine cmd=a --engine cmd=b --each depth=1 --rounds 100 --sprt elo0=0 elo1=50",
        );
        let mut setup = arguments.setup().expect("a match");
        let sprt = arguments.sprt().expect("a test");
        let Ok(mut recorder) = MatchRecorder::new(&arguments, &mut setup, sprt, &[]) else {
            panic!("no recorder");
        };
        let stop = StopSignal::new();
        let mut number = 0u32;
        while !recorder.is_decided() {
            assert!(!stop.is_stopped() && number < 90, "{number} wins decide nothing");
            let wins_as_red = number.is_multiple_of(2);
            let result = if wins_as_red { Wdl::Win } else { Wdl::Loss };
            recorder.standings.record(&setup.schedule, number, result);
            number += 1;
        }
        for late in number..100 {
            recorder.add(&lost_game(&setup, late, 0), &stop);
        }
        let report = recorder.report();
        let state = report.sprt.map(|sprt| sprt.report.state);
        assert_eq!((state, report.games), (Some(SprtState::AcceptH1), number));
    }
}
