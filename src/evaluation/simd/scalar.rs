//! The kernels in plain Rust, for every processor; the tests compare the others with them.

use super::block::Block;
use crate::evaluation::weights::{INPUT_SCALE, SQUARE_SHIFT};

pub(super) fn update(
    inputs: &[Block],
    before: [&[Block]; 2],
    after: &mut [Block],
    added: &[[u16; 2]],
    removed: &[[u16; 2]],
) {
    update_by_tiles::<1>(inputs, before, after, added, removed);
}

/// Keeps so many blocks in registers while the rows are added.
#[inline(always)]
pub(super) fn update_by_tiles<const TILE: usize>(
    inputs: &[Block],
    before: [&[Block]; 2],
    after: &mut [Block],
    added: &[[u16; 2]],
    removed: &[[u16; 2]],
) {
    let blocks = after.len() / 2;
    for (view, (before, after)) in
        before.into_iter().zip(after.chunks_exact_mut(blocks)).enumerate()
    {
        let row = |row: &[u16; 2]| usize::from(row[view]) * blocks;
        let (added, removed) = (added.iter().map(row), removed.iter().map(row));
        let mut from = 0;
        while from + TILE <= blocks {
            update_tile::<TILE>(inputs, before, after, from, added.clone(), removed.clone());
            from += TILE;
        }
        while from < blocks {
            update_tile::<1>(inputs, before, after, from, added.clone(), removed.clone());
            from += 1;
        }
    }
}

#[inline(always)]
fn update_tile<const N: usize>(
    inputs: &[Block],
    before: &[Block],
    after: &mut [Block],
    from: usize,
    added: impl Iterator<Item = usize>,
    removed: impl Iterator<Item = usize>,
) {
    let mut tile = [before[from]; N];
    tile.copy_from_slice(&before[from..from + N]);
    for row in added {
        for (block, row) in tile.iter_mut().zip(&inputs[row + from..][..N]) {
            for lane in 0..Block::LEN {
                block.0[lane] = block.0[lane].wrapping_add(row.0[lane]);
            }
        }
    }
    for row in removed {
        for (block, row) in tile.iter_mut().zip(&inputs[row + from..][..N]) {
            for lane in 0..Block::LEN {
                block.0[lane] = block.0[lane].wrapping_sub(row.0[lane]);
            }
        }
    }
    after[from..from + N].copy_from_slice(&tile);
}

pub(super) fn squared_dot(layers: [&[Block]; 2], weights: [&[Block]; 2]) -> i64 {
    let mut sum = 0;
    for (layer, weights) in layers.into_iter().zip(weights) {
        for (layer, weights) in layer.iter().zip(weights) {
            // 32 products of at most 8192 * 2028 fit into 32 bits.
            let mut block = 0;
            for (value, weight) in layer.0.into_iter().zip(weights.0) {
                let cut = i32::from(value.clamp(0, INPUT_SCALE as i16));
                let square = (cut * cut + (1 << SQUARE_SHIFT >> 1)) >> SQUARE_SHIFT;
                block += i32::from(square as i16) * i32::from(weight);
            }
            sum += i64::from(block);
        }
    }
    sum
}

/// The activation 0..8192 of a value.
#[inline(always)]
fn activation(value: i16) -> i16 {
    let cut = i32::from(value.clamp(0, INPUT_SCALE as i16));
    ((cut * cut + (1 << SQUARE_SHIFT >> 1)) >> SQUARE_SHIFT) as i16
}

#[inline(always)]
pub(super) fn pool(layers: [&[Block]; 2], sums: &mut [Block], differences: &mut [Block]) {
    let half = layers[0].len() / 2;
    let views = sums.chunks_exact_mut(half).zip(differences.chunks_exact_mut(half));
    for (layer, (sums, differences)) in layers.into_iter().zip(views) {
        let (plain, mirrored) = layer.split_at(half);
        for at in 0..half {
            for lane in 0..Block::LEN {
                let [a, b] = [plain, mirrored].map(|half| activation(half[at].0[lane]));
                sums[at].0[lane] = a + b;
                differences[at].0[lane] = a - b;
            }
        }
    }
}

/// The compiler turns the inner loop into multiplications that add pairs of products.
#[inline(always)]
pub(super) fn dot_products(rows: &[Block], vector: &[Block], products: &mut [i32]) {
    for (row, product) in rows.chunks_exact(vector.len()).zip(products) {
        let mut sum = 0i32;
        for (row, vector) in row.iter().zip(vector) {
            for lane in 0..Block::LEN {
                sum = sum.wrapping_add(i32::from(row.0[lane]) * i32::from(vector.0[lane]));
            }
        }
        *product = sum;
    }
}
