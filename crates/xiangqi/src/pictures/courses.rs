//! The courses of arrows: beside the characters of their squares, around pieces and shorter arrows.

use super::{Arrow, BoardPicture};

/// Distances of an arrow from the centre of a square with a piece, and of an empty one.
const PIECE_GAP: f64 = 31.0;
const POINT_GAP: f64 = 14.0;

/// The length of the head, from the end of the shaft to the tip.
const HEAD: f64 = 30.0;

/// Distances of a bent arrow's control point from the straight way: beside a piece, beside the tip
/// of a shorter arrow.
const PIECE_BEND: f64 = 90.0;
const ARROW_BEND: f64 = 60.0;

/// Beside an arrow that is shorter than this stands its label, so far away, since it would hide it.
const SHORT: f64 = 150.0;
const ASIDE: f64 = 32.0;

/// The way of an arrow over the board, in units.
#[derive(Clone, Debug)]
pub(super) struct Course {
    /// The data of the shaft's path.
    pub(super) shaft: String,
    /// The point of its head.
    pub(super) tip: (f64, f64),
    /// The direction of its head in degrees.
    pub(super) angle: f64,
    /// The place of the label.
    pub(super) middle: (f64, f64),
}

/// Returns the course of one of the arrows of a picture.
pub(super) fn course(picture: &BoardPicture, arrow: &Arrow) -> Course {
    let (start, end) = (arrow.mv.from(), arrow.mv.to());
    let exact = |square| {
        let (x, y) = picture.point(square);
        (f64::from(x), f64::from(y))
    };
    let ((x, y), (to_x, to_y)) = (exact(start), exact(end));
    let length = (to_x - x).hypot(to_y - y).max(1.0);
    let (dx, dy) = ((to_x - x) / length, (to_y - y) / length);
    // The part of the way at which a square lies on it.
    let part_of = |square| {
        let (px, py) = exact(square);
        let along = (px - x) * dx + (py - y) * dy;
        let beside = (px - x) * dy - (py - y) * dx;
        (along > 1.0 && along < length - 1.0 && beside.abs() < 1.0).then(|| along / length)
    };
    let others = picture.arrows.iter().filter(|other| other.mv.from() == start);
    let bends = mean(picture.board.occupied().into_iter().filter_map(part_of))
        .map(|part| (part, PIECE_BEND))
        .or_else(|| {
            mean(others.filter_map(|other| part_of(other.mv.to()))).map(|part| (part, ARROW_BEND))
        });
    let (part, bend) = bends.unwrap_or((0.5, 0.0));
    // The point that the curve is drawn to, at the left of the way.
    let (control_x, control_y) =
        (x + part * length * dx + bend * dy, y + part * length * dy - bend * dx);
    let out = (control_x - x).hypot(control_y - y).max(1.0);
    let (out_x, out_y) = ((control_x - x) / out, (control_y - y) / out);
    let into = (to_x - control_x).hypot(to_y - control_y).max(1.0);
    let (in_x, in_y) = ((to_x - control_x) / into, (to_y - control_y) / into);
    let gap = if picture.board.piece_on(end).is_some() { PIECE_GAP } else { POINT_GAP };
    let aside = if length < SHORT { ASIDE } else { 0.0 };
    let before_end = |distance: f64| (to_x - distance * in_x, to_y - distance * in_y);
    let neck = before_end(gap + HEAD);
    Course {
        shaft: format!(
            "M{:.1} {:.1}Q{control_x:.1} {control_y:.1} {:.1} {:.1}",
            x + PIECE_GAP * out_x,
            y + PIECE_GAP * out_y,
            neck.0,
            neck.1
        ),
        tip: before_end(gap),
        angle: in_y.atan2(in_x).to_degrees(),
        middle: (
            (x + 2.0 * control_x + to_x) / 4.0 + aside * dy,
            (y + 2.0 * control_y + to_y) / 4.0 - aside * dx,
        ),
    }
}

/// Returns the mean of some numbers, if there are any.
fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0.0), |(sum, count), number| (sum + number, count + 1.0));
    (count > 0.0).then(|| sum / count)
}
