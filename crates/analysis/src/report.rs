//! A game's analysis as text for people.

use std::fmt::Write as _;

use cannonade_engine::search::Score;
use unicode_width::UnicodeWidthStr as _;
use xiangqi::geometry::Color;
use xiangqi::notation::{Notation, write, write_line};
use xiangqi::records::Game;
use xiangqi::rules::explanation::Language;

use super::{Assessment, GameAnalysis, MoveAssessment, MoveClass, Phase};

/// Moves of a better line that are shown.
const MOVES_SHOWN: usize = 6;

/// Columns of the curve.
const CURVE_WIDTH: usize = 60;

/// The heights of the curve, from Black winning to Red winning.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Returns a score for the side to move: pawns, `+M3` or `-rule`; `-M0` is a mate on the board.
pub fn score_text(score: Score) -> String {
    match score {
        Score::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(moves) if moves > 0 => format!("+M{moves}"),
        Score::Mate(0) => "-M0".to_owned(),
        Score::Mate(moves) => format!("-M{}", -moves),
        Score::Rule(plies) if plies > 0 => "+rule".to_owned(),
        Score::Rule(_) => "-rule".to_owned(),
    }
}

/// Converts a score for the side to move to one for Red.
pub(super) fn red_score_text(score: Score, side: Color) -> String {
    let text = score_text(score);
    match side {
        Color::Red => text,
        Color::Black if score == Score::Cp(0) => text,
        Color::Black => {
            let (sign, rest) = text.split_at(1);
            format!("{}{rest}", if sign == "+" { '-' } else { '+' })
        }
    }
}

/// Writes points as percent.
pub(super) fn percent(points: f64) -> String {
    format!("{:.0} %", 100.0 * points)
}

/// Returns the report of one game: players, a table of the moves, the curve and the summaries.
pub fn write_report(
    game: &Game,
    analysis: &GameAnalysis,
    assessment: &Assessment,
    notation: Notation,
) -> String {
    let mut text = String::new();
    let player = |side| game.player(side).unwrap_or("?").to_owned();
    let _ = writeln!(text, "{} - {}  {}", player(Color::Red), player(Color::Black), game.result);
    for tag in ["Event", "Date"] {
        if let Some(value) = game.tag(tag) {
            let _ = writeln!(text, "{tag}: {value}");
        }
    }
    if let Some(opening) = assessment.opening {
        let [english, chinese] =
            [Language::English, Language::Chinese].map(|language| opening.name(language));
        let _ = writeln!(text, "Opening: {english} ({chinese})");
    }
    let _ = writeln!(text, "\nmove       red's score after  depth");
    let write_events = |text: &mut String, ply| {
        for event in assessment.events.iter().filter(|event| event.ply == ply) {
            let _ = writeln!(text, "      {}", event.kind.text(Language::English));
        }
    };
    write_events(&mut text, 0);
    for (ply, mv) in assessment.moves.iter().enumerate() {
        if let Some(mv) = mv {
            let _ = writeln!(text, "{}", row(mv, notation));
        }
        write_events(&mut text, ply + 1);
    }
    write_curve(&mut text, assessment);
    write_summary(&mut text, assessment);
    if !analysis.is_complete() {
        let done = analysis.positions.iter().flatten().count();
        let _ = writeln!(text, "\nStopped: {done} of {} positions.", analysis.positions.len());
    }
    text
}

fn row(mv: &MoveAssessment, notation: Notation) -> String {
    let dots = if mv.side == Color::Red { "." } else { "..." };
    let played = format!("{}{}", write(&mv.before, mv.mv, notation), mv.class.sign());
    let number = format!("{}{dots}", mv.number);
    let mut row = format!(
        "{number:<6} {} {:>8} {:>6}",
        padded(&played, 12),
        red_score_text(mv.after.score, !mv.side),
        mv.after.depth
    );
    if mv.class >= MoveClass::Inaccuracy
        && let Some(line) = mv.analysis.lines.first()
    {
        let better: Vec<_> = line.moves.iter().copied().take(MOVES_SHOWN).collect();
        let texts = write_line(&mv.before, &better, notation).join(" ");
        row += &format!("   loses {}; better {texts}", percent(mv.loss));
    }
    row
}

/// Pads the text with blanks to a width in columns; a Chinese character takes two.
fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// Writes a bar chart of Red's expected points, a bar per half-move or per several.
fn write_curve(text: &mut String, assessment: &Assessment) {
    let points: Vec<f64> =
        assessment.moves.iter().flatten().map(MoveAssessment::red_points).collect();
    if points.is_empty() {
        return;
    }
    let step = points.len().div_ceil(CURVE_WIDTH);
    let bars: String = points
        .chunks(step)
        .map(|part| {
            let mean = part.iter().sum::<f64>() / part.len() as f64;
            let height = ((mean * BARS.len() as f64) as usize).min(BARS.len() - 1);
            BARS.get(height).copied().unwrap_or(' ')
        })
        .collect();
    let plural = if step == 1 { "" } else { "s" };
    let _ = writeln!(text, "\nRed's expected points, {step} half-move{plural} per bar\n{bars}");
}

fn write_summary(text: &mut String, assessment: &Assessment) {
    let _ = writeln!(
        text,
        "\n       accuracy  opening  middlegame  endgame  cp loss   best  good  ?!   ?    ??"
    );
    for side in Color::ALL {
        let accuracy = |phase| match assessment.summary(side, phase).accuracy {
            Some(accuracy) => format!("{accuracy:.0} %"),
            None => "-".to_owned(),
        };
        let summary = assessment.summary(side, None);
        let [best, good, inaccuracy, mistake, blunder] = summary.classes;
        let cp_loss = summary.cp_loss.map_or("-".to_owned(), |loss| format!("{loss:.0}"));
        let _ = writeln!(
            text,
            "{:<6} {:>8} {:>8} {:>11} {:>8} {cp_loss:>8} {best:>6} {good:>5} {inaccuracy:>3} {mistake:>3} {blunder:>5}",
            side.to_string(),
            accuracy(None),
            accuracy(Some(Phase::Opening)),
            accuracy(Some(Phase::Middlegame)),
            accuracy(Some(Phase::Endgame)),
        );
    }
}
