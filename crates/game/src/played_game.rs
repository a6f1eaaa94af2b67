//! A game with its record, the shown place, clocks, end, and the history of its changes.

use std::iter;

use xiangqi::board::{Move, Position};
use xiangqi::geometry::Color;
use xiangqi::records::{Game, NodeId};
use xiangqi::rules::{LoopRuling, Outcome, Regulations, judge_loop, loop_start, occurrences};

use super::clock::GameClock;
use super::end::{EndReason, GameEnd};
use super::history::{ChangeHistory, ChangeKind};

/// A position that has occurred before, and the consequence of its next occurrence.
#[derive(Clone, Copy, Debug)]
pub struct Repetition {
    /// Occurrences of the position so far, at least 2.
    pub times: usize,
    /// The ruling over the last three occurrences, or two.
    pub ruling: LoopRuling,
}

/// A game that is played or viewed. `P` are the players, undone and redone with the game.
///
/// ```
/// use xiangqi::board::Position;
/// use cannonade_game::{ChangeKind, PlayedGame};
/// use xiangqi::geometry::Color;
/// use xiangqi::records::Game;
/// use xiangqi::rules::Regulations;
///
/// let record = Game::new(Position::startpos());
/// let mut game: PlayedGame = PlayedGame::new(record, Regulations::default());
/// game.play("h2e2".parse().unwrap());
/// game.resign(Color::Black);
/// assert_eq!(game.end().and_then(|end| end.winner), Some(Color::Red));
/// assert_eq!(game.undo(), Some(ChangeKind::Resign));
/// assert_eq!(game.undo(), Some(ChangeKind::Move));
/// assert_eq!(game.undo(), None);
/// assert_eq!(game.redo(), Some(ChangeKind::Move));
/// assert_eq!(game.position().ply(), 1);
/// ```
#[derive(Clone, Debug)]
pub struct PlayedGame<P = ()> {
    pub(super) record: Game,
    /// The number of the record; no other record of this game had it.
    pub(super) number: u64,
    pub(super) last_number: u64,
    pub(super) node: NodeId,
    /// The position at the node, with its history.
    pub(super) position: Position,
    regulations: Regulations,
    /// The end by the rules in the shown place.
    outcome: Option<Outcome>,
    /// The end otherwise than by the rules, and its place.
    pub(super) forfeit: Option<(NodeId, GameEnd)>,
    pub(super) clock: Option<GameClock>,
    pub(super) players: P,
    pub(super) history: ChangeHistory<P>,
}

impl<P: Clone + PartialEq + Default> PlayedGame<P> {
    /// Creates a game at its start.
    pub fn new(record: Game, regulations: Regulations) -> PlayedGame<P> {
        let mut game = PlayedGame {
            position: record.start().clone(),
            record,
            number: 0,
            last_number: 0,
            node: NodeId::ROOT,
            regulations,
            outcome: None,
            forfeit: None,
            clock: None,
            players: P::default(),
            history: ChangeHistory::default(),
        };
        game.rule();
        game
    }
}

impl<P: Clone + PartialEq> PlayedGame<P> {
    /// Returns the record: moves, variations, comments, tags and the result.
    pub fn record(&self) -> &Game {
        &self.record
    }

    /// Returns the record alone.
    pub fn into_record(self) -> Game {
        self.record
    }

    /// Returns a number that no earlier record of this game had. Together with it, a node has a
    /// unique name.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the shown place.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Returns the position in the shown place, with its history.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the moves that lead to the shown place.
    pub fn moves(&self) -> Vec<Move> {
        self.record.path_to(self.node).into_iter().filter_map(|node| self.record.mv(node)).collect()
    }

    /// Returns the move that leads to the shown place.
    pub fn last_move(&self) -> Option<Move> {
        self.record.mv(self.node)
    }

    /// Returns the position at a node, with its history.
    pub fn position_at(&self, id: NodeId) -> Position {
        if id == self.node {
            return self.position.clone();
        }
        self.record.position_at(id)
    }

    /// Returns the node with this number, if it was not removed.
    pub fn node_id(&self, index: usize) -> Option<NodeId> {
        self.record.node_id(index).filter(|&id| self.holds(id))
    }

    /// Returns whether the node was not removed.
    pub fn holds(&self, id: NodeId) -> bool {
        iter::once(id).chain(self.record.path_to(id)).all(|node| {
            node == NodeId::ROOT || self.record.children(self.record.parent(node)).contains(&node)
        })
    }

