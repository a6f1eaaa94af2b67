//! Histories: statistics from which a worker estimates moves.
//!
//! | table | index |
//! |---|---|
//! | main history | side, from, to of a quiet move |
//! | low-ply history | one of the first plies, from, to of a quiet move |
//! | capture history | piece, to, captured kind |
//! | continuation history | an earlier move (its piece and target, whether its mover was in check, whether it captured), piece and target of this move |
//! | pawn history | hash of the pawns, piece and target of this move |
//!
//! An update moves an entry towards a bound, by less the nearer it is ("history gravity", as in
//! Stockfish), so that old results fade.

pub(super) mod corrections;
pub(super) mod index;

use crate::search::memory::large_pages::LargePages;
use index::{ContinuationRow, MoveOrdering, PIECE_TOS, PieceTo, PositionKeys, piece_to, piece_tos};
use xiangqi::board::Move;
use xiangqi::geometry::{Color, Piece, PieceKind, Square};

/// Bounds of the entries of each table.
const MAIN_MAX: i32 = 8_192;
const LOW_PLY_MAX: i32 = 8_192;
const CAPTURE_MAX: i32 = 12_288;
const CONTINUATION_MAX: i32 = 28_672;
const PAWN_MAX: i32 = 8_192;

/// Plies from the root with a low-ply history.
const LOW_PLIES: usize = 4;
/// Number of pawn structures that the pawn history distinguishes.
const PAWN_STRUCTURES: usize = 1024;
/// Number of pairs of squares, for moves by from and to.
const SQUARE_PAIRS: usize = Square::COUNT * Square::COUNT;

/// History tables of one worker.
pub(in crate::search) struct Histories {
    main: Box<[i16]>,
    low_ply: Box<[i16]>,
    capture: Box<[i16]>,
    continuation: LargePages<i16>,
    pawn: LargePages<i16>,
}

/// Adds a bonus (a malus if negative) to an entry, and keeps it within plus and minus `max`.
#[inline]
pub(in crate::search) fn update(entry: &mut i16, bonus: i32, max: i32) {
    let old = i32::from(*entry);
    let bonus = bonus.clamp(-max, max);
    *entry = (old + bonus - old * bonus.abs() / max) as i16;
}

fn zeros(len: usize) -> Box<[i16]> {
    vec![0; len].into_boxed_slice()
}

/// Returns the `N` entries from `start` on, as an array so that lookups share their bounds checks.
#[inline]
fn row_at<const N: usize>(table: &[i16], start: usize) -> &[i16; N] {
    match table[start..].first_chunk() {
        Some(row) => row,
        None => panic!("a row of {N} from {start} in a table of {}", table.len()),
    }
}

impl Histories {
    pub(in crate::search) fn new() -> Histories {
        Histories {
            main: zeros(2 * SQUARE_PAIRS),
            low_ply: zeros(LOW_PLIES * SQUARE_PAIRS),
            capture: zeros(PIECE_TOS * 8),
            continuation: LargePages::zeroed(ContinuationRow::COUNT * PIECE_TOS),
            pawn: LargePages::zeroed(PAWN_STRUCTURES * PIECE_TOS),
        }
    }

    /// Clears all tables, for a new game.
    pub(in crate::search) fn clear(&mut self) {
        self.main.fill(0);
        self.low_ply.fill(0);
        self.capture.fill(0);
        self.continuation.fill(0);
        self.pawn.fill(0);
    }

    /// Prepares a new search: the main history keeps `share` 64ths of its values, the low-ply
    /// history belongs to another root and is cleared.
    pub(in crate::search) fn begin_search(&mut self, share: i32) {
        for entry in &mut self.main {
            *entry = (i32::from(*entry) * share / 64) as i16;
        }
        self.low_ply.fill(0);
    }

    #[inline]
    fn squares(mv: Move) -> usize {
        mv.from().index() * Square::COUNT + mv.to().index()
    }

    #[inline]
    fn main_index(side: Color, mv: Move) -> usize {
        side.index() * SQUARE_PAIRS + Histories::squares(mv)
    }

    #[inline]
    fn capture_index(piece: Piece, to: Square, captured: PieceKind) -> usize {
        usize::from(piece_to(piece, to)) * 8 + captured.index()
    }

