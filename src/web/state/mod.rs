//! What a session holds: the game with the place that is shown, a game that is played, and what the
//! engine is asked for.

mod found_lines;
mod playing;
mod scores;
mod shown_game;
mod sweep;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use xiangqi::board::{Move, Position};
use xiangqi::notation::Notation;
use xiangqi::records::{Game, GameResult, NodeId};
use xiangqi::rules::{Outcome, Referee, Regulations, RuleSet};

use crate::book::Book;
use crate::search::PvInfo;

use super::contest::{Contest, Forfeit, Player};
use super::search_request::{SearchKind, SearchResult};
pub(super) use found_lines::FoundLines;
pub(super) use scores::{NodeScore, Scores};
pub(super) use shown_game::ShownGame;
pub(super) use sweep::Sweep;

/// The most moves of a game with its variations. Nobody plays more; a page would be slow.
pub(super) const MAX_MOVES: usize = 5000;

/// A search that the session wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SearchRequest {
    /// The number of the game: the places of another game have the same names.
    pub(super) game_number: u64,
    pub(super) node: NodeId,
    pub(super) rules: RuleSet,
    pub(super) kind: SearchKind,
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
    #[error("the engine plays both sides, and nobody is there to resign; pause the game instead")]
    NobodyResigns,
}

/// What a session holds.
#[derive(Debug)]
pub(super) struct SessionState {
    game: ShownGame,
    /// Counts the games that were shown.
    game_number: u64,
    outcome: Option<Outcome>,
    rules: RuleSet,
    pub(super) notation: Notation,
    contest: Option<Contest>,
    /// The last place of the contest. A forfeit is shown there and nowhere else.
    contest_place: NodeId,
    /// Where the contest began. No move before it is taken back.
    contest_start: NodeId,
    /// The moves that the contest has added to the record. Only they are removed when they are taken
    /// back; what a loaded game has stays.
    contest_moves: HashSet<NodeId>,
    /// One move that is asked for outside of a contest.
    single_move: Option<SearchKind>,
    /// The number of lines, while the engine analyses.
    analysis: Option<usize>,
    sweep: Option<Sweep>,
    found: FoundLines,
    scores: Scores,
    /// The moves that the engine has played from an opening book.
    from_book: HashSet<NodeId>,
}

impl SessionState {
    pub(super) fn new(game: Game) -> SessionState {
        let mut state = SessionState {
            game: ShownGame::new(game),
            game_number: 0,
            outcome: None,
            rules: RuleSet::default(),
            notation: Notation::default(),
            contest: None,
            contest_place: NodeId::ROOT,
            contest_start: NodeId::ROOT,
            contest_moves: HashSet::new(),
            single_move: None,
            analysis: None,
            sweep: None,
            found: FoundLines::default(),
            scores: Scores::default(),
            from_book: HashSet::new(),
        };
        state.rule();
        state
    }

    pub(super) fn game(&self) -> &ShownGame {
        &self.game
    }

    /// The record, for changes that leave its moves as they are.
    pub(super) fn record_mut(&mut self) -> &mut Game {
        &mut self.game.record
    }

    pub(super) fn position(&self) -> &Position {
        self.game.position()
    }

    /// How the game has ended with the shown position, by the rules alone.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// How a side has lost in the shown place without the rules.
    pub(super) fn forfeit(&self) -> Option<Forfeit> {
        let forfeit = self.contest.as_ref().and_then(Contest::forfeit);
        forfeit.filter(|_| self.game.node() == self.contest_place)
    }

