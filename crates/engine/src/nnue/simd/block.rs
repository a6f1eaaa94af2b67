//! Unit of memory of the kernels.

use std::array;

use bytemuck::{Pod, Zeroable};

/// 32 numbers of 16 bits, aligned to a cache line: one vector of AVX-512, two of AVX2, four of
/// NEON. Layers and weights are slices of whole blocks, so that kernels need neither bounds checks
/// nor remainders, and no load crosses a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(super) [i16; Block::LEN]);

const _: () = assert!(size_of::<Block>() == 64 && align_of::<Block>() == 64);

impl Block {
    /// Numbers per block.
    pub(crate) const LEN: usize = 32;

    /// Copies numbers into blocks; their count must be a multiple of [`Block::LEN`].
    pub(in crate::nnue) fn collect(numbers: &[i16]) -> Vec<Block> {
        debug_assert!(numbers.len().is_multiple_of(Block::LEN));
        bytemuck::pod_collect_to_vec(numbers)
    }

    /// Adds number by number, modulo 2^16.
    #[inline(always)]
    pub(super) fn plus(&self, other: &Block) -> Block {
        Block(array::from_fn(|lane| self.0[lane].wrapping_add(other.0[lane])))
    }

    /// Subtracts number by number, modulo 2^16.
    #[inline(always)]
    pub(super) fn minus(&self, other: &Block) -> Block {
        Block(array::from_fn(|lane| self.0[lane].wrapping_sub(other.0[lane])))
    }
}
