//! The inputs of the network that are active in a sample.

use std::sync::LazyLock;

use crate::evaluation::{
    FEATURES, Shape, attacked_squares, bucket, features_with_threats, mirrored, opposite,
    opposite_piece, threat,
};
use crate::geometry::{Piece, Square};
use crate::training::data::PackedBoard;

/// The four views: those of the side to move and of its opponent, and the mirror images of both.
/// Combining two views, as in the mirrored view of the opponent, is the exclusive or of their
/// numbers.
pub(super) const VIEWS: usize = 4;

/// More inputs than any position has: its pieces, and what each of them attacks.
const MAX_INPUTS: usize = 192;

/// The views of a network: without mirror pairs only the first two.
pub(super) fn views(shape: Shape) -> usize {
    if shape.paired { VIEWS } else { VIEWS / 2 }
}

/// The number of each input of the first view in all views.
pub(super) static ROWS: LazyLock<Vec<[u16; VIEWS]>> = LazyLock::new(|| {
    let mut rows: Vec<[u16; VIEWS]> = (0..FEATURES)
        .map(|own| {
            let other = opposite(own);
            [own, other, mirrored(own), mirrored(other)].map(|row| row as u16)
        })
        .collect();
    rows.resize(features_with_threats(), [0; VIEWS]);
    for attacker in 0..Piece::COUNT {
        for victim in 0..Piece::COUNT {
            for sq in Square::all() {
                let (a, v) = (opposite_piece(attacker), opposite_piece(victim));
                let views = [
                    threat(attacker, victim, sq),
                    threat(a, v, sq.flip()),
                    threat(attacker, victim, sq.mirror()),
                    threat(a, v, sq.flip().mirror()),
                ];
                if let [Some(own), Some(other), Some(own_mirrored), Some(other_mirrored)] = views {
                    let all = [own, other, own_mirrored, other_mirrored];
                    rows[own] = all.map(|row| row as u16);
                }
            }
        }
    }
    rows
});

/// For each input the least of its numbers in all views, and the view of the least in which it is.
pub(super) static LEAST: LazyLock<Vec<(u16, u16)>> = LazyLock::new(|| {
    let least = |numbers: &[u16; VIEWS]| {
        let view = (0..VIEWS).min_by_key(|&view| numbers[view]).unwrap_or(0);
        (numbers[view], view as u16)
    };
    ROWS.iter().map(least).collect()
});

/// Number of pieces and output bucket of a board.
#[inline]
pub(super) fn pieces_and_bucket(board: &PackedBoard, shape: Shape) -> (usize, usize) {
    let pieces = board.occupied().len();
    (pieces, bucket(pieces, shape.buckets))
}

/// Appends the active inputs of a board in the view of the side to move. `flip` mirrors the board
/// left to right, which changes nothing for a network with mirror pairs.
pub(super) fn append_inputs(board: &PackedBoard, shape: Shape, flip: bool, inputs: &mut Vec<u16>) {
    let mut active = [0u16; MAX_INPUTS];
    let mut len = 0;
    let mut on = [0u8; Square::COUNT];
    // The pieces of the side to move are packed as Red's, so the index of a piece is its plane.
    for (piece, sq) in board.pieces() {
        let (piece, sq) = (piece % Piece::COUNT, sq % Square::COUNT);
        on[sq] = piece as u8;
        active[len] = (piece * Square::COUNT + sq) as u16;
        len += 1;
    }
    if shape.threats {
        let occupied = board.occupied();
        let pieces = len;
        for index in 0..pieces {
            let (piece, sq) = split(active[index]);
            let attacker = Piece::from_index(piece);
            for to in attacked_squares(attacker, sq, occupied) & occupied {
                let victim = usize::from(on[to.index()]);
                if let Some(row) = threat(piece, victim, to) {
                    active[len % MAX_INPUTS] = row as u16;
                    len += 1;
                }
            }
        }
    }
    let active = &mut active[..len.min(MAX_INPUTS)];
    if flip {
        let rows = &*ROWS;
        for input in active.iter_mut() {
            *input = rows[usize::from(*input)][2];
        }
    }
    inputs.extend_from_slice(active);
}

/// The piece and the square of an input.
fn split(input: u16) -> (usize, Square) {
    let input = usize::from(input);
    (input / Square::COUNT % Piece::COUNT, Square::from_index(input % Square::COUNT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_has_its_own_row_in_each_view() {
        for view in 0..VIEWS {
            let mut rows: Vec<u16> = ROWS.iter().map(|views| views[view]).collect();
            rows.sort_unstable();
            assert!(rows.into_iter().eq(0..features_with_threats() as u16), "view {view}");
        }
    }

    #[test]
    fn each_view_is_its_own_inverse() {
        for (own, views) in ROWS.iter().enumerate() {
            for (view, &row) in views.iter().enumerate() {
                assert_eq!(usize::from(ROWS[usize::from(row)][view]), own);
            }
        }
    }
}