    pub(super) fn regulations(&self) -> Regulations {
        Regulations::of(self.rules)
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

    pub(super) fn scores(&self) -> &Scores {
        &self.scores
    }

    /// Whether the engine has played this move from an opening book.
    pub(super) fn is_from_book(&self, node: NodeId) -> bool {
        self.from_book.contains(&node)
    }

    /// The opening book from which a request may be answered: a move of the game that is played.
    pub(super) fn book_for(&self, request: &SearchRequest) -> Option<Arc<Book>> {
        let contest = self.contest.as_ref().filter(|contest| contest.is_running())?;
        let is_move = matches!(request.kind, SearchKind::Move { .. });
        contest.book().filter(|_| is_move).map(|(_, book)| Arc::clone(book))
    }

    /// Replaces the game. An analysis goes on with the new one.
    pub(super) fn set_game(&mut self, game: Game) -> Result<(), StateError> {
        if game.len() > MAX_MOVES {
            return Err(StateError::TooLong);
        }
        self.game = ShownGame::new(game);
        self.game_number += 1;
        self.contest = None;
        self.contest_moves.clear();
        self.single_move = None;
        self.sweep = None;
        self.scores = Scores::default();
        self.from_book.clear();
        self.found = FoundLines::default();
        self.rule();
        Ok(())
    }

    pub(super) fn set_rules(&mut self, rules: RuleSet) {
        if rules != self.rules {
            self.rules = rules;
            self.found = FoundLines::default();
            self.scores = Scores::default();
            self.rule();
            self.end_contest_by_rules();
        }
    }

    /// Shows another place of the game. A contest is paused unless this is its last move.
    pub(super) fn go_to(&mut self, id: NodeId, now: Instant) {
        if id != self.game.node() {
            self.pause(now);
            self.game.show(id);
            self.rule();
        }
    }

    /// A person makes a move.
    pub(super) fn play(&mut self, mv: Move, now: Instant) -> Result<(), StateError> {
        let side = self.position().side();
        if let Some(contest) = self.contest.as_mut().filter(|contest| contest.is_running()) {
            if contest.player(side) != Player::Human {
                return Err(StateError::EnginesTurn);
            }
            if !contest.moves(side, now) {
                self.record_mut().result = GameResult::won_by(!side);
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
        let is_new = self.game.continuation(mv).is_none();
        if is_new && self.game.record.len() >= MAX_MOVES {
            self.end_contest();
            return Err(StateError::TooLong);
        }
        self.game.make(mv);
        self.rule();
        if self.contest.as_ref().is_some_and(Contest::is_running) {
            self.contest_place = self.game.node();
            if is_new {
                self.contest_moves.insert(self.contest_place);
            }
            // What is played is the game; the rest are variations.
            self.promote(self.contest_place);
            self.end_contest_by_rules();
        }
        Ok(())
    }

    /// Removes a move and all that follows it.
    pub(super) fn remove(&mut self, id: NodeId, now: Instant) {
        self.pause(now);
        self.game.remove(id);
        self.rule();
    }

    /// Makes the line of a node the main line.
    pub(super) fn promote(&mut self, id: NodeId) {
        self.record_mut().promote(id);
    }

    /// Starts or ends an analysis. It pauses a contest.
    pub(super) fn analyse(&mut self, lines: Option<usize>, now: Instant) {
        if let Some(lines) = lines {
            self.pause(now);
            if self.analysis.is_some_and(|before| before < lines) {
                // The search of more lines begins with the first depth again.
                self.found = FoundLines::default();
            }
            self.found.truncate(lines);
        }
        self.analysis = lines;
    }

    /// Asks for one move of the engine.
    pub(super) fn ask_for_move(&mut self, kind: SearchKind, now: Instant) {
        self.pause(now);
        self.single_move = Some(kind);
    }

    /// Values all positions of the shown line for the curve, each for this time.
    pub(super) fn start_sweep(&mut self, time: Duration, now: Instant) {
        self.pause(now);
        self.sweep = Sweep::of_line(&self.game, time);
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
    pub(super) fn wanted_search(&self) -> Option<SearchRequest> {
        let game_number = self.game_number;
        let request =
            |node, kind| Some(SearchRequest { game_number, node, rules: self.rules, kind });
        let node = self.game.node();
        let can_move = self.position().has_legal_move();
        if let Some(contest) = self.contest.as_ref().filter(|contest| contest.is_running()) {
            let side = self.position().side();
            return match contest.player(side) {
                Player::Engine { elo } if can_move => {
                    let time = contest.thinking_time(side);
                    request(node, SearchKind::Move { elo, time })
                }
                _ => None,
            };
        }
        if let (Some(kind), true) = (&self.single_move, can_move) {
            return request(node, kind.clone());
        }
        if let Some((node, time)) = self.sweep.as_ref().and_then(Sweep::next) {
            return request(node, SearchKind::Valuation { time });
        }
        match self.analysis {
            Some(lines) if can_move => request(node, SearchKind::Analysis { lines }),
            _ => None,
        }
    }

    /// The engine has begun with a request.
    pub(super) fn started(&mut self, request: &SearchRequest, now: Instant) {
        if let (SearchKind::Move { .. }, Some(contest)) = (&request.kind, &mut self.contest) {
            contest.engine_started(now);
        }
    }

    /// The engine reports a line.
    pub(super) fn report(&mut self, request: &SearchRequest, line: &PvInfo) {
        if line.multi_pv <= 1 && !is_weakened(&request.kind) {
            self.scores.insert(request.node, line.score, line.depth, &line.pv);
        }
        match request.kind {
            SearchKind::Analysis { lines } => self.found.insert(request.node, line, lines),
            SearchKind::Move { .. } => self.found.insert(request.node, line, 1),
            SearchKind::Valuation { .. } => {}
        }
    }

    /// The engine is done with a request.
    pub(super) fn finished(
        &mut self,
        request: &SearchRequest,
        result: &SearchResult,
        now: Instant,
    ) {
        if matches!(request.kind, SearchKind::Move { .. }) {
            self.single_move = None;
        }
        match (&request.kind, result) {
            (SearchKind::Move { .. }, SearchResult::FromBook(mv)) => {
                if self.play_engine_move(*mv, now) {
                    self.from_book.insert(self.game.node());
                }
            }
            (SearchKind::Move { .. }, SearchResult::Searched(conclusion)) => {
                if let Some(best) = conclusion.best {
                    let is_played = self.play_engine_move(best, now);
                    if is_played && !is_weakened(&request.kind) {
                        self.scores.insert_conclusion(request.node, conclusion);
                    }
                }
            }
            (SearchKind::Valuation { .. }, SearchResult::Searched(conclusion)) => {
                self.scores.insert_conclusion(request.node, conclusion);
                self.sweep =
                    self.sweep.take().and_then(|rest| rest.after(request.node, &self.game));
            }
            (SearchKind::Valuation { .. } | SearchKind::Analysis { .. }, _) => {}
        }
    }

    /// Plays a move of the engine. Returns whether it is on the board: the time may be over.
    fn play_engine_move(&mut self, mv: Move, now: Instant) -> bool {
        let side = self.position().side();
        if let Some(contest) = self.contest.as_mut().filter(|contest| contest.is_running())
            && !contest.moves(side, now)
        {
            self.record_mut().result = GameResult::won_by(!side);
            return false;
        }
        // A game that has become too long has ended with that.
        self.position().check_move(mv).is_ok() && self.make(mv).is_ok()
    }

    fn rule(&mut self) {
        self.outcome = Referee::new(self.position().clone(), self.regulations()).outcome();
    }
}

/// Whether the engine plays below its strength, so that its scores are not those of the position.
fn is_weakened(kind: &SearchKind) -> bool {
    matches!(kind, SearchKind::Move { elo: Some(_), .. })
}
