//! The names of endings with few attackers.

use crate::board::Board;
use crate::geometry::{Color, PieceKind};

/// The most rooks, knights, cannons and pawns of both sides in an ending that has a name.
const MOST_ATTACKERS: usize = 3;

/// The men of a side in the order of their names.
const KINDS: [PieceKind; 6] = [
    PieceKind::Rook,
    PieceKind::Cannon,
    PieceKind::Knight,
    PieceKind::Pawn,
    PieceKind::Advisor,
    PieceKind::Bishop,
];

/// The ending on the board, such as `red rook against black knight and 2 advisors`; `None` with more
/// attackers.
pub(super) fn ending_name(board: &Board) -> Option<String> {
    let is_attacker = |kind: &&PieceKind| !matches!(kind, PieceKind::Advisor | PieceKind::Bishop);
    let attackers: usize =
        KINDS.iter().filter(is_attacker).map(|&kind| board.kind(kind).len()).sum();
    let [red, black] = Color::ALL.map(|side| force_name(board, side));
    (attackers <= MOST_ATTACKERS).then(|| format!("red {red} against black {black}"))
}

fn force_name(board: &Board, side: Color) -> String {
    let men: Vec<String> = KINDS
        .iter()
        .filter_map(|&kind| match board.pieces(side, kind).len() {
            0 => None,
            1 => Some(kind.to_string()),
            count => Some(format!("{count} {kind}s")),
        })
        .collect();
    match men.split_last() {
        None => "king alone".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;

    #[test]
    fn endings_are_named_by_their_men() {
        for (fen, name) in [
            (
                "3k1a3/4a4/9/9/9/9/9/9/4n4/R3K4 w",
                Some("red rook against black knight and 2 advisors"),
            ),
            ("3k5/9/4P4/4P4/9/9/9/9/9/4K4 w", Some("red 2 pawns against black king alone")),
            (crate::board::START_FEN, None),
        ] {
            let position = Position::from_fen(fen).expect(fen);
            assert_eq!(ending_name(position.board()).as_deref(), name, "{fen}");
        }
    }
}
