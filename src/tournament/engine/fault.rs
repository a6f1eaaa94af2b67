//! Faults of an engine in a match.

use thiserror::Error;

use super::square_notation::SquareNotation;

/// A violation of the protocol or the clock by an engine. Each loses the game. Displayed as in the
/// `Termination` header of the game's record.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    /// The process could not be started; the text is the reason.
    #[error("could not be started: {0}")]
    NoStart(String),
    /// It did not answer `uci` or `ucci` with `uciok` or `ucciok` in time.
    #[error("slow start: no answer to the greeting")]
    NoHandshake,
    /// It did not answer `isready` with `readyok` in time.
    #[error("no readyok")]
    NotReady,
    /// It exceeded its time.
    #[error("time forfeit")]
    TimeForfeit,
    /// It exceeded its time and did not answer `stop` either.
    #[error("stall: no bestmove, nor after stop")]
    Stall,
    /// It has no clock and wrote nothing for too long.
    #[error("silence")]
    Silence,
    /// It wrote more output than any search of one move needs.
    #[error("flood of output")]
    Flood,
    /// It stopped reading its input.
    #[error("does not read its input")]
    Deaf,
    /// The process ended or closed its output; the text describes how.
    #[error("crash: {0}")]
    Gone(String),
    /// Its move, as it wrote it, is not legal.
    #[error("illegal move {0}")]
    IllegalMove(String),
    /// Its move is not legal, but would be in the other square notation.
    #[error("illegal move {text} (it is legal with dialect={notation})")]
    OtherNotation {
        /// The move as the engine wrote it.
        text: String,
        /// The notation in which the move is legal.
        notation: SquareNotation,
    },
    /// It answered that it has no move although there is a legal one.
    #[error("no bestmove although there is a legal move")]
    NoMove,
}

impl Fault {
    /// Returns the kind of the fault with this text in the `Termination` header; `None` for another
    /// reason of an end.
    pub fn kind_of(text: &str) -> Option<&'static str> {
        const KINDS: [&str; 11] = [
            "could not be started",
            "slow start",
            "no readyok",
            "time forfeit",
            "stall",
            "silence",
            "flood of output",
            "does not read its input",
            "crash",
            "illegal move",
            "no bestmove although there is a legal move",
        ];
        let holds = |kind: &&str| {
            // Details follow after a space, a colon or a parenthesis.
            let rest = text.strip_prefix(kind);
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        };
        KINDS.into_iter().find(holds)
    }

    /// Returns whether the engine did not start, crashed, stalled or made no legal move: such a
    /// result is no measure of strength. A late answer is one.
    pub fn is_breakdown(&self) -> bool {
        *self != Fault::TimeForfeit
    }

    /// Returns the fault without its details, to count faults of one kind.
    pub fn kind(&self) -> &'static str {
        match self {
            Fault::NoStart(_) => "could not be started",
            Fault::NoHandshake => "slow start",
            Fault::NotReady => "no readyok",
            Fault::TimeForfeit => "time forfeit",
            Fault::Stall => "stall",
            Fault::Silence => "silence",
            Fault::Flood => "flood of output",
            Fault::Deaf => "does not read its input",
            Fault::Gone(_) => "crash",
            Fault::IllegalMove(_) | Fault::OtherNotation { .. } => "illegal move",
            Fault::NoMove => "no bestmove although there is a legal move",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_begins_with_its_kind() {
        let text = || "details".to_owned();
        for fault in [
            Fault::NoStart(text()),
            Fault::NoHandshake,
            Fault::NotReady,
            Fault::TimeForfeit,
            Fault::Stall,
            Fault::Silence,
            Fault::Flood,
            Fault::Deaf,
            Fault::Gone(text()),
            Fault::IllegalMove(text()),
            Fault::OtherNotation { text: text(), notation: SquareNotation::Fairy },
            Fault::NoMove,
        ] {
            assert!(fault.to_string().starts_with(fault.kind()), "{fault}");
            assert_eq!(Fault::kind_of(&fault.to_string()), Some(fault.kind()));
        }
        assert_eq!(Fault::kind_of("stalemate"), None);
    }
}