    #[inline]
    fn pawn_index(keys: PositionKeys, moved: PieceTo) -> usize {
        usize::from(keys.pawns) % PAWN_STRUCTURES * PIECE_TOS + usize::from(moved)
    }

    /// Returns the history of a quiet move of a side.
    #[inline]
    pub(in crate::search) fn main(&self, side: Color, mv: Move) -> i32 {
        i32::from(self.main[Histories::main_index(side, mv)])
    }

    /// Returns the history of a capture.
    #[inline]
    pub(in crate::search) fn capture(&self, piece: Piece, to: Square, captured: PieceKind) -> i32 {
        i32::from(self.capture[Histories::capture_index(piece, to, captured)])
    }

    /// Returns the history of a quiet move after an earlier move.
    #[inline]
    pub(in crate::search) fn continuation(&self, row: ContinuationRow, moved: PieceTo) -> i32 {
        i32::from(self.continuation[row.index(moved)])
    }

    /// Returns the history of a quiet move with these pawns.
    #[inline]
    pub(in crate::search) fn pawn(&self, keys: PositionKeys, moved: PieceTo) -> i32 {
        i32::from(self.pawn[Histories::pawn_index(keys, moved)])
    }

    /// Returns the parts of the tables that belong to a node, to look up many quiet moves.
    #[inline]
    pub(in crate::search) fn of_node(
        &self,
        side: Color,
        ordering: &MoveOrdering,
    ) -> NodeHistories<'_> {
        let MoveOrdering { ply, keys, previous } = *ordering;
        let low_ply = (ply < LOW_PLIES).then(|| row_at(&self.low_ply, ply * SQUARE_PAIRS));
        NodeHistories {
            main: row_at(&self.main, side.index() * SQUARE_PAIRS),
            low_ply,
            pawn: row_at(&self.pawn, Histories::pawn_index(keys, 0)),
            continuations: previous.map(|row| row_at(&self.continuation, row.index(0))),
        }
    }

    #[inline]
    pub(in crate::search) fn update_main(&mut self, side: Color, mv: Move, bonus: i32) {
        update(&mut self.main[Histories::main_index(side, mv)], bonus, MAIN_MAX);
    }

    /// Updates the low-ply history, if the ply has one.
    #[inline]
    pub(in crate::search) fn update_low_ply(&mut self, ply: usize, mv: Move, bonus: i32) {
        if ply < LOW_PLIES {
            let index = ply * SQUARE_PAIRS + Histories::squares(mv);
            update(&mut self.low_ply[index], bonus, LOW_PLY_MAX);
        }
    }

    #[inline]
    pub(in crate::search) fn update_capture(
        &mut self,
        piece: Piece,
        to: Square,
        captured: PieceKind,
        bonus: i32,
    ) {
        let index = Histories::capture_index(piece, to, captured);
        update(&mut self.capture[index], bonus, CAPTURE_MAX);
    }

    #[inline]
    pub(in crate::search) fn update_continuation(
        &mut self,
        row: ContinuationRow,
        moved: PieceTo,
        bonus: i32,
    ) {
        if row != ContinuationRow::NONE {
            update(&mut self.continuation[row.index(moved)], bonus, CONTINUATION_MAX);
        }
    }

    #[inline]
    pub(in crate::search) fn update_pawn(
        &mut self,
        keys: PositionKeys,
        moved: PieceTo,
        bonus: i32,
    ) {
        update(&mut self.pawn[Histories::pawn_index(keys, moved)], bonus, PAWN_MAX);
    }
}

/// Histories of the quiet moves of one node.
pub(in crate::search) struct NodeHistories<'a> {
    main: &'a [i16; SQUARE_PAIRS],
    low_ply: Option<&'a [i16; SQUARE_PAIRS]>,
    pawn: &'a [i16; PIECE_TOS],
    continuations: [&'a [i16; PIECE_TOS]; MoveOrdering::PREVIOUS.len()],
}

/// Weights of the histories in the score of a quiet move, in 64ths.
pub(in crate::search) struct HistoryWeights {
    pub(in crate::search) main: i32,
    pub(in crate::search) low_ply: i32,
    pub(in crate::search) pawn: i32,
    pub(in crate::search) continuations: [i32; MoveOrdering::PREVIOUS.len()],
}

