//! How a game ends, and why.

use std::fmt;

use crate::geometry::Color;

/// What an engine did that the protocol or the clock does not allow. Each costs it the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The process could not be started.
    NoStart(String),
    /// It did not say `uciok` or `ucciok` in time.
    NoHandshake,
    /// It did not answer `isready` with `readyok` in time.
    NotReady,
    /// It did not move before its time was over.
    TimeForfeit,
    /// Without a clock to lose on, it was silent too long.
    Silence,
    /// It wrote more than any engine has to say about one move.
    Flood,
    /// It stopped reading what we write.
    Deaf,
    /// The process ended or closed its output; the text says how.
    Gone(String),
    /// It moved where it may not.
    IllegalMove(String),
    /// It said that it has no move, but it has one.
    NoMove,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NoStart(error) => write!(f, "could not be started: {error}"),
            Fault::NoHandshake => f.write_str("slow start: no answer to the greeting"),
            Fault::NotReady => f.write_str("no readyok"),
            Fault::TimeForfeit => f.write_str("time forfeit"),
            Fault::Silence => f.write_str("silence"),
            Fault::Flood => f.write_str("flood of output"),
            Fault::Deaf => f.write_str("does not read its input"),
            Fault::Gone(how) => write!(f, "crash: {how}"),
            Fault::IllegalMove(text) => write!(f, "illegal move {text}"),
            Fault::NoMove => f.write_str("no bestmove although there is a legal move"),
        }
    }
}

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The loser's king is in check and cannot escape.
    Checkmate,
    /// The loser has no legal move.
    Stalemate,
    /// The position was repeated and nobody has to answer for it.
    Repetition,
    /// The loser checked all the time.
    PerpetualCheck,
    /// The loser chased all the time.
    PerpetualChase,
    /// Too many plies without a capture.
    NaturalMoveLimit,
    /// Nobody has a piece that can cross the river.
    DeadMaterial,
    /// The loser's scores were hopeless.
    ScoreAdjudication,
    /// The scores of both were level for long enough.
    DrawAdjudication,
    /// The game was longer than this match allows.
    MoveCap,
    /// The loser resigned.
    Resignation,
    /// Both engines said so, one after the other.
    Agreement,
    /// The loser's fault.
    Fault(Fault),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::Repetition => "repetition",
            Reason::PerpetualCheck => "perpetual check",
            Reason::PerpetualChase => "perpetual chase",
            Reason::NaturalMoveLimit => "natural move limit",
            Reason::DeadMaterial => "dead material",
            Reason::ScoreAdjudication => "adjudication: decisive scores",
            Reason::DrawAdjudication => "adjudication: level scores",
            Reason::MoveCap => "adjudication: move cap",
            Reason::Resignation => "resignation",
            Reason::Agreement => "draw by agreement",
            Reason::Fault(fault) => return fault.fmt(f),
        })
    }
}

impl Reason {
    /// Whether an engine or the machine failed, rather than the play.
    pub fn is_fault(&self) -> bool {
        matches!(self, Reason::Fault(_))
    }

    /// The reason without its particulars, for counting.
    pub fn kind(&self) -> String {
        let text = self.to_string();
        match self {
            Reason::Fault(Fault::IllegalMove(_)) => "illegal move".to_owned(),
            Reason::Fault(_) => text.split(':').next().unwrap_or_default().to_owned(),
            _ => text,
        }
    }
}

/// The end of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Who won; `None` is a draw.
    pub winner: Option<Color>,
    /// Why.
    pub reason: Reason,
}

impl Ending {
    /// A draw.
    pub fn draw(reason: Reason) -> Ending {
        Ending { winner: None, reason }
    }

    /// A loss for `loser`.
    pub fn loss(loser: Color, reason: Reason) -> Ending {
        Ending { winner: Some(!loser), reason }
    }

    /// The result as game records write it.
    pub fn result(&self) -> &'static str {
        match self.winner {
            Some(Color::Red) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        }
    }
}

impl fmt::Display for Ending {
    /// `0-1 {red: time forfeit}`: who is named lost.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(winner) => write!(f, "{} {{{} loses: {}}}", self.result(), !winner, self.reason),
            None => write!(f, "{} {{{}}}", self.result(), self.reason),
        }
    }
}
