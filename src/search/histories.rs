//! The tables in which a worker learns from its search.
//!
//! | table | index | content |
//! |---|---|---|
//! | butterfly history | side, from, to | how often a quiet move was best |
//! | capture history | piece, to, captured kind | the same of a capture |
//! | continuation history | piece and target of an earlier move and of this one | the same of a quiet move after another |
//! | countermoves | piece and target of the previous move | the quiet move that last refuted it |
//! | correction histories | hash of pawns, of pieces, previous move | by how much the static evaluation was wrong |
//!
//! An update moves an entry towards a bound, by less the nearer it is ("history gravity", as in
//! Stockfish), so that old results fade.

use super::large_pages::LargePages;
use super::parameters::Parameters;
use crate::board::{Board, Move, Position};
use crate::geometry::{Color, Piece, PieceKind, Square};

/// The bound of the entries of move histories.
pub(super) const HISTORY_MAX: i32 = 16_384;
/// The bound of the entries of correction histories.
const CORRECTION_MAX: i32 = 8_192;
/// One centipawn of correction.
const CORRECTION_GRAIN: i32 = 128;
/// Entries of a hashed correction history, for each side.
const CORRECTION_SIZE: usize = 16_384;

/// A piece on its target square as an index, `0..1260`.
pub(super) type PieceTo = u16;
const PIECE_TOS: usize = Piece::COUNT * Square::COUNT;

/// The index of a piece that goes to a square.
#[inline]
pub(super) fn piece_to(piece: Piece, to: Square) -> PieceTo {
    (piece.index() * Square::COUNT + to.index()) as PieceTo
}

/// The tables of one worker.
pub(super) struct Histories {
    butterfly: Box<[i16]>,
    capture: Box<[i16]>,
    continuation: LargePages<i16>,
    countermoves: Box<[Option<Move>]>,
    pawn_correction: Box<[i16]>,
    /// By the pieces of Red and of Black.
    piece_corrections: [Box<[i16]>; 2],
    continuation_correction: Box<[i16]>,
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

impl Histories {
    pub(super) fn new() -> Histories {
        Histories {
            butterfly: zeros(2 * Square::COUNT * Square::COUNT),
            capture: zeros(PIECE_TOS * 8),
            continuation: LargePages::zeroed(PIECE_TOS * PIECE_TOS),
            countermoves: vec![None; PIECE_TOS].into_boxed_slice(),
            pawn_correction: zeros(2 * CORRECTION_SIZE),
            piece_corrections: [zeros(2 * CORRECTION_SIZE), zeros(2 * CORRECTION_SIZE)],
            continuation_correction: zeros(PIECE_TOS),
        }
    }

    /// Empties all tables, for a new game.
    pub(super) fn clear(&mut self) {
        self.butterfly.fill(0);
        self.capture.fill(0);
        self.continuation.fill(0);
        self.countermoves.fill(None);
        self.pawn_correction.fill(0);
        self.piece_corrections.iter_mut().for_each(|table| table.fill(0));
        self.continuation_correction.fill(0);
    }

    #[inline]
    fn butterfly_index(side: Color, mv: Move) -> usize {
        (side.index() * Square::COUNT + mv.from().index()) * Square::COUNT + mv.to().index()
    }

    #[inline]
    fn capture_index(piece: Piece, to: Square, captured: PieceKind) -> usize {
        usize::from(piece_to(piece, to)) * 8 + captured.index()
    }

    /// The history of a quiet move of a side.
    #[inline]
    pub(super) fn butterfly(&self, side: Color, mv: Move) -> i32 {
        i32::from(self.butterfly[Histories::butterfly_index(side, mv)])
    }

    /// The history of a capture.
    #[inline]
    pub(super) fn capture(&self, piece: Piece, to: Square, captured: PieceKind) -> i32 {
        i32::from(self.capture[Histories::capture_index(piece, to, captured)])
    }

    /// The history of a quiet move after an earlier move.
    #[inline]
    pub(super) fn continuation(&self, previous: Option<PieceTo>, moved: PieceTo) -> i32 {
        previous.map_or(0, |previous| {
            i32::from(self.continuation[usize::from(previous) * PIECE_TOS + usize::from(moved)])
        })
    }

    /// The quiet move that last refuted the previous move.
    #[inline]
    pub(super) fn countermove(&self, previous: Option<PieceTo>) -> Option<Move> {
        previous.and_then(|previous| self.countermoves[usize::from(previous)])
    }

