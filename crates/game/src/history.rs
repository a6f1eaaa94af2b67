//! Undo and redo. A step keeps the parts that a change has replaced; undo exchanges them with the
//! current ones, and redo exchanges them again.

use xiangqi::records::{Game, NodeId};
use xiangqi::rules::GameResult;

use super::clock::GameClock;
use super::end::GameEnd;

/// Steps that are kept.
const MAX_STEPS: usize = 10_000;

/// Whole games that the steps may keep.
const MAX_GAMES: usize = 32;

/// The kind of a change, for a notice that offers to undo it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChangeKind {
    /// A move.
    Move,
    /// Undone moves of a contest.
    TakeBack,
    /// A move and all that follows it removed.
    Remove,
    /// A line made the main line.
    Promote,
    /// A comment or marks of a move.
    Annotate,
    /// Names or other tags of the game.
    Tags,
    /// Another game or position in place of this one.
    Replace,
    /// A side resigned.
    Resign,
    /// A side lost on time.
    TimeForfeit,
    /// A game begins, or one that had ended or was paused is resumed.
    Resume,
    /// Rules by which the game is over.
    Rules,
}

/// A part of a game that a change has replaced.
#[derive(Clone, Debug)]
pub(super) enum ReplacedPart {
    Children(NodeId, Vec<NodeId>),
    Comment(NodeId, String),
    Glyphs(NodeId, Vec<u8>),
    Tags(Vec<(String, String)>),
    /// The record with its number.
    Record(Box<Game>, u64),
}

/// The rest of a game, which every step keeps.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Situation<P> {
    pub(super) node: NodeId,
    pub(super) result: GameResult,
    /// The end otherwise than by the rules, and its place.
    pub(super) forfeit: Option<(NodeId, GameEnd)>,
    /// The clocks, if the game has any, at the start of the turn.
    pub(super) clock: Option<GameClock>,
    pub(super) players: P,
}

/// A change that can be undone or redone.
#[derive(Clone, Debug)]
pub(super) struct ChangeStep<P> {
    pub(super) kind: ChangeKind,
    /// In the order in which they are restored, the last one first.
    pub(super) parts: Vec<ReplacedPart>,
    pub(super) before: Situation<P>,
    pub(super) after: Situation<P>,
}

impl<P> ChangeStep<P> {
    fn keeps_a_game(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, ReplacedPart::Record(..)))
    }
}

/// The changes of a game, and the undone ones.
#[derive(Clone, Debug)]
pub(super) struct ChangeHistory<P> {
    pub(super) done: Vec<ChangeStep<P>>,
    /// The undone steps; the next one to redo is last.
    pub(super) undone: Vec<ChangeStep<P>>,
}

impl<P> Default for ChangeHistory<P> {
    fn default() -> ChangeHistory<P> {
        ChangeHistory { done: Vec::new(), undone: Vec::new() }
    }
}

impl<P> ChangeHistory<P> {
    /// Appends a change and drops the undone ones.
    pub(super) fn push(&mut self, step: ChangeStep<P>) {
        self.undone.clear();
        self.done.push(step);
        let mut games = self.done.iter().rev().enumerate().filter(|(_, step)| step.keeps_a_game());
        let by_games = games.nth(MAX_GAMES).map_or(usize::MAX, |(index, _)| index);
        let excess = self.done.len().saturating_sub(MAX_STEPS.min(by_games));
        self.done.drain(..excess);
    }
}

#[cfg(test)]
mod tests {
    use xiangqi::board::Position;

    use super::*;

    fn step(parts: Vec<ReplacedPart>) -> ChangeStep<()> {
        let (node, result) = (NodeId::ROOT, GameResult::Unknown);
        let situation = Situation { node, result, forfeit: None, clock: None, players: () };
        ChangeStep { kind: ChangeKind::Move, parts, before: situation.clone(), after: situation }
    }

    #[test]
    fn the_oldest_steps_and_games_are_forgotten() {
        let mut history = ChangeHistory::default();
        let game = || ReplacedPart::Record(Box::new(Game::new(Position::startpos())), 0);
        for _ in 0..=MAX_GAMES {
            history.push(step(vec![game()]));
            history.push(step(Vec::new()));
        }
        let games = history.done.iter().filter(|step| step.keeps_a_game()).count();
        assert_eq!(games, MAX_GAMES);
        for _ in 0..MAX_STEPS + 5 {
            history.push(step(Vec::new()));
        }
        assert_eq!(history.done.len(), MAX_STEPS);
    }
}
