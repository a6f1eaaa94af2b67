//! The hidden layers of the positions on the way from the root, each computed when it is first
//! asked for.
//!
//! A move changes two or three inputs of a view, so a layer is the layer before it plus one row of
//! weights and minus one or two. (Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation
//! Functions for Computer Shogi", 2018.)

use std::sync::Arc;

use bytemuck::Zeroable;

use super::features::{each_feature, feature};
use super::network::Network;
use super::simd::Block;
use crate::board::{Board, MoveDelta};
use crate::geometry::Color;

/// Room for so many plies at first; deeper lines make more.
const PLIES: usize = 160;

/// From so many moves back on, a layer is computed anew: 24 rows cost as much as 8 updates.
const FARTHEST: usize = 8;

#[derive(Clone, Copy, Default)]
struct Entry {
    /// The move that led here; `None` where the accumulators began.
    delta: Option<MoveDelta>,
    /// Whether the layers are computed.
    fresh: bool,
}

/// See the module.
pub struct Accumulators {
    network: Arc<Network>,
    entries: Vec<Entry>,
    /// `[ply][view of Red, view of Black][width]`
    layers: Vec<Block>,
    top: usize,
}

impl Accumulators {
    /// Accumulators of a network; they know no position yet, so begin with
    /// [`Accumulators::reset`].
    pub fn new(network: Arc<Network>) -> Accumulators {
        let layers = vec![Block::zeroed(); PLIES * 2 * network.blocks()];
        Accumulators { network, entries: vec![Entry::default(); PLIES], layers, top: 0 }
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// Begins with a new position.
    pub fn reset(&mut self) {
        self.top = 0;
        self.entries[0] = Entry::default();
    }

    /// Hears of a move. A null move changes nothing and need not be told.
    #[inline]
    pub fn push(&mut self, delta: MoveDelta) {
        self.top += 1;
        let entry = Entry { delta: Some(delta), fresh: false };
        match self.entries.get_mut(self.top) {
            Some(place) => *place = entry,
            None => {
                self.entries.push(entry);
                let blocks = self.entries.len() * 2 * self.network.blocks();
                self.layers.resize(blocks, Block::zeroed());
            }
        }
    }

    /// Forgets the last move.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.top > 0);
        self.top = self.top.saturating_sub(1);
    }

    /// The value in centipawns from the mover's view. The board must be the one that the moves
    /// have led to.
    #[inline]
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        if !self.entries[self.top].fresh {
            self.bring_up_to_date(board);
        }
        let blocks = self.network.blocks();
        let (red, black) = self.layers[self.top * 2 * blocks..][..2 * blocks].split_at(blocks);
        let pieces = board.occupied().len();
        match board.side() {
            Color::Red => self.network.output(red, black, pieces),
            Color::Black => self.network.output(black, red, pieces),
        }
    }

    fn bring_up_to_date(&mut self, board: &Board) {
        let mut base = self.top;
        while !self.entries[base].fresh {
            if self.entries[base].delta.is_none() || self.top - base >= FARTHEST {
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
            each_feature(board, view, |on| network.simd().add(layer, network.row(on)));
        }
        self.entries[self.top].fresh = true;
    }

    /// Computes the layers of a ply from those of the ply before.
    fn update(&mut self, ply: usize) {
        let Some(delta) = self.entries[ply].delta else { return };
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
        self.entries[ply].fresh = true;
    }
}
