//! The hand-written evaluation: material and piece squares, mobility, king safety, tapered by
//! phase. It labels the data for the first network and stays as the fallback without one.

use super::piece_square::PIECE_SQUARE;
use crate::board::{Board, Position};
use crate::geometry::{
    Bitboard, Color, PieceKind, Square, between, king_attacks, knight_attacks, line_attacks,
    pawn_attacks, rook_attacks,
};

/// A value for the middlegame and one for the endgame.
#[derive(Clone, Copy, Default)]
struct Tapered {
    middle: i32,
    end: i32,
}

impl Tapered {
    fn add(&mut self, (middle, end): (i32, i32), times: i32) {
        self.middle += middle * times;
        self.end += end * times;
    }
}

/// What a piece of each kind adds to the phase; a full set of rooks, cannons and knights is 32.
const PHASE: [i32; 7] = [0, 0, 0, 3, 3, 5, 0];
const FULL_PHASE: i32 = 44;

/// What the endgame thinks differently about the fitted values: pawns gain, cannons lose screens.
const END_MATERIAL: [i32; 7] = [30, 0, 0, 20, -40, 20, 0];

// Mobility: what a square to go to is worth, and how many are normal.
const KNIGHT_MOBILITY: (i32, i32) = (9, 9);
const KNIGHT_NORMAL: i32 = 4;
const ROOK_MOBILITY: (i32, i32) = (4, 4);
const ROOK_NORMAL: i32 = 8;
const CANNON_MOBILITY: (i32, i32) = (2, 3);
const CANNON_NORMAL: i32 = 8;

/// What each kind of attacker adds to the danger of the enemy king for each attacked square of
/// its palace.
const PALACE_ATTACK: [i32; 7] = [4, 0, 0, 5, 4, 5, 0];
/// What each missing advisor and bishop adds to the danger once the palace is attacked.
const MISSING_GUARD: i32 = 5;
/// Danger squared over this is centipawns.
const DANGER_SCALE: i32 = 24;
const MAX_DANGER: i32 = 110;

/// 空头炮: a cannon on the king's line with nothing between.
const HOLLOW_CANNON: (i32, i32) = (110, 60);
/// A cannon whose line to the king has two pieces: taking one away gives check.
const LOADED_CANNON: (i32, i32) = (18, 8);
/// The right to move.
const TEMPO: i32 = 14;

/// The value from the mover's view, in centipawns.
pub fn evaluate(position: &Position) -> i32 {
    let board = position.board();
    let mut phase = 0;
    for kind in [PieceKind::Knight, PieceKind::Cannon, PieceKind::Rook] {
        phase += PHASE[kind.index()] * board.kind(kind).len() as i32;
    }
    let (red, black) = (side_value(board, Color::Red), side_value(board, Color::Black));
    let middle = red.middle - black.middle;
    let end = red.end - black.end;
    let phase = phase.min(FULL_PHASE);
    let value = (middle * phase + end * (FULL_PHASE - phase)) / FULL_PHASE;

    let stronger = if value > 0 { Color::Red } else { Color::Black };
    let value = value * winning_chance(board, stronger) / 64;
    if position.side() == Color::Red { value + TEMPO } else { TEMPO - value }
}

/// How much of an advantage can be turned into a win, of 64.
fn winning_chance(board: &Board, stronger: Color) -> i32 {
    let count = |kind| board.pieces(stronger, kind).len();
    let heavy = count(PieceKind::Rook);
    let light = count(PieceKind::Knight) + count(PieceKind::Cannon);
    let pawns = board.pieces(stronger, PieceKind::Pawn).len();
    match (heavy, light, pawns) {
        (0, 0, 0) => 0,
        (0, 0, 1) | (0, 1, 0) => 20,
        (0, 1, 1) | (0, 0, 2) | (0, 2, 0) | (1, 0, 0) => 44,
        _ => 64,
    }
}

fn side_value(board: &Board, us: Color) -> Tapered {
    let mut sum = Tapered::default();
    let them = !us;
    let occupied = board.occupied();
    let own = board.color(us);
    let relative = |sq: Square| if us == Color::Red { sq } else { sq.flip() }.index();
    let Some(their_king) = board.king(them) else { return sum };
    let palace = their_zone(them, their_king);
    let mut danger = 0;
    let mut attackers = 0;
    let mut attack = |kind: PieceKind, set: Bitboard| {
        let hits = (set & palace).len() as i32;
        danger += PALACE_ATTACK[kind.index()] * hits;
        attackers += i32::from(hits > 0);
    };

    let mut place = |kind: PieceKind, sq: Square| {
        let value = i32::from(PIECE_SQUARE[kind.index()][relative(sq)]);
        sum.middle += value;
        sum.end += value + END_MATERIAL[kind.index()];
    };
    for kind in PieceKind::ALL {
        for sq in board.pieces(us, kind) {
            place(kind, sq);
        }
    }
    for sq in board.pieces(us, PieceKind::Knight) {
        let reach = knight_attacks(sq, occupied);
        sum.add(KNIGHT_MOBILITY, (reach - own).len() as i32 - KNIGHT_NORMAL);
        attack(PieceKind::Knight, reach);
    }
    for sq in board.pieces(us, PieceKind::Rook) {
        let reach = rook_attacks(sq, occupied);
        sum.add(ROOK_MOBILITY, (reach - own).len() as i32 - ROOK_NORMAL);
        attack(PieceKind::Rook, reach);
    }
    for sq in board.pieces(us, PieceKind::Cannon) {
        let lines = line_attacks(sq, occupied);
        sum.add(CANNON_MOBILITY, (lines.rook - occupied).len() as i32 - CANNON_NORMAL);
        attack(PieceKind::Cannon, lines.cannon);
        if sq.file() == their_king.file() || sq.rank() == their_king.rank() {
            match (between(sq, their_king) & occupied).len() {
                0 => sum.add(HOLLOW_CANNON, 1),
                2 => sum.add(LOADED_CANNON, 1),
                _ => {}
            }
        }
    }
    for sq in board.pieces(us, PieceKind::Pawn) - us.home() {
        attack(PieceKind::Pawn, pawn_attacks(us, sq));
    }

    if attackers > 1 {
        let guards = board.pieces(them, PieceKind::Advisor).len()
            + board.pieces(them, PieceKind::Bishop).len();
        danger += MISSING_GUARD * (4 - guards.min(4) as i32);
        let danger = danger.min(MAX_DANGER);
        sum.add((danger * danger / DANGER_SCALE, danger * danger / (2 * DANGER_SCALE)), 1);
    }
    sum
}

/// The squares round a king that count for its safety: its palace, the steps of the king twice
/// as near is left to the table of the king.
fn their_zone(color: Color, king: Square) -> Bitboard {
    (color.palace() & (Bitboard::rank(king.rank()) | king_attacks(king))) | king_attacks(king)
}
