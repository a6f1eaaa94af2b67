//! Histories: statistics from which a worker estimates moves and corrects its static evaluation.
//!
//! | table | index |
//! |---|---|
//! | main history | side, from, to of a quiet move |
//! | low-ply history | one of the first plies, from, to of a quiet move |
//! | capture history | piece, to, captured kind |
//! | continuation history | an earlier move (its piece and target, whether its mover was in check, whether it captured), piece and target of this move |
//! | pawn history | hash of the pawns, piece and target of this move |
//! | correction by pawns | side to move, hash of the pawns |
//! | correction by pieces, one table per colour | side to move, hash of that side's rooks, knights, cannons, king |
//! | correction by continuation | piece and target of the move two (or four) plies ago and of the last move |
//!
//! An update moves an entry towards a bound, by less the nearer it is ("history gravity", as in
//! Stockfish), so that old results fade.
//!
//! The best move of a node gets a bonus and the moves searched before it a malus; both grow with
//! the depth. The move that led to the node learns too: it gets a bonus if no answer reached
//! alpha, a malus if it was refuted although it had come early, and the main and pawn histories
//! follow the change of the static evaluation that it caused. The correction histories learn the
//! difference between the search and the static evaluation.

#[cfg(test)]
mod tests;

use xiangqi::board::{Board, Move, Position};
use xiangqi::geometry::{Color, Piece, PieceKind, Square};

use super::memory::{LargePages, prefetch};
use super::node::Node;
use super::params::Parameters;
use super::tt::TtBound;
use super::value::is_decisive;
use super::worker::Worker;

// Indices of the tables.

/// A piece on its target square, as an index below [`PIECE_TOS`].
pub(crate) type PieceTo = u16;

/// Number of indices of a colour: only squares where the piece can stand are counted, and the
/// number is rounded up to whole cache lines of `i16`. The tables indexed by pieces and squares are
/// the largest of the search, and most of their cost is that of loading cache lines.
const PIECE_TOS_OF_COLOR: usize = 352;
const PIECE_TOS: usize = 2 * PIECE_TOS_OF_COLOR;

static PIECE_TO: [[PieceTo; Square::COUNT]; Piece::COUNT] = {
    let mut table = [[0; Square::COUNT]; Piece::COUNT];
    let mut c = 0;
    while c < Color::ALL.len() {
        let mut next = c * PIECE_TOS_OF_COLOR;
        let mut k = 0;
        while k < PieceKind::ALL.len() {
            let piece = Piece::new(Color::ALL[c], PieceKind::ALL[k]);
            let mut sq = 0;
            while sq < Square::COUNT {
                if piece.domain().contains(Square::from_index(sq)) {
                    table[piece.index()][sq] = next as PieceTo;
                    next += 1;
                }
                sq += 1;
            }
            k += 1;
        }
        assert!(next <= (c + 1) * PIECE_TOS_OF_COLOR);
        c += 1;
    }
    table
};

/// Returns the index of a piece that goes to a square.
#[inline]
pub(crate) fn piece_to(piece: Piece, to: Square) -> PieceTo {
    piece_tos(piece)[to.index()]
}

/// Returns the indices of a piece, by target square.
#[inline]
fn piece_tos(piece: Piece) -> &'static [PieceTo; Square::COUNT] {
    &PIECE_TO[piece.index()]
}

/// Row of the continuation history for an earlier move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ContinuationRow(u32);

impl ContinuationRow {
    /// Row of a null move, or before the first move. Its entries stay zero.
    pub(crate) const NONE: ContinuationRow =
        ContinuationRow(((ContinuationRow::COUNT - 1) * PIECE_TOS) as u32);
    /// Number of rows, of `PIECE_TOS` entries each.
    pub(crate) const COUNT: usize = 4 * PIECE_TOS + 1;

    /// Returns the row of a move; `in_check` is true if its mover was in check.
    #[inline]
    pub(crate) fn new(in_check: bool, is_capture: bool, moved: PieceTo) -> ContinuationRow {
        let table = 2 * usize::from(in_check) + usize::from(is_capture);
        ContinuationRow(((table * PIECE_TOS + usize::from(moved)) * PIECE_TOS) as u32)
    }

    #[inline]
    pub(crate) fn index(self, moved: PieceTo) -> usize {
        self.0 as usize + usize::from(moved)
    }
}

impl Default for ContinuationRow {
    fn default() -> ContinuationRow {
        ContinuationRow::NONE
    }
}

