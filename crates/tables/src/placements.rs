//! Positions of a signature, drawn at random or listed, by placing its pieces on a board. This
//! shares no code with the order of positions in the generator and the files.

use xiangqi::board::{Board, Position};
use xiangqi::geometry::{Color, Piece, PieceKind, Square};

use super::signature::{ATTACKERS, Signature};
use crate::random::Random;

/// The kinds in the order in which they are placed.
const ORDER: [PieceKind; 7] = [
    PieceKind::King,
    PieceKind::Advisor,
    PieceKind::Bishop,
    ATTACKERS[0],
    ATTACKERS[1],
    ATTACKERS[2],
    ATTACKERS[3],
];

/// Returns the pieces of a signature, its stronger side as `strong`; the kings first.
pub(super) fn pieces(signature: Signature, strong: Color) -> Vec<Piece> {
    let piece = |kind| {
        [strong, !strong].into_iter().enumerate().flat_map(move |(side, color)| {
            let count = signature.force(side).count(kind);
            (0..count).map(move |_| Piece::new(color, kind))
        })
    };
    ORDER.into_iter().flat_map(piece).collect()
}

/// Draws a position with these pieces; each valid one is equally likely.
pub(super) fn random(pieces: &[Piece], random: &mut Random) -> Position {
    let domains: Vec<(Piece, Vec<Square>)> =
        pieces.iter().map(|&piece| (piece, piece.domain().into_iter().collect())).collect();
    loop {
        let mut board = Board::empty();
        let is_free = domains.iter().all(|(piece, squares)| {
            let sq = squares[random.below(squares.len())];
            let is_free = board.piece_on(sq).is_none();
            if is_free {
                board.put(*piece, sq);
            }
            is_free
        });
        board.set_side(Color::ALL[random.below(2)]);
        if is_free && let Ok(position) = Position::from_board(board, 0) {
            return position;
        }
    }
}

/// Calls `visit` with every position that has the first two pieces (the kings) on these squares.
pub(super) fn for_each(pieces: &[Piece], kings: [Square; 2], visit: &mut impl FnMut(Position)) {
    let mut board = Board::empty();
    let (first, others) = pieces.split_at(2.min(pieces.len()));
    for (&piece, sq) in first.iter().zip(kings) {
        board.put(piece, sq);
    }
    place(&mut board, others, None, visit);
}

/// Places the remaining pieces; equal pieces in rising order of their squares.
fn place(
    board: &mut Board,
    left: &[Piece],
    previous: Option<(Piece, Square)>,
    visit: &mut impl FnMut(Position),
) {
    let Some((&piece, rest)) = left.split_first() else {
        for side in Color::ALL {
            board.set_side(side);
            if let Ok(position) = Position::from_board(board.clone(), 0) {
                visit(position);
            }
        }
        return;
    };
    for sq in piece.domain() - board.occupied() {
        if previous.is_some_and(|(other, before)| other == piece && sq < before) {
            continue;
        }
        board.put(piece, sq);
        place(board, rest, Some((piece, sq)), visit);
        board.take(sq);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_visited_once() {
        let pieces = pieces("KP-KA".parse().unwrap(), Color::Red);
        let mut fens = Vec::new();
        for red in Color::Red.palace() {
            for black in Color::Black.palace() {
                for_each(&pieces, [red, black], &mut |position| fens.push(position.fen()));
            }
        }
        let all = fens.len();
        fens.sort_unstable();
        fens.dedup();
        assert_eq!(fens.len(), all);
        assert!(all > 13_521, "more than in the table, which knows mirror images: {all}");
    }
}
