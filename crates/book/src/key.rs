//! The key under which a book stores a position.
//!
//! It is computed from the text of the position alone, so that other programs can read the book and
//! a change of this engine's hash keys does not touch it: the FNV-1a hash (64 bits) of the board
//! and the side of the FEN, such as `rnbakabnr/9/../RNBAKABNR w`. A position and its mirror image
//! share the smaller of their two keys.

use xiangqi::board::{Move, Position};

/// The offset basis and the prime of FNV-1a, 64 bits (Fowler, Noll and Vo).
const BASIS: u64 = 0xCBF2_9CE4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01B3;

/// Book key of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PositionKey {
    /// The smaller key of the position and its mirror image.
    pub(super) value: u64,
    symmetry: Symmetry,
}

/// Relation of the position to the stored one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Symmetry {
    /// It is the stored one.
    Same,
    /// It is the mirror image of the stored one.
    Mirrored,
    /// It is its own mirror image.
    Symmetric,
}

impl PositionKey {
    pub(super) fn of(position: &Position) -> PositionKey {
        let fen = position.fen();
        let mut fields = fen.split(' ');
        let (board, side) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        let ranks = board.split('/').map(|rank| rank.chars().rev().collect::<String>());
        let mirrored = ranks.collect::<Vec<_>>().join("/");
        let own = fnv1a(&format!("{board} {side}"));
        let other = fnv1a(&format!("{mirrored} {side}"));
        let symmetry = match own.cmp(&other) {
            std::cmp::Ordering::Less => Symmetry::Same,
            std::cmp::Ordering::Equal => Symmetry::Symmetric,
            std::cmp::Ordering::Greater => Symmetry::Mirrored,
        };
        PositionKey { value: own.min(other), symmetry }
    }

    /// Returns the move that the book stores for a move of this position. In a position that is its
    /// own mirror image a move and its mirror image are one: the one with the greater code.
    pub(super) fn stored(self, mv: Move) -> Move {
        match self.symmetry {
            Symmetry::Same => mv,
            Symmetry::Mirrored => mv.mirror(),
            Symmetry::Symmetric => std::cmp::max_by_key(mv, mv.mirror(), |mv| mv.code()),
        }
    }

    /// Returns the move of this position for a move that the book stores.
    pub(super) fn played(self, stored: Move) -> Move {
        if self.symmetry == Symmetry::Mirrored { stored.mirror() } else { stored }
    }
}

fn fnv1a(text: &str) -> u64 {
    text.bytes().fold(BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        // Test vectors of the authors of FNV.
        assert_eq!(fnv1a(""), 0xCBF2_9CE4_8422_2325);
        assert_eq!(fnv1a("a"), 0xAF63_DC4C_8601_EC8C);
        assert_eq!(fnv1a("foobar"), 0x8594_4171_F739_67E8);
    }

    #[test]
    fn mirror_images_share_key_and_moves() {
        let start = Position::startpos();
        let key = PositionKey::of(&start);
        let [right, left] = ["h2e2", "b2e2"].map(|text| start.parse_move(text).expect("legal"));
        assert_eq!(key.stored(left), right);
        assert_eq!(key.stored(right), right);
        let after = |mv| start.after([mv]);
        let (a, b) = (PositionKey::of(&after(right)), PositionKey::of(&after(left)));
        assert_eq!(a.value, b.value);
        assert_ne!(a.value, key.value);
        let reply: Move = "h9g7".parse().expect("a move");
        assert_eq!(a.stored(reply), b.stored(reply.mirror()));
        assert_eq!(b.played(a.stored(reply)), reply.mirror());
    }
}
