//! The flags of `cannonade match`, and the parameters of the match that they describe.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use cannonade_engine::build_name;
use cannonade_match::statistics::Sprt;
use cannonade_match::{
    AdjudicationRules, CoreShares, DrawRule, EngineSettings, MatchConditions, MatchSetup, MoveCap,
    MoveComments, OpeningBook, PgnStyle, ResignRule, Schedule, TableReferee, TournamentForm,
};
use clap::{Arg, ArgAction, ArgMatches, Args, FromArgMatches, ValueEnum};
use xiangqi::notation::Notation;
use xiangqi::rules::{Regulations, RuleSet};

use super::super::flags::{KeyValues, sprt_of, whole, whole_from};

const EXAMPLE: &str = "\
Examples:
  cannonade match --engine cmd=./new --engine cmd=fairy-stockfish proto=ucci --each st=1 --rounds 10
  cannonade match --engine cmd=./new name=new --engine cmd=./old name=old \\
    --each tc=10+0.1 option.Hash=64 --rounds 500 --repeat --openings scripts/openings.epd \\
    --concurrency 2 --pgn test.pgn --sprt elo0=0 elo1=5

Engine settings, with defaults in parentheses:
  cmd, args, dir, name   program, its arguments, its folder, its name (the file name of cmd)
  proto                  uci or ucci (uci)
  dialect                iccs: ranks 0-9; fairy: ranks 1-10, as Fairy-Stockfish in UCI (iccs)
  tc                     clock: [moves/]time[+increment] in seconds
  st, nodes, depth       seconds, nodes, plies per move
  timemargin             milliseconds by which a move may be late (100)
  ponder, restart        on or off (off): ponder; start the engine again for each game
  startup, patience      seconds until the handshake is done (10), of silence without a clock (60)
  unit                   ms or s: the unit of times in UCCI (ms)
  option.NAME            an option of the engine";

/// The value of `--tables` without a folder.
const BUILT_IN: &str = "built-in";

/// The words of each `--engine`, one list per occurrence.
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
    /// Every engine against every other
    #[value(alias = "roundrobin")]
    RoundRobin,
    /// The first engine against all others
    Gauntlet,
}

#[derive(Clone, Copy, ValueEnum)]
enum CommentContent {
    /// Evaluation, depth, time and nodes
    Short,
    /// Also selective depth, nodes per second, time left and principal variation
    Full,
}

#[derive(Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct Arguments {
    #[command(flatten)]
    engines: Engines,
    /// Settings of all engines; those of --engine override them
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    each: Vec<String>,
    /// Pairing of the engines
    #[arg(long, value_enum, default_value_t = Form::RoundRobin)]
    tournament: Form,
    /// Rounds; in each round every pairing plays its games
    #[arg(long, default_value_t = 1, value_parser = whole::<u32>(1..=1_000_000))]
    rounds: u32,
    /// Games of a pairing per round [default: 1, with --repeat 2]
    #[arg(long, value_parser = whole::<u32>(1..=100))]
    games: Option<u32>,
    /// Play each opening twice, with colours reversed
    #[arg(long)]
    repeat: bool,
    /// Starting positions (FEN or EPD lines, or games): FILE, or file=FILE
    /// order=random|sequential start=N plies=N
    #[arg(long, num_args = 1.., value_name = "FILE")]
    openings: Vec<String>,
    /// Seed of the random order
    #[arg(long, default_value_t = 0, value_parser = whole_from::<u64>(0))]
    seed: u64,
    /// Games at the same time
    #[arg(long, default_value_t = 1, value_parser = whole::<u16>(1..=1024))]
    concurrency: u16,
    /// Rules for repetitions: WXF, AXF, CXA, Computer, CheckOnly or None
    #[arg(long, default_value_t = RuleSet::Wxf)]
    rules: RuleSet,
    /// Plies without a capture after which a game is drawn, 0 for never; that of the rules if left
    /// out
    #[arg(long, value_parser = whole_from::<u16>(0))]
    natural_limit: Option<u16>,
    /// Occurrences of a position after which the repetition is ruled
    #[arg(long, default_value_t = 3, value_parser = whole::<u8>(2..=10))]
    occurrences: u8,
    /// Stop as soon as a test is decided: elo0= elo1= alpha= beta= model=normalized|logistic
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Adjudicate games as lost by the engines' scores: movecount= score= twosided=true|false
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    resign: Vec<String>,
    /// Adjudicate games as drawn by the engines' scores: movenumber= movecount= score=
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    draw: Vec<String>,
    /// Adjudicate games as drawn after this many moves of each side
    #[arg(long, value_parser = whole::<u32>(1..=5000))]
    maxmoves: Option<u32>,
    /// Adjudicate games by endgame tables: the built-in ones, and those of this folder
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = BUILT_IN)]
    tables: Option<PathBuf>,
    /// Give each concurrent game its own cores (Linux)
    #[arg(long)]
    affinity: bool,
    /// Write all lines to and from the engines to this file, with their standard error
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,
    /// Write the games to this file
    #[arg(long, value_name = "FILE")]
    pub(super) pgn: Option<PathBuf>,
    /// Add comments to the moves, which some programs cannot read
    #[arg(long, requires = "pgn", value_name = "CONTENT", num_args = 0..=1, default_missing_value = "short")]
    pgn_comments: Option<CommentContent>,
    /// Notation of moves: uci, iccs, uci10, wxf, chinese, traditional or algebraic
    #[arg(long, default_value_t = Notation::Uci, requires = "pgn")]
    notation: Notation,
    /// Continue the match whose games are in the file of --pgn
    #[arg(long, requires = "pgn")]
    pub(super) resume: bool,
    /// Write the results to this file as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) json: Option<PathBuf>,
    /// The Event header of the games
    #[arg(long, default_value = "Cannonade match")]
    event: String,
    /// The Site header of the games
    #[arg(long, default_value = "?")]
    site: String,
    /// Games between two reports of the full results; 0: only at the end
    #[arg(long, default_value_t = 10, value_name = "GAMES", value_parser = whole_from::<u32>(0))]
    pub(super) report_every: u32,
    /// Continue when an engine repeatedly crashes, stalls, does not start or makes no legal move;
    /// such games count as lost
    #[arg(long)]
    pub(super) recover: bool,
}

