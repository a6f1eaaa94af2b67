//! The last repetition of a game with its explanation as text.

use std::fmt::Write as _;

use crate::board::{Move, Position};
use crate::notation::{Notation, write};
use crate::rules::RuleSet;
use crate::rules::occurrences::{occurrences, recurrences};

use super::explain::{Explanation, explain};
use super::text::Language;

/// The last repetition of a game.
///
/// ```
/// use xiangqi::rules::explanation::{Language, LastRepetition};
/// use xiangqi::{Notation, Position, RuleSet};
///
/// let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/4A4/R3K4 w")?;
/// for mv in ["a0a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8"] {
///     position.play(mv.parse()?)?;
/// }
/// let found = LastRepetition::of(&position, RuleSet::Wxf).expect("a repetition");
/// assert_eq!(found.occurrences, 2);
/// let text = found.text(Language::English, Notation::Wxf);
/// assert!(text.contains("R9-1") && text.contains("red loses"), "{text}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LastRepetition {
    /// The ruling with its reasons.
    pub explanation: Explanation,
    /// The number of times that the position has stood on the board.
    pub occurrences: usize,
}

impl LastRepetition {
    /// Explains the last repetition of the game that led to the position, leaving out the moves
    /// after it; `None` if no position has occurred twice.
    pub fn of(position: &Position, rules: RuleSet) -> Option<LastRepetition> {
        let last = recurrences(position).into_iter().rposition(|recurs| recurs)?;
        let position = position.at_ply(last);
        let occurrences = occurrences(&position).count() + 1;
        let explanation = explain(&position, rules)?;
        Some(LastRepetition { explanation, occurrences })
    }

    /// Returns the explanation as lines of text: the loop with what each move does, the ruling and
    /// its rules. Moves and pieces are written in the notation.
    pub fn text(&self, language: Language, notation: Notation) -> String {
        let explanation = &self.explanation;
        let labels = language.labels();
        let ruling = explanation.ruling;
        let mut text = String::new();
        let mut line = |parts: [&str; 2]| {
            let _ = writeln!(text, "{}{}", parts[0], parts[1]);
        };
        let (start, fen) = (explanation.cycle_start, &explanation.fen);
        line([&labels.loop_from.replace("{}", &start.to_string()), fen]);
        let mut position = Position::from_fen(fen).ok();
        for (i, explained) in explanation.moves.iter().enumerate() {
            let side = language.side(explained.side());
            let piece = language.piece(explained.piece);
            let mv = move_text(&mut position, explained.mv, notation);
            let kinds = language.kinds(explained);
            line([&format!("{:>4}. {side:<5} {mv}  {piece:<7} ", i + 1), &kinds]);
            if let Some(threat) = &explained.threat {
                line(["        ", &language.threat(threat, notation)]);
            }
            for attack in explained.shown_attacks() {
                line(["        ", &language.attack(attack, notation)]);
            }
        }
        // Without rules on repetitions no moves are judged.
        let has_rules = explanation.rules != RuleSet::None;
        if has_rules {
            line([labels.red, language.level(ruling.red)]);
            line([labels.black, language.level(ruling.black)]);
        }
        line([labels.ruling, language.ruling(ruling.loser)]);
        if has_rules {
            line([labels.why, &language.conduct(explanation, notation)]);
        }
        for reason in &explanation.reasons {
            line([labels.rule, &language.reason(reason, explanation.rules)]);
        }
        if ruling.is_undecided {
            line([labels.undecided, ""]);
        }
        if self.occurrences == 2 {
            line([labels.second_time, ""]);
        }
        text
    }
}

/// Returns the text of a move of the loop, which is then made.
fn move_text(position: &mut Option<Position>, mv: Move, notation: Notation) -> String {
    match position {
        Some(position) if position.check_move(mv).is_ok() => {
            let text = write(position, mv, notation);
            position.play_unchecked(mv);
            text
        }
        _ => mv.to_string(),
    }
}
