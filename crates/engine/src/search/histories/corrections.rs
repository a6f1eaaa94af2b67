//! Correction histories: errors of the static evaluation in similar positions.
//!
//! | table | index |
//! |---|---|
//! | pawns | side to move, hash of the pawns |
//! | pieces, one table per colour | side to move, hash of that side's rooks, knights, cannons, king |
//! | continuation | piece and target of the move two (or four) plies ago and of the last move |

use xiangqi::geometry::Color;

use super::index::{PIECE_TOS, PieceTo, PositionKeys};
use super::update;
use crate::search::memory::large_pages::LargePages;
use crate::search::memory::prefetch::prefetch;
use crate::search::parameters::Parameters;

/// Bound of the entries.
const CORRECTION_MAX: i32 = 8_192;
/// One centipawn of correction, with weights in 64ths.
const CORRECTION_GRAIN: i32 = 128 * 64;
/// An earlier move and the last one, each as the piece on its target square.
pub(in crate::search) type MovePair = (PieceTo, PieceTo);

/// Inputs of a correction.
#[derive(Clone, Copy)]
pub(in crate::search) struct CorrectionContext {
    pub(in crate::search) side: Color,
    pub(in crate::search) keys: PositionKeys,
    /// Moves two and four plies ago, each with the last one; `None` if there is none.
    pub(in crate::search) pairs: [Option<MovePair>; 2],
}

/// Correction tables of one worker.
pub(in crate::search) struct Corrections {
    pawns: Box<[i16]>,
    /// By the pieces of Red and of Black.
    pieces: [Box<[i16]>; 2],
    continuation: LargePages<i16>,
}

impl Corrections {
    pub(in crate::search) fn new() -> Corrections {
        let hashed = || vec![0; 2 * PositionKeys::COUNT].into_boxed_slice();
        Corrections {
            pawns: hashed(),
            pieces: [hashed(), hashed()],
            continuation: LargePages::zeroed(PIECE_TOS * PIECE_TOS),
        }
    }

    /// Clears all tables, for a new game.
    pub(in crate::search) fn clear(&mut self) {
        self.pawns.fill(0);
        self.pieces.iter_mut().for_each(|table| table.fill(0));
        self.continuation.fill(0);
    }

    /// Returns the correction of the static evaluation, in centipawns.
    #[inline]
    pub(in crate::search) fn correction(
        &self,
        context: &CorrectionContext,
        parameters: &Parameters,
    ) -> i32 {
        let &CorrectionContext { side, keys, pairs } = context;
        let mut sum =
            i32::from(self.pawns[hashed_index(side, keys.pawns)]) * parameters.correction_pawn;
        for (table, key) in self.pieces.iter().zip(keys.pieces) {
            sum += i32::from(table[hashed_index(side, key)]) * parameters.correction_piece;
        }
        let weights = [parameters.correction_continuation_2, parameters.correction_continuation_4];
        for (pair, weight) in pairs.into_iter().zip(weights) {
            if let Some(pair) = pair {
                sum += i32::from(self.continuation[pair_index(pair)]) * weight;
            }
        }
        sum / CORRECTION_GRAIN
    }

    /// Prefetches the entries of these pairs of moves.
    #[inline]
    pub(in crate::search) fn prefetch(&self, pairs: [Option<MovePair>; 2]) {
        // As a loop this takes more instructions.
        pairs.into_iter().flatten().for_each(|pair| {
            prefetch(&self.continuation[pair_index(pair)]);
        });
    }

    /// Prefetches the entries of these parts of a position.
    #[inline]
    pub(in crate::search) fn prefetch_hashed(&self, side: Color, keys: PositionKeys) {
        prefetch(&self.pawns[hashed_index(side, keys.pawns)]);
        for (table, key) in self.pieces.iter().zip(keys.pieces) {
            prefetch(&table[hashed_index(side, key)]);
        }
    }

    /// Updates the tables with the difference between the search and the static evaluation.
    pub(in crate::search) fn update(
        &mut self,
        context: &CorrectionContext,
        difference: i32,
        depth: i32,
    ) {
        let &CorrectionContext { side, keys, pairs } = context;
        let bonus = (difference * depth * 2).clamp(-CORRECTION_MAX / 4, CORRECTION_MAX / 4);
        update(&mut self.pawns[hashed_index(side, keys.pawns)], bonus, CORRECTION_MAX);
        for (table, key) in self.pieces.iter_mut().zip(keys.pieces) {
            update(&mut table[hashed_index(side, key)], bonus, CORRECTION_MAX);
        }
        for pair in pairs.into_iter().flatten() {
            update(&mut self.continuation[pair_index(pair)], bonus, CORRECTION_MAX);
        }
    }
}

#[inline]
fn hashed_index(side: Color, key: u16) -> usize {
    side.index() * PositionKeys::COUNT + usize::from(key) % PositionKeys::COUNT
}

#[inline]
fn pair_index((earlier, last): MovePair) -> usize {
    usize::from(earlier) * PIECE_TOS + usize::from(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_correction_moves_towards_the_difference_and_only_for_similar_positions() {
        let mut corrections = Corrections::new();
        let parameters = Parameters::default();
        let context = CorrectionContext {
            side: Color::Red,
            keys: PositionKeys { pawns: 5, pieces: [6, 7] },
            pairs: [Some((8, 9)), None],
        };
        for _ in 0..200 {
            corrections.update(&context, 40, 8);
        }
        let learned = corrections.correction(&context, &parameters);
        assert!(learned > 20, "{learned}");
        let keys = PositionKeys { pawns: 50, pieces: [60, 70] };
        let other = CorrectionContext { keys, pairs: [Some((9, 8)), None], ..context };
        assert_eq!(corrections.correction(&other, &parameters), 0);
        let opponent = CorrectionContext { side: Color::Black, pairs: [None; 2], ..context };
        assert_eq!(corrections.correction(&opponent, &parameters), 0);
        corrections.clear();
        assert_eq!(corrections.correction(&context, &parameters), 0);
    }
}
