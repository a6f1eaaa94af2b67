//! Hand-written evaluation: material and piece squares, mobility, king safety, tapered by phase. It
//! labelled the data of the first network, and it is the fallback without a network.

use xiangqi::board::{Board, Position};
use xiangqi::geometry::{
    Bitboard, Color, PieceKind, Square, between, king_attacks, knight_attacks, line_attacks,
    pawn_attacks, rook_attacks,
};

use super::piece_square::PIECE_SQUARE;

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

/// Contribution of each kind of piece to the phase: 5 for a rook, 3 for a knight or cannon.
const PHASE: [i32; 7] = [0, 0, 0, 3, 3, 5, 0];
/// The phase of the starting position.
const FULL_PHASE: i32 = 44;

/// Endgame correction of the fitted values: pawns gain, cannons lose their screens.
const END_MATERIAL: [i32; 7] = [30, 0, 0, 20, -40, 20, 0];

// Mobility: the value of each square a piece attacks above or below the normal number.
const KNIGHT_MOBILITY: (i32, i32) = (9, 9);
const KNIGHT_NORMAL: i32 = 4;
const ROOK_MOBILITY: (i32, i32) = (4, 4);
const ROOK_NORMAL: i32 = 8;
const CANNON_MOBILITY: (i32, i32) = (2, 3);
const CANNON_NORMAL: i32 = 8;

/// Danger to the enemy king per attacked square of its zone, by kind of attacker.
const ZONE_ATTACK: [i32; 7] = [4, 0, 0, 5, 4, 5, 0];
/// Danger per missing advisor or bishop if the palace is attacked.
const MISSING_GUARD: i32 = 5;
/// Danger squared over this is centipawns.
const DANGER_SCALE: i32 = 24;
const MAX_DANGER: i32 = 110;

/// A hollow cannon (空头炮): on the line of the enemy king with no piece between.
const HOLLOW_CANNON: (i32, i32) = (110, 60);
/// A cannon with two pieces between it and the enemy king: if one of them leaves, it gives check.
const LOADED_CANNON: (i32, i32) = (18, 8);
/// The value of the right to move.
const TEMPO: i32 = 14;

/// Returns the value from the mover's view, in centipawns.
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

/// Returns the convertible share of an advantage, in 64ths, by the material of the stronger side.
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
    let king_zone = king_zone(them, their_king);
    let mut danger = 0;
    let mut attackers = 0;
    let mut attack = |kind: PieceKind, set: Bitboard| {
        let hits = (set & king_zone).len() as i32;
        danger += ZONE_ATTACK[kind.index()] * hits;
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

/// Returns the squares relevant to the safety of a king: its rank within the palace, and the
/// squares it can step to.
fn king_zone(color: Color, king: Square) -> Bitboard {
    (color.palace() & Bitboard::rank(king.rank())) | king_attacks(king)
}
