//! An adaptive binary range coder: the better a bit is predicted, the less it costs.
//!
//! Encoder and decoder share one method, [`BitCoder::bit`], so that a model is written once: the
//! decoder ignores the bit that it is given and returns the one it reads. Probabilities are
//! integers, so every machine computes the same ones.

/// The probability that a bit is set, learned from the bits before: at first their mean, later a
/// mean that forgets slowly.
#[derive(Clone, Copy)]
pub(super) struct Probability {
    /// In parts of [`ONE`].
    value: u32,
    /// Bits so far, up to [`MEMORY`].
    count: u32,
}

const ONE: u32 = 1 << 22;
/// Bits that the mean remembers.
const MEMORY: u32 = 1000;

impl Default for Probability {
    fn default() -> Probability {
        Probability { value: ONE / 2, count: 0 }
    }
}

impl Probability {
    /// Returns the probability in 65536ths, never 0 or 1.
    fn share(self) -> u32 {
        (self.value >> 6).clamp(24, 65_536 - 24)
    }

    fn learn(&mut self, bit: bool) {
        let step = 2 * self.count + 3;
        if bit {
            self.value += 2 * (ONE - self.value) / step;
        } else {
            self.value -= 2 * self.value / step;
        }
        self.count = (self.count + 1).min(MEMORY);
    }
}

/// Codes bits in one direction.
pub(super) trait BitCoder {
    /// Codes a bit. Returns the bit given when encoding, the bit read when decoding.
    fn bit(&mut self, probability: &mut Probability, bit: bool) -> bool;
}

/// The interval that a coder narrows with each bit.
struct CodeRange {
    low: u32,
    high: u32,
}

impl CodeRange {
    const ALL: CodeRange = CodeRange { low: 0, high: u32::MAX };

    /// Returns the last number that stands for a set bit.
    fn split(&self, probability: Probability) -> u32 {
        let width = u64::from(self.high - self.low);
        self.low + ((width * u64::from(probability.share())) >> 16) as u32
    }

    fn narrow(&mut self, split: u32, bit: bool) {
        if bit {
            self.high = split;
        } else {
            self.low = split + 1;
        }
    }

    /// Shifts out the first byte if it is decided.
    fn shift(&mut self) -> Option<u8> {
        if (self.low ^ self.high) >> 24 != 0 {
            return None;
        }
        let byte = (self.low >> 24) as u8;
        self.low <<= 8;
        self.high = self.high << 8 | 0xFF;
        Some(byte)
    }
}

/// Writes bits to bytes.
pub(super) struct Encoder {
    interval: CodeRange,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn new() -> Encoder {
        Encoder { interval: CodeRange::ALL, bytes: Vec::new() }
    }

    /// Ends the code and returns its bytes.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.bytes.extend(self.interval.low.to_be_bytes());
        self.bytes
    }
}

impl BitCoder for Encoder {
    fn bit(&mut self, probability: &mut Probability, bit: bool) -> bool {
        let split = self.interval.split(*probability);
        self.interval.narrow(split, bit);
        while let Some(byte) = self.interval.shift() {
            self.bytes.push(byte);
        }
        probability.learn(bit);
        bit
    }
}

/// Reads bits from bytes; after their end it reads zeros.
pub(super) struct Decoder<'a> {
    interval: CodeRange,
    code: u32,
    rest: std::slice::Iter<'a, u8>,
}

impl Decoder<'_> {
    pub(super) fn new(bytes: &[u8]) -> Decoder<'_> {
        let mut decoder = Decoder { interval: CodeRange::ALL, code: 0, rest: bytes.iter() };
        for _ in 0..4 {
            decoder.read_byte();
        }
        decoder
    }

    fn read_byte(&mut self) {
        self.code = self.code << 8 | u32::from(self.rest.next().copied().unwrap_or(0));
    }
}

