//! Nodes of the principal variation that a pause interrupts: their searched moves keep their
//! values, and the search continues at the move that was under search.

use xiangqi::board::Move;

use super::{Node, NodeType};
use crate::search::ordering::picker::MovePicker;
use crate::search::worker::Worker;

/// A node with an open window in which the search was interrupted.
pub(in crate::search) struct InterruptedNode {
    node: Node,
    /// The moves that are left.
    picker: MovePicker,
    /// The move under search.
    current: InterruptedMove,
}

/// The move of a node whose search was interrupted.
#[derive(Clone, Copy)]
pub(super) struct InterruptedMove {
    pub(super) mv: Move,
    /// The result of step 16 in plies; `None` if the pause came in this step.
    pub(super) extension: Option<i32>,
}

impl Worker {
    /// Keeps a node in which the search has stopped, if it stopped for a pause.
    #[cold]
    pub(super) fn interrupt(&mut self, node: &Node, picker: &MovePicker, current: InterruptedMove) {
        if self.paused {
            let (node, picker) = (node.clone(), picker.clone());
            self.interrupted.push(InterruptedNode { node, picker, current });
        }
    }

    /// Continues the last of the interrupted nodes, whose position is that of the worker, and
    /// returns its value.
    pub(in crate::search) fn resume_moves<N: NodeType>(&mut self) -> i32 {
        // Callers have asked whether there is one.
        let Some(interrupted) = self.interrupted.pop() else { return 0 };
        let InterruptedNode { mut node, mut picker, current } = interrupted;
        // The moves that led here were made anew, so the rules know of no chases yet.
        node.has_chase_information = false;
        let ordering = self.move_ordering();
        self.search_moves_from::<N>(&mut node, &ordering, &mut picker, Some(current))
    }
}
