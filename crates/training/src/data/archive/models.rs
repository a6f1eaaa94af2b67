//! The models of an archive: the start, the moves and the scores of a game. Each predicts what it
//! codes from the games before in the same block.

use std::cmp::Reverse;

use xiangqi::board::{Board, Move, Position, SEE_VALUE};
use xiangqi::geometry::{Color, Piece, Square};
use xiangqi::rules::Wdl;

use super::coder::{BitCoder, BitTree, NumberModel, Probability};
use crate::data::game::SelfPlayEnding;

/// Pieces by [`Piece::index`], below 16; 15 is an empty square.
const EMPTY: u32 = 15;
const PIECE_SQUARES: usize = 16 * Square::COUNT;

/// The start of a game and its ending.
pub(super) struct HeadModel {
    /// Pieces by square: one model after a square that is as in the starting position, one after
    /// any other.
    squares: Vec<[BitTree<16>; 2]>,
    side: Probability,
    clock: NumberModel,
    result: BitTree<4>,
    ending: Vec<BitTree<8>>,
    plies: NumberModel,
    number: NumberModel,
}

impl HeadModel {
    pub(super) fn new() -> HeadModel {
        HeadModel {
            squares: vec![<[BitTree<16>; 2]>::default(); Square::COUNT],
            side: Probability::default(),
            clock: NumberModel::default(),
            result: BitTree::default(),
            ending: vec![BitTree::default(); 4],
            plies: NumberModel::default(),
            number: NumberModel::default(),
        }
    }

    /// Codes the number of a game as its difference from that of the game before.
    pub(super) fn number(&mut self, coder: &mut impl BitCoder, before: u32, number: u32) -> u32 {
        let difference = zigzag(number.wrapping_sub(before) as i32);
        let high = self.number.code(coder, difference >> 16);
        let low = self.number.code(coder, difference & 0xFFFF);
        before.wrapping_add(from_zigzag(high << 16 | low) as u32)
    }

    /// Codes a board.
    pub(super) fn board(&mut self, coder: &mut impl BitCoder, board: &Board) -> Board {
        let usual = Position::startpos();
        let mut found = Board::empty();
        let mut is_usual = true;
        for (sq, trees) in Square::all().zip(&mut self.squares) {
            let code = |piece: Option<Piece>| piece.map_or(EMPTY, |piece| piece.index() as u32);
            let read = trees[usize::from(is_usual)].code(coder, code(board.piece_on(sq)));
            is_usual = read == code(usual.piece_on(sq));
            if (read as usize) < Piece::COUNT {
                let piece = Piece::from_index(read as usize);
                found.put(piece, sq);
            }
        }
        let black = coder.bit(&mut self.side, board.side() == Color::Black);
        if black {
            found.set_side(Color::Black);
        }
        found
    }

    /// Codes the plies since the last capture at the start.
    pub(super) fn clock(&mut self, coder: &mut impl BitCoder, clock: u16) -> u16 {
        self.clock.code(coder, u32::from(clock)) as u16
    }

    /// Codes result and ending; `None` if the bytes are damaged.
    pub(super) fn end(
        &mut self,
        coder: &mut impl BitCoder,
        result: Wdl,
        ending: SelfPlayEnding,
    ) -> Option<(Wdl, SelfPlayEnding)> {
        let points = self.result.code(coder, u32::from(result.half_points()));
        let ending = self.ending[points as usize].code(coder, ending as u32) as usize;
        Some((
            Wdl::from_half_points(u8::try_from(points).ok()?)?,
            *SelfPlayEnding::ALL.get(ending)?,
        ))
    }

    /// Codes the number of plies.
    pub(super) fn plies(&mut self, coder: &mut impl BitCoder, plies: usize) -> usize {
        self.plies.code(coder, plies as u32) as usize
    }
}

/// The moves: the legal ones are sorted by the moves played before in similar cases, and each is
/// asked in turn whether it is the one.
pub(super) struct MoveModel {
    /// Counts of a piece's moves to a square, from each square.
    played: Vec<u16>,
    /// Counts of moves by the last move before them.
    answered: Vec<u16>,
    asked: Vec<Probability>,
}

/// Distinguished places in the order.
const PLACES: usize = 20;
/// Distinguished shares of the total score.
const SHARES: usize = 32;
/// Kinds of moves: quiet, losing capture, other capture, recapture; with and without a threat to
/// the moved piece.
const KINDS: usize = 8;

impl MoveModel {
    pub(super) fn new() -> MoveModel {
        MoveModel {
            played: vec![0; PIECE_SQUARES * Square::COUNT],
            answered: vec![0; PIECE_SQUARES * PIECE_SQUARES],
            asked: vec![Probability::default(); PLACES * SHARES * KINDS],
        }
    }

