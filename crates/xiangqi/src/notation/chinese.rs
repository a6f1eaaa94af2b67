//! Chinese notation: `炮二平五`, `前马退九`, `二兵平四`.
//!
//! Written as books print it: Red with Chinese digits, Black with full-width ones, in simplified or
//! traditional characters. Read with either kind of digit for either side, half-width digits too,
//! the older characters of pieces (`傌`, `俥`, `砲`, `包`), the characters of the other side, the
//! position word before or after the piece, and pawns by word and file (`前七平八`).

use crate::board::{Move, Position};
use crate::geometry::{Color, PieceKind};

use super::relative::{Direction, Origin, RelativeMan, RelativeMove, RelativePattern, Which};

/// The characters of mainland China, or those of Taiwan and Hong Kong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Script {
    Simplified,
    Traditional,
}

const DIGITS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

const FULL_WIDTH_ONE: u32 = 0xFF11;

/// Writes a move; `None` if its origin is empty.
pub(super) fn write(position: &Position, mv: Move, script: Script) -> Option<String> {
    let relative = RelativeMove::of(position, mv)?;
    let mut text = man(relative.man, script);
    text.push(match (relative.direction, script) {
        (Direction::Forward, Script::Simplified) => '进',
        (Direction::Forward, Script::Traditional) => '進',
        (Direction::Backward, _) => '退',
        (Direction::Sideways, _) => '平',
    });
    text.push(number(relative.man.side, relative.target));
    Some(text)
}

/// Names a man as its moves begin: `炮二`, `前马`.
pub(super) fn man(man: RelativeMan, script: Script) -> String {
    let mut text = String::with_capacity(12);
    let piece = piece(man.kind, man.side, script);
    match man.origin {
        Origin::File(file) => text.extend([piece, number(man.side, file)]),
        Origin::Place { all, .. } => text.extend([word(Which::of(all), script), piece]),
    }
    text
}

/// Returns a number from 1 to 9 in the digits of a side.
fn number(side: Color, n: u8) -> char {
    match side {
        Color::Red => numeral(n),
        Color::Black => char::from_u32(FULL_WIDTH_ONE + u32::from(n) - 1).unwrap_or('？'),
    }
}

/// Returns a number from 1 to 9 as a Chinese digit.
fn numeral(n: u8) -> char {
    DIGITS.get(usize::from(n).wrapping_sub(1)).copied().unwrap_or('？')
}

fn word(which: Which, script: Script) -> char {
    match (which, script) {
        (Which::Front, _) => '前',
        (Which::Middle, _) => '中',
        (Which::Rear, Script::Simplified) => '后',
        (Which::Rear, Script::Traditional) => '後',
        (Which::Nth(n), _) => numeral(n),
    }
}

fn piece(kind: PieceKind, side: Color, script: Script) -> char {
    match (kind, side, script) {
        (PieceKind::King, Color::Red, Script::Simplified) => '帅',
        (PieceKind::King, Color::Red, Script::Traditional) => '帥',
        (PieceKind::King, Color::Black, Script::Simplified) => '将',
        (PieceKind::King, Color::Black, Script::Traditional) => '將',
        (PieceKind::Advisor, Color::Red, _) => '仕',
        (PieceKind::Advisor, Color::Black, _) => '士',
        (PieceKind::Bishop, Color::Red, _) => '相',
        (PieceKind::Bishop, Color::Black, _) => '象',
        (PieceKind::Knight, _, Script::Simplified) => '马',
        (PieceKind::Knight, _, Script::Traditional) => '馬',
        (PieceKind::Rook, _, Script::Simplified) => '车',
        (PieceKind::Rook, _, Script::Traditional) => '車',
        (PieceKind::Cannon, ..) => '炮',
        (PieceKind::Pawn, Color::Red, _) => '兵',
        (PieceKind::Pawn, Color::Black, _) => '卒',
    }
}

/// One character of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Piece(PieceKind),
    Digit(u8),
    Word(Which),
    Direction(Direction),
}

fn sign(c: char) -> Option<Sign> {
    Some(match c {
        '帅' | '帥' | '将' | '將' => Sign::Piece(PieceKind::King),
        '仕' | '士' => Sign::Piece(PieceKind::Advisor),
        '相' | '象' | '像' => Sign::Piece(PieceKind::Bishop),
        '马' | '馬' | '傌' | '㐷' => Sign::Piece(PieceKind::Knight),
        '车' | '車' | '俥' | '伡' => Sign::Piece(PieceKind::Rook),
        '炮' | '砲' | '包' => Sign::Piece(PieceKind::Cannon),
        '兵' | '卒' => Sign::Piece(PieceKind::Pawn),
        '前' => Sign::Word(Which::Front),
        '中' => Sign::Word(Which::Middle),
        '后' | '後' => Sign::Word(Which::Rear),
        '进' | '進' => Sign::Direction(Direction::Forward),
        '退' => Sign::Direction(Direction::Backward),
        '平' => Sign::Direction(Direction::Sideways),
        '1'..='9' => Sign::Digit(c as u8 - b'0'),
        _ => {
            let index = DIGITS.iter().position(|&digit| digit == c)?;
            Sign::Digit(index as u8 + 1)
        }
    })
}

/// Takes a text of four characters apart, full-width ones made ASCII; `None` if it has not the form
/// of a Chinese move.
pub(super) fn parse(text: &str) -> Option<RelativePattern> {
    let mut signs = text.chars().map(sign);
    let (first, second) = (signs.next()??, signs.next()??);
    let (Sign::Direction(direction), Sign::Digit(target)) = (signs.next()??, signs.next()??) else {
        return None;
    };
    if signs.next().is_some() {
        return None;
    }
    let (kind, file, which) = match (first, second) {
        (Sign::Piece(kind), Sign::Digit(file)) => (kind, Some(file), None),
        (Sign::Word(which), Sign::Piece(kind)) | (Sign::Piece(kind), Sign::Word(which)) => {
            (kind, None, Some(which))
        }
        (Sign::Digit(n), Sign::Piece(kind)) => (kind, None, Some(Which::Nth(n))),
        // `前七平八`: the front pawn of file 7.
        (Sign::Word(which), Sign::Digit(file)) => (PieceKind::Pawn, Some(file), Some(which)),
        _ => return None,
    };
    Some(RelativePattern { kind, file, which, direction, target })
}
