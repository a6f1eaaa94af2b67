//! A contest in a session: its beginning, its clocks, its undone moves and its end.

use cannonade_game::{ChangeKind, Edit, EndReason, GameEnd};
use web_time::Instant;
use xiangqi::board::Move;
use xiangqi::records::NodeId;
use xiangqi::rules::GameResult;

use super::{Place, SessionState, StateError};
use crate::contest::{Contest, WebGame};

type ContestEdit<'a> = Edit<'a, Option<Contest>>;

impl SessionState {
    /// Returns the contest, if its game is going on.
    pub(super) fn running_contest(&self) -> Option<&Contest> {
        self.contest().filter(|contest| contest.is_running)
    }

    /// Makes a move, along an existing line or as a new one; in a contest it becomes the main line,
    /// and the rest are variations.
    pub(super) fn make(&mut self, mv: Move, now: Instant) -> Result<(), StateError> {
        let is_new = self.game.continuation(mv).is_none();
        if is_new && self.game.record().len() >= super::MAX_MOVES {
            set_running(&mut self.game, false);
            return Err(StateError::TooLong);
        }
        let is_running = self.running_contest().is_some();
        let is_forfeited = self.game.is_forfeited();
        self.game.change(ChangeKind::Move, |game| {
            if is_running {
                game.press_clock(now);
            } else if is_forfeited {
                // A person who plays on after a forfeit examines other moves; the contest is over.
                *game.players_mut() = None;
                game.set_clock(None);
                game.revoke_end();
            }
            game.play(mv);
            if is_running {
                let node = game.game().node();
                game.promote(node);
                end_by_rules(game);
            }
        });
        if is_running && is_new {
            self.contest_moves.insert(self.shown_place());
        }
        self.start_clock(now);
        Ok(())
    }

    /// Ends the contest if the side to move has no time left. Returns whether it has ended.
    pub(crate) fn check_time(&mut self, now: Instant) -> bool {
        let side = self.position().side();
        let is_running = self.running_contest().is_some();
        let is_over = self.game.clock().is_some_and(|clock| clock.is_expired(side, now));
        if is_running && is_over {
            self.game.change(ChangeKind::TimeForfeit, |game| {
                end_contest(game);
                game.end_on_time(side);
            });
        }
        is_running && is_over
    }

    /// Undoes the last move: in a contest with a person, the person's last one with the reply.
    pub(crate) fn take_back(&mut self, now: Instant) -> Result<(), StateError> {
        let start = self.contest_start();
        let Some(contest) = self.contest() else { return Err(StateError::NoContest) };
        let has_human =
            xiangqi::geometry::Color::ALL.into_iter().any(|side| contest.is_human(side));
        let mut side = self.position().side();
        let last = self.game.node();
        let mut target = last;
        for node in self.game.record().path_to(last).into_iter().rev() {
            if node == start {
                break;
            }
            target = self.game.record().parent(node);
            side = !side;
            if contest.is_human(side) || !has_human {
                break;
            }
        }
        self.pause(now);
        let (number, added) = (self.game.number(), &self.contest_moves);
        let result = self.game.change(ChangeKind::TakeBack, |game| {
            game.go_to(target);
            // Moves that the contest has not added, or that others follow, stay in the record.
            let mut node = last;
            while node != target
                && added.contains(&Place { game: number, node })
                && game.game().record().children(node).is_empty()
            {
                let parent = game.game().record().parent(node);
                game.remove(node);
                node = parent;
            }
            resume(game, start)
        });
        result.map(|()| self.resumed(now))
    }

    /// Returns the node where the contest began: one that is resumed in a place which does not
    /// follow its start begins there.
    fn contest_start(&self) -> NodeId {
        let start = self.contest().map_or(NodeId::ROOT, |contest| contest.start);
        let node = self.game.node();
        let follows = start == NodeId::ROOT || self.game.record().path_to(node).contains(&start);
        if follows { start } else { node }
    }

    /// Begins a contest in the shown position.
    pub(crate) fn begin(&mut self, contest: Contest, now: Instant) -> Result<(), StateError> {
        if self.outcome().is_some() {
            return Err(StateError::GameOver);
        }
        self.refuse_defect()?;
        self.pause(now);
        self.contest_moves.clear();
        let start = self.game.node();
        let result = self.game.change(ChangeKind::Resume, |game| {
            game.set_clock(contest.new_clock());
            *game.players_mut() = Some(contest);
            resume(game, start)
        });
        result.map(|()| self.resumed(now))
    }

