//! The value of a position in a table.

use xiangqi::rules::Wdl;

/// A value with its distance: a draw, or the plies to mate (or stalemate, which loses too) when
/// the winner plays the shortest way and the loser the longest.
///
/// A win takes an odd number of plies and a loss an even one, so the number shows who wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value(u8);

impl Value {
    /// Neither side can force a win.
    pub const DRAW: Value = Value(0);
    /// Maximum distance that a table can hold, in plies.
    pub const MAX_PLIES: u8 = 251;
    /// A draw that a side may hold only by a perpetual check, for which rules of repetition let it
    /// lose.
    pub const UNRULED_DRAW: Value = Value(254);
    /// Marks an index without a position; never seen outside the layer.
    pub(super) const ILLEGAL: Value = Value(255);

    /// Returns the value of a position decided in this many plies: 0 is mate on the board.
    #[inline]
    pub const fn decided(plies: u8) -> Value {
        debug_assert!(plies <= Value::MAX_PLIES);
        Value(plies + 1)
    }

    #[inline]
    pub(super) const fn from_byte(byte: u8) -> Value {
        Value(byte)
    }

    /// Returns the byte: 0 for a draw, otherwise one more than the plies.
    #[inline]
    pub(super) const fn byte(self) -> u8 {
        self.0
    }

    /// Returns the plies to the end; `None` for a draw.
    #[inline]
    pub const fn plies(self) -> Option<u8> {
        if matches!(self.0, 0 | 254 | 255) { None } else { Some(self.0 - 1) }
    }

    /// Returns the result for the side to move.
    #[inline]
    pub const fn wdl(self) -> Wdl {
        match self.plies() {
            None => Wdl::Draw,
            Some(plies) if plies % 2 == 1 => Wdl::Win,
            Some(_) => Wdl::Loss,
        }
    }

    /// Returns whether the result holds under rules of repetition that forbid perpetual check.
    #[inline]
    pub const fn is_exact(self) -> bool {
        self.0 != Value::UNRULED_DRAW.0
    }

    /// Returns a rank that rises with the value for the side to move.
    pub const fn rank(self) -> i32 {
        match (self.wdl(), self.plies()) {
            (Wdl::Win, Some(plies)) => 1000 - plies as i32,
            (Wdl::Loss, Some(plies)) => plies as i32 - 1000,
            _ => 0,
        }
    }

    /// Returns the value for the side that has moved to a position of this value: one ply further
    /// away.
    #[inline]
    #[must_use]
    pub const fn before(self) -> Value {
        match self.plies() {
            None => self,
            Some(plies) => Value(plies + 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parity_of_the_distance_says_who_wins() {
        assert_eq!(Value::DRAW.wdl(), Wdl::Draw);
        assert_eq!(Value::decided(0).wdl(), Wdl::Loss);
        assert_eq!(Value::decided(17).wdl(), Wdl::Win);
        assert_eq!(Value::decided(17).before(), Value::decided(18));
        for draw in [Value::DRAW, Value::UNRULED_DRAW] {
            assert_eq!((draw.wdl(), draw.plies(), draw.before()), (Wdl::Draw, None, draw));
        }
    }

    #[test]
    fn short_wins_and_long_losses_rank_higher() {
        let order = [
            Value::decided(0),
            Value::decided(40),
            Value::DRAW,
            Value::decided(41),
            Value::decided(1),
        ];
        assert!(order.windows(2).all(|pair| pair[0].rank() < pair[1].rank()));
    }
}
