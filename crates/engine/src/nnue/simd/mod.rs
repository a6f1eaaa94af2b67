//! Inner loops of the network, with one file per instruction set, chosen once at run time. All of
//! them give the same numbers bit for bit; the tests compare them with `scalar`.

use std::array;

use bytemuck::{Pod, Zeroable};

use super::arch::{ACTIVATION_SCALE, MAX_PAIRS, SECOND_SCALE, SQUARE_SHIFT};
use super::features::InputRows;

/// Defines the kernels for which the loops of `scalar` suffice, compiled for an instruction set.
/// `$parts` times `$tile` is the number of blocks that fit its registers, with room for a few more.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128"))]
macro_rules! compile_scalar_kernels {
    ($parts:literal, $tile:literal $(, #[$attribute:meta])*) => {
        /// # Safety
        /// The processor must have the instruction set of this file.
        $(#[$attribute])*
        pub(crate) unsafe fn update(
            inputs: &[Block],
            row_len: usize,
            before: [&[Block]; 2],
            after: &mut [Block],
            added: &[InputRows],
            removed: &[InputRows],
        ) {
            super::scalar::update_by_tiles::<$parts, $tile>(
                inputs, row_len, before, after, added, removed,
            );
        }
    };
}

/// The instructions that square multiply, shift right by 15 and round. Both factors are first
/// shifted left by this, so that the result is shifted right by `SQUARE_SHIFT`.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128"))]
const HALF_SHIFT: i32 = (15 - SQUARE_SHIFT) / 2;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
#[cfg(target_feature = "simd128")]
mod simd128;

/// 32 numbers of 16 bits, aligned to a cache line: one vector of AVX-512, two of AVX2, four of
/// NEON. Layers and weights are slices of whole blocks, so that kernels need neither bounds checks
/// nor remainders, and no load crosses a cache line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Block([i16; Block::LEN]);

const _: () = assert!(size_of::<Block>() == 64 && align_of::<Block>() == 64);

impl Block {
    /// Numbers per block.
    pub(crate) const LEN: usize = 32;

    /// Copies numbers into blocks; their count must be a multiple of [`Block::LEN`].
    pub(crate) fn collect(numbers: &[i16]) -> Vec<Block> {
        debug_assert!(numbers.len().is_multiple_of(Block::LEN));
        bytemuck::pod_collect_to_vec(numbers)
    }

    /// Adds number by number, modulo 2^16.
    #[inline(always)]
    fn plus(&self, other: &Block) -> Block {
        Block(array::from_fn(|lane| self.0[lane].wrapping_add(other.0[lane])))
    }

    /// Subtracts number by number, modulo 2^16.
    #[inline(always)]
    fn minus(&self, other: &Block) -> Block {
        Block(array::from_fn(|lane| self.0[lane].wrapping_sub(other.0[lane])))
    }
}

/// An instruction set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Simd {
    /// Plain Rust, for every processor of the architecture.
    Scalar,
    /// 16 numbers of 16 bits at once.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 32 numbers of 16 bits at once.
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// 8 numbers of 16 bits at once.
    #[cfg(target_arch = "aarch64")]
    Neon,
    /// 8 numbers of 16 bits at once, in a WebAssembly module compiled with this extension.
    #[cfg(target_feature = "simd128")]
    Simd128,
}

/// Calls the kernel of the chosen instruction set.
macro_rules! dispatch {
    ($simd:expr, $kernel:ident ( $($argument:expr),* )) => {
        match $simd {
            Simd::Scalar => scalar::$kernel($($argument),*),
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a network has the value only where `is_available` has seen AVX2.
            Simd::Avx2 => unsafe { avx2::$kernel($($argument),*) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a network has the value only where `is_available` has seen AVX-512 F and BW.
            Simd::Avx512 => unsafe { avx512::$kernel($($argument),*) },
            #[cfg(target_arch = "aarch64")]
            // SAFETY: NEON is part of the architecture.
            Simd::Neon => unsafe { neon::$kernel($($argument),*) },
            #[cfg(target_feature = "simd128")]
            // SAFETY: the whole module is compiled for it.
            Simd::Simd128 => unsafe { simd128::$kernel($($argument),*) },
        }
    };
}

impl Simd {
    /// All instruction sets of this architecture, from best to worst.
    pub const ALL: &[Simd] = &[
        #[cfg(target_arch = "x86_64")]
        Simd::Avx512,
        #[cfg(target_arch = "x86_64")]
        Simd::Avx2,
        #[cfg(target_arch = "aarch64")]
        Simd::Neon,
        #[cfg(target_feature = "simd128")]
        Simd::Simd128,
        Simd::Scalar,
    ];

    /// Returns the best instruction set of this processor.
    pub fn detect() -> Simd {
        Simd::ALL.iter().copied().find(|simd| simd.is_available()).unwrap_or(Simd::Scalar)
    }

    /// Returns whether this processor supports it.
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => {
                is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw")
            }
            _ => true,
        }
    }

    /// Returns the usual name.
    pub const fn name(self) -> &'static str {
        match self {
            Simd::Scalar => "scalar",
            #[cfg(target_arch = "x86_64")]
            Simd::Avx2 => "AVX2",
            #[cfg(target_arch = "x86_64")]
            Simd::Avx512 => "AVX-512",
            #[cfg(target_arch = "aarch64")]
            Simd::Neon => "NEON",
            #[cfg(target_feature = "simd128")]
            Simd::Simd128 => "SIMD128",
        }
    }

    /// Computes `after = before + added - removed` for the layers of both views; `added` and
    /// `removed` are indices of rows of `inputs`. A row has `row_len` blocks: those of a layer, or
    /// half of them. Then the first two indices belong to the views' first halves, the others to
    /// their second ones.
    #[inline]
    pub(crate) fn update(
        self,
        inputs: &[Block],
        row_len: usize,
        before: [&[Block]; 2],
        after: &mut [Block],
        added: &[InputRows],
        removed: &[InputRows],
    ) {
        dispatch!(self, update(inputs, row_len, before, after, added, removed));
    }

    /// Returns the sum of the activations times `w` over both layers. The activation of `x` is its
    /// square, `x` being limited to 0..1024, shifted by 7 with rounding: at most 8192.
    #[inline]
    pub(crate) fn squared_dot(self, layers: [&[Block]; 2], weights: [&[Block]; 2]) -> i64 {
        dispatch!(self, squared_dot(layers, weights))
    }

    /// Returns the output of a second layer, see [`SecondWeights`], without its bias. `pooled` has the
    /// size of both layers.
    #[inline]
    pub(crate) fn second_layer(
        self,
        layers: [&[Block]; 2],
        weights: &SecondWeights<'_>,
        pooled: &mut [Block],
    ) -> i64 {
        dispatch!(self, second_layer(layers, weights, pooled))
    }
}

