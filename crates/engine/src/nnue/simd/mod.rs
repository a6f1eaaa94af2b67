//! Inner loops of the network, with one file per instruction set, chosen once at run time. All of
//! them give the same numbers bit for bit; the tests compare them with `scalar`.

/// Defines the kernels for which the loops of `scalar` suffice, compiled for an instruction set.
/// `$parts` times `$tile` is the number of blocks that fit its registers, with room for a few more.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128"))]
macro_rules! compile_scalar_kernels {
    ($parts:literal, $tile:literal $(, #[$attribute:meta])*) => {
        /// # Safety
        /// The processor must have the instruction set of this file.
        $(#[$attribute])*
        pub(super) unsafe fn update(
            inputs: &[Block],
            row_len: usize,
            before: [&[Block]; 2],
            after: &mut [Block],
            added: &[super::InputRows],
            removed: &[super::InputRows],
        ) {
            super::scalar::update_by_tiles::<$parts, $tile>(inputs, row_len, before, after, added, removed);
        }
    };
}

/// The instructions that square multiply, shift right by 15 and round. Both factors are first
/// shifted left by this, so that the result is shifted right by `SQUARE_SHIFT`.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64", target_feature = "simd128"))]
const HALF_SHIFT: i32 = (15 - super::weights::SQUARE_SHIFT) / 2;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod block;
#[cfg(target_arch = "aarch64")]
mod neon;
mod scalar;
mod second_weights;
#[cfg(target_feature = "simd128")]
mod simd128;

pub(super) use block::Block;
pub(super) use second_weights::SecondWeights;

use super::input_rows::InputRows;

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
    pub(super) fn update(
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
    pub(super) fn squared_dot(self, layers: [&[Block]; 2], weights: [&[Block]; 2]) -> i64 {
        dispatch!(self, squared_dot(layers, weights))
    }

    /// Returns the output of a second layer, see `second_layer`, without its bias. `pooled` has the
    /// size of both layers.
    #[inline]
    pub(super) fn second_layer(
        self,
        layers: [&[Block]; 2],
        weights: &SecondWeights<'_>,
        pooled: &mut [Block],
    ) -> i64 {
        dispatch!(self, second_layer(layers, weights, pooled))
    }
}
