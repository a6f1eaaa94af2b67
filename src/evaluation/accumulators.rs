//! The accumulators: the hidden layers of all positions on the current path, each computed when it is
//! first needed.
//!
//! A move changes two or three inputs of a view, so a layer is the layer before the move plus one row
//! of weights and minus one or two. (Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation
//! Functions for Computer Shogi", 2018.)

use std::sync::Arc;

use bytemuck::Zeroable;

use super::features::{each_feature, feature};
use super::network::Network;
use super::simd::Block;
use crate::board::{Board, MoveDelta};
use crate::geometry::Color;

/// Plies for which memory is reserved; deeper paths get more.
const PLIES: usize = 160;

/// If the last computed layer is this many moves back, a layer is computed from the board: its about
/// 24 rows cost as much as 8 updates.
const MAX_UPDATES: usize = 8;

#[derive(Clone, Copy, Default)]
struct Ply {
    /// The move that led here; `None` for the first position.
    delta: Option<MoveDelta>,
    /// Whether the layers are computed.
    is_computed: bool,
}

/// The hidden layers of the positions on the current path.
pub struct Accumulators {
    network: Arc<Network>,
    plies: Vec<Ply>,
    /// `[ply][view of Red, view of Black][width]`
    layers: Vec<Block>,
    /// The ply of the current position.
    top: usize,
}

impl Accumulators {
    /// Accumulators of a network. Begin with [`Accumulators::reset`].
    pub fn new(network: Arc<Network>) -> Accumulators {
        let layers = vec![Block::zeroed(); PLIES * 2 * network.blocks()];
        Accumulators { network, plies: vec![Ply::default(); PLIES], layers, top: 0 }
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Begins a new path.
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

    /// Takes back the last move.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.top > 0);
        self.top = self.top.saturating_sub(1);
    }

    /// The value in centipawns from the mover's view. The board must be the one after the pushed
    /// moves.
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        if !self.plies[self.top].is_computed {
            self.compute(board);
        }
        let blocks = self.network.blocks();
        let (red, black) = self.layers[self.top * 2 * blocks..][..2 * blocks].split_at(blocks);
        let pieces = board.occupied().len();
        match board.side() {
            Color::Red => self.network.output(red, black, pieces),
            Color::Black => self.network.output(black, red, pieces),
        }
    }

    /// Computes the layers of the top, by updates if that is cheaper than from the board.
    fn compute(&mut self, board: &Board) {
        let mut base = self.top;
        while !self.plies[base].is_computed {
            if self.plies[base].delta.is_none() || self.top - base >= MAX_UPDATES {
                self.refresh(board);
                return;
            }
            base -= 1;
        }
        for ply in base + 1..=self.top {
            self.update(ply);
        }
    }

    /// Computes the layers of the top from the board.
    fn refresh(&mut self, board: &Board) {
        let network = &*self.network;
        let blocks = network.blocks();
        let layers = &mut self.layers[self.top * 2 * blocks..][..2 * blocks];
        for (view, layer) in Color::ALL.into_iter().zip(layers.chunks_exact_mut(blocks)) {
            layer.copy_from_slice(network.biases());
            each_feature(board, view, |input| network.simd().add(layer, network.row(input)));
        }
        self.plies[self.top].is_computed = true;
    }

    /// Computes the layers of a ply from those of the ply before.
    fn update(&mut self, ply: usize) {
        let Some(delta) = self.plies[ply].delta else { return };
        let network = &*self.network;
        let size = 2 * network.blocks();
        let (before, after) = self.layers.split_at_mut(ply * size);
        let (before, after) = (&before[(ply - 1) * size..], &mut after[..size]);
        let both = |piece, sq| Color::ALL.map(|view| feature(view, piece, sq));
        let added = both(delta.piece, delta.to);
        let removed = both(delta.piece, delta.from);
        match delta.captured {
            None => network.update(before, after, added, [removed]),
            Some(captured) => {
                network.update(before, after, added, [removed, both(captured, delta.to)]);
            }
        }
        self.plies[ply].is_computed = true;
    }
}
