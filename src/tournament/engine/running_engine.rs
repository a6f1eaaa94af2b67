//! A running engine: handshake, options, new games, searching and pondering. Every wait for an
//! answer has a limit.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;
use xiangqi::board::{Move, Position};
use xiangqi::geometry::Color;

use super::answers::{BestMoveReply, EngineInfo};
use super::declared_option::{DeclaredOption, EngineOptionError};
use super::fault::Fault;
use super::go_command::GoParameters;
use super::process::{EngineProcess, OutputLine, ReceivedLine};
use super::protocol::{EngineProtocol, TimeUnit};
use super::settings::EngineSettings;
use super::stop_signal::StopSignal;
use super::time_control::EngineClock;

/// Bytes an engine may write for one answer. A search of hours with many variations writes less.
const MAX_OUTPUT: usize = 16 << 20;

/// The time in which an engine must end its pondering after the game.
const STOP_PATIENCE: Duration = Duration::from_secs(2);

/// The longest time in which an engine that is late must answer `stop`, so as to be slow and not stalled.
const LATE_PATIENCE: Duration = Duration::from_secs(5);

/// The maximum number of kept lines of an engine's remarks on its options.
const MAX_REMARKS: usize = 8;

/// The maximum number of kept characters of a name.
const MAX_NAME: usize = 200;

/// The reason why there is no answer.
#[derive(Debug, Error)]
pub(in crate::tournament) enum EngineError {
    /// The engine committed a fault.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The match is stopped.
    #[error("the match was stopped")]
    Stopped,
}

/// The answer to `go`.
#[derive(Debug)]
pub(in crate::tournament) struct SearchAnswer {
    /// The best move.
    pub(in crate::tournament) best: BestMoveReply,
    /// The time from the request to the answer.
    pub(in crate::tournament) elapsed: Duration,
    /// The engine's reports on its search.
    pub(in crate::tournament) info: EngineInfo,
}

/// The position and the clocks for which an engine is to find a move.
pub(in crate::tournament) struct EngineRequest<'a> {
    /// The position with its history.
    pub(in crate::tournament) position: &'a Position,
    /// The clock of the engine.
    pub(in crate::tournament) own: &'a EngineClock,
    /// The clock of its opponent.
    pub(in crate::tournament) other: &'a EngineClock,
    /// The opponent offered a draw.
    pub(in crate::tournament) draw_offered: bool,
}

/// The start of a wait for an answer. Time in which the match itself was suspended does not count.
#[derive(Clone, Copy)]
struct WaitStart {
    at: Instant,
    suspended: Duration,
}

impl WaitStart {
    fn now(process: &EngineProcess) -> WaitStart {
        WaitStart { at: Instant::now(), suspended: process.suspended() }
    }

    /// The end of a wait of at most `limit`.
    fn deadline(self, limit: Duration, process: &EngineProcess) -> Instant {
        self.at + limit + (process.suspended() - self.suspended)
    }

    /// The time from the start to `at`.
    fn elapsed(self, at: Instant, process: &EngineProcess) -> Duration {
        let suspended = process.suspended() - self.suspended;
        at.saturating_duration_since(self.at).saturating_sub(suspended)
    }
}

/// An engine that has completed its handshake. Dropping it ends the process.
pub struct RunningEngine {
    process: EngineProcess,
    settings: Arc<EngineSettings>,
    /// The name and version that it gives in the handshake.
    name: Option<String>,
    /// The options the engine has.
    options: Vec<DeclaredOption>,
    /// The move on which it ponders.
    pondering: Option<Move>,
    /// Bytes it wrote since the last request.
    output: usize,
    /// Its `info string` lines after its options were set.
    remarks: Vec<String>,
}

/// Explains why the program does not start, with a remedy.
fn no_start(command: &Path, error: &io::Error) -> String {
    let is_bare = command.components().count() == 1;
    let name = command.display();
    if is_bare && error.kind() == io::ErrorKind::NotFound {
        format!("{name} is neither in the folder of the engine nor along PATH; give its full path")
    } else {
        format!("{name}: {error}")
    }
}

impl RunningEngine {
    /// Starts the program, waits for its handshake and sets its options.
    pub(in crate::tournament) fn start(
        settings: &Arc<EngineSettings>,
        stop: &StopSignal,
    ) -> Result<RunningEngine, EngineError> {
        let process = EngineProcess::spawn(settings, stop.clone())
            .map_err(|error| Fault::NoStart(no_start(&settings.command, &error)))?;
        let mut engine = RunningEngine {
            process,
            settings: Arc::clone(settings),
            name: None,
            options: Vec::new(),
            pondering: None,
            output: 0,
            remarks: Vec::new(),
        };
        engine.handshake()?;
        engine.set_options()?;
        engine.remarks = engine.wait_until_ready()?;
        engine.remarks.extend(engine.doubt_of_unit());
        Ok(engine)
    }