    pub(crate) fn resume(&mut self, now: Instant) -> Result<(), StateError> {
        let start = self.contest_start();
        self.game.change(ChangeKind::Resume, |game| resume(game, start))?;
        self.resumed(now);
        Ok(())
    }

    fn resumed(&mut self, now: Instant) {
        self.analysis = None;
        self.sweep = None;
        self.start_clock(now);
    }

    /// Starts the clock of the person to move in a contest. The engine's stands still while it
    /// waits for its turn at the processor.
    fn start_clock(&mut self, now: Instant) {
        let side = self.position().side();
        let is_human = self.running_contest().is_some_and(|contest| contest.is_human(side));
        if let Some(clock) = self.game.clock_mut().filter(|_| is_human) {
            clock.start(side, now);
        }
    }

    /// Stops the clocks of a contest.
    pub(crate) fn pause(&mut self, now: Instant) {
        if self.running_contest().is_some()
            && let Some(clock) = self.game.clock_mut()
        {
            clock.stop(now);
        }
        set_running(&mut self.game, false);
        self.single_move = None;
    }

    /// Resigns for the person to move, or the engine's opponent.
    pub(crate) fn resign(&mut self) -> Result<(), StateError> {
        let side = self.position().side();
        let contest = self.running_contest().ok_or(StateError::NoContest)?;
        let mut sides = [side, !side].into_iter();
        let loser = sides.find(|&side| contest.is_human(side));
        let loser = loser.ok_or(StateError::NobodyResigns)?;
        self.game.change(ChangeKind::Resign, |game| {
            end_contest(game);
            game.end(GameEnd::loss(loser, EndReason::Resignation));
        });
        Ok(())
    }

    /// Ends a running contest if the shown position ends the game by the rules.
    pub(super) fn end_contest_by_rules(&mut self) {
        if self.running_contest().is_some() {
            self.game.change(ChangeKind::Rules, end_by_rules);
        }
    }

    /// Undoes the last change. A contest is paused.
    pub(crate) fn undo(&mut self, now: Instant) -> Result<(), StateError> {
        self.step(now, WebGame::undo).ok_or(StateError::NothingToUndo)
    }

    /// Redoes the change that was undone last. A contest is paused.
    pub(crate) fn redo(&mut self, now: Instant) -> Result<(), StateError> {
        self.step(now, WebGame::redo).ok_or(StateError::NothingToRedo)
    }

    fn step(
        &mut self,
        now: Instant,
        step: impl FnOnce(&mut WebGame) -> Option<ChangeKind>,
    ) -> Option<()> {
        self.pause(now);
        let number = self.game.number();
        step(&mut self.game)?;
        set_running(&mut self.game, false);
        self.sweep = self.sweep.take().filter(|_| self.game.number() == number);
        self.sweep = self.sweep.take().and_then(|rest| rest.without_ended(&self.game));
        Some(())
    }
}

fn set_running(game: &mut WebGame, is_running: bool) {
    if let Some(contest) = game.players_mut() {
        contest.is_running = is_running;
    }
}

/// Resumes the contest of a game in the shown place, which is made its main line.
fn resume(game: &mut ContestEdit<'_>, start: NodeId) -> Result<(), StateError> {
    if game.game().outcome().is_some() {
        return Err(StateError::GameOver);
    }
    let contest = game.players_mut().as_mut().ok_or(StateError::NoContest)?;
    contest.is_running = true;
    contest.start = start;
    if let Some(clock) = game.clock_mut() {
        clock.revive();
    }
    game.revoke_end();
    let node = game.game().node();
    game.promote(node);
    game.set_result(GameResult::Unknown);
    Ok(())
}

/// Stops the contest and its clocks, which keep the time of the current turn.
fn end_contest(game: &mut ContestEdit<'_>) {
    if let Some(contest) = game.players_mut() {
        contest.is_running = false;
    }
    if let Some(clock) = game.clock_mut() {
        clock.cancel();
    }
}

/// Ends the contest if the shown position ends the game.
fn end_by_rules(game: &mut ContestEdit<'_>) {
    if let Some(outcome) = game.game().outcome() {
        end_contest(game);
        game.set_result(outcome.result());
    }
}
