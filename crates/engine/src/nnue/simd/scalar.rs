//! Kernels in plain Rust, for every processor; the tests compare the others with them.

use std::array;

use super::{Block, InputRows, SecondWeights};
use crate::nnue::arch::{INPUT_SCALE, SQUARE_SHIFT};

pub(crate) fn update(
    inputs: &[Block],
    row_len: usize,
    before: [&[Block]; 2],
    after: &mut [Block],
    added: &[InputRows],
    removed: &[InputRows],
) {
    update_by_tiles::<1, 1>(inputs, row_len, before, after, added, removed);
}

/// Computes the layers with `TILE` blocks of each of `PARTS` parts of them in registers.
#[inline(always)]
pub(crate) fn update_by_tiles<const PARTS: usize, const TILE: usize>(
    inputs: &[Block],
    row_len: usize,
    before: [&[Block]; 2],
    after: &mut [Block],
    added: &[InputRows],
    removed: &[InputRows],
) {
    let parts: usize = if row_len == before[0].len() { 2 } else { 4 };
    if !parts.is_multiple_of(PARTS) || !row_len.is_multiple_of(TILE) {
        update_parts::<1, 1>(inputs, parts, row_len, before, after, added, removed);
    } else if PARTS == 1 && parts == 4 && row_len == TILE {
        // The shape of the built-in network with AVX2 or NEON: no multiplication for each row.
        update_parts::<PARTS, TILE>(inputs, 4, TILE, before, after, added, removed);
    } else {
        update_parts::<PARTS, TILE>(inputs, parts, row_len, before, after, added, removed);
    }
}

/// Keeps `TILE` blocks of each of `PARTS` parts of the layers in registers while the rows are
/// added. The parts are in the order of [`InputRows`]: the first halves of both views, then the
/// second ones.
#[inline(always)]
fn update_parts<const PARTS: usize, const TILE: usize>(
    inputs: &[Block],
    parts: usize,
    row_len: usize,
    before: [&[Block]; 2],
    after: &mut [Block],
    added: &[InputRows],
    removed: &[InputRows],
) {
    let width = before[0].len();
    let tiles = row_len / TILE;
    let (inputs, _) = inputs.as_chunks::<TILE>();
    for group in 0..parts / PARTS {
        let first = group * PARTS;
        for tile in 0..tiles {
            let place = |part: usize| (part % 2, part / 2 * row_len + tile * TILE);
            let mut sums: [[Block; TILE]; PARTS] = array::from_fn(|part| {
                let (view, from) = place(first + part);
                array::from_fn(|at| before[view][from..][..TILE][at])
            });
            let row = |rows: &InputRows, part: usize| {
                &inputs[usize::from(rows[first + part]) * tiles + tile]
            };
            for rows in added {
                for (part, sums) in sums.iter_mut().enumerate() {
                    for (sum, row) in sums.iter_mut().zip(row(rows, part)) {
                        *sum = sum.plus(row);
                    }
                }
            }
            for rows in removed {
                for (part, sums) in sums.iter_mut().enumerate() {
                    for (sum, row) in sums.iter_mut().zip(row(rows, part)) {
                        *sum = sum.minus(row);
                    }
                }
            }
            for (part, sums) in sums.iter().enumerate() {
                let (view, from) = place(first + part);
                after[view * width + from..][..TILE].copy_from_slice(sums);
            }
        }
    }
}

pub(crate) fn squared_dot(layers: [&[Block]; 2], weights: [&[Block]; 2]) -> i64 {
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

pub(crate) fn second_layer(
    layers: [&[Block]; 2],
    weights: &SecondWeights<'_>,
    pooled: &mut [Block],
) -> i64 {
    weights.output::<0, 0>(layers, pooled, pool, dot_products)
}

#[inline(always)]
pub(crate) fn pool(layers: [&[Block]; 2], sums: &mut [Block], differences: &mut [Block]) {
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
pub(crate) fn dot_products(rows: &[Block], vector: &[Block], products: &mut [i32]) {
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