    /// Returns the name and version that the engine gives, if any.
    pub(in crate::tournament) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The options of the settings that the engine does not have or whose value it does not accept.
    pub(in crate::tournament) fn wrong_options(&self) -> Vec<EngineOptionError> {
        let wrong = |(name, value): &(String, String)| {
            let Some(option) = self.option(name) else {
                return Some(EngineOptionError::Unknown(name.clone()));
            };
            let expected = option.refusal(value)?;
            Some(EngineOptionError::Value { name: name.clone(), value: value.clone(), expected })
        };
        self.settings.options.iter().filter_map(wrong).collect()
    }

    /// Warns if the settings do not name the unit in which a UCCI engine with a clock counts time.
    fn doubt_of_unit(&self) -> Option<String> {
        let settings = &self.settings;
        let control = &settings.control;
        let has_time = control.clock.is_some() || control.move_time.is_some();
        let is_open = settings.protocol == EngineProtocol::Ucci
            && settings.unit.is_none()
            && self.option("usemillisec").is_none();
        (has_time && is_open).then(|| {
            "it has no option usemillisec and is sent milliseconds; give unit=s if it counts \
             seconds, otherwise unit=ms"
                .to_owned()
        })
    }

    /// Returns the first remarks of the engine on its options, in `info string` lines in UCI, after
    /// its options were set.
    pub(in crate::tournament) fn into_remarks(self) -> Vec<String> {
        self.remarks
    }

    fn handshake(&mut self) -> Result<(), EngineError> {
        let protocol = self.settings.protocol;
        let start = WaitStart::now(&self.process);
        self.send(protocol.greeting())?;
        loop {
            let line = self.receive(start, self.settings.startup)?.ok_or(Fault::NoHandshake)?;
            if line.text == protocol.greeting_answer() {
                return Ok(());
            }
            self.options.extend(DeclaredOption::parse(protocol, &line.text));
            let part = ["id name ", "id version "].iter().find_map(|id| line.text.strip_prefix(id));
            if let Some(part) = part {
                let part: String = part.trim().chars().take(MAX_NAME).collect();
                self.name =
                    Some(self.name.take().map_or(part.clone(), |name| format!("{name} {part}")));
            }
        }
    }

    /// The option as the engine declares it, if it has the option.
    fn option(&self, name: &str) -> Option<&DeclaredOption> {
        self.options.iter().find(|known| known.name.eq_ignore_ascii_case(name))
    }

    fn set_options(&mut self) -> Result<(), EngineError> {
        let settings = Arc::clone(&self.settings);
        let mut implied = Vec::new();
        match settings.protocol {
            // Engines that play several games need the name of this one.
            EngineProtocol::Uci => implied.push(("UCI_Variant", "xiangqi")),
            EngineProtocol::Ucci if settings.time_unit() == TimeUnit::Milliseconds => {
                implied.push(("usemillisec", "true"));
            }
            EngineProtocol::Ucci => {}
        }
        if settings.ponder {
            implied.push(("Ponder", "true"));
        }
        for (name, value) in implied {
            let given = settings.options.iter().any(|(set, _)| set.eq_ignore_ascii_case(name));
            if let Some(option) = self.option(name).filter(|_| !given) {
                let command = settings.protocol.set_option(&option.name, value);
                self.send(&command)?;
            }
        }
        for (name, value) in &settings.options {
            let name = self.option(name).map_or(name, |option| &option.name);
            let command = settings.protocol.set_option(name, value);
            self.send(&command)?;
        }
        Ok(())
    }

    /// Announces a new game and waits until the engine is ready for it.
    pub(in crate::tournament) fn new_game(&mut self) -> Result<(), EngineError> {
        match self.settings.protocol {
            EngineProtocol::Uci => self.send("ucinewgame")?,
            EngineProtocol::Ucci if self.option("newgame").is_some() => {
                self.send("setoption newgame")?;
            }
            EngineProtocol::Ucci => {}
        }
        self.wait_until_ready().map(|_| ())
    }

    /// Waits until the engine has processed all commands before. Returns the first of its remarks.
    fn wait_until_ready(&mut self) -> Result<Vec<String>, EngineError> {
        self.output = 0;
        let start = WaitStart::now(&self.process);
        self.send("isready")?;
        let mut remarks = Vec::new();
        loop {
            let line = self.receive(start, self.settings.patience)?.ok_or(Fault::NotReady)?;
            if line.text == "readyok" {
                return Ok(remarks);
            }
            if remarks.len() < MAX_REMARKS {
                let prefix = self.settings.protocol.remark_prefix();
                remarks.extend(line.text.strip_prefix(prefix).map(str::to_owned));
            }
        }
    }

