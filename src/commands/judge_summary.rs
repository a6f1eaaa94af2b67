//! `cannonade judge --summary`: the repetitions of a collection of games, by every rule set.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::Failure;
use super::output::Output;
use crate::board::{Move, Position};
use crate::geometry::Color;
use crate::records::{self, Game, GameResult};
use crate::rules::{GameLoop, LoopRuling, RuleSet, judge_game};

/// Games that a thread takes at a time.
const BATCH: usize = 64;

/// A repetition as a line of JSON.
#[derive(Serialize)]
struct LoopLine {
    /// The number of the game in the file, from 1.
    game: usize,
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
    /// Whether a search ran out of nodes, so that the ruling may miss an offence.
    undecided: bool,
}

/// Judges all games of the file.
///
/// # Errors
/// If the file cannot be read or has a game with a defect.
pub(super) fn run(path: &Path, json: bool) -> Result<(), Failure> {
    let games = read(path).map_err(Failure::Input)?;
    let loops = judge_all(&games);
    let mut out = Output::new();
    if json {
        for (i, game) in loops.iter().enumerate() {
            for found in game {
                let line = serde_json::to_string(&loop_line(i + 1, found));
                out.line(line.context("a repetition as JSON")?);
            }
        }
    } else {
        write_summary(&mut out, &loops)?;
    }
    out.finish()
}

/// The last positions of the games, with their moves.
fn read(path: &Path) -> anyhow::Result<Vec<Position>> {
    let name = if path == Path::new("-") { "stdin".to_owned() } else { path.display().to_string() };
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).context("cannot read stdin")?;
        bytes
    } else {
        fs::read(path).with_context(|| format!("cannot read {name}"))?
    };
    if let Some(text) = std::str::from_utf8(&bytes).ok().filter(|text| is_list(text)) {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let play = |(i, line)| read_line(line).with_context(|| format!("{name}, line {}", i + 1));
        return lines.map(play).collect();
    }
    let collection = records::read(&bytes);
    if let Some(problem) = collection.problems.into_iter().next() {
        return Err(problem).with_context(|| name.clone());
    }
    anyhow::ensure!(
        !collection.games.is_empty(),
        "{name} holds no game; expected a game file, or a result and moves in ICCS per line"
    );
    Ok(collection.games.iter().map(Game::last_position).collect())
}

/// The words of a line without its result.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let is_result = |word: &&str| GameResult::from_text(word).is_some();
    let skipped = usize::from(line.split_whitespace().next().as_ref().is_some_and(is_result));
    line.split_whitespace().skip(skipped)
}

/// Whether the text has a game per line: its first line has nothing but a result and moves.
fn is_list(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let mut words = words(first).peekable();
    words.peek().is_some() && words.all(|word| word.parse::<Move>().is_ok())
}

fn read_line(line: &str) -> anyhow::Result<Position> {
    let mut position = Position::startpos();
    for word in words(line) {
        let mv = position.parse_move(word)?;
        position.make(mv);
    }
    Ok(position)
}

/// The repetitions of each game, found by as many threads as the machine has cores.
fn judge_all(games: &[Position]) -> Vec<Vec<GameLoop>> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let bar = ProgressBar::new(games.len() as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} games {eta}") {
        bar.set_style(style);
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        loop {
            let batch = next.fetch_add(1, Ordering::Relaxed);
            let Some(games) = games.chunks(BATCH).nth(batch) else { return found };
            let loops: Vec<_> = games.iter().map(|game| judge_game(game, &RuleSet::ALL)).collect();
            bar.inc(games.len() as u64);
            found.push((batch, loops));
        }
    };
    let mut batches: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().filter_map(|worker| worker.join().ok()).flatten().collect()
    });
    bar.finish_and_clear();
    batches.sort_by_key(|(batch, _)| *batch);
    batches.into_iter().flat_map(|(_, loops)| loops).collect()
}

fn loop_line(game: usize, found: &GameLoop) -> LoopLine {
    let line = |(rules, ruling): (RuleSet, &LoopRuling)| RulingLine {
        rules: rules.name(),
        ruling: ruling_text(ruling.loser),
        red: ruling.red.to_string(),
        black: ruling.black.to_string(),
        undecided: ruling.is_undecided,
    };
    LoopLine {
        game,
        start: found.start,
        moves: found.moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" "),
        occurrences: found.occurrences,
        rulings: RuleSet::ALL.into_iter().zip(&found.rulings).map(line).collect(),
    }
}

fn ruling_text(loser: Option<Color>) -> &'static str {
    match loser {
        None => "draw",
        Some(Color::Red) => "red loses",
        Some(Color::Black) => "black loses",
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
