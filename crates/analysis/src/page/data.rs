//! The data of a report, as its script reads them.
//!
//! | object | keys |
//! |---|---|
//! | game | `tags` (`red`, `black`, `event`, `site`, `round`, `date`), `result`, `fen`, `mover`, `comment`, `open` (plies before the position shown first), `plies`, `variations`, `events` (`ply`, and `text` with the keys `en` and `zh`), `loops`; with an analysis also `opening` (name with the keys `en` and `zh`, or `null`), `positions`, `summary`, `complete` |
//! | ply | `move` (UCI), `text`, `chinese`, `number`, `side`, `comment`, `signs` (marks of the file, such as `!?`), `checkers` (squares), `king` (the checked one's square); with an analysis also `class`, `loss`, `cpLoss`, `phase` |
//! | position | one more than the plies, `null` if it is not analysed: `score` (text, for Red), `points` (Red's, 0 to 1), `depth`, `lines` |
//! | line | `score` (for Red), `moves` (UCI), `texts`, `chinese` |
//! | summary | `red`, `black`: `accuracy` (percent or `null`), `cpLoss` (mean a move, or `null`), `phases` (the same by phase), `classes` (counts) |

use serde_json::{Map, Value, json};
use xiangqi::board::{Move, Position};
use xiangqi::geometry::Color;
use xiangqi::notation::{Notation, write, write_line};
use xiangqi::records::{Game, NodeId};

use super::super::report::red_score_text;
use super::super::{
    Assessment, GameAnalysis, MoveAssessment, MoveClass, Phase, PositionAnalysis, red_points,
};
use super::languages::in_both_languages;
use super::loops;
use super::options::{ReportGame, ReportOptions};
use super::variations;

/// Moves of a line that are shown.
const MOVES_SHOWN: usize = 12;

/// Returns the object of a game.
pub(super) fn game(shown: &ReportGame<'_>, options: &ReportOptions) -> Value {
    let ReportGame { game, analysis } = *shown;
    let mut position = game.start().clone();
    let mut positions = vec![position.without_history()];
    let mut plies = Vec::new();
    for (index, node) in game.main_line().enumerate() {
        let Some(mv) = game.mv(node) else { break };
        let mut ply = ply(&position, mv, options.notation);
        ply.insert("comment".into(), json!(game.comment(node)));
        ply.insert("signs".into(), json!(variations::signs(game.glyphs(node))));
        position.play_unchecked(mv);
        add_checks(&mut ply, &position);
        let assessed = analysis.and_then(|(_, assessment)| assessment.moves.get(index)?.as_ref());
        if let Some(assessed) = assessed {
            add_assessment(&mut ply, assessed);
        }
        plies.push(Value::Object(ply));
        positions.push(position.without_history());
    }
    let loops = loops::all(&position, options.rules, options.notation);
    let open = loops.last().and_then(|found| found.get("start")?.as_u64()).map(|start| start + 1);
    let mut value = json!({
        "tags": tags(game),
        "result": game.result.text(),
        "fen": game.start().fen(),
        "mover": game.start().side().to_string(),
        "comment": game.comment(NodeId::ROOT),
        "open": open.filter(|_| options.opens_at_repetition).unwrap_or(0),
        "plies": plies,
        "variations": variations::all(game, options.notation),
        "events": [],
        "loops": loops,
    });
    let Some(known) = analysis else { return value };
    let (found, assessment) = known;
    if let Value::Object(keys) = &mut value {
        let opening =
            assessment.opening.map(|opening| in_both_languages(|language| opening.name(language)));
        keys.insert("opening".into(), json!(opening));
        keys.insert("events".into(), events(assessment));
        keys.insert("positions".into(), analysed(&positions, known, options.notation));
        keys.insert("summary".into(), summary(assessment));
        keys.insert("complete".into(), json!(found.is_complete()));
    }
    value
}

