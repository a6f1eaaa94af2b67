//! The moves of a gain by checks, for explanations.

use crate::board::{Move, Position};
use crate::geometry::Square;

use super::{
    Balance, Budget, CAPTURES, Captures, Gain, WINDOW, balance_after_check, captured_from, captures,
};

impl Gain<'_> {
    /// Returns the moves of the gain of this value that [`by_checks`](Gain::by_checks) has found:
    /// checks, the best replies, and captures.
    pub(in crate::rules::cxa) fn line_by_checks(
        &self,
        position: &mut Position,
        checks: u32,
        value: i32,
        budget: &mut Budget,
    ) -> Vec<Move> {
        let search = Captures { gain: *self, us: position.side(), target: None };
        let mut line = Vec::new();
        search.add_checks(position, Balance::default(), checks, value, budget, &mut line);
        line
    }
}

impl Captures<'_> {
    /// Adds the moves of a gain by checks of this value, with the best replies.
    fn add_checks(
        &self,
        position: &mut Position,
        balance: Balance,
        checks: u32,
        value: i32,
        budget: &mut Budget,
        line: &mut Vec<Move>,
    ) {
        let check = position.legal_moves().into_iter().find(|&mv| {
            self.is_check(position, mv)
                && self.after_check(position, balance, mv, checks, value - 1, budget) >= value
        });
        let Some(check) = check else { return };
        let after = balance_after_check(balance, position, check);
        line.push(check);
        position.play_unchecked(check);
        let reply = position
            .legal_moves()
            .into_iter()
            .find(|&reply| self.after_reply(position, after, reply, checks, budget) == value);
        if let Some(reply) = reply {
            let lost = captured_from(after, position, reply.to(), -1);
            let taken = position.is_capture(reply).then_some(reply.to());
            line.push(reply);
            position.play_unchecked(reply);
            if self.value(position, lost, taken, CAPTURES, WINDOW, budget) == value {
                self.add_captures(position, lost, taken, CAPTURES, budget, line);
            } else if checks > 1 {
                self.add_checks(position, lost, checks - 1, value, budget, line);
            }
            position.unmake();
        }
        position.unmake();
    }

    /// Adds the captures of both sides until neither gains by a further one.
    fn add_captures(
        &self,
        position: &mut Position,
        balance: Balance,
        taken: Option<Square>,
        depth: u32,
        budget: &mut Budget,
        line: &mut Vec<Move>,
    ) {
        let is_ours = position.side() == self.us;
        let in_check = position.in_check();
        let value = self.value(position, balance, taken, depth, WINDOW, budget);
        if depth == 0 || !in_check && balance.value() == value {
            return;
        }
        let moves = if in_check { position.legal_moves() } else { captures(position) };
        for mv in moves {
            if is_ours && !in_check && !self.counts(position, mv, taken) {
                continue;
            }
            let after = captured_from(balance, position, mv.to(), if is_ours { 1 } else { -1 });
            let taken = position.is_capture(mv).then_some(mv.to());
            position.play_unchecked(mv);
            let is_best = self.value(position, after, taken, depth - 1, WINDOW, budget) == value;
            if is_best {
                line.push(mv);
                self.add_captures(position, after, taken, depth - 1, budget, line);
            }
            position.unmake();
            if is_best {
                return;
            }
        }
    }
}
