//! The drawings of marks, arrows, labels and the last move.

use super::annotations::LONGEST_LABEL;
use super::colors::{Colors, Ink};
use super::courses::Course;
use super::glyphs::{width, written};
use super::{ArrowKind, MarkKind};

/// The height of the em of labels.
const LABEL_SIZE: f64 = 25.0;

/// Returns both squares of the last move, at the origin: corners, so that it is seen without colour
/// too.
pub(super) fn last_move(colors: Colors) -> String {
    let color = colors.of(Ink::LastMove);
    format!(
        "<rect x=\"-48\" y=\"-48\" width=\"96\" height=\"96\" rx=\"10\" fill=\"{color}\" opacity=\".2\"/>\
         <path fill=\"none\" stroke=\"{color}\" stroke-width=\"5\" stroke-linecap=\"round\" \
         d=\"M-48 -30V-42Q-48 -48 -42 -48H-30M48 -30V-42Q48 -48 42 -48H30\
         M-48 30V42Q-48 48 -42 48H-30M48 30V42Q48 48 42 48H30\"/>"
    )
}

/// Returns the drawing of a mark at the origin.
pub(super) fn mark(kind: MarkKind, colors: Colors) -> String {
    let color = colors.of(mark_ink(kind));
    let drawing = match kind {
        MarkKind::Plain => "<circle r=\"47\" stroke-width=\"6\"/>",
        MarkKind::Note => "<circle r=\"47\" stroke-width=\"6\" stroke-dasharray=\"20 9.53\"/>",
        MarkKind::Chaser => {
            "<circle r=\"49\" stroke-width=\"4\"/><circle r=\"42\" stroke-width=\"4\"/>"
        }
        MarkKind::Victim => {
            "<circle r=\"46\" stroke-width=\"6\"/>\
             <path stroke-width=\"7\" d=\"M0 -58V-36M0 58V36M-58 0H-36M58 0H36\"/>"
        }
        MarkKind::Protector => {
            "<path stroke-width=\"6\" stroke-linejoin=\"round\" d=\"M-46 -46H46V46H-46Z\"/>"
        }
    };
    format!("<g fill=\"none\" stroke=\"{color}\">{drawing}</g>")
}

const fn mark_ink(kind: MarkKind) -> Ink {
    match kind {
        MarkKind::Plain => Ink::Best,
        MarkKind::Chaser | MarkKind::Victim => Ink::Chase,
        MarkKind::Protector => Ink::Protect,
        MarkKind::Note => Ink::Note,
    }
}

const fn arrow_ink(kind: ArrowKind) -> Ink {
    match kind {
        ArrowKind::Best => Ink::Best,
        ArrowKind::Other => Ink::Other,
        ArrowKind::Chase => Ink::Chase,
        ArrowKind::Protect => Ink::Protect,
        ArrowKind::Note => Ink::Note,
    }
}

const fn is_thick(kind: ArrowKind) -> bool {
    matches!(kind, ArrowKind::Best | ArrowKind::Note)
}

/// Returns the head of an arrow that points to the right, its tip at the origin.
pub(super) fn arrow_head(kind: ArrowKind, colors: Colors) -> String {
    let color = colors.of(arrow_ink(kind));
    let form = match kind {
        ArrowKind::Best => "M0 0L-40 21L-33 0L-40 -21Z",
        ArrowKind::Other | ArrowKind::Protect => "M0 0L-40 17L-33 0L-40 -17Z",
        // Two points.
        ArrowKind::Chase => "M0 0L-40 17L-33 0L-40 -17ZM-28 0L-68 17L-61 0L-68 -17Z",
        // Open.
        ArrowKind::Note => "M0 0L-46 27L-52 17L-36 7V-7L-52 -17L-46 -27Z",
    };
    format!("<path fill=\"{color}\" d=\"{form}\"/>")
}

/// Returns an arrow along a course.
pub(super) fn arrow(kind: ArrowKind, course: &Course, colors: Colors) -> String {
    let Course { shaft, tip, angle, .. } = course;
    let color = colors.of(arrow_ink(kind));
    let thickness = if is_thick(kind) { 14 } else { 9 };
    let dashes = if kind == ArrowKind::Protect { " stroke-dasharray=\"16 9\"" } else { "" };
    format!(
        "<g opacity=\".88\"><path d=\"{shaft}\" fill=\"none\" stroke=\"{color}\" \
         stroke-width=\"{thickness}\"{dashes}/>\
         <g transform=\"translate({:.1} {:.1}) rotate({angle:.2})\">{}</g></g>",
        tip.0,
        tip.1,
        arrow_head(kind, colors)
    )
}

/// Returns the label of a mark, at the upper right of its square.
pub(super) fn mark_label(text: &str, kind: MarkKind, point: (i32, i32), colors: Colors) -> String {
    let (x, y) = (f64::from(point.0 + 38), f64::from(point.1 - 38));
    label(text, (x, y), mark_ink(kind), colors)
}

/// Returns the label of an arrow, in the middle of its course.
pub(super) fn arrow_label(text: &str, kind: ArrowKind, course: &Course, colors: Colors) -> String {
    label(text, course.middle, arrow_ink(kind), colors)
}

fn label(text: &str, (x, y): (f64, f64), ground: Ink, colors: Colors) -> String {
    let text: String = text.chars().take(LONGEST_LABEL).collect();
    let paths = written(&text, (x, y), LABEL_SIZE, &colors.of(Ink::Label));
    if paths.is_empty() {
        return paths;
    }
    let half = (width(&text, LABEL_SIZE) / 2.0 + 9.0).max(17.0);
    format!(
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"34\" rx=\"17\" fill=\"{}\"/>{paths}",
        x - half,
        y - 17.0,
        2.0 * half,
        colors.of(ground)
    )
}
