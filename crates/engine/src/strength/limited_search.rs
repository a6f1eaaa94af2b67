//! The search of one move below full strength.
//!
//! 1. A first look: every own move that the player considers is tried, with the best answer among
//!    those that the player does not overlook.
//! 2. The moves that look best are calculated further.
//! 3. The move that looks best then is played.
//!
//! All of it consists of short searches of the ordinary kind, so a limited search is never slower
//! than a full one. The endgame tables are not used.

use std::mem;
use std::sync::Arc;

use cannonade_tables::Tables;
use crossbeam_channel::Sender;
use parking_lot::Mutex;
use web_time::{Duration, Instant};
use xiangqi::board::{Move, Position};
use xiangqi::rules::search::{end_by_count, judge_occurrences};
use xiangqi::rules::{DEFAULT_OCCURRENCES, Wdl};

use super::calculation::{Calculation, LimitedCandidate};
use super::levels::{Handicap, Strength};
use super::perception::Perception;
use crate::search::{
    Bound, Limits, PvInfo, Reporter, Score, SearchContext, SearchInfo, SearchOptions, SearchState,
    Signals, TranspositionTable, Worker, WorkerResult, longest_time,
};
use crate::{Conclusion, Event};

/// Number of lines among which variety chooses.
const VARIETY_LINES: usize = 4;

/// One search below full strength.
pub(crate) struct LimitedSearch {
    handicap: Handicap,
    seed: u64,
    limits: Limits,
    start: Instant,
    /// Time after which no other candidate is calculated.
    longest: Option<Duration>,
    options: SearchOptions,
    table: Arc<TranspositionTable>,
    signals: Signals,
    /// The short search that is running.
    running: Mutex<Option<Arc<SearchContext>>>,
    /// The last exact line of the short search after a candidate.
    exact: Arc<Mutex<Option<PvInfo>>>,
}

/// Place of a limited search among its short searches.
pub(crate) struct LimitedRun {
    /// The position, on which moves are tried.
    position: Position,
    /// The short search that is running.
    part: Option<SearchState>,
    /// True if the worker has searched a candidate.
    has_searched: bool,
    stage: LimitedStage,
    /// Nodes of the finished short searches.
    nodes: u64,
    is_reported: bool,
}

enum LimitedStage {
    /// The candidates are calculated one after the other.
    Calculation(Calculation),
    /// At full strength, one search gives the lines to choose from.
    Variety(Arc<Mutex<Vec<PvInfo>>>),
    /// Only a signal may be awaited.
    Chosen(Option<LimitedCandidate>),
}

