//! One game from the first question to the verdict.

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use crate::board::{Move, Position};
use crate::geometry::Color;
use crate::rules::{Referee, Regulations};

use super::adjudication::{Adjudication, Adjudicator};
use super::ending::{Ending, Fault, Reason};
use super::player::{Player, Question, Trouble};
use super::record::{GameRecord, PlayedMove};
use super::settings::EngineSettings;
use super::stop::StopSignal;
use super::time_control::GameClock;

/// A seat at the table: an engine, running or still to be started.
pub(super) struct Seat<'a> {
    pub(super) engine: usize,
    pub(super) settings: &'a Arc<EngineSettings>,
    pub(super) player: Option<Player>,
}

impl Seat<'_> {
    /// Brings the engine to the start of a game.
    fn prepare(&mut self, stop: &StopSignal) -> Result<&mut Player, Trouble> {
        // An engine may have died since its last game; that is no fault in this one.
        let ready = self.player.as_mut().is_some_and(|player| player.new_game().is_ok());
        if ready {
            return self.player.as_mut().ok_or(Trouble::Stopped);
        }
        self.player = None;
        let player = self.player.insert(Player::start(self.settings, stop)?);
        player.new_game()?;
        Ok(player)
    }
}

/// What all games of a match have in common.
pub(super) struct GameRules {
    pub(super) regulations: Regulations,
    pub(super) adjudication: Adjudication,
}

/// A game in play.
struct Game<'a, 'b> {
    seats: &'a mut [Seat<'b>; 2],
    clocks: [GameClock; 2],
    referee: Referee,
    adjudicator: Adjudicator,
    moves: Vec<PlayedMove>,
    draw_offered: bool,
}

/// Plays a game; `None` if the match is stopped before its end. An engine that committed a fault is
/// not in its seat any more.
pub(super) fn play_game(
    number: u32,
    seats: &mut [Seat<'_>; 2],
    start: &Position,
    rules: &GameRules,
    stop: &StopSignal,
) -> Option<GameRecord> {
    let (began, clock) = (SystemTime::now(), Instant::now());
    let mut game = Game {
        clocks: [0, 1]
            .map(|i: usize| GameClock::new(seats[i].settings.control, seats[i].settings.margin)),
        referee: Referee::new(start.clone(), rules.regulations),
        adjudicator: Adjudicator::new(rules.adjudication),
        moves: Vec::new(),
        draw_offered: false,
        seats,
    };
    let ending = game.play(stop)?;
    let moves = game.moves;
    for seat in seats.iter_mut() {
        let idle = seat.player.as_mut().is_some_and(|player| player.end_game().is_ok());
        if !idle || seat.settings.restart {
            seat.player = None;
        }
    }
    Some(GameRecord {
        number,
        engines: [seats[0].engine, seats[1].engine],
        names: [0, 1].map(|i: usize| seats[i].settings.name.clone()),
        controls: [0, 1].map(|i: usize| seats[i].settings.control),
        start: start.clone(),
        moves,
        ending,
        began,
        duration: clock.elapsed(),
    })
}

impl Game<'_, '_> {
    /// The ending; `None` if the match is stopped.
    fn play(&mut self, stop: &StopSignal) -> Option<Ending> {
        for side in Color::ALL {
            if let Err(trouble) = self.seats[side.index()].prepare(stop) {
                return self.ending_by(side, trouble);
            }
        }
        let mut ending = self.referee.outcome().map(Ending::ruled);
        while ending.is_none() {
            let side = self.referee.position().side();
            match self.play_move(side) {
                Ok(verdict) => ending = verdict,
                Err(trouble) => return self.ending_by(side, trouble),
            }
        }
        ending
    }

    fn ending_by(&mut self, side: Color, trouble: Trouble) -> Option<Ending> {
        self.seats[side.index()].player = None;
        match trouble {
            Trouble::Fault(fault) => Some(Ending::loss(side, Reason::Fault(fault))),
            Trouble::Stopped => None,
        }
    }

    fn play_move(&mut self, side: Color) -> Result<Option<Ending>, Trouble> {
        let (own, other) = (side.index(), (!side).index());
        let dialect = self.seats[own].settings.dialect;
        let player = self.seats[own].player.as_mut().ok_or(Trouble::Stopped)?;
        let thought = player.think(&Question {
            position: self.referee.position(),
            own: &self.clocks[own],
            other: &self.clocks[other],
            draw_offered: self.draw_offered,
        })?;
        if !self.clocks[own].spend(thought.elapsed) {
            return Err(Fault::TimeForfeit.into());
        }
        let best = thought.best;
        if best.resign {
            return Ok(Some(Ending::loss(side, Reason::Resignation)));
        }
        let text = best.text.ok_or(Fault::NoMove)?;
        let illegal = || {
            let shown: String = text.chars().filter(|c| !c.is_control()).take(20).collect();
            Trouble::Fault(Fault::IllegalMove(shown))
        };
        let mv = dialect.read(&text).ok_or_else(illegal)?;
        let verdict = self.referee.play(mv).map_err(|_| illegal())?.map(Ending::ruled);
        self.moves.push(PlayedMove { mv, elapsed: thought.elapsed, report: thought.report });
        if verdict.is_some() {
            return Ok(verdict);
        }
        if best.draw && self.draw_offered {
            return Ok(Some(Ending::draw(Reason::Agreement)));
        }
        self.draw_offered = best.draw;
        let verdict = self.adjudicator.hear(side, thought.report.score);
        if verdict.is_none() {
            let expected = best.ponder.and_then(|text| dialect.read(&text));
            self.start_pondering(side, expected)?;
        }
        Ok(verdict)
    }

    /// Lets `side` think on, if it wants to and expects an answer after which the game goes on.
    fn start_pondering(&mut self, side: Color, expected: Option<Move>) -> Result<(), Trouble> {
        let (own, other) = (side.index(), (!side).index());
        let player = self.seats[own].player.as_mut().ok_or(Trouble::Stopped)?;
        let expected = expected.filter(|&mv| self.referee.position().check_move(mv).is_ok());
        let Some(expected) = expected.filter(|_| player.ponders()) else { return Ok(()) };
        let mut position = self.referee.position().clone();
        position.make(expected);
        if !position.has_legal_move() {
            return Ok(());
        }
        let question = Question {
            position: &position,
            own: &self.clocks[own],
            other: &self.clocks[other],
            draw_offered: false,
        };
        player.ponder(&question, expected)
    }
}