fn tags(game: &Game) -> Value {
    let tag = |name: &str| game.tag(name).filter(|value| !matches!(*value, "?" | "????.??.??"));
    json!({
        "red": game.player(Color::Red),
        "black": game.player(Color::Black),
        "event": tag("Event"),
        "site": tag("Site"),
        "round": tag("Round"),
        "date": tag("Date"),
    })
}

fn ply(before: &Position, mv: Move, notation: Notation) -> Map<String, Value> {
    let mut ply = Map::new();
    ply.insert("move".into(), json!(mv));
    ply.insert("text".into(), json!(write(before, mv, notation)));
    ply.insert("chinese".into(), json!(write(before, mv, Notation::Chinese)));
    ply.insert("number".into(), json!(before.move_number()));
    ply.insert("side".into(), json!(before.side().to_string()));
    ply
}

/// Adds the pieces that give check in the position after a move.
fn add_checks(ply: &mut Map<String, Value>, after: &Position) {
    let checkers = after.checkers().into_iter().map(|square| square.to_string());
    ply.insert("checkers".into(), json!(checkers.collect::<Vec<_>>()));
    ply.insert("king".into(), json!(after.king(after.side()).to_string()));
}

fn add_assessment(ply: &mut Map<String, Value>, assessed: &MoveAssessment) {
    ply.insert("class".into(), json!(assessed.class));
    ply.insert("loss".into(), json!(assessed.loss));
    ply.insert("cpLoss".into(), json!(assessed.cp_loss));
    ply.insert("phase".into(), json!(assessed.phase));
}

fn analysed(
    positions: &[Position],
    (found, assessment): (&GameAnalysis, &Assessment),
    notation: Notation,
) -> Value {
    let values = positions.iter().enumerate().map(|(ply, position)| {
        let found = found.positions.get(ply).and_then(Option::as_ref)?;
        let end = assessment.ended.filter(|&(last, _)| last == ply);
        Some(match end {
            Some((_, score)) => analysed_position(position, &found.ended(score), notation),
            None => analysed_position(position, found, notation),
        })
    });
    json!(values.collect::<Vec<_>>())
}

fn analysed_position(position: &Position, found: &PositionAnalysis, notation: Notation) -> Value {
    let side = position.side();
    let lines = found.lines.iter().map(|line| {
        let moves: Vec<Move> = line.moves.iter().copied().take(MOVES_SHOWN).collect();
        json!({
            "score": red_score_text(line.score, side),
            "moves": moves,
            "texts": write_line(position, &moves, notation),
            "chinese": write_line(position, &moves, Notation::Chinese),
        })
    });
    json!({
        "score": red_score_text(found.score, side),
        "points": rounded(red_points(found.score, position)),
        "depth": found.depth,
        "lines": lines.collect::<Vec<_>>(),
    })
}

fn events(assessment: &Assessment) -> Value {
    let events = assessment.events.iter().map(|event| {
        json!({ "ply": event.ply, "text": in_both_languages(|language| event.kind.text(language)) })
    });
    json!(events.collect::<Vec<_>>())
}

/// Returns the accuracy and the classes of both sides, as the object `summary` above.
pub fn summary(assessment: &Assessment) -> Value {
    let side = |color| {
        let all = assessment.summary(color, None);
        let classes = MoveClass::ALL.iter().zip(all.classes);
        let phases = Phase::ALL
            .iter()
            .map(|&phase| (phase.name(), assessment.summary(color, Some(phase)).accuracy));
        json!({
            "accuracy": all.accuracy,
            "cpLoss": all.cp_loss,
            "phases": object(phases),
            "classes": object(classes.map(|(class, count)| (class.name(), count))),
        })
    };
    json!({ "red": side(Color::Red), "black": side(Color::Black) })
}

fn object<T: Into<Value>>(pairs: impl Iterator<Item = (&'static str, T)>) -> Value {
    pairs.map(|(name, value)| (name.to_owned(), value.into())).collect::<Map<_, _>>().into()
}

/// Rounds to four digits; more would be noise.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
