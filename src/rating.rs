//! `cannonade rating`: ratings of the players in game records (Bayesian Elo).

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use cannonade_match::statistics::{
    BayesSettings, Crosstable, Parameter, RatingError, RatingTable, ResultSet, rate,
};
use clap::Args;
use serde::Serialize;
use xiangqi::geometry::Color;
use xiangqi::records::{self, FileKind, Game, RawGame, decode_text, raw_games};
use xiangqi::rules::{GameResult, Wdl};

use super::flags::decimal;
use super::output::{
    Output, check_outputs, check_replaces_json, is_stdout, print_error, printable,
};
use super::{Failure, input};

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
    #[arg(long, value_name = "ELO", value_parser = decimal(BayesSettings::ADVANTAGES))]
    advantage: Option<f64>,
    /// Draw Elo of the model [default: estimated from the games]
    #[arg(long, value_name = "ELO", value_parser = decimal(BayesSettings::DRAW_ELOS))]
    drawelo: Option<f64>,
    /// Virtual draws of each player against its opponents; an estimated draw elo has as many
    /// virtual games between equals, 27.3 % of them draws
    #[arg(long, default_value_t = 2.0, value_parser = decimal(BayesSettings::PRIORS))]
    prior: f64,
    /// Also print the score of every player against every other
    #[arg(long)]
    table: bool,
    /// Write ratings and scores to this file as JSON; `-` prints JSON instead of the list
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The name and version of the JSON form.
const SCHEMA: &str = "rating-1";

#[derive(Serialize)]
struct RatingOutput<'a> {
    schema: &'static str,
    ratings: &'a RatingTable,
    table: &'a Crosstable,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let outputs: Vec<&Path> = arguments.json.iter().map(PathBuf::as_path).collect();
    check_outputs(&arguments.games, &outputs)?;
    outputs.iter().try_for_each(|path| check_replaces_json(path))?;
    input::check_distinct(&arguments.games)?;
    let mut results = ResultSet::default();
    let mut without_result = 0;
    // The number of games that lack two names, and the place of the first one.
    let mut without_names: Option<(usize, String)> = None;
    for path in &arguments.games {
        for (index, game) in games(path).map_err(Failure::Input)?.into_iter().enumerate() {
            let [red, black] = &game.players;
            match (game.result, red, black) {
                (None, ..) => without_result += 1,
                (Some(outcome), Some(red), Some(black)) if red != black => {
                    results.record(red, black, outcome).map_err(Failure::input)?;
                }
                _ => {
                    let place = || (0, format!("{}, game {}", input::name(path), index + 1));
                    without_names.get_or_insert_with(place).0 += 1;
                }
            }
        }
    }
    if without_result > 0 {
        print_error(format_args!("warning: games without a result, left out: {without_result}"));
    }
    if let Some((count, first)) = without_names {
        print_error(format_args!(
            "warning: games that do not name two different players, left out: {count}; the first is \
             {first}"
        ));
    }
    let parameter = |given: Option<f64>| given.map_or(Parameter::Estimated, Parameter::Fixed);
    let settings = BayesSettings {
        advantage: parameter(arguments.advantage),
        draw_elo: parameter(arguments.drawelo),
        prior_draws: arguments.prior,
    };
    let ratings = rate(&results, &settings).map_err(|error| without_games(error, arguments))?;
    let mut out = Output::new();
    if let Some(path) = &arguments.json {
        let table = &Crosstable::of(&results);
        out.json(path, &RatingOutput { schema: SCHEMA, ratings: &ratings, table })?;
        if is_stdout(path) {
            return out.finish();
        }
    }
    write!(out, "{}", printable(&ratings.to_string()))?;
    if arguments.table {
        write!(out, "\n{}", printable(&Crosstable::of(&results).to_string()))?;
    }
    let model = ratings.model;
    writeln!(out, "\nAdvantage of Red {:.1}, draw elo {:.1}", model.advantage, model.draw_elo)?;
    if !ratings.converged {
        writeln!(out, "The estimation did not converge; the ratings are approximate")?;
    }
    out.finish()
}

/// Returns the error of a rating, with the files if they hold no game to rate.
fn without_games(error: RatingError, arguments: &Arguments) -> Failure {
    if error != RatingError::NoGames {
        return Failure::input(error);
    }
    let files: Vec<String> = arguments.games.iter().map(|path| input::name(path)).collect();
    Failure::Input(anyhow!(
        "no game with a result and two players, so nothing to rate, in: {}",
        files.join(", ")
    ))
}

/// The players and result of a game, as ratings need them.
struct RatedGame {
    /// Red first; `None` if the record does not name the player.
    players: [Option<String>; 2],
    /// For Red; `None` if the game has none.
    result: Option<Wdl>,
}

impl RatedGame {
    fn new(players: [Option<&str>; 2], result: GameResult) -> RatedGame {
        // A question mark is the unknown player of PGN.
        let is_known = |name: &&str| !name.is_empty() && *name != "?";
        let known = |name: Option<&str>| name.map(str::trim).filter(is_known).map(str::to_owned);
        RatedGame { players: players.map(known), result: result.for_side(Color::Red) }
    }

    fn of_pgn(game: &RawGame<'_>) -> RatedGame {
        let red = game.tag("Red").or_else(|| game.tag("White"));
        RatedGame::new([red, game.tag("Black")], game.final_result())
    }

    fn of(game: &Game) -> RatedGame {
        RatedGame::new(Color::ALL.map(|side| game.player(side)), game.result)
    }
}

/// Returns the games of a file of any kind.
///
/// # Errors
/// If the file cannot be read.
fn games(path: &Path) -> anyhow::Result<Vec<RatedGame>> {
    let bytes = input::read_bytes(path)?;
    // In PGN names and results are found without playing the moves, which would take long in a
    // large file. In no other kind of file this finds a name.
    let text = decode_text(&bytes).0;
    let in_pgn: Vec<RatedGame> = raw_games(&text).map(|game| RatedGame::of_pgn(&game)).collect();
    if in_pgn.iter().any(|game| game.players.iter().any(Option::is_some)) {
        return Ok(in_pgn);
    }
    let collection = records::read(&bytes);
    if collection.kind == FileKind::Pgn {
        return Ok(in_pgn);
    }
    let name = input::name(path);
    for problem in &collection.problems {
        print_error(format_args!("{name}: {problem}"));
    }
    Ok(collection.games.iter().map(RatedGame::of).collect())
}
