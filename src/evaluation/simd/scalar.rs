//! Kernels in plain Rust, for every processor; the tests compare the others with them.

use super::block::Block;
use super::second_weights::SecondWeights;
use crate::evaluation::weights::{INPUT_SCALE, MAX_PAIRS, SQUARE_SHIFT};

pub(super) fn update(
    inputs: &[Block],
    halves: usize,
    before: [&[Block]; 2],
    after: &mut [Block],
    added: &[[u16; 4]],
    removed: &[[u16; 4]],
) {
    update_by_tiles::<1>(inputs, halves, before, after, added, removed);
}

/// Keeps this many blocks of each view in registers while the rows are added.
#[inline(always)]
pub(super) fn update_by_tiles<const TILE: usize>(
    inputs: &[Block],
    halves: usize,
    before: [&[Block]; 2],
    after: &mut [Block],
    added: &[[u16; 4]],
    removed: &[[u16; 4]],
) {
    let (red, black) = after.split_at_mut(after.len() / 2);
    let row_len = red.len() / halves;
    for half in 0..halves {
        let place = half * row_len;
        let before = [&before[0][place..][..row_len], &before[1][place..][..row_len]];
        let rows = |rows: &[u16; 4]| {
            [usize::from(rows[2 * half]) * row_len, usize::from(rows[2 * half + 1]) * row_len]
        };
        let (added, removed) = (added.iter().map(rows), removed.iter().map(rows));
        let (red, black) = (&mut red[place..][..row_len], &mut black[place..][..row_len]);
        let mut from = 0;
        while from + TILE <= row_len {
            let after = [&mut red[from..][..TILE], &mut black[from..][..TILE]];
            update_tile::<TILE>(inputs, before, after, from, added.clone(), removed.clone());
            from += TILE;
        }
        while from < row_len {
            let after = [&mut red[from..][..1], &mut black[from..][..1]];
            update_tile::<1>(inputs, before, after, from, added.clone(), removed.clone());
            from += 1;
        }
    }
}

#[inline(always)]
fn update_tile<const N: usize>(
    inputs: &[Block],
    before: [&[Block]; 2],
    after: [&mut [Block]; 2],
    from: usize,
    added: impl Iterator<Item = [usize; 2]>,
    removed: impl Iterator<Item = [usize; 2]>,
) {
    let mut tiles = [[before[0][from]; N], [before[1][from]; N]];
    for (tile, before) in tiles.iter_mut().zip(before) {
        tile.copy_from_slice(&before[from..from + N]);
    }
    for rows in added {
        for (tile, row) in tiles.iter_mut().zip(rows) {
            for (block, row) in tile.iter_mut().zip(&inputs[row + from..][..N]) {
                for lane in 0..Block::LEN {
                    block.0[lane] = block.0[lane].wrapping_add(row.0[lane]);
                }
            }
        }
    }
    for rows in removed {
        for (tile, row) in tiles.iter_mut().zip(rows) {
            for (block, row) in tile.iter_mut().zip(&inputs[row + from..][..N]) {
                for lane in 0..Block::LEN {
                    block.0[lane] = block.0[lane].wrapping_sub(row.0[lane]);
                }
            }
        }
    }
    for (after, tile) in after.into_iter().zip(tiles) {
        after.copy_from_slice(&tile);
    }
}

pub(super) fn squared_dot(layers: [&[Block]; 2], weights: [&[Block]; 2]) -> i64 {
    let mut sum = 0;
    for (layer, weights) in layers.into_iter().zip(weights) {
        for (layer, weights) in layer.iter().zip(weights) {
            // 32 products of at most 8192 * 2028 fit into 32 bits.
            let mut block = 0;
            for (value, weight) in layer.0.into_iter().zip(weights.0) {
                block += i32::from(activation(value)) * i32::from(weight);
            }
            sum += i64::from(block);
        }
    }
    sum
}

/// Returns the activation 0..8192 of a value.
#[inline(always)]
fn activation(value: i16) -> i16 {
    let cut = i32::from(value.clamp(0, INPUT_SCALE as i16));
    ((cut * cut + (1 << SQUARE_SHIFT >> 1)) >> SQUARE_SHIFT) as i16
}

pub(super) fn second_layer(
    layers: [&[Block]; 2],
    weights: &SecondWeights<'_>,
    pooled: &mut [Block],
) -> i64 {
    let len = weights.row;
    let (sums, differences) = pooled.split_at_mut(len);
    pool(layers, sums, differences);
    let pairs = weights.outputs.len();
    let mut s = [0; MAX_PAIRS + 1];
    let mut d = [0; MAX_PAIRS];
    dot_products(weights.sums, sums, &mut s[..=pairs]);
    dot_products(weights.differences, differences, &mut d[..pairs]);
    i64::from(s[0]) + weights.output_of_pairs(&s[1..], &d)
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

/// Computes the dot product of each row with the vector, modulo 2^32. The compiler vectorises the
/// inner loop with multiply-add instructions.
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
