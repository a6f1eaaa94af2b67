//! The kinds of nodes, and what is known of a node before its moves are searched.

use crate::board::Move;
use crate::search::memory::entry::TtEntry;

/// The kind of a node, known at compile time so that each kind is compiled for itself.
pub(in crate::search) trait NodeType {
    /// Whether the node is searched with an open window: it may lie on the principal variation.
    const PV: bool;
    /// Whether the node is the root.
    const ROOT: bool;
}

/// The root; its window is open.
pub(in crate::search) struct Root;
/// Another node with an open window.
pub(super) struct Pv;
/// A node with a null window (`beta == alpha + 1`).
pub(super) struct NonPv;

impl NodeType for Root {
    const PV: bool = true;
    const ROOT: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
}

impl NodeType for NonPv {
    const PV: bool = false;
    const ROOT: bool = false;
}

/// What is known of a node before its moves are searched.
pub(super) struct Node {
    /// The lower end of the window at the start of the node.
    pub(super) alpha: i32,
    /// The upper end of the window.
    pub(super) beta: i32,
    /// The remaining depth in plies.
    pub(super) depth: i32,
    /// Whether the node is expected to fail high.
    pub(super) cut_node: bool,
    /// Whether the side to move is in check.
    pub(super) in_check: bool,
    /// Whether the static evaluation is better than at the mover's earlier turn, or at least beta.
    pub(super) improving: bool,
    /// Whether the node is or was on a principal variation.
    pub(super) tt_pv: bool,
    /// The evaluation before any correction, to be stored; `None` if it was not computed.
    pub(super) raw_eval: Option<i32>,
    /// The corrected evaluation; `None` in check.
    pub(super) static_eval: Option<i32>,
    /// The best estimate of the value without a search; 0 in check.
    pub(super) eval: i32,
    /// The entry of the transposition table.
    pub(super) entry: Option<TtEntry>,
    /// The best move of an earlier search.
    pub(super) tt_move: Option<Move>,
    /// The move which a singular search leaves out.
    pub(super) excluded: Option<Move>,
}