    /// Requests a move and waits for it, no longer than the clock allows.
    pub(in crate::tournament) fn search(
        &mut self,
        request: &EngineRequest<'_>,
    ) -> Result<SearchAnswer, EngineError> {
        self.output = 0;
        self.process.drop_oldest_lines(false);
        let start = WaitStart::now(&self.process);
        match self.pondering.take() {
            Some(expected) if request.position.state().mv == Some(expected) => {
                let draw = request.draw_offered && self.settings.protocol == EngineProtocol::Ucci;
                self.send(if draw { "ponderhit draw" } else { "ponderhit" })?;
            }
            Some(_) => {
                self.send("stop")?;
                self.wait_for_best_move(start, request.own.allowance())?;
                self.send_search(request, false)?;
            }
            None => {
                self.process.discard_lines();
                self.send_search(request, false)?;
            }
        }
        self.wait_for_best_move(start, request.own.allowance())
    }

    /// Starts a search on the opponent's time: the position of the request is that after the move
    /// `expected`, which the opponent has not played yet.
    pub(in crate::tournament) fn ponder(
        &mut self,
        request: &EngineRequest<'_>,
        expected: Move,
    ) -> Result<(), EngineError> {
        self.process.drop_oldest_lines(true);
        self.send_search(request, true)?;
        self.pondering = Some(expected);
        Ok(())
    }

    /// Ends a search that still runs when the game is over.
    pub(in crate::tournament) fn end_game(&mut self) -> Result<(), EngineError> {
        if self.pondering.take().is_some() {
            self.output = 0;
            self.process.drop_oldest_lines(false);
            self.send("stop")?;
            self.wait_for_best_move(WaitStart::now(&self.process), Some(STOP_PATIENCE))?;
        }
        Ok(())
    }

    /// Returns whether the settings make the engine ponder.
    pub(in crate::tournament) fn ponders(&self) -> bool {
        self.settings.ponder
    }

    fn send_search(
        &mut self,
        request: &EngineRequest<'_>,
        ponder: bool,
    ) -> Result<(), EngineError> {
        let settings = &self.settings;
        let position = settings.protocol.position(settings.notation, request.position);
        let parameters = GoParameters {
            own: request.own,
            other: request.other,
            red: request.position.side() == Color::Red,
            ponder,
            draw_offered: request.draw_offered,
            unit: settings.time_unit(),
        };
        let go = parameters.command(settings.protocol);
        self.send(&position)?;
        self.send(&go)
    }

    /// Waits for `bestmove`: for `allowance` from `start`, or without an allowance until the engine
    /// has been silent too long.
    fn wait_for_best_move(
        &mut self,
        start: WaitStart,
        allowance: Option<Duration>,
    ) -> Result<SearchAnswer, EngineError> {
        let mut info = EngineInfo::default();
        let mut last_line = start;
        loop {
            let received = match allowance {
                Some(allowance) => match self.receive(start, allowance)? {
                    Some(received) => received,
                    None => return Err(self.late()),
                },
                None => self.receive(last_line, self.settings.patience)?.ok_or(Fault::Silence)?,
            };
            last_line = WaitStart::now(&self.process);
            if let Some(best) = BestMoveReply::parse(&received.text) {
                let elapsed = start.elapsed(received.at, &self.process);
                return Ok(SearchAnswer { best, elapsed, info });
            }
            info.update(&received.text);
        }
    }

    /// The fault of an engine that has exceeded its time: slow, stalled or worse.
    fn late(&mut self) -> EngineError {
        match self.answers_stop() {
            Ok(true) => Fault::TimeForfeit.into(),
            Ok(false) => Fault::Stall.into(),
            Err(error) => error,
        }
    }

    fn answers_stop(&mut self) -> Result<bool, EngineError> {
        let start = WaitStart::now(&self.process);
        let patience = self.settings.patience.min(LATE_PATIENCE);
        self.send("stop")?;
        while let Some(line) = self.receive(start, patience)? {
            if BestMoveReply::parse(&line.text).is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn send(&mut self, command: &str) -> Result<(), EngineError> {
        if self.process.send(command) { Ok(()) } else { Err(Fault::Deaf.into()) }
    }

    /// The next line; `None` if none came within `limit` from `start`.
    fn receive(
        &mut self,
        start: WaitStart,
        limit: Duration,
    ) -> Result<Option<OutputLine>, EngineError> {
        let deadline = start.deadline(limit, &self.process);
        match self.process.receive(deadline) {
            ReceivedLine::Line(line) => {
                self.output += line.length;
                // The lines of an engine that writes without end would hide the deadline.
                if self.output > MAX_OUTPUT {
                    return Err(Fault::Flood.into());
                }
                Ok(Some(line))
            }
            ReceivedLine::TimedOut => Ok(None),
            ReceivedLine::Closed => Err(Fault::Gone(self.process.describe_end()).into()),
            ReceivedLine::Stopped => Err(EngineError::Stopped),
        }
    }
}
