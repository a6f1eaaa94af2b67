//! SplitMix64, so that simulated tournaments in the tests are the same on every run.
//!
//! Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014).

/// The generator; equal seeds give equal sequences.
pub(super) struct SplitMix64(pub(super) u64);

impl SplitMix64 {
    /// The next 64 random bits.
    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number drawn evenly from `0.0..1.0`.
    pub(super) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// An index drawn with the given probabilities, which add up to 1.
    pub(super) fn choose(&mut self, probabilities: &[f64]) -> usize {
        let mut rest = self.unit();
        for (index, probability) in probabilities.iter().enumerate() {
            rest -= probability;
            if rest < 0.0 {
                return index;
            }
        }
        probabilities.len() - 1
    }
}
