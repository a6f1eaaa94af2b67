//! `cannonade judge --summary`: the repetitions of a collection of games, by every rule set.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::Serialize;
use xiangqi::board::{Move, Position};
use xiangqi::geometry::Color;
use xiangqi::records::{self, Game, decode_text};
use xiangqi::rules::explanation::Language;
use xiangqi::rules::{GameLoop, GameResult, LoopRuling, RuleSet, judge_game};

use super::super::input::SoundGames;
use super::super::output::Output;
use super::super::threads::start_threads;
use super::super::{Failure, input};

/// The players listed in the summary.
const PLAYERS: usize = 10;

/// A game as it was played.
struct PlayedMoves {
    /// The number of the game in the file.
    number: usize,
    last: Position,
    /// The names of Red and Black, if the record has them.
    players: [Option<String>; 2],
}

/// The name and version of the JSON form.
const SCHEMA: &str = "judge-summary-1";

/// A repetition as a line of JSON.
#[derive(Serialize)]
struct LoopLine<'a> {
    schema: &'static str,
    /// The number of the game in the file, from 1.
    game: usize,
    /// The names of the players, if the record has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    red: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<&'a str>,
    start: usize,
    moves: String,
    occurrences: usize,
    rulings: Vec<RulingLine>,
}

/// A ruling within [`LoopLine`].
#[derive(Serialize)]
struct RulingLine {
    rules: &'static str,
    ruling: &'static str,
    red: String,
    black: String,
    /// True if a search ran out of nodes, so that the ruling may miss an offence.
    undecided: bool,
}

/// Judges all games of the file.
///
/// # Errors
/// If the file cannot be read or has a game with a defect.
pub(super) fn run(path: &Path, json: bool) -> Result<(), Failure> {
    let (games, left_out) = read(path).map_err(Failure::Input)?;
    start_threads(0)?;
    let loops = judge_all(&games);
    let mut out = Output::new();
    if json {
        for (game, loops) in games.iter().zip(&loops) {
            for found in loops {
                let line = serde_json::to_string(&loop_line(game.number, game, found));
                out.line(line.context("a repetition as JSON")?);
            }
        }
    } else {
        write_summary(&mut out, &loops)?;
        write_players(&mut out, &games, &loops)?;
    }
    out.finish()?;
    SoundGames::check_complete(games.len(), left_out)
}

/// Returns the games of a file, and the number of those that are left out for their defects.
fn read(path: &Path) -> anyhow::Result<(Vec<PlayedMoves>, usize)> {
    let bytes = input::read_bytes(path)?;
    let (text, _) = decode_text(&bytes);
    let collection = if is_list(&text) { records::read_list(&text) } else { records::read(&bytes) };
    let SoundGames { games, left_out } =
        input::sound_games(input::not_empty(collection, path)?, path)?;
    let played = |(number, game): &(usize, Game)| PlayedMoves {
        number: *number,
        last: game.last_position(),
        players: Color::ALL.map(|side| game.player(side).map(str::to_owned)),
    };
    Ok((games.iter().map(played).collect(), left_out))
}

/// Returns whether the text has a game per line: its first line has nothing but moves in
/// coordinates, with or without a result before them. Other commands take lines without results for
/// one long game.
fn is_list(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#')).unwrap_or_default();
    let mut words = first.split_whitespace().peekable();
    let _ = words.next_if(|word| GameResult::from_text(word).is_some());
    words.peek().is_some() && words.all(|word| word.parse::<Move>().is_ok())
}

/// Returns the repetitions of each game, found by as many threads as the machine has cores.
fn judge_all(games: &[PlayedMoves]) -> Vec<Vec<GameLoop>> {
    let bar = ProgressBar::new(games.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} games {eta}") {
        bar.set_style(style);
    }
    let judge = |game: &PlayedMoves| {
        let loops = judge_game(&game.last, &RuleSet::ALL);
        bar.inc(1);
        loops
    };
    let loops = games.par_iter().map(judge).collect();
    bar.finish_and_clear();
    loops
}

