//! The state of a session: the game with the shown place, a contest, and the engine's tasks.

mod found_lines;
mod place;
mod playing;
mod scores;
mod searching;
mod snapshot;
mod sweep;

use std::collections::HashSet;

use cannonade_engine::search::{PvInfo, Score};
use cannonade_game::{ChangeKind, Edit, GameEnd};
use web_time::{Duration, Instant};
use xiangqi::board::{Defect, Move, Position};
use xiangqi::geometry::Color;
use xiangqi::notation::Notation;
use xiangqi::records::{Game, NodeId};
use xiangqi::rules::{Outcome, Regulations, RuleSet};

use super::contest::{Contest, WebGame};
use super::search_request::MoveSearch;

pub(super) use found_lines::FoundLines;
use place::Place;
pub(super) use scores::{NodeScore, Scores};
pub(super) use searching::SearchRequest;
pub(super) use snapshot::{Snapshot, SnapshotError};
pub(super) use sweep::Sweep;

/// The maximum number of moves of a game with its variations. More would be beyond any game, and
/// slow in a page.
pub(super) const MAX_MOVES: usize = 5000;

/// The reason why a game does not allow an action in its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum StateError {
    #[error("the game has no such move; reload the page")]
    NoNode,
    #[error("it is the engine's turn; wait for its move or pause the game")]
    EnginesTurn,
    #[error("the time is over")]
    OutOfTime,
    #[error("the game is over; take a move back or start a new one")]
    GameOver,
    #[error("the game has {MAX_MOVES} moves; save it and start a new one")]
    TooLong,
    #[error("the game has {0} moves with its variations; up to {MAX_MOVES} can be shown")]
    TooLongToShow(usize),
    #[error("the engine does not search this position: {0}")]
    Defect(Defect),
    #[error("no game is being played")]
    NoContest,
    #[error("there is no change to undo")]
    NothingToUndo,
    #[error("there is no change to redo")]
    NothingToRedo,
    #[error("the engine plays both sides; pause the game instead of resigning")]
    NobodyResigns,
}

#[derive(Debug)]
pub(super) struct SessionState {
    game: WebGame,
    pub(super) notation: Notation,
    /// The side at the bottom of the board.
    pub(super) bottom: Color,
    /// The moves that the contest has added to the record of a number. Only they are removed when
    /// they are undone; those of a loaded game stay.
    contest_moves: HashSet<Place>,
    /// A single move requested outside of a contest.
    single_move: Option<MoveSearch>,
    /// The number of lines of the running analysis; `None` without one.
    analysis: Option<usize>,
    sweep: Option<Sweep>,
    /// True if the engine looks for the threat in the shown position.
    shows_threat: bool,
    found: FoundLines,
    threat: FoundLines,
    scores: Scores,
    /// The moves that the engine has played from an opening book.
    from_book: HashSet<Place>,
}

impl SessionState {
    pub(super) fn new(game: Game) -> SessionState {
        SessionState {
            game: WebGame::new(game, Regulations::default()),
            notation: Notation::default(),
            bottom: Color::Red,
            contest_moves: HashSet::new(),
            single_move: None,
            analysis: None,
            sweep: None,
            shows_threat: false,
            found: FoundLines::default(),
            threat: FoundLines::default(),
            scores: Scores::default(),
            from_book: HashSet::new(),
        }
    }

    pub(super) fn game(&self) -> &WebGame {
        &self.game
    }

    pub(super) fn position(&self) -> &Position {
        self.game.position()
    }

    /// Returns the end of the game at the shown position, by the rules alone.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    /// Returns the end of the game in the shown place.
    pub(super) fn end(&self) -> Option<GameEnd> {
        self.game.end()
    }

    pub(super) fn regulations(&self) -> Regulations {
        self.game.regulations()
    }

    pub(super) fn contest(&self) -> Option<&Contest> {
        self.game.players().as_ref()
    }

    pub(super) fn analysis(&self) -> Option<usize> {
        self.analysis
    }

    pub(super) fn sweep(&self) -> Option<&Sweep> {
        self.sweep.as_ref()
    }

    /// Returns the lines found in the shown position.
    pub(super) fn found(&self) -> &[PvInfo] {
        self.found.of(self.shown_place())
    }

    /// Returns whether the engine looks for threats.
    pub(super) fn shows_threat(&self) -> bool {
        self.shows_threat
    }

    /// Returns the threat in the shown position, and the position in which its line begins.
    pub(super) fn found_threat(&self) -> Option<(&PvInfo, Position)> {
        let line = self.threat.of(self.shown_place()).first().filter(|_| self.shows_threat)?;
        Some((line, passed(self.position())?))
    }

    /// Starts or ends looking for threats. It pauses a contest.
    pub(super) fn show_threat(&mut self, is_shown: bool, now: Instant) {
        if is_shown {
            self.pause(now);
        }
        self.shows_threat = is_shown;
    }

    /// Returns the value of a position of the game, if it was found.
    pub(super) fn score_of(&self, node: NodeId) -> Option<&NodeScore> {
        self.scores.of(self.place(node))
    }

