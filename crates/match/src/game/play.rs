//! One game, from the start of the engines to its ending.

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use cannonade_game::PlayedGame;
use xiangqi::board::{Move, Position};
use xiangqi::geometry::Color;
use xiangqi::records::Game;
use xiangqi::rules::{Outcome, Regulations, Wdl};

use super::super::engine::{
    EngineClock, EngineError, EngineRequest, EngineSettings, Fault, RunningEngine, StopSignal,
};
use super::adjudication::{AdjudicationRules, Adjudicator};
use super::record::{EngineMove, GameRecord};
use super::table_referee::TableReferee;
use super::termination::Termination;

/// One of the two engines of a game, running or still to be started.
pub(crate) struct EngineSlot<'a> {
    /// Its index in the list of the match.
    pub(crate) index: usize,
    pub(crate) settings: &'a Arc<EngineSettings>,
    pub(crate) running: Option<RunningEngine>,
}

impl EngineSlot<'_> {
    /// Makes the engine ready for a new game, starting it if necessary. Returns the fault by which
    /// it has ended since its last game, which does not lose this one.
    fn prepare(&mut self, stop: &StopSignal) -> Result<Option<Fault>, EngineError> {
        let fault = match self.running.as_mut().map(RunningEngine::new_game) {
            Some(Ok(())) => return Ok(None),
            Some(Err(EngineError::Stopped)) => return Err(EngineError::Stopped),
            Some(Err(EngineError::Fault(fault))) => Some(fault),
            None => None,
        };
        // The old process must have ended before the new one starts.
        self.running = None;
        self.running.insert(RunningEngine::start(self.settings, stop)?).new_game()?;
        Ok(fault)
    }
}

/// The rules that all games of a match share.
pub(crate) struct GameRules {
    pub(crate) regulations: Regulations,
    pub(crate) adjudication: AdjudicationRules,
    pub(crate) tables: Option<TableReferee>,
}

/// A game that is being played; arrays are indexed by color, Red first.
struct GameInPlay<'a, 'b> {
    engines: &'a mut [EngineSlot<'b>; 2],
    rules: &'a GameRules,
    clocks: [EngineClock; 2],
    game: PlayedGame,
    /// Of each move.
    reports: Vec<EngineMove>,
    adjudicator: Adjudicator,
    draw_offered: bool,
    /// Those that ended an engine between two games.
    faults_between: [Option<Fault>; 2],
}