    /// Returns the place before the shown one; the start has itself.
    pub fn previous(&self) -> NodeId {
        self.record.parent(self.node)
    }

    /// Returns the place after the shown one along its line; the shown one at the end.
    pub fn next(&self) -> NodeId {
        self.record.children(self.node).first().copied().unwrap_or(self.node)
    }

    /// Returns the last place of the shown line.
    pub fn last(&self) -> NodeId {
        self.record.line_after(self.node).last().unwrap_or(self.node)
    }

    /// Returns the places of the shown line, the start first.
    pub fn line(&self) -> Vec<NodeId> {
        let way = self.record.path_to(self.node).into_iter();
        iter::once(NodeId::ROOT).chain(way).chain(self.record.line_after(self.node)).collect()
    }

    /// Returns the node of a move in the shown place, if the record has it.
    pub fn continuation(&self, mv: Move) -> Option<NodeId> {
        let children = self.record.children(self.node).iter();
        children.copied().find(|&child| self.record.mv(child) == Some(mv))
    }

    /// Returns the rules.
    pub fn regulations(&self) -> Regulations {
        self.regulations
    }

    /// Sets the rules, which is not undone.
    pub fn set_regulations(&mut self, regulations: Regulations) {
        self.regulations = regulations;
        self.rule();
    }

    /// Returns the end of the game in the shown place by the rules alone.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Returns whether the game has ended otherwise than by the rules, in any place.
    pub fn is_forfeited(&self) -> bool {
        self.forfeit.is_some()
    }

    /// Returns the end otherwise than by the rules, and its place.
    pub fn forfeited_at(&self) -> Option<(NodeId, GameEnd)> {
        self.forfeit
    }

    /// Returns the end in the shown place otherwise than by the rules.
    pub fn forfeit(&self) -> Option<GameEnd> {
        self.forfeit.filter(|&(place, _)| place == self.node).map(|(_, end)| end)
    }

    /// Returns the end of the game in the shown place.
    pub fn end(&self) -> Option<GameEnd> {
        self.forfeit().or(self.outcome.map(|outcome| outcome.map(EndReason::Rules)))
    }

    /// Returns the repetition of the shown position, if it has occurred before, with its ruling.
    pub fn repetition(&self) -> Option<Repetition> {
        let length = self.position.ply() - loop_start(&self.position)?;
        let ruling = judge_loop(&self.position, length, self.regulations.rules);
        Some(Repetition { times: 1 + occurrences(&self.position).count(), ruling })
    }

    /// Returns the clocks, if there are any.
    pub fn clock(&self) -> Option<&GameClock> {
        self.clock.as_ref()
    }

    /// Returns the clocks, to let them run and stop, which is no change to be undone.
    pub fn clock_mut(&mut self) -> Option<&mut GameClock> {
        self.clock.as_mut()
    }

    /// Sets or removes the clocks, which is not undone.
    pub fn set_clock(&mut self, clock: Option<GameClock>) {
        self.clock = clock;
    }

    /// Returns the players.
    pub fn players(&self) -> &P {
        &self.players
    }

    /// Returns the players, for changes that are not undone.
    pub fn players_mut(&mut self) -> &mut P {
        &mut self.players
    }

    /// Shows another place, which is no change to be undone.
    pub fn go_to(&mut self, id: NodeId) {
        if id == self.node {
            return;
        }
        if self.record.parent(id) == self.node
            && let Some(mv) = self.record.mv(id)
        {
            self.position.play_unchecked(mv);
        } else if id == self.record.parent(self.node) {
            self.position.unmake();
        } else {
            self.position = self.position_at(id);
        }
        self.node = id;
        self.rule();
    }

    /// Makes a move in the shown place; an illegal one changes nothing.
    pub fn play(&mut self, mv: Move) {
        self.change(ChangeKind::Move, |game| game.play(mv));
    }

    /// Ends the game by resignation.
    pub fn resign(&mut self, loser: Color) {
        self.change(ChangeKind::Resign, |game| {
            game.end(GameEnd::loss(loser, EndReason::Resignation));
        });
    }

    pub(super) fn rule(&mut self) {
        self.outcome = self.regulations.outcome(&self.position);
    }
}