impl NodeHistories<'_> {
    /// Returns the weighted sums of all histories of the quiet moves of one piece, by target
    /// square.
    #[inline]
    pub(in crate::search) fn of_piece(
        &self,
        weights: &HistoryWeights,
        piece: Piece,
        from: Square,
    ) -> impl Fn(Square) -> i32 {
        let first = from.index() * Square::COUNT;
        let main: &[i16; Square::COUNT] = row_at(self.main, first);
        let low_ply: Option<&[i16; Square::COUNT]> = self.low_ply.map(|table| row_at(table, first));
        let indices = piece_tos(piece);
        move |to| {
            let moved = usize::from(indices[to.index()]);
            let mut sum = weights.main * i32::from(main[to.index()])
                + weights.pawn * i32::from(self.pawn[moved]);
            for (row, weight) in self.continuations.iter().zip(weights.continuations) {
                sum += weight * i32::from(row[moved]);
            }
            if let Some(low_ply) = low_ply {
                sum += weights.low_ply * i32::from(low_ply[to.index()]);
            }
            sum / 64
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cannonade_tables::random::Random;

    fn moved(piece: char, to: usize) -> PieceTo {
        match Piece::from_letter(piece) {
            Ok(piece) => piece_to(piece, Square::from_index(to)),
            Err(error) => panic!("{piece}: {error}"),
        }
    }

    #[test]
    fn entries_approach_their_bound_and_never_pass_it() {
        let mut entry = 0;
        for _ in 0..1000 {
            update(&mut entry, 3_000, CONTINUATION_MAX);
        }
        assert!((CONTINUATION_MAX - 100..=CONTINUATION_MAX).contains(&i32::from(entry)), "{entry}");
        update(&mut entry, -1_000_000, CONTINUATION_MAX);
        assert_eq!(i32::from(entry), -CONTINUATION_MAX);
    }

    #[test]
    fn no_sequence_of_updates_leaves_the_bounds() {
        let mut random = Random::new(3);
        for max in [MAIN_MAX, CAPTURE_MAX, CONTINUATION_MAX] {
            let mut entry = 0;
            for _ in 0..10_000 {
                // Runs of one sign drive the entry to its bounds.
                let size = random.below(3 * max as usize) as i32;
                let sign = if random.below(20) == 0 { -1 } else { 1 };
                update(&mut entry, sign * size, max);
                assert!(i32::from(entry).abs() <= max, "{entry}");
            }
        }
    }

    #[test]
    fn continuations_are_kept_apart_by_check_and_capture() {
        let mut histories = Histories::new();
        let (earlier, now) = (moved('c', 40), moved('N', 41));
        histories.update_continuation(ContinuationRow::new(true, false, earlier), now, 500);
        assert_eq!(histories.continuation(ContinuationRow::new(true, false, earlier), now), 500);
        for (in_check, is_capture) in [(false, false), (false, true), (true, true)] {
            let row = ContinuationRow::new(in_check, is_capture, earlier);
            assert_eq!(histories.continuation(row, now), 0);
        }
    }

    #[test]
    fn the_row_of_no_move_learns_nothing() {
        let mut histories = Histories::new();
        histories.update_continuation(ContinuationRow::NONE, moved('R', 3), 500);
        assert_eq!(histories.continuation(ContinuationRow::NONE, moved('R', 3)), 0);
    }

    #[test]
    fn a_new_search_shrinks_the_main_history_and_empties_that_of_the_first_plies() {
        let mut histories = Histories::new();
        let mv: Move = match "h2e2".parse() {
            Ok(mv) => mv,
            Err(error) => panic!("{error:?}"),
        };
        let ordering = MoveOrdering::default();
        let weights = HistoryWeights { main: 0, low_ply: 64, pawn: 0, continuations: [0; 5] };
        histories.update_main(Color::Black, mv, 640);
        histories.update_low_ply(0, mv, 700);
        histories.update_low_ply(LOW_PLIES, mv, 700);
        let low_ply = |histories: &Histories| {
            let Ok(piece) = Piece::from_letter('c') else { return 0 };
            let node = histories.of_node(Color::Black, &ordering);
            node.of_piece(&weights, piece, mv.from())(mv.to())
        };
        assert_eq!(low_ply(&histories), 700);
        histories.begin_search(32);
        assert_eq!(histories.main(Color::Black, mv), 320);
        assert_eq!(histories.main(Color::Red, mv), 0);
        assert_eq!(low_ply(&histories), 0);
    }
}
