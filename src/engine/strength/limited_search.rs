//! The search of one move below full strength.
//!
//! 1. A first look: every own move that the player considers is tried, with the best answer among
//!    those that the player does not overlook.
//! 2. The moves that look best are calculated further.
//! 3. The move that looks best then is played.
//!
//! All of it consists of short searches of the ordinary kind, so a limited search is never slower
//! than a full one. The endgame tables are not used.

use std::sync::Arc;
use std::time::Instant;

use crossbeam_channel::Sender;
use parking_lot::Mutex;
use xiangqi::board::{Checks, Move, MoveList, Position};
use xiangqi::rules::Wdl;
use xiangqi::rules::search::{History, end_by_count};

use super::levels::{Habits, Handicap, Strength};
use super::perception::Perception;
use crate::engine::{Conclusion, Event};
use crate::search::{
    Bound, Limits, PvInfo, Score, SearchContext, SearchInfo, SearchOptions, Signals,
    TranspositionTable, Worker, WorkerResult,
};
use crate::tables::Tables;

/// Number of lines among which variety chooses.
const VARIETY_LINES: usize = 4;

/// One search below full strength.
pub(in crate::engine) struct LimitedSearch {
    handicap: Handicap,
    seed: u64,
    limits: Limits,
    start: Instant,
    options: SearchOptions,
    table: Arc<TranspositionTable>,
    signals: Signals,
    /// The short search that is running.
    running: Mutex<Option<Arc<SearchContext>>>,
}

/// An own move and its assessment by the player.
struct LimitedCandidate {
    mv: Move,
    /// Score for the player, within the player's sight.
    score: Score,
    /// Misjudgement by the player, in centipawns.
    misjudgement: i32,
    /// Depth in plies, counted from the player's move.
    depth: u32,
    /// The move and the expected continuation.
    pv: Vec<Move>,
    /// Answers that the player does not see.
    overlooked: Vec<Move>,
}

impl LimitedCandidate {
    /// Returns the worth of the move to the player, who does not misjudge a decided game.
    fn appeal(&self) -> i32 {
        let value = self.score.centipawns();
        if self.score.is_decisive() { value } else { value + self.misjudgement }
    }
}

impl LimitedSearch {
    /// Creates a search with the options and limits of a full one. `table` should be a separate
    /// one, because oversights would spoil another's entries.
    pub(in crate::engine) fn new(
        handicap: Handicap,
        seed: u64,
        (limits, start): (Limits, Instant),
        options: SearchOptions,
        table: Arc<TranspositionTable>,
    ) -> LimitedSearch {
        LimitedSearch {
            handicap,
            seed,
            signals: Signals::new(limits.ponder),
            limits,
            start,
            options,
            table,
            running: Mutex::new(None),
        }
    }

    /// Ends the search as soon as possible.
    pub(in crate::engine) fn request_stop(&self) {
        self.signals.request_stop();
        if let Some(context) = &*self.running.lock() {
            context.signals.request_stop();
        }
    }

    /// Starts the clock: the opponent played the expected move.
    pub(in crate::engine) fn ponder_hit(&self) {
        self.signals.ponder_hit();
        if let Some(context) = &*self.running.lock() {
            context.signals.ponder_hit();
        }
    }

    /// Searches the position. Returns after `stop` or `ponderhit` if the limits ask for that.
    pub(in crate::engine) fn run(
        &self,
        worker: &mut Worker,
        position: &Position,
        events: &Sender<Event>,
    ) -> Conclusion {
        let mut nodes = 0;
        let chosen = match self.handicap.strength {
            Some(strength) => self.play(strength, worker, position, &mut nodes),
            None => self.vary(worker, position, events, &mut nodes),
        };
        let time = self.start.elapsed();
        if let Some(candidate) = chosen.as_ref().filter(|candidate| candidate.depth > 0) {
            // Without a receiver the event is not needed.
            let _ = events.send(Event::Pv(PvInfo {
                depth: candidate.depth,
                sel_depth: candidate.depth.max(candidate.pv.len() as u32),
                multi_pv: 1,
                score: candidate.score,
                bound: Bound::Exact,
                nodes,
                nps: (nodes as f64 / time.as_secs_f64().max(0.001)) as u64,
                hashfull: self.table.hashfull(),
                tb_hits: 0,
                time,
                pv: candidate.pv.clone(),
            }));
        }
        self.signals.wait_for_release(self.limits.infinite);
        let lost = if position.has_legal_move() { Score::Cp(0) } else { Score::Mate(0) };
        Conclusion {
            best: chosen.as_ref().map(|candidate| candidate.mv),
            ponder: chosen.as_ref().and_then(|candidate| candidate.pv.get(1).copied()),
            score: chosen.as_ref().map_or(lost, |candidate| candidate.score),
            depth: chosen.as_ref().map_or(0, |candidate| candidate.depth),
            nodes,
            time: self.start.elapsed(),
            broken: false,
        }
    }

