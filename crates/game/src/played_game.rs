//! A game with its record, the shown place, and its end by the rules.

use std::iter;

use xiangqi::board::{Move, Position};
use xiangqi::records::{Game, NodeId};
use xiangqi::rules::{LoopRuling, Outcome, Regulations, judge_loop, loop_start, occurrences};

/// A position that has occurred before, and the consequence of its next occurrence.
#[derive(Clone, Copy, Debug)]
pub struct Repetition {
    /// Occurrences of the position so far, at least 2.
    pub times: usize,
    /// The ruling over the last three occurrences, or two.
    pub ruling: LoopRuling,
}

/// A move that was played, to be undone.
#[derive(Clone, Debug)]
struct PlayedMove {
    /// The place before it.
    place: NodeId,
    /// The moves that followed that place before.
    children: Vec<NodeId>,
}

/// A game that is played or viewed.
///
/// ```
/// use cannonade_game::PlayedGame;
/// use xiangqi::board::Position;
/// use xiangqi::records::Game;
/// use xiangqi::rules::Regulations;
///
/// let record = Game::new(Position::startpos());
/// let mut game = PlayedGame::new(record, Regulations::default());
/// game.play("h2e2".parse().unwrap());
/// game.play("h9g7".parse().unwrap());
/// assert!(game.undo());
/// assert_eq!(game.position().ply(), 1);
/// assert!(game.outcome().is_none());
/// ```
#[derive(Clone, Debug)]
pub struct PlayedGame {
    record: Game,
    node: NodeId,
    /// The position at the node, with its history.
    position: Position,
    regulations: Regulations,
    /// The end by the rules in the shown place.
    outcome: Option<Outcome>,
    played: Vec<PlayedMove>,
}

impl PlayedGame {
    /// Creates a game at its start.
    pub fn new(record: Game, regulations: Regulations) -> PlayedGame {
        let position = record.start().clone();
        let outcome = regulations.outcome(&position);
        let (node, played) = (NodeId::ROOT, Vec::new());
        PlayedGame { record, node, position, regulations, outcome, played }
    }

    /// Returns the record: moves, variations, comments, tags and the result.
    pub fn record(&self) -> &Game {
        &self.record
    }

    /// Returns the record alone.
    pub fn into_record(self) -> Game {
        self.record
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

    /// Returns the place after the shown one along its line; the shown one at the end.
    pub fn next(&self) -> NodeId {
        self.record.children(self.node).first().copied().unwrap_or(self.node)
    }

    /// Returns the places of the shown line, the start first.
    pub fn line(&self) -> Vec<NodeId> {
        let way = self.record.path_to(self.node).into_iter();
        iter::once(NodeId::ROOT).chain(way).chain(self.record.line_after(self.node)).collect()
    }

    /// Returns the rules.
    pub fn regulations(&self) -> Regulations {
        self.regulations
    }

    /// Returns the end of the game in the shown place by the rules.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Returns the repetition of the shown position, if it has occurred before, with its ruling.
    pub fn repetition(&self) -> Option<Repetition> {
        let length = self.position.ply() - loop_start(&self.position)?;
        let ruling = judge_loop(&self.position, length, self.regulations.rules);
        Some(Repetition { times: 1 + occurrences(&self.position).count(), ruling })
    }

    /// Shows another place.
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
            self.position = self.record.position_at(id);
        }
        self.node = id;
        self.outcome = self.regulations.outcome(&self.position);
    }

    /// Makes a move in the shown place, along an existing line or as a new one; an illegal move
    /// changes nothing.
    pub fn play(&mut self, mv: Move) {
        let place = self.node;
        let children = self.record.children(place).to_vec();
        let known = children.iter().copied().find(|&child| self.record.mv(child) == Some(mv));
        if known.is_none() && self.position.check_move(mv).is_err() {
            return;
        }
        let node = known.unwrap_or_else(|| self.record.add_unchecked(place, mv));
        self.played.push(PlayedMove { place, children });
        self.go_to(node);
    }

    /// Takes back the last move that was played, and removes it from the record if it was not there
    /// before. Returns false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(PlayedMove { place, children }) = self.played.pop() else { return false };
        self.go_to(place);
        self.record.set_children(place, children);
        true
    }
}

#[cfg(test)]
mod tests {
    use xiangqi::rules::EndByRules;

    use super::*;

    fn game(moves: &str) -> PlayedGame {
        let mut game = PlayedGame::new(Game::new(Position::startpos()), Regulations::default());
        play(&mut game, moves);
        game
    }

    fn play(game: &mut PlayedGame, moves: &str) {
        for mv in moves.split_whitespace() {
            game.play(mv.parse().expect("a move"));
        }
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut game = game("h2e2");
        play(&mut game, "h2e2 e0e1");
        assert_eq!((game.moves().len(), game.record().moves().len()), (1, 1));
    }

    #[test]
    fn undo_removes_new_moves_and_keeps_those_of_the_record() {
        let record = game("h2e2 h9g7").into_record();
        let mut game = PlayedGame::new(record, Regulations::default());
        play(&mut game, "h2e2 b9c7");
        assert_eq!(game.record().children(game.record().parent(game.node())).len(), 2);
        assert!(game.undo() && game.undo() && !game.undo());
        assert_eq!(game.record().moves().len(), 2);
        assert_eq!((game.node(), game.position().ply()), (NodeId::ROOT, 0));
    }

    #[test]
    fn each_place_has_its_position_line_and_end() {
        let mut game = game("h0g2 h9g7 g2h0 g7h9 h0g2 h9g7 g2h0 g7h9");
        let outcome = game.outcome().expect("a third occurrence");
        assert!(
            outcome.winner.is_none() && matches!(outcome.reason, EndByRules::Repetition { .. })
        );
        let repetition = game.repetition().expect("a repetition");
        assert_eq!((repetition.times, repetition.ruling.loser), (3, None));
        let line = game.line();
        for (ply, &place) in line.iter().enumerate().rev() {
            game.go_to(place);
            assert_eq!((game.position().ply(), game.line() == line), (ply, true));
            assert_eq!(game.outcome().is_some(), ply == 8, "{ply}");
        }
        game.go_to(line[5]);
        assert_eq!((game.next(), game.last_move()), (line[6], game.record().mv(line[5])));
    }
}
