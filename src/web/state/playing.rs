//! A game that is played in a session: its beginning, its clocks, moves taken back and its end.

use std::time::Instant;

use xiangqi::geometry::Color;
use xiangqi::records::{GameResult, NodeId};

use super::{SessionState, StateError};
use crate::web::contest::{Contest, Forfeit, Player};

impl SessionState {
    /// Takes back the last move: of a contest with a person the person's last one with the answer.
    pub(in crate::web) fn take_back(&mut self, now: Instant) -> Result<(), StateError> {
        self.move_contest_start();
        let Some(contest) = &self.contest else { return Err(StateError::NoContest) };
        let is_human = |side| contest.player(side) == Player::Human;
        let has_human = Color::ALL.into_iter().any(is_human);
        let mut side = self.position().side();
        let last = self.game.node();
        let mut target = last;
        for node in self.game.way_to(last).into_iter().rev() {
            if node == self.contest_start {
                break;
            }
            target = self.game.record.parent(node);
            side = !side;
            if is_human(side) || !has_human {
                break;
            }
        }
        self.go_to(target, now);
        self.remove_contest_moves(last, target);
        self.resume(now)
    }

    /// Removes the moves from the last one back to the one after the target, as far as the contest
    /// has added them and no other move follows.
    fn remove_contest_moves(&mut self, last: NodeId, target: NodeId) {
        let mut node = last;
        while node != target
            && self.contest_moves.contains(&node)
            && self.game.record.children(node).is_empty()
        {
            let parent = self.game.record.parent(node);
            self.game.remove(node);
            node = parent;
        }
    }

    /// A contest that goes on in a place which does not follow its start begins there.
    fn move_contest_start(&mut self) {
        let (start, node) = (self.contest_start, self.game.node());
        if start != NodeId::ROOT && !self.game.way_to(node).contains(&start) {
            self.contest_start = node;
        }
    }

    /// Begins a contest in the shown position.
    pub(in crate::web) fn begin(
        &mut self,
        contest: Contest,
        now: Instant,
    ) -> Result<(), StateError> {
        if self.outcome.is_some() {
            return Err(StateError::GameOver);
        }
        self.contest = Some(contest);
        self.contest_moves.clear();
        self.single_move = None;
        self.contest_start = self.game.node();
        self.resume(now)
    }

    /// Goes on with a contest.
    pub(in crate::web) fn resume(&mut self, now: Instant) -> Result<(), StateError> {
        if self.outcome.is_some() {
            return Err(StateError::GameOver);
        }
        self.move_contest_start();
        let side = self.position().side();
        let contest = self.contest.as_mut().ok_or(StateError::NoContest)?;
        contest.resume(side, now);
        self.contest_place = self.game.node();
        self.promote(self.contest_place);
        self.analysis = None;
        self.sweep = None;
        self.record_mut().result = GameResult::Unknown;
        Ok(())
    }

    /// Stops the clocks of a contest.
    pub(in crate::web) fn pause(&mut self, now: Instant) {
        let side = self.position().side();
        if let Some(contest) = &mut self.contest {
            contest.pause(side, now);
        }
        self.single_move = None;
    }

    /// The person whose turn it is, or who plays the engine, resigns.
    pub(in crate::web) fn resign(&mut self) -> Result<(), StateError> {
        let side = self.position().side();
        let contest = self.contest.as_mut().filter(|contest| contest.is_running());
        let contest = contest.ok_or(StateError::NoContest)?;
        let mut sides = [side, !side].into_iter();
        let loser = sides.find(|&side| contest.player(side) == Player::Human);
        let loser = loser.ok_or(StateError::NobodyResigns)?;
        contest.lose(Forfeit::Resignation(loser));
        self.record_mut().result = GameResult::won_by(!loser);
        Ok(())
    }

    /// Ends the contest if the time of the side to move is over.
    pub(in crate::web) fn check_time(&mut self, now: Instant) {
        let side = self.position().side();
        if self.contest.as_mut().is_some_and(|contest| contest.check_time(side, now)) {
            self.record_mut().result = GameResult::won_by(!side);
        }
    }

    /// Ends a running contest if the shown position ends the game.
    pub(super) fn end_contest_by_rules(&mut self) {
        let is_running = self.contest.as_ref().is_some_and(Contest::is_running);
        if let Some(outcome) = self.outcome.filter(|_| is_running) {
            self.end_contest();
            let result = outcome.winner.map_or(GameResult::Draw, GameResult::won_by);
            self.record_mut().result = result;
        }
    }

    pub(super) fn end_contest(&mut self) {
        if let Some(contest) = &mut self.contest {
            contest.end();
        }
    }
}
