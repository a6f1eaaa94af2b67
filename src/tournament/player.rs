//! An engine as a player: the handshake, the question for a move, pondering. Each answer is
//! awaited only so long.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::board::{Move, Position};
use crate::geometry::Color;

use super::dialogue::{BestMove, GoOrder, Protocol, Report, TimeUnit};
use super::ending::Fault;
use super::process::{EngineProcess, Line, Received};
use super::settings::EngineSettings;
use super::stop::StopSignal;
use super::time_control::GameClock;

/// Bytes an engine may write for one answer. A search of hours with many variations writes less.
const FLOOD: usize = 16 << 20;

/// How long an engine may take to end its pondering after the game.
const STOP_PATIENCE: Duration = Duration::from_secs(2);

/// Why there is no answer.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The engine's fault.
    Fault(Fault),
    /// The match is to end.
    Stopped,
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}

/// What an engine answered to `go`.
#[derive(Debug)]
pub(super) struct Thought {
    /// What it said.
    pub(super) best: BestMove,
    /// How long it took.
    pub(super) elapsed: Duration,
    /// What it reported of its search.
    pub(super) report: Report,
}

/// What a player hears before its move.
pub(super) struct Question<'a> {
    /// The position with its past.
    pub(super) position: &'a Position,
    /// The player's clock.
    pub(super) own: &'a GameClock,
    /// Its opponent's.
    pub(super) other: &'a GameClock,
    /// Whether the opponent offered a draw.
    pub(super) draw_offered: bool,
}

/// A running engine that speaks its protocol. Dropping it ends the process.
pub struct Player {
    process: EngineProcess,
    settings: Arc<EngineSettings>,
    /// The options the engine has.
    announced: Vec<String>,
    /// The move it ponders on.
    pondering: Option<Move>,
    /// Bytes it wrote since the last question.
    heard: usize,
}

impl Player {
    /// Starts the program and greets it.
    pub(super) fn start(
        settings: &Arc<EngineSettings>,
        stop: &StopSignal,
    ) -> Result<Player, Trouble> {
        let process = EngineProcess::spawn(settings, stop.clone())
            .map_err(|error| Fault::NoStart(format!("{}: {error}", settings.command.display())))?;
        let mut player = Player {
            process,
            settings: Arc::clone(settings),
            announced: Vec::new(),
            pondering: None,
            heard: 0,
        };
        player.greet()?;
        player.set_options()?;
        player.wait_until_ready()?;
        Ok(player)
    }

    /// The options that the settings name and the engine does not have.
    pub(super) fn unknown_options(&self) -> impl Iterator<Item = &str> {
        let names = self.settings.options.iter().map(|(name, _)| name.as_str());
        names.filter(|name| self.announced_as(name).is_none())
    }

    fn greet(&mut self) -> Result<(), Trouble> {
        let protocol = self.settings.protocol;
        let deadline = Instant::now() + self.settings.startup;
        self.send(protocol.greeting())?;
        loop {
            let line = self.receive(Some(deadline))?.ok_or(Fault::NoHandshake)?;
            if line.text == protocol.greeting_answer() {
                return Ok(());
            }
            self.announced.extend(protocol.option_name(&line.text).map(str::to_owned));
        }
    }

    /// The engine's spelling of an option, if it has it.
    fn announced_as(&self, name: &str) -> Option<&str> {
        self.announced.iter().map(String::as_str).find(|known| known.eq_ignore_ascii_case(name))
    }

    fn set_options(&mut self) -> Result<(), Trouble> {
        let settings = Arc::clone(&self.settings);
        let mut implied = Vec::new();
        match settings.protocol {
            // Engines of many games must hear which one; ours has the option for such clients.
            Protocol::Uci => implied.push(("UCI_Variant", "xiangqi")),
            Protocol::Ucci if settings.unit == TimeUnit::Milliseconds => {
                implied.push(("usemillisec", "true"));
            }
            Protocol::Ucci => {}
        }
        if settings.ponder {
            implied.push(("Ponder", "true"));
        }
        for (name, value) in implied {
            let given = settings.options.iter().any(|(set, _)| set.eq_ignore_ascii_case(name));
            if let Some(name) = self.announced_as(name).filter(|_| !given) {
                let command = settings.protocol.set_option(name, value);
                self.send(&command)?;
            }
        }
        for (name, value) in &settings.options {
            let name = self.announced_as(name).unwrap_or(name);
            let command = settings.protocol.set_option(name, value);
            self.send(&command)?;
        }
        Ok(())
    }

