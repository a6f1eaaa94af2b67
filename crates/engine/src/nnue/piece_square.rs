//! Piece-square values in centipawns, from the view of the piece's owner.
//!
//! Fitted by logistic regression of results on piece counts by square over 27,935 master games of
//! the Chinese-Chess Practical Dataset (CCPD, Tseng & Chen 2026, CC BY 4.0,
//! <https://creativecommons.org/licenses/by/4.0/>), 400 centipawns per logit. Left and right are
//! averaged, so the files a to e stand for all. Squares where a piece was seen fewer than 200 times
//! have the mean of their neighbours.

use xiangqi::board::Position;
use xiangqi::geometry::{Color, PieceKind, Square};

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

/// By kind of piece in the order of [`xiangqi::geometry::PieceKind`], then by square.
pub(super) static PIECE_SQUARE: [[i16; Square::COUNT]; 7] = [
    expand(PAWN),
    expand(ADVISOR),
    expand(BISHOP),
    expand(KNIGHT),
    expand(CANNON),
    expand(ROOK),
    expand(KING),
];

/// Returns the sum of the values of all pieces from the mover's view, in centipawns.
pub(super) fn evaluate(position: &Position) -> i32 {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_have_the_same_values_from_their_own_view() {
        let value = |fen| evaluate(&Position::from_fen(fen).expect("a position"));
        assert_eq!(evaluate(&Position::startpos()), 0);
        let red = value("4k4/9/9/9/9/9/4P4/9/9/3RK4 w");
        assert_eq!(value("3rk4/9/9/4p4/9/9/9/9/9/4K4 b"), red);
        assert_eq!(value("4k4/9/9/9/9/9/4P4/9/9/3RK4 b"), -red);
        assert!(red > 500, "{red}");
    }
}
