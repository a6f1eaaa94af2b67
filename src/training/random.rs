//! Random numbers from a seed, the same on every machine.

/// SplitMix64 (G. Steele, D. Lea, C. Flood, 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The numbers of one of many independent streams of a seed.
    pub fn stream(seed: u64, stream: u64) -> Random {
        let mut mixer = Random(seed);
        let base = mixer.bits();
        let mut random = Random(base ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03));
        random.bits();
        random
    }

    /// The next 64 bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n`, which must not be 0 (D. Lemire's multiplication; the bias is below
    /// n / 2^64).
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// A number from 0 to just below 1.
    #[inline]
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Puts the items into random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}
