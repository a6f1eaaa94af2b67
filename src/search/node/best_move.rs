//! Step 19 of the search: the best move of a node so far. The main search and the quiescence search
//! share it.

use super::kinds::NodeType;
use crate::board::Move;
use crate::search::value::is_by_rule;
use crate::search::worker::Worker;

/// The best of the moves of a node that were searched so far.
pub(super) struct BestMove {
    /// The lower end of the window; it rises with each new best move.
    pub(super) alpha: i32,
    /// The greatest value of a move, or what the node is worth without one.
    pub(super) value: i32,
    /// The last move that raised alpha.
    pub(super) mv: Option<Move>,
    /// The least [`Worker::path_dependence`] of the searched moves.
    pub(super) path_dependence: i32,
}

impl BestMove {
    /// Before the first move.
    pub(super) fn new(alpha: i32, value: i32) -> BestMove {
        BestMove { alpha, value, mv: None, path_dependence: i32::MAX }
    }
}

impl Worker {
    /// Step 19: updates the best move with the value of a searched move. Returns whether it causes a
    /// beta cutoff.
    #[inline(always)]
    pub(super) fn update_best<N: NodeType>(
        &mut self,
        best: &mut BestMove,
        beta: i32,
        mv: Move,
        value: i32,
    ) -> bool {
        if is_by_rule(value) {
            best.path_dependence = best.path_dependence.min(self.path_dependence);
        }
        best.value = best.value.max(value);
        if value <= best.alpha {
            return false;
        }
        best.mv = Some(mv);
        if N::PV {
            self.pv.update(self.ply, mv);
        }
        if value < beta {
            best.alpha = value;
        }
        value >= beta
    }
}