impl BitCoder for Decoder<'_> {
    fn bit(&mut self, probability: &mut Probability, _: bool) -> bool {
        let split = self.interval.split(*probability);
        let bit = self.code <= split;
        self.interval.narrow(split, bit);
        while self.interval.shift().is_some() {
            self.read_byte();
        }
        probability.learn(bit);
        bit
    }
}

/// A number of `BITS` bits, as a binary tree of probabilities: `SIZE` is 2 to the power of `BITS`.
#[derive(Clone)]
pub(super) struct BitTree<const SIZE: usize>([Probability; SIZE]);

impl<const SIZE: usize> Default for BitTree<SIZE> {
    fn default() -> Self {
        BitTree([Probability::default(); SIZE])
    }
}

impl<const SIZE: usize> BitTree<SIZE> {
    const BITS: u32 = SIZE.ilog2();

    /// Codes a number below `SIZE`, the highest bit first.
    pub(super) fn code(&mut self, coder: &mut impl BitCoder, number: u32) -> u32 {
        let mut node = 1;
        for place in (0..Self::BITS).rev() {
            let bit = coder.bit(&mut self.0[node as usize], number >> place & 1 == 1);
            node = node << 1 | u32::from(bit);
        }
        node - SIZE as u32
    }
}

/// A number of up to 20 bits by its length (Elias gamma): the length, the three bits below the
/// first, then the others as they are.
#[derive(Clone)]
pub(super) struct NumberModel {
    length: BitTree<32>,
    high: Vec<BitTree<8>>,
}

/// The maximum number of bits.
const MAX_LENGTH: u32 = 20;

impl Default for NumberModel {
    fn default() -> NumberModel {
        NumberModel {
            length: BitTree::default(),
            high: vec![BitTree::default(); MAX_LENGTH as usize + 1],
        }
    }
}

impl NumberModel {
    /// Codes a number below 2 to the power of 20.
    pub(super) fn code(&mut self, coder: &mut impl BitCoder, number: u32) -> u32 {
        let length = (32 - number.leading_zeros()).min(MAX_LENGTH);
        let length = self.length.code(coder, length).min(MAX_LENGTH);
        // The first bit of a number of this length is set.
        let rest = length.saturating_sub(1);
        let shown = rest.min(3);
        let hidden = rest - shown;
        let top = number >> hidden & ((1 << shown) - 1);
        let top = self.high[length as usize].code(coder, top) & ((1 << shown) - 1);
        let mut found = u32::from(length > 0) << shown | top;
        for place in (0..hidden).rev() {
            let bit = coder.bit(&mut Probability::default(), number >> place & 1 == 1);
            found = found << 1 | u32::from(bit);
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cannonade_tables::random::Random;

    #[test]
    fn numbers_and_bits_come_back() {
        let mut random = Random::new(9);
        let numbers: Vec<u32> = (0..4_000)
            .map(|i| (random.below(1 << 20) as u32) >> (i % 21))
            .chain([0, 1, (1 << 20) - 1])
            .collect();
        let mut encoder = Encoder::new();
        let mut model = NumberModel::default();
        let mut tree = BitTree::<64>::default();
        for &number in &numbers {
            assert_eq!(model.code(&mut encoder, number), number);
            assert_eq!(tree.code(&mut encoder, number % 64), number % 64);
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        let mut model = NumberModel::default();
        let mut tree = BitTree::<64>::default();
        for &number in &numbers {
            assert_eq!(model.code(&mut decoder, 0), number);
            assert_eq!(tree.code(&mut decoder, 0), number % 64);
        }
    }

    #[test]
    fn bits_that_are_foreseen_cost_little() {
        let mut encoder = Encoder::new();
        let mut probability = Probability::default();
        for i in 0..80_000 {
            encoder.bit(&mut probability, i % 100 != 0);
        }
        // The entropy of one in a hundred is 0.081 bits: 808 bytes.
        let bytes = encoder.finish().len();
        assert!(bytes < 1_300, "{bytes}");
    }
}
