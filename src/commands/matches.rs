//! `cannonade match`: engines against engines.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};

use super::interrupt::on_interrupt;
use super::words::Words;
use super::{Failure, sprt};
use crate::atomic_file;
use crate::geometry::Color;
use crate::rules::{DEFAULT_NATURAL_LIMIT, Regulations, RuleSet};
use crate::tournament::statistics::{Sprt, SprtState};
use crate::tournament::{
    Adjudication, Archive, DrawRule, EngineSettings, Fault, GameRecord, MatchEvent, MatchReport,
    MatchSetup, MoveCap, OpeningBook, PgnStyle, ResignRule, Schedule, Standings, StopSignal,
    TournamentForm, inspect_engine, run_match,
};

const EXAMPLE: &str = "\
Example, a test whether `new` is stronger than `old`:
  cannonade match --engine cmd=./new name=new --engine cmd=./old name=old \\
    --each tc=10+0.1 option.Hash=64 --rounds 500 --repeat --openings scripts/openings.epd \\
    --concurrency 2 --pgn test.pgn --sprt elo0=0 elo1=5

Engine settings: cmd, name, args, dir, proto (uci, ucci), dialect (iccs: ranks 0-9; fairy: ranks
1-10, as Fairy-Stockfish in UCI), tc ([moves/]time[+increment], seconds), st (seconds a move),
nodes, depth, timemargin (ms, 100), ponder (off), restart (off), startup (seconds until the
handshake is done, 10), patience (seconds of silence where no clock runs, 60), unit (ms or s, for
the clocks of UCCI engines), option.NAME";

/// The words of each `--engine`, one list an occurrence.
struct Engines(Vec<Vec<String>>);

impl Args for Engines {
    fn augment_args(command: clap::Command) -> clap::Command {
        command.arg(
            Arg::new("engine")
                .long("engine")
                .value_name("KEY=VALUE")
                .num_args(1..)
                .action(ArgAction::Append)
                .required(true)
                .help("An engine: cmd=PROGRAM and its settings; once for each engine"),
        )
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Engines::augment_args(command)
    }
}

impl FromArgMatches for Engines {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Engines, clap::Error> {
        let occurrences = matches.get_occurrences::<String>("engine").into_iter().flatten();
        Ok(Engines(occurrences.map(|words| words.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Engines::from_arg_matches(matches)?;
        Ok(())
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    /// Everyone against everyone
    #[value(alias = "roundrobin")]
    RoundRobin,
    /// The first engine against all others
    Gauntlet,
}

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub(super) struct Arguments {
    #[command(flatten)]
    engines: Engines,
    /// Settings of all engines; their own go before
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    each: Vec<String>,
    /// Who plays whom
    #[arg(long, value_enum, default_value_t = Form::RoundRobin)]
    tournament: Form,
    /// Rounds; in each every pairing plays its games
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rounds: u32,
    /// Games of a pairing in a round; 1, or 2 with --repeat
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100))]
    games: Option<u32>,
    /// Play each opening twice, with colours reversed
    #[arg(long)]
    repeat: bool,
    /// FEN or EPD positions to begin with: FILE, or file=FILE order=sequential|random start=N
    #[arg(long, num_args = 1.., value_name = "FILE")]
    openings: Vec<String>,
    /// Seed of the random order
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Games at once
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// The rules of repetition: WXF, CheckOnly or None
    #[arg(long, default_value_t = RuleSet::Wxf)]
    rules: RuleSet,
    /// Plies without a capture that make a draw; 0 is never
    #[arg(long, default_value_t = DEFAULT_NATURAL_LIMIT)]
    natural_limit: u16,
    /// At which occurrence of a position its repetition is ruled
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=10))]
    occurrences: u8,
    /// Stop as soon as a test is decided: elo0= elo1= alpha= beta= model=normalized|logistic
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// A side is lost if it says so: movecount= score= twosided=true|false
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    resign: Vec<String>,
    /// A game is drawn if both say so: movenumber= movecount= score=
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    draw: Vec<String>,
    /// A game is drawn after so many moves of each side
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=5000))]
    maxmoves: Option<u32>,
    /// Write the games here
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write moves only, for readers that know no comments
    #[arg(long, requires = "pgn")]
    plain_pgn: bool,
    /// Go on with the match whose games are in the file of --pgn
    #[arg(long, requires = "pgn")]
    resume: bool,
    /// Write the results here as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// The Event header of the games
    #[arg(long, default_value = "Cannonade match")]
    event: String,
    /// The Site header of the games
    #[arg(long, default_value = "?")]
    site: String,
    /// Print the full results each time so many games are over; 0 is only at the end
    #[arg(long, default_value_t = 10, value_name = "GAMES")]
    report_every: u32,
    /// Accepted as other match runners have it: an engine that fails is always started anew
    #[arg(long)]
    recover: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut setup = read_setup(arguments).map_err(Failure::Input)?;
    let sprt = read_sprt(arguments, &setup).map_err(Failure::Input)?;
    let names: Vec<String> = setup.engines.iter().map(|engine| engine.name.clone()).collect();
    let stop = StopSignal::new();
    let signal = stop.clone();
    on_interrupt(move || signal.stop())?;
    for engine in &setup.engines {
        match inspect_engine(engine, &stop) {
            Ok(unknown) => unknown.iter().for_each(|option| {
                eprintln!("warning: {} has no option '{option}'", engine.name);
            }),
            Err(Fault::NoStart(error)) => {
                return Err(Failure::Input(anyhow!("engine {}: {error}", engine.name)));
            }
            // The games will show it, and it may be what the user wants to see.
            Err(fault) => eprintln!("warning: {}: {fault}", engine.name),
        }
    }

    let mut course = Course {
        standings: Standings::new(names.clone()),
        endings: BTreeMap::new(),
        archive: None,
        sprt,
        progress: Progress::new(setup.schedule.total()),
        error: None,
        arguments,
        schedule: setup.schedule.clone(),
    };
    if let Some(path) = &arguments.pgn {
        let style = PgnStyle {
            event: arguments.event.clone(),
            site: arguments.site.clone(),
            comments: !arguments.plain_pgn,
        };
        let archive = if arguments.resume {
            let (archive, results) =
                Archive::resume(path, style, &setup.schedule, &names).map_err(Failure::input)?;
            for (number, outcome) in results {
                if setup.played.insert(number) {
                    course.standings.record(&setup.schedule, number, outcome);
                    *course.endings.entry("before resuming".to_owned()).or_default() += 1;
                }
            }
            archive
        } else {
            Archive::create(path, style).map_err(Failure::input)?
        };
        course.archive = Some(archive);
    }
    if !course.is_decided() {
        run_match(&setup, &stop, |event| {
            if let MatchEvent::Finished(record) = event {
                course.finish(&record, &stop);
            }
        });
    }
    course.progress.end();
    course.conclude(stop.is_stopped())
}

