//! A running engine: new games, searching and pondering. Every wait for an answer has a limit.

mod handshake;

use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;
use xiangqi::board::{Move, Position};
use xiangqi::geometry::Color;

use super::answers::{BestMoveReply, EngineInfo};
use super::declared_option::DeclaredOption;
use super::fault::Fault;
use super::go_command::GoParameters;
use super::process::{EngineProcess, OutputLine, ReceivedLine};
use super::protocol::EngineProtocol;
use super::settings::EngineSettings;
use super::time_control::EngineClock;

/// Bytes an engine may write for one answer. A search of hours with many variations writes less.
const MAX_OUTPUT: usize = 16 << 20;

/// The time in which an engine must end its pondering after the game.
const STOP_PATIENCE: Duration = Duration::from_secs(2);

/// The longest time in which an engine that is late must answer `stop`, so as to be slow and not
/// stalled.
const LATE_PATIENCE: Duration = Duration::from_secs(5);

/// The maximum number of kept lines of an engine before it is ready, such as remarks on its options.
const MAX_REMARKS: usize = 16;

/// The reason why there is no answer.
#[derive(Debug, Error)]
pub(crate) enum EngineError {
    /// The engine committed a fault.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The match is stopped.
    #[error("the match was stopped")]
    Stopped,
}

/// The answer to `go`.
#[derive(Debug)]
pub(crate) struct SearchAnswer {
    pub(crate) best: BestMoveReply,
    /// The time from the request to the answer.
    pub(crate) elapsed: Duration,
    /// The engine's reports on its search.
    pub(crate) info: EngineInfo,
}

/// The position and the clocks for which an engine is to find a move.
pub(crate) struct EngineRequest<'a> {
    /// The position with its history.
    pub(crate) position: &'a Position,
    pub(crate) own: &'a EngineClock,
    pub(crate) other: &'a EngineClock,
    /// True if the opponent offered a draw.
    pub(crate) draw_offered: bool,
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

    /// Returns the start of a wait that goes on from now after this time.
    fn after(elapsed: Duration, process: &EngineProcess) -> WaitStart {
        let now = WaitStart::now(process);
        WaitStart { at: now.at.checked_sub(elapsed).unwrap_or(now.at), ..now }
    }

    /// Returns the end of a wait of at most `limit`.
    fn deadline(self, limit: Duration, process: &EngineProcess) -> Instant {
        self.at + limit + (process.suspended() - self.suspended)
    }

    /// Returns the time from the start to that of the line received last.
    fn elapsed(self, at: Instant, process: &EngineProcess) -> Duration {
        let suspended = process.suspended_before(at).saturating_sub(self.suspended);
        at.saturating_duration_since(self.at).saturating_sub(suspended)
    }
}

/// An engine that has completed its handshake. Dropping it ends the process.
pub(crate) struct RunningEngine {
    process: EngineProcess,
    settings: Arc<EngineSettings>,
    /// The name and version that it gives in the handshake.
    name: Option<String>,
    /// The options the engine has.
    options: Vec<DeclaredOption>,
    /// The move on which it ponders.
    pondering: Option<Move>,
    /// The move of its last answer in this game, as written.
    answered: Option<String>,
    /// Bytes it wrote since the last request.
    output: usize,
    /// Its `info string` lines after its options were set.
    remarks: Vec<String>,
}

impl RunningEngine {
    /// Returns the name and version that the engine gives, if any.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the first remarks of the engine on its options, in `info string` lines in UCI, after
    /// its options were set.
    pub(crate) fn into_remarks(self) -> Vec<String> {
        self.remarks
    }

    /// Announces a new game and waits until the engine is ready for it.
    pub(crate) fn new_game(&mut self) -> Result<(), EngineError> {
        self.answered = None;
        match self.settings.protocol {
            EngineProtocol::Uci => self.send("ucinewgame")?,
            EngineProtocol::Ucci if self.option("newgame").is_some() => {
                self.send("setoption newgame")?;
            }
            EngineProtocol::Ucci => {}
        }
        self.wait_until_ready().map(|_| ())
    }

    /// Waits until the engine has processed all commands before; an answer to one of them is ignored.
    /// Returns the first lines that it writes before it is ready.
    fn wait_until_ready(&mut self) -> Result<Vec<String>, EngineError> {
        self.output = 0;
        let start = WaitStart::now(&self.process);
        self.send("isready")?;
        let mut lines = Vec::new();
        loop {
            let line = self.receive(start, self.settings.patience)?.ok_or(Fault::NotReady)?;
            if line.text == "readyok" {
                return Ok(lines);
            }
            if BestMoveReply::parse(&line.text).is_some() {
                self.process.note_ignored(&line.text);
            }
            if lines.len() < MAX_REMARKS {
                lines.push(line.text);
            }
        }
    }

