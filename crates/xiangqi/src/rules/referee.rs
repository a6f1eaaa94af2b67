//! The referee of a game: after each ply, whether it goes on, and if not, who has won and why.

use std::fmt;

use crate::board::{Move, MoveError, Position};
use crate::geometry::Color;

use super::RuleSet;
use super::ending::{EndByRules, end_of_game};
use super::judge::{LoopRuling, judge_loop};
use super::occurrences::{DEFAULT_OCCURRENCES, occurrences};
use super::result::{GameResult, Wdl};

/// The rules that a game is played by.
///
/// ```
/// use xiangqi::{Color, Position, Regulations, RuleSet};
///
/// let stalemate = Position::from_fen("3k5/9/9/9/9/9/9/9/9/4K1R2 b")?;
/// let regulations = Regulations { natural_limit: 80, ..Regulations::of(RuleSet::Axf) };
/// assert_eq!(regulations.outcome(&stalemate), None); // the king can still go to d8
/// let mate = Position::from_fen("3k4R/6R2/9/9/9/9/9/9/9/4K4 b")?;
/// assert_eq!(regulations.outcome(&mate).and_then(|end| end.winner), Some(Color::Red));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "GivenRegulations"))]
pub struct Regulations {
    /// The rule book for repetitions.
    pub rules: RuleSet,
    /// The occurrence of a position at which its repetition is ruled, at least the second.
    pub occurrences: usize,
    /// The natural-move limit in plies; 0 is none.
    pub natural_limit: u16,
}

impl Regulations {
    /// Returns the regulations of a rule book, which decides about the natural-move limit too.
    pub const fn of(rules: RuleSet) -> Regulations {
        Regulations {
            rules,
            occurrences: DEFAULT_OCCURRENCES,
            natural_limit: rules.natural_limit(),
        }
    }

    /// Returns the outcome of the game if it has ended with this position.
    pub fn outcome(&self, position: &Position) -> Option<Outcome> {
        let end = end_of_game(position, self.natural_limit);
        if let Some(reason) = end.filter(|reason| reason.is_without_move()) {
            return Some(Outcome::loss(position.side(), reason));
        }
        let repetition = ruled_repetition(position, self);
        repetition.or_else(|| end.map(Outcome::draw))
    }
}

impl Default for Regulations {
    fn default() -> Regulations {
        Regulations::of(RuleSet::default())
    }
}

/// Regulations as a text gives them; what is missing is as the rule book has it.
#[cfg(feature = "serde")]
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct GivenRegulations {
    rules: RuleSet,
    occurrences: Option<usize>,
    natural_limit: Option<u16>,
}

#[cfg(feature = "serde")]
impl From<GivenRegulations> for Regulations {
    fn from(given: GivenRegulations) -> Regulations {
        let usual = Regulations::of(given.rules);
        Regulations {
            occurrences: given.occurrences.unwrap_or(usual.occurrences),
            natural_limit: given.natural_limit.unwrap_or(usual.natural_limit),
            ..usual
        }
    }
}

/// End of a game: the winner and the reason. `R` are the reasons; those of the rules can be
/// extended, such as by resignation.
///
/// ```
/// use xiangqi::{Color, GameResult, Outcome, Wdl};
///
/// let end = Outcome::loss(Color::Red, "resignation");
/// assert_eq!(end.result(), GameResult::BlackWins);
/// assert_eq!(end.for_side(Color::Black), Wdl::Win);
/// assert_eq!(end.to_string(), "black wins: resignation");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome<R = EndByRules> {
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// The reason.
    pub reason: R,
}

impl<R> Outcome<R> {
    /// Creates a draw.
    pub const fn draw(reason: R) -> Outcome<R> {
        Outcome { winner: None, reason }
    }

    /// Creates a loss of `loser`.
    pub fn loss(loser: Color, reason: R) -> Outcome<R> {
        Outcome { winner: Some(!loser), reason }
    }

