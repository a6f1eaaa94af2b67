//! The names of endings with few attackers.

use xiangqi::board::Board;
use xiangqi::geometry::{Color, Piece, PieceKind};
use xiangqi::rules::explanation::Language;

/// The maximum number of rooks, knights, cannons and pawns of both sides in an ending that has a
/// name.
const MAX_ATTACKERS: usize = 3;

/// The men of a side in the order of their names.
const KINDS: [PieceKind; 6] = [
    PieceKind::Rook,
    PieceKind::Cannon,
    PieceKind::Knight,
    PieceKind::Pawn,
    PieceKind::Advisor,
    PieceKind::Bishop,
];

/// An ending with few attackers: the number of men of each kind that each side has besides its
/// king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Red's and Black's men in the order of `KINDS`.
    men: [[usize; 6]; 2],
}

impl Ending {
    /// Returns the ending on the board; `None` with more attackers.
    pub(super) fn of(board: &Board) -> Option<Ending> {
        let is_attacker =
            |kind: &&PieceKind| !matches!(kind, PieceKind::Advisor | PieceKind::Bishop);
        let attackers: usize =
            KINDS.iter().filter(is_attacker).map(|&kind| board.kind(kind).len()).sum();
        let men = Color::ALL.map(|side| KINDS.map(|kind| board.pieces(side, kind).len()));
        (attackers <= MAX_ATTACKERS).then_some(Ending { men })
    }

    /// Returns the ending in words, such as `red rook against black knight and 2 advisors`.
    pub fn text(self, language: Language) -> String {
        let [red, black] = self.men;
        match language {
            Language::Chinese => {
                let [red, black] = [(Color::Red, red), (Color::Black, black)]
                    .map(|(side, men)| chinese_force(side, men));
                format!("红方{red}对黑方{black}")
            }
            _ => {
                format!("red {} against black {}", english_force(red), english_force(black))
            }
        }
    }
}

fn english_force(men: [usize; 6]) -> String {
    let men: Vec<String> = KINDS
        .iter()
        .zip(men)
        .filter_map(|(kind, count)| match count {
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

fn chinese_force(side: Color, men: [usize; 6]) -> String {
    let names = KINDS.iter().zip(men).map(|(&kind, count)| {
        let name = Language::Chinese.piece(Piece::new(side, kind));
        match count {
            0 => String::new(),
            1 => name.to_owned(),
            2 => format!("双{name}"),
            3 => format!("三{name}"),
            count => format!("{count}{name}"),
        }
    });
    let text: String = names.collect();
    if text.is_empty() { "单将".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use xiangqi::board::Position;

    use super::*;

    #[test]
    fn endings_are_named_by_their_men() {
        for (fen, name) in [
            (
                "3k1a3/4a4/9/9/9/9/9/9/4n4/R3K4 w",
                Some("red rook against black knight and 2 advisors"),
            ),
            ("3k5/9/4P4/4P4/9/9/9/9/9/4K4 w", Some("red 2 pawns against black king alone")),
            (xiangqi::board::START_FEN, None),
        ] {
            let position = Position::from_fen(fen).expect(fen);
            let ending = Ending::of(position.board());
            let text = ending.map(|ending| ending.text(Language::English));
            assert_eq!(text.as_deref(), name, "{fen}");
        }
    }
}
