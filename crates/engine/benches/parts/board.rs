//! Moves and the static exchange.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};

use super::{moves, positions};

#[divan::bench]
fn captures(bencher: Bencher<'_, '_>) {
    let positions = positions();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for position in black_box(&positions) {
            black_box(position.captures());
        }
    });
}

#[divan::bench]
fn quiets(bencher: Bencher<'_, '_>) {
    let positions = positions();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for position in black_box(&positions) {
            black_box(position.quiets());
        }
    });
}

#[divan::bench]
fn legal_moves(bencher: Bencher<'_, '_>) {
    let positions = positions();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        for position in black_box(&positions) {
            black_box(position.legal_moves());
        }
    });
}

#[divan::bench]
fn make_and_unmake(bencher: Bencher<'_, '_>) {
    let mut moves = moves();
    bencher.counter(ItemsCount::new(moves.len())).bench_local(|| {
        for (position, mv) in &mut moves {
            black_box(position.play_unchecked(*mv));
            position.unmake();
        }
    });
}

#[divan::bench]
fn static_exchange(bencher: Bencher<'_, '_>) {
    let mut moves = moves();
    moves.retain(|(position, mv)| position.is_capture(*mv));
    bencher.counter(ItemsCount::new(moves.len())).bench_local(|| {
        for (position, mv) in black_box(&moves) {
            black_box(position.see_at_least(*mv, 0));
        }
    });
}