/// Plays a game between two engines, Red first; `None` if the match is stopped before its end. An
/// engine that committed a fault, or is to be restarted, no longer runs afterwards.
pub(crate) fn play_game(
    number: u32,
    engines: &mut [EngineSlot<'_>; 2],
    start: &Position,
    rules: &GameRules,
    stop: &StopSignal,
) -> Option<GameRecord> {
    let (began, clock) = (SystemTime::now(), Instant::now());
    let settings = engines.each_ref().map(|engine| engine.settings);
    let mut play = GameInPlay {
        clocks: settings.map(|settings| EngineClock::new(settings.control, settings.margin)),
        game: PlayedGame::new(Game::new(start.clone()), rules.regulations),
        reports: Vec::new(),
        adjudicator: Adjudicator::new(rules.adjudication),
        draw_offered: false,
        faults_between: [None, None],
        engines,
        rules,
    };
    let ending = play.run(stop)?;
    let GameInPlay { game, reports, mut faults_between, .. } = play;
    for (engine, between) in engines.iter_mut().zip(&mut faults_between) {
        let ended = engine.running.as_mut().map(RunningEngine::end_game);
        if ended.as_ref().is_none_or(Result::is_err) || engine.settings.restart {
            engine.running = None;
        }
        if let Some(Err(EngineError::Fault(fault))) = ended {
            between.get_or_insert(fault);
        }
    }
    let mut game = game.into_record();
    game.result = ending.result();
    Some(GameRecord {
        number,
        engines: engines.each_ref().map(|engine| engine.index),
        names: settings.map(|settings| settings.name.clone()),
        controls: settings.map(|settings| settings.control),
        game,
        reports,
        ending,
        faults_between,
        began,
        duration: clock.elapsed(),
    })
}

impl GameInPlay<'_, '_> {
    /// Returns the ending; `None` if the match is stopped.
    fn run(&mut self, stop: &StopSignal) -> Option<Outcome<Termination>> {
        for side in Color::ALL {
            match self.engines[side.index()].prepare(stop) {
                Ok(fault) => self.faults_between[side.index()] = fault,
                Err(error) => return self.ending_by_error(side, error),
            }
        }
        let mut ending = self.end();
        while ending.is_none() {
            let side = self.game.position().side();
            match self.play_move(side) {
                Ok(verdict) => ending = verdict,
                Err(error) => return self.ending_by_error(side, error),
            }
        }
        ending
    }

    /// Returns the end by the rules or by resignation.
    fn end(&self) -> Option<Outcome<Termination>> {
        self.game.outcome().map(|end| end.map(Termination::Rules))
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
        let ranks = self.engines[own].settings.ranks;
        let engine = self.engines[own].running.as_mut().ok_or(EngineError::Stopped)?;
        let answer = engine.search(&EngineRequest {
            position: self.game.position(),
            own: &self.clocks[own],
            other: &self.clocks[other],
            draw_offered: self.draw_offered,
        })?;
        let overrun = self.clocks[own].overrun(answer.elapsed);
        if !self.clocks[own].spend(answer.elapsed) {
            return Err(Fault::TimeForfeit.into());
        }
        let best = answer.best;
        if best.resign {
            return Ok(Some(Outcome::loss(side, Termination::Resignation)));
        }
        let text = best.text.ok_or(Fault::NoMove)?;
        let mv = ranks.read(&text).filter(|&mv| self.is_legal(mv));
        let mv = mv.ok_or_else(|| self.illegal_move(side, &text))?;
        self.game.play(mv);
        let (elapsed, left) = (answer.elapsed, self.clocks[own].left());
        let score = answer.info.score;
        self.reports.push(EngineMove { elapsed, overrun, left, info: answer.info });
        if let Some(ending) = self.end() {
            return Ok(Some(ending));
        }
        if best.draw && self.draw_offered {
            return Ok(Some(Outcome::draw(Termination::Agreement)));
        }
        self.draw_offered = best.draw;
        let verdict = self.adjudicator.judge(side, score).or_else(|| self.result_by_tables());
        if verdict.is_none() {
            let expected = best.ponder.and_then(|text| ranks.read(&text));
            self.start_pondering(side, expected)?;
        }
        Ok(verdict)
    }

    fn is_legal(&self, mv: Move) -> bool {
        self.game.position().check_move(mv).is_ok()
    }

    /// Returns the ending if the match adjudicates by tables and they know the result.
    fn result_by_tables(&self) -> Option<Outcome<Termination>> {
        let (position, regulations) = (self.game.position(), self.rules.regulations);
        let result = self.rules.tables.as_ref()?.result(position, regulations.natural_limit)?;
        Some(match result {
            Wdl::Draw => Outcome::draw(Termination::TableAdjudication),
            Wdl::Win => Outcome::loss(!position.side(), Termination::TableAdjudication),
            Wdl::Loss => Outcome::loss(position.side(), Termination::TableAdjudication),
        })
    }

    /// Returns the fault of `side` after an illegal move.
    fn illegal_move(&self, side: Color, text: &str) -> EngineError {
        let ranks = self.engines[side.index()].settings.ranks.other();
        let is_legal = ranks.read(text).is_some_and(|mv| self.is_legal(mv));
        // The text goes into the record of the game.
        let text = text.chars().filter(|c| !c.is_control()).take(20).collect();
        if is_legal {
            Fault::OtherRanks { text, ranks }.into()
        } else {
            Fault::IllegalMove(text).into()
        }
    }

    /// Lets `side` ponder, if its settings say so and it expects a move after which the game goes
    /// on.
    fn start_pondering(&mut self, side: Color, expected: Option<Move>) -> Result<(), EngineError> {
        let (own, other) = (side.index(), (!side).index());
        let Some(expected) = expected.filter(|&mv| self.is_legal(mv)) else { return Ok(()) };
        let engine = self.engines[own].running.as_mut().ok_or(EngineError::Stopped)?;
        if !engine.ponders() {
            return Ok(());
        }
        let position = self.game.position().after([expected]);
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
