//! The repetitions of a game with their explanations, as the script of a report reads them.
//!
//! | object | keys |
//! |---|---|
//! | loop | `start` (plies before its first move), `occurrences`, `rules`, `undecided`, `moves`; the texts `ruling`, `red`, `black`, `conduct`, and `reasons`, a list of them |
//! | move | `move` (UCI), `side`, `piece`, `kind` (its heaviest, such as `chase`), `attacks`; the texts `kinds` and `threat` (null if there is none) |
//! | attack | `from`, `on`, `chase`, `protected`, `roots` (squares); its text |
//!
//! A text is an object with the keys `en` and `zh`.

use serde_json::{Value, json};
use xiangqi::board::Position;
use xiangqi::notation::Notation;
use xiangqi::rules::explanation::{Attack, Effect, ExplainedMove, Explanation, explain};
use xiangqi::rules::{RuleSet, judge_game};

use super::languages::{in_both_languages, notation_in};

/// Moves of repetitions that are explained.
const MAX_EXPLAINED: usize = 20_000;

/// Returns how many repetitions of these lengths are explained: the first ones, up to 20,000 moves.
/// The explanations of a game of thousands of moves that repeats all its positions would grow with
/// the square of its length.
pub fn explained_loops(lengths: impl IntoIterator<Item = usize>) -> usize {
    let mut left = MAX_EXPLAINED;
    let fits = |&length: &usize| {
        let rest = left.checked_sub(length);
        left = rest.unwrap_or(0);
        rest.is_some()
    };
    lengths.into_iter().take_while(fits).count()
}

/// Returns the explained repetitions of the game that led to the position.
pub(super) fn all(position: &Position, rules: RuleSet, notation: Notation) -> Vec<Value> {
    let found = judge_game(position, &[]);
    let count = explained_loops(found.iter().map(|found| found.moves.len()));
    let explained = found.iter().take(count).filter_map(|found| {
        let end = found.start + found.moves.len();
        Some(repetition(&explain(&position.at_ply(end), rules)?, found.occurrences, notation))
    });
    explained.collect()
}

fn repetition(explanation: &Explanation, occurrences: usize, notation: Notation) -> Value {
    let ruling = explanation.ruling;
    let reasons = explanation.reasons.iter();
    json!({
        "start": explanation.cycle_start,
        "occurrences": occurrences,
        "rules": explanation.rules.name(),
        "undecided": ruling.is_undecided,
        "ruling": in_both_languages(|language| language.ruling(ruling.loser).to_owned()),
        "red": in_both_languages(|language| language.level(ruling.red).to_owned()),
        "black": in_both_languages(|language| language.level(ruling.black).to_owned()),
        "conduct": in_both_languages(|language| language.conduct(explanation, notation_in(language, notation))),
        "reasons": reasons
            .map(|reason| in_both_languages(|language| language.reason(reason, explanation.rules)))
            .collect::<Vec<_>>(),
        "moves": (explanation.moves.iter())
            .map(|explained| explained_move(explained, notation))
            .collect::<Vec<_>>(),
    })
}

fn explained_move(explained: &ExplainedMove, notation: Notation) -> Value {
    json!({
        "move": explained.mv.to_string(),
        "side": explained.side().to_string(),
        "piece": explained.piece.kind().to_string(),
        "kind": explained.class(),
        "kinds": in_both_languages(|language| language.kinds(explained)),
        "threat": explained.threat.as_ref().map(|threat| {
            in_both_languages(|language| language.threat(threat, notation_in(language, notation)))
        }),
        "attacks": explained.shown_attacks().map(|one| attack(one, notation)).collect::<Vec<_>>(),
    })
}

fn attack(attack: &Attack, notation: Notation) -> Value {
    let roots = attack.roots.iter().map(|root| root.square.to_string());
    json!({
        "from": attack.attacker.square.to_string(),
        "on": attack.victim.square.to_string(),
        "chase": attack.effect.is_chase(),
        "protected": attack.effect == Effect::Protected,
        "roots": roots.collect::<Vec<_>>(),
        "text": in_both_languages(|language| language.attack(attack, notation_in(language, notation))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_are_explained_up_to_a_number_of_moves() {
        assert_eq!(explained_loops([]), 0);
        assert_eq!(explained_loops([4, MAX_EXPLAINED - 4, 4]), 2);
        assert_eq!(explained_loops([MAX_EXPLAINED + 1, 4]), 0);
    }
}
