//! Evaluations without a network: the hand-written one, the value of each piece on its square, and
//! material only.
//!
//! The hand-written evaluation counts material and piece squares, mobility and king safety, tapered
//! by phase. It labels the data of a first network, and it is the fallback without a network.

use xiangqi::board::{Board, Position, SEE_VALUE};
use xiangqi::geometry::{
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
pub(crate) fn evaluate_handcrafted(position: &Position) -> i32 {
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

/// The ranks of a piece from the home rank on, each with the files a to e; ranks beyond the last
/// one that the piece can reach are left out.
type HalfTable = &'static [[i16; 5]];

#[rustfmt::skip]
const PAWN: HalfTable = &[
    [   0,    0,    0,    0,    0],
    [   0,    0,    0,    0,    0],
    [   0,    0,    0,    0,    0],
    [  80,    0,   58,    0,  175],
    [  97,    0,  128,    0,  181],
    [ 166,  228,  193,  313,  287],
    [ 221,  242,  269,  340,  336],
    [  98,  287,  314,  449,  480],
    [  45,  278,  304,  422,  666],
    [ 113,   67,   99,  156,  -20],
];

#[rustfmt::skip]
const ADVISOR: HalfTable = &[
    [   0,    0,    0,  145,    0],
    [   0,    0,    0,    0,  194],
    [   0,    0,    0,  153,    0],
];

#[rustfmt::skip]
const BISHOP: HalfTable = &[
    [   0,    0,  205,    0,    0],
    [   0,    0,    0,    0,    0],
    [ 168,    0,    0,    0,  222],
    [   0,    0,    0,    0,    0],
    [   0,    0,  167,    0,    0],
];

#[rustfmt::skip]
const KNIGHT: HalfTable = &[
    [ 310,  289,  278,  251,   10],
    [ 267,  272,  371,  357,  345],
    [ 344,  385,  386,  460,  380],
    [ 390,  391,  447,  453,  482],
    [ 460,  433,  534,  501,  509],
    [ 420,  487,  519,  578,  558],
    [ 381,  612,  523,  614,  461],
    [ 546,  533,  544,  625,  583],
    [ 421,  538,  667,  546,  606],
    [ 433,  387,  541,  563,  455],
];

#[rustfmt::skip]
const CANNON: HalfTable = &[
    [ 488,  460,  497,  523,  597],
    [ 549,  522,  575,  540,  591],
    [ 505,  482,  540,  535,  548],
    [ 510,  489,  531,  534,  574],
    [ 519,  508,  506,  497,  567],
    [ 546,  540,  523,  545,  611],
    [ 521,  520,  523,  526,  600],
    [ 560,  526,  494,  437,  510],
    [ 549,  565,  504,  503,  439],
    [ 630,  613,  523,  423,  379],
];

#[rustfmt::skip]
const ROOK: HalfTable = &[
    [ 739,  847,  795,  870,  187],
    [ 807,  867,  882,  889,  769],
    [ 788,  866,  859,  889,  839],
    [ 900,  949,  925,  951,  964],
    [ 896,  938,  934,  944,  918],
    [ 886,  937,  945,  945,  945],
    [ 939,  969,  979,  971,  960],
    [ 937,  961,  954,  990, 1037],
    [ 952, 1004,  964, 1017, 1092],
    [ 954, 1010,  991, 1041, 1052],
];

#[rustfmt::skip]
const KING: HalfTable = &[
    [   0,    0,    0,    8,   35],
    [   0,    0,    0,  -56,  -14],
    [   0,    0,    0, -210, -148],
];

/// By kind of piece in the order of [`PieceKind`], then by square.
static PIECE_SQUARE: [[i16; Square::COUNT]; 7] = [
    expand(PAWN),
    expand(ADVISOR),
    expand(BISHOP),
    expand(KNIGHT),
    expand(CANNON),
    expand(ROOK),
    expand(KING),
];

/// Returns the sum of the values of all pieces from the mover's view, in centipawns.
pub(crate) fn evaluate_piece_squares(position: &Position) -> i32 {
    let mut red = 0;
    for kind in PieceKind::ALL {
        let values = &PIECE_SQUARE[kind.index()];
        for sq in position.board().pieces(Color::Red, kind) {
            red += i32::from(values[sq.index()]);
        }
        for sq in position.board().pieces(Color::Black, kind) {
            red -= i32::from(values[sq.flip().index()]);
        }
    }
    if position.side() == Color::Red { red } else { -red }
}

/// Mirrors the files a to d to the files f to i.
const fn expand(half: HalfTable) -> [i16; Square::COUNT] {
    let files = Square::FILES as usize;
    let mut table = [0; Square::COUNT];
    let mut index = 0;
    while index < half.len() * files {
        let (rank, file) = (index / files, index % files);
        table[index] = half[rank][if file < 5 { file } else { files - 1 - file }];
        index += 1;
    }
    table
}

/// Returns the material balance from the mover's view, in centipawns.
pub(crate) fn evaluate_material(position: &Position) -> i32 {
    let count = |color, kind| position.board().pieces(color, kind).len() as i32;
    let red: i32 = (PieceKind::ALL.into_iter())
        .map(|kind| SEE_VALUE[kind.index()] * (count(Color::Red, kind) - count(Color::Black, kind)))
        .sum();
    if position.side() == Color::Red { red } else { -red }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_have_the_same_values_from_their_own_view() {
        let value = |fen| evaluate_piece_squares(&Position::from_fen(fen).expect("a position"));
        assert_eq!(evaluate_piece_squares(&Position::startpos()), 0);
        let red = value("4k4/9/9/9/9/9/4P4/9/9/3RK4 w");
        assert_eq!(value("3rk4/9/9/4p4/9/9/9/9/9/4K4 b"), red);
        assert_eq!(value("4k4/9/9/9/9/9/4P4/9/9/3RK4 b"), -red);
        assert!(red > 500, "{red}");
    }

    #[test]
    fn the_value_is_the_difference_of_material() {
        let value = |fen| evaluate_material(&Position::from_fen(fen).expect("a position"));
        assert_eq!(evaluate_material(&Position::startpos()), 0);
        assert_eq!(value("4k4/9/9/9/9/4r4/9/9/4N4/3K5 w"), 420 - 950);
        assert_eq!(value("4k4/9/9/9/9/4r4/9/9/4N4/3K5 b"), 950 - 420);
        assert_eq!(value("r3k4/9/9/9/9/9/9/9/4N4/3K5 b"), 950 - 420);
    }
}
