//! The commands a match sends to an engine, in UCI and UCCI; `go` has a file of its own
//! ([`super::go_command`]).

use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;
use xiangqi::board::Position;
use xiangqi::notation::Ranks;

/// The protocol an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineProtocol {
    /// Universal Chess Interface.
    Uci,
    /// Universal Chinese Chess Protocol, version 3.0 (xqbase, 2007).
    Ucci,
}

/// The name is not that of a protocol.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown protocol '{0}'; expected 'uci' or 'ucci'")]
pub struct ParseEngineProtocolError(pub String);

impl FromStr for EngineProtocol {
    type Err = ParseEngineProtocolError;

    fn from_str(text: &str) -> Result<EngineProtocol, ParseEngineProtocolError> {
        match text.to_ascii_lowercase().as_str() {
            "uci" => Ok(EngineProtocol::Uci),
            "ucci" => Ok(EngineProtocol::Ucci),
            _ => Err(ParseEngineProtocolError(text.to_owned())),
        }
    }
}

/// The unit in which a UCCI engine is given clock times. The standard is seconds unless the engine
/// has an option `usemillisec`; most current engines take milliseconds without it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeUnit {
    /// Thousandths of a second.
    Milliseconds,
    /// Whole seconds.
    Seconds,
}

impl FromStr for TimeUnit {
    type Err = ();

    fn from_str(text: &str) -> Result<TimeUnit, ()> {
        match text {
            "ms" => Ok(TimeUnit::Milliseconds),
            "s" => Ok(TimeUnit::Seconds),
            _ => Err(()),
        }
    }
}

impl TimeUnit {
    /// Returns the time in this unit, rounded down, but at least 1: an engine with no time left would
    /// not search, and the margin may have let it exceed its time.
    pub(super) fn count_left(self, time: Duration) -> u128 {
        self.count(time).max(1)
    }

    /// Returns the time in this unit, rounded down: no engine may rely on more than it gets.
    pub(super) fn count(self, time: Duration) -> u128 {
        match self {
            TimeUnit::Milliseconds => time.as_millis(),
            TimeUnit::Seconds => u128::from(time.as_secs()),
        }
    }
}

impl EngineProtocol {
    /// Returns the first command.
    pub(super) fn greeting(self) -> &'static str {
        match self {
            EngineProtocol::Uci => "uci",
            EngineProtocol::Ucci => "ucci",
        }
    }

    /// Returns the prefix of a line of an engine that is meant for people.
    pub(super) fn remark_prefix(self) -> &'static str {
        match self {
            EngineProtocol::Uci => "info string ",
            EngineProtocol::Ucci => "info message ",
        }
    }

    /// Returns the answer that ends the handshake.
    pub(super) fn greeting_answer(self) -> &'static str {
        match self {
            EngineProtocol::Uci => "uciok",
            EngineProtocol::Ucci => "ucciok",
        }
    }

    /// Returns the command after which an engine tells more about itself, or no longer.
    pub(super) fn debug(self, on: bool) -> &'static str {
        match (self, on) {
            (EngineProtocol::Uci, true) => "debug on",
            (EngineProtocol::Uci, false) => "debug off",
            (EngineProtocol::Ucci, true) => "setoption debug true",
            (EngineProtocol::Ucci, false) => "setoption debug false",
        }
    }

    /// Returns the command that sets an option; an empty value presses a button.
    pub(super) fn set_option(self, name: &str, value: &str) -> String {
        match (self, value) {
            (EngineProtocol::Uci, "") => format!("setoption name {name}"),
            (EngineProtocol::Uci, _) => format!("setoption name {name} value {value}"),
            (EngineProtocol::Ucci, "") => format!("setoption {name}"),
            (EngineProtocol::Ucci, _) => format!("setoption {name} {value}"),
        }
    }

    /// Writes the position, with the moves before it as far as a repetition can refer to them.
    pub(super) fn position(self, ranks: Ranks, position: &Position) -> String {
        let mut start = position.clone();
        let mut moves = Vec::new();
        // UCCI wants the position after the last capture and the moves since.
        while let Some(mv) = start.state().mv {
            let captured = start.state().captured.is_some();
            if captured && self == EngineProtocol::Ucci {
                break;
            }
            moves.push(mv);
            start.unmake();
        }
        let mut text = format!("position fen {}", start.fen());
        if !moves.is_empty() {
            text.push_str(" moves");
        }
        for &mv in moves.iter().rev() {
            text.push(' ');
            text.push_str(&ranks.write(mv));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ucci_position_begins_after_the_last_capture() {
        let mut position = Position::startpos();
        for mv in ["h2e2", "h9g7", "e2e6", "a9a8", "b0c2"] {
            let mv = position.parse_move(mv).expect(mv);
            position.play_unchecked(mv);
        }
        let command = EngineProtocol::Ucci.position(Ranks::FromZero, &position);
        let fen = "rnbakab1r/9/1c4nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2";
        assert_eq!(command, format!("position fen {fen} moves a9a8 b0c2"));
        let command = EngineProtocol::Uci.position(Ranks::FromOne, &position);
        assert!(command.ends_with("w - - 0 1 moves h3e3 h10g8 e3e7 a10a9 b1c3"), "{command}");
    }

    #[test]
    fn an_option_without_a_value_is_pressed() {
        assert_eq!(EngineProtocol::Ucci.set_option("newgame", ""), "setoption newgame");
        assert_eq!(EngineProtocol::Uci.set_option("Clear Hash", ""), "setoption name Clear Hash");
    }
}