    /// Returns the result for a record.
    pub fn result(&self) -> GameResult {
        self.winner.map_or(GameResult::Draw, GameResult::won_by)
    }

    /// Returns the result for one side.
    pub fn for_side(&self, side: Color) -> Wdl {
        match self.winner {
            None => Wdl::Draw,
            Some(winner) if winner == side => Wdl::Win,
            Some(_) => Wdl::Loss,
        }
    }

    /// Converts the reason.
    pub fn map<S>(self, convert: impl FnOnce(R) -> S) -> Outcome<S> {
        Outcome { winner: self.winner, reason: convert(self.reason) }
    }
}

impl<R: fmt::Display> fmt::Display for Outcome<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.winner {
            Some(winner) => write!(f, "{winner} wins: {}", self.reason),
            None => write!(f, "draw: {}", self.reason),
        }
    }
}

/// Watches a game.
///
/// ```
/// use xiangqi::board::Position;
/// use xiangqi::geometry::Color;
/// use xiangqi::rules::{Referee, Regulations};
///
/// let position = Position::from_fen("3k5/9/9/9/9/9/9/9/4A4/R3K4 w").unwrap();
/// let mut referee = Referee::new(position, Regulations::default());
/// referee.play("a0a9".parse().unwrap()).unwrap();
/// let turn = ["d9d8", "a9a8", "d8d9", "a8a9"];
/// let mut outcome = None;
/// for mv in [turn, turn].concat() {
///     assert_eq!(outcome, None);
///     outcome = referee.play(mv.parse().unwrap()).unwrap();
/// }
/// let outcome = outcome.unwrap();
/// assert_eq!(outcome.winner, Some(Color::Black)); // Red has checked perpetually
/// ```
#[derive(Clone, Debug)]
pub struct Referee {
    position: Position,
    regulations: Regulations,
    outcome: Option<Outcome>,
}

impl Referee {
    /// Returns a referee for a game that starts, or goes on, from this position.
    pub fn new(position: Position, regulations: Regulations) -> Referee {
        let outcome = regulations.outcome(&position);
        Referee { position, regulations, outcome }
    }

    /// Returns the position after the last move.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the outcome of the game, if it has ended.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Makes a move and returns the outcome if it ends the game. An illegal move is refused and
    /// changes nothing. Moves may follow after the end.
    ///
    /// # Errors
    /// If the move is not legal.
    pub fn play(&mut self, mv: Move) -> Result<Option<Outcome>, MoveError> {
        let mv = self.position.check_move(mv)?;
        self.position.play_unchecked(mv);
        self.outcome = self.regulations.outcome(&self.position);
        Ok(self.outcome)
    }

    /// Takes the last move back and returns it; `None` if there is none. A game that it ended goes
    /// on.
    ///
    /// ```
    /// use xiangqi::{Position, Referee, Regulations};
    ///
    /// let start = Position::from_fen("3k5/R8/9/9/9/9/9/9/9/1R2K4 w")?;
    /// let mut referee = Referee::new(start, Regulations::default());
    /// let mate = "b0b9".parse()?;
    /// assert!(referee.play(mate)?.is_some());
    /// assert_eq!((referee.undo(), referee.outcome()), (Some(mate), None));
    /// assert_eq!(referee.undo(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn undo(&mut self) -> Option<Move> {
        let mv = self.position.state().mv?;
        self.position.unmake();
        self.outcome = self.regulations.outcome(&self.position);
        Some(mv)
    }
}

/// Returns the outcome if the position has occurred as often as the regulations ask for.
fn ruled_repetition(position: &Position, regulations: &Regulations) -> Option<Outcome> {
    let since = occurrences(position).nth(regulations.occurrences.max(2) - 2)?;
    let length = position.ply() - since;
    let LoopRuling { red, black, loser, .. } = judge_loop(position, length, regulations.rules);
    let winner = loser.map(|loser| !loser);
    Some(Outcome { winner, reason: EndByRules::Repetition { loser, red, black } })
}
