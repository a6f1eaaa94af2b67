//! `cannonade match`: plays a match between engines.

mod arguments;
mod progress;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use anyhow::{Context as _, anyhow};

use self::progress::ProgressDisplay;
use super::interrupt::on_interrupt;
use super::output::print_error;
use super::{Failure, sprt};
use crate::atomic_file;
use crate::geometry::Color;
use crate::tournament::statistics::{Sprt, SprtState};
use crate::tournament::{
    Archive, EngineSettings, Fault, GameRecord, MatchEvent, MatchReport, MatchSetup, PgnStyle,
    Schedule, Standings, StopSignal, inspect_engine, run_match,
};

pub(super) use self::arguments::Arguments;

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut setup = arguments.setup().map_err(Failure::Input)?;
    let sprt = arguments.sprt().map_err(Failure::Input)?;
    let stop = StopSignal::new();
    let signal = stop.clone();
    on_interrupt(move || signal.stop())?;
    for engine in &setup.engines {
        inspect(engine, &stop)?;
    }
    let mut recorder = MatchRecorder::new(arguments, &mut setup, sprt)?;
    if !recorder.is_decided() {
        run_match(&setup, &stop, |event| {
            if let MatchEvent::Finished(record) = event {
                recorder.add(&record, &stop);
            }
        });
    }
    recorder.conclude(stop.is_stopped())
}

/// Starts an engine once, to find a missing program or unknown options before the first game.
fn inspect(engine: &Arc<EngineSettings>, stop: &StopSignal) -> Result<(), Failure> {
    match inspect_engine(engine, stop) {
        Ok(unknown) => unknown.iter().for_each(|option| {
            print_error(format_args!("warning: {} has no option '{option}'", engine.name));
        }),
        Err(Fault::NoStart(error)) => {
            return Err(Failure::Input(anyhow!("engine {}: {error}", engine.name)));
        }
        // The games show it too, and testing it may be the purpose of the match.
        Err(fault) => print_error(format_args!("warning: {}: {fault}", engine.name)),
    }
    Ok(())
}

/// Counts, shows and stores the games of a match.
struct MatchRecorder<'a> {
    arguments: &'a Arguments,
    schedule: Schedule,
    sprt: Option<Sprt>,
    standings: Standings,
    endings: BTreeMap<String, u32>,
    archive: Option<Archive>,
    display: ProgressDisplay,
    /// The first error, which ends the match.
    error: Option<anyhow::Error>,
}

impl MatchRecorder<'_> {
    /// A recorder without games; with `--resume` one with the games of the file, which are marked as
    /// played in the setup.
    fn new<'a>(
        arguments: &'a Arguments,
        setup: &mut MatchSetup,
        sprt: Option<Sprt>,
    ) -> Result<MatchRecorder<'a>, Failure> {
        let names: Vec<String> = setup.engines.iter().map(|engine| engine.name.clone()).collect();
        let mut recorder = MatchRecorder {
            arguments,
            schedule: setup.schedule.clone(),
            sprt,
            standings: Standings::new(names.clone()),
            endings: BTreeMap::new(),
            archive: None,
            display: ProgressDisplay::new(setup.schedule.total()),
            error: None,
        };
        let Some(path) = &arguments.pgn else { return Ok(recorder) };
        let style = PgnStyle {
            event: arguments.event.clone(),
            site: arguments.site.clone(),
            comments: !arguments.plain_pgn,
        };
        recorder.archive = Some(if arguments.resume {
            let (archive, results) =
                Archive::resume(path, style, &setup.schedule, &names).map_err(Failure::input)?;
            for (number, result) in results {
                if setup.played.insert(number) {
                    recorder.standings.record(&setup.schedule, number, result);
                    *recorder.endings.entry("before resuming".to_owned()).or_default() += 1;
                }
            }
            archive
        } else {
            Archive::create(path, style).map_err(Failure::input)?
        });
        Ok(recorder)
    }

    fn report(&self) -> MatchReport {
        let total = self.schedule.total();
        MatchReport::new(&self.standings, total, self.sprt.as_ref(), &self.endings)
    }

    fn is_decided(&self) -> bool {
        self.report().sprt.is_some_and(|sprt| sprt.report.state != SprtState::Continue)
    }

    /// Adds a game, and stops the match if the test is decided or something cannot be stored.
    fn add(&mut self, record: &GameRecord, stop: &StopSignal) {
        // A game may end after the signal was given: it counts too.
        self.standings.record(&self.schedule, record.number, record.result_for(Color::Red));
        *self.endings.entry(record.ending.reason.kind().to_owned()).or_default() += 1;
        let round = self.schedule.round_label(record.number);
        let stored = self.archive.as_mut().map(|archive| archive.append(record, &round));
        let report = self.report();
        let due = self.arguments.report_every > 0
            && self.standings.games().is_multiple_of(self.arguments.report_every)
            && self.standings.games() < self.schedule.total();
        let shown = self.display.show(record, &round, &report, due);
        let saved = if due { self.write_json(&report) } else { Ok(()) };
        let stored = stored.unwrap_or(Ok(())).context("cannot write the games");
        for result in [stored, shown.map_err(anyhow::Error::from), saved] {
            if let Err(error) = result {
                self.error.get_or_insert(error);
                stop.stop();
            }
        }
        if self.is_decided() {
            stop.stop();
        }
    }

    fn write_json(&self, report: &MatchReport) -> anyhow::Result<()> {
        let Some(path) = &self.arguments.json else { return Ok(()) };
        let json = serde_json::to_string_pretty(report).context("results as JSON")?;
        atomic_file::replace(path, json.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))
    }

    fn conclude(self, stopped: bool) -> Result<(), Failure> {
        self.display.end();
        if let Some(error) = self.error {
            return Err(Failure::Work(error));
        }
        let report = self.report();
        self.write_json(&report)?;
        let mut out = io::stdout().lock();
        write!(out, "{report}")?;
        match report.sprt.as_ref().and_then(|sprt| sprt::verdict(sprt.report.state)) {
            Some(verdict) => writeln!(out, "{verdict}")?,
            None if stopped => {
                writeln!(out, "Stopped after {} of {} games", report.games, report.planned)?;
            }
            None => writeln!(out, "Finished match")?,
        }
        Ok(())
    }
}
