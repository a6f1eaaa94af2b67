//! Blocking searches. Front ends that serve other events meanwhile use [`Engine::go`].

use crossbeam_channel::{Receiver, RecvTimeoutError, unbounded};
use serde::{Deserialize, Serialize};
use web_time::{Duration, Instant};
use xiangqi::board::{Move, Position};

use super::{Conclusion, Engine, Event};
use crate::search::{Bound, Limits, PvInfo, Score, SearchContext};

/// Interval at which a stop is checked.
const STOP_INTERVAL: Duration = Duration::from_millis(20);

/// An engine whose caller waits for each search.
///
/// ```
/// use xiangqi::board::Position;
/// use cannonade_engine::BlockingEngine;
/// use cannonade_engine::search::Limits;
///
/// let mut engine = BlockingEngine::new();
/// let limits = Limits { depth: Some(2), ..Limits::default() };
/// let found = engine.search(Position::startpos(), limits, || false, |_| {});
/// assert_eq!(found.best_line().first(), found.conclusion.best.as_ref());
/// ```
pub struct BlockingEngine {
    engine: Engine,
    events: Receiver<Event>,
}

/// A finished search.
#[derive(Clone, Debug)]
pub struct FinishedSearch {
    /// Best move, score and statistics.
    pub conclusion: Conclusion,
    /// The last exact principal variations by rank, the best one first. It begins with the best
    /// move.
    pub lines: Vec<SearchLine>,
    /// The lines of the last finished iteration; empty if none was finished.
    settled: Vec<SearchLine>,
}

/// A principal variation of a finished search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SearchLine {
    /// The score for the side to move.
    pub score: Score,
    /// Moves from the root on.
    pub moves: Vec<Move>,
}

impl FinishedSearch {
    /// Returns the lines of the last finished iteration; without one, the last lines, whose scores
    /// may be bounds.
    pub fn settled_lines(&self) -> &[SearchLine] {
        // An unfinished iteration may have found another move, but not its score.
        if self.settled.is_empty() { &self.lines } else { &self.settled }
    }

    /// Returns the score of the best settled line.
    pub fn score(&self) -> Score {
        self.settled_lines().first().map_or(self.conclusion.score, |line| line.score)
    }

    /// Returns the moves of the best line; empty without a legal move.
    pub fn best_line(&self) -> &[Move] {
        self.lines.first().map_or(&[], |line| &line.moves)
    }

    /// Combines the result and the lines. The vote of several threads can choose another move than
    /// the best line, and a search that is stopped at once has none: then a line begins with the
    /// best move and the expected answer.
    fn new(
        conclusion: Conclusion,
        mut lines: Vec<SearchLine>,
        settled: Vec<SearchLine>,
    ) -> FinishedSearch {
        let first = |line: &SearchLine| line.moves.first().copied();
        if let Some(best) = conclusion.best
            && lines.first().and_then(first) != Some(best)
        {
            lines.retain(|line| first(line) != Some(best));
            let moves = [best].into_iter().chain(conclusion.ponder).collect();
            lines.insert(0, SearchLine { score: conclusion.score, moves });
        }
        FinishedSearch { conclusion, lines, settled }
    }
}

impl Default for BlockingEngine {
    fn default() -> BlockingEngine {
        BlockingEngine::new()
    }
}

impl BlockingEngine {
    /// Creates an engine at the starting position.
    pub fn new() -> BlockingEngine {
        // All workers share it. Were it left to the first of them, a child of a process that forks
        // meanwhile would wait for it for ever.
        SearchContext::idle();
        let (sender, events) = unbounded();
        BlockingEngine { engine: Engine::new(sender), events }
    }

    /// Returns the engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns the engine, for its options.
    pub fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Searches a position up to the limits, or until `is_stopped`, which is called often. `report`
    /// receives each new exact principal variation.
    pub fn search(
        &mut self,
        position: Position,
        limits: Limits,
        mut is_stopped: impl FnMut() -> bool,
        mut report: impl FnMut(&PvInfo),
    ) -> FinishedSearch {
        // Another search, begun by `engine_mut` or left when `report` panicked, has its answer in
        // the channel.
        self.engine.stop();
        self.engine.wait();
        self.events.try_iter().for_each(drop);
        self.engine.set_position(position);
        self.engine.go(limits, Instant::now());
        self.engine.work_off();
        let (mut lines, mut settled) = (Vec::new(), Vec::new());
        loop {
            // What is there already needs no clock: without threads, that is all.
            let ready = self.events.try_recv();
            match ready.or_else(|_| self.events.recv_timeout(STOP_INTERVAL)) {
                Ok(Event::Pv(info)) if info.bound == Bound::Exact => {
                    report(&info);
                    let rank = info.multi_pv.max(1) - 1;
                    let line = SearchLine { score: info.score, moves: info.pv };
                    if info.ends_iteration {
                        settled.truncate(rank);
                        settled.push(line.clone());
                    }
                    match lines.get_mut(rank) {
                        Some(known) => *known = line,
                        None => lines.push(line),
                    }
                }
                Ok(Event::BestMove(conclusion)) => {
                    return FinishedSearch::new(conclusion, lines, settled);
                }
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                // The engine holds the other end as long as it lives.
                Err(RecvTimeoutError::Disconnected) => {
                    return FinishedSearch::new(Conclusion::default(), lines, settled);
                }
            }
            if is_stopped() {
                self.engine.stop();
            }
        }
    }
}