/// Hashes of parts of a position, each less than [`PositionKeys::COUNT`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PositionKeys {
    /// The pawns of both sides.
    pub(crate) pawns: u16,
    /// The pieces of Red and of Black.
    pub(crate) pieces: [u16; 2],
}

impl PositionKeys {
    /// Exclusive upper bound of the keys.
    pub(crate) const COUNT: usize = 1 << 14;

    #[inline]
    pub(crate) fn of(position: &Position) -> PositionKeys {
        let board = position.board();
        let pawns = board.kind(PieceKind::Pawn).bits();
        let red = (board.pieces(Color::Red, PieceKind::Pawn)).bits();
        PositionKeys {
            pawns: mix(pawns, red),
            pieces: Color::ALL.map(|color| piece_key(board, color)),
        }
    }
}

/// Inputs of the order of the quiet moves of a node.
#[derive(Clone, Copy, Default)]
pub(crate) struct MoveOrdering {
    pub(crate) ply: usize,
    pub(crate) keys: PositionKeys,
    /// The rows of the earlier moves in the continuation history.
    pub(crate) previous: [ContinuationRow; MoveOrdering::PREVIOUS.len()],
}

impl MoveOrdering {
    /// Distances of these moves in plies.
    pub(crate) const PREVIOUS: [usize; 5] = [1, 2, 3, 4, 6];
}

#[inline]
fn piece_key(board: &Board, color: Color) -> u16 {
    let of = |kind| board.pieces(color, kind).bits();
    mix(
        of(PieceKind::Rook) ^ of(PieceKind::Knight).rotate_left(37),
        of(PieceKind::Cannon) ^ of(PieceKind::King).rotate_left(37),
    )
}

