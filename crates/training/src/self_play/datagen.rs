//! A run of self-play: several games at a time, one per thread, written to one file. A game depends
//! only on the seed of the run, its number, the settings and the engine, so a run that was
//! interrupted and resumed has the same games as one without interruption.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use cannonade_engine::nnue::Evaluation;
use cannonade_engine::search::{Limits, SearchContext, SearchOptions, TranspositionTable, Worker};
use parking_lot::Mutex;
use thiserror::Error;
use xiangqi::board::{Move, Position};
use xiangqi::rules::{Outcome, Regulations, Wdl};

use super::game_loop::{
    NotPlayed, REFUSED_OPENINGS, SelfPlayAdjudication, SelfPlayer, can_begin, play,
};
use super::openings::OpeningPlan;
use crate::data::{GameFileError, GameWriter, SelfPlayGame};

/// Nodes of the search that scores an opening.
const OPENING_NODES: u64 = 5_000;

/// Hard node limit of a search, as a multiple of its soft limit.
const HARD_LIMIT: u64 = 8;

/// Size of the transposition table in MiB: enough for 300 plies of a few thousand nodes.
const TABLE_SIZE: usize = 2;

/// Occurrences of a position at which the repetition rules end a game.
const REPETITIONS: usize = 3;

/// The reason why a run ended early.
#[derive(Debug, Error)]
pub enum DatagenError {
    /// The file of games cannot be used.
    #[error(transparent)]
    File(#[from] GameFileError),
    /// No start position can be used.
    #[error(
        "none of {REFUSED_OPENINGS} start positions in a row can be used: the game is over there, or \
         a search scores it beyond {limit} centipawns; give more balanced positions with --openings, or \
         a smaller --listed-share"
    )]
    Openings {
        /// The maximum absolute score of a start position, in centipawns.
        limit: i32,
    },
    /// The games in the file are not those that the plan makes.
    #[error(
        "{path}: game {id} is not the one that this command plays; continue with the seed, the network, \
         the nodes, the openings and the program that the file was started with, or write to another file"
    )]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// The number of the game.
        id: u32,
    },
    /// The system gives no thread for a further game at the same time.
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
}

/// The settings of a run.
pub struct DatagenPlan {
    /// Random seed of the run.
    pub seed: u64,
    /// The numbers of the games to play.
    pub games: std::ops::Range<u32>,
    /// Games played at the same time, each in its own thread.
    pub threads: usize,
    /// Nodes per move after which the search starts no new depth.
    pub nodes: u64,
    /// The evaluation that plays.
    pub evaluation: Evaluation,
    /// Positions to start from.
    pub openings: Vec<Position>,
    /// The way openings are made.
    pub opening_plan: OpeningPlan,
    /// The conditions under which games end early.
    pub adjudication: SelfPlayAdjudication,
}

/// Progress of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DatagenProgress {
    /// Games that the file held at the start.
    pub in_file_before: u64,
    /// Games of the plan among them.
    pub games_before: u64,
    /// Games played by this run.
    pub games: u64,
    /// Plies of these games.
    pub plies: u64,
    /// Nodes searched for these games.
    pub nodes: u64,
    /// Draws among these games.
    pub draws: u64,
}

