//! The inputs of the network that are active in a sample.

use cannonade_engine::nnue::{
    InputRows, Shape, attacked_squares, bucket, is_attacker, piece_rows, threat_rows,
};
use xiangqi::geometry::{Piece, Square};

use crate::data::{MAX_PIECES, PackedBoard};

/// The four views: those of the side to move and of its opponent, and the mirror images of both.
/// Combining two views, as in the mirrored view of the opponent, is the exclusive or of their
/// numbers.
pub(super) const VIEWS: usize = 4;

/// Victims that are written at once.
const AT_ONCE: usize = 4;

/// An upper bound of the inputs of a board: its pieces, and up to eight victims of each of them.
pub(super) const MAX_INPUTS: usize = 9 * MAX_PIECES + AT_ONCE;

/// Returns the views of a network: without mirror pairs only the first two.
pub(super) fn views(shape: Shape) -> usize {
    if shape.paired { VIEWS } else { VIEWS / 2 }
}

/// Returns the number of pieces and the output bucket of a board.
#[inline]
pub(super) fn pieces_and_bucket(board: &PackedBoard, shape: Shape) -> (usize, usize) {
    let pieces = board.occupied().len();
    (pieces, bucket(pieces, shape.buckets))
}

/// All pieces by the numbers that boards are packed with; more than there are for all bits.
static PIECES: [Piece; 16] = {
    let mut pieces = [Piece::from_index(0); 16];
    let mut code = 0;
    while code < pieces.len() {
        pieces[code] = Piece::from_index(code % Piece::COUNT);
        code += 1;
    }
    pieces
};

/// A bit for each piece whose attacks are inputs.
const ATTACKERS: u32 = {
    let mut bits = 0;
    let mut index = 0;
    while index < Piece::COUNT {
        bits |= (is_attacker(Piece::from_index(index).kind()) as u32) << index;
        index += 1;
    }
    bits
};

/// Writes the active inputs of a board, each as its rows in all views from that of the side to move
/// on, and returns their number. There must be room for [`MAX_INPUTS`]. `flip` mirrors the board
/// left to right, which changes nothing for a network with mirror pairs.
pub(super) fn write_inputs(
    board: &PackedBoard,
    shape: Shape,
    flip: bool,
    inputs: &mut [InputRows],
) -> usize {
    let mut len = 0;
    // The pieces of the side to move are packed as Red's.
    let mut on = [PIECES[0]; 128];
    let (mut attackers, mut count) = ([0u8; MAX_PIECES], 0);
    for (code, sq) in board.pieces() {
        let piece = PIECES[code % PIECES.len()];
        on[sq % on.len()] = piece;
        inputs[len] = piece_rows(piece, Square::from_index(sq));
        len += 1;
        // Without a branch, which would be unpredictable.
        attackers[count % MAX_PIECES] = sq as u8;
        count += (ATTACKERS >> piece.index() & 1) as usize;
    }
    if shape.threats {
        let occupied = board.occupied();
        for &from in &attackers[..count.min(MAX_PIECES)] {
            let attacker = on[usize::from(from) % on.len()];
            let from = Square::from_index(usize::from(from));
            let victims = attacked_squares(attacker, from, occupied) & occupied;
            let mut rest = victims.bits();
            let mut written = 0;
            // Four at a time instead of a loop over the victims, whose end would be unpredictable.
            // Surplus entries are overwritten.
            while written < victims.len() {
                for _ in 0..AT_ONCE {
                    let to = rest.trailing_zeros() as usize % on.len();
                    let to_square = Square::from_index(to);
                    inputs[len + written] = threat_rows(attacker, on[to], to_square);
                    rest &= rest.wrapping_sub(1);
                    written += 1;
                }
            }
            len += victims.len();
        }
    }
    if flip {
        for rows in &mut inputs[..len] {
            rows.rotate_left(VIEWS / 2);
        }
    }
    len
}

#[cfg(test)]
mod tests {
    use super::super::random_games::random_games;
    use super::*;
    use cannonade_engine::nnue::{features_with_threats, threat};

    /// Returns the rows of all inputs, by the input in the first view.
    fn all_rows() -> Vec<InputRows> {
        let mut all = vec![[0; VIEWS]; features_with_threats()];
        for (piece, sq) in Piece::all().flat_map(|p| Square::all().map(move |sq| (p, sq))) {
            let rows = piece_rows(piece, sq);
            all[usize::from(rows[0])] = rows;
            for victim in Piece::all() {
                if threat(piece.index(), victim.index(), sq).is_some() {
                    let rows = threat_rows(piece, victim, sq);
                    all[usize::from(rows[0])] = rows;
                }
            }
        }
        all
    }

    #[test]
    fn the_inputs_are_the_pieces_and_their_attacks() {
        let shape = Shape { width: 32, buckets: 1, paired: true, pairs: 0, threats: true };
        let mut inputs = vec![[0; VIEWS]; MAX_INPUTS];
        random_games(3, 500, |position, _| {
            let board = PackedBoard::pack(position.board(), true);
            let pieces: Vec<_> = board.pieces().collect();
            let mut expected: Vec<usize> =
                pieces.iter().map(|&(piece, sq)| piece * Square::COUNT + sq).collect();
            for &(piece, from) in &pieces {
                let attacker = Piece::from_index(piece);
                let all = attacked_squares(attacker, Square::from_index(from), board.occupied());
                for &(victim, to) in
                    pieces.iter().filter(|at| all.contains(Square::from_index(at.1)))
                {
                    expected.extend(threat(piece, victim, Square::from_index(to)));
                }
            }
            for view in [0, VIEWS / 2] {
                let len = write_inputs(&board, shape, view != 0, &mut inputs);
                let inputs = inputs[..len].iter().map(|rows| usize::from(rows[view]));
                assert_eq!(inputs.collect::<Vec<_>>(), expected);
            }
        });
    }

    #[test]
    fn every_input_has_its_own_row_in_each_view() {
        for view in 0..VIEWS {
            let mut rows: Vec<u16> = all_rows().iter().map(|views| views[view]).collect();
            rows.sort_unstable();
            assert!(rows.into_iter().eq(0..features_with_threats() as u16), "view {view}");
        }
    }

    #[test]
    fn each_view_is_its_own_inverse() {
        let all = all_rows();
        for (own, views) in all.iter().enumerate() {
            for (view, &row) in views.iter().enumerate() {
                assert_eq!(usize::from(all[usize::from(row)][view]), own);
            }
        }
    }
}
