//! The searches that a session wants, and the use of their results.

use std::sync::Arc;

use cannonade_book::Book;
use cannonade_engine::search::PvInfo;
use web_time::Instant;
use xiangqi::board::{Move, Position};
use xiangqi::rules::RuleSet;

use super::{Place, SessionState, Sweep, passed};
use crate::contest::{Player, thinking_time};
use crate::search_request::{MoveSearch, SearchKind, SearchResult, is_searchable};

/// A search that the session wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SearchRequest {
    pub(crate) place: Place,
    pub(crate) rules: RuleSet,
    pub(crate) kind: SearchKind,
    pub(crate) mover: Mover,
}

/// The side to move in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mover {
    /// The side to move in the game.
    Usual,
    /// The other side, for its threat.
    Other,
}

impl SessionState {
    /// Returns the position that a request is about.
    pub(crate) fn position_of(&self, request: &SearchRequest) -> Position {
        let position = self.game.position_at(request.place.node);
        match request.mover {
            Mover::Usual => position,
            Mover::Other => passed(&position).unwrap_or(position),
        }
    }

    /// Returns the opening book from which a request may be answered: a move of the game that is
    /// played.
    pub(crate) fn book_for(&self, request: &SearchRequest) -> Option<Arc<Book>> {
        let contest = self.running_contest()?;
        let is_move = matches!(request.kind, SearchKind::Move(_));
        contest.book().filter(|_| is_move).map(|(_, book)| Arc::clone(book))
    }

    /// Returns the search that is wanted now.
    pub(crate) fn wanted_search(&self) -> Option<SearchRequest> {
        let rules = self.regulations().rules;
        let request = |place, kind| Some(SearchRequest { place, rules, kind, mover: Mover::Usual });
        let place = self.shown_place();
        let can_move = is_searchable(self.position());
        if let Some(contest) = self.running_contest() {
            let side = self.position().side();
            return match contest.player(side) {
                Player::Engine { elo } if can_move => {
                    let time = thinking_time(contest, &self.game, side);
                    request(place, SearchKind::Move(MoveSearch { elo, time }))
                }
                _ => None,
            };
        }
        if let (Some(wanted), true) = (self.single_move, can_move) {
            return request(place, SearchKind::Move(wanted));
        }
        if let Some((node, time)) = self.sweep.as_ref().and_then(Sweep::next) {
            return request(self.place(node), SearchKind::Valuation { time });
        }
        if self.shows_threat && passed(self.position()).is_some_and(|it| is_searchable(&it)) {
            let kind = SearchKind::Analysis { lines: 1 };
            return Some(SearchRequest { place, rules, kind, mover: Mover::Other });
        }
        match self.analysis {
            Some(lines) if can_move => request(place, SearchKind::Analysis { lines }),
            _ => None,
        }
    }

    /// Notes that the engine has begun with a request.
    pub(crate) fn started(&mut self, request: &SearchRequest, now: Instant) {
        // No clock runs while a game is paused: the engine works on another task.
        let is_running = self.running_contest().is_some();
        let side = self.position().side();
        if matches!(request.kind, SearchKind::Move(_))
            && let Some(clock) = self.game.clock_mut().filter(|_| is_running)
        {
            clock.start(side, now);
        }
    }

    /// Notes that the engine has the move of a request, which is played later: its time is over.
    pub(crate) fn concluded(&mut self, request: &SearchRequest, now: Instant) {
        if matches!(request.kind, SearchKind::Move(_))
            && let Some(clock) = self.game.clock_mut()
        {
            clock.hold(now);
        }
    }

    /// Receives a line of the engine.
    pub(crate) fn report(&mut self, request: &SearchRequest, line: &PvInfo) {
        if request.mover == Mover::Other {
            self.threat.insert(request.place, line, 1);
            return;
        }
        if line.multi_pv <= 1 && !is_weakened(&request.kind) {
            self.scores.insert(request.place, line.score, line.depth, &line.pv);
        }
        match request.kind {
            SearchKind::Analysis { lines } => self.found.insert(request.place, line, lines),
            SearchKind::Move(_) => self.found.insert(request.place, line, 1),
            SearchKind::Valuation { .. } => {}
        }
    }

    /// Receives the result of a request.
    pub(crate) fn finished(
        &mut self,
        request: &SearchRequest,
        result: &SearchResult,
        now: Instant,
    ) {
        if matches!(request.kind, SearchKind::Move(_)) {
            self.single_move = None;
        }
        match (&request.kind, result) {
            (SearchKind::Move(_), SearchResult::FromBook(mv)) => {
                if self.play_engine_move(*mv, now) {
                    self.from_book.insert(self.shown_place());
                }
            }
            (SearchKind::Move(_), SearchResult::Searched(conclusion)) => {
                if let Some(best) = conclusion.best {
                    let is_played = self.play_engine_move(best, now);
                    if is_played && !is_weakened(&request.kind) {
                        self.scores.insert_conclusion(request.place, conclusion);
                    }
                }
            }
            (SearchKind::Valuation { .. }, SearchResult::Searched(conclusion)) => {
                self.scores.insert_conclusion(request.place, conclusion);
                self.sweep =
                    self.sweep.take().and_then(|rest| rest.after(request.place.node, &self.game));
            }
            (SearchKind::Valuation { .. } | SearchKind::Analysis { .. }, _) => {}
        }
    }

    /// Plays a move of the engine. Returns whether it is on the board: the time may be over.
    fn play_engine_move(&mut self, mv: Move, now: Instant) -> bool {
        // A game that has become too long ends there.
        !self.check_time(now)
            && self.position().check_move(mv).is_ok()
            && self.make(mv, now).is_ok()
    }
}

/// Returns whether the engine plays below its strength, so that its scores are not those of the
/// position.
fn is_weakened(kind: &SearchKind) -> bool {
    matches!(kind, SearchKind::Move(MoveSearch { elo: Some(_), .. }))
}