impl LimitedSearch {
    /// Returns the limits of the whole search.
    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Creates a search with the options and limits of a full one. `table` should be a separate
    /// one, because oversights would spoil another's entries.
    pub(crate) fn new(
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
            longest: longest_time(&limits, &options),
            limits,
            start,
            options,
            table,
            running: Mutex::new(None),
            exact: Arc::default(),
        }
    }

    /// Ends the search as soon as possible.
    pub(crate) fn request_stop(&self) {
        self.signals.request_stop();
        if let Some(context) = &*self.running.lock() {
            context.signals.request_stop();
        }
    }

    /// Starts the clock: the opponent played the expected move.
    pub(crate) fn ponder_hit(&self) {
        self.signals.ponder_hit();
        if let Some(context) = &*self.running.lock() {
            context.signals.ponder_hit();
        }
    }

    /// Begins to search the position; [`LimitedSearch::resume`] goes on.
    pub(crate) fn begin(
        &self,
        worker: &mut Worker,
        position: &Position,
        events: &Sender<Event>,
    ) -> LimitedRun {
        let mut position = position.clone();
        let (part, stage) = match self.handicap.strength {
            Some(strength) => {
                if self.handicap.is_repeatable {
                    worker.clear();
                }
                (None, LimitedStage::Calculation(self.first_look(strength, &mut position)))
            }
            None => self.vary(worker, &position, events),
        };
        let mut run =
            LimitedRun { position, part, has_searched: false, stage, nodes: 0, is_reported: false };
        self.proceed(&mut run, worker);
        run
    }

    /// Searches the position to the end, or up to the instant `until`, as [`Worker::resume`] does.
    /// The result comes after `stop` or `ponderhit` if the limits ask for that.
    pub(crate) fn resume(
        &self,
        run: &mut LimitedRun,
        worker: &mut Worker,
        events: &Sender<Event>,
        until: Option<Instant>,
    ) -> Option<Conclusion> {
        while let Some(part) = &mut run.part {
            let result = worker.resume(part, until)?;
            *self.running.lock() = None;
            run.part = None;
            run.nodes += result.nodes;
            match &mut run.stage {
                LimitedStage::Calculation(calculation) => {
                    calculation.accept(result, self.exact.lock().take());
                }
                LimitedStage::Variety(lines) => {
                    let chosen = self.varied(&lines.lock(), &run.position, result);
                    run.stage = LimitedStage::Chosen(chosen);
                }
                LimitedStage::Chosen(_) => {}
            }
            self.proceed(run, worker);
        }
        let chosen = match &run.stage {
            LimitedStage::Chosen(chosen) => chosen.as_ref(),
            LimitedStage::Calculation(_) | LimitedStage::Variety(_) => None,
        };
        if let Some(candidate) = chosen.filter(|_| !mem::replace(&mut run.is_reported, true)) {
            self.report(candidate, run.nodes, events);
        }
        if until.is_some() && !self.signals.is_released(self.limits.infinite) {
            return None;
        }
        self.signals.wait_for_release(self.limits.infinite);
        let lost = if run.position.has_legal_move() { Score::Cp(0) } else { Score::Mate(0) };
        Some(Conclusion {
            best: chosen.map(|candidate| candidate.mv),
            ponder: chosen.and_then(|candidate| candidate.pv.get(1).copied()),
            score: chosen.map_or(lost, |candidate| candidate.score),
            bound: chosen.map_or(Bound::Exact, |candidate| candidate.bound),
            depth: chosen.map_or(0, |candidate| candidate.depth),
            nodes: run.nodes,
            time: self.start.elapsed(),
            broken: false,
        })
    }

    /// Reports the move. If its score is a bound, the last exact line comes before, for clients
    /// without bounds.
    fn report(&self, candidate: &LimitedCandidate, nodes: u64, events: &Sender<Event>) {
        if candidate.depth == 0 {
            return;
        }
        let &LimitedCandidate { depth, score, bound, ref pv, ref exact, .. } = candidate;
        let (hashfull, time) = (self.table.hashfull(), self.start.elapsed());
        let exact = exact.iter().map(|(score, pv)| (*score, Bound::Exact, pv));
        for (score, bound, pv) in exact.chain([(score, bound, pv)]) {
            let line = PvInfo::new(depth, score, bound, pv.clone());
            let ends_iteration = bound == Bound::Exact;
            let info = PvInfo { ends_iteration, nodes, hashfull, time, ..line };
            // Without a receiver the event is not needed.
            let _ = events.send(Event::Pv(info));
        }
    }

    /// Returns the first look of a player of this strength.
    fn first_look(&self, strength: Strength, position: &mut Position) -> Calculation {
        let mut habits = strength.habits();
        habits.misjudges = habits.misjudges.max(f64::from(self.handicap.variety));
        let perception = Perception::new(&habits, self.seed, position);
        self.table.clear();
        self.table.new_search();
        Calculation::first_look(habits, &perception, &self.limits, position)
    }

    /// Starts the next short search, or chooses the move after the last one.
    fn proceed(&self, run: &mut LimitedRun, worker: &mut Worker) {
        while let LimitedStage::Calculation(calculation) = &mut run.stage {
            // At least one candidate is looked at.
            let is_over = !calculation.is_at_start() && self.is_over(run.nodes);
            let most_nodes = calculation.nodes;
            match calculation.current().filter(|_| !is_over) {
                Some(candidate) => match self.ruled(&mut run.position, candidate.mv) {
                    Some(score) => {
                        candidate.score = score;
                        calculation.skip();
                    }
                    None => {
                        let context = self.after(candidate, most_nodes, run.nodes);
                        run.part = Some(if run.has_searched {
                            worker.begin_sibling(&context, candidate.mv)
                        } else {
                            worker.begin(&context, run.position.after([candidate.mv]))
                        });
                        run.has_searched = true;
                        return;
                    }
                },
                None if most_nodes.is_none() => calculation.go_deeper(),
                None => run.stage = LimitedStage::Chosen(calculation.best()),
            }
        }
    }

    /// Returns whether the calculation is over.
    fn is_over(&self, nodes: u64) -> bool {
        let is_late =
            |longest| !self.signals.is_pondering() && self.clock_start().elapsed() >= longest;
        self.signals.is_stopped()
            || self.limits.nodes.is_some_and(|limit| nodes >= limit)
            || self.longest.is_some_and(is_late)
    }

    /// Returns the instant at which the time of the search begins: a ponder hit, if there was one.
    fn clock_start(&self) -> Instant {
        self.signals.hit_at().unwrap_or(self.start)
    }

    /// Returns a search after a candidate, to one ply or with a number of nodes. `nodes` are those
    /// of the searches before.
    fn after(
        &self,
        candidate: &LimitedCandidate,
        most_nodes: Option<u64>,
        nodes: u64,
    ) -> Arc<SearchContext> {
        let depth = if most_nodes.is_some() { u32::MAX } else { 1 };
        let left = self.limits.nodes.map(|limit| limit.saturating_sub(nodes).max(1));
        let limits = Limits {
            depth: Some(self.limits.depth.map_or(depth, |limit| depth.min(limit.max(2) - 1))),
            // The look at a candidate is complete: a depth of one ply is short.
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
        let exact = Arc::clone(&self.exact);
        *exact.lock() = None;
        let reporter = move |info| match info {
            SearchInfo::Pv(line) if line.bound == Bound::Exact => *exact.lock() = Some(line),
            _ => {}
        };
        self.part(limits, options, Box::new(reporter))
    }

    /// Returns the score of the player's move if the game ends with it. The move is tried on the
    /// position.
    fn ruled(&self, position: &mut Position, mv: Move) -> Option<Score> {
        position.play_unchecked(mv);
        let score = self.ruled_after(position);
        position.unmake();
        score
    }

    fn ruled_after(&self, after: &Position) -> Option<Score> {
        if !after.has_legal_move() {
            return Some(Score::Mate(1));
        }
        let SearchOptions { rules, natural_move_limit, draw_score, .. } = self.options;
        let draw = Score::Cp(draw_score);
        if let Some(ruling) = judge_occurrences(after, DEFAULT_OCCURRENCES, rules) {
            return Some(match ruling.verdict {
                Wdl::Draw => draw,
                Wdl::Win => Score::Rule(-1),
                Wdl::Loss => Score::Rule(1),
            });
        }
        end_by_count(after, natural_move_limit).map(|_| draw)
    }

    /// Returns one short search of the ordinary kind, which runs from now on.
    fn part(
        &self,
        limits: Limits,
        options: SearchOptions,
        reporter: Reporter,
    ) -> Arc<SearchContext> {
        let table = Arc::clone(&self.table);
        let is_pondering = self.signals.is_pondering();
        // All parts after a ponder hit share the time that begins with it.
        let start = self.clock_start();
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
        context
    }

    /// Begins a full search of several lines.
    fn vary(
        &self,
        worker: &mut Worker,
        position: &Position,
        events: &Sender<Event>,
    ) -> (Option<SearchState>, LimitedStage) {
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
        let context = self.part(limits, self.options.clone(), reporter);
        (Some(worker.begin(&context, position.clone())), LimitedStage::Variety(lines))
    }

    /// Chooses among lines that are nearly as good as the best.
    fn varied(
        &self,
        lines: &[PvInfo],
        position: &Position,
        result: WorkerResult,
    ) -> Option<LimitedCandidate> {
        let best = result.score.centipawns();
        let is_near = |line: &&PvInfo| {
            let value = line.score.centipawns();
            // The true value of an upper bound may lie far below.
            let is_known = line.bound != Bound::Upper && !line.score.is_decisive();
            is_known && best - value <= self.handicap.variety
        };
        let near: Vec<&PvInfo> = lines.iter().filter(is_near).collect();
        let mut random = cannonade_tables::random::Random::stream(
            self.seed ^ position.key(),
            position.ply() as u64,
        );
        let chosen = (!near.is_empty()).then(|| near[random.below(near.len())]);
        let (score, bound, depth, pv) = match chosen {
            Some(line) => (line.score, line.bound, line.depth, line.pv.clone()),
            None => (result.score, result.bound, result.depth, result.pv),
        };
        let mv = pv.first().copied().or(result.best)?;
        Some(LimitedCandidate {
            mv,
            score,
            bound,
            exact: None,
            misjudgement: 0,
            depth,
            pv,
            overlooked: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use xiangqi::rules::search::Tally;

    use super::*;

    #[test]
    fn variety_leaves_out_moves_that_may_be_far_worse() {
        let position = Position::startpos();
        let line = |rank, mv: &str, bound| {
            let pv: Vec<Move> = mv.parse().into_iter().collect();
            PvInfo { multi_pv: rank, ..PvInfo::new(5, Score::Cp(20 - rank as i32), bound, pv) }
        };
        let result = WorkerResult {
            best: "h2e2".parse().ok(),
            ponder: None,
            score: Score::Cp(19),
            bound: Bound::Exact,
            exact: Some(Score::Cp(19)),
            depth: 5,
            pv: Vec::new(),
            nodes: 0,
            judging: Tally::default(),
        };
        let chosen = |bound| -> Vec<String> {
            let lines = [line(1, "h2e2", Bound::Exact), line(2, "b2e2", bound)];
            let mut moves: Vec<String> = (0..20)
                .filter_map(|seed| {
                    let search = LimitedSearch::new(
                        Handicap { strength: None, variety: 50, is_repeatable: false },
                        seed,
                        (Limits::default(), Instant::now()),
                        SearchOptions::default(),
                        Arc::new(TranspositionTable::new(1)),
                    );
                    search.varied(&lines, &position, result.clone())
                })
                .map(|candidate| candidate.mv.to_string())
                .collect();
            moves.sort_unstable();
            moves.dedup();
            moves
        };
        assert_eq!(chosen(Bound::Exact), ["b2e2", "h2e2"]);
        assert_eq!(chosen(Bound::Upper), ["h2e2"]);
    }
}
