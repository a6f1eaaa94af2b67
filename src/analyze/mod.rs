//! `cannonade analyze`: a position, or the games of files, analysed for people and programs.

mod arguments;
mod file_games;
mod flag_names;
mod games;
mod positions;
mod progress;
mod reports;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context as _, anyhow};

pub(super) use arguments::Arguments;
use file_games::FileGames;
use xiangqi::board::Position;
use xiangqi::records::{self, decode_text};

use super::flags::table_source;
use super::interrupt::stop_on_interrupt;
use super::output::print_error;
use super::{Failure, input};
use cannonade_analysis::SearchSettings;
use cannonade_engine::search::Limits;

/// Seconds to search if no limit is given: one position, and each position of a game.
const POSITION_SECONDS: f64 = 5.0;
const GAME_SECONDS: f64 = 1.0;

/// Lines at the head of a file that are tried as FENs; one that is meant as a FEN makes it a file
/// of FENs.
const FIRST_LINES: usize = 10;

/// The input of an analysis.
enum Task {
    Position(Box<Position>),
    /// The positions of files of FENs.
    Positions(Vec<Position>),
    Games(FileGames),
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    reports::check(arguments)?;
    let (task, defects) = task(arguments).map_err(Failure::Input)?;
    if matches!(task, Task::Positions(_)) {
        positions::check(arguments)?;
    }
    let default = match task {
        Task::Position(_) | Task::Positions(_) => POSITION_SECONDS,
        Task::Games(_) => GAME_SECONDS,
    };
    let settings = SearchSettings {
        limits: Limits {
            depth: arguments.depth,
            nodes: arguments.nodes,
            move_time: seconds(arguments, default),
            ..Limits::default()
        },
        threads: arguments.threads as usize,
        hash_mib: arguments.hash as usize,
        tables: table_source(arguments.tables.as_deref()),
        multi_pv: arguments.multipv as usize,
    };
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    // Without the handler Ctrl-C ends the process, which loses the results.
    let _ = stop_on_interrupt(move || flag.store(true, Ordering::Relaxed));
    match task {
        Task::Position(position) => positions::run_one(arguments, &position, &settings, &stop)?,
        Task::Positions(positions) => positions::run_list(arguments, &positions, &settings, &stop)?,
        Task::Games(FileGames { games, .. }) if games.is_empty() => {
            return Err(Failure::Input(anyhow!("no game can be read; see the defects above")));
        }
        Task::Games(games) => games::run(arguments, &games, &settings, &stop)?,
    }
    if defects > 0 {
        return Err(anyhow!("defects of the files, reported above: {defects}").into());
    }
    Ok(())
}

/// Returns the input to analyse, and the number of defects in the files, which are reported.
fn task(arguments: &Arguments) -> anyhow::Result<(Task, usize)> {
    if arguments.files.is_empty() {
        return Ok((Task::Position(Box::new(arguments.position.position()?)), 0));
    }
    let (mut positions, mut files, mut defects) = (Vec::new(), FileGames::default(), 0);
    // A file of FENs without a valid one.
    let mut without_fen = None;
    for path in &arguments.files {
        let name = input::name(path);
        let bytes = input::read_bytes(path)?;
        if let Some(found) = fens(&bytes) {
            let before = positions.len();
            for fen in found {
                match fen {
                    Ok(position) => positions.push(position),
                    Err(error) => {
                        print_error(format_args!("{name}: {error:#}"));
                        defects += 1;
                    }
                }
            }
            if positions.len() == before {
                without_fen.get_or_insert(name);
            }
            continue;
        }
        let collection = input::not_empty(records::read(&bytes), path)?;
        input::report_defects(path, &collection.problems);
        defects += collection.problems.len();
        files.add(collection);
    }
    if let Some(name) = without_fen.filter(|_| positions.is_empty() && files.games.is_empty()) {
        return Err(anyhow!("{name} holds no valid FEN"));
    }
    match (positions.is_empty(), files.games.is_empty()) {
        (false, true) => Ok((Task::Positions(positions), defects)),
        (true, _) => Ok((Task::Games(files), defects)),
        (false, false) => Err(anyhow!("the files hold games and FENs; give one kind at a time")),
    }
}

/// Returns the lines of a file of FENs; `None` if none of its first lines is meant as one.
fn fens(bytes: &[u8]) -> Option<Vec<anyhow::Result<Position>>> {
    let (text, _) = decode_text(bytes);
    let lines = || Position::epd_lines(&text);
    let is_fen =
        |(_, line): (usize, &str)| looks_like_fen(line) || Position::from_epd(line).is_ok();
    // Tags and moves of a game come before a comment that might quote a FEN.
    let is_of_game = |(_, line): (usize, &str)| {
        line.starts_with(['[', '{', '<'])
            || line.starts_with(|c: char| c.is_ascii_digit()) && !is_fen((0, line))
    };
    let mut first = lines().take(FIRST_LINES).take_while(|&line| !is_of_game(line));
    if !first.any(is_fen) {
        return None;
    }
    let read = |(number, line)| {
        Position::from_epd(line).with_context(|| format!("line {number} is not a valid FEN"))
    };
    Some(lines().map(read).collect())
}

/// Returns whether a line that may have an error is meant as a FEN: it begins with letters and
/// digits in several parts with `/` between. No game file begins so.
fn looks_like_fen(line: &str) -> bool {
    let board = line.split_whitespace().next().unwrap_or_default();
    let is_board = |c: char| c.is_ascii_alphanumeric() || c == '/';
    board.matches('/').count() >= 2
        && board.chars().all(is_board)
        && board.contains(|c: char| c.is_ascii_alphabetic())
}

/// Returns the time to search; `None` if there is another limit.
fn seconds(arguments: &Arguments, default: f64) -> Option<Duration> {
    let unlimited = arguments.depth.is_none() && arguments.nodes.is_none();
    let seconds = arguments.time.or(unlimited.then_some(default));
    seconds.map(Duration::from_secs_f64)
}
