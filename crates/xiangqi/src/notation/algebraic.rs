//! Algebraic notation as XBoard writes it: `Che2`, `Rxg6`, `c4`, `cd4`, `Hf2+`.
//!
//! Letters K A E H R C; a pawn has none. If two men could legally go to the same square, the
//! file, else the rank, else both are written too. A pawn forward is its square (`c4`, `cxc5` if it
//! captures), sideways its file and square (`cd4`, `hxg6`). `+` marks check, `#` the end of the
//! game. Letters B and N are read as well, and a full origin (`Ch2e2`).
//!
//! Fairy-Stockfish and its clients number the ranks from 1 to 10 (`Che3`, `C10b9`) and give pawns
//! the letter P. They name the file of a pawn only where two could go to the square, so `Pd6` may
//! go sideways. This is read too.

use crate::board::{Move, Position};
use crate::geometry::{PieceKind, Square};

use super::coordinates::{self, Ranks};

/// Writes a legal move; `None` if its origin is empty.
pub(super) fn write(position: &Position, mv: Move) -> Option<String> {
    let (from, to) = (mv.from(), mv.to());
    let kind = position.piece_on(from)?.kind();
    let capture = position.is_capture(mv);
    let mut text = String::with_capacity(7);
    match kind {
        PieceKind::Pawn => {
            if capture || from.file() != to.file() {
                text.push(file_letter(from));
            }
        }
        _ => {
            text.push(kind.wxf_letter());
            text += &distinction(position, mv, kind);
        }
    }
    if capture {
        text.push('x');
    }
    text += &to.to_string();
    if position.check_move(mv).is_ok() {
        let after = position.without_history().after([mv]);
        if !after.has_legal_move() {
            text.push('#');
        } else if after.in_check() {
            text.push('+');
        }
    }
    Some(text)
}

/// Returns the file or rank that distinguishes the moving man from others of its kind that could
/// legally go to the same square.
fn distinction(position: &Position, mv: Move, kind: PieceKind) -> String {
    let from = mv.from();
    let rivals: Vec<Square> = position
        .legal_moves()
        .iter()
        .filter(|other| other.to() == mv.to() && other.from() != from)
        .filter(|other| position.piece_on(other.from()).is_some_and(|p| p.kind() == kind))
        .map(|other| other.from())
        .collect();
    if rivals.is_empty() {
        String::new()
    } else if rivals.iter().all(|sq| sq.file() != from.file()) {
        file_letter(from).to_string()
    } else if rivals.iter().all(|sq| sq.rank() != from.rank()) {
        from.rank().to_string()
    } else {
        from.to_string()
    }
}

fn file_letter(sq: Square) -> char {
    char::from(b'a' + sq.file())
}

/// A text in algebraic notation, taken apart. Ranks are numbers as they are written, from 0 to 10.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AlgebraicPattern {
    kind: PieceKind,
    file: Option<u8>,
    rank: Option<u8>,
    to: (u8, u8),
}

impl AlgebraicPattern {
    /// Takes a text apart; `None` if it has not the form of an algebraic move.
    pub(super) fn parse(text: &str) -> Option<AlgebraicPattern> {
        let (origin, to) = text.split_at_checked(text.rfind(|c: char| c.is_ascii_lowercase())?)?;
        let (to, "") = coordinates::square(to)? else { return None };
        let origin = origin.strip_suffix(['x', '-']).unwrap_or(origin);
        let letter = origin.chars().next().filter(char::is_ascii_uppercase);
        let (kind, mut rest) = match letter.and_then(PieceKind::from_letter) {
            Some(kind) => (kind, &origin[1..]),
            None => (PieceKind::Pawn, origin),
        };
        let mut pattern = AlgebraicPattern { kind, file: None, rank: None, to };
        if let Some(file @ b'a'..=b'i') = rest.bytes().next() {
            pattern.file = Some(file - b'a');
            rest = &rest[1..];
        }
        if let Some(behind) = rest.strip_prefix("10") {
            pattern.rank = Some(10);
            rest = behind;
        } else if let Some(rank @ b'0'..=b'9') = rest.bytes().next() {
            pattern.rank = Some(rank - b'0');
            rest = &rest[1..];
        }
        if kind == PieceKind::Pawn && pattern.file.is_none() && !origin.starts_with('P') {
            pattern.file = Some(to.0);
        }
        rest.is_empty().then_some(pattern)
    }

    /// Returns the numbering of the ranks that the text proves.
    pub(super) fn ranks(&self) -> Option<Ranks> {
        Ranks::proven_by(&[self.to.1, self.rank.unwrap_or(self.to.1)])
    }

    /// Returns the legal moves that the text can mean with the ranks numbered so.
    pub(super) fn find(&self, position: &Position, legal: &[Move], ranks: Ranks) -> Vec<Move> {
        let Some(to) = ranks.to_square(self.to) else { return Vec::new() };
        let matches = |mv: &&Move| {
            let from = mv.from();
            mv.to() == to
                && self.file.is_none_or(|file| file == from.file())
                && self.rank.is_none_or(|rank| rank == from.rank() + ranks.first())
                && position.piece_on(from).is_some_and(|piece| piece.kind() == self.kind)
        };
        let found: Vec<Move> = legal.iter().filter(matches).copied().collect();
        // The file of a pawn that goes forward may be missing.
        let forward = found.iter().find(|mv| mv.from().file() == to.file());
        match forward {
            Some(&forward) if self.kind == PieceKind::Pawn => vec![forward],
            _ => found,
        }
    }
}
