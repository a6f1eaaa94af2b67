//! Validity of placements, with one error per defect.

use thiserror::Error;

use crate::geometry::{Color, Piece, PieceKind, Square, between};

use super::Board;

/// A defect that makes a placement no valid position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Defect {
    /// A side has no king.
    #[error("{0} has no king; put one into the palace")]
    NoKing(Color),
    /// More pieces of a kind than a side can have.
    #[error("{count} {piece}s on the board; at most {most} are possible", most = .piece.kind().most())]
    TooMany {
        /// The piece.
        piece: Piece,
        /// The number on the board.
        count: usize,
    },
    /// A king outside its palace, an advisor or bishop off its points, a pawn on a rank that
    /// it cannot reach.
    #[error("a {piece} cannot stand on {sq}; {rule}", rule = zone_rule(.piece.kind()))]
    Misplaced {
        /// The piece.
        piece: Piece,
        /// Its square.
        sq: Square,
    },
    /// The kings face each other on an open file.
    #[error("the kings face each other on the open {}-file; put a piece between them", (b'a' + .0) as char)]
    FacingKings(u8),
    /// The side that has just moved left its king in check.
    #[error("{0} is in check but it is the other side's turn; change the side to move")]
    OpponentInCheck(Color),
}

const fn zone_rule(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::King => "a king stays in its palace, files d-f and its last three ranks",
        PieceKind::Advisor => "an advisor has five points in its palace",
        PieceKind::Bishop => "a bishop has seven points on its own half",
        PieceKind::Pawn => {
            "a pawn is never behind its starting line, and on its own half only on files a c e g i"
        }
        _ => "",
    }
}

impl Board {
    /// Returns the first defect of the placement, if it has one.
    pub fn defect(&self) -> Option<Defect> {
        let mut kings = [None; 2];
        for color in Color::ALL {
            kings[color.index()] = self.king(color);
            if kings[color.index()].is_none() {
                return Some(Defect::NoKing(color));
            }
        }
        for piece in Piece::all() {
            let squares = self.pieces(piece.color(), piece.kind());
            if squares.len() > piece.kind().most() {
                return Some(Defect::TooMany { piece, count: squares.len() });
            }
            if let Some(sq) = (squares - piece.domain()).first() {
                return Some(Defect::Misplaced { piece, sq });
            }
        }
        let [Some(red), Some(black)] = kings else { return None };
        if red.file() == black.file() && !between(red, black).intersects(self.occupied()) {
            return Some(Defect::FacingKings(red.file()));
        }
        let waiting = !self.side();
        let king = if waiting == Color::Red { red } else { black };
        if self.attackers_to(king, self.occupied()).intersects(self.color(self.side())) {
            return Some(Defect::OpponentInCheck(waiting));
        }
        None
    }
}