fn read_setup(arguments: &Arguments) -> anyhow::Result<MatchSetup> {
    let mut engines = Vec::new();
    let mut names = BTreeSet::new();
    for words in &arguments.engines.0 {
        let engine = EngineSettings::parse(&arguments.each, words).context("--engine")?;
        if !names.insert(engine.name.clone()) {
            return Err(anyhow!("two engines are called '{}'; give name=", engine.name));
        }
        engines.push(Arc::new(engine));
    }
    if engines.len() < 2 {
        return Err(anyhow!("a match needs two engines; give --engine twice"));
    }
    let games = arguments.games.unwrap_or(if arguments.repeat { 2 } else { 1 });
    if arguments.repeat && games % 2 == 1 {
        return Err(anyhow!("--repeat needs an even number of --games, not {games}"));
    }
    let form = match arguments.tournament {
        Form::RoundRobin => TournamentForm::RoundRobin,
        Form::Gauntlet => TournamentForm::Gauntlet,
    };
    Ok(MatchSetup {
        schedule: Schedule::new(form, engines.len(), arguments.rounds, games, arguments.repeat),
        engines,
        played: BTreeSet::new(),
        openings: read_openings(arguments)?,
        concurrency: arguments.concurrency.into(),
        regulations: Regulations {
            rules: arguments.rules,
            occurrences: arguments.occurrences.into(),
            natural_limit: arguments.natural_limit,
        },
        adjudication: read_adjudication(arguments)?,
    })
}

fn read_openings(arguments: &Arguments) -> anyhow::Result<OpeningBook> {
    let words = match arguments.openings.as_slice() {
        [] => return Ok(OpeningBook::startpos()),
        [file, rest @ ..] if !file.contains('=') => {
            let mut words = vec![format!("file={file}")];
            words.extend_from_slice(rest);
            words
        }
        words => words.to_vec(),
    };
    let words = Words::parse("--openings", &words, &["file", "format", "order", "start"])?;
    let mut book = OpeningBook::read(&words.value::<PathBuf>("file", None)?)?;
    match words.value("order", Some("random".to_owned()))?.as_str() {
        "random" => book.shuffle(arguments.seed),
        "sequential" => {}
        other => return Err(anyhow!("--openings: order={other}; expected sequential or random")),
    }
    book.skip(words.value("start", Some(1usize))?.saturating_sub(1));
    Ok(book)
}