impl Arguments {
    /// Returns the match that the flags describe, before its first game.
    pub(super) fn setup(&self) -> anyhow::Result<MatchSetup> {
        let games = self.games.unwrap_or(if self.repeat { 2 } else { 1 });
        if self.repeat && games % 2 == 1 {
            return Err(anyhow!("--repeat needs an even number of --games, not {games}"));
        }
        let form = match self.tournament {
            Form::RoundRobin => TournamentForm::RoundRobin,
            Form::Gauntlet => TournamentForm::Gauntlet,
        };
        let engines = self.engines()?;
        let schedule = Schedule::new(form, engines.len(), self.rounds, games, self.repeat);
        let total = schedule.games_of_a_pairing() * schedule.pairings().len() as u64;
        if total > u64::from(u32::MAX) {
            return Err(anyhow!("{total} games are too many; at most {} are played", u32::MAX));
        }
        let regulations = Regulations {
            rules: self.rules,
            occurrences: self.occurrences.into(),
            natural_limit: self.natural_limit.unwrap_or(self.rules.natural_limit()),
        };
        Ok(MatchSetup {
            schedule,
            engines,
            openings: self.openings(regulations)?,
            concurrency: self.concurrency.into(),
            regulations,
            adjudication: AdjudicationRules {
                resign: self.resign_rule()?,
                draw: self.draw_rule()?,
                move_cap: self.maxmoves.map(MoveCap),
            },
            tables: self.table_referee()?,
            cores: if self.affinity {
                Some(CoreShares::new(self.concurrency.into()).context("--affinity")?)
            } else {
                None
            },
            sprt: self.sprt()?,
            recovers: self.recover,
        })
    }

    /// Returns the conditions of the match that the flags describe.
    pub(super) fn conditions(
        &self,
        setup: &MatchSetup,
        versions: &[Option<String>],
    ) -> MatchConditions {
        let mut words = self.opening_words();
        words.retain(|word| !word.starts_with("file="));
        let mut conditions = MatchConditions::new(setup, versions);
        conditions.runner = format!("Cannonade {}", build_name());
        let openings = &mut conditions.openings;
        openings.file = self.opening_file().map(|file| file.display().to_string());
        openings.order = words;
        openings.seed = self.seed;
        conditions
    }

    /// Returns the form of the records of the games.
    pub(super) fn style(&self) -> PgnStyle {
        PgnStyle {
            event: self.event.clone(),
            site: self.site.clone(),
            comments: match self.pgn_comments {
                None => MoveComments::None,
                Some(CommentContent::Short) => MoveComments::Short,
                Some(CommentContent::Full) => MoveComments::Full,
            },
            notation: self.notation,
            ..PgnStyle::default()
        }
    }