/// Hashes two sets of squares to less than [`PositionKeys::COUNT`].
#[inline]
fn mix(a: u128, b: u128) -> u16 {
    let fold = |x: u128| (x as u64) ^ ((x >> 64) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut z = fold(a).wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ fold(b).rotate_left(31);
    z = z.wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^= z >> 29;
    z = z.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (z >> 50) as u16
}

const _: () = assert!(1 << (64 - 50) == PositionKeys::COUNT);

// The tables of moves.

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
pub(crate) struct Histories {
    main: Box<[i16]>,
    low_ply: Box<[i16]>,
    capture: Box<[i16]>,
    continuation: LargePages<i16>,
    pawn: LargePages<i16>,
}

/// Adds a bonus (a malus if negative) to an entry, and keeps it within plus and minus `max`.
#[inline]
fn update(entry: &mut i16, bonus: i32, max: i32) {
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
    pub(crate) fn new() -> Histories {
        Histories {
            main: zeros(2 * SQUARE_PAIRS),
            low_ply: zeros(LOW_PLIES * SQUARE_PAIRS),
            capture: zeros(PIECE_TOS * 8),
            continuation: LargePages::zeroed(ContinuationRow::COUNT * PIECE_TOS),
            pawn: LargePages::zeroed(PAWN_STRUCTURES * PIECE_TOS),
        }
    }

    /// Clears all tables, for a new game.
    pub(crate) fn clear(&mut self) {
        self.main.fill(0);
        self.low_ply.fill(0);
        self.capture.fill(0);
        self.continuation.fill(0);
        self.pawn.fill(0);
    }

    /// Prepares a new search: the main history keeps `share` 64ths of its values, the low-ply
    /// history belongs to another root and is cleared.
    pub(crate) fn begin_search(&mut self, share: i32) {
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
    pub(crate) fn main(&self, side: Color, mv: Move) -> i32 {
        i32::from(self.main[Histories::main_index(side, mv)])
    }

    /// Returns the history of a capture.
    #[inline]
    pub(crate) fn capture(&self, piece: Piece, to: Square, captured: PieceKind) -> i32 {
        i32::from(self.capture[Histories::capture_index(piece, to, captured)])
    }

    /// Returns the history of a quiet move after an earlier move.
    #[inline]
    pub(crate) fn continuation(&self, row: ContinuationRow, moved: PieceTo) -> i32 {
        i32::from(self.continuation[row.index(moved)])
    }

    /// Returns the history of a quiet move with these pawns.
    #[inline]
    pub(crate) fn pawn(&self, keys: PositionKeys, moved: PieceTo) -> i32 {
        i32::from(self.pawn[Histories::pawn_index(keys, moved)])
    }

    /// Returns the parts of the tables that belong to a node, to look up many quiet moves.
    #[inline]
    pub(crate) fn of_node(&self, side: Color, ordering: &MoveOrdering) -> NodeHistories<'_> {
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
    pub(crate) fn update_main(&mut self, side: Color, mv: Move, bonus: i32) {
        update(&mut self.main[Histories::main_index(side, mv)], bonus, MAIN_MAX);
    }

    /// Updates the low-ply history, if the ply has one.
    #[inline]
    pub(crate) fn update_low_ply(&mut self, ply: usize, mv: Move, bonus: i32) {
        if ply < LOW_PLIES {
            let index = ply * SQUARE_PAIRS + Histories::squares(mv);
            update(&mut self.low_ply[index], bonus, LOW_PLY_MAX);
        }
    }

    #[inline]
    pub(crate) fn update_capture(
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
    pub(crate) fn update_continuation(&mut self, row: ContinuationRow, moved: PieceTo, bonus: i32) {
        if row != ContinuationRow::NONE {
            update(&mut self.continuation[row.index(moved)], bonus, CONTINUATION_MAX);
        }
    }

    #[inline]
    pub(crate) fn update_pawn(&mut self, keys: PositionKeys, moved: PieceTo, bonus: i32) {
        update(&mut self.pawn[Histories::pawn_index(keys, moved)], bonus, PAWN_MAX);
    }
}

/// Histories of the quiet moves of one node.
pub(crate) struct NodeHistories<'a> {
    main: &'a [i16; SQUARE_PAIRS],
    low_ply: Option<&'a [i16; SQUARE_PAIRS]>,
    pawn: &'a [i16; PIECE_TOS],
    continuations: [&'a [i16; PIECE_TOS]; MoveOrdering::PREVIOUS.len()],
}

/// Weights of the histories in the score of a quiet move, in 64ths.
pub(crate) struct HistoryWeights {
    pub(crate) main: i32,
    pub(crate) low_ply: i32,
    pub(crate) pawn: i32,
    pub(crate) continuations: [i32; MoveOrdering::PREVIOUS.len()],
}

impl NodeHistories<'_> {
    /// Returns the weighted sums of all histories of the quiet moves of one piece, by target
    /// square.
    #[inline]
    pub(crate) fn of_piece(
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

// Corrections of the static evaluation.

/// Bound of the entries.
const CORRECTION_MAX: i32 = 8_192;
/// One centipawn of correction, with weights in 64ths.
const CORRECTION_GRAIN: i32 = 128 * 64;
/// An earlier move and the last one, each as the piece on its target square.
pub(crate) type MovePair = (PieceTo, PieceTo);

/// Inputs of a correction.
#[derive(Clone, Copy)]
pub(crate) struct CorrectionContext {
    pub(crate) side: Color,
    pub(crate) keys: PositionKeys,
    /// Moves two and four plies ago, each with the last one; `None` if there is none.
    pub(crate) pairs: [Option<MovePair>; 2],
}

/// Correction tables of one worker.
pub(crate) struct Corrections {
    pawns: Box<[i16]>,
    /// By the pieces of Red and of Black.
    pieces: [Box<[i16]>; 2],
    continuation: LargePages<i16>,
}

impl Corrections {
    pub(crate) fn new() -> Corrections {
        let hashed = || vec![0; 2 * PositionKeys::COUNT].into_boxed_slice();
        Corrections {
            pawns: hashed(),
            pieces: [hashed(), hashed()],
            continuation: LargePages::zeroed(PIECE_TOS * PIECE_TOS),
        }
    }

    /// Clears all tables, for a new game.
    pub(crate) fn clear(&mut self) {
        self.pawns.fill(0);
        self.pieces.iter_mut().for_each(|table| table.fill(0));
        self.continuation.fill(0);
    }

    /// Returns the correction of the static evaluation, in centipawns.
    #[inline]
    pub(crate) fn correction(&self, context: &CorrectionContext, parameters: &Parameters) -> i32 {
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
    pub(crate) fn prefetch(&self, pairs: [Option<MovePair>; 2]) {
        // As a loop this takes more instructions.
        pairs.into_iter().flatten().for_each(|pair| {
            prefetch(&self.continuation[pair_index(pair)]);
        });
    }

    /// Prefetches the entries of these parts of a position.
    #[inline]
    pub(crate) fn prefetch_hashed(&self, side: Color, keys: PositionKeys) {
        prefetch(&self.pawns[hashed_index(side, keys.pawns)]);
        for (table, key) in self.pieces.iter().zip(keys.pieces) {
            prefetch(&table[hashed_index(side, key)]);
        }
    }

    /// Updates the tables with the difference between the search and the static evaluation.
    pub(crate) fn update(&mut self, context: &CorrectionContext, difference: i32, depth: i32) {
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

// Updates by the result of a node.

/// Number of plies back for which the continuation histories are updated.
const UPDATED_PLIES: usize = 6;
/// Number of plies back for a move out of check, which depends little on earlier plans.
const UPDATED_PLIES_IN_CHECK: usize = 2;

impl Worker {
    /// Returns the bonus of the best move at this depth.
    fn bonus(&self, depth: i32) -> i32 {
        let parameters = &self.parameters;
        (parameters.bonus_slope * depth - parameters.bonus_offset).clamp(0, parameters.bonus_max)
    }

    /// Updates the continuation histories of a quiet move made at a ply, by more where several
    /// of them are positive.
    pub(crate) fn update_continuations(&mut self, ply: usize, moved: PieceTo, bonus: i32) {
        let parameters = &self.parameters;
        let weights: [i32; UPDATED_PLIES] = [
            parameters.update_continuation_1,
            parameters.update_continuation_2,
            parameters.update_continuation_3,
            parameters.update_continuation_4,
            parameters.update_continuation_5,
            parameters.update_continuation_6,
        ];
        let in_check = self.stack.before(ply, 0).in_check;
        let plies = if in_check { UPDATED_PLIES_IN_CHECK } else { UPDATED_PLIES };
        let mut agreement = parameters.agreement_base;
        for (at, weight) in weights[..plies].iter().enumerate() {
            let row = self.stack.before(ply, at + 1).row;
            if self.histories.continuation(row, moved) > 0 {
                agreement += parameters.agreement_step;
            }
            let bonus = bonus * weight / 1024 * agreement / 1024;
            self.histories.update_continuation(row, moved, bonus);
        }
    }

    fn update_quiet(&mut self, mv: Move, bonus: i32) {
        let Some(piece) = self.position.piece_on(mv.from()) else { return };
        let (ply, side, moved) = (self.ply, self.position.side(), piece_to(piece, mv.to()));
        let keys = self.stack.at(ply).keys;
        let parameters = &self.parameters;
        let pawn_weight =
            if bonus > 0 { parameters.update_pawn_bonus } else { parameters.update_pawn_malus };
        self.histories.update_main(side, mv, bonus * parameters.update_main / 1024);
        self.histories.update_low_ply(ply, mv, bonus * parameters.update_low_ply / 1024);
        self.histories.update_pawn(keys, moved, bonus * pawn_weight / 1024);
        self.update_continuations(ply, moved, bonus);
    }

    fn update_capture(&mut self, mv: Move, bonus: i32) {
        let pieces = (self.position.piece_on(mv.from()), self.position.captured(mv));
        if let (Some(piece), Some(captured)) = pieces {
            self.histories.update_capture(piece, mv.to(), captured.kind(), bonus);
        }
    }

    /// Gives the best move of a node a bonus and the moves searched before it a malus, which
    /// fades along the order of the quiet moves.
    pub(crate) fn update_histories(&mut self, best: Move, node: &Node) {
        let Node { quiets, captures, .. } = node;
        let parameters = &self.parameters;
        let depth = node.depth;
        let searched = (quiets.len() + captures.len()) as i32;
        let bonus = self.bonus(depth)
            + parameters.bonus_tt_move * i32::from(node.tt_move == Some(best))
            + parameters.bonus_searched * searched.min(20);
        let quiet_malus = (parameters.malus_slope * depth - parameters.malus_offset)
            .clamp(0, parameters.malus_max);
        let capture_malus = (parameters.capture_malus_slope * depth
            - parameters.capture_malus_offset)
            .clamp(0, parameters.capture_malus_max);
        let fade = parameters.malus_fade;
        if self.position.is_capture(best) {
            let bonus = bonus * parameters.bonus_capture / 1024;
            self.update_capture(best, bonus);
        } else {
            self.update_quiet(best, bonus);
            for (place, &mv) in quiets.iter().enumerate() {
                let share = (1024 - fade * place as i32).max(0);
                self.update_quiet(mv, -quiet_malus * share / 1024);
            }
        }
        for &mv in captures {
            self.update_capture(mv, -capture_malus);
        }
        if self.stack.before(self.ply, 1).move_number == 1 {
            let malus = quiet_malus * self.parameters.malus_refuted_first / 1024;
            self.punish_previous_move(malus);
        }
    }

    /// Updates the histories where a quiet move of the transposition table fails high: it gets a
    /// bonus, and the move that led to the node a malus if it had come early.
    pub(crate) fn update_after_tt_cutoff(&mut self, mv: Move, depth: i32) {
        let bonus = self.bonus(depth) * self.parameters.bonus_tt_cutoff / 1024;
        self.update_quiet(mv, bonus);
        if (1..=2).contains(&self.stack.before(self.ply, 1).move_number) {
            self.punish_previous_move(self.parameters.malus_tt_cutoff);
        }
    }

    /// Gives the move that led to this node a malus, if it was quiet.
    fn punish_previous_move(&mut self, malus: i32) {
        let previous = self.stack.before(self.ply, 1);
        if self.position.state().captured.is_none()
            && let Some(moved) = previous.moved
        {
            self.update_continuations(self.ply - 1, moved, -malus);
        }
    }

    /// Gives the move that led to this node a bonus: no answer reached alpha. The bonus is greater
    /// the later the move came and the less the evaluations of both sides foresaw the value.
    pub(crate) fn reward_previous_move(&mut self, node: &Node, best_value: i32) {
        let previous = *self.stack.before(self.ply, 1);
        let (Some(mv), Some(moved)) = (previous.mv, previous.moved) else { return };
        let Some(piece) = self.position.piece_on(mv.to()) else { return };
        let parameters = &self.parameters;
        if let Some(captured) = self.position.state().captured {
            let bonus = parameters.previous_capture;
            self.histories.update_capture(piece, mv.to(), captured.kind(), bonus);
            return;
        }
        let is_below = |eval: Option<i32>, margin| eval.is_some_and(|e| best_value <= e - margin);
        let mut share = parameters.previous_base + parameters.previous_depth * node.depth.min(9);
        if previous.move_number > 6 {
            share += parameters.previous_late;
        }
        if is_below(node.static_eval, parameters.previous_own_margin) {
            share += parameters.previous_own_eval;
        }
        let their_eval = previous.eval.map(|eval| -eval);
        if is_below(their_eval, parameters.previous_their_margin) {
            share += parameters.previous_their_eval;
        }
        let bonus = self.bonus(node.depth) * share.max(0) / 1024;
        let main = bonus * parameters.previous_main / 1024;
        let pawn = bonus * parameters.previous_pawn / 1024;
        self.update_continuations(self.ply - 1, moved, bonus);
        self.histories.update_main(!self.position.side(), mv, main);
        // After a move of a pawn the entry would belong to other pawns.
        if piece.kind() != PieceKind::Pawn {
            self.histories.update_pawn(previous.keys, moved, pawn);
        }
    }

    /// Updates main and pawn history of the quiet move that led to this node by the change of the
    /// static evaluation, which is `eval` now. The pawn history learns only where the position has
    /// no entry in the transposition table.
    pub(crate) fn update_by_eval_change(&mut self, eval: i32, has_entry: bool) {
        let previous = *self.stack.before(self.ply, 1);
        let (Some(mv), Some(moved), Some(before)) = (previous.mv, previous.moved, previous.eval)
        else {
            return;
        };
        if self.position.state().captured.is_some() {
            return;
        }
        let parameters = &self.parameters;
        let limit = parameters.eval_change_limit;
        let change = (-(before + eval)).clamp(-limit, limit) + parameters.eval_change_offset;
        let pawn = change * parameters.eval_change_pawn;
        let main = change * parameters.eval_change_main;
        self.histories.update_main(!self.position.side(), mv, main);
        let kind = self.position.piece_on(mv.to()).map(Piece::kind);
        if !has_entry && kind != Some(PieceKind::Pawn) {
            self.histories.update_pawn(previous.keys, moved, pawn);
        }
    }

    /// Returns the correction inputs of this node.
    #[inline]
    pub(crate) fn correction_context(&self) -> CorrectionContext {
        CorrectionContext {
            side: self.position.side(),
            keys: self.stack.before(self.ply, 0).keys,
            pairs: self.move_pairs(),
        }
    }

    /// Updates the correction histories, unless the difference from the static evaluation comes
    /// from a capture or a won game, or the bound does not prove it.
    pub(crate) fn update_correction(
        &mut self,
        node: &Node,
        best_value: i32,
        best_move: Option<Move>,
        bound: TtBound,
    ) {
        let Some(eval) = node.static_eval else { return };
        if best_move.is_some_and(|mv| self.position.is_capture(mv))
            || is_decisive(best_value)
            || (bound == TtBound::Lower && best_value <= eval)
            || (bound == TtBound::Upper && best_value >= eval)
        {
            return;
        }
        let depth = node.depth.min(self.parameters.correction_depth_max);
        let correction = self.correction_context();
        self.corrections.update(&correction, best_value - eval, depth);
    }
}
