//! A picture in words, for those who cannot see it.

use crate::geometry::{Color, PieceKind};

use super::BoardPicture;

const KINDS: [PieceKind; 7] = [
    PieceKind::King,
    PieceKind::Rook,
    PieceKind::Cannon,
    PieceKind::Knight,
    PieceKind::Bishop,
    PieceKind::Advisor,
    PieceKind::Pawn,
];

/// Describes the squares of all pieces, such as `Red: king e0, rook a0 i0. Black: king e9. Last
/// move h2e2.`
pub(super) fn description(picture: &BoardPicture) -> String {
    let mut text: String = Color::ALL
        .iter()
        .map(|&side| {
            let men: Vec<_> = KINDS.iter().filter_map(|&kind| men(picture, side, kind)).collect();
            let name = if side == Color::Red { "Red" } else { "Black" };
            let men = if men.is_empty() { "no piece".to_owned() } else { men.join(", ") };
            format!("{name}: {men}. ")
        })
        .collect();
    if let Some(mv) = picture.last_move {
        text += &format!("Last move {mv}. ");
    }
    for mark in &picture.marks {
        text += &format!("Mark {}: {}. ", mark.kind, mark.square);
    }
    for arrow in &picture.arrows {
        text += &format!("Arrow {}: {}. ", arrow.kind, arrow.mv);
    }
    text.truncate(text.trim_end().len());
    text
}

fn men(picture: &BoardPicture, side: Color, kind: PieceKind) -> Option<String> {
    let squares: Vec<String> =
        picture.board.pieces(side, kind).into_iter().map(|square| square.to_string()).collect();
    (!squares.is_empty()).then(|| format!("{kind} {}", squares.join(" ")))
}