    /// Chooses the move of a player of this strength.
    fn play(
        &self,
        strength: Strength,
        worker: &mut Worker,
        position: &Position,
        nodes: &mut u64,
    ) -> Option<LimitedCandidate> {
        let mut habits = strength.habits();
        habits.misjudges = habits.misjudges.max(f64::from(self.handicap.variety));
        let perception = Perception::new(&habits, self.seed, position);
        self.table.clear();
        self.table.new_search();
        let mut candidates = self.considered(&perception, position);
        let mut seen = 0;
        for candidate in &mut candidates {
            self.calculate(worker, position, candidate, (1, None), nodes);
            seen += 1;
            if self.is_over(*nodes) {
                break;
            }
        }
        // Candidates that were not examined are not played.
        candidates.truncate(seen);
        candidates.sort_by_key(|candidate| -candidate.appeal());
        self.calculate_best(&habits, worker, position, &mut candidates, nodes);
        candidates.into_iter().next()
    }

    /// Calculates the candidates that look best, and puts the best one first.
    fn calculate_best(
        &self,
        habits: &Habits,
        worker: &mut Worker,
        position: &Position,
        candidates: &mut [LimitedCandidate],
        nodes: &mut u64,
    ) {
        let count = (habits.candidates.round() as usize).clamp(1, candidates.len().max(1));
        let each = (habits.nodes / count as f64) as u64;
        let Some(best) = candidates.get_mut(..count) else { return };
        for candidate in best.iter_mut() {
            if self.is_over(*nodes) {
                break;
            }
            self.calculate(worker, position, candidate, (u32::MAX, Some(each)), nodes);
        }
        best.sort_by_key(|candidate| -candidate.appeal());
    }

    /// Returns whether the calculation is over.
    fn is_over(&self, nodes: u64) -> bool {
        self.signals.is_stopped() || self.limits.nodes.is_some_and(|limit| nodes >= limit)
    }

    /// Returns the moves that the player considers, with the answers that the player overlooks.
    fn considered(&self, perception: &Perception, position: &Position) -> Vec<LimitedCandidate> {
        let allowed = self.allowed(position);
        let checks = Checks::of(position);
        let considers = |mv: &&Move| perception.considers(position, &checks, **mv);
        let mut moves: Vec<Move> = allowed.iter().filter(considers).copied().collect();
        if moves.is_empty() {
            moves.extend(allowed);
        }
        let candidate = |mv| {
            let after = position.after([mv]);
            let checks = Checks::of(&after);
            let answers = after.legal_moves();
            let mut overlooked: Vec<Move> = (answers.iter().copied())
                .filter(|&answer| perception.overlooks_answer(&after, &checks, answer))
                .collect();
            if overlooked.len() == answers.len() {
                overlooked.clear();
            }
            LimitedCandidate {
                mv,
                score: Score::Cp(0),
                misjudgement: perception.misjudgement(mv),
                depth: 1,
                pv: vec![mv],
                overlooked,
            }
        };
        moves.into_iter().map(candidate).collect()
    }

    /// Returns the legal moves that the limits allow.
    fn allowed(&self, position: &Position) -> MoveList {
        let Limits { search_moves, banned_moves, .. } = &self.limits;
        (position.legal_moves().into_iter())
            .filter(|mv| search_moves.is_empty() || search_moves.contains(mv))
            .filter(|mv| !banned_moves.contains(mv))
            .collect()
    }

    /// Evaluates a move for the player, to a depth after the move or with a number of nodes.
    fn calculate(
        &self,
        worker: &mut Worker,
        position: &Position,
        candidate: &mut LimitedCandidate,
        (depth, most_nodes): (u32, Option<u64>),
        nodes: &mut u64,
    ) {
        let mut after = position.clone();
        let mut history = History::new(position, self.options.rules);
        after.make(candidate.mv);
        history.push(&after);
        if let Some(score) = self.ruled(&after, &mut history) {
            candidate.score = score;
            return;
        }
        let left = self.limits.nodes.map(|limit| limit.saturating_sub(*nodes).max(1));
        let limits = Limits {
            depth: Some(self.limits.depth.map_or(depth, |limit| depth.min(limit.max(2) - 1))),
            // The first look is complete: a depth of one ply is short.
            nodes: most_nodes.map(|most| left.map_or(most, |left| most.min(left))),
            move_time: self.limits.move_time,
            clock: self.limits.clock,
            banned_moves: candidate.overlooked.clone(),
            ..Limits::default()
        };
        let options = SearchOptions {
            tables: Arc::new(Tables::default()),
            // The opponent searches here.
            draw_score: -self.options.draw_score,
            ..self.options.clone()
        };
        let result = self.search(worker, after, limits, (options, Box::new(|_| ())));
        *nodes += result.nodes;
        if result.depth > 0 && result.depth >= candidate.depth.saturating_sub(1) {
            candidate.score = for_other_side(result.score);
            candidate.depth = result.depth + 1;
            candidate.pv.truncate(1);
            candidate.pv.extend(result.pv);
        }
    }

