//! Root moves with their values and statistics.

use std::cmp::Reverse;

use xiangqi::board::{Move, Position};

use super::context::SearchContext;
use super::info::{Bound, PvInfo, Score};
use super::limits::Limits;
use super::value::INFINITE;

#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Value in this iteration; `-INFINITE` if only known to be worse than the best.
    pub(super) value: i32,
    /// Its line of the previous iteration, if it had one.
    pub(super) previous: Option<PreviousLine>,
    /// Running mean of the values, the centre of the aspiration window.
    pub(super) mean: Option<i32>,
    /// Relation of `value` to the true one: the value of a failed aspiration window is a bound.
    pub(super) bound: Bound,
    /// Maximum ply reached below the move, counted from the root.
    pub(super) sel_depth: usize,
    /// Nodes searched below the move, over all iterations.
    pub(super) nodes: u64,
    /// Principal variation, beginning with the move.
    pub(super) pv: Vec<Move>,
    /// Value from the endgame tables, as seen from the root.
    pub(super) table_value: Option<i32>,
    /// Rank by the endgame tables and the rules: a move of a higher rank comes before all of a lower
    /// one, whatever the search says. 0 if neither decides.
    pub(super) rank: i32,
}

/// A finished line of an iteration, while the next one has none for the move.
#[derive(Clone, Debug)]
pub(super) struct PreviousLine {
    pub(super) value: i32,
    sel_depth: usize,
    pv: Vec<Move>,
}

impl RootMove {
    fn new(mv: Move) -> RootMove {
        RootMove {
            mv,
            value: -INFINITE,
            previous: None,
            mean: None,
            bound: Bound::Exact,
            sel_depth: 0,
            nodes: 0,
            pv: vec![mv],
            table_value: None,
            rank: 0,
        }
    }

    /// Begins an iteration.
    pub(super) fn begin_depth(&mut self) {
        // Only lines have values, and of a move that was none the last line is out of date.
        self.previous = (self.value != -INFINITE).then(|| PreviousLine {
            value: self.value,
            sel_depth: self.sel_depth,
            pv: self.pv.clone(),
        });
        self.value = -INFINITE;
    }

    /// Returns the line of the previous iteration if this one has none for the move.
    fn line_before(&self) -> Option<&PreviousLine> {
        self.previous.as_ref().filter(|_| self.value == -INFINITE)
    }

    /// Returns the value of this iteration, or of the previous one if this one has none. A value
    /// from the endgame tables outranks both.
    pub(super) fn best_value(&self) -> i32 {
        let searched = self.line_before().map_or(self.value, |line| line.value);
        self.table_value.unwrap_or(searched)
    }

    /// Returns the principal variation of the same iteration as [`RootMove::best_value`].
    pub(super) fn best_pv(&self) -> &[Move] {
        self.line_before().map_or(&self.pv, |line| &line.pv)
    }

    /// Returns the key that sorts root moves: by rank, then by the value of this iteration, then by
    /// that of the previous one.
    pub(super) fn order(&self) -> Reverse<(i32, i32, Option<i32>)> {
        Reverse((self.rank, self.value, self.previous.as_ref().map(|line| line.value)))
    }

    /// Returns the score for the protocols, and its relation to the true one.
    pub(super) fn score(&self) -> (Score, Bound) {
        let is_searched = self.value != -INFINITE && self.table_value.is_none();
        let bound = if is_searched { self.bound } else { Bound::Exact };
        (Score::from_value(self.best_value()), bound)
    }

    /// Records that the move is the best of this iteration so far; `rest` is the continuation.
    pub(super) fn set_best(&mut self, value: i32, bound: Bound, sel_depth: usize, rest: &[Move]) {
        self.value = value;
        self.bound = bound;
        self.sel_depth = sel_depth;
        self.pv.clear();
        self.pv.push(self.mv);
        self.pv.extend(rest);
    }

    /// Returns the information about this move as line number `multi_pv`.
    pub(super) fn pv_info(
        &self,
        context: &SearchContext,
        depth: i32,
        multi_pv: usize,
        pv: Vec<Move>,
    ) -> PvInfo {
        let is_current = self.value != -INFINITE;
        let (score, bound) = self.score();
        let depth = if is_current { depth } else { (depth - 1).max(1) };
        let sel_depth = self.line_before().map_or(self.sel_depth, |line| line.sel_depth) as u32;
        let line = PvInfo::new(depth as u32, score, bound, pv);
        PvInfo { sel_depth, multi_pv, ..context.with_statistics(line) }
    }
}

/// Returns the legal moves that the limits allow.
pub(super) fn root_moves(position: &Position, limits: &Limits) -> Vec<RootMove> {
    position.legal_moves().into_iter().filter(|&mv| limits.allows(mv)).map(RootMove::new).collect()
}
