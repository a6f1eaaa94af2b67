//! The triangular table of principal variations: for each ply of the current path the best move
//! of its node, followed by the principal variation of the node after that move.

use arrayvec::ArrayVec;
use xiangqi::board::Move;

use super::value::MAX_PLY;

type Variation = ArrayVec<Move, MAX_PLY>;

/// One principal variation per ply.
pub(super) struct PvTable(Vec<Variation>);

impl PvTable {
    pub(super) fn new() -> PvTable {
        PvTable(vec![Variation::new(); MAX_PLY + 2])
    }

    /// Clears the variation of a ply.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the variation of `ply` to this move and the variation of the next ply.
    pub(super) fn update(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let (pv, rest) = (&mut upper[ply], &lower[0]);
        pv.clear();
        pv.push(mv);
        let free = pv.remaining_capacity();
        pv.extend(rest.iter().take(free).copied());
    }

    pub(super) fn at(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variation_is_the_move_and_the_variation_of_the_next_ply() {
        let [first, second, third] =
            ["h2e2", "h9g7", "h0g2"].map(|mv| mv.parse::<Move>().expect("a move"));
        let mut pv = PvTable::new();
        pv.update(2, third);
        pv.update(1, second);
        pv.update(0, first);
        assert_eq!(pv.at(0), [first, second, third]);
        assert_eq!(pv.at(1), [second, third]);
        pv.clear(1);
        pv.update(0, third);
        assert_eq!(pv.at(0), [third]);
    }
}
