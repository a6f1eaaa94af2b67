//! The reasons for which a game of a match ends.

use std::fmt;

use xiangqi::geometry::Color;
use xiangqi::rules::{EndByRules, Level, Outcome};

use super::super::engine::Fault;

/// The reason for which a game of a match ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Termination {
    /// The rules of the game.
    Rules(EndByRules),
    /// The scores agree that the loser is lost.
    ScoreAdjudication,
    /// The scores of both sides were near 0 for long enough.
    DrawAdjudication,
    /// An endgame table has the result.
    TableAdjudication,
    /// The game was longer than this match allows.
    MoveCap,
    /// The loser resigned.
    Resignation,
    /// One engine offered a draw and the other accepted.
    Agreement,
    /// A fault of the loser.
    Fault(Fault),
}

/// Writes the reason as in the `Termination` header of a game record.
impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Termination::Fault(fault) => fault.fmt(f),
            _ => f.write_str(self.kind()),
        }
    }
}

/// Returns the reason as game records write it. For a repetition it is the loser's conduct; the
/// side with the worse offence loses.
pub(super) fn rules_text(reason: EndByRules) -> &'static str {
    match reason {
        EndByRules::Checkmate => "checkmate",
        EndByRules::Stalemate => "stalemate",
        EndByRules::Repetition { loser: None, .. } => "repetition",
        EndByRules::Repetition { loser: Some(loser), red, black, .. } => {
            match if loser == Color::Red { red } else { black } {
                Level::PerpetualCheck => "perpetual check",
                Level::PerpetualAttack => "perpetual attack",
                Level::PerpetualChase | Level::Idle => "perpetual chase",
                _ => "repetition",
            }
        }
        EndByRules::NaturalLimit => "natural move limit",
        EndByRules::DeadMaterial => "dead material",
        _ => "rules",
    }
}

impl Termination {
    /// Returns whether the game ended by a failure of an engine or the machine, not by play.
    pub fn is_fault(&self) -> bool {
        matches!(self, Termination::Fault(_))
    }

    /// Returns the reason without its details, to count games with the same one.
    pub fn kind(&self) -> &'static str {
        match self {
            Termination::Rules(reason) => rules_text(*reason),
            Termination::ScoreAdjudication => "adjudication: decisive scores",
            Termination::DrawAdjudication => "adjudication: level scores",
            Termination::TableAdjudication => "adjudication: endgame table",
            Termination::MoveCap => "adjudication: move cap",
            Termination::Resignation => "resignation",
            Termination::Agreement => "draw by agreement",
            Termination::Fault(fault) => fault.kind().text(),
        }
    }
}

/// Writes the end of a game as `0-1 {red loses: time forfeit}`.
pub(super) fn ending_text(ending: &Outcome<Termination>) -> String {
    let (result, reason) = (ending.result(), &ending.reason);
    match ending.winner {
        Some(winner) => format!("{result} {{{} loses: {reason}}}", !winner),
        None => format!("{result} {{{reason}}}"),
    }
}

#[cfg(test)]
mod tests {
    use xiangqi::board::Position;
    use xiangqi::rules::{Referee, Regulations, RuleSet};

    use super::*;

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
        ending_text(&referee.outcome().expect("an end").map(Termination::Rules))
    }

    #[test]
    fn endings_by_the_rules_read_as_in_game_records() {
        let wxf = Regulations::default();
        let lax = Regulations { rules: RuleSet::None, ..wxf };
        let short = Regulations { natural_limit: 4, ..wxf };
        for (fen, moves, regulations, text) in [
            ("3k5/R8/9/9/9/9/9/9/9/1R2K4 w", &["b0b9"][..], wxf, "1-0 {black loses: checkmate}"),
            ("3k5/9/4R4/9/9/9/9/9/9/4K4 w", &["e7e8"], wxf, "1-0 {black loses: stalemate}"),
            (CHECKS, &CHECKING, wxf, "0-1 {red loses: perpetual check}"),
            (CHECKS, &CHECKING, lax, "1/2-1/2 {repetition}"),
            (CHECKS, &CHECKING[..4], short, "1/2-1/2 {natural move limit}"),
            ("3k5/9/9/9/9/9/9/9/4p4/4K4 w", &["e0e1"], wxf, "1/2-1/2 {dead material}"),
        ] {
            assert_eq!(ending(fen, moves, regulations), text);
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
            assert_eq!(Termination::Fault(fault).kind(), kind);
        }
        assert_eq!(Termination::MoveCap.kind(), "adjudication: move cap");
    }
}