/// Plays the games of the plan that the file does not hold yet, until all are played or `stop` is
/// set. Calls `show` after each game.
///
/// # Errors
/// If the file cannot be read or written, is not a file of games, or is one of another run; if no
/// opening can be used; if a thread cannot be started.
pub fn generate(
    plan: &DatagenPlan,
    file: &Path,
    stop: &AtomicBool,
    mut show: impl FnMut(&DatagenProgress),
) -> Result<DatagenProgress, DatagenError> {
    let mut done = HashSet::new();
    let (mut first, mut foreign) = (None, None);
    let mut writer = GameWriter::resume(file, |game| {
        done.insert(game.id);
        if foreign.is_none() && !can_begin(&plan.openings, &plan.opening_plan, plan.seed, &game) {
            foreign = Some(game.id);
        }
        first.get_or_insert(game);
    })?;
    let mut progress = DatagenProgress {
        in_file_before: done.len() as u64,
        games_before: done.iter().filter(|id| plan.games.contains(id)).count() as u64,
        ..DatagenProgress::default()
    };
    show(&progress);
    let other_run = |id| Err(DatagenError::OtherRun { path: file.to_owned(), id });
    if let Some(first) = first {
        if let Some(id) = foreign {
            return other_run(id);
        }
        // Its nodes are not counted.
        let again = SelfPlaySearcher::new(plan, stop, &AtomicU64::new(0)).play(first.id);
        if again == Err(NotPlayed::Stopped) {
            return Ok(progress);
        }
        if again.as_ref() != Ok(&first) {
            return other_run(first.id);
        }
    }
    let nodes = AtomicU64::new(0);
    let missing = Mutex::new(plan.games.clone().filter(|id| !done.contains(id)));
    let next = || missing.lock().next();
    let (sender, receiver) = crossbeam_channel::bounded(64);
    let mut failure = None;
    thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            let sender = sender.clone();
            let run = || {
                let sender = sender;
                let mut player = SelfPlaySearcher::new(plan, stop, &nodes);
                while let Some(id) = next() {
                    let game = player.play(id);
                    let is_last = game.is_err();
                    if game == Err(NotPlayed::Stopped) || sender.send(game).is_err() || is_last {
                        return;
                    }
                }
            };
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, run) {
                stop.store(true, Ordering::Relaxed);
                failure = Some(DatagenError::Thread(error));
                break;
            }
        }
        drop(sender);
        for game in receiver {
            let limit = plan.adjudication.opening_score;
            let game = game.map_err(|_| DatagenError::Openings { limit });
            let written = game.and_then(|game| {
                writer.write(&game)?;
                Ok(game)
            });
            let game = match written {
                Ok(game) => game,
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    failure = Some(error);
                    break;
                }
            };
            progress.games += 1;
            progress.plies += game.plies.len() as u64;
            progress.nodes = nodes.load(Ordering::Relaxed);
            progress.draws += u64::from(game.result == Wdl::Draw);
            show(&progress);
        }
    });
    failure.map_or(Ok(progress), Err)
}

/// A player with one search thread.
struct SelfPlaySearcher<'a> {
    plan: &'a DatagenPlan,
    worker: Worker,
    table: Arc<TranspositionTable>,
    options: SearchOptions,
    limits: Limits,
    stop: &'a AtomicBool,
    nodes: &'a AtomicU64,
}

impl SelfPlaySearcher<'_> {
    fn new<'a>(
        plan: &'a DatagenPlan,
        stop: &'a AtomicBool,
        total: &'a AtomicU64,
    ) -> SelfPlaySearcher<'a> {
        SelfPlaySearcher {
            plan,
            worker: Worker::new(0),
            table: Arc::new(TranspositionTable::new(TABLE_SIZE)),
            options: SearchOptions {
                evaluation: plan.evaluation.clone(),
                ..SearchOptions::default()
            },
            limits: Limits {
                soft_nodes: Some(plan.nodes),
                nodes: Some(plan.nodes.saturating_mul(HARD_LIMIT)),
                ..Limits::default()
            },
            stop,
            nodes: total,
        }
    }

    /// Plays a game of the plan, given by its number.
    fn play(&mut self, id: u32) -> Result<SelfPlayGame, NotPlayed> {
        // The state left by earlier games.
        self.worker.clear();
        self.table.clear();
        let DatagenPlan { openings, opening_plan, adjudication, seed, .. } = self.plan;
        play(self, openings, opening_plan, adjudication, *seed, id)
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
        // Without a finished iteration a bound is all that is known.
        let score = outcome.exact.unwrap_or(outcome.score);
        Some((outcome.best, score.centipawns()))
    }
}

impl SelfPlayer for SelfPlaySearcher<'_> {
    fn score_opening(&mut self, position: &Position) -> Option<i32> {
        let limits = Limits { nodes: Some(OPENING_NODES), ..Limits::default() };
        self.search(position, limits).map(|(_, score)| score)
    }

    fn choose_move(&mut self, position: &Position) -> Option<(Move, i32)> {
        let (best, score) = self.search(position, self.limits.clone())?;
        Some((best?, score))
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let regulations = Regulations {
            rules: self.options.rules,
            occurrences: REPETITIONS,
            natural_limit: self.options.natural_move_limit,
        };
        regulations.outcome(position)
    }
}
