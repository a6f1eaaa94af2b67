//! A game's analysis as JSON lines.
//!
//! One object a line, `type` first: a `game` with tags, start and result; a `move` for each
//! analysed move of the main line; a `summary`. The schema is in `docs/json.md`.

use cannonade_engine::search::win_draw_loss;
use serde_json::{Value, json};
use xiangqi::geometry::Color;
use xiangqi::notation::{Notation, write};
use xiangqi::records::Game;
use xiangqi::rules::explanation::Language;

use super::{Assessment, GameAnalysis, GameEvent, MoveAssessment, MoveClass, Phase};

/// The name and version of the form, in each line.
pub const ANALYSIS_SCHEMA: &str = "analyze-1";

/// Returns the lines of one game, each with its line end. `number` is the game's number in the
/// collection, from 1.
pub fn json_lines(
    game: &Game,
    number: usize,
    analysis: &GameAnalysis,
    assessment: &Assessment,
    notation: Notation,
) -> String {
    let tags: serde_json::Map<String, Value> =
        game.tags().iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    let mut lines = vec![json!({
        "schema": ANALYSIS_SCHEMA,
        "type": "game",
        "game": number,
        "tags": tags,
        "fen": game.start().fen(),
        "result": game.result.text(),
        "plies": assessment.moves.len(),
        "opening": assessment.opening.map(|opening| opening.name(Language::English)),
    })];
    let moves = assessment.moves.iter().flatten();
    lines.extend(moves.map(|mv| move_object(mv, number, notation)));
    let side = |color: Color| -> Value {
        let summary = assessment.summary(color, None);
        let classes: serde_json::Map<String, Value> = MoveClass::ALL
            .iter()
            .zip(summary.classes)
            .map(|(class, count)| (class.name().to_owned(), json!(count)))
            .collect();
        let phases: serde_json::Map<String, Value> = Phase::ALL
            .iter()
            .map(|&phase| {
                (phase.name().to_owned(), json!(assessment.summary(color, Some(phase)).accuracy))
            })
            .collect();
        json!({
            "accuracy": summary.accuracy,
            "average_cp_loss": summary.cp_loss,
            "classes": classes,
            "accuracy_by_phase": phases,
        })
    };
    let events = assessment.events.iter().map(|event| {
        let GameEvent { ply, kind } = *event;
        json!({ "ply": ply, "kind": kind.name(), "text": kind.text(Language::English) })
    });
    lines.push(json!({
        "schema": ANALYSIS_SCHEMA,
        "type": "summary",
        "game": number,
        "complete": analysis.is_complete(),
        "red": side(Color::Red),
        "black": side(Color::Black),
        "events": events.collect::<Vec<_>>(),
    }));
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// Returns Red's chances of win, draw and loss after a move, in permille.
fn red_chances(mv: &MoveAssessment) -> [u32; 3] {
    let after = mv.position_after();
    let mut chances = win_draw_loss(mv.after.score, after.occupied().len());
    // They are those of the side to move.
    if after.side() == Color::Black {
        chances.reverse();
    }
    chances
}

fn move_object(mv: &MoveAssessment, game: usize, notation: Notation) -> Value {
    let lines = mv
        .analysis
        .lines
        .iter()
        .map(|line| json!({ "score": line.score.for_red(mv.side), "moves": line.moves }));
    json!({
        "schema": ANALYSIS_SCHEMA,
        "type": "move",
        "game": game,
        "ply": mv.ply + 1,
        "number": mv.number,
        "side": mv.side.to_string(),
        "move": mv.mv,
        "text": write(&mv.before, mv.mv, notation),
        "fen": mv.before.fen(),
        "phase": mv.phase,
        "score": mv.red_score(),
        "wdl": red_chances(mv),
        "depth": mv.after.depth,
        "best": mv.analysis.best(),
        "lines": lines.collect::<Vec<_>>(),
        "lines_depth": mv.analysis.depth,
        "nodes": mv.analysis.nodes,
        "time_ms": mv.analysis.time_ms,
        "table": mv.analysis.table,
        "loss": mv.loss,
        "cp_loss": mv.cp_loss,
        "class": mv.class,
    })
}
