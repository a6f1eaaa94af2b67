//! The kernels for AVX-512 (F and BW): as for AVX2, but one block is one vector.

use std::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_add_epi64, _mm512_castsi512_si256, _mm512_cvtepi32_epi64,
    _mm512_extracti64x4_epi64, _mm512_load_si512, _mm512_madd_epi16, _mm512_max_epi16,
    _mm512_min_epi16, _mm512_mulhrs_epi16, _mm512_reduce_add_epi64, _mm512_set1_epi16,
    _mm512_setzero_si512, _mm512_slli_epi16,
};

use super::block::Block;
use crate::evaluation::network::{INPUT_SCALE, SQUARE_SHIFT};

/// As in `avx2`.
const HALF_SHIFT: u32 = ((15 - SQUARE_SHIFT) / 2) as u32;

compile_scalar_kernels!(#[target_feature(enable = "avx512f,avx512bw")]);

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
