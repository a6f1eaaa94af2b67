//! Where captures lead: the smaller tables a table is built on.

use std::sync::Arc;

use super::monitor::BuildError;
use crate::geometry::{Bitboard, Square, between};
use crate::tables::layout::{Layout, MAX_SLOTS, PieceSlot, Squares, flip};
use crate::tables::signature::Signature;
use crate::tables::solved::Solved;
use crate::tables::value::Value;

/// The positions after the piece of one slot has been captured.
struct Capture {
    /// The smaller table; `None` if nothing is left that could cross the river, which is a draw.
    table: Option<Arc<Solved>>,
    /// For each slot of the smaller table the slot here.
    order: Vec<u8>,
    /// Whether the weaker side here is the stronger one there.
    exchanged: bool,
}

/// The captures of every slot; kings are never captured.
pub(super) struct CaptureTables {
    captures: Vec<Option<Capture>>,
    kings: [usize; 2],
}

impl CaptureTables {
    /// No captures, for work that does not ask for them.
    pub(super) fn none() -> CaptureTables {
        CaptureTables { captures: Vec::new(), kings: [0; 2] }
    }

    /// Asks `solved` for each smaller table.
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

    /// Whether the kings face each other once the piece of `captured` is gone and its place taken.
    fn kings_face(&self, squares: &Squares, captured: usize) -> bool {
        let [red, black] = self.kings.map(|slot| Square::from_raw(squares[slot]));
        let others = (0..self.captures.len()).filter(|&slot| slot != captured);
        let occupied: Bitboard = others.map(|slot| Square::from_raw(squares[slot])).collect();
        red.file() == black.file() && !between(red, black).intersects(occupied)
    }

    /// The value of the position after the piece of `captured` is taken, for `side` to move;
    /// illegal if that leaves a king to be captured.
    #[inline]
    pub(super) fn value(&self, squares: &Squares, captured: usize, side: usize) -> Value {
        let Some(capture) = &self.captures[captured] else { return Value::ILLEGAL };
        let Some(table) = &capture.table else {
            // Nobody can win any more, and no king but by facing the other can be in check.
            return if self.kings_face(squares, captured) { Value::ILLEGAL } else { Value::DRAW };
        };
        let mut after = [0; MAX_SLOTS];
        for (sq, &slot) in after.iter_mut().zip(&capture.order) {
            *sq = squares[usize::from(slot)];
            if capture.exchanged {
                *sq = flip(*sq);
            }
        }
        let side = if capture.exchanged { 1 - side } else { side };
        match table.layout.index(&after) {
            Some(index) => Value::from_byte(table.values[side][index]),
            None => Value::ILLEGAL,
        }
    }
}

/// For each slot of the smaller table the slot of the same piece here.
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
