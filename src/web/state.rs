//! What a session holds: the game with the place that is shown, a game that is played, and what the
//! engine is asked for.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::board::{Move, Position};
use crate::engine::Conclusion;
use crate::geometry::Color;
use crate::notation::Notation;
use crate::records::{Game, GameResult, NodeId};
use crate::rules::{Outcome, Referee, Regulations, RuleSet};
use crate::search::{PvInfo, Score};

use super::contest::{Contest, Forfeit, Player};
use super::job::Purpose;

/// The most moves of a game with its variations. Nobody plays more; a page would be slow.
pub(super) const MAX_MOVES: usize = 5000;

/// A search that the session wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Wish {
    pub(super) node: NodeId,
    pub(super) rules: RuleSet,
    pub(super) purpose: Purpose,
}

/// The value of a position of the game, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NodeScore {
    pub(super) score: Score,
    pub(super) depth: u32,
    /// The best line.
    pub(super) line: Vec<Move>,
}

/// The positions that are still to be valued for the curve of a game.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    /// From the last one to the first: what is found at the end of a game helps before it.
    left: Vec<NodeId>,
    time: Duration,
    pub(super) total: usize,
}

impl Sweep {
    pub(super) fn done(&self) -> usize {
        self.total - self.left.len()
    }
}

/// What an analysis has found, the best line first.
#[derive(Clone, Debug, Default)]
pub(super) struct FoundLines {
    pub(super) node: Option<NodeId>,
    pub(super) lines: Vec<PvInfo>,
}

impl FoundLines {
    /// Keeps a line instead of an older one with the same move or rank. Lines of the last depth stand
    /// before those of the depth before, which its search has not replaced yet.
    fn insert(&mut self, line: &PvInfo, most: usize) {
        // A search that goes on after a pause begins with the first depth again.
        if self.lines.iter().any(|known| known.depth > line.depth && known.multi_pv <= 1) {
            return;
        }
        self.lines.retain(|known| {
            let is_same_rank = known.depth == line.depth && known.multi_pv == line.multi_pv;
            known.pv.first() != line.pv.first() && !is_same_rank
        });
        self.lines.push(line.clone());
        self.lines.sort_by_key(|line| (Reverse(line.depth), line.multi_pv));
        self.lines.truncate(most);
    }
}

/// Why something cannot be done with a game as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum StateError {
    #[error("the game has no such move; load the page again")]
    NoNode,
    #[error("it is the engine's turn; wait for its move or pause the game")]
    EnginesTurn,
    #[error("the time is over")]
    OutOfTime,
    #[error("the game is over; take a move back or start a new one")]
    GameOver,
    #[error("the game has {MAX_MOVES} moves; save it and start a new one")]
    TooLong,
    #[error("no game is being played")]
    NoContest,
}

/// What a session holds.
#[derive(Debug)]
pub(super) struct SessionState {
    pub(super) game: Game,
    node: NodeId,
    /// The position at the node, with its history.
    position: Position,
    outcome: Option<Outcome>,
    rules: RuleSet,
    pub(super) notation: Notation,
    contest: Option<Contest>,
    /// One move that is asked for outside of a contest.
    single_move: Option<Purpose>,
    /// The number of lines, while the engine analyses.
    analysis: Option<usize>,
    sweep: Option<Sweep>,
    found: FoundLines,
    scores: HashMap<NodeId, NodeScore>,
}

impl SessionState {
    pub(super) fn new(game: Game) -> SessionState {
        let position = game.start().clone();
        let mut state = SessionState {
            game,
            node: NodeId::ROOT,
            position,
            outcome: None,
            rules: RuleSet::default(),
            notation: Notation::default(),
            contest: None,
            single_move: None,
            analysis: None,
            sweep: None,
            found: FoundLines::default(),
            scores: HashMap::new(),
        };
        state.rule();
        state
    }

    pub(super) fn node(&self) -> NodeId {
        self.node
    }

    pub(super) fn position(&self) -> &Position {
        &self.position
    }