    /// Codes a legal move of the position; `None` if there is none, or the bytes are damaged.
    /// `last` is the piece of the last move on its square, as [`piece_square`] gives it.
    pub(super) fn code(
        &mut self,
        coder: &mut impl BitCoder,
        position: &Position,
        last: Option<usize>,
        mv: Option<Move>,
    ) -> Option<Move> {
        let mut candidates: Vec<(u32, usize, Move)> = position
            .legal_moves()
            .iter()
            .map(|&mv| {
                let (score, kind) = self.score(position, last, mv);
                (score, kind, mv)
            })
            .collect();
        candidates.sort_by_key(|&(score, _, mv)| (Reverse(score), mv.code()));
        let mut total: u32 = candidates.iter().map(|&(score, ..)| score).sum();
        let count = candidates.len();
        for (place, (score, kind, candidate)) in candidates.into_iter().enumerate() {
            let share = (score * SHARES as u32 / total.max(1)).min(SHARES as u32 - 1);
            total -= score;
            let context = (place.min(PLACES - 1) * SHARES + share as usize) * KINDS + kind;
            let is_last = place + 1 == count;
            if is_last || coder.bit(&mut self.asked[context], mv == Some(candidate)) {
                self.learn(position, last, candidate);
                return Some(candidate);
            }
        }
        None
    }

    /// Returns the likelihood of a move, and its kind.
    fn score(&self, position: &Position, last: Option<usize>, mv: Move) -> (u32, usize) {
        let Some(moved) = piece_square(position, mv) else { return (1, 0) };
        let played = u32::from(self.played[moved * Square::COUNT + mv.from().index()]);
        let answered =
            last.map_or(0, |last| u32::from(self.answered[last * PIECE_SQUARES + moved]));
        let mut score = 24 + played + 4 * answered;
        let them = position.board().color(!position.side());
        let occupied = position.occupied();
        let attackers = position.board().attackers_to(mv.from(), occupied) & them;
        let is_attacked = !attackers.is_empty();
        let mut kind = 0;
        if let Some(captured) = position.captured(mv) {
            let value = SEE_VALUE[captured.kind().index()] as u32;
            let is_recapture = last.is_some_and(|last| last % Square::COUNT == mv.to().index());
            if position.see_at_least(mv, 0) {
                score = 8 * score + 4 * value;
                kind = if is_recapture { 3 } else { 2 };
                score *= if is_recapture { 4 } else { 1 };
            } else {
                score /= 2;
                kind = 1;
            }
        } else if !position.see_at_least(mv, 0) {
            score /= 4;
        } else if is_attacked {
            score *= 2;
        }
        (score.max(1), 2 * kind + usize::from(is_attacked))
    }

    fn learn(&mut self, position: &Position, last: Option<usize>, mv: Move) {
        let Some(moved) = piece_square(position, mv) else { return };
        let raise = |count: &mut u16, step: u16| *count += (4096 - (*count).min(4096)) / step;
        raise(&mut self.played[moved * Square::COUNT + mv.from().index()], 128);
        if let Some(last) = last {
            raise(&mut self.answered[last * PIECE_SQUARES + moved], 32);
        }
    }
}

/// Returns the piece of a move on its target square, as one number.
pub(super) fn piece_square(position: &Position, mv: Move) -> Option<usize> {
    let piece = position.piece_on(mv.from())?;
    Some(piece.index() * Square::COUNT + mv.to().index())
}

/// The scores: the difference from the score before, seen from the other side, which is often 0.
pub(super) struct ScoreModel {
    differences: Vec<NumberModel>,
    signs: Vec<Probability>,
}

/// Distinguished sizes of the last changes.
const CHANGES: usize = 12;
/// Phases of the game by the pieces on the board, and captures.
const PHASES: usize = 5;
/// Distinguished sizes of the score.
const SIZES: usize = 12;

impl ScoreModel {
    pub(super) fn new() -> ScoreModel {
        ScoreModel {
            differences: vec![NumberModel::default(); PHASES * CHANGES * SIZES],
            signs: vec![Probability::default(); 3 * CHANGES],
        }
    }

    /// Returns the phase of a position before a move.
    pub(super) fn phase(position: &Position, mv: Move) -> usize {
        let pieces = position.occupied().len();
        if position.is_capture(mv) { 0 } else { pieces.div_ceil(8).clamp(1, PHASES - 1) }
    }

    /// Codes the score of a ply. `before` are those of the plies before, the last one first, each
    /// for the side that moved.
    pub(super) fn code(
        &mut self,
        coder: &mut impl BitCoder,
        before: [i16; 4],
        phase: usize,
        score: i16,
    ) -> i16 {
        let before = before.map(i32::from);
        let expected = -before[0];
        let changes = [0, 1, 2].map(|i| before[i] + before[i + 1]);
        let [last, older, oldest] = changes.map(i32::abs);
        let change = size_of(last + (older + oldest) / 2, CHANGES);
        let size = size_of(expected / 8, SIZES);
        let context = (phase * CHANGES + change) * SIZES + size;
        let difference = i32::from(score) - expected;
        let number = self.differences[context].code(coder, difference.unsigned_abs());
        if number == 0 {
            return expected as i16;
        }
        let sign = 3 * size_of(last, CHANGES) + (1 + changes[0].signum()) as usize;
        let is_negative = coder.bit(&mut self.signs[sign], difference < 0);
        (expected + if is_negative { -(number as i32) } else { number as i32 }) as i16
    }
}

/// Returns the class of a number by its size.
fn size_of(number: i32, classes: usize) -> usize {
    ((32 - number.unsigned_abs().leading_zeros()) as usize).min(classes - 1)
}

fn zigzag(number: i32) -> u32 {
    (number << 1 ^ number >> 31) as u32
}

fn from_zigzag(number: u32) -> i32 {
    (number >> 1) as i32 ^ -((number & 1) as i32)
}
