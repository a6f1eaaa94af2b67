//! Undo and redo of the changes of a game.

use std::mem;

use xiangqi::records::{Game, NodeId};

use super::history::{ChangeKind, ReplacedPart, Situation};
use super::played_game::PlayedGame;

impl<P: Clone + PartialEq> PlayedGame<P> {
    /// Returns the kind of the change that [`PlayedGame::undo`] would undo.
    pub fn last_change(&self) -> Option<ChangeKind> {
        self.history.done.last().map(|step| step.kind)
    }

    /// Returns the kind of the change that [`PlayedGame::redo`] would redo.
    pub fn last_undone(&self) -> Option<ChangeKind> {
        self.history.undone.last().map(|step| step.kind)
    }

    /// Undoes the last change and returns its kind. The clocks stand as at the start of the turn.
    pub fn undo(&mut self) -> Option<ChangeKind> {
        let mut step = self.history.done.pop()?;
        self.exchange_parts(&mut step.parts);
        self.restore(&step.before);
        let kind = step.kind;
        self.history.undone.push(step);
        Some(kind)
    }

    /// Redoes the change that was undone last, and returns its kind.
    pub fn redo(&mut self) -> Option<ChangeKind> {
        let mut step = self.history.undone.pop()?;
        self.exchange_parts(&mut step.parts);
        self.restore(&step.after);
        let kind = step.kind;
        self.history.done.push(step);
        Some(kind)
    }

    #[cfg(test)]
    pub(super) fn history_len(&self) -> usize {
        self.history.done.len()
    }

    /// Restores the parts that a step keeps, which then keeps the replaced ones.
    fn exchange_parts(&mut self, parts: &mut Vec<ReplacedPart>) {
        *parts = mem::take(parts).into_iter().map(|part| self.exchange_part(part)).collect();
        parts.reverse();
    }

    fn exchange_part(&mut self, part: ReplacedPart) -> ReplacedPart {
        match part {
            ReplacedPart::Children(id, children) => {
                ReplacedPart::Children(id, self.record.set_children(id, children))
            }
            ReplacedPart::Comment(id, text) => {
                let present = self.record.comment(id).to_owned();
                self.record.set_comment(id, &text);
                ReplacedPart::Comment(id, present)
            }
            ReplacedPart::Glyphs(id, glyphs) => {
                let present = self.record.glyphs(id).to_vec();
                self.record.set_glyphs(id, glyphs);
                ReplacedPart::Glyphs(id, present)
            }
            ReplacedPart::Tags(tags) => ReplacedPart::Tags(self.record.set_tags(tags)),
            ReplacedPart::Record(record, number) => {
                let (record, number) = self.exchange_record(*record, Some(number));
                ReplacedPart::Record(Box::new(record), number)
            }
        }
    }

    /// Replaces the record by another one and shows its start. Returns the old one with its number;
    /// without a number the new one gets its own.
    pub(super) fn exchange_record(&mut self, record: Game, number: Option<u64>) -> (Game, u64) {
        let number = number.unwrap_or_else(|| {
            self.last_number += 1;
            self.last_number
        });
        self.node = NodeId::ROOT;
        self.position = record.start().clone();
        let old = (mem::replace(&mut self.record, record), mem::replace(&mut self.number, number));
        self.rule();
        old
    }

    pub(super) fn situation(&self) -> Situation<P> {
        let clock = self.clock.map(|mut clock| {
            clock.restart_turn();
            clock
        });
        Situation {
            node: self.node,
            result: self.record.result,
            forfeit: self.forfeit,
            clock,
            players: self.players.clone(),
        }
    }

    fn restore(&mut self, situation: &Situation<P>) {
        let Situation { node, result, forfeit, clock, players } = situation;
        self.go_to(*node);
        self.record.result = *result;
        self.forfeit = *forfeit;
        self.clock = *clock;
        self.players = players.clone();
        self.rule();
    }
}
