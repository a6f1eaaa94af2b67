//! Reports of worker 0 during a search.

use std::time::Duration;

use xiangqi::board::Move;

use super::info::{CurrentMove, PvInfo, SearchInfo};
use super::root_moves::RootMove;
use super::root_tables::table_line;
use super::value::{INFINITE, is_decisive};
use super::worker::Worker;

/// Time after which searches report the current root move, as in Stockfish.
const CURRENT_MOVE_DELAY: Duration = Duration::from_secs(3);

/// Minimum time between two reports of the current root move within one iteration, so that fast
/// iterations do not flood the client.
const CURRENT_MOVE_INTERVAL: Duration = Duration::from_millis(100);

impl Worker {
    /// Reports the best `count` root moves with their principal variations, at the end of an
    /// iteration or from the middle of one.
    pub(super) fn report_pvs(&self, count: usize, ends_iteration: bool) {
        if self.id != 0 {
            return;
        }
        for (index, root_move) in self.root_moves.iter().take(count).enumerate() {
            if root_move.best_value() != -INFINITE {
                let pv = self.pv_of(root_move);
                let info = root_move.pv_info(&self.context, self.root_depth, index + 1, pv);
                (self.context.reporter)(SearchInfo::Pv(PvInfo { ends_iteration, ..info }));
            }
        }
    }

    /// Returns the principal variation of a root move. That of a mate in the endgame tables is
    /// theirs, since the search may find a longer one.
    pub(super) fn pv_of(&self, root_move: &RootMove) -> Vec<Move> {
        let searched = root_move.best_pv();
        match root_move.table_value {
            Some(value) if is_decisive(value) => {
                table_line(&self.context.options.tables, &self.position, searched)
            }
            _ => searched.to_vec(),
        }
    }

    /// Reports the root move searched next, if the search has run for some seconds. `number` is its
    /// place in the order of this iteration, from 1.
    pub(super) fn report_current_move(&mut self, mv: Move, number: usize) {
        let time = self.context.start.elapsed();
        let is_due = number == 1 || time >= self.next_current_move;
        if self.id == 0 && time >= CURRENT_MOVE_DELAY && is_due {
            self.next_current_move = time + CURRENT_MOVE_INTERVAL;
            let depth = self.root_depth as u32;
            (self.context.reporter)(SearchInfo::CurrentMove(CurrentMove { depth, mv, number }));
        }
    }
}