    /// Returns whether the engine has played this move from an opening book.
    pub(super) fn is_from_book(&self, node: NodeId) -> bool {
        self.from_book.contains(&self.place(node))
    }

    /// Returns the place of a node of the game.
    fn place(&self, node: NodeId) -> Place {
        Place { game: self.game.number(), node }
    }

    fn shown_place(&self) -> Place {
        self.place(self.game.node())
    }

    /// Replaces the game and shows a place of the new one. An analysis goes on with it.
    pub(super) fn set_game(
        &mut self,
        game: Game,
        place: NodeId,
        now: Instant,
    ) -> Result<(), StateError> {
        self.replace_game(game, now, |edit| edit.go_to(place))
    }

    fn replace_game(
        &mut self,
        game: Game,
        now: Instant,
        arrange: impl FnOnce(&mut Edit<'_, Option<Contest>>),
    ) -> Result<(), StateError> {
        if game.len() > MAX_MOVES {
            return Err(StateError::TooLongToShow(game.len()));
        }
        self.pause(now);
        self.game.change(ChangeKind::Replace, |edit| {
            edit.replace(game);
            *edit.players_mut() = None;
            arrange(edit);
        });
        self.sweep = None;
        self.found = FoundLines::default();
        self.scores.forget_before(self.game.number());
        Ok(())
    }

    pub(super) fn set_rules(&mut self, rules: RuleSet) {
        if rules != self.regulations().rules {
            self.game.set_regulations(Regulations::of(rules));
            self.found = FoundLines::default();
            self.scores = Scores::default();
            self.end_contest_by_rules();
        }
    }

    /// Sets or removes tags of the game.
    pub(super) fn set_tags(&mut self, tags: &[(&str, String)]) {
        self.game.change(ChangeKind::Tags, |game| {
            for (name, value) in tags {
                // The settings have no other names than those of tags.
                let _ = game.set_tag(name, value);
            }
        });
    }

    /// Replaces the comment and the annotation glyphs of a move, as far as they are given.
    pub(super) fn annotate(&mut self, id: NodeId, comment: Option<&str>, glyphs: Option<Vec<u8>>) {
        self.game.change(ChangeKind::Annotate, |game| {
            if let Some(comment) = comment {
                game.set_comment(id, comment);
            }
            if let Some(glyphs) = glyphs {
                game.set_glyphs(id, glyphs);
            }
        });
    }

    /// Shows another place of the game. A contest is paused unless this is its last move.
    pub(super) fn go_to(&mut self, id: NodeId, now: Instant) {
        if id != self.game.node() {
            self.pause(now);
            self.game.go_to(id);
        }
    }

    /// Makes a move of a person.
    pub(super) fn play(&mut self, mv: Move, now: Instant) -> Result<(), StateError> {
        let side = self.position().side();
        if self.running_contest().is_some_and(|contest| !contest.is_human(side)) {
            return Err(StateError::EnginesTurn);
        }
        if self.check_time(now) {
            return Err(StateError::OutOfTime);
        }
        self.single_move = None;
        self.make(mv, now)
    }

    /// Removes a move and all moves after it.
    pub(super) fn remove(&mut self, id: NodeId, now: Instant) {
        self.pause(now);
        self.game.change(ChangeKind::Remove, |game| game.remove(id));
    }

    /// Makes the line of a node the main line.
    pub(super) fn promote(&mut self, id: NodeId) {
        self.game.change(ChangeKind::Promote, |game| game.promote(id));
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
    pub(super) fn ask_for_move(
        &mut self,
        wanted: MoveSearch,
        now: Instant,
    ) -> Result<(), StateError> {
        self.refuse_defect()?;
        self.pause(now);
        self.single_move = Some(wanted);
        Ok(())
    }

    /// Returns an error if the shown position has a defect.
    fn refuse_defect(&self) -> Result<(), StateError> {
        self.position().defect().map_or(Ok(()), |defect| Err(StateError::Defect(defect)))
    }

    /// Values all positions of the shown line for the curve, each for this time.
    pub(super) fn start_sweep(&mut self, time: Duration, now: Instant) {
        self.pause(now);
        let end = self.game.last();
        if !self.game.position_at(end).has_legal_move() {
            self.scores.insert(self.place(end), Score::Mate(0), 0, &[]);
        }
        self.sweep = Sweep::of_line(&self.game, time);
    }

    pub(super) fn stop_sweep(&mut self) {
        self.sweep = None;
    }

    /// Stops all work of the engine for this session.
    pub(super) fn stop(&mut self, now: Instant) {
        self.pause(now);
        self.analysis = None;
        self.sweep = None;
        self.shows_threat = false;
    }
}

/// Returns the position if the side to move passes; none in check, which no side may leave as it
/// is.
fn passed(position: &Position) -> Option<Position> {
    let mut board = position.board().clone();
    board.set_side(!position.side());
    Position::from_board(board, position.halfmove_clock()).ok()
}
