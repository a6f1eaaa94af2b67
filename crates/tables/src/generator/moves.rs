//! Moves of many positions at once: all positions that differ only in the square of one piece, the
//! runner.
//!
//! `occupied` never includes the runner; where it matters, a function returns the squares on which
//! the runner may stand.

use xiangqi::geometry::{
    Bitboard, Color, PieceKind, Square, advisor_attacks, between, bishop_attacks, bishop_eye,
    cannon_attacks, king_attacks, knight_attackers, knight_attacks, knight_leg, lines_of,
    pawn_attackers, pawn_attacks, quiet_line_moves, rook_attacks,
};

use crate::layout::PieceSlot;

/// Direction in which a move is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveDirection {
    Forward,
    Backward,
}

/// Returns the mirror image of a set, left to right.
#[inline]
pub(super) fn mirrored(set: Bitboard) -> Bitboard {
    const fn file(file: u8) -> u128 {
        Bitboard::file(file).bits()
    }
    let bits = set.bits();
    let mut image = bits & file(4);
    let mut low = 0;
    while low < 4 {
        let shift = 8 - 2 * u32::from(low);
        image |= (bits & file(low)) << shift | (bits >> shift) & file(low);
        low += 1;
    }
    Bitboard::from_bits(image)
}

/// Returns the squares that a piece can reach without capturing, or can have come from.
#[inline]
pub(super) fn quiet(
    piece: PieceSlot,
    sq: Square,
    occupied: Bitboard,
    direction: MoveDirection,
) -> Bitboard {
    let reach = match (piece.kind, direction) {
        (PieceKind::Rook | PieceKind::Cannon, _) => return quiet_line_moves(sq, occupied),
        (PieceKind::Knight, MoveDirection::Forward) => knight_attacks(sq, occupied),
        (PieceKind::Knight, MoveDirection::Backward) => knight_attackers(sq, occupied),
        (PieceKind::Pawn, MoveDirection::Forward) => pawn_attacks(Color::ALL[piece.side], sq),
        (PieceKind::Pawn, MoveDirection::Backward) => {
            pawn_attackers(Color::ALL[piece.side], sq) & piece.piece().domain()
        }
        (PieceKind::Advisor, _) => advisor_attacks(sq),
        (PieceKind::Bishop, _) => bishop_attacks(sq, occupied),
        (PieceKind::King, _) => king_attacks(sq),
    };
    reach - occupied
}

/// Returns the squares that must be empty for a quiet move, its end included.
#[inline]
pub(super) fn path(kind: PieceKind, from: Square, to: Square) -> Bitboard {
    let passed = match kind {
        PieceKind::Rook | PieceKind::Cannon => between(from, to),
        PieceKind::Knight => knight_leg(from, to).into(),
        PieceKind::Bishop => bishop_eye(from, to).into(),
        PieceKind::Pawn | PieceKind::Advisor | PieceKind::King => Bitboard::EMPTY,
    };
    passed.with(to)
}

/// Returns the squares from which the runner can move to one of these squares without capturing.
#[inline]
pub(super) fn runner_origins(runner: PieceSlot, to: Bitboard, occupied: Bitboard) -> Bitboard {
    let mut origins = Bitboard::EMPTY;
    for sq in to {
        origins |= quiet(runner, sq, occupied, MoveDirection::Backward);
    }
    origins
}

/// Returns the squares from which the runner attacks a square.
#[inline]
pub(super) fn runner_attackers(runner: PieceSlot, to: Square, occupied: Bitboard) -> Bitboard {
    let reach = match runner.kind {
        PieceKind::Rook => rook_attacks(to, occupied),
        PieceKind::Cannon => cannon_attacks(to, occupied),
        PieceKind::Knight => knight_attackers(to, occupied),
        PieceKind::Pawn => pawn_attackers(Color::ALL[runner.side], to),
        // Guards and kings are never runners.
        PieceKind::Advisor | PieceKind::Bishop | PieceKind::King => Bitboard::EMPTY,
    };
    (reach & runner.piece().domain()) - occupied
}

/// Returns the squares on which a piece attacks the runner.
#[inline]
pub(super) fn attacked_runners(piece: PieceSlot, from: Square, occupied: Bitboard) -> Bitboard {
    let reach = match piece.kind {
        PieceKind::Rook => rook_attacks(from, occupied),
        PieceKind::Cannon => cannon_attacks(from, occupied),
        PieceKind::Knight => knight_attacks(from, occupied),
        PieceKind::Pawn => pawn_attacks(Color::ALL[piece.side], from),
        PieceKind::Advisor => advisor_attacks(from),
        PieceKind::Bishop => bishop_attacks(from, occupied),
        PieceKind::King => king_attacks(from),
    };
    reach - occupied
}

/// Returns the squares of the runner for which a piece attacks another, occupied square.
#[inline]
pub(super) fn attacks_with_runner(
    piece: PieceSlot,
    from: Square,
    to: Square,
    occupied: Bitboard,
) -> Bitboard {
    let (attacks, passed) = match piece.kind {
        PieceKind::Rook | PieceKind::Cannon => {
            if !lines_of(from).contains(to) {
                return Bitboard::EMPTY;
            }
            let between = between(from, to);
            let screens = (between & occupied).len();
            if piece.kind == PieceKind::Cannon && screens == 0 {
                return between;
            }
            (screens == usize::from(piece.kind == PieceKind::Cannon), between)
        }
        PieceKind::Knight => {
            let attacks = knight_attacks(from, occupied).contains(to);
            (attacks, if attacks { knight_leg(from, to).into() } else { Bitboard::EMPTY })
        }
        PieceKind::Bishop => {
            let attacks = bishop_attacks(from, occupied).contains(to);
            (attacks, if attacks { bishop_eye(from, to).into() } else { Bitboard::EMPTY })
        }
        PieceKind::Pawn => {
            (pawn_attacks(Color::ALL[piece.side], from).contains(to), Bitboard::EMPTY)
        }
        PieceKind::Advisor => (advisor_attacks(from).contains(to), Bitboard::EMPTY),
        PieceKind::King => (king_attacks(from).contains(to), Bitboard::EMPTY),
    };
    if attacks { Bitboard::ALL - occupied - passed } else { Bitboard::EMPTY }
}

/// Returns the squares of the runner for which the kings do not face each other.
#[inline]
pub(super) fn parted_kings(kings: [Square; 2], occupied: Bitboard) -> Bitboard {
    let between = between(kings[0], kings[1]);
    if kings[0].file() != kings[1].file() || between.intersects(occupied) {
        return Bitboard::ALL;
    }
    between
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mirror_image_of_a_set_has_the_mirrored_squares() {
        for sq in Square::all() {
            let set = Bitboard::from(sq).with(Square::from_index(13));
            let expected: Bitboard = set.into_iter().map(Square::mirror).collect();
            assert_eq!(mirrored(set), expected);
        }
    }
}
