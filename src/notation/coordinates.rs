//! Moves as two squares: ICCS (`H2-E2`) and both forms of UCI (`h2e2`, and `h3e3` with ranks from
//! 1 to 10).

use crate::board::Move;
use crate::geometry::Square;

/// How the ranks of the board are numbered, from Red's back rank.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ranks {
    /// 0 to 9, as ICCS, UCCI and most engines.
    FromZero,
    /// 1 to 10, as Fairy-Stockfish in UCI.
    FromOne,
}

/// Two squares whose ranks are still numbers as written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Coordinates {
    from: (u8, u8),
    to: (u8, u8),
}

impl Coordinates {
    /// Reads `h2e2`, `H2-E2`, `h2xe2`, `h10g8`, in either case; `None` if the text has not this
    /// form.
    pub(super) fn parse(text: &str) -> Option<Coordinates> {
        let (from, rest) = square(text)?;
        let rest = rest.strip_prefix(['-', 'x', 'X']).unwrap_or(rest);
        let (to, rest) = square(rest)?;
        rest.is_empty().then_some(Coordinates { from, to })
    }

    /// The numbering that the text proves: a rank 0 or a rank 10 occurs in only one of them.
    pub(super) fn ranks(self) -> Option<Ranks> {
        let ranks = [self.from.1, self.to.1];
        if ranks.contains(&10) {
            Some(Ranks::FromOne)
        } else if ranks.contains(&0) {
            Some(Ranks::FromZero)
        } else {
            None
        }
    }

    /// The move, if both squares are on the board with ranks numbered so, and different.
    pub(super) fn to_move(self, ranks: Ranks) -> Option<Move> {
        let square = |(file, rank): (u8, u8)| match ranks {
            Ranks::FromZero => Square::new(file, rank),
            Ranks::FromOne => Square::new(file, rank.checked_sub(1)?),
        };
        let (from, to) = (square(self.from)?, square(self.to)?);
        (from != to).then(|| Move::new(from, to))
    }
}

/// Splits a leading square off: file (0 to 8) and rank as written (0 to 10).
fn square(text: &str) -> Option<((u8, u8), &str)> {
    let file = text.bytes().next()?.to_ascii_lowercase().wrapping_sub(b'a');
    if file >= Square::FILES {
        return None;
    }
    let rest = text.get(1..)?;
    if let Some(rest) = rest.strip_prefix("10") {
        return Some(((file, 10), rest));
    }
    let rank = rest.bytes().next()?.wrapping_sub(b'0');
    (rank <= 9).then_some(())?;
    Some(((file, rank), rest.get(1..)?))
}

/// `H2-E2`.
pub(super) fn iccs(mv: Move) -> String {
    format!("{}-{}", mv.from(), mv.to()).to_ascii_uppercase()
}

/// `h3e3`: UCI with ranks from 1 to 10.
pub(super) fn from_one(mv: Move) -> String {
    let square = |sq: Square| format!("{}{}", char::from(b'a' + sq.file()), sq.rank() + 1);
    square(mv.from()) + &square(mv.to())
}
