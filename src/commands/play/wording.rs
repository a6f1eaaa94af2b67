//! The sentences about the end of a game, repetitions and scores.

use xiangqi::geometry::Color;
use xiangqi::rules::explanation::{Language, explain};
use xiangqi::rules::{EndByRules, Level, Outcome};

use crate::game::{EndReason, GameEnd, PlayedGame, Repetition};
use crate::search::Score;

/// `Red` or `Black`.
pub(super) fn side_name(side: Color) -> &'static str {
    match side {
        Color::Red => "Red",
        Color::Black => "Black",
    }
}

/// Describes the end of the game, with the judge's reasons if a repetition ended it.
pub(super) fn describe_end(game: &PlayedGame, end: GameEnd) -> Vec<String> {
    let (winner, loser) = match end.winner {
        Some(winner) => (side_name(winner), side_name(!winner)),
        None => ("", ""),
    };
    match end.reason {
        EndReason::Resignation => vec![format!("{winner} wins: {loser} resigns.")],
        EndReason::Time => vec![format!("{winner} wins: {loser} has no time left.")],
        EndReason::Rules(reason) => {
            let mut lines = vec![describe_outcome(game, Outcome { winner: end.winner, reason })];
            if matches!(reason, EndByRules::Repetition { .. }) {
                lines.extend(reasons(game));
            }
            lines
        }
    }
}

/// Explains the judge's ruling on the last repetition.
fn reasons(game: &PlayedGame) -> Vec<String> {
    let Some(found) = explain(game.position(), game.regulations().rules) else { return Vec::new() };
    let language = Language::default();
    let mut lines = vec![format!("  Why:  {}", language.conduct(&found))];
    let rules = found.reasons.iter().map(|reason| language.reason(reason, found.rules));
    lines.extend(rules.map(|rule| format!("  Rule: {rule}")));
    lines
}

fn describe_outcome(game: &PlayedGame, outcome: Outcome) -> String {
    let loser = outcome.winner.map(|winner| side_name(!winner)).unwrap_or_default();
    let reason = match outcome.reason {
        EndByRules::Checkmate => format!("{loser} is checkmated."),
        EndByRules::Stalemate => format!("{loser} has no legal move, which loses."),
        EndByRules::Repetition { loser: Some(loser), red, black } => {
            let level = if loser == Color::Red { red } else { black };
            let times = game.regulations().occurrences;
            format!(
                "the position has occurred {times} times, and {} is to blame ({level}).",
                side_name(loser)
            )
        }
        EndByRules::Repetition { loser: None, red, black } => {
            let times = game.regulations().occurrences;
            format!("the position has occurred {times} times{}.", levels(red, black))
        }
        EndByRules::NaturalLimit => {
            let plies = game.regulations().natural_limit;
            format!("{} moves of each side without a capture.", plies / 2)
        }
        EndByRules::DeadMaterial => "neither side has a piece left that can win.".to_owned(),
    };
    match outcome.winner {
        Some(winner) => format!("{} wins: {reason}", side_name(winner)),
        None => format!("Draw: {reason}"),
    }
}

/// Describes both sides' conduct, if notable.
fn levels(red: Level, black: Level) -> String {
    match (red, black) {
        (Level::Idle, Level::Idle) => " and neither side offends".to_owned(),
        _ => format!(" (Red: {red}, Black: {black})"),
    }
}

/// Warns when the position has occurred before: the effect of its next occurrence.
pub(super) fn describe_repetition(game: &PlayedGame, repetition: Repetition) -> String {
    let Repetition { times, ruling, .. } = repetition;
    let last = game.regulations().occurrences;
    let when =
        if times + 1 >= last { "the next time".to_owned() } else { format!("at {last} times") };
    match ruling.loser {
        Some(loser) => format!(
            "This position has occurred {times} times. {loser} gives {level}: {when}, {loser} loses.",
            loser = side_name(loser),
            level = ruling.level(loser)
        ),
        None => format!(
            "This position has occurred {times} times: {when}, the game is a draw{}.",
            levels(ruling.red, ruling.black)
        ),
    }
}

/// Warns before a move that loses at once by the rules; `None` if it does not.
pub(super) fn warn_of_loss(game: &PlayedGame, outcome: Outcome, text: &str) -> Option<String> {
    let mover = game.position().side();
    let EndByRules::Repetition { loser: Some(loser), red, black } = outcome.reason else {
        return None;
    };
    let level = if loser == Color::Red { red } else { black };
    (loser == mover).then(|| {
        format!(
            "{text} repeats the position once more: {side} gives {level} and loses by it. Type it \
             again to play it, or choose another move.",
            side = side_name(mover)
        )
    })
}

/// Describes which side is better; `side` is the side to move, from whose view the score is.
pub(super) fn describe_score(score: Score, side: Color) -> String {
    let (ahead, behind) = (side_name(side), side_name(!side));
    match score {
        Score::Cp(centipawns) => {
            let better = if centipawns >= 0 { ahead } else { behind };
            let pawns = f64::from(centipawns.abs()) / 100.0;
            match centipawns.abs() {
                0..=30 => "The position is even.".to_owned(),
                31..=100 => format!("{better} is a little better (by {pawns:.2} pawns)."),
                101..=300 => format!("{better} is better (by {pawns:.2} pawns)."),
                _ => format!("{better} is winning (by {pawns:.2} pawns)."),
            }
        }
        Score::Mate(0) => format!("{ahead} has no legal move and has lost."),
        Score::Mate(moves) if moves > 0 => format!("{ahead} mates in {moves}."),
        Score::Mate(moves) => format!("{behind} mates in {}.", -moves),
        Score::Rule(plies) if plies > 0 => {
            format!("{ahead} wins by a forbidden repetition of {behind}.")
        }
        Score::Rule(_) => format!("{behind} wins by a forbidden repetition of {ahead}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_sentences_about_the_side_that_is_better() {
        for (score, side, expected) in [
            (Score::Cp(10), Color::Red, "The position is even."),
            (Score::Cp(-55), Color::Red, "Black is a little better (by 0.55 pawns)."),
            (Score::Cp(250), Color::Black, "Black is better (by 2.50 pawns)."),
            (Score::Mate(-3), Color::Black, "Red mates in 3."),
            (Score::Mate(0), Color::Red, "Red has no legal move and has lost."),
            (Score::Rule(-4), Color::Red, "Black wins by a forbidden repetition of Red."),
        ] {
            assert_eq!(describe_score(score, side), expected);
        }
    }
}
