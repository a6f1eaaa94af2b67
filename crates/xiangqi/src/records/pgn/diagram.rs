//! Boards drawn with characters, as XQStudio and dpxq.com put them before the moves of an ending: ten
//! lines with nine points each, `[车]` or `(炮)` where a man stands. Square brackets are Black's.

use crate::board::Board;
use crate::geometry::{Color, Piece, PieceKind, Square};

/// More lines than a drawing has, with those between the ranks, the names of the files and sides.
const MAX_LINES: usize = 30;

/// Returns the FEN of the board that is drawn in the lines at the start of a text, and the bytes up
/// to its end. The side to move is not known.
pub(super) fn diagram(text: &str) -> Option<(String, usize)> {
    let mut board = Board::empty();
    let (mut ranks, mut end) = (0, 0);
    for line in text.split_inclusive('\n').take(MAX_LINES) {
        end += line.len();
        let Some(points) = points(line) else {
            let is_frame = |c: char| c.is_whitespace() || "│|＼／\\/楚河汉漢界黑红紅方".contains(c);
            if ranks == 0 || !line.chars().all(is_frame) {
                return None;
            }
            continue;
        };
        let rank = Square::RANKS.checked_sub(ranks + 1)?;
        for (file, piece) in (0..).zip(points) {
            if let (Some(piece), Some(square)) = (piece, Square::new(file, rank)) {
                board.put(piece, square);
            }
        }
        ranks += 1;
        if ranks == Square::RANKS {
            let fen = board.fen();
            return Some((fen.split(' ').next()?.to_owned(), end));
        }
    }
    None
}

/// Returns the nine points of a rank, or `None` if the line has other ones.
pub(super) fn points(line: &str) -> Option<Vec<Option<Piece>>> {
    let mut points = Vec::new();
    let mut signs = line.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '(' | '（' => points.push(Some(man(signs.next()?, Color::Red)?)),
            '[' | '［' | '【' => points.push(Some(man(signs.next()?, Color::Black)?)),
            '┌' | '┬' | '┐' | '├' | '┼' | '┤' | '└' | '┴' | '┘' | '※' | '╬' | '╳' =>
            {
                points.push(None);
            }
            ')' | '）' | ']' | '］' | '】' | '-' | '─' | '━' => {}
            sign if sign.is_whitespace() => {}
            _ => return None,
        }
        if points.len() > usize::from(Square::FILES) {
            return None;
        }
    }
    (points.len() == usize::from(Square::FILES)).then_some(points)
}

/// Returns the man that a character of a side names.
fn man(sign: char, side: Color) -> Option<Piece> {
    let kind = match sign {
        '车' | '車' | '俥' => PieceKind::Rook,
        '马' | '馬' | '傌' => PieceKind::Knight,
        '相' | '象' => PieceKind::Bishop,
        '士' | '仕' => PieceKind::Advisor,
        '帅' | '将' | '帥' | '將' => PieceKind::King,
        '炮' | '砲' | '包' => PieceKind::Cannon,
        '兵' | '卒' => PieceKind::Pawn,
        _ => return None,
    };
    Some(Piece::new(side, kind))
}