    /// Tells that a new game begins.
    pub(super) fn new_game(&mut self) -> Result<(), Trouble> {
        match self.settings.protocol {
            Protocol::Uci => self.send("ucinewgame")?,
            Protocol::Ucci if self.announced_as("newgame").is_some() => {
                self.send("setoption newgame")?;
            }
            Protocol::Ucci => {}
        }
        self.wait_until_ready()
    }

    fn wait_until_ready(&mut self) -> Result<(), Trouble> {
        self.heard = 0;
        let deadline = Instant::now() + self.settings.patience;
        self.send("isready")?;
        while self.receive(Some(deadline))?.ok_or(Fault::NotReady)?.text != "readyok" {}
        Ok(())
    }

    /// Asks for a move and waits for it, no longer than the clock allows.
    pub(super) fn think(&mut self, question: &Question<'_>) -> Result<Thought, Trouble> {
        self.heard = 0;
        let start = Instant::now();
        match self.pondering.take() {
            Some(expected) if question.position.state().mv == Some(expected) => {
                let draw = question.draw_offered && self.settings.protocol == Protocol::Ucci;
                self.send(if draw { "ponderhit draw" } else { "ponderhit" })?;
            }
            Some(_) => {
                self.send("stop")?;
                self.wait_for_move(start, question.own.allowance())?;
                self.ask(question, false)?;
            }
            None => {
                self.process.forget_lines();
                self.ask(question, false)?;
            }
        }
        self.wait_for_move(start, question.own.allowance())
    }

    /// Lets the engine think on the opponent's time: `position` is that after the answer
    /// `expected`, which the opponent has not played yet.
    pub(super) fn ponder(
        &mut self,
        question: &Question<'_>,
        expected: Move,
    ) -> Result<(), Trouble> {
        self.ask(question, true)?;
        self.pondering = Some(expected);
        Ok(())
    }

    /// Ends what the engine still does for the game that is over.
    pub(super) fn end_game(&mut self) -> Result<(), Trouble> {
        if self.pondering.take().is_some() {
            self.heard = 0;
            self.send("stop")?;
            self.wait_for_move(Instant::now(), Some(STOP_PATIENCE))?;
        }
        Ok(())
    }

    /// Whether the engine wants to ponder.
    pub(super) fn ponders(&self) -> bool {
        self.settings.ponder
    }

    fn ask(&mut self, question: &Question<'_>, ponder: bool) -> Result<(), Trouble> {
        let settings = &self.settings;
        let position = settings.protocol.position(settings.dialect, question.position);
        let order = GoOrder {
            own: question.own,
            other: question.other,
            red: question.position.side() == Color::Red,
            ponder,
            draw_offered: question.draw_offered,
            unit: settings.unit,
        };
        let go = settings.protocol.go(&order);
        self.send(&position)?;
        self.send(&go)
    }

    fn wait_for_move(
        &mut self,
        start: Instant,
        allowance: Option<Duration>,
    ) -> Result<Thought, Trouble> {
        let mut report = Report::default();
        let mut last_word = start;
        loop {
            let deadline = match allowance {
                Some(allowance) => start + allowance,
                None => last_word + self.settings.patience,
            };
            let Some(line) = self.receive(Some(deadline))? else {
                let late = allowance.is_some();
                return Err((if late { Fault::TimeForfeit } else { Fault::Silence }).into());
            };
            last_word = line.at.max(last_word);
            if let Some(best) = BestMove::parse(&line.text) {
                return Ok(Thought { best, elapsed: line.at.duration_since(start), report });
            }
            report.hear(&line.text);
        }
    }

    fn send(&mut self, command: &str) -> Result<(), Trouble> {
        if self.process.send(command) { Ok(()) } else { Err(Fault::Deaf.into()) }
    }

    /// The next line; `None` at the deadline.
    fn receive(&mut self, deadline: Option<Instant>) -> Result<Option<Line>, Trouble> {
        match self.process.receive(deadline) {
            Received::Line(line) => {
                self.heard += line.length;
                // One that never pauses would also never meet the deadline in `receive`.
                if self.heard > FLOOD {
                    return Err(Fault::Flood.into());
                }
                let late = deadline.is_some_and(|deadline| line.at > deadline);
                Ok((!late).then_some(line))
            }
            Received::TimedOut => Ok(None),
            Received::Closed => Err(Fault::Gone(self.process.describe_end()).into()),
            Received::Stopped => Err(Trouble::Stopped),
        }
    }
}
