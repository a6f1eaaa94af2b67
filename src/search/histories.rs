//! What earlier cuts tell about moves: the butterfly, capture and continuation histories, the
//! killers' companion of countermoves, and the correction of the static evaluation.
//!
//! Each cell is pulled towards a bound by its own size (the "history gravity" of Stockfish), so
//! old knowledge fades as new comes in.

use super::large_pages::LargePages;
use crate::board::{Board, Move, Position};
use crate::geometry::{Color, Piece, PieceKind, Square};

/// The bound of move history cells.
pub(super) const HISTORY_MAX: i32 = 16_384;
/// The bound of correction cells, and what one centipawn of correction is.
const CORRECTION_MAX: i32 = 8_192;
const CORRECTION_GRAIN: i32 = 128;
const CORRECTION_SIZE: usize = 16_384;

/// A piece on its target square as an index, `0..1260`.
pub(super) type PieceTo = u16;
const PIECE_TOS: usize = Piece::COUNT * Square::COUNT;

/// The index of a piece that goes to a square.
#[inline]
pub(super) fn piece_to(piece: Piece, to: Square) -> PieceTo {
    (piece.index() * Square::COUNT + to.index()) as PieceTo
}

/// Histories of one worker.
pub(super) struct Histories {
    butterfly: Box<[i16]>,
    capture: Box<[i16]>,
    continuation: LargePages<i16>,
    counter: Box<[Option<Move>]>,
    pawn: Box<[i16]>,
    pieces: [Box<[i16]>; 2],
    continuation_correction: Box<[i16]>,
}

#[inline]
fn pull(cell: &mut i16, bonus: i32, max: i32) {
    let old = i32::from(*cell);
    let bonus = bonus.clamp(-max, max);
    *cell = (old + bonus - old * bonus.abs() / max) as i16;
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
            counter: vec![None; PIECE_TOS].into_boxed_slice(),
            pawn: zeros(2 * CORRECTION_SIZE),
            pieces: [zeros(2 * CORRECTION_SIZE), zeros(2 * CORRECTION_SIZE)],
            continuation_correction: zeros(PIECE_TOS),
        }
    }

    /// Forgets everything, for a new game.
    pub(super) fn clear(&mut self) {
        self.butterfly.fill(0);
        self.capture.fill(0);
        self.continuation.fill(0);
        self.counter.fill(None);
        self.pawn.fill(0);
        self.pieces.iter_mut().for_each(|table| table.fill(0));
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

    /// How a quiet move did wherever it was tried.
    #[inline]
    pub(super) fn butterfly(&self, side: Color, mv: Move) -> i32 {
        i32::from(self.butterfly[Histories::butterfly_index(side, mv)])
    }

    /// How a capture did.
    #[inline]
    pub(super) fn capture(&self, piece: Piece, to: Square, captured: PieceKind) -> i32 {
        i32::from(self.capture[Histories::capture_index(piece, to, captured)])
    }

    /// How a move did after an earlier one.
    #[inline]
    pub(super) fn continuation(&self, earlier: Option<PieceTo>, now: PieceTo) -> i32 {
        earlier.map_or(0, |earlier| {
            i32::from(self.continuation[usize::from(earlier) * PIECE_TOS + usize::from(now)])
        })
    }

    /// The move that last refuted this one.
    #[inline]
    pub(super) fn counter(&self, earlier: Option<PieceTo>) -> Option<Move> {
        earlier.and_then(|earlier| self.counter[usize::from(earlier)])
    }

    #[inline]
    pub(super) fn set_counter(&mut self, earlier: Option<PieceTo>, mv: Move) {
        if let Some(earlier) = earlier {
            self.counter[usize::from(earlier)] = Some(mv);
        }
    }

    #[inline]
    pub(super) fn update_butterfly(&mut self, side: Color, mv: Move, bonus: i32) {
        pull(&mut self.butterfly[Histories::butterfly_index(side, mv)], bonus, HISTORY_MAX);
    }

    #[inline]
    pub(super) fn update_capture(
        &mut self,
        piece: Piece,
        to: Square,
        captured: PieceKind,
        bonus: i32,
    ) {
        pull(&mut self.capture[Histories::capture_index(piece, to, captured)], bonus, HISTORY_MAX);
    }

    #[inline]
    pub(super) fn update_continuation(
        &mut self,
        earlier: Option<PieceTo>,
        now: PieceTo,
        bonus: i32,
    ) {
        if let Some(earlier) = earlier {
            let index = usize::from(earlier) * PIECE_TOS + usize::from(now);
            pull(&mut self.continuation[index], bonus, HISTORY_MAX);
        }
    }

    /// By how much the static evaluation was off in positions like this one, in centipawns.
    #[inline]
    pub(super) fn correction(&self, position: &Position, earlier: Option<PieceTo>) -> i32 {
        let keys = CorrectionKeys::of(position);
        let mut sum = i32::from(self.pawn[keys.pawns]) * 2;
        for (table, key) in self.pieces.iter().zip(keys.pieces) {
            sum += i32::from(table[key]) * 2;
        }
        if let Some(earlier) = earlier {
            sum += i32::from(self.continuation_correction[usize::from(earlier)]);
        }
        sum / (3 * CORRECTION_GRAIN)
    }

    /// Learns from the difference between the search and the static evaluation.
    pub(super) fn update_correction(
        &mut self,
        position: &Position,
        earlier: Option<PieceTo>,
        difference: i32,
        depth: i32,
    ) {
        let bonus = (difference * depth * CORRECTION_GRAIN / 64)
            .clamp(-CORRECTION_MAX / 4, CORRECTION_MAX / 4);
        let keys = CorrectionKeys::of(position);
        pull(&mut self.pawn[keys.pawns], bonus, CORRECTION_MAX);
        for (table, key) in self.pieces.iter_mut().zip(keys.pieces) {
            pull(&mut table[key], bonus, CORRECTION_MAX);
        }
        if let Some(earlier) = earlier {
            let cell = &mut self.continuation_correction[usize::from(earlier)];
            pull(cell, bonus, CORRECTION_MAX);
        }
    }
}

/// Where the parts of a position are found in the correction tables.
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

/// Hashes two sets of squares to a place in a table.
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
