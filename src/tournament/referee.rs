//! The referee: what is legal, and when a game is over.

use crate::board::{Move, MoveError, Position};
use crate::geometry::{Color, PieceKind};
use crate::rules::{Level, RuleSet, Ruling, Verdict, judge_ntimes, judge_player};

use super::ending::{Ending, Reason};

/// By which rules a match is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleSettings {
    /// The rule book for repetitions.
    pub rule_set: RuleSet,
    /// Plies without a capture after which the game is drawn; 0 is never.
    pub natural_move_limit: u16,
    /// At which occurrence of a position its repetition is ruled.
    pub occurrences: usize,
}

impl Default for RuleSettings {
    fn default() -> RuleSettings {
        RuleSettings { rule_set: RuleSet::Wxf, natural_move_limit: 120, occurrences: 3 }
    }
}

/// The referee of one game, who keeps the position.
pub struct Referee {
    position: Position,
    rules: RuleSettings,
}

impl Referee {
    /// A game from this position.
    pub fn new(position: Position, rules: RuleSettings) -> Referee {
        Referee { position, rules }
    }

    /// The present position with its past.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Checks a move.
    pub fn check(&self, mv: Move) -> Result<Move, MoveError> {
        self.position.check_move(mv)
    }

    /// Plays a move that [`Referee::check`] let pass; the verdict if the game is over.
    pub fn play(&mut self, mv: Move) -> Option<Ending> {
        self.position.make(mv);
        self.verdict()
    }

    /// The verdict on the present position: `None` if the game goes on.
    pub fn verdict(&self) -> Option<Ending> {
        let position = &self.position;
        if !position.has_legal_move() {
            let reason = if position.in_check() { Reason::Checkmate } else { Reason::Stalemate };
            return Some(Ending::loss(position.side(), reason));
        }
        let attackers = |color: Color| {
            let pieces = PieceKind::ALL.into_iter().filter(|kind| kind.is_attacker());
            pieces.map(|kind| position.board().pieces(color, kind)).any(|set| !set.is_empty())
        };
        if !Color::ALL.into_iter().any(attackers) {
            return Some(Ending::draw(Reason::DeadMaterial));
        }
        if let Some(ruling) = judge_ntimes(position, self.rules.occurrences, self.rules.rule_set) {
            return Some(self.ending_of(ruling));
        }
        let limit = self.rules.natural_move_limit;
        (limit > 0 && position.quiet_plies() >= limit)
            .then(|| Ending::draw(Reason::NaturalMoveLimit))
    }

    fn ending_of(&self, ruling: Ruling) -> Ending {
        let position = &self.position;
        let loser = match ruling.verdict {
            Verdict::Draw => return Ending::draw(Reason::Repetition),
            Verdict::Loss => position.side(),
            Verdict::Win => !position.side(),
        };
        let length = position.ply() - ruling.since;
        let reason = match judge_player(position, length, loser, self.rules.rule_set) {
            Level::PerpetualCheck => Reason::PerpetualCheck,
            Level::PerpetualChase | Level::Idle => Reason::PerpetualChase,
        };
        Ending::loss(loser, reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ending(fen: &str, moves: &[&str], rules: RuleSettings) -> Option<Ending> {
        let mut referee = Referee::new(Position::from_fen(fen).expect(fen), rules);
        for (i, mv) in moves.iter().enumerate() {
            let mv = referee.check(mv.parse().expect(mv)).expect("a legal move");
            if let Some(ending) = referee.play(mv) {
                assert_eq!(i + 1, moves.len(), "the game ends with its last move");
                return Some(ending);
            }
        }
        None
    }

    const CHECKS: &str = "3k5/9/9/9/9/9/9/9/4A4/R3K4 w";
    const CHECKING: [&str; 9] =
        ["a0a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8", "a9a8", "d8d9", "a8a9"];

    #[test]
    fn mate_and_stalemate_lose() {
        let rules = RuleSettings::default();
        let mate = ending("3k5/R8/9/9/9/9/9/9/9/1R2K4 w", &["b0b9"], rules);
        assert_eq!(mate, Some(Ending::loss(Color::Black, Reason::Checkmate)));
        let stalemate = ending("3k5/9/4R4/9/9/9/9/9/9/4K4 w", &["e7e8"], rules);
        assert_eq!(stalemate, Some(Ending::loss(Color::Black, Reason::Stalemate)));
    }

    #[test]
    fn perpetual_check_loses_at_the_third_occurrence() {
        let rules = RuleSettings::default();
        let lost = Ending::loss(Color::Red, Reason::PerpetualCheck);
        assert_eq!(ending(CHECKS, &CHECKING, rules), Some(lost.clone()));
        let early = RuleSettings { occurrences: 2, ..rules };
        assert_eq!(ending(CHECKS, &CHECKING[..5], early), Some(lost));
        let lax = RuleSettings { rule_set: RuleSet::None, ..rules };
        assert_eq!(ending(CHECKS, &CHECKING, lax), Some(Ending::draw(Reason::Repetition)));
    }

    #[test]
    fn long_and_dead_games_are_drawn() {
        let rules = RuleSettings { natural_move_limit: 4, ..RuleSettings::default() };
        let drawn = ending(CHECKS, &CHECKING[..4], rules);
        assert_eq!(drawn, Some(Ending::draw(Reason::NaturalMoveLimit)));
        let dead = ending("3k5/9/9/9/9/9/9/9/4p4/4K4 w", &["e0e1"], RuleSettings::default());
        assert_eq!(dead, Some(Ending::draw(Reason::DeadMaterial)));
    }
}
