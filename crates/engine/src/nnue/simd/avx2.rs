//! Kernels for AVX2. The updates are the loops of `scalar`, compiled for it. The output is written
//! with intrinsics: it squares in 16 bits, which the compiler cannot prove sufficient.

use std::arch::x86_64::{
    __m256i, _mm_add_epi32, _mm_storeu_si128, _mm256_add_epi16, _mm256_add_epi32, _mm256_add_epi64,
    _mm256_castsi256_si128, _mm256_cvtepi32_epi64, _mm256_extracti128_si256, _mm256_hadd_epi32,
    _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16, _mm256_mulhrs_epi16,
    _mm256_set1_epi16, _mm256_setzero_si256, _mm256_slli_epi16, _mm256_store_si256,
    _mm256_storeu_si256, _mm256_sub_epi16,
};

use super::{Block, HALF_SHIFT, InputRows, SecondWeights};
use crate::nnue::arch::INPUT_SCALE;

compile_scalar_kernels!(1, 4, #[target_feature(enable = "avx2")]);

/// Returns the activations 0..8192 of values.
#[inline]
#[target_feature(enable = "avx2")]
fn activation(values: __m256i) -> __m256i {
    let one = _mm256_set1_epi16(INPUT_SCALE as i16);
    let cut = _mm256_min_epi16(_mm256_max_epi16(values, _mm256_setzero_si256()), one);
    let shifted = _mm256_slli_epi16::<HALF_SHIFT>(cut);
    _mm256_mulhrs_epi16(shifted, shifted)
}

/// Returns the sum of the activations times the weights, see `Simd::squared_dot`. Each sum of 32
/// bits takes two products of at most 8192 * 2028 per 16 numbers, so that 1024 numbers cannot
/// overflow it; the two views are added in 64 bits.
///
/// # Safety
/// The processor must have the instruction set of this file.
#[target_feature(enable = "avx2")]
pub(crate) unsafe fn squared_dot(layers: [&[Block]; 2], weights: [&[Block]; 2]) -> i64 {
    let mut sum = _mm256_setzero_si256();
    for (layer, weights) in layers.into_iter().zip(weights) {
        let mut sums = [_mm256_setzero_si256(); 2];
        for (layer, weights) in layer.iter().zip(weights) {
            let (value, weight) = (load(layer), load(weights));
            for half in 0..2 {
                let square = activation(value[half]);
                sums[half] = _mm256_add_epi32(sums[half], _mm256_madd_epi16(square, weight[half]));
            }
        }
        let view = _mm256_add_epi32(sums[0], sums[1]);
        let low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(view));
        let high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256::<1>(view));
        sum = _mm256_add_epi64(sum, _mm256_add_epi64(low, high));
    }
    let mut lanes = [0i64; 4];
    // SAFETY: the lanes have the size of the vector.
    unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast::<__m256i>(), sum) };
    lanes.into_iter().sum()
}

/// # Safety
/// The processor must have the instruction set of this file.
#[target_feature(enable = "avx2")]
pub(crate) unsafe fn second_layer(
    layers: [&[Block]; 2],
    weights: &SecondWeights<'_>,
    pooled: &mut [Block],
) -> i64 {
    match weights.shape() {
        // The shape of the built-in network.
        (8, 8) => second_layer_of::<8, 8>(layers, weights, pooled),
        _ => second_layer_of::<0, 0>(layers, weights, pooled),
    }
}

