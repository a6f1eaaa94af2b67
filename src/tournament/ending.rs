//! How a game ends, and why.

use std::fmt;

use crate::geometry::Color;
use crate::rules::{self, Level, Outcome};

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
    /// The rules of the game.
    Ruled(rules::Reason),
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
            Reason::Ruled(ruled) => return f.write_str(ruled_text(*ruled)),
            Reason::ScoreAdjudication => "adjudication: decisive scores",
            Reason::DrawAdjudication => "adjudication: level scores",
            Reason::MoveCap => "adjudication: move cap",
            Reason::Resignation => "resignation",
            Reason::Agreement => "draw by agreement",
            Reason::Fault(fault) => return fault.fmt(f),
        })
    }
}

/// The reason in the words of game records. Of a repetition, the loser's offence is the reason, and
/// who offends more loses.
fn ruled_text(reason: rules::Reason) -> &'static str {
    match reason {
        rules::Reason::Checkmate => "checkmate",
        rules::Reason::Stalemate => "stalemate",
        rules::Reason::Repetition { red, black } if red == black => "repetition",
        rules::Reason::Repetition { red, black } => match red.max(black) {
            Level::PerpetualCheck => "perpetual check",
            Level::PerpetualChase | Level::Idle => "perpetual chase",
        },
        rules::Reason::NaturalLimit => "natural move limit",
        rules::Reason::DeadMaterial => "dead material",
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

    /// What the referee ruled.
    pub fn ruled(outcome: Outcome) -> Ending {
        Ending { winner: outcome.winner, reason: Reason::Ruled(outcome.reason) }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::rules::{Referee, Regulations, RuleSet};

    const CHECKS: &str = "3k5/9/9/9/9/9/9/9/4A4/R3K4 w";
    const CHECKING: [&str; 9] =
        ["a0a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8", "a9a8", "d8d9", "a8a9"];

    fn ending(fen: &str, moves: &[&str], regulations: Regulations) -> String {
        let position = Position::from_fen(fen).expect(fen);
        let mut referee = Referee::new(position, regulations);
        for mv in moves {
            assert_eq!(referee.outcome(), None, "the game ends with its last move");
            referee.play(mv.parse().expect(mv)).expect("a legal move");
        }
        Ending::ruled(referee.outcome().expect("an end")).to_string()
    }

    #[test]
    fn rulings_are_told_in_the_words_of_game_records() {
        let wxf = Regulations::default();
        let lax = Regulations { rules: RuleSet::None, ..wxf };
        let short = Regulations { natural_limit: 4, ..wxf };
        for (fen, moves, regulations, told) in [
            ("3k5/R8/9/9/9/9/9/9/9/1R2K4 w", &["b0b9"][..], wxf, "1-0 {black loses: checkmate}"),
            ("3k5/9/4R4/9/9/9/9/9/9/4K4 w", &["e7e8"], wxf, "1-0 {black loses: stalemate}"),
            (CHECKS, &CHECKING, wxf, "0-1 {red loses: perpetual check}"),
            (CHECKS, &CHECKING, lax, "1/2-1/2 {repetition}"),
            (CHECKS, &CHECKING[..4], short, "1/2-1/2 {natural move limit}"),
            ("3k5/9/9/9/9/9/9/9/4p4/4K4 w", &["e0e1"], wxf, "1/2-1/2 {dead material}"),
        ] {
            assert_eq!(ending(fen, moves, regulations), told);
        }
    }

    #[test]
    fn endings_are_counted_by_their_kind() {
        for (fault, kind) in [
            (Fault::IllegalMove("e0e9".to_owned()), "illegal move"),
            (Fault::Gone("exit code 3".to_owned()), "crash"),
            (Fault::NoHandshake, "slow start"),
            (Fault::TimeForfeit, "time forfeit"),
        ] {
            assert_eq!(Reason::Fault(fault).kind(), kind);
        }
        assert_eq!(Reason::MoveCap.kind(), "adjudication: move cap");
    }
}
