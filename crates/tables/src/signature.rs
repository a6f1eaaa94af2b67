//! Names of tables by the pieces on the board.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use xiangqi::board::Board;
use xiangqi::geometry::{Bitboard, Color, PieceKind};

/// Maximum number of pieces that can cross the river in a table.
pub(super) const MAX_ATTACKERS: usize = 3;

/// The kinds that can cross the river, in the order of a signature's letters.
pub(super) const ATTACKERS: [PieceKind; 4] =
    [PieceKind::Rook, PieceKind::Knight, PieceKind::Cannon, PieceKind::Pawn];

/// Returns the pieces of a board that can cross the river.
#[inline]
pub(super) fn attackers(board: &Board) -> Bitboard {
    let others = [PieceKind::King, PieceKind::Advisor, PieceKind::Bishop];
    others.into_iter().fold(board.occupied(), |set, kind| set - board.kind(kind))
}

/// The pieces of one side besides its king: rooks, knights, cannons, pawns, advisors, bishops.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Force([u8; 6]);

impl Force {
    /// Returns the number of pieces of a kind; one king.
    pub fn count(&self, kind: PieceKind) -> usize {
        Force::slot(kind).map_or(1, |slot| usize::from(self.0[slot]))
    }

    const fn slot(kind: PieceKind) -> Option<usize> {
        match kind {
            PieceKind::Rook => Some(0),
            PieceKind::Knight => Some(1),
            PieceKind::Cannon => Some(2),
            PieceKind::Pawn => Some(3),
            PieceKind::Advisor => Some(4),
            PieceKind::Bishop => Some(5),
            PieceKind::King => None,
        }
    }

    /// Returns the force with one more piece of this kind, if a side can have it.
    #[must_use]
    pub fn with(mut self, kind: PieceKind) -> Option<Force> {
        let slot = &mut self.0[Force::slot(kind)?];
        *slot += 1;
        (usize::from(*slot) <= kind.most()).then_some(self)
    }

    /// Returns the force with one piece of this kind less, if it has one.
    #[must_use]
    pub fn without(mut self, kind: PieceKind) -> Option<Force> {
        let slot = &mut self.0[Force::slot(kind)?];
        *slot = slot.checked_sub(1)?;
        Some(self)
    }

    /// Returns the force without any piece of this kind; the king stays.
    #[must_use]
    pub fn without_all(mut self, kind: PieceKind) -> Force {
        if let Some(slot) = Force::slot(kind) {
            self.0[slot] = 0;
        }
        self
    }

    /// Returns the number of pieces that can cross the river.
    pub fn attackers(&self) -> usize {
        ATTACKERS.iter().map(|&kind| self.count(kind)).sum()
    }

    /// Returns the sort key that decides which side is the stronger one (Red in a table): more
    /// attackers first, then the more valuable ones, then more guards.
    fn strength(&self) -> (usize, Force) {
        (self.attackers(), *self)
    }

    /// Parses letters such as `KNP`, or returns their defect.
    pub(super) fn parse(letters: &str) -> Result<Force, &'static str> {
        let Some(pieces) = letters.strip_prefix(['K', 'k']) else {
            return Err("each side begins with its king K");
        };
        pieces.chars().try_fold(Force::default(), |force, letter| {
            let kind = match letter.to_ascii_uppercase() {
                'A' => PieceKind::Advisor,
                'B' => PieceKind::Bishop,
                'R' => PieceKind::Rook,
                'N' => PieceKind::Knight,
                'C' => PieceKind::Cannon,
                'P' => PieceKind::Pawn,
                _ => return Err("the pieces are A B R N C P"),
            };
            force.with(kind).ok_or("a side has at most two of a kind, and five pawns")
        })
    }

    fn of(board: &Board, color: Color) -> Force {
        let mut force = Force::default();
        for kind in PieceKind::ALL {
            if let Some(slot) = Force::slot(kind) {
                force.0[slot] = board.pieces(color, kind).len() as u8;
            }
        }
        force
    }
}

impl fmt::Display for Force {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = [
            (PieceKind::King, "K"),
            (PieceKind::Advisor, "A"),
            (PieceKind::Bishop, "B"),
            (PieceKind::Rook, "R"),
            (PieceKind::Knight, "N"),
            (PieceKind::Cannon, "C"),
            (PieceKind::Pawn, "P"),
        ];
        kinds.iter().try_for_each(|&(kind, letter)| f.write_str(&letter.repeat(self.count(kind))))
    }
}

