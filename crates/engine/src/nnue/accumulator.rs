//! Accumulators: the hidden layers of all positions on the current path, each computed when first
//! needed.
//!
//! A move changes few inputs of a view, so a layer is the layer before the move plus and minus a
//! few rows of weights. (Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation
//! Functions for Computer Shogi", 2018.)

use std::sync::Arc;

use bytemuck::Zeroable;
use xiangqi::board::{Board, MoveDelta};
use xiangqi::geometry::Color;

use super::features::Changes;
use super::forward::Network;
use super::simd::Block;

/// Plies for which memory is reserved; deeper paths get more.
const PLIES: usize = 160;

/// Maximum number of moves since the last computed layer; beyond it a layer is computed from the
/// board.
const MAX_UPDATES: usize = 8;

#[derive(Clone, Copy, Default)]
struct Ply {
    /// Move that led here; `None` for the first position.
    delta: Option<MoveDelta>,
    /// True if the layers are computed.
    is_computed: bool,
}

/// The hidden layers of the positions on the current path.
pub struct Accumulators {
    network: Arc<Network>,
    plies: Vec<Ply>,
    /// `[ply][view of Red, view of Black][width]`
    layers: Vec<Block>,
    /// Buffer for the computation of the layers.
    changes: Changes,
    /// Buffer for the computation of the output: as many blocks as the layers of one position.
    buffer: Vec<Block>,
    /// Ply of the current position.
    top: usize,
}

impl Accumulators {
    /// Creates the accumulators of a network. Call [`Accumulators::reset`] first.
    pub fn new(network: Arc<Network>) -> Accumulators {
        let layers = vec![Block::zeroed(); PLIES * 2 * network.blocks()];
        let buffer = vec![Block::zeroed(); 2 * network.blocks()];
        Accumulators {
            network,
            plies: vec![Ply::default(); PLIES],
            layers,
            changes: Changes::default(),
            buffer,
            top: 0,
        }
    }

    /// Returns the network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Starts a new path.
    pub fn reset(&mut self) {
        self.top = 0;
        self.plies[0] = Ply::default();
    }

    /// Follows a move. A null move changes no layer and is not pushed.
    #[inline]
    pub fn push(&mut self, delta: MoveDelta) {
        self.top += 1;
        let ply = Ply { delta: Some(delta), is_computed: false };
        match self.plies.get_mut(self.top) {
            Some(reserved) => *reserved = ply,
            None => {
                self.plies.push(ply);
                let blocks = self.plies.len() * 2 * self.network.blocks();
                self.layers.resize(blocks, Block::zeroed());
            }
        }
    }

    /// Undoes the last move.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.top > 0);
        self.top = self.top.saturating_sub(1);
    }

    /// Returns the value in centipawns from the mover's view. The board must be the one after the
    /// pushed moves.
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        if !self.plies[self.top].is_computed {
            self.compute(board);
        }
        let blocks = self.network.blocks();
        let (red, black) = self.layers[self.top * 2 * blocks..][..2 * blocks].split_at(blocks);
        let pieces = board.occupied().len();
        let (own, opponent) = match board.side() {
            Color::Red => (red, black),
            Color::Black => (black, red),
        };
        self.network.output(own, opponent, pieces, &mut self.buffer)
    }

    /// Computes the layers of the top: move by move from the last computed ply if that is near,
    /// else from the empty board.
    fn compute(&mut self, board: &Board) {
        let Some(base) = self.base() else {
            self.refresh(board);
            return;
        };
        if base + 1 == self.top || !self.network.shape().threats {
            for ply in base + 1..=self.top {
                self.update(ply, board);
            }
            return;
        }
        // Undo back to the board after the first of these moves, then follow move by move.
        let mut board = board.clone();
        for delta in self.plies[base + 2..=self.top].iter().rev().filter_map(|ply| ply.delta) {
            board.take(delta.to);
            board.put(delta.piece, delta.from);
            if let Some(captured) = delta.captured {
                board.put(captured, delta.to);
            }
        }
        self.update(base + 1, &board);
        for ply in base + 2..=self.top {
            if let Some(delta) = self.plies[ply].delta {
                board.take(delta.from);
                board.take(delta.to);
                board.put(delta.piece, delta.to);
            }
            self.update(ply, &board);
        }
    }

    /// Returns the last computed ply; `None` if it is far or does not exist.
    fn base(&self) -> Option<usize> {
        let near = self.top.saturating_sub(MAX_UPDATES);
        let base = (near..=self.top).rev().find(|&ply| {
            let ply = self.plies[ply];
            ply.is_computed || ply.delta.is_none()
        })?;
        self.plies[base].is_computed.then_some(base)
    }

    /// Computes the layers of the top from the board.
    fn refresh(&mut self, board: &Board) {
        let network = &*self.network;
        let size = 2 * network.blocks();
        let after = &mut self.layers[self.top * size..][..size];
        self.changes.all_of(board, network.shape().threats);
        network.update([network.biases(); 2], after, &self.changes);
        self.plies[self.top].is_computed = true;
    }

    /// Computes the layers of a ply from those of the ply before. For threats the board must be the
    /// one of the ply.
    fn update(&mut self, ply: usize, board: &Board) {
        let Some(delta) = self.plies[ply].delta else { return };
        let network = &*self.network;
        let size = 2 * network.blocks();
        let (before, after) = self.layers.split_at_mut(ply * size);
        let (red, black) = before[(ply - 1) * size..].split_at(size / 2);
        self.changes.of_move(delta);
        if network.shape().threats {
            self.changes.of_move_in_threats(delta, board);
        }
        network.update([red, black], &mut after[..size], &self.changes);
        self.plies[ply].is_computed = true;
    }
}
