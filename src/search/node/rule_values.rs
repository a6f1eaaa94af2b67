//! The value of a node where the rules of the game decide, without a search.

use crate::rules::{Verdict, end_by_count};
use crate::search::context::SearchContext;
use crate::search::value::{MAX_PLY, RULE_WIN, mated_in};
use crate::search::worker::Worker;

/// A position this many plies before the natural-move limit takes no cutoff from the transposition
/// table, whose entries do not know how many plies are left.
const NATURAL_LIMIT_MARGIN: u16 = 16;

impl Worker {
    /// The value of the node if it repeats a position for good (see [`crate::rules::History`]),
    /// reaches the natural-move limit, is a dead draw, was just reached by a capture into an
    /// endgame table, or lies at the greatest ply.
    pub(super) fn rule_value(&mut self, context: &SearchContext, beta: i32) -> Option<i32> {
        let options = &context.options;
        let draw = self.draw_value(context);
        if let Some(ruling) = self.game_history.judge_prune(&self.position, draw, beta) {
            let won = RULE_WIN - self.ply as i32;
            return Some(match ruling.verdict {
                Verdict::Draw => draw,
                Verdict::Win => self.path_value(ruling.since, won),
                Verdict::Loss => self.path_value(ruling.since, -won),
            });
        }
        if let Some(end) = end_by_count(&self.position, options.natural_move_limit) {
            return Some(if end.is_without_move() { mated_in(self.ply) } else { draw });
        }
        if self.position.state().captured.is_some()
            && let Some(value) = self.table_value(context)
        {
            return Some(value);
        }
        (self.ply >= MAX_PLY).then(|| self.value_at_max_ply())
    }

    /// Records that the value depends on an earlier state of the game, given by its index.
    fn path_value(&mut self, state: usize, value: i32) -> i32 {
        let root = self.position.ply() - self.ply;
        self.path_dependence = state as i32 - root as i32;
        value
    }

    /// The value of a draw for the side to move. The draw score of the options is from the view of
    /// the side that searches.
    #[inline]
    pub(super) fn draw_value(&self, context: &SearchContext) -> i32 {
        let score = context.options.draw_score;
        if self.position.side() == self.root_side { score } else { -score }
    }

    /// Whether the natural-move limit is so near that a value of the table could hide it.
    pub(super) fn nears_natural_limit(&self, context: &SearchContext) -> bool {
        let limit = context.options.natural_move_limit;
        let quiet = self.position.halfmove_clock();
        limit > 0 && quiet.saturating_add(NATURAL_LIMIT_MARGIN) > limit
    }
}