    /// Returns the score of the player's move if the game ends with it; `after` is the position
    /// after it.
    fn ruled(&self, after: &Position, history: &mut History) -> Option<Score> {
        if !after.has_legal_move() {
            return Some(Score::Mate(1));
        }
        let draw = Score::Cp(self.options.draw_score);
        if let Some(ruling) = history.judge_prune(after, 0, 1) {
            return Some(match ruling.verdict {
                Wdl::Draw => draw,
                Wdl::Win => Score::Rule(-1),
                Wdl::Loss => Score::Rule(1),
            });
        }
        end_by_count(after, self.options.natural_move_limit).map(|_| draw)
    }

    /// Runs one short search of the ordinary kind.
    fn search(
        &self,
        worker: &mut Worker,
        position: Position,
        limits: Limits,
        (options, reporter): (SearchOptions, crate::search::Reporter),
    ) -> WorkerResult {
        let table = Arc::clone(&self.table);
        let is_pondering = self.signals.is_pondering();
        // All parts after a ponder hit share the time that begins with it.
        let start = self.signals.hit_at().unwrap_or(self.start);
        let context = SearchContext::new(limits, start, options, table, 1, reporter);
        let context = Arc::new(context.as_part(is_pondering));
        *self.running.lock() = Some(Arc::clone(&context));
        // A stop before this line has not reached the context.
        if self.signals.is_stopped() {
            context.signals.request_stop();
        }
        if !self.signals.is_pondering() {
            context.signals.ponder_hit();
        }
        let result = worker.search(&context, position);
        *self.running.lock() = None;
        result
    }

    /// Runs a full search of several lines and chooses one nearly as good as the best.
    fn vary(
        &self,
        worker: &mut Worker,
        position: &Position,
        events: &Sender<Event>,
        nodes: &mut u64,
    ) -> Option<LimitedCandidate> {
        let lines: Arc<Mutex<Vec<PvInfo>>> = Arc::default();
        let reported = Arc::clone(&lines);
        let events = events.clone();
        let limits = Limits { multi_pv: VARIETY_LINES, ..self.limits.clone() };
        self.table.new_search();
        let reporter = Box::new(move |info| {
            let SearchInfo::Pv(info) = info else { return };
            if info.multi_pv <= 1 {
                let _ = events.send(Event::Pv(info.clone()));
            }
            let mut lines = reported.lock();
            match lines.get_mut(info.multi_pv.max(1) - 1) {
                Some(line) => *line = info,
                None => lines.push(info),
            }
        });
        let options = (self.options.clone(), reporter as crate::search::Reporter);
        let result = self.search(worker, position.clone(), limits, options);
        *nodes += result.nodes;
        let lines = lines.lock();
        let best = result.score.centipawns();
        let is_near = |line: &&PvInfo| {
            let value = line.score.centipawns();
            !line.score.is_decisive() && best - value <= self.handicap.variety
        };
        let near: Vec<&PvInfo> = lines.iter().filter(is_near).collect();
        let mut random =
            crate::random::Random::stream(self.seed ^ position.key(), position.ply() as u64);
        let chosen = (!near.is_empty()).then(|| near[random.below(near.len())]);
        let (score, depth, pv) = match chosen {
            Some(line) => (line.score, line.depth, line.pv.clone()),
            None => (result.score, result.depth, result.pv),
        };
        let mv = pv.first().copied().or(result.best)?;
        Some(LimitedCandidate { mv, score, misjudgement: 0, depth, pv, overlooked: Vec::new() })
    }
}

/// Converts a score of the side to move after a move to the side that made the move.
fn for_other_side(score: Score) -> Score {
    match score {
        Score::Cp(centipawns) => Score::Cp(-centipawns),
        // Its own move comes before the mate of the opponent.
        Score::Mate(moves) if moves <= 0 => Score::Mate(1 - moves),
        Score::Mate(moves) => Score::Mate(-moves),
        Score::Rule(plies) => Score::Rule(-(plies + plies.signum())),
    }
}
