//! A run of self-play: many games at once, one thread each, into one file that can be gone on
//! with. A game depends only on the seed of the run, its number, the settings and the engine, so
//! that a run interrupted and resumed has the same games as one in a piece.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use super::game::GameResult;
use super::game_file::{FileError, GameWriter};
use super::opening::OpeningPlan;
use super::self_play::{Adjudication, Player, play};
use crate::board::{Move, Position};
use crate::evaluation::Evaluation;
use crate::rules::{Verdict, judge_ntimes};
use crate::search::{Limits, SearchContext, SearchOptions, TranspositionTable, Worker};

/// Nodes of the search that decides whether an opening is even.
const OPENING_NODES: u64 = 5_000;

/// A search may take so many times its soft nodes before it is cut off.
const HARD_LIMIT: u64 = 8;

/// Size of a player's table in MiB: some 300 plies of a few thousand nodes fit.
const TABLE_SIZE: usize = 2;

/// Occurrences of a position after which the judge ends a game.
const REPETITIONS: usize = 3;

/// The settings of a run.
pub struct Plan {
    /// The run's random seed.
    pub seed: u64,
    /// The numbers of the games to play.
    pub games: std::ops::Range<u32>,
    /// Games at once.
    pub threads: usize,
    /// Nodes after which no new depth of a move is begun.
    pub nodes: u64,
    /// What evaluates.
    pub evaluation: Evaluation,
    /// Positions to start from.
    pub openings: Vec<Position>,
    /// How openings are made.
    pub opening_plan: OpeningPlan,
    /// When games are over.
    pub adjudication: Adjudication,
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Games of the plan that were in the file before.
    pub games_before: u64,
    /// Games played now.
    pub games: u64,
    /// Plies of these.
    pub plies: u64,
    /// Nodes searched for them.
    pub nodes: u64,
    /// Drawn among them.
    pub draws: u64,
}

/// Plays the games of the plan that are not in the file yet, until all are played or `stop` is
/// set. `show` hears of each game.
pub fn generate(
    plan: &Plan,
    file: &Path,
    stop: &AtomicBool,
    mut show: impl FnMut(&Progress),
) -> Result<Progress, FileError> {
    let mut done = HashSet::new();
    let mut writer = GameWriter::resume(file, |game| {
        done.insert(game.id);
    })?;
    let missing: Vec<u32> = plan.games.clone().filter(|id| !done.contains(id)).collect();
    let mut progress = Progress {
        games_before: plan.games.len() as u64 - missing.len() as u64,
        ..Progress::default()
    };
    show(&progress);
    let next = AtomicUsize::new(0);
    let nodes = AtomicU64::new(0);
    let (sender, receiver) = crossbeam_channel::bounded(64);
    let mut failure = None;
    thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                let mut player = Searcher::new(plan, stop, &nodes);
                while let Some(&id) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
                    player.forget();
                    let (openings, opening_plan) = (&plan.openings, &plan.opening_plan);
                    let game = play(
                        &mut player,
                        openings,
                        opening_plan,
                        &plan.adjudication,
                        plan.seed,
                        id,
                    );
                    let Some(game) = game else { return };
                    if sender.send(game).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        for game in receiver {
            if let Err(error) = writer.write(&game) {
                stop.store(true, Ordering::Relaxed);
                failure = Some(error);
                break;
            }
            progress.games += 1;
            progress.plies += game.plies.len() as u64;
            progress.nodes = nodes.load(Ordering::Relaxed);
            progress.draws += u64::from(game.result == GameResult::Draw);
            show(&progress);
        }
    });
    failure.map_or(Ok(progress), Err)
}

/// A player who searches alone.
struct Searcher<'a> {
    worker: Worker,
    table: Arc<TranspositionTable>,
    options: SearchOptions,
    limits: Limits,
    stop: &'a AtomicBool,
    nodes: &'a AtomicU64,
}

impl Searcher<'_> {
    fn new<'a>(plan: &Plan, stop: &'a AtomicBool, total: &'a AtomicU64) -> Searcher<'a> {
        Searcher {
            worker: Worker::new(0),
            table: Arc::new(TranspositionTable::new(TABLE_SIZE)),
            options: SearchOptions {
                evaluation: plan.evaluation.clone(),
                ..SearchOptions::default()
            },
            limits: Limits {
                soft_nodes: Some(plan.nodes),
                nodes: Some(HARD_LIMIT * plan.nodes),
                ..Limits::default()
            },
            stop,
            nodes: total,
        }
    }

    /// Forgets all earlier games.
    fn forget(&mut self) {
        self.worker.clear();
        self.table.clear();
    }

    fn search(&mut self, position: &Position, limits: Limits) -> Option<(Option<Move>, i32)> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        self.table.new_search();
        let context = Arc::new(SearchContext::new(
            limits,
            Instant::now(),
            self.options.clone(),
            Arc::clone(&self.table),
            1,
            Box::new(|_| ()),
        ));
        let outcome = self.worker.search(&context, position.clone());
        self.nodes.fetch_add(outcome.nodes, Ordering::Relaxed);
        Some((outcome.best, outcome.score.centipawns()))
    }
}

impl Player for Searcher<'_> {
    fn look(&mut self, position: &Position) -> Option<i32> {
        let limits = Limits { nodes: Some(OPENING_NODES), ..Limits::default() };
        self.search(position, limits).map(|(_, score)| score)
    }

    fn think(&mut self, position: &Position) -> Option<(Move, i32)> {
        let (best, score) = self.search(position, self.limits.clone())?;
        Some((best?, score))
    }

    fn ruling(&self, position: &Position) -> Option<GameResult> {
        if position.halfmove_clock() >= self.options.natural_move_limit {
            return Some(GameResult::Draw);
        }
        let ruling = judge_ntimes(position, REPETITIONS, self.options.rules)?;
        Some(match ruling.verdict {
            Verdict::Win => GameResult::win(position.side()),
            Verdict::Draw => GameResult::Draw,
            Verdict::Loss => GameResult::win(!position.side()),
        })
    }
}
