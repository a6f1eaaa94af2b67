//! What the endgame tables know of a node and of the root.

use crate::board::Position;
use crate::search::context::SearchContext;
use crate::search::root_moves::RootMove;
use crate::search::value::{EVALUATION_LIMIT, MATE, MAX_PLY};
use crate::search::worker::Worker;
use crate::tables::{Value, Wdl};

impl Worker {
    /// The value of the node if a capture has just led into an endgame table. Positions further on
    /// are not looked up again: their values follow from that of the capture.
    #[inline]
    pub(in crate::search) fn table_value(&self, context: &SearchContext) -> Option<i32> {
        let tables = &context.options.tables;
        if !tables.may_hold(self.position.board()) {
            return None;
        }
        let value = tables.value(self.position.board())?;
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

    /// Ranks the root moves by the endgame tables, if these know the root: the shortest wins, the
    /// draws or the longest losses stay, and for several principal variations the next best.
    pub(in crate::search) fn rank_root_moves(&mut self, context: &SearchContext) {
        let tables = &context.options.tables;
        if self.root_moves.is_empty() || !tables.may_hold(self.position.board()) {
            return;
        }
        let Some(probe) = tables.probe(&self.position) else { return };
        if self.id == 0 {
            context.count_tb_hits(1 + probe.moves.len());
        }
        for root_move in &mut self.root_moves {
            let known = probe.moves.iter().find(|(mv, _)| *mv == root_move.mv);
            root_move.table_value = known.map(|&(_, value)| value);
        }
        let position = &self.position;
        let rank = |root_move: &RootMove| {
            let value = root_move.table_value.unwrap_or(Value::DRAW);
            // The shortest way does not repeat positions, unless an earlier move left it.
            let is_late = value.wdl() == Wdl::Win && returns(position, root_move);
            if is_late { 1 } else { value.rank() }
        };
        self.root_moves.sort_by_key(|root_move| -rank(root_move));
        let lines = context.limits.multi_pv.clamp(1, self.root_moves.len());
        let least = rank(&self.root_moves[lines - 1]);
        self.root_moves.retain(|root_move| rank(root_move) >= least);
    }
}

/// Whether the move leads to a position of the game so far.
fn returns(position: &Position, root_move: &RootMove) -> bool {
    let key = position.key_after(root_move.mv);
    position.states().iter().any(|state| state.key == key)
}
