//! What the endgame tables know of a node.

use crate::search::context::SearchContext;
use crate::search::value::{EVALUATION_LIMIT, MATE, MAX_PLY};
use crate::search::worker::Worker;
use crate::tables::Wdl;

impl Worker {
    /// The value of the node if a capture has just led into an endgame table. Positions further on
    /// are not looked up again: their values follow from that of the capture.
    #[inline]
    pub(super) fn table_value(&self, context: &SearchContext) -> Option<i32> {
        let tables = &context.options.tables;
        if !tables.may_hold(self.position.board()) {
            return None;
        }
        // Where a perpetual check may decide, the search and the judge of repetitions find out.
        let value = tables.value(self.position.board()).filter(|value| value.is_exact())?;
        context.count_tb_hits(1);
        let sign = match value.wdl() {
            Wdl::Draw => return Some(self.draw_value(context)),
            Wdl::Win => 1,
            Wdl::Loss => -1,
        };
        let plies = i32::from(value.plies().unwrap_or(0));
        let distance = plies + self.ply as i32;
        let limit = i32::from(context.options.natural_move_limit);
        // A win that may be too long for the natural-move limit, or for the band of the mates, is
        // worth less than any mate.
        let is_near = distance < MAX_PLY as i32 && (limit == 0 || plies <= limit);
        Some(sign * (if is_near { MATE } else { EVALUATION_LIMIT - 1 } - distance))
    }
}