fn read_adjudication(arguments: &Arguments) -> anyhow::Result<Adjudication> {
    let resign = if arguments.resign.is_empty() {
        None
    } else {
        let keys = ["movecount", "score", "twosided"];
        let words = Words::parse("--resign", &arguments.resign, &keys)?;
        Some(ResignRule {
            moves: words.value::<u32>("movecount", Some(3))?.max(1),
            score: words.value("score", None)?,
            two_sided: words.value("twosided", Some(false))?,
        })
    };
    let draw = if arguments.draw.is_empty() {
        None
    } else {
        let keys = ["movenumber", "movecount", "score"];
        let words = Words::parse("--draw", &arguments.draw, &keys)?;
        Some(DrawRule {
            from_move: words.value("movenumber", Some(30))?,
            moves: words.value::<u32>("movecount", Some(8))?.max(1),
            score: words.value("score", None)?,
        })
    };
    Ok(Adjudication { resign, draw, move_cap: arguments.maxmoves.map(MoveCap) })
}

fn read_sprt(arguments: &Arguments, setup: &MatchSetup) -> anyhow::Result<Option<Sprt>> {
    if !arguments.sprt.is_empty() && setup.engines.len() != 2 {
        return Err(anyhow!("--sprt tests one engine against one other"));
    }
    sprt::parse(&arguments.sprt)
}

/// The match as it is told and written down.
struct Course<'a> {
    standings: Standings,
    endings: BTreeMap<String, u32>,
    archive: Option<Archive>,
    sprt: Option<Sprt>,
    progress: Progress,
    error: Option<anyhow::Error>,
    arguments: &'a Arguments,
    schedule: Schedule,
}

impl Course<'_> {
    fn report(&self) -> MatchReport {
        let total = self.schedule.total();
        MatchReport::new(&self.standings, total, self.sprt.as_ref(), &self.endings)
    }

    fn is_decided(&self) -> bool {
        self.report().sprt.is_some_and(|sprt| sprt.report.state != SprtState::Continue)
    }

    fn finish(&mut self, record: &GameRecord, stop: &StopSignal) {
        // Another game may have ended while the match was being stopped: it counts too.
        self.standings.record(&self.schedule, record.number, record.outcome(Color::Red));
        *self.endings.entry(record.ending.reason.kind()).or_default() += 1;
        let round = self.schedule.round_label(record.number);
        let written = self.archive.as_mut().map(|archive| archive.append(record, &round));
        let report = self.report();
        let due = self.arguments.report_every > 0
            && self.standings.games().is_multiple_of(self.arguments.report_every)
            && self.standings.games() < self.schedule.total();
        let told = self.progress.tell(record, &round, &report, due);
        let saved = if due { self.write_json(&report) } else { Ok(()) };
        for result in [written.unwrap_or(Ok(())).context("cannot write the games"), told, saved] {
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

/// The running score: a bar on a terminal, lines elsewhere.
struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    fn new(total: u32) -> Progress {
        let bar = (io::stderr().is_terminal() && io::stdout().is_terminal()).then(|| {
            let bar = ProgressBar::new(total.into());
            let style = ProgressStyle::with_template("{bar:20} {pos}/{len} [{eta}] {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Progress { bar }
    }

    fn tell(
        &self,
        record: &GameRecord,
        round: &str,
        report: &MatchReport,
        due: bool,
    ) -> anyhow::Result<()> {
        let [red, black] = &record.names;
        let game = format!("Finished game {round} ({red} vs {black}): {}", record.ending);
        let Some(bar) = &self.bar else {
            let mut out = io::stdout().lock();
            writeln!(out, "{game}\n{}", running_score(report))?;
            if due {
                write!(out, "{report}")?;
            }
            return Ok(());
        };
        bar.set_position(report.games.into());
        bar.set_message(running_score(report));
        if record.ending.reason.is_fault() {
            bar.println(game);
        }
        if due {
            bar.println(report.to_string());
        }
        Ok(())
    }

    fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn running_score(report: &MatchReport) -> String {
    let [line] = report.pairings.as_slice() else {
        return format!("{} of {} games", report.games, report.planned);
    };
    let score = line.score;
    let ratio = score.ratio().unwrap_or(0.5);
    let mut text = format!(
        "Score of {} vs {}: {} - {} - {} [{ratio:.3}] {}",
        line.first, line.second, score.wins, score.losses, score.draws, report.games
    );
    if let Some(estimate) = &line.estimate {
        text.push_str(&format!(", Elo {}", estimate.elo));
    }
    if let Some(sprt) = &report.sprt {
        text.push_str(&format!(", LLR {:.2}", sprt.report.llr));
    }
    text
}