/// Weights of one bucket, see `Network`; a row is as long as a layer.
pub(crate) struct SecondWeights<'a> {
    /// Blocks of a row.
    pub(crate) row: usize,
    /// `[direct output, then pairs][row]`
    pub(crate) sums: &'a [Block],
    /// `[pair][row]`
    pub(crate) differences: &'a [Block],
    /// `[pair]`
    pub(crate) biases: &'a [i32],
    /// `[pair]`
    pub(crate) outputs: &'a [i16],
}

/// A hidden value of 1.0 in the second layer.
const ONE: i32 = ACTIVATION_SCALE * SECOND_SCALE;

impl SecondWeights<'_> {
    /// Returns the blocks of a row and the number of pairs.
    #[inline(always)]
    fn shape(&self) -> (usize, usize) {
        (self.row, self.outputs.len())
    }

    /// Returns the output without its bias. `pool` computes sums and differences of the activations
    /// of mirror pairs, own view before opponent's; `dot_products` the products of rows with a
    /// vector, modulo 2^32. Loops for a constant `ROW` and `PAIRS` are unrolled; 0 stands for the
    /// numbers of these weights.
    #[inline(always)]
    fn output<const ROW: usize, const PAIRS: usize>(
        &self,
        layers: [&[Block]; 2],
        pooled: &mut [Block],
        pool: impl Fn([&[Block]; 2], &mut [Block], &mut [Block]),
        dot_products: impl Fn(&[Block], &[Block], &mut [i32]),
    ) -> i64 {
        let (row, pairs) = if ROW > 0 { (ROW, PAIRS) } else { self.shape() };
        let (sums, differences) = pooled[..2 * row].split_at_mut(row);
        pool(layers.map(|layer| &layer[..row]), sums, differences);
        let (direct_rows, rows) = self.sums.split_at(row);
        let (mut direct, mut s, mut d) = ([0], [0; MAX_PAIRS], [0; MAX_PAIRS]);
        dot_products(direct_rows, sums, &mut direct);
        dot_products(&rows[..pairs * row], sums, &mut s[..pairs]);
        dot_products(&self.differences[..pairs * row], differences, &mut d[..pairs]);
        i64::from(direct[0]) + self.output_of_pairs(&s[..pairs], &d[..pairs])
    }

    /// Returns the contribution of the pairs to the output, from the products of their rows of both
    /// kinds of weights.
    #[inline(always)]
    fn output_of_pairs(&self, sums: &[i32], differences: &[i32]) -> i64 {
        let units = self.biases.iter().zip(self.outputs);
        let products = sums.iter().zip(differences);
        let outputs = units.zip(products).map(|((bias, output), (s, d))| {
            let both = activation(bias + s + *d) + activation(bias + s - *d);
            // Twice 8192 times a weight of 16 bits fits 32 bits, but the sum of the pairs does not.
            i64::from(both * i32::from(*output))
        });
        outputs.sum()
    }
}

/// Returns the activation 0..8192 of a hidden value.
#[inline(always)]
fn activation(value: i32) -> i32 {
    // The square of 15 bits fits 32 bits.
    const SHIFT: u32 = ONE.ilog2() - 15;
    const SQUARE_SHIFT: u32 = 30 - ACTIVATION_SCALE.ilog2();
    let value = (value.clamp(0, ONE) + (1 << SHIFT >> 1)) >> SHIFT;
    (value * value + (1 << SQUARE_SHIFT >> 1)) >> SQUARE_SHIFT
}