fn loop_line<'a>(number: usize, game: &'a PlayedMoves, found: &GameLoop) -> LoopLine<'a> {
    let line = |(rules, ruling): (RuleSet, &LoopRuling)| RulingLine {
        rules: rules.name(),
        ruling: Language::English.ruling(ruling.loser),
        red: ruling.red.to_string(),
        black: ruling.black.to_string(),
        undecided: ruling.is_undecided,
    };
    let [red, black] = &game.players;
    LoopLine {
        schema: SCHEMA,
        game: number,
        red: red.as_deref(),
        black: black.as_deref(),
        start: found.start,
        moves: found.moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" "),
        occurrences: found.occurrences,
        rulings: RuleSet::ALL.into_iter().zip(&found.rulings).map(line).collect(),
    }
}

fn write_summary(out: &mut impl Write, games: &[Vec<GameLoop>]) -> io::Result<()> {
    let loops = || games.iter().flatten();
    let repeating = games.iter().filter(|loops| !loops.is_empty()).count();
    let thrice = loops().filter(|found| found.occurrences > 2).count();
    writeln!(out, "Games:       {}, {repeating} of them with repetitions", games.len())?;
    writeln!(out, "Repetitions: {}, {thrice} of them with three occurrences", loops().count())?;
    writeln!(out)?;
    writeln!(
        out,
        "{:<10} {:>9} {:>11} {:>7} {:>12} {:>10}",
        "Rules", "red loses", "black loses", "draw", "as with WXF", "undecided"
    )?;
    for (i, rules) in RuleSet::ALL.into_iter().enumerate() {
        let count = |test: &dyn Fn(&GameLoop) -> bool| loops().filter(|found| test(found)).count();
        let lost_by = |loser| count(&|found| found.rulings[i].loser == loser);
        writeln!(
            out,
            "{:<10} {:>9} {:>11} {:>7} {:>12} {:>10}",
            rules.name(),
            lost_by(Some(Color::Red)),
            lost_by(Some(Color::Black)),
            lost_by(None),
            count(&|found| found.rulings[i].loser == found.rulings[0].loser),
            count(&|found| found.rulings[i].is_undecided),
        )?;
    }
    Ok(())
}

/// The offences of a player in the repetitions of its games.
#[derive(Default)]
struct Offences {
    repetitions: usize,
    /// The repetitions that the player loses by each rule set.
    lost: [usize; RuleSet::ALL.len()],
}

/// Writes the players who lose the most repetitions by the first rule set, if names are known.
fn write_players(
    out: &mut impl Write,
    games: &[PlayedMoves],
    loops: &[Vec<GameLoop>],
) -> io::Result<()> {
    let mut players: BTreeMap<&str, Offences> = BTreeMap::new();
    for (game, loops) in games.iter().zip(loops) {
        for side in Color::ALL {
            let Some(name) = &game.players[side.index()] else { continue };
            let offences = players.entry(name).or_default();
            offences.repetitions += loops.len();
            for found in loops {
                for (lost, ruling) in offences.lost.iter_mut().zip(&found.rulings) {
                    *lost += usize::from(ruling.loser == Some(side));
                }
            }
        }
    }
    let mut players: Vec<_> =
        players.into_iter().filter(|(_, offences)| offences.repetitions > 0).collect();
    if players.is_empty() {
        return Ok(());
    }
    players.sort_by_key(|(_, offences)| (Reverse(offences.lost), Reverse(offences.repetitions)));
    writeln!(out)?;
    write!(out, "{:<20} {:>11}", "Lost by", "repetitions")?;
    for rules in RuleSet::ALL {
        write!(out, " {:>9}", rules.name())?;
    }
    writeln!(out)?;
    for (name, offences) in players.iter().take(PLAYERS) {
        write!(out, "{name:<20} {:>11}", offences.repetitions)?;
        for lost in offences.lost {
            write!(out, " {lost:>9}")?;
        }
        writeln!(out)?;
    }
    let left_out = players.len().saturating_sub(PLAYERS);
    if left_out > 0 {
        writeln!(out, "and {left_out} more players")?;
    }
    Ok(())
}