    /// Requests a move and waits for it, no longer than the clock allows.
    pub(crate) fn search(
        &mut self,
        request: &EngineRequest<'_>,
    ) -> Result<SearchAnswer, EngineError> {
        self.output = 0;
        self.process.drop_oldest_lines(false);
        let allowance = request.own.allowance();
        let mut start = WaitStart::now(&self.process);
        let pondered = self.pondering.take();
        let is_hit = pondered.is_some() && request.position.state().mv == pondered;
        if is_hit {
            let draw = request.draw_offered && self.settings.protocol == EngineProtocol::Ucci;
            self.send(if draw { "ponderhit draw" } else { "ponderhit" })?;
        } else {
            if pondered.is_some() {
                self.send("stop")?;
                let stopped = self.wait_for_best_move(start, allowance)?;
                // No clock runs until `readyok`, before which a second answer to `stop` comes.
                self.wait_until_ready()?;
                start = WaitStart::after(stopped.elapsed, &self.process);
            }
            self.process.discard_lines();
            self.send_search(request, false)?;
        }
        let mut answer = self.wait_for_best_move(start, allowance)?;
        if is_hit {
            // The engine may count from `go ponder` on.
            answer.info.time = None;
        }
        self.answered.clone_from(&answer.best.text);
        Ok(answer)
    }

    /// Starts a search on the opponent's time: the position of the request is that after the move
    /// `expected`, which the opponent has not played yet.
    pub(crate) fn ponder(
        &mut self,
        request: &EngineRequest<'_>,
        expected: Move,
    ) -> Result<(), EngineError> {
        self.process.discard_lines();
        self.process.drop_oldest_lines(true);
        self.send_search(request, true)?;
        self.pondering = Some(expected);
        Ok(())
    }

    /// Ends a search that still runs when the game is over.
    pub(crate) fn end_game(&mut self) -> Result<(), EngineError> {
        if self.pondering.take().is_some() {
            self.output = 0;
            self.process.drop_oldest_lines(false);
            self.send("stop")?;
            self.wait_for_best_move(WaitStart::now(&self.process), Some(STOP_PATIENCE))?;
        }
        Ok(())
    }

    /// Returns whether the settings make the engine ponder.
    pub(crate) fn ponders(&self) -> bool {
        self.settings.ponder
    }

    fn send_search(
        &mut self,
        request: &EngineRequest<'_>,
        ponder: bool,
    ) -> Result<(), EngineError> {
        let settings = &self.settings;
        let position = settings.protocol.position(settings.ranks, request.position);
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
    ///
    /// The same move cannot be legal twice in succession, so a line with that of the last answer
    /// answers the last `go` once more. It counts only if no other answer comes.
    fn wait_for_best_move(
        &mut self,
        start: WaitStart,
        allowance: Option<Duration>,
    ) -> Result<SearchAnswer, EngineError> {
        let mut info = EngineInfo::default();
        let mut last_line = start;
        let mut repeated = None;
        loop {
            let received = match allowance {
                Some(allowance) => self.receive(start, allowance)?,
                None => self.receive(last_line, self.settings.patience)?,
            };
            let Some(received) = received else {
                return match (repeated, allowance) {
                    (Some(answer), _) => Ok(answer),
                    (None, Some(_)) => Err(self.late()),
                    (None, None) => Err(Fault::Silence.into()),
                };
            };
            last_line = WaitStart::now(&self.process);
            let Some(best) = BestMoveReply::parse(&received.text) else {
                info.update(&received.text);
                continue;
            };
            let elapsed = start.elapsed(received.at, &self.process);
            let line = info.line.iter().map_while(|mv| self.standard_move(mv)).collect();
            let is_repeated = best.text.is_some() && best.text == self.answered;
            let answer = SearchAnswer { best, elapsed, info: EngineInfo { line, ..info.clone() } };
            if !is_repeated {
                return Ok(answer);
            }
            self.process.note_ignored(&received.text);
            repeated = Some(answer);
        }
    }

    /// Returns a move of the engine in the notation of records.
    fn standard_move(&self, text: &str) -> Option<String> {
        self.settings.ranks.read(text).map(|mv| mv.to_string())
    }

    /// Returns the fault of an engine that has exceeded its time: slow, stalled or worse.
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

    /// Returns the next line; `None` if none came within `limit` from `start`.
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
