//! `cannonade rating`: ratings of the players in game records (Bayesian Elo).

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;

use super::flags::decimal;
use super::output::{Output, print_error};
use super::{Failure, input};
use crate::atomic_file;
use crate::records::decode_text;
use crate::tournament::read_games;
use crate::tournament::statistics::{
    BayesSettings, Crosstable, Parameter, RatingTable, ResultSet, rate,
};

const MODEL: &str = "\
The model is that of R. Coulom's BayesElo (remi-coulom.fr/Bayesian-Elo): the probability that Red
wins is 1 / (1 + 10^((black - red - advantage + drawelo) / 400)); for Black the signs of ratings and
advantage are reversed; the other games are draws. The ratings are those under which the games,
together with a few virtual draws, are most likely; their mean is 0. Intervals are of 95 %.

Examples:
  cannonade rating games.pgn more.pgn --table
  cannonade rating games.pgn --advantage 0 --json ratings.json";

#[derive(Args)]
#[command(after_help = MODEL)]
pub(super) struct Arguments {
    /// Game records in PGN; only names and results are read
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
    let mut results = ResultSet::default();
    let mut without_result = 0;
    for path in &arguments.games {
        let name = input::name(path);
        let bytes = input::read_bytes(path).map_err(Failure::Input)?;
        let (text, _) = decode_text(&bytes);
        let games = read_games(&text);
        for game in games.context(name).map_err(Failure::Input)? {
            let [red, black] = &game.players;
            match game.result {
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
    let ratings = rate(&results, &settings).map_err(Failure::input)?;
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
