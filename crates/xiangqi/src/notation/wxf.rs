//! The notation of the World Xiangqi Federation: `C2=5`, `H8+7`, `R+-2`, `25=6`.
//!
//! Written with the letters K A E H R C P and the signs `+` forward, `-` backward, `=` sideways; of
//! two men on a file the front one has `+` after its letter and the rear one `-`. Of three or more
//! pawns on a file, or pawns doubled on two files, the first sign is the number from the front and
//! the second one the file (`25=6`: the second pawn of file 5 goes to file 6).
//!
//! Read in the forms of other programs too: letters B and N, `.` for `=` and for the middle pawn,
//! letters a to e for the numbers of pawns (`Pb.4`), the sign before the letter (`+R+2`), small
//! letters, full-width characters, and a `+` or `#` at the end for check or mate.

use crate::board::{Move, Position};
use crate::geometry::PieceKind;

use super::relative::{
    Direction, Origin, Place, RelativeMan, RelativeMove, RelativePattern, Which,
};

/// Writes a move; `None` if its origin is empty.
pub(super) fn write(position: &Position, mv: Move) -> Option<String> {
    let relative = RelativeMove::of(position, mv)?;
    let origin = origin(relative.man);
    let direction = match relative.direction {
        Direction::Forward => '+',
        Direction::Backward => '-',
        Direction::Sideways => '=',
    };
    Some(format!("{origin}{direction}{}", relative.target))
}

/// Names a man as its moves begin; pawns that are counted keep their letter: `P25`.
pub(super) fn man(man: RelativeMan) -> String {
    let origin = origin(man);
    let has_letter = origin.starts_with(man.kind.wxf_letter());
    if has_letter { origin } else { format!("{}{origin}", man.kind.wxf_letter()) }
}

/// Returns the first two signs of a move.
fn origin(man: RelativeMan) -> String {
    let letter = man.kind.wxf_letter();
    match man.origin {
        Origin::File(file) => format!("{letter}{file}"),
        Origin::Place { all: Place { index, count: 2 }, .. } => {
            format!("{letter}{}", if index == 0 { '+' } else { '-' })
        }
        Origin::Place { file, own, .. } => format!("{}{file}", own.index + 1),
    }
}

/// Takes a text of four signs apart, or of five with place and file (`C+2=5`); `None` if it has not
/// the form of WXF. The text is ASCII.
pub(super) fn parse(text: &str) -> Option<RelativePattern> {
    let (origin, last) = text.split_at_checked(text.len().checked_sub(2)?)?;
    let &[direction, target] = last.as_bytes() else { return None };
    let direction = match direction {
        b'+' => Direction::Forward,
        b'-' => Direction::Backward,
        b'=' | b'.' => Direction::Sideways,
        _ => return None,
    };
    let (kind, file, which) = match *origin.as_bytes() {
        [first, second] => parse_origin(first, second)?,
        [first, place, file] => (kind(first)?, Some(digit(file)?), Some(sign(place)?)),
        _ => return None,
    };
    Some(RelativePattern { kind, file, which, direction, target: digit(target)? })
}

fn parse_origin(first: u8, second: u8) -> Option<(PieceKind, Option<u8>, Option<Which>)> {
    if let Some(kind) = kind(first) {
        if let Some(file) = digit(second) {
            return Some((kind, Some(file), None));
        }
        let number = second.to_ascii_lowercase().wrapping_sub(b'a');
        let which = match sign(second) {
            Some(which) => which,
            None if kind == PieceKind::Pawn && number < 5 => Which::Nth(number + 1),
            None => return None,
        };
        return Some((kind, None, Some(which)));
    }
    if let Some(which) = sign(first) {
        return match digit(second) {
            // `+3=4`: the front pawn of file 3.
            Some(file) => Some((PieceKind::Pawn, Some(file), Some(which))),
            None => Some((kind(second)?, None, Some(which))),
        };
    }
    Some((PieceKind::Pawn, Some(digit(second)?), Some(Which::Nth(digit(first)?))))
}

fn kind(letter: u8) -> Option<PieceKind> {
    PieceKind::from_letter(char::from(letter))
}

fn sign(sign: u8) -> Option<Which> {
    match sign {
        b'+' => Some(Which::Front),
        b'.' => Some(Which::Middle),
        b'-' => Some(Which::Rear),
        _ => None,
    }
}

fn digit(byte: u8) -> Option<u8> {
    matches!(byte, b'1'..=b'9').then(|| byte - b'0')
}