/// The pieces of both sides, the stronger side first: `KNP-KAAB` is knight and pawn against two
/// advisors and one bishop.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Signature {
    /// The side that is Red in a table.
    strong: Force,
    /// The side that is Black in a table.
    weak: Force,
}

/// Reason why a text does not name a signature.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{text}' is not a table signature ({reason}); expected pieces such as 'KNP-KAAB'")]
pub struct ParseSignatureError {
    text: String,
    reason: &'static str,
}

impl Signature {
    /// Creates the signature of two forces; true if they were exchanged to have the stronger first.
    pub fn new(first: Force, second: Force) -> (Signature, bool) {
        if first.strength() >= second.strength() {
            (Signature { strong: first, weak: second }, false)
        } else {
            (Signature { strong: second, weak: first }, true)
        }
    }

    /// Returns the signature of a placement, and whether Black is the stronger side.
    pub fn of(board: &Board) -> (Signature, bool) {
        Signature::new(Force::of(board, Color::Red), Force::of(board, Color::Black))
    }

    /// Returns the stronger side (0) or the weaker one (1).
    pub fn force(&self, side: usize) -> Force {
        if side == 0 { self.strong } else { self.weak }
    }

    /// Returns the number of pieces of both sides that can cross the river.
    pub fn attackers(&self) -> usize {
        self.strong.attackers() + self.weak.attackers()
    }

    /// Returns whether both sides have a piece that can give check.
    pub fn both_can_check(&self) -> bool {
        self.strong.attackers() > 0 && self.weak.attackers() > 0
    }

    /// Returns the number of all pieces, kings included.
    pub fn pieces(&self) -> usize {
        let force = |force: &Force| force.0.iter().map(|&count| usize::from(count)).sum::<usize>();
        2 + force(&self.strong) + force(&self.weak)
    }

    /// Returns the signature after a capture of a piece of this side and kind, and whether the
    /// capture exchanges the stronger and the weaker side.
    pub fn after_capture(&self, side: usize, kind: PieceKind) -> Option<(Signature, bool)> {
        let less = self.force(side).without(kind)?;
        Some(if side == 0 {
            Signature::new(less, self.weak)
        } else {
            Signature::new(self.strong, less)
        })
    }

    /// Returns all signatures that a capture leads to and that can still be won.
    pub fn successors(&self) -> impl Iterator<Item = Signature> {
        let whole = *self;
        (0..2)
            .flat_map(|side| PieceKind::ALL.into_iter().map(move |kind| (side, kind)))
            .filter_map(move |(side, kind)| whole.after_capture(side, kind))
            .map(|(signature, _)| signature)
            .filter(|signature| signature.attackers() > 0)
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}-{}", self.strong, self.weak))
    }
}

impl FromStr for Signature {
    type Err = ParseSignatureError;

    fn from_str(text: &str) -> Result<Signature, ParseSignatureError> {
        let error = |reason| ParseSignatureError { text: text.chars().take(40).collect(), reason };
        let (first, second) =
            text.split_once('-').ok_or_else(|| error("the two sides are divided by '-'"))?;
        let side = |letters| Force::parse(letters).map_err(error);
        Ok(Signature::new(side(first)?, side(second)?).0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_in_any_order_and_written_in_one() {
        for (text, name) in
            [("KNP-KAAB", "KNP-KAAB"), ("kbaa-kpn", "KNP-KAAB"), ("KR-KAABBN", "KR-KAABBN")]
        {
            assert_eq!(text.parse::<Signature>().unwrap().to_string(), name);
        }
        for text in ["", "KR", "R-K", "KX-K", "KAAA-K", "KR-K-K"] {
            assert!(text.parse::<Signature>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_capture_can_exchange_the_sides() {
        let signature: Signature = "KRN-KRC".parse().unwrap();
        let (after, exchanged) = signature.after_capture(0, PieceKind::Rook).unwrap();
        assert_eq!((after.to_string().as_str(), exchanged), ("KRC-KN", true));
        assert!(signature.after_capture(0, PieceKind::Pawn).is_none());
    }
}
