//! `cannonade judge`: a ruling with its reasons, or those of a whole collection.

mod summary;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use cannonade_analysis::{ReportGame, ReportOptions, report_page, ruling_json};
use clap::Args;
use serde_json::Value;
use xiangqi::notation::Notation;
use xiangqi::records::Game;
use xiangqi::rules::RuleSet;
use xiangqi::rules::explanation::{Language, LastRepetition};

use super::flags::PositionFlags;
use super::input::SoundGames;
use super::output::{Output, check_outputs};
use super::{Failure, input};

#[derive(Args)]
#[command(after_help = "\
The last repetition of the moves is ruled: its last three occurrences, or two if there are no more.

Examples:
  cannonade judge --fen '3k5/9/9/9/9/9/9/9/4A4/R3K4 w' --moves 'a0a9 d9d8 a9a8 d8d9 a8a9'
  cannonade judge game.pgn --json
  cannonade judge game.pgn --rules CXA --language zh --notation chinese
  cannonade judge game.pgn --html ruling.html
  cannonade judge games.pgn --summary
  zcat games.txt.gz | cannonade judge --summary -")]
pub(super) struct Arguments {
    /// A game file of any kind that `convert` reads
    #[arg(conflicts_with_all = ["fen", "moves"])]
    game: Option<PathBuf>,
    #[command(flatten)]
    position: PositionFlags,
    /// The rule book: WXF, AXF, CXA, Computer, CheckOnly or None
    #[arg(long, default_value_t)]
    rules: RuleSet,
    /// Notation of moves: iccs, uci, uci10, wxf, chinese, traditional or algebraic [default: uci,
    /// in pages wxf]
    #[arg(long, conflicts_with = "json")]
    notation: Option<Notation>,
    /// The language of the explanation: en or zh
    #[arg(long, default_value_t)]
    language: Language,
    /// Rule all repetitions of all games by every rule set, and count the rulings. The file may
    /// also have a game per line: an optional result and moves in coordinates; `-` is standard
    /// input
    #[arg(long, requires = "game", conflicts_with_all = ["fen", "moves", "rules", "notation", "language"])]
    summary: bool,
    /// Write a page to step through the repetition, one HTML file that works without a network; `-`
    /// is standard output
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "summary"])]
    html: Option<PathBuf>,
    /// Print JSON: one object, or a list if the record has several games; with --summary a line
    /// for each repetition
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    if let (true, Some(path)) = (arguments.summary, &arguments.game) {
        return summary::run(path, arguments.json);
    }
    if let Some(page) = &arguments.html {
        check_outputs(&arguments.game, &[page])?;
    }
    let games = match &arguments.game {
        Some(path) => read_games(path).map_err(Failure::Input)?,
        None => {
            let game = play(&arguments.position).map_err(Failure::Input)?;
            SoundGames { games: vec![(1, game)], left_out: 0 }
        }
    };
    let left_out = games.left_out;
    let (numbers, games): (Vec<usize>, Vec<Game>) = games.games.into_iter().unzip();
    judge(&numbers, &games, arguments)?;
    SoundGames::check_complete(games.len(), left_out)
}

/// Judges games, which have these numbers in their file.
fn judge(numbers: &[usize], games: &[Game], arguments: &Arguments) -> Result<(), Failure> {
    if let Some(path) = &arguments.html {
        return write_page(path, games, arguments);
    }
    let last = |game: &Game| LastRepetition::of(&game.last_position(), arguments.rules);
    let repetitions: Vec<_> = games.iter().map(last).collect();

    let mut out = Output::new();
    if arguments.json {
        let to_json = |found: &Option<LastRepetition>| {
            let notation = arguments.notation.unwrap_or_default();
            ruling_json(found.as_ref(), arguments.rules, arguments.language, notation)
        };
        let mut values: Vec<_> = repetitions.iter().map(to_json).collect();
        let value = if values.len() == 1 { values.remove(0) } else { Value::Array(values) };
        let text = serde_json::to_string_pretty(&value).context("the ruling as JSON")?;
        out.line(text);
        return out.finish();
    }
    let labels = arguments.language.labels();
    for (i, (found, number)) in repetitions.iter().zip(numbers).enumerate() {
        if repetitions.len() > 1 {
            writeln!(out, "{} {number}", labels.game)?;
        }
        match found {
            Some(repetition) => {
                let notation = arguments.notation.unwrap_or_default();
                write!(out, "{}", repetition.text(arguments.language, notation))?;
            }
            None => writeln!(out, "{}", labels.no_repetition)?,
        }
        if i + 1 < repetitions.len() {
            writeln!(out)?;
        }
    }
    out.finish()
}

fn play(position: &PositionFlags) -> anyhow::Result<Game> {
    let (start, moves) = position.start_and_moves()?;
    anyhow::ensure!(!moves.is_empty(), "expected a game file, or --moves and the moves of a game");
    Ok(Game::with_moves(start, moves)?)
}

fn write_page(path: &Path, games: &[Game], arguments: &Arguments) -> Result<(), Failure> {
    let options = ReportOptions {
        language: arguments.language,
        notation: arguments.notation.unwrap_or(ReportOptions::NOTATION),
        rules: arguments.rules,
        opens_at_repetition: true,
        limits: None,
    };
    let games: Vec<_> = games.iter().map(|game| ReportGame { game, analysis: None }).collect();
    let mut output = Output::new();
    output.file(path, report_page(&games, &options).as_bytes())?;
    output.finish()
}

fn read_games(path: &Path) -> anyhow::Result<SoundGames> {
    input::sound_games(input::read_collection(path)?, path)
}
