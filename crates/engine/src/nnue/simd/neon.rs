//! Kernels for NEON, which every processor of the architecture has. The compiler vectorises the
//! loops of `scalar` for the updates; the output squares in 16 bits, as in `avx2`.

use std::arch::aarch64::{
    vaddlvq_s32, vdupq_n_s16, vdupq_n_s32, vget_high_s16, vget_low_s16, vld1q_s16, vmaxq_s16,
    vminq_s16, vmlal_s16, vqrdmulhq_s16, vshlq_n_s16,
};

use super::{Block, HALF_SHIFT, InputRows, SecondWeights};
use crate::nnue::arch::INPUT_SCALE;

/// Numbers of 16 bits in a vector.
const LANES: usize = 8;

compile_scalar_kernels!(1, 4);

/// Returns the sum of the activations times the weights, see `Simd::squared_dot`. Each sum of 32
/// bits takes one product of at most 8192 * 2028 per 8 numbers, so that 1024 numbers cannot
/// overflow it; the two views are added in 64 bits.
///
/// # Safety
/// The processor must have the instruction set of this file.
pub(crate) unsafe fn squared_dot(layers: [&[Block]; 2], weights: [&[Block]; 2]) -> i64 {
    let mut sum = 0;
    for (layer, weights) in layers.into_iter().zip(weights) {
        // SAFETY: all loads lie within chunks of 8 numbers.
        unsafe {
            let (zero, one) = (vdupq_n_s16(0), vdupq_n_s16(INPUT_SCALE as i16));
            let mut sums = [vdupq_n_s32(0); 2];
            for (layer, weights) in layer.iter().zip(weights) {
                let vectors = layer.0.chunks_exact(LANES).zip(weights.0.chunks_exact(LANES));
                for (layer, weights) in vectors {
                    let cut = vminq_s16(vmaxq_s16(vld1q_s16(layer.as_ptr()), zero), one);
                    let shifted = vshlq_n_s16::<HALF_SHIFT>(cut);
                    let square = vqrdmulhq_s16(shifted, shifted);
                    let weight = vld1q_s16(weights.as_ptr());
                    sums[0] = vmlal_s16(sums[0], vget_low_s16(square), vget_low_s16(weight));
                    sums[1] = vmlal_s16(sums[1], vget_high_s16(square), vget_high_s16(weight));
                }
            }
            sum += vaddlvq_s32(sums[0]) + vaddlvq_s32(sums[1]);
        }
    }
    sum
}

/// # Safety
/// NEON is part of the architecture.
pub(crate) unsafe fn second_layer(
    layers: [&[Block]; 2],
    weights: &SecondWeights<'_>,
    pooled: &mut [Block],
) -> i64 {
    super::scalar::second_layer(layers, weights, pooled)
}
