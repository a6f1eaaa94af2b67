//! The engine as an opponent, and as a helper at full strength.

use std::time::Duration;

use cannonade_engine::search::{Clock, Limits};
use cannonade_engine::{BlockingEngine, FinishedSearch, OptionError, Strength};
use xiangqi::board::Position;
use xiangqi::geometry::Color;
use xiangqi::rules::RuleSet;

use super::level::FULL_LEVEL;
use super::setup::PlaySetup;
use super::terminal::Terminal;

/// The time for a hint or an evaluation.
const HELP_TIME: Duration = Duration::from_millis(800);

/// The engine agrees to a draw up to this score for it, in centipawns.
const DRAW_MARGIN: i32 = 20;

/// The playing engine, and a helper.
pub(super) struct Opponent {
    engine: BlockingEngine,
    level: u32,
    /// The maximum time for a move without a clock.
    longest: Duration,
    rules: RuleSet,
    /// An engine at full strength, created when help is first asked for; its memory is separate
    /// from the opponent's.
    helper: Option<BlockingEngine>,
}

impl Opponent {
    /// Creates an engine of this level.
    ///
    /// # Errors
    ///
    /// If an option is refused.
    pub(super) fn new(level: u32, setup: &PlaySetup) -> Result<Opponent, OptionError> {
        let rules = setup.rules;
        let longest = Duration::from_secs_f64(setup.move_time);
        let mut engine = new_engine(rules)?;
        for (name, value) in
            [("Level Seed", setup.seed), ("Threads", setup.threads), ("Hash", setup.hash_mib)]
        {
            engine.engine_mut().set_option(name, &value.to_string())?;
        }
        let mut opponent = Opponent { engine, level, longest, rules, helper: None };
        opponent.set_level(level)?;
        Ok(opponent)
    }

    pub(super) fn level(&self) -> u32 {
        self.level
    }

    /// Changes the level.
    ///
    /// # Errors
    /// If the level does not exist.
    pub(super) fn set_level(&mut self, level: u32) -> Result<(), OptionError> {
        self.engine.engine_mut().set_option("Skill Level", &level.to_string())?;
        self.level = level;
        Ok(())
    }

    /// Returns the engine's name in records.
    pub(super) fn name(&self) -> String {
        match self.level {
            FULL_LEVEL => "Cannonade".to_owned(),
            level => format!("Cannonade level {level}"),
        }
    }

    /// Returns the Elo of the level; `None` for full strength.
    pub(super) fn elo(&self) -> Option<i64> {
        self.engine.engine().options().strength().map(Strength::elo)
    }

    /// Clears the state left by earlier games.
    pub(super) fn new_game(&mut self) {
        self.engine.engine_mut().new_game();
    }

    /// Searches for a move to play. An interrupt ends the search early.
    pub(super) fn think(
        &mut self,
        position: &Position,
        clock: Option<Clock>,
        terminal: &mut Terminal,
    ) -> FinishedSearch {
        let move_time = clock.is_none().then_some(self.longest);
        let limits = Limits { clock, move_time, ..Limits::default() };
        search(&mut self.engine, position, limits, terminal)
    }

    /// Searches for the best move at full strength. An interrupt ends the search early.
    /// `None` if the system gives no second engine.
    pub(super) fn help(
        &mut self,
        position: &Position,
        terminal: &mut Terminal,
    ) -> Option<FinishedSearch> {
        if self.helper.is_none() {
            self.helper = new_engine(self.rules).ok();
        }
        let engine = self.helper.as_mut()?;
        let limits = Limits { move_time: Some(HELP_TIME), ..Limits::default() };
        Some(search(engine, position, limits, terminal))
    }

    /// Returns whether the engine, which plays `side`, agrees to a draw.
    pub(super) fn accepts_draw(
        &mut self,
        position: &Position,
        side: Color,
        terminal: &mut Terminal,
    ) -> bool {
        let found = self.help(position, terminal).map(|found| found.score());
        let sign = if position.side() == side { 1 } else { -1 };
        found.is_some_and(|score| sign * score.centipawns() <= DRAW_MARGIN)
    }
}

fn new_engine(rules: RuleSet) -> Result<BlockingEngine, OptionError> {
    let mut engine = BlockingEngine::new();
    engine.engine_mut().find_user_tables();
    engine.engine_mut().set_option("RepetitionRule", rules.name())?;
    Ok(engine)
}

/// Searches until the limits are reached or the person interrupts.
fn search(
    engine: &mut BlockingEngine,
    position: &Position,
    limits: Limits,
    terminal: &mut Terminal,
) -> FinishedSearch {
    engine.search(position.clone(), limits, || terminal.is_interrupted(), |_| {})
}
