//! The moves of a node: one before it is made, and those searched so far.

use super::best_move::BestMove;
use super::history_updates::SearchedMoves;
use crate::board::Move;
use crate::geometry::Piece;
use crate::search::histories::index::{MoveOrdering, PieceTo};

/// A move before it is made, and what is known of it.
pub(super) struct Candidate {
    pub(super) mv: Move,
    /// The piece on its target square, for the histories.
    pub(super) moved: PieceTo,
    pub(super) captured: Option<Piece>,
    pub(super) gives_check: bool,
    /// Its history for pruning: of a quiet move without the main history.
    pub(super) history: i32,
    /// Its place in the order, from 1.
    pub(super) number: i32,
    /// The late move reduction of its place, in 1024ths of a ply.
    pub(super) reduction: i32,
}

/// The state of the loop over the moves.
pub(super) struct MoveLoop {
    pub(super) ordering: MoveOrdering,
    /// Whether the move of the transposition table is a capture.
    pub(super) tt_capture: bool,
    pub(super) best: BestMove,
    /// Moves so far, pruned ones included.
    pub(super) move_count: i32,
    pub(super) quiets: SearchedMoves,
    pub(super) captures: SearchedMoves,
}
