//! The kernels for AVX-512 (F and BW): as for AVX2, but one block is one vector.

use std::arch::x86_64::{
    __m512i, _mm256_add_epi32, _mm512_add_epi16, _mm512_add_epi32, _mm512_add_epi64,
    _mm512_castsi512_si256, _mm512_cvtepi32_epi64, _mm512_extracti64x4_epi64, _mm512_load_si512,
    _mm512_madd_epi16, _mm512_max_epi16, _mm512_min_epi16, _mm512_mulhrs_epi16,
    _mm512_reduce_add_epi64, _mm512_set1_epi16, _mm512_setzero_si512, _mm512_slli_epi16,
    _mm512_store_si512, _mm512_sub_epi16,
};

use super::block::Block;
use crate::evaluation::weights::{INPUT_SCALE, SQUARE_SHIFT};

/// As in `avx2`.
const HALF_SHIFT: u32 = ((15 - SQUARE_SHIFT) / 2) as u32;

compile_scalar_kernels!(4, #[target_feature(enable = "avx512f,avx512bw")]);

/// Each sum of 32 bits takes two products of at most 8192 * 2028 per 32 numbers, so that twice
/// 1024 numbers cannot overflow it.
///
/// # Safety
/// The processor must have the instruction set of this file.
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) unsafe fn squared_dot(layers: [&[Block]; 2], weights: [&[Block]; 2]) -> i64 {
    let zero = _mm512_setzero_si512();
    let one = _mm512_set1_epi16(INPUT_SCALE as i16);
    let mut sums = [zero; 2];
    for (view, (layer, weights)) in layers.into_iter().zip(weights).enumerate() {
        for (layer, weights) in layer.iter().zip(weights) {
            // SAFETY: a block is an aligned vector.
            let [value, weight] = [layer, weights]
                .map(|block| unsafe { _mm512_load_si512(block.0.as_ptr().cast::<__m512i>()) });
            let cut = _mm512_min_epi16(_mm512_max_epi16(value, zero), one);
            let shifted = _mm512_slli_epi16::<HALF_SHIFT>(cut);
            let square = _mm512_mulhrs_epi16(shifted, shifted);
            sums[view] = _mm512_add_epi32(sums[view], _mm512_madd_epi16(square, weight));
        }
    }
    let sum = _mm512_add_epi32(sums[0], sums[1]);
    let low = _mm512_cvtepi32_epi64(_mm512_castsi512_si256(sum));
    let high = _mm512_cvtepi32_epi64(_mm512_extracti64x4_epi64::<1>(sum));
    _mm512_reduce_add_epi64(_mm512_add_epi64(low, high))
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) unsafe fn pool(layers: [&[Block]; 2], sums: &mut [Block], differences: &mut [Block]) {
    let zero = _mm512_setzero_si512();
    let one = _mm512_set1_epi16(INPUT_SCALE as i16);
    let half = layers[0].len() / 2;
    let views = sums.chunks_exact_mut(half).zip(differences.chunks_exact_mut(half));
    for (layer, (sums, differences)) in layers.into_iter().zip(views) {
        let (plain, mirrored) = layer.split_at(half);
        let units = plain.iter().zip(mirrored);
        for ((plain, mirrored), (sum, difference)) in units.zip(sums.iter_mut().zip(differences)) {
            // SAFETY: a block is an aligned vector.
            unsafe {
                let [a, b] = [plain, mirrored].map(|block| {
                    let value = _mm512_load_si512(block.0.as_ptr().cast::<__m512i>());
                    let cut = _mm512_min_epi16(_mm512_max_epi16(value, zero), one);
                    let shifted = _mm512_slli_epi16::<HALF_SHIFT>(cut);
                    _mm512_mulhrs_epi16(shifted, shifted)
                });
                _mm512_store_si512(sum.0.as_mut_ptr().cast(), _mm512_add_epi16(a, b));
                _mm512_store_si512(difference.0.as_mut_ptr().cast(), _mm512_sub_epi16(a, b));
            }
        }
    }
}

/// # Safety
/// The processor must have the instruction set of this file.
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) unsafe fn dot_products(rows: &[Block], vector: &[Block], products: &mut [i32]) {
    let groups = rows.chunks(4 * vector.len()).zip(products.chunks_mut(4));
    for (rows, products) in groups {
        let sums = match products.len() {
            4 => multiply::<4>(rows, vector),
            3 => multiply::<3>(rows, vector),
            2 => multiply::<2>(rows, vector),
            _ => multiply::<1>(rows, vector),
        };
        let halves = sums.map(|sum| {
            _mm256_add_epi32(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64::<1>(sum))
        });
        products.copy_from_slice(&super::avx2::add_lanes(halves)[..products.len()]);
    }
}

/// The lanes of the products of `N` rows with a vector; the other sums are 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn multiply<const N: usize>(rows: &[Block], vector: &[Block]) -> [__m512i; 4] {
    // SAFETY: a block is an aligned vector.
    let load = |block: &Block| unsafe { _mm512_load_si512(block.0.as_ptr().cast::<__m512i>()) };
    let mut sums = [_mm512_setzero_si512(); 4];
    for (at, block) in vector.iter().enumerate() {
        let block = load(block);
        for (row, sum) in sums.iter_mut().enumerate().take(N) {
            let product = _mm512_madd_epi16(load(&rows[row * vector.len() + at]), block);
            *sum = _mm512_add_epi32(*sum, product);
        }
    }
    sums
}
