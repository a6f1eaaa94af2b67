//! Captures into the smaller tables that a table is built on.

use std::sync::Arc;

use xiangqi::geometry::{Bitboard, Square, between};

use super::monitor::BuildError;
use crate::camp::square;
use crate::group::{GroupSquares, MAX_SLOTS};
use crate::layout::{Layout, PieceSlot, flip};
use crate::signature::Signature;
use crate::solved::Solved;
use crate::value::Value;

/// Positions after the capture of the piece of one slot.
struct Capture {
    /// The smaller table; `None` if no piece that could cross the river is left, which is a draw.
    table: Option<Arc<Solved>>,
    /// For each slot of the smaller table the slot here.
    order: Vec<u8>,
    /// True if the weaker side here is the stronger one there.
    exchanged: bool,
}

impl Capture {
    /// Returns the squares after the capture as the smaller table has them.
    #[inline]
    fn squares_there(&self, squares: &GroupSquares) -> GroupSquares {
        let mut there = [0; MAX_SLOTS];
        for (sq, &slot) in there.iter_mut().zip(&self.order) {
            *sq = squares[usize::from(slot)];
            if self.exchanged {
                *sq = flip(*sq);
            }
        }
        there
    }

    /// Returns a side as the smaller table counts it.
    fn side_there(&self, side: usize) -> usize {
        if self.exchanged { 1 - side } else { side }
    }
}

/// The captures of every slot; kings are never captured.
pub(super) struct CaptureTables {
    captures: Vec<Option<Capture>>,
    kings: [usize; 2],
}

impl CaptureTables {
    /// Loads the smaller tables through `solved`.
    pub(super) fn new(
        layout: &Layout,
        mut solved: impl FnMut(Signature) -> Result<Arc<Solved>, BuildError>,
    ) -> Result<CaptureTables, BuildError> {
        let slots = layout.slots();
        let captures = slots.iter().enumerate().map(|(slot, piece)| {
            let after = layout.signature().after_capture(piece.side, piece.kind);
            let Some((signature, exchanged)) = after else { return Ok(None) };
            let table = if signature.attackers() > 0 { Some(solved(signature)?) } else { None };
            let order = table.as_deref().map_or(Vec::new(), |table| {
                slot_order(slots, slot, table.layout.slots(), exchanged)
            });
            Ok(Some(Capture { table, order, exchanged }))
        });
        let captures = captures.collect::<Result<_, BuildError>>()?;
        Ok(CaptureTables { captures, kings: layout.kings() })
    }

    /// Returns whether the kings face each other once the piece of `captured` is captured.
    fn kings_face(&self, squares: &GroupSquares, captured: usize) -> bool {
        let [red, black] = self.kings.map(|slot| square(squares[slot]));
        let others = (0..self.captures.len()).filter(|&slot| slot != captured);
        let occupied: Bitboard = others.map(|slot| square(squares[slot])).collect();
        red.file() == black.file() && !between(red, black).intersects(occupied)
    }

    /// Returns the value of the position after the piece of `captured` is taken, for `side` to
    /// move; illegal if the move leaves a king to be captured.
    #[inline]
    pub(super) fn value(&self, squares: &GroupSquares, captured: usize, side: usize) -> Value {
        let Some(capture) = &self.captures[captured] else { return Value::ILLEGAL };
        let Some(table) = &capture.table else {
            // Neither side can win any more, and a king can be in check only by facing the other.
            return if self.kings_face(squares, captured) { Value::ILLEGAL } else { Value::DRAW };
        };
        match table.layout.index(&capture.squares_there(squares)) {
            Some(index) => Value::from_byte(table.values[capture.side_there(side)][index]),
            None => Value::ILLEGAL,
        }
    }

    /// Calls `visit` with [`CaptureTables::value`] for each of some squares of the piece `runner`.
    #[inline]
    pub(super) fn for_each_value(
        &self,
        squares: &GroupSquares,
        captured: usize,
        side: usize,
        (runner, positions): (usize, Bitboard),
        mut visit: impl FnMut(Square, Value),
    ) {
        let lookup = self.captures[captured].as_ref().and_then(|capture| {
            let table = capture.table.as_deref()?;
            let there = capture.order.iter().position(|&slot| usize::from(slot) == runner)?;
            let row = table.layout.row(&capture.squares_there(squares), there)?;
            Some((row, &table.values[capture.side_there(side)], capture.exchanged))
        });
        if let Some((row, values, exchanged)) = lookup {
            for sq in positions {
                let there = if exchanged { sq.flip() } else { sq };
                visit(sq, Value::from_byte(values[row.at(there)]));
            }
            return;
        }
        let mut squares = *squares;
        for sq in positions {
            squares[runner] = sq.index() as u8;
            visit(sq, self.value(&squares, captured, side));
        }
    }
}

/// Returns for each slot of the smaller table the slot of the same piece here.
fn slot_order(
    here: &[PieceSlot],
    captured: usize,
    there: &[PieceSlot],
    exchanged: bool,
) -> Vec<u8> {
    let mut used = vec![false; here.len()];
    used[captured] = true;
    there
        .iter()
        .filter_map(|wanted| {
            let side = if exchanged { 1 - wanted.side } else { wanted.side };
            let slot = (0..here.len())
                .find(|&i| !used[i] && here[i] == PieceSlot { side, kind: wanted.kind })?;
            used[slot] = true;
            Some(slot as u8)
        })
        .collect()
}
