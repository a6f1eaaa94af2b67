//! What the judge of repetitions, the other rules of the game and the endgame tables say at a node
//! (step 3), without a search.

use cannonade_tables::QuietResults;
use xiangqi::board::Board;
use xiangqi::rules::search::end_by_count;
use xiangqi::rules::{Wdl, mates_in_time};

use super::value::{EVALUATION_LIMIT, MATE, MAX_PLY, RULE_WIN, mated_in};
use super::worker::Worker;

/// Plies before the natural-move limit from which no cutoff is taken from the transposition table,
/// whose entries ignore the plies left.
const NATURAL_LIMIT_MARGIN: u16 = 16;

/// Divisor of the evaluation of an ending known to be drawn.
const DRAWN_DIVISOR: i32 = 20;
/// Divisor of the evaluation of an ending that is drawn without the stronger side's guards.
const LIKELY_DRAWN_DIVISOR: i32 = 8;
/// Minimum of the evaluation of an ending known to be won, in centipawns, were it even.
const KNOWN_WIN: i32 = 300;

impl Worker {
    /// Returns the value of the node if a repetition decides it (see
    /// [`xiangqi::rules::search::GameHistory`]), it reaches the natural-move limit, is a dead draw
    /// or an ending known to be drawn, was just reached by a capture into an endgame table, or lies
    /// at the maximum ply.
    pub(crate) fn rule_value(&mut self, beta: i32) -> Option<i32> {
        let options = &self.context.options;
        let draw = self.draw_value();
        if let Some(ruling) = self.game_history.judge_prune(&self.position, draw, beta) {
            let won = RULE_WIN - self.ply as i32;
            return Some(match ruling.verdict {
                Wdl::Draw => draw,
                Wdl::Win => self.path_value(ruling.since, won),
                Wdl::Loss => self.path_value(ruling.since, -won),
            });
        }
        if let Some(end) = end_by_count(&self.position, options.natural_move_limit) {
            return Some(if end.is_without_move() { mated_in(self.ply) } else { draw });
        }
        if self.position.state().captured.is_some()
            && let Some(value) = self.table_value()
        {
            return Some(value);
        }
        if QuietResults::may_hold(self.position.board())
            && let Some(value) = self.known_draw()
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

    /// Returns the value of a draw for the side to move. The draw score of the options is from the
    /// view of the searching side.
    #[inline]
    fn draw_value(&self) -> i32 {
        let score = self.context.options.draw_score;
        if self.position.side() == self.root_side { score } else { -score }
    }

    /// Returns the value of the node if a capture has just led into an endgame table. Later
    /// positions are not looked up again: their values follow from that of the capture.
    #[inline]
    fn table_value(&self) -> Option<i32> {
        let tables = &self.context.options.tables;
        if !tables.may_hold(self.position.board()) {
            return None;
        }
        // Positions that a perpetual check may decide are left to the search and the judge of
        // repetitions.
        let value = tables.value(self.position.board()).filter(|value| value.is_exact())?;
        self.context.count_tb_hits(1);
        let sign = match value.wdl() {
            Wdl::Draw => return Some(self.draw_value()),
            Wdl::Win => 1,
            Wdl::Loss => -1,
        };
        let plies = u16::from(value.plies().unwrap_or(0));
        let distance = i32::from(plies) + self.ply as i32;
        let limit = self.context.options.natural_move_limit;
        // A win that may be too long for the natural-move limit, or for the band of the mates, is
        // worth less than any mate.
        let is_near = distance < MAX_PLY as i32 && mates_in_time(&self.position, plies, limit);
        Some(sign * (if is_near { MATE } else { EVALUATION_LIMIT - 1 } - distance))
    }

    /// Returns the value of an ending known to be drawn: near that of a draw, with a part of the
    /// evaluation, so that the stronger side sets its opponent problems.
    #[cold]
    fn known_draw(&mut self) -> Option<i32> {
        let result = QuietResults::built_in().result(self.position.board())?;
        if result.wdl != Wdl::Draw {
            return None;
        }
        self.context.count_tb_hits(1);
        let divisor = if result.exact { DRAWN_DIVISOR } else { LIKELY_DRAWN_DIVISOR };
        Some(self.draw_value() + self.evaluator.evaluate(&self.position) / divisor)
    }

    /// Evaluates the position, which must not be in check. An ending known to be won has a minimum.
    #[inline]
    pub(crate) fn evaluate(&mut self) -> i32 {
        let value = self.evaluator.evaluate(&self.position);
        let board = self.position.board();
        if QuietResults::may_hold(board) && is_known_win(board) {
            return value.max(KNOWN_WIN + value / 4);
        }
        value
    }

    /// Returns the value of a node at the maximum ply: its evaluation, or 0 in check.
    #[cold]
    fn value_at_max_ply(&mut self) -> i32 {
        if self.position.in_check() { 0 } else { self.evaluate() }
    }

    /// Returns whether the natural-move limit is so near that a value of the table could hide it.
    pub(crate) fn nears_natural_limit(&self) -> bool {
        let limit = self.context.options.natural_move_limit;
        let quiet = self.position.halfmove_clock();
        limit > 0 && quiet.saturating_add(NATURAL_LIMIT_MARGIN) > limit
    }
}

#[cold]
fn is_known_win(board: &Board) -> bool {
    let result = QuietResults::built_in().result(board);
    result.is_some_and(|result| result.exact && result.wdl == Wdl::Win)
}