#[target_feature(enable = "avx2")]
fn second_layer_of<const ROW: usize, const PAIRS: usize>(
    layers: [&[Block]; 2],
    weights: &SecondWeights<'_>,
    pooled: &mut [Block],
) -> i64 {
    weights.output::<ROW, PAIRS>(
        layers,
        pooled,
        |layers, sums, differences| pool(layers, sums, differences),
        |rows, vector, products| dot_products::<ROW>(rows, vector, products),
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn pool(layers: [&[Block]; 2], sums: &mut [Block], differences: &mut [Block]) {
    let half = layers[0].len() / 2;
    let views = sums.chunks_exact_mut(half).zip(differences.chunks_exact_mut(half));
    for (layer, (sums, differences)) in layers.into_iter().zip(views) {
        let (plain, mirrored) = layer.split_at(half);
        let units = plain.iter().zip(mirrored);
        for ((plain, mirrored), (sum, difference)) in units.zip(sums.iter_mut().zip(differences)) {
            for vector in 0..2 {
                // SAFETY: a block is two aligned vectors.
                unsafe {
                    let [a, b] = [plain, mirrored].map(|block| {
                        let values = block.0.as_ptr().cast::<__m256i>().add(vector);
                        activation(_mm256_load_si256(values))
                    });
                    let sum = sum.0.as_mut_ptr().cast::<__m256i>().add(vector);
                    let difference = difference.0.as_mut_ptr().cast::<__m256i>().add(vector);
                    _mm256_store_si256(sum, _mm256_add_epi16(a, b));
                    _mm256_store_si256(difference, _mm256_sub_epi16(a, b));
                }
            }
        }
    }
}

/// Computes the dot product of each row with the vector, modulo 2^32; the rows are as long as it:
/// `ROW` blocks, or any number if it is 0.
#[inline]
#[target_feature(enable = "avx2")]
fn dot_products<const ROW: usize>(rows: &[Block], vector: &[Block], products: &mut [i32]) {
    let vector = if ROW > 0 { &vector[..ROW] } else { vector };
    let len = vector.len();
    let (groups, rest) = products.as_chunks_mut::<8>();
    let (rows, rows_of_rest) = rows.split_at(8 * len * groups.len());
    for (rows, products) in rows.chunks_exact(8 * len).zip(groups) {
        let [a, b, c, d, e, f, g, h] = multiply::<8>(rows, vector);
        let (first, second) = products.split_at_mut(4);
        first.copy_from_slice(&add_lanes([a, b, c, d]));
        second.copy_from_slice(&add_lanes([e, f, g, h]));
    }
    for (row, product) in rows_of_rest.chunks_exact(len).zip(rest) {
        let [sum] = multiply::<1>(row, vector);
        let zero = _mm256_setzero_si256();
        *product = add_lanes([sum, zero, zero, zero])[0];
    }
}

/// Returns the lanes of the products of `N` rows with a vector.
#[inline]
#[target_feature(enable = "avx2")]
fn multiply<const N: usize>(rows: &[Block], vector: &[Block]) -> [__m256i; N] {
    let len = vector.len();
    let mut sums = [_mm256_setzero_si256(); N];
    for (at, block) in vector.iter().enumerate() {
        let block = load(block);
        for (row, sum) in sums.iter_mut().enumerate() {
            let row = load(&rows[row * len + at]);
            for half in 0..2 {
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(row[half], block[half]));
            }
        }
    }
    sums
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(block: &Block) -> [__m256i; 2] {
    let vectors = block.0.as_ptr().cast::<__m256i>();
    // SAFETY: a block is two aligned vectors.
    unsafe { [_mm256_load_si256(vectors), _mm256_load_si256(vectors.add(1))] }
}

/// Sums the lanes of each vector.
#[inline]
#[target_feature(enable = "avx2")]
fn add_lanes(sums: [__m256i; 4]) -> [i32; 4] {
    let [a, b, c, d] = sums;
    let all = _mm256_hadd_epi32(_mm256_hadd_epi32(a, b), _mm256_hadd_epi32(c, d));
    let (low, high) = (_mm256_castsi256_si128(all), _mm256_extracti128_si256::<1>(all));
    let mut lanes = [0i32; 4];
    // SAFETY: the lanes have the size of the vector.
    unsafe { _mm_storeu_si128(lanes.as_mut_ptr().cast(), _mm_add_epi32(low, high)) };
    lanes
}
