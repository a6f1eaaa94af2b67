//! The judge's word on a line: its texts, its end, and its repetitions with their rulings.

use cannonade_analysis::explained_loops;
use serde::Serialize;
use xiangqi::board::{Move, Position};
use xiangqi::geometry::Color;
use xiangqi::notation::{Notation, write_line};
use xiangqi::rules::explanation::{Explanation, ExplanationReport, Language, explain};
use xiangqi::rules::{
    EndByRules, Outcome, Regulations, RuleSet, judge_game, judge_loop, loop_start, natural_plies,
    occurrences,
};

use super::requests::Line;

/// A line as the rules see it.
#[derive(Serialize)]
pub(super) struct JudgedLine {
    start: String,
    /// The position at its end.
    fen: String,
    moves: Vec<String>,
    texts: Vec<String>,
    end: Option<End>,
    repetition: Option<Repetition>,
    /// Plies without a capture as the rules count them, and the limit.
    natural: [u16; 2],
    /// All repetitions of the line, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    loops: Option<Vec<JudgedLoop>>,
}

/// The end of a game by the rules.
#[derive(Serialize)]
struct End {
    winner: Option<&'static str>,
    /// `checkmate`, `stalemate`, `repetition`, `natural` or `material`.
    reason: &'static str,
    /// The end as a sentence in English.
    text: String,
}

/// The position at the end of a line has occurred before.
#[derive(Serialize)]
struct Repetition {
    occurrences: usize,
    rulings: Vec<Ruling>,
}

/// The ruling of a rule set on a repetition.
#[derive(Serialize)]
struct Ruling {
    rules: &'static str,
    loser: Option<&'static str>,
    red: String,
    black: String,
    /// True if a search ran out of nodes, so that an offence may have been missed.
    undecided: bool,
}

/// A repetition of a line.
#[derive(Serialize)]
struct JudgedLoop {
    /// The plies before the first move of the loop.
    start: usize,
    occurrences: usize,
    /// The moves of the loop: several turns if they differ.
    moves: Vec<String>,
    /// The ruling of each rule set.
    rulings: Vec<Ruling>,
    /// The explanation, move by move, by the rule set of the request.
    explanation: Option<ExplanationReport>,
    /// The same with Chinese texts.
    explanation_chinese: Option<ExplanationReport>,
}

/// Judges a line; `explains` asks for all its repetitions with their explanations.
pub(super) fn judged(
    line: &Line,
    rules: RuleSet,
    notation: Notation,
    explains: bool,
) -> JudgedLine {
    let position = &line.position;
    JudgedLine {
        start: line.start.fen(),
        fen: position.fen(),
        moves: line.moves.iter().map(Move::to_string).collect(),
        texts: write_line(&line.start, &line.moves, notation),
        end: Regulations::of(rules).outcome(position).map(end),
        repetition: repetition(position),
        natural: [natural_plies(position), rules.natural_limit()],
        loops: explains.then(|| judged_loops(position, rules, notation)),
    }
}

fn end(outcome: Outcome) -> End {
    let reason = match outcome.reason {
        EndByRules::Checkmate => "checkmate",
        EndByRules::Stalemate => "stalemate",
        EndByRules::Repetition { .. } => "repetition",
        EndByRules::NaturalLimit => "natural",
        EndByRules::DeadMaterial => "material",
        _ => "rules",
    };
    End { winner: outcome.winner.map(Color::name), reason, text: outcome.to_string() }
}

fn repetition(position: &Position) -> Option<Repetition> {
    let length = position.ply() - loop_start(position)?;
    Some(Repetition {
        occurrences: 1 + occurrences(position).count(),
        rulings: rulings(position, length),
    })
}

/// Returns the rulings of a loop, the last `length` plies of the position, by all rule sets.
fn rulings(position: &Position, length: usize) -> Vec<Ruling> {
    let ruling = |rules: RuleSet| {
        let ruling = judge_loop(position, length, rules);
        Ruling {
            rules: rules.name(),
            loser: ruling.loser.map(Color::name),
            red: ruling.red.to_string(),
            black: ruling.black.to_string(),
            undecided: ruling.is_undecided,
        }
    };
    RuleSet::ALL.into_iter().map(ruling).collect()
}

/// Returns all repetitions on the way to the position. Those after the [`explained_loops`] have no
/// moves, rulings and explanations.
fn judged_loops(position: &Position, rules: RuleSet, notation: Notation) -> Vec<JudgedLoop> {
    let mut loops = judge_game(position, &[]);
    let rest = loops.split_off(explained_loops(loops.iter().map(|found| found.moves.len())));
    let mut position = position.clone();
    let mut judged = Vec::with_capacity(loops.len());
    while let Some(found) = loops.pop() {
        while position.ply() > found.start + found.moves.len() {
            position.unmake();
        }
        let rulings = rulings(&position, found.moves.len());
        let explanation = explain(&position, rules);
        let report = |language| {
            explanation.as_ref().map(|found: &Explanation| found.report(language, notation))
        };
        judged.push(JudgedLoop {
            start: found.start,
            occurrences: found.occurrences,
            moves: write_line(&position.at_ply(found.start), &found.moves, notation),
            rulings,
            explanation: report(Language::English),
            explanation_chinese: report(Language::Chinese),
        });
    }
    judged.reverse();
    judged.extend(rest.iter().map(|found| JudgedLoop {
        start: found.start,
        occurrences: found.occurrences,
        moves: Vec::new(),
        rulings: Vec::new(),
        explanation: None,
        explanation_chinese: None,
    }));
    judged
}
