//! The network: its layers for a whole position, after a move, and its output.

use std::sync::Arc;

use cannonade_engine::nnue::{Accumulators, default_network};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use xiangqi::board::Position;

use super::positions;

/// Accumulators that know the value of each position.
fn known(positions: &[Position]) -> Vec<Accumulators> {
    let network = default_network();
    let known = positions.iter().map(|position| {
        let mut accumulators = Accumulators::new(Arc::clone(&network));
        accumulators.reset();
        accumulators.evaluate(position.board());
        accumulators
    });
    known.collect()
}

/// The layers of a position of which nothing is known, and the output.
#[divan::bench]
fn from_nothing(bencher: Bencher<'_, '_>) {
    let positions = positions();
    let mut accumulators = Accumulators::new(default_network());
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for position in black_box(&positions) {
            accumulators.reset();
            black_box(accumulators.evaluate(position.board()));
        }
    });
}

/// The layers after one move, and the output.
#[divan::bench]
fn after_a_move(bencher: Bencher<'_, '_>) {
    let mut positions = positions();
    positions.retain(Position::has_legal_move);
    let mut all = known(&positions);
    let deltas: Vec<_> = (positions.iter_mut())
        .map(|position| position.play_unchecked(position.legal_moves()[0]))
        .collect();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for ((position, delta), accumulators) in positions.iter().zip(&deltas).zip(&mut all) {
            accumulators.push(*delta);
            black_box(accumulators.evaluate(black_box(position).board()));
            accumulators.pop();
        }
    });
}

/// The output of layers that are known.
#[divan::bench]
fn output(bencher: Bencher<'_, '_>) {
    let positions = positions();
    let mut all = known(&positions);
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for (position, accumulators) in positions.iter().zip(&mut all) {
            black_box(accumulators.evaluate(black_box(position).board()));
        }
    });
}
