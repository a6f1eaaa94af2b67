//! `cannonade rating`: ratings of the players in game records (Bayesian Elo).

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use clap::Args;
use serde::Serialize;

use super::flags::decimal;
use super::output::{Output, check_outputs, print_error};
use super::{Failure, input};
use crate::atomic_file;
use crate::geometry::Color;
use crate::records::{self, FileKind, Game, GameResult, decode_text};
use crate::tournament::statistics::{
    BayesSettings, Crosstable, Parameter, PlayerResult, RatingError, RatingTable, ResultSet, rate,
};
use crate::tournament::{RecordedGame, read_games};

const MODEL: &str = "\
The model is that of R. Coulom's BayesElo (remi-coulom.fr/Bayesian-Elo): the probability that Red
wins is 1 / (1 + 10^((black - red - advantage + drawelo) / 400)); for Black the signs of ratings and
advantage are reversed; the other games are draws. The ratings are those under which the games,
together with a few virtual draws, are most likely; their mean is 0. Intervals are of 95 %.

Examples:
  cannonade rating games.pgn more.cbl --table
  cannonade rating games.pgn --advantage 0 --json ratings.json";

#[derive(Args)]
#[command(after_help = MODEL)]
pub(super) struct Arguments {
    /// Game files of any kind; only names and results are read; `-` is standard input
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Advantage of playing Red in Elo [default: estimated from the games]
    #[arg(long, value_name = "ELO", value_parser = decimal::<f64>(-10_000.0..=10_000.0))]
    advantage: Option<f64>,
    /// Draw Elo of the model [default: estimated from the games]
    #[arg(long, value_name = "ELO", value_parser = decimal::<f64>(0.0..=10_000.0))]
    drawelo: Option<f64>,
    /// Virtual draws of each player against its opponents
    #[arg(long, default_value_t = 2.0, value_parser = decimal::<f64>(0.0..=1_000_000.0))]
    prior: f64,
    /// Also print the score of every player against every other
    #[arg(long)]
    table: bool,
    /// Write ratings and scores to this file as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct RatingOutput<'a> {
    ratings: &'a RatingTable,
    table: &'a Crosstable,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let outputs: Vec<&Path> = arguments.json.iter().map(PathBuf::as_path).collect();
    check_outputs(&arguments.games, &outputs)?;
    let mut results = ResultSet::default();
    let mut without_result = 0;
    for path in &arguments.games {
        for PlayedGame { players, result } in games(path).map_err(Failure::Input)? {
            let [red, black] = &players;
            match result {
                Some(outcome) => results.record(red, black, outcome).map_err(Failure::input)?,
                None => without_result += 1,
            }
        }
    }
    if without_result > 0 {
        print_error(format_args!("warning: games without a result, left out: {without_result}"));
    }
    let parameter = |given: Option<f64>| given.map_or(Parameter::Estimated, Parameter::Fixed);
    let settings = BayesSettings {
        advantage: parameter(arguments.advantage),
        draw_elo: parameter(arguments.drawelo),
        prior_draws: arguments.prior,
    };
    let ratings = rate(&results, &settings).map_err(|error| without_games(error, arguments))?;
    let table = Crosstable::of(&results);
    if let Some(path) = &arguments.json {
        let json = serde_json::to_string_pretty(&RatingOutput { ratings: &ratings, table: &table });
        let json = json.context("ratings as JSON")?;
        atomic_file::replace(path, json.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mut out = Output::new();
    write!(out, "{ratings}")?;
    if arguments.table {
        write!(out, "\n{table}")?;
    }
    let model = ratings.model;
    writeln!(out, "\nAdvantage of Red {:.1}, draw elo {:.1}", model.advantage, model.draw_elo)?;
    if !ratings.converged {
        writeln!(out, "The estimation did not converge; the ratings are approximate")?;
    }
    out.finish()
}

/// The error of a rating, with the files if they hold no game to rate.
fn without_games(error: RatingError, arguments: &Arguments) -> Failure {
    if error != RatingError::NoGames {
        return Failure::input(error);
    }
    let files: Vec<String> = arguments.games.iter().map(|path| input::name(path)).collect();
    Failure::Input(anyhow!("no game with a result, so nothing to rate, in: {}", files.join(", ")))
}

/// What ratings need of a game.
struct PlayedGame {
    /// Red first.
    players: [String; 2],
    /// For Red; `None` if the game has none.
    result: Option<PlayerResult>,
}

impl From<RecordedGame> for PlayedGame {
    fn from(RecordedGame { players, result, .. }: RecordedGame) -> PlayedGame {
        PlayedGame { players, result }
    }
}

/// The games of a file of any kind.
///
/// # Errors
/// If the file cannot be read, or a game with a result lacks the name of a player.
fn games(path: &Path) -> anyhow::Result<Vec<PlayedGame>> {
    let bytes = input::read_bytes(path)?;
    // In PGN names and results are found without playing the moves, which would take long in a
    // large file. In no other kind of file this finds a name.
    let in_pgn = read_games(&decode_text(&bytes).0);
    let is_named = |game: &RecordedGame| game.players.iter().any(|name| !name.is_empty());
    let collection = match in_pgn {
        Ok(games) if games.iter().any(is_named) => {
            return Ok(games.into_iter().map(PlayedGame::from).collect());
        }
        _ => records::read(&bytes),
    };
    let name = input::name(path);
    if collection.kind == FileKind::Pgn {
        let games = in_pgn.context(name)?;
        return Ok(games.into_iter().map(PlayedGame::from).collect());
    }
    for problem in &collection.problems {
        print_error(format_args!("{name}: {problem}"));
    }
    let games = collection.games.iter().enumerate();
    games.map(|(index, game)| played(game, index + 1).with_context(|| name.clone())).collect()
}

/// The names and the result of a game.
///
/// # Errors
/// If a game with a result lacks the name of a player.
fn played(game: &Game, number: usize) -> anyhow::Result<PlayedGame> {
    let result = match game.result {
        GameResult::RedWins => Some(PlayerResult::Win),
        GameResult::BlackWins => Some(PlayerResult::Loss),
        GameResult::Draw => Some(PlayerResult::Draw),
        GameResult::Unknown => None,
    };
    let player = |side: Color| match game.player(side) {
        None if result.is_some() => Err(anyhow!(
            "game {number} does not name the player of {side}; ratings need both names"
        )),
        name => Ok(name.unwrap_or_default().to_owned()),
    };
    Ok(PlayedGame { players: [player(Color::Red)?, player(Color::Black)?], result })
}
