//! Faults of an engine in a match.

use std::error::Error;
use std::fmt;

use xiangqi::notation::Ranks;

use super::settings::dialect;

/// A violation of the protocol or the clock by an engine. Each loses the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The process could not be started; the text is the reason.
    NoStart(String),
    /// It did not answer `uci` or `ucci` with `uciok` or `ucciok` in time.
    NoHandshake,
    /// It did not answer `isready` with `readyok` in time.
    NotReady,
    /// It exceeded its time.
    TimeForfeit,
    /// It exceeded its time and did not answer `stop` either.
    Stall,
    /// It has no clock and wrote nothing for too long.
    Silence,
    /// It wrote more output than any search of one move needs.
    Flood,
    /// It stopped reading its input.
    Deaf,
    /// The process ended or closed its output; the text describes how.
    Gone(String),
    /// Its move, as it wrote it, is not legal.
    IllegalMove(String),
    /// Its move is not legal, but would be with the other numbering of ranks.
    OtherRanks {
        /// The move as the engine wrote it.
        text: String,
        /// The numbering with which the move is legal.
        ranks: Ranks,
    },
    /// It answered that it has no move although there is a legal one.
    NoMove,
}

/// Declares the kinds of faults, each with the text with which a fault of it begins in the
/// `Termination` header.
macro_rules! fault_kinds {
    ($($kind:ident: $text:literal,)*) => {
        /// A [`Fault`] without its details, to count faults of one kind.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum FaultKind {
            $(#[doc = concat!("As in `Termination`: ", $text, ".")] $kind,)*
        }

        impl FaultKind {
            /// All kinds.
            pub const ALL: &[FaultKind] = &[$(FaultKind::$kind,)*];

            /// Returns the text with which a fault of this kind begins in the `Termination` header.
            pub const fn text(self) -> &'static str {
                match self {
                    $(FaultKind::$kind => $text,)*
                }
            }
        }
    };
}

fault_kinds! {
    NoStart: "could not be started",
    NoHandshake: "slow start",
    NotReady: "no readyok",
    TimeForfeit: "time forfeit",
    Stall: "stall",
    Silence: "silence",
    Flood: "flood of output",
    Deaf: "does not read its input",
    Gone: "crash",
    IllegalMove: "illegal move",
    NoMove: "no bestmove although there is a legal move",
}

impl FaultKind {
    /// Returns the kind of the fault with this text in the `Termination` header; `None` for another
    /// reason of an end.
    pub fn of_termination(text: &str) -> Option<FaultKind> {
        FaultKind::ALL.iter().copied().find(|kind| {
            // Details follow after a space, a colon or a parenthesis.
            let rest = text.strip_prefix(kind.text());
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        })
    }
}

impl Fault {
    /// Returns the fault without its details.
    pub const fn kind(&self) -> FaultKind {
        match self {
            Fault::NoStart(_) => FaultKind::NoStart,
            Fault::NoHandshake => FaultKind::NoHandshake,
            Fault::NotReady => FaultKind::NotReady,
            Fault::TimeForfeit => FaultKind::TimeForfeit,
            Fault::Stall => FaultKind::Stall,
            Fault::Silence => FaultKind::Silence,
            Fault::Flood => FaultKind::Flood,
            Fault::Deaf => FaultKind::Deaf,
            Fault::Gone(_) => FaultKind::Gone,
            Fault::IllegalMove(_) | Fault::OtherRanks { .. } => FaultKind::IllegalMove,
            Fault::NoMove => FaultKind::NoMove,
        }
    }

    /// Returns whether the engine did not start, crashed, stalled or made no legal move: such a
    /// result is no measure of strength. A late answer is one.
    pub fn is_breakdown(&self) -> bool {
        *self != Fault::TimeForfeit
    }
}

/// Writes the fault as in the `Termination` header of the game's record.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind().text())?;
        match self {
            Fault::NoStart(details) | Fault::Gone(details) => write!(f, ": {details}"),
            Fault::NoHandshake => f.write_str(": no answer to the greeting"),
            Fault::Stall => f.write_str(": no bestmove, even after stop"),
            Fault::IllegalMove(text) => write!(f, " {text}"),
            Fault::OtherRanks { text, ranks } => {
                write!(f, " {text} (it is legal with dialect={})", dialect(*ranks))
            }
            _ => Ok(()),
        }
    }
}

impl Error for Fault {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_reads_as_in_records_and_its_kind_is_found_there() {
        let text = || "details".to_owned();
        for (fault, written) in [
            (Fault::NoStart(text()), "could not be started: details"),
            (Fault::NoHandshake, "slow start: no answer to the greeting"),
            (Fault::NotReady, "no readyok"),
            (Fault::TimeForfeit, "time forfeit"),
            (Fault::Stall, "stall: no bestmove, even after stop"),
            (Fault::Silence, "silence"),
            (Fault::Flood, "flood of output"),
            (Fault::Deaf, "does not read its input"),
            (Fault::Gone(text()), "crash: details"),
            (Fault::IllegalMove(text()), "illegal move details"),
            (
                Fault::OtherRanks { text: text(), ranks: Ranks::FromOne },
                "illegal move details (it is legal with dialect=fairy)",
            ),
            (Fault::NoMove, "no bestmove although there is a legal move"),
        ] {
            assert_eq!(fault.to_string(), written);
            assert_eq!(FaultKind::of_termination(written), Some(fault.kind()));
        }
        for other in ["stalemate", "", "crashed"] {
            assert_eq!(FaultKind::of_termination(other), None, "{other}");
        }
    }
}
