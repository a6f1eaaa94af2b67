//! The kernels for NEON. The compiler vectorises the updates by itself, since every processor of
//! the architecture has NEON; the output squares in 16 bits, as in `avx2`.

use std::arch::aarch64::{
    vaddlvq_s32, vdupq_n_s16, vdupq_n_s32, vget_high_s16, vget_low_s16, vld1q_s16, vmaxq_s16,
    vminq_s16, vmlal_s16, vqrdmulhq_s16, vshlq_n_s16,
};

use super::scalar;
use crate::evaluation::network::{INPUT_SCALE, SQUARE_SHIFT};

/// Numbers of 16 bits in a vector.
const LANES: usize = 8;

/// The instruction shifts the square by 15 and rounds; shifting both factors by half of what is
/// too much makes that [`SQUARE_SHIFT`].
const HALF_SHIFT: i32 = (15 - SQUARE_SHIFT) / 2;

/// # Safety
/// The processor must have NEON; so too for all functions of this file.
pub(super) unsafe fn add(layer: &mut [i16], added: &[i16]) {
    scalar::add(layer, added);
}

pub(super) unsafe fn add_sub(before: &[i16], after: &mut [i16], added: &[i16], removed: &[i16]) {
    scalar::add_sub(before, after, added, removed);
}

pub(super) unsafe fn add_sub_sub(
    before: &[i16],
    after: &mut [i16],
    added: &[i16],
    removed: &[i16],
    taken: &[i16],
) {
    scalar::add_sub_sub(before, after, added, removed, taken);
}

/// Each sum of 32 bits takes one product of at most 8192 * 2028 for 8 numbers, so that 1024 numbers
/// cannot overflow it.
pub(super) unsafe fn squared_dot(layer: &[i16], weights: &[i16]) -> i64 {
    // SAFETY: all loads lie within chunks of 8 numbers.
    unsafe {
        let (zero, one) = (vdupq_n_s16(0), vdupq_n_s16(INPUT_SCALE as i16));
        let mut sums = [vdupq_n_s32(0); 2];
        for (layer, weights) in layer.chunks_exact(LANES).zip(weights.chunks_exact(LANES)) {
            let cut = vminq_s16(vmaxq_s16(vld1q_s16(layer.as_ptr()), zero), one);
            let square =
                vqrdmulhq_s16(vshlq_n_s16::<HALF_SHIFT>(cut), vshlq_n_s16::<HALF_SHIFT>(cut));
            let weight = vld1q_s16(weights.as_ptr());
            sums[0] = vmlal_s16(sums[0], vget_low_s16(square), vget_low_s16(weight));
            sums[1] = vmlal_s16(sums[1], vget_high_s16(square), vget_high_s16(weight));
        }
        vaddlvq_s32(sums[0]) + vaddlvq_s32(sums[1])
    }
}
