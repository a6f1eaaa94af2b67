//! The commands that start work, and the answers to them.

use std::io::{self, Write};

use web_time::{Duration, Instant};
use xiangqi::board::Move;
use xiangqi::rules::RuleSet;

use super::Session;
use super::running_search::RunningSearch;
use crate::bench::{self, BenchedPosition};
use crate::search::{Bound, PvInfo, Score};
use crate::uci::go::GoRequest;
use crate::uci::replies::{Offer, Protocol};
use crate::{Conclusion, perft};

/// With a clock, the engine resigns when mated in at most this many moves (UCCI).
const RESIGN_MOVES: i32 = 2;

/// A draw is accepted when the engine's own score is at most this, in centipawns (UCCI).
const DRAW_SCORE: i32 = 0;

impl<W: Write> Session<W> {
    pub(super) fn go(&mut self, request: &GoRequest, arrived: Instant) -> io::Result<()> {
        if let Some(refused) = self.refused.clone() {
            self.message(&format!("{refused}; there is no position to search"))?;
        } else if let Some(depth) = request.perft() {
            self.perft(depth);
            return Ok(());
        } else if request.is_static() && self.protocol == Protocol::Ucci {
            let score = self.protocol.static_score(self.engine.evaluate());
            self.answered = Some(Instant::now());
            // Two writes: while the client does not read, those that begin with a score are
            // dropped.
            self.writer.line(&score)?;
            return self.writer.line(self.protocol.no_move());
        } else if let Some(malformed) = request.malformed() {
            let text = format!("go: '{malformed}' is not a limit; searching to depth 1");
            self.message(&text)?;
        }
        let seconds = self.protocol == Protocol::Ucci && !self.engine.options().use_millisec;
        let unit = if seconds { Duration::from_secs(1) } else { Duration::from_millis(1) };
        let mut limits = request.limits(self.engine.position().side(), unit);
        self.name_unreadable("go searchmoves", request.search_moves())?;
        limits.search_moves = self.legal_moves(request.search_moves());
        limits.banned_moves.clone_from(&self.banned);
        let nothing_legal = limits.search_moves.is_empty() && !request.search_moves().is_empty();
        if nothing_legal && self.refused.is_none() {
            let moves = request.search_moves().join(" ");
            self.message(&format!("go: none of the searchmoves is legal: {moves}"))?;
        }
        if self.refused.is_some() || nothing_legal {
            // No other move may be the answer; the client notices the missing move.
            limits.banned_moves = self.engine.position().legal_moves().into_iter().collect();
        }
        if self.protocol == Protocol::Uci && self.refused.is_none() && self.is_lost() {
            self.writer.line(&self.protocol.static_score(Score::Mate(0)))?;
        }
        self.engine.go(limits, arrived);
        self.search = Some(RunningSearch {
            endless: request.is_endless(),
            endless_after_hit: request.is_endless_after_hit(),
            draw_offered: request.offers_draw(),
            has_clock: request.has_clock(),
            reported: false,
            stopped: false,
        });
        Ok(())
    }

    /// Returns whether the side to move has no legal move, in check or not.
    fn is_lost(&self) -> bool {
        !self.engine.position().has_legal_move()
    }

    fn perft(&mut self, depth: u32) {
        let (position, ranks) = (self.engine.position().clone(), self.ranks());
        self.engine.run_in_background(move |task| {
            let print = |line| task.print(line);
            perft::run(position, depth, ranks, print, || task.is_stopped());
        });
        self.search = Some(RunningSearch::default());
    }

    pub(super) fn bench(&mut self, depth: Option<u32>) {
        let depth = depth.unwrap_or(bench::DEFAULT_DEPTH).max(1);
        self.engine.run_in_background(move |task| {
            let rules = RuleSet::default();
            let report = |position: BenchedPosition| task.print(position.to_string());
            let summary = bench::run(depth, rules, report, || task.is_stopped());
            task.print(summary.to_string());
        });
        self.search = Some(RunningSearch::default());
    }

    pub(super) fn write_pv(&mut self, info: &PvInfo) -> io::Result<()> {
        let pieces = self.engine.position().board().occupied().len();
        let wdl_of = self.engine.options().show_wdl.then_some(pieces);
        let Some(line) = self.format().report(info, wdl_of) else { return Ok(()) };
        if let Some(search) = &mut self.search {
            search.reported = true;
        }
        self.writer.line(&line)
    }

    /// Writes the result of a search.
    pub(super) fn conclude(&mut self, conclusion: &Conclusion) -> io::Result<()> {
        let search = self.search.take().unwrap_or_default();
        self.answered = (!search.stopped).then(Instant::now);
        if conclusion.broken {
            self.message("a search thread failed; please report this position")?;
        }
        let Some(best) = conclusion.best else {
            return self.writer.line(self.protocol.no_move());
        };
        if !search.reported {
            self.write_pv(&self.shallow_info(best, conclusion))?;
        }
        let offer = offer(&search, conclusion);
        self.writer.line(&self.format().best_move(best, conclusion.ponder, offer))
    }

    /// Returns the known figures of a move when the search ended before its first depth: some
    /// clients wait for a line with a score.
    fn shallow_info(&self, best: Move, conclusion: &Conclusion) -> PvInfo {
        let &Conclusion { score, bound, depth, nodes, time, .. } = conclusion;
        let score = if depth > 0 { score } else { self.engine.evaluate() };
        PvInfo { nodes, time, ..PvInfo::new(1, score, bound, vec![best]) }
    }
}

/// Returns the addition of a UCCI engine to this move.
fn offer(search: &RunningSearch, conclusion: &Conclusion) -> Offer {
    // The true score may be better than a lower bound.
    let known = conclusion.depth > 0 && conclusion.bound != Bound::Lower;
    match conclusion.score {
        Score::Mate(moves) if known && search.has_clock && (-RESIGN_MOVES..=0).contains(&moves) => {
            Offer::Resign
        }
        score if known && search.draw_offered && score.centipawns() <= DRAW_SCORE => Offer::Draw,
        _ => Offer::None,
    }
}