    /// How the game has ended with the shown position, by the rules alone.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    pub(super) fn rules(&self) -> RuleSet {
        self.rules
    }

    pub(super) fn contest(&self) -> Option<&Contest> {
        self.contest.as_ref()
    }

    pub(super) fn analysis(&self) -> Option<usize> {
        self.analysis
    }

    pub(super) fn sweep(&self) -> Option<&Sweep> {
        self.sweep.as_ref()
    }

    pub(super) fn found(&self) -> &FoundLines {
        &self.found
    }

    pub(super) fn score(&self, node: NodeId) -> Option<&NodeScore> {
        self.scores.get(&node)
    }

    /// Replaces the game. An analysis goes on with the new one.
    pub(super) fn set_game(&mut self, game: Game) -> Result<(), StateError> {
        if game.len() > MAX_MOVES {
            return Err(StateError::TooLong);
        }
        self.game = game;
        self.contest = None;
        self.single_move = None;
        self.sweep = None;
        self.scores.clear();
        self.found = FoundLines::default();
        self.show(NodeId::ROOT);
        Ok(())
    }

    pub(super) fn set_rules(&mut self, rules: RuleSet) {
        if rules != self.rules {
            self.rules = rules;
            self.found = FoundLines::default();
            self.scores.clear();
            self.rule();
        }
    }

    /// The node with this number.
    pub(super) fn node_id(&self, index: usize) -> Result<NodeId, StateError> {
        let id = self.game.node_id(index).ok_or(StateError::NoNode)?;
        if self.is_in_tree(id) { Ok(id) } else { Err(StateError::NoNode) }
    }

    /// Whether the node was not removed.
    fn is_in_tree(&self, mut id: NodeId) -> bool {
        while id != NodeId::ROOT {
            let parent = self.game.parent(id);
            if !self.game.children(parent).contains(&id) {
                return false;
            }
            id = parent;
        }
        true
    }

    /// Shows another place of the game. A contest is paused unless this is its last move.
    pub(super) fn go_to(&mut self, id: NodeId, now: Instant) {
        if id != self.node {
            self.pause(now);
            self.show(id);
        }
    }

    /// The place after the shown one along its line; the shown one at the end.
    pub(super) fn next(&self) -> NodeId {
        self.game.children(self.node).first().copied().unwrap_or(self.node)
    }

    /// The last place of the shown line.
    pub(super) fn last(&self) -> NodeId {
        self.game.line_after(self.node).last().unwrap_or(self.node)
    }

    /// A person makes a move.
    pub(super) fn play(&mut self, mv: Move, now: Instant) -> Result<(), StateError> {
        let side = self.position.side();
        if let Some(contest) = self.contest.as_mut().filter(|contest| contest.is_running()) {
            if contest.player(side) != Player::Human {
                return Err(StateError::EnginesTurn);
            }
            if !contest.moves(side, now) {
                self.game.result = GameResult::won_by(!side);
                return Err(StateError::OutOfTime);
            }
        }
        // Who plays on after a forfeit looks at other moves; the contest is over.
        self.contest.take_if(|contest| contest.forfeit().is_some());
        self.single_move = None;
        self.make(mv)
    }

    /// Makes a move: along an existing line, or as a new one.
    fn make(&mut self, mv: Move) -> Result<(), StateError> {
        let children = self.game.children(self.node).iter();
        let known = children.copied().find(|&child| self.game.mv(child) == Some(mv));
        let child = match known {
            Some(child) => child,
            None if self.game.len() >= MAX_MOVES => {
                self.end_contest();
                return Err(StateError::TooLong);
            }
            None => self.game.add(self.node, mv),
        };
        let is_contest = self.contest.as_ref().is_some_and(Contest::is_running);
        self.position.make(mv);
        self.node = child;
        self.rule();
        if let (true, Some(outcome)) = (is_contest, self.outcome) {
            self.end_contest();
            self.game.result = outcome.winner.map_or(GameResult::Draw, GameResult::won_by);
        }
        Ok(())
    }

    fn end_contest(&mut self) {
        if let Some(contest) = &mut self.contest {
            contest.end();
        }
    }

    /// Removes a move and all that follows it.
    pub(super) fn remove(&mut self, id: NodeId, now: Instant) {
        if id == NodeId::ROOT {
            return;
        }
        self.pause(now);
        let parent = self.game.parent(id);
        self.game.remove(id);
        if !self.is_in_tree(self.node) {
            self.show(parent);
        }
    }

    /// Makes the line of a node the main line.
    pub(super) fn promote(&mut self, id: NodeId) {
        self.game.promote(id);
    }

    /// Takes back the last move: of a contest with a person the person's last one with what follows.
    pub(super) fn take_back(&mut self, now: Instant) -> Result<(), StateError> {
        let Some(contest) = &self.contest else { return Err(StateError::NoContest) };
        let is_human = |side| contest.player(side) == Player::Human;
        let has_human = Color::ALL.into_iter().any(is_human);
        let mut side = self.position.side();
        let mut target = self.node;
        let mut removed = None;
        while target != NodeId::ROOT {
            removed = Some(target);
            target = self.game.parent(target);
            side = !side;
            if is_human(side) || !has_human {
                break;
            }
        }
        if let Some(removed) = removed {
            self.pause(now);
            self.game.remove(removed);
            self.show(target);
        }
        self.resume(now)
    }

    /// Begins a contest in the shown position.
    pub(super) fn begin(&mut self, contest: Contest, now: Instant) -> Result<(), StateError> {
        if self.outcome.is_some() {
            return Err(StateError::GameOver);
        }
        self.contest = Some(contest);
        self.single_move = None;
        // What is played becomes the game.
        for child in self.game.children(self.node).to_vec() {
            self.game.remove(child);
        }
        self.game.promote(self.node);
        self.resume(now)
    }

    /// Goes on with a contest.
    pub(super) fn resume(&mut self, now: Instant) -> Result<(), StateError> {
        if self.outcome.is_some() {
            return Err(StateError::GameOver);
        }
        let side = self.position.side();
        let contest = self.contest.as_mut().ok_or(StateError::NoContest)?;
        contest.resume(side, now);
        self.analysis = None;
        self.sweep = None;
        self.game.result = GameResult::Unknown;
        Ok(())
    }

    /// Stops the clocks of a contest.
    pub(super) fn pause(&mut self, now: Instant) {
        let side = self.position.side();
        if let Some(contest) = &mut self.contest {
            contest.pause(side, now);
        }
        self.single_move = None;
    }

    /// The person whose turn it is, or who plays the engine, resigns.
    pub(super) fn resign(&mut self) -> Result<(), StateError> {
        let side = self.position.side();
        let contest = self.contest.as_mut().filter(|contest| contest.is_running());
        let contest = contest.ok_or(StateError::NoContest)?;
        let loser = if contest.player(side) == Player::Human { side } else { !side };
        contest.lose(Forfeit::Resignation(loser));
        self.game.result = GameResult::won_by(!loser);
        Ok(())
    }

    /// Ends the contest if the time of the side to move is over.
    pub(super) fn check_time(&mut self, now: Instant) {
        let side = self.position.side();
        if self.contest.as_mut().is_some_and(|contest| contest.check_time(side, now)) {
            self.game.result = GameResult::won_by(!side);
        }
    }

    /// Starts or ends an analysis. It pauses a contest.
    pub(super) fn analyse(&mut self, lines: Option<usize>, now: Instant) {
        if let Some(lines) = lines {
            self.pause(now);
            self.found.lines.truncate(lines);
        }
        self.analysis = lines;
    }

    /// Asks for one move of the engine.
    pub(super) fn ask_for_move(&mut self, purpose: Purpose, now: Instant) {
        self.pause(now);
        self.single_move = Some(purpose);
    }

    /// Values all positions of the shown line for the curve, each for this time.
    pub(super) fn start_sweep(&mut self, time: Duration, now: Instant) {
        self.pause(now);
        let mut line = vec![self.node];
        while let Some(&id) = line.last().filter(|&&id| id != NodeId::ROOT) {
            line.push(self.game.parent(id));
        }
        line.reverse();
        line.extend(self.game.line_after(self.node));
        let left = line;
        self.sweep = Some(Sweep { total: left.len(), left, time });
        self.skip_ended_positions();
    }

    pub(super) fn stop_sweep(&mut self) {
        self.sweep = None;
    }

    /// Stops all that the engine does for this session.
    pub(super) fn stop(&mut self, now: Instant) {
        self.pause(now);
        self.analysis = None;
        self.sweep = None;
    }

    /// The search that is wanted now.
    pub(super) fn wish(&self) -> Option<Wish> {
        let wish = |node, purpose| Some(Wish { node, rules: self.rules, purpose });
        let can_move = self.position.has_legal_move();
        if let Some(contest) = self.contest.as_ref().filter(|contest| contest.is_running()) {
            let side = self.position.side();
            return match contest.player(side) {
                Player::Engine { elo } if can_move => {
                    let time = contest.thinking_time(side);
                    wish(self.node, Purpose::Move { elo, time })
                }
                _ => None,
            };
        }
        if let (Some(purpose), true) = (&self.single_move, can_move) {
            return wish(self.node, purpose.clone());
        }
        if let Some(sweep) = &self.sweep
            && let Some(&node) = sweep.left.last()
        {
            return wish(node, Purpose::Valuation { time: sweep.time });
        }
        match self.analysis {
            Some(lines) if can_move => wish(self.node, Purpose::Analysis { lines }),
            _ => None,
        }
    }

    /// The position at a node, with its history.
    pub(super) fn position_at(&self, id: NodeId) -> Position {
        if id == self.node {
            return self.position.clone();
        }
        let mut position = self.game.start().clone();
        for mv in self.moves_to(id) {
            position.make(mv);
        }
        position
    }

    /// The engine has begun with a wish.
    pub(super) fn started(&mut self, wish: &Wish, now: Instant) {
        if let (Purpose::Move { .. }, Some(contest)) = (&wish.purpose, &mut self.contest) {
            contest.engine_started(now);
        }
    }

    /// The engine reports a line.
    pub(super) fn report(&mut self, wish: &Wish, line: &PvInfo) {
        if line.multi_pv <= 1 && !is_weakened(&wish.purpose) {
            self.note_score(wish.node, line.score, line.depth, &line.pv);
        }
        if matches!(wish.purpose, Purpose::Valuation { .. }) {
            return;
        }
        if self.found.node != Some(wish.node) {
            self.found = FoundLines { node: Some(wish.node), lines: Vec::new() };
        }
        let most = match wish.purpose {
            Purpose::Analysis { lines } => lines,
            Purpose::Move { .. } | Purpose::Valuation { .. } => 1,
        };
        self.found.insert(line, most);
    }

    /// The engine is done with a wish.
    pub(super) fn finished(&mut self, wish: &Wish, conclusion: &Conclusion, now: Instant) {
        match wish.purpose {
            Purpose::Move { .. } => self.play_engine_move(wish, conclusion, now),
            Purpose::Valuation { .. } => {
                self.note_conclusion(wish.node, conclusion);
                if let Some(sweep) = &mut self.sweep {
                    sweep.left.retain(|&node| node != wish.node);
                }
                self.skip_ended_positions();
            }
            Purpose::Analysis { .. } => {}
        }
    }

    fn play_engine_move(&mut self, wish: &Wish, conclusion: &Conclusion, now: Instant) {
        let side = self.position.side();
        self.single_move = None;
        if let Some(contest) = self.contest.as_mut().filter(|contest| contest.is_running())
            && !contest.moves(side, now)
        {
            self.game.result = GameResult::won_by(!side);
            return;
        }
        if let Some(best) = conclusion.best.filter(|&best| self.position.check_move(best).is_ok()) {
            if !is_weakened(&wish.purpose) {
                self.note_conclusion(wish.node, conclusion);
            }
            // A game that has become too long has ended with that.
            let _ = self.make(best);
        }
    }

    /// Positions without a move have no value to be found.
    fn skip_ended_positions(&mut self) {
        loop {
            let next = self.sweep.as_ref().map(|sweep| sweep.left.last().copied());
            match next {
                None => return,
                Some(None) => {
                    self.sweep = None;
                    return;
                }
                Some(Some(node)) if self.is_in_tree(node) => {
                    if self.position_at(node).has_legal_move() {
                        return;
                    }
                }
                Some(Some(_)) => {}
            }
            if let Some(sweep) = &mut self.sweep {
                sweep.left.pop();
            }
        }
    }

    /// Keeps the value of a search whose lines were not reported, as of a position in a table.
    fn note_conclusion(&mut self, node: NodeId, conclusion: &Conclusion) {
        let is_reported = self.scores.get(&node).is_some_and(|known| {
            known.depth >= conclusion.depth && known.line.first() == conclusion.best.as_ref()
        });
        if !is_reported {
            let line: Vec<Move> = conclusion.best.into_iter().chain(conclusion.ponder).collect();
            self.note_score(node, conclusion.score, conclusion.depth, &line);
        }
    }

    fn note_score(&mut self, node: NodeId, score: Score, depth: u32, line: &[Move]) {
        let known = self.scores.get(&node);
        if known.is_none_or(|known| known.depth <= depth) {
            self.scores.insert(node, NodeScore { score, depth, line: line.to_vec() });
        }
    }

    fn show(&mut self, id: NodeId) {
        // The cached position is that of another node, or of another game.
        let moves = self.moves_to(id);
        self.position = self.game.start().clone();
        for mv in moves {
            self.position.make(mv);
        }
        self.node = id;
        self.rule();
    }

    fn moves_to(&self, id: NodeId) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut at = id;
        while let Some(mv) = self.game.mv(at) {
            moves.push(mv);
            at = self.game.parent(at);
        }
        moves.reverse();
        moves
    }

    fn rule(&mut self) {
        let regulations = Regulations {
            rules: self.rules,
            natural_limit: self.rules.natural_limit(),
            ..Regulations::default()
        };
        self.outcome = Referee::new(self.position.clone(), regulations).outcome();
    }
}

/// Whether the engine plays below its strength, so that its scores are not those of the position.
fn is_weakened(purpose: &Purpose) -> bool {
    matches!(purpose, Purpose::Move { elo: Some(_), .. })
}

/// The winner by time or resignation.
pub(super) fn winner_of(forfeit: Forfeit) -> Color {
    match forfeit {
        Forfeit::Time(loser) | Forfeit::Resignation(loser) => !loser,
    }
}
