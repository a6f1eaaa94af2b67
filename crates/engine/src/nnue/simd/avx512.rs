//! Kernels for AVX-512 (F and BW): as for AVX2, but one block is one vector.

use std::arch::x86_64::{
    __m256i, __m512i, _mm256_storeu_si256, _mm512_add_epi16, _mm512_add_epi32, _mm512_add_epi64,
    _mm512_castsi512_si256, _mm512_cvtepi32_epi64, _mm512_extracti64x4_epi64, _mm512_load_si512,
    _mm512_madd_epi16, _mm512_max_epi16, _mm512_min_epi16, _mm512_mulhrs_epi16,
    _mm512_reduce_add_epi32, _mm512_reduce_add_epi64, _mm512_set1_epi16, _mm512_setzero_si512,
    _mm512_shuffle_i32x4, _mm512_slli_epi16, _mm512_store_si512, _mm512_sub_epi16,
    _mm512_unpackhi_epi32, _mm512_unpackhi_epi64, _mm512_unpacklo_epi32, _mm512_unpacklo_epi64,
};

use super::{Block, HALF_SHIFT, InputRows, SecondWeights};
use crate::nnue::arch::INPUT_SCALE;

compile_scalar_kernels!(2, 4, #[target_feature(enable = "avx512f,avx512bw")]);

/// Returns the activations 0..8192 of values.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn activation(values: __m512i) -> __m512i {
    let one = _mm512_set1_epi16(INPUT_SCALE as i16);
    let cut = _mm512_min_epi16(_mm512_max_epi16(values, _mm512_setzero_si512()), one);
    let shifted = _mm512_slli_epi16::<{ HALF_SHIFT as u32 }>(cut);
    _mm512_mulhrs_epi16(shifted, shifted)
}

/// Returns the sum of the activations times the weights, see `Simd::squared_dot`. Each sum of 32
/// bits takes two products of at most 8192 * 2028 per 32 numbers, so that twice 1024 numbers cannot
/// overflow it.
///
/// # Safety
/// The processor must have the instruction set of this file.
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) unsafe fn squared_dot(layers: [&[Block]; 2], weights: [&[Block]; 2]) -> i64 {
    let mut sums = [_mm512_setzero_si512(); 2];
    for (view, (layer, weights)) in layers.into_iter().zip(weights).enumerate() {
        for (layer, weights) in layer.iter().zip(weights) {
            let products = _mm512_madd_epi16(activation(load(layer)), load(weights));
            sums[view] = _mm512_add_epi32(sums[view], products);
        }
    }
    let sum = _mm512_add_epi32(sums[0], sums[1]);
    let low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(sum));
    let high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64::<1>(sum));
    _mm512_reduce_add_epi64(_mm512_add_epi64(low, high))
}

/// # Safety
/// The processor must have the instruction set of this file.
#[target_feature(enable = "avx512f,avx512bw")]
pub(crate) unsafe fn second_layer(
    layers: [&[Block]; 2],
    weights: &SecondWeights<'_>,
    pooled: &mut [Block],
) -> i64 {
    weights.output::<0, 0>(
        layers,
        pooled,
        |layers, sums, differences| pool(layers, sums, differences),
        |rows, vector, products| dot_products(rows, vector, products),
    )
}

/// Computes the activations of mirror pairs, `plain` and `mirrored` being the halves of each layer:
/// `sums = plain + mirrored` and `differences = plain - mirrored`, own view before opponent's.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn pool(layers: [&[Block]; 2], sums: &mut [Block], differences: &mut [Block]) {
    let half = layers[0].len() / 2;
    let (mut sums, mut differences) = (sums, differences);
    for layer in layers {
        let (plain, mirrored) = layer.split_at(half);
        let (sums_of_view, sums_left) = sums.split_at_mut(half);
        let (differences_of_view, differences_left) = differences.split_at_mut(half);
        let units = plain.iter().zip(mirrored);
        let pooled = sums_of_view.iter_mut().zip(differences_of_view);
        for ((plain, mirrored), (sum, difference)) in units.zip(pooled) {
            let [a, b] = [plain, mirrored].map(|block| activation(load(block)));
            // SAFETY: a block is an aligned vector.
            unsafe {
                _mm512_store_si512(sum.0.as_mut_ptr().cast(), _mm512_add_epi16(a, b));
                _mm512_store_si512(difference.0.as_mut_ptr().cast(), _mm512_sub_epi16(a, b));
            }
        }
        (sums, differences) = (sums_left, differences_left);
    }
}

/// Computes the dot product of each row with the vector, modulo 2^32; the rows are as long as it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn dot_products(rows: &[Block], vector: &[Block], products: &mut [i32]) {
    let len = vector.len();
    let (groups, rest) = products.as_chunks_mut::<8>();
    let (rows, rows_of_rest) = rows.split_at(8 * len * groups.len());
    for (rows, products) in rows.chunks_exact(8 * len).zip(groups) {
        let totals = add_lanes(&multiply::<8>(rows, vector));
        // SAFETY: there are eight products.
        unsafe { _mm256_storeu_si256(products.as_mut_ptr().cast(), totals) };
    }
    for (row, product) in rows_of_rest.chunks_exact(len).zip(rest) {
        let [sum] = multiply::<1>(row, vector);
        *product = _mm512_reduce_add_epi32(sum);
    }
}

/// Returns the lanes of the products of the first `N` rows with a vector.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn multiply<const N: usize>(rows: &[Block], vector: &[Block]) -> [__m512i; N] {
    let len = vector.len();
    let rows = rows[..N * len].as_ptr().cast::<__m512i>();
    let mut sums = [_mm512_setzero_si512(); N];
    for (at, block) in vector.iter().enumerate() {
        let block = load(block);
        let mut row = 0;
        while row < N {
            // SAFETY: there are `N` rows of `len` blocks, and a block is an aligned vector.
            let weights = unsafe { _mm512_load_si512(rows.add(row * len + at)) };
            sums[row] = _mm512_add_epi32(sums[row], _mm512_madd_epi16(weights, block));
            row += 1;
        }
    }
    sums
}

/// Sums the lanes of each vector.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn add_lanes(sums: &[__m512i; 8]) -> __m256i {
    let &[a, b, c, d, e, f, g, h] = sums;
    // Each step adds the halves of two vectors into one: lanes of 32 bits, of 64, of 128, of 256.
    let first = add_halves_64(add_halves_32(a, b), add_halves_32(c, d));
    let second = add_halves_64(add_halves_32(e, f), add_halves_32(g, h));
    let both = add_halves_256(first, second);
    _mm512_castsi512_si256(add_halves_256(both, both))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn add_halves_32(a: __m512i, b: __m512i) -> __m512i {
    _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn add_halves_64(a: __m512i, b: __m512i) -> __m512i {
    _mm512_add_epi32(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn add_halves_256(a: __m512i, b: __m512i) -> __m512i {
    const EVEN: i32 = 0b10_00_10_00;
    const ODD: i32 = 0b11_01_11_01;
    _mm512_add_epi32(_mm512_shuffle_i32x4::<EVEN>(a, b), _mm512_shuffle_i32x4::<ODD>(a, b))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn load(block: &Block) -> __m512i {
    // SAFETY: a block is an aligned vector.
    unsafe { _mm512_load_si512(block.0.as_ptr().cast::<__m512i>()) }
}
