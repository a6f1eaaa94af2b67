//! A change of a game in progress.

use web_time::Instant;
use xiangqi::board::Move;
use xiangqi::geometry::Color;
use xiangqi::records::{Game, NodeId, TagError};
use xiangqi::rules::GameResult;

use super::clock::GameClock;
use super::end::{EndReason, GameEnd};
use super::history::{ChangeKind, ChangeStep, ReplacedPart};
use super::played_game::PlayedGame;

/// A game under change. All changes made through it are undone together.
#[derive(Debug)]
pub struct Edit<'a, P = ()> {
    game: &'a mut PlayedGame<P>,
    /// The replaced parts, the first one first.
    parts: Vec<ReplacedPart>,
}

impl<P: Clone + PartialEq> PlayedGame<P> {
    /// Makes a change that is undone as a whole. A change without effect leaves no step.
    pub fn change<T>(&mut self, kind: ChangeKind, change: impl FnOnce(&mut Edit<'_, P>) -> T) -> T {
        let before = self.situation();
        let mut edit = Edit::new(self);
        let result = change(&mut edit);
        let parts = edit.into_parts();
        let after = self.situation();
        if !parts.is_empty() || before != after {
            self.history.push(ChangeStep { kind, parts, before, after });
        }
        result
    }
}

impl<'a, P: Clone + PartialEq> Edit<'a, P> {
    fn new(game: &'a mut PlayedGame<P>) -> Edit<'a, P> {
        Edit { game, parts: Vec::new() }
    }

    fn into_parts(self) -> Vec<ReplacedPart> {
        let mut parts = self.parts;
        parts.reverse();
        parts
    }

    /// Returns the game as it is now.
    pub fn game(&self) -> &PlayedGame<P> {
        self.game
    }

    /// Returns the clocks.
    pub fn clock_mut(&mut self) -> Option<&mut GameClock> {
        self.game.clock.as_mut()
    }

    /// Returns the players.
    pub fn players_mut(&mut self) -> &mut P {
        &mut self.game.players
    }

    /// Sets or removes the clocks.
    pub fn set_clock(&mut self, clock: Option<GameClock>) {
        self.game.clock = clock;
    }

    /// Stops the clock of the side to move and adds the increment.
    pub fn press_clock(&mut self, now: Instant) {
        let side = self.game.position().side();
        if let Some(clock) = &mut self.game.clock {
            clock.moved(side, now);
        }
    }

    /// Shows another place.
    pub fn go_to(&mut self, id: NodeId) {
        self.game.go_to(id);
    }

    /// Makes a move in the shown place, along an existing line or as a new one. Returns whether it
    /// is new; an illegal move changes nothing.
    pub fn play(&mut self, mv: Move) -> bool {
        if let Some(known) = self.game.continuation(mv) {
            self.game.go_to(known);
            return false;
        }
        if self.game.position.check_move(mv).is_err() {
            return false;
        }
        let parent = self.game.node();
        self.keep_children(parent);
        let node = self.game.record.add_unchecked(parent, mv);
        self.game.go_to(node);
        true
    }

    /// Removes a move and all that follows it; the start stays. If the shown place goes with it,
    /// the one before it is shown.
    pub fn remove(&mut self, id: NodeId) {
        if id == NodeId::ROOT || !self.game.holds(id) {
            return;
        }
        let parent = self.game.record.parent(id);
        let shows_it = self.game.record().path_to(self.game.node()).contains(&id);
        self.keep_children(parent);
        self.game.record.remove(id);
        if shows_it {
            self.game.go_to(parent);
        }
    }

    /// Makes the line that leads to a node the main line.
    pub fn promote(&mut self, id: NodeId) {
        for node in self.game.record().path_to(id) {
            let parent = self.game.record.parent(node);
            if self.game.record.children(parent).first() != Some(&node) {
                self.keep_children(parent);
            }
        }
        self.game.record.promote(id);
    }

    /// Keeps the moves that follow a node, which are about to change.
    fn keep_children(&mut self, id: NodeId) {
        let children = self.game.record.children(id).to_vec();
        self.parts.push(ReplacedPart::Children(id, children));
    }

    /// Replaces the comment of a node.
    pub fn set_comment(&mut self, id: NodeId, text: &str) {
        let before = self.game.record.comment(id).to_owned();
        self.game.record.set_comment(id, text);
        if self.game.record.comment(id) != before {
            self.parts.push(ReplacedPart::Comment(id, before));
        }
    }

    /// Replaces the numeric annotation glyphs of a move.
    pub fn set_glyphs(&mut self, id: NodeId, glyphs: Vec<u8>) {
        let before = self.game.record.glyphs(id).to_vec();
        if glyphs != before {
            self.game.record.set_glyphs(id, glyphs);
            self.parts.push(ReplacedPart::Glyphs(id, before));
        }
    }

    /// Sets a tag, or removes it if the value is blank. `Red` replaces `White`, which PGN has for
    /// the same.
    ///
    /// # Errors
    ///
    /// If no game has a tag with this name.
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), TagError> {
        let before = self.game.record.tags().to_vec();
        let is_blank = value.trim().is_empty();
        self.game.record.set_tag(name, if is_blank { "" } else { value })?;
        if name == "Red" {
            self.game.record.remove_tag("White");
        }
        if self.game.record.tags() != before {
            self.parts.push(ReplacedPart::Tags(before));
        }
        Ok(())
    }

    /// Sets the result.
    pub fn set_result(&mut self, result: GameResult) {
        self.game.record.result = result;
    }

    /// Replaces the game by another one, and shows its start. The clocks are removed.
    pub fn replace(&mut self, record: Game) {
        let (before, number) = self.game.exchange_record(record, None);
        self.parts.push(ReplacedPart::Record(Box::new(before), number));
        self.game.clock = None;
        self.game.forfeit = None;
    }

    /// Ends the game in the shown place otherwise than by the rules, with its result.
    pub fn end(&mut self, end: GameEnd) {
        self.game.forfeit = Some((self.game.node(), end));
        self.game.record.result = end.result();
    }

    /// Ends the game because the time of a side is over.
    pub fn end_on_time(&mut self, loser: Color) {
        if let Some(clock) = &mut self.game.clock {
            clock.expire(loser);
        }
        self.end(GameEnd::loss(loser, EndReason::Time));
    }

    /// Continues a game that has ended otherwise than by the rules.
    pub fn revoke_end(&mut self) {
        self.game.forfeit = None;
    }
}