    /// Returns the test of `--sprt`; none without the flag.
    fn sprt(&self) -> anyhow::Result<Option<Sprt>> {
        if !self.sprt.is_empty() && self.engines.0.len() != 2 {
            return Err(anyhow!("--sprt needs a match of two engines"));
        }
        sprt_of(&self.sprt)
    }

    fn engines(&self) -> anyhow::Result<Vec<Arc<EngineSettings>>> {
        let mut engines = Vec::new();
        let mut names = BTreeSet::new();
        for words in &self.engines.0 {
            let engine = EngineSettings::parse(&self.each, words)
                .with_context(|| format!("--engine {}", words.join(" ")))?;
            if !names.insert(engine.name.clone()) {
                return Err(anyhow!("two engines have the name '{}'; give name=", engine.name));
            }
            engines.push(Arc::new(engine));
        }
        if engines.len() < 2 {
            return Err(anyhow!("a match needs two engines; give --engine twice"));
        }
        Ok(engines)
    }

    fn table_referee(&self) -> anyhow::Result<Option<TableReferee>> {
        Ok(match &self.tables {
            None => None,
            Some(folder) if folder.as_os_str() == BUILT_IN => Some(TableReferee::built_in()),
            Some(folder) => Some(TableReferee::open(folder).context("--tables")?),
        })
    }

    /// Returns the file of the openings, if there is one.
    pub(super) fn opening_file(&self) -> Option<PathBuf> {
        let words = self.opening_words();
        words.iter().rev().find_map(|word| word.strip_prefix("file=")).map(PathBuf::from)
    }

    /// Returns the words of `--openings` with their keys; the first may be the file without it.
    fn opening_words(&self) -> Vec<String> {
        let mut words = self.openings.clone();
        if let Some(file) = words.first_mut().filter(|word| !word.contains('=')) {
            file.insert_str(0, "file=");
        }
        words
    }

    fn openings(&self, regulations: Regulations) -> anyhow::Result<OpeningBook> {
        if self.openings.is_empty() {
            return Ok(OpeningBook::startpos());
        }
        let keys = ["file", "format", "order", "start", "plies"];
        let values = KeyValues::parse("--openings", &self.opening_words(), &keys)?;
        let plies = values.optional("plies")?;
        let file = values.value::<PathBuf>("file", None)?;
        let mut book = OpeningBook::read(&file, plies, regulations)?;
        match values.value("order", Some("random".to_owned()))?.as_str() {
            "random" => book.shuffle(self.seed),
            "sequential" => {}
            other => {
                return Err(anyhow!("--openings: order={other}; expected sequential or random"));
            }
        }
        let start = values.positive("start", 1)?;
        if start > book.count() {
            let count = book.count();
            let plural = if count == 1 { "" } else { "s" };
            return Err(anyhow!(
                "--openings: start={start}, but the file has only {count} opening{plural}"
            ));
        }
        book.skip(start - 1);
        Ok(book)
    }

    fn resign_rule(&self) -> anyhow::Result<Option<ResignRule>> {
        if self.resign.is_empty() {
            return Ok(None);
        }
        let keys = ["movecount", "score", "twosided"];
        let values = KeyValues::parse("--resign", &self.resign, &keys)?;
        Ok(Some(ResignRule {
            moves: values.positive("movecount", 3)?,
            score: unsigned("--resign", values.value("score", None)?, 1)?,
            two_sided: values.value("twosided", Some(false))?,
        }))
    }

    fn draw_rule(&self) -> anyhow::Result<Option<DrawRule>> {
        if self.draw.is_empty() {
            return Ok(None);
        }
        let keys = ["movenumber", "movecount", "score"];
        let values = KeyValues::parse("--draw", &self.draw, &keys)?;
        Ok(Some(DrawRule {
            from_move: values.value("movenumber", Some(30))?,
            moves: values.positive("movecount", 8)?,
            score: unsigned("--draw", values.value("score", None)?, 0)?,
        }))
    }
}

/// Checks that a score has no sign, since it is compared with the scores of both sides.
fn unsigned(flag: &str, score: i32, least: i32) -> anyhow::Result<i32> {
    anyhow::ensure!(
        score >= least,
        "{flag}: score={score}; expected {least} or more, in centipawns and without a sign"
    );
    Ok(score)
}
