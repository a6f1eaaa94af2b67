//! Kernels for the vectors of WebAssembly, for modules that are compiled with them. The updates are
//! the loops of `scalar`; the output squares in 16 bits, as in `avx2`.

use std::arch::wasm32::{
    i16x8_add, i16x8_max, i16x8_min, i16x8_q15mulr_sat, i16x8_shl, i16x8_splat, i16x8_sub,
    i32x4_add, i32x4_dot_i16x8, i32x4_extract_lane, i32x4_shuffle, i32x4_splat, i64x2_add,
    i64x2_extend_high_i32x4, i64x2_extend_low_i32x4, i64x2_extract_lane, i64x2_splat, v128,
    v128_load, v128_store,
};

use super::{Block, HALF_SHIFT, InputRows, SecondWeights};
use crate::nnue::arch::INPUT_SCALE;

/// Vectors in a block.
const VECTORS: usize = 4;

compile_scalar_kernels!(1, 2);

#[inline(always)]
fn load(block: &Block) -> [v128; VECTORS] {
    let start = block.0.as_ptr().cast::<v128>();
    // SAFETY: a block is four vectors.
    std::array::from_fn(|at| unsafe { v128_load(start.add(at)) })
}

#[inline(always)]
fn store(block: &mut Block, vectors: [v128; VECTORS]) {
    let start = block.0.as_mut_ptr().cast::<v128>();
    for (at, vector) in vectors.into_iter().enumerate() {
        // SAFETY: a block is four vectors.
        unsafe { v128_store(start.add(at), vector) };
    }
}

/// Returns the activations 0..8192 of values.
#[inline(always)]
fn activation(values: v128) -> v128 {
    let cut = i16x8_min(i16x8_max(values, i16x8_splat(0)), i16x8_splat(INPUT_SCALE as i16));
    let shifted = i16x8_shl(cut, HALF_SHIFT as u32);
    i16x8_q15mulr_sat(shifted, shifted)
}

/// Returns the output. Each sum of 32 bits takes two products of at most 8192 * 2028 per 32
/// numbers, so that 1024 numbers cannot overflow it; they are added in 64 bits.
///
/// # Safety
/// The module is compiled for the instruction set of this file.
pub(crate) unsafe fn squared_dot(layers: [&[Block]; 2], weights: [&[Block]; 2]) -> i64 {
    let mut sum = i64x2_splat(0);
    for (layer, weights) in layers.into_iter().zip(weights) {
        let mut sums = [i32x4_splat(0); VECTORS];
        for (layer, weights) in layer.iter().zip(weights) {
            let products = load(layer).into_iter().zip(load(weights));
            for (sum, (value, weight)) in sums.iter_mut().zip(products) {
                *sum = i32x4_add(*sum, i32x4_dot_i16x8(activation(value), weight));
            }
        }
        for lanes in sums {
            let halves = i64x2_add(i64x2_extend_low_i32x4(lanes), i64x2_extend_high_i32x4(lanes));
            sum = i64x2_add(sum, halves);
        }
    }
    i64x2_extract_lane::<0>(sum) + i64x2_extract_lane::<1>(sum)
}

/// # Safety
/// The module is compiled for the instruction set of this file.
pub(crate) unsafe fn second_layer(
    layers: [&[Block]; 2],
    weights: &SecondWeights<'_>,
    pooled: &mut [Block],
) -> i64 {
    weights.output::<0, 0>(layers, pooled, pool, dot_products)
}

#[inline]
fn pool(layers: [&[Block]; 2], sums: &mut [Block], differences: &mut [Block]) {
    let half = layers[0].len() / 2;
    let views = sums.chunks_exact_mut(half).zip(differences.chunks_exact_mut(half));
    for (layer, (sums, differences)) in layers.into_iter().zip(views) {
        let (plain, mirrored) = layer.split_at(half);
        let units = plain.iter().zip(mirrored);
        for ((plain, mirrored), (sum, difference)) in units.zip(sums.iter_mut().zip(differences)) {
            let [a, b] = [plain, mirrored].map(|block| load(block).map(activation));
            store(sum, std::array::from_fn(|at| i16x8_add(a[at], b[at])));
            store(difference, std::array::from_fn(|at| i16x8_sub(a[at], b[at])));
        }
    }
}

/// Computes the dot product of each row with the vector, modulo 2^32; the rows are as long as it.
#[inline]
fn dot_products(rows: &[Block], vector: &[Block], products: &mut [i32]) {
    for (row, product) in rows.chunks_exact(vector.len()).zip(products) {
        let mut sums = [i32x4_splat(0); VECTORS];
        for (row, vector) in row.iter().zip(vector) {
            let pairs = load(row).into_iter().zip(load(vector));
            for (sum, (row, vector)) in sums.iter_mut().zip(pairs) {
                *sum = i32x4_add(*sum, i32x4_dot_i16x8(row, vector));
            }
        }
        let [a, b, c, d] = sums;
        *product = sum_of_lanes(i32x4_add(i32x4_add(a, b), i32x4_add(c, d)));
    }
}

#[inline(always)]
fn sum_of_lanes(lanes: v128) -> i32 {
    let pairs = i32x4_add(lanes, i32x4_shuffle::<2, 3, 0, 1>(lanes, lanes));
    i32x4_extract_lane::<0>(pairs).wrapping_add(i32x4_extract_lane::<1>(pairs))
}
