//! The kernels for AVX2. The updates are the plain loops, compiled for it; the output is written
//! by hand: it squares in 16 bits, which the compiler cannot know to be enough.

use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_max_epi16,
    _mm256_min_epi16, _mm256_mulhrs_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
    _mm256_slli_epi16, _mm256_storeu_si256,
};

use super::scalar;
use crate::evaluation::network::{INPUT_SCALE, SQUARE_SHIFT};

/// Numbers of 16 bits in a vector.
const LANES: usize = 16;

/// The instruction shifts the square by 15 and rounds; shifting both factors by half of what is
/// too much makes that [`SQUARE_SHIFT`].
const HALF_SHIFT: i32 = (15 - SQUARE_SHIFT) / 2;

/// # Safety
/// The processor must have AVX2; so too for all functions of this file.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn add(layer: &mut [i16], added: &[i16]) {
    scalar::add(layer, added);
}

#[target_feature(enable = "avx2")]
pub(super) unsafe fn add_sub(before: &[i16], after: &mut [i16], added: &[i16], removed: &[i16]) {
    scalar::add_sub(before, after, added, removed);
}

#[target_feature(enable = "avx2")]
pub(super) unsafe fn add_sub_sub(
    before: &[i16],
    after: &mut [i16],
    added: &[i16],
    removed: &[i16],
    taken: &[i16],
) {
    scalar::add_sub_sub(before, after, added, removed, taken);
}

/// Each sum of 32 bits takes two products of at most 8192 * 2028 for 16 numbers, so that 1024
/// numbers cannot overflow it.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn squared_dot(layer: &[i16], weights: &[i16]) -> i64 {
    let mut lanes = [0i32; 8];
    // SAFETY: all loads lie within chunks of 16 numbers; the store within 8 numbers of 32 bits;
    // the caller has seen AVX2.
    unsafe {
        let zero = _mm256_setzero_si256();
        let one = _mm256_set1_epi16(INPUT_SCALE as i16);
        let mut sums = [zero; 2];
        let chunks = layer.chunks_exact(2 * LANES).zip(weights.chunks_exact(2 * LANES));
        for (layer, weights) in chunks {
            for (half, sum) in sums.iter_mut().enumerate() {
                let value = _mm256_loadu_si256(layer.as_ptr().add(half * LANES).cast::<__m256i>());
                let weight =
                    _mm256_loadu_si256(weights.as_ptr().add(half * LANES).cast::<__m256i>());
                let cut = _mm256_min_epi16(_mm256_max_epi16(value, zero), one);
                let shifted = _mm256_slli_epi16::<HALF_SHIFT>(cut);
                let square = _mm256_mulhrs_epi16(shifted, shifted);
                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(square, weight));
            }
        }
        let sum = _mm256_add_epi32(sums[0], sums[1]);
        _mm256_storeu_si256(lanes.as_mut_ptr().cast::<__m256i>(), sum);
    }
    lanes.into_iter().map(i64::from).sum()
}
