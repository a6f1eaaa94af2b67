//! The kernels for AVX2. The updates are the loops of `scalar`, compiled for it. The output is
//! written with intrinsics: it squares in 16 bits, and the compiler cannot know that this is enough.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_add_epi64, _mm256_castsi256_si128, _mm256_cvtepi32_epi64,
    _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16,
    _mm256_min_epi16, _mm256_mulhrs_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
    _mm256_slli_epi16, _mm256_storeu_si256,
};

use super::block::Block;
use crate::evaluation::network::{INPUT_SCALE, SQUARE_SHIFT};

/// The instruction multiplies, shifts right by 15 and rounds. Both factors are first shifted left by
/// this, so that the result is shifted right by [`SQUARE_SHIFT`].
const HALF_SHIFT: i32 = (15 - SQUARE_SHIFT) / 2;

compile_scalar_kernels!(#[target_feature(enable = "avx2")]);

/// Each sum of 32 bits takes two products of at most 8192 * 2028 per 16 numbers, so that 1024
/// numbers cannot overflow it; the two views are added in 64 bits.
///
/// # Safety
/// The processor must have the instruction set of this file.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn squared_dot(layers: [&[Block]; 2], weights: [&[Block]; 2]) -> i64 {
    let zero = _mm256_setzero_si256();
    let one = _mm256_set1_epi16(INPUT_SCALE as i16);
    let mut sum = zero;
    for (layer, weights) in layers.into_iter().zip(weights) {
        let mut sums = [zero; 2];
        for (layer, weights) in layer.iter().zip(weights) {
            // SAFETY: a block is two aligned vectors.
            let [value, weight] = [layer, weights].map(|block| unsafe {
                let vector = block.0.as_ptr().cast::<__m256i>();
                [_mm256_load_si256(vector), _mm256_load_si256(vector.add(1))]
            });
            for half in 0..2 {
                let cut = _mm256_min_epi16(_mm256_max_epi16(value[half], zero), one);
                let shifted = _mm256_slli_epi16::<HALF_SHIFT>(cut);
                let square = _mm256_mulhrs_epi16(shifted, shifted);
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
