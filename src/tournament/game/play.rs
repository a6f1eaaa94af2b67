//! One game, from the start of the engines to its ending.

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use xiangqi::board::{Move, Position};
use xiangqi::geometry::Color;
use xiangqi::rules::{Outcome, Referee, Regulations};

use super::super::engine::{
    EngineClock, EngineError, EngineRequest, EngineSettings, Fault, RunningEngine, StopSignal,
};
use super::adjudication::{AdjudicationRules, Adjudicator};
use super::record::{GameRecord, PlayedMove};
use super::termination::Termination;

/// One of the two engines of a game, running or still to be started.
pub(in crate::tournament) struct EngineSlot<'a> {
    /// Its index in the list of the match.
    pub(in crate::tournament) index: usize,
    pub(in crate::tournament) settings: &'a Arc<EngineSettings>,
    pub(in crate::tournament) running: Option<RunningEngine>,
}

impl EngineSlot<'_> {
    /// Makes the engine ready for a new game, starting it if necessary.
    fn prepare(&mut self, stop: &StopSignal) -> Result<(), EngineError> {
        // An engine may have died since its last game; that is not a fault in this one.
        if self.running.as_mut().is_some_and(|engine| engine.new_game().is_ok()) {
            return Ok(());
        }
        // The old process must have ended before the new one starts.
        self.running = None;
        self.running.insert(RunningEngine::start(self.settings, stop)?).new_game()
    }
}

/// The rules that all games of a match share.
pub(in crate::tournament) struct GameRules {
    pub(in crate::tournament) regulations: Regulations,
    pub(in crate::tournament) adjudication: AdjudicationRules,
}

/// A game that is being played; arrays are indexed by color, Red first.
struct GameInPlay<'a, 'b> {
    engines: &'a mut [EngineSlot<'b>; 2],
    clocks: [EngineClock; 2],
    referee: Referee,
    adjudicator: Adjudicator,
    moves: Vec<PlayedMove>,
    draw_offered: bool,
}

/// Plays a game between two engines, Red first; `None` if the match is stopped before its end. An
/// engine that committed a fault, or is to be restarted, no longer runs afterwards.
pub(in crate::tournament) fn play_game(
    number: u32,
    engines: &mut [EngineSlot<'_>; 2],
    start: &Position,
    rules: &GameRules,
    stop: &StopSignal,
) -> Option<GameRecord> {
    let (began, clock) = (SystemTime::now(), Instant::now());
    let settings = engines.each_ref().map(|engine| engine.settings);
    let mut game = GameInPlay {
        clocks: settings.map(|settings| EngineClock::new(settings.control, settings.margin)),
        referee: Referee::new(start.clone(), rules.regulations),
        adjudicator: Adjudicator::new(rules.adjudication),
        moves: Vec::new(),
        draw_offered: false,
        engines,
    };
    let ending = game.play(stop)?;
    let moves = game.moves;
    for engine in engines.iter_mut() {
        let idle = engine.running.as_mut().is_some_and(|running| running.end_game().is_ok());
        if !idle || engine.settings.restart {
            engine.running = None;
        }
    }
    Some(GameRecord {
        number,
        engines: engines.each_ref().map(|engine| engine.index),
        names: settings.map(|settings| settings.name.clone()),
        controls: settings.map(|settings| settings.control),
        start: start.clone(),
        moves,
        ending,
        began,
        duration: clock.elapsed(),
    })
}

impl GameInPlay<'_, '_> {
    /// The ending; `None` if the match is stopped.
    fn play(&mut self, stop: &StopSignal) -> Option<Outcome<Termination>> {
        for side in Color::ALL {
            if let Err(error) = self.engines[side.index()].prepare(stop) {
                return self.ending_by_error(side, error);
            }
        }
        let mut ending = self.referee.outcome().map(|outcome| outcome.map(Termination::Rules));
        while ending.is_none() {
            let side = self.referee.position().side();
            match self.play_move(side) {
                Ok(verdict) => ending = verdict,
                Err(error) => return self.ending_by_error(side, error),
            }
        }
        ending
    }

    fn ending_by_error(&mut self, side: Color, error: EngineError) -> Option<Outcome<Termination>> {
        self.engines[side.index()].running = None;
        match error {
            EngineError::Fault(fault) => Some(Outcome::loss(side, Termination::Fault(fault))),
            EngineError::Stopped => None,
        }
    }

    /// Plays one move of `side`; returns the ending if the game ends with it.
    fn play_move(&mut self, side: Color) -> Result<Option<Outcome<Termination>>, EngineError> {
        let (own, other) = (side.index(), (!side).index());
        let notation = self.engines[own].settings.notation;
        let engine = self.engines[own].running.as_mut().ok_or(EngineError::Stopped)?;
        let answer = engine.search(&EngineRequest {
            position: self.referee.position(),
            own: &self.clocks[own],
            other: &self.clocks[other],
            draw_offered: self.draw_offered,
        })?;
        if !self.clocks[own].spend(answer.elapsed) {
            return Err(Fault::TimeForfeit.into());
        }
        let best = answer.best;
        if best.resign {
            return Ok(Some(Outcome::loss(side, Termination::Resignation)));
        }
        let text = best.text.ok_or(Fault::NoMove)?;
        let mv = notation.read(&text).ok_or_else(|| self.illegal_move(side, &text))?;
        let verdict = self.referee.play(mv).map_err(|_| self.illegal_move(side, &text))?;
        self.moves.push(PlayedMove { mv, elapsed: answer.elapsed, info: answer.info });
        if let Some(verdict) = verdict {
            return Ok(Some(verdict.map(Termination::Rules)));
        }
        if best.draw && self.draw_offered {
            return Ok(Some(Outcome::draw(Termination::Agreement)));
        }
        self.draw_offered = best.draw;
        let verdict = self.adjudicator.judge(side, answer.info.score);
        if verdict.is_none() {
            let expected = best.ponder.and_then(|text| notation.read(&text));
            self.start_pondering(side, expected)?;
        }
        Ok(verdict)
    }

    /// The fault of `side` after an illegal move.
    fn illegal_move(&self, side: Color, text: &str) -> EngineError {
        let notation = self.engines[side.index()].settings.notation.other();
        let position = self.referee.position();
        let is_legal = notation.read(text).is_some_and(|mv| position.check_move(mv).is_ok());
        // The text goes into the record of the game.
        let text = text.chars().filter(|c| !c.is_control()).take(20).collect();
        if is_legal {
            Fault::OtherNotation { text, notation }.into()
        } else {
            Fault::IllegalMove(text).into()
        }
    }

    /// Lets `side` ponder, if its settings say so and it expects a move after which the game goes
    /// on.
    fn start_pondering(&mut self, side: Color, expected: Option<Move>) -> Result<(), EngineError> {
        let (own, other) = (side.index(), (!side).index());
        let engine = self.engines[own].running.as_mut().ok_or(EngineError::Stopped)?;
        let expected = expected.filter(|&mv| self.referee.position().check_move(mv).is_ok());
        let Some(expected) = expected.filter(|_| engine.ponders()) else { return Ok(()) };
        let mut position = self.referee.position().clone();
        position.make(expected);
        if !position.has_legal_move() {
            return Ok(());
        }
        let request = EngineRequest {
            position: &position,
            own: &self.clocks[own],
            other: &self.clocks[other],
            draw_offered: false,
        };
        engine.ponder(&request, expected)
    }
}
