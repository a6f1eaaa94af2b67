//! Dead positions: the proof by going through all of them, and their neighbours that are not.

use xiangqi::board::{Board, Position};
use xiangqi::geometry::{Color, Piece};
use xiangqi::rules::is_dead;

/// Puts the pieces on all their points, each set of squares once, and calls `visit`.
fn placements(board: &mut Board, pieces: &[Piece], visit: &mut impl FnMut(&mut Board)) {
    let Some((&piece, rest)) = pieces.split_first() else { return visit(board) };
    let twin = board.pieces(piece.color(), piece.kind()).last();
    for sq in piece.domain() - board.occupied() {
        if twin.is_none_or(|twin| sq > twin) {
            board.put(piece, sq);
            placements(board, rest, visit);
            board.take(sq);
        }
    }
}

/// The valid positions with these pieces, and how many of them have no legal move.
fn count(letters: &str) -> (usize, usize) {
    let pieces: Vec<_> =
        letters.chars().map(|letter| Piece::from_letter(letter).expect("a piece")).collect();
    let (mut positions, mut over) = (0, 0);
    placements(&mut Board::empty(), &pieces, &mut |board| {
        for side in Color::ALL {
            board.set_side(side);
            if let Ok(position) = Position::from_board(board.clone(), 0) {
                positions += 1;
                over += usize::from(!position.has_legal_move());
            }
        }
    });
    (positions, over)
}

fn calls_dead(letters: &str) -> bool {
    let mut board = Board::empty();
    for letter in letters.chars() {
        let piece = Piece::from_letter(letter).expect("a piece");
        let sq = (piece.domain() - board.occupied()).first().expect("room");
        board.put(piece, sq);
    }
    is_dead(&board)
}

#[test]
fn no_position_with_a_dead_cannon_is_won() {
    for letters in [
        "KkC", "KkCB", "KkCBB", "KkCa", "KkCb", "KkCbb", "KkCab", "KkCabb", "KkCBb", "KkCBbb",
        "KkCBBb",
    ] {
        let (positions, over) = count(letters);
        assert_eq!(over, 0, "{letters}: {over} of {positions} are won");
        assert!(calls_dead(letters), "{letters}");
        let swapped: String = letters
            .chars()
            .map(|c| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() })
            .collect();
        assert!(calls_dead(&swapped), "{swapped}");
    }
}

#[test]
fn without_an_attacker_no_side_wins() {
    for letters in ["Kk", "KkAABB", "KkAABBaabb"] {
        assert!(calls_dead(letters), "{letters}");
    }
}

#[test]
fn positions_that_can_be_won_are_not_called_dead() {
    for letters in ["KkP", "KkN", "KkCA", "KkCaa", "KkCBa"] {
        assert!(count(letters).1 > 0, "{letters}");
        assert!(!calls_dead(letters), "{letters}");
    }
    for letters in ["KkR", "KkCC", "KkCc", "KkCBBa", "Kkp"] {
        assert!(!calls_dead(letters), "{letters}");
    }
}
