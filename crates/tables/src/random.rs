//! Random numbers from a seed: the same on every machine and in every build, so that a self-play
//! game, a training run or a shuffled book can be made again from its seed.
//!
//! The generator is SplitMix64 of the crate `rand_xoshiro`, whose output for a seed is fixed by its
//! publication (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014). What
//! is drawn from it is computed here and not by `rand`, whose ways to draw numbers and to shuffle
//! may change with its versions.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

use web_time::{SystemTime, UNIX_EPOCH};

/// Returns a seed that differs from run to run, and need not be secret.
pub fn fresh_seed() -> u64 {
    // In WebAssembly only the clock differs.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Random::stream(RandomState::new().build_hasher().finish(), now.as_nanos() as u64).bits()
}

/// A generator; equal seeds give equal numbers.
#[derive(Clone, Debug)]
pub struct Random(SplitMix64);

impl Random {
    /// Returns the numbers of a seed.
    pub fn new(seed: u64) -> Random {
        Random(SplitMix64::seed_from_u64(seed))
    }

    /// Returns the numbers of one of many independent streams of a seed.
    pub fn stream(seed: u64, stream: u64) -> Random {
        // Any odd constant keeps the seeds of two streams apart.
        let seed = Random::new(seed).bits() ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03);
        let mut random = Random::new(seed);
        random.bits();
        random
    }

    /// Returns the next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a number below `n`, which must not be 0 (D. Lemire's multiplication; the bias is
    /// below n / 2^64).
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// Returns a number in `0.0..1.0`, a multiple of 2^-24.
    #[inline]
    pub fn unit_f32(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Returns a number in `0.0..1.0`, a multiple of 2^-53.
    #[inline]
    pub fn unit_f64(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns an index drawn with the given probabilities, which are not empty and add up to 1.
    pub fn choose(&mut self, probabilities: &[f64]) -> usize {
        let mut rest = self.unit_f64();
        for (index, probability) in probabilities.iter().enumerate() {
            rest -= probability;
            if rest < 0.0 {
                return index;
            }
        }
        probabilities.len() - 1
    }

    /// Puts the items into random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_seed_are_those_of_the_publication() {
        // From the reference implementation in C by S. Vigna, seed 1234567.
        let mut random = Random::new(1_234_567);
        let numbers = [(); 3].map(|()| random.bits());
        let published =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(numbers, published);
    }

    #[test]
    fn streams_of_one_seed_differ() {
        let mut firsts: Vec<u64> = (0..1000).map(|i| Random::stream(5, i).bits()).collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), 1000);
    }

    #[test]
    fn numbers_stay_below_their_bound_and_reach_every_value() {
        let mut random = Random::new(1);
        let mut counts = [0u32; 7];
        for _ in 0..7000 {
            counts[random.below(7)] += 1;
            assert!((0.0..1.0).contains(&random.unit_f32()));
            assert!((0.0..1.0).contains(&random.unit_f64()));
        }
        assert!(counts.iter().all(|count| (800..1200).contains(count)), "{counts:?}");
    }

    #[test]
    fn shuffling_keeps_every_item() {
        let mut items: Vec<u32> = (0..100).collect();
        Random::new(3).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