    #[inline]
    pub(super) fn set_countermove(&mut self, previous: Option<PieceTo>, mv: Move) {
        if let Some(previous) = previous {
            self.countermoves[usize::from(previous)] = Some(mv);
        }
    }

    #[inline]
    pub(super) fn update_butterfly(&mut self, side: Color, mv: Move, bonus: i32) {
        update(&mut self.butterfly[Histories::butterfly_index(side, mv)], bonus, HISTORY_MAX);
    }

    #[inline]
    pub(super) fn update_capture(
        &mut self,
        piece: Piece,
        to: Square,
        captured: PieceKind,
        bonus: i32,
    ) {
        update(
            &mut self.capture[Histories::capture_index(piece, to, captured)],
            bonus,
            HISTORY_MAX,
        );
    }

    #[inline]
    pub(super) fn update_continuation(
        &mut self,
        previous: Option<PieceTo>,
        moved: PieceTo,
        bonus: i32,
    ) {
        if let Some(previous) = previous {
            let index = usize::from(previous) * PIECE_TOS + usize::from(moved);
            update(&mut self.continuation[index], bonus, HISTORY_MAX);
        }
    }

    /// What to add to the static evaluation of the position, in centipawns.
    #[inline]
    pub(super) fn correction(
        &self,
        position: &Position,
        previous: Option<PieceTo>,
        parameters: &Parameters,
    ) -> i32 {
        let keys = CorrectionKeys::of(position);
        let mut sum = i32::from(self.pawn_correction[keys.pawns]) * parameters.correction_pawn;
        for (table, key) in self.piece_corrections.iter().zip(keys.pieces) {
            sum += i32::from(table[key]) * parameters.correction_piece;
        }
        if let Some(previous) = previous {
            let entry = self.continuation_correction[usize::from(previous)];
            sum += i32::from(entry) * parameters.correction_continuation;
        }
        // The weights are in thirds.
        sum / (3 * CORRECTION_GRAIN)
    }

    /// Updates the corrections with the difference between the search and the static evaluation.
    pub(super) fn update_correction(
        &mut self,
        position: &Position,
        previous: Option<PieceTo>,
        difference: i32,
        depth: i32,
    ) {
        let bonus = (difference * depth * CORRECTION_GRAIN / 64)
            .clamp(-CORRECTION_MAX / 4, CORRECTION_MAX / 4);
        let keys = CorrectionKeys::of(position);
        update(&mut self.pawn_correction[keys.pawns], bonus, CORRECTION_MAX);
        for (table, key) in self.piece_corrections.iter_mut().zip(keys.pieces) {
            update(&mut table[key], bonus, CORRECTION_MAX);
        }
        if let Some(previous) = previous {
            let entry = &mut self.continuation_correction[usize::from(previous)];
            update(entry, bonus, CORRECTION_MAX);
        }
    }
}

/// The indices of a position in the correction histories.
struct CorrectionKeys {
    pawns: usize,
    pieces: [usize; 2],
}

impl CorrectionKeys {
    #[inline]
    fn of(position: &Position) -> CorrectionKeys {
        let board = position.board();
        let side = position.side().index() * CORRECTION_SIZE;
        let pawns = board.kind(PieceKind::Pawn).bits();
        let red = (board.pieces(Color::Red, PieceKind::Pawn)).bits();
        CorrectionKeys {
            pawns: side + mix(pawns, red),
            pieces: Color::ALL.map(|color| side + piece_key(board, color)),
        }
    }
}

#[inline]
fn piece_key(board: &Board, color: Color) -> usize {
    let of = |kind| board.pieces(color, kind).bits();
    mix(
        of(PieceKind::Rook) ^ of(PieceKind::Knight).rotate_left(37),
        of(PieceKind::Cannon) ^ of(PieceKind::King).rotate_left(37),
    )
}

/// Hashes two sets of squares to an index of a correction history.
#[inline]
fn mix(a: u128, b: u128) -> usize {
    let fold = |x: u128| (x as u64) ^ ((x >> 64) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut z = fold(a).wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ fold(b).rotate_left(31);
    z = z.wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^= z >> 29;
    z = z.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (z >> 50) as usize
}

const _: () = assert!(1 << (64 - 50) == CORRECTION_SIZE);
