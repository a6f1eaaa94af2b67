//! Access to single numbers of a compressed row.

use thiserror::Error;

use super::{MAX_LENGTH, MAX_SYMBOLS};

/// Defect of a compressed row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum StreamError {
    /// The bytes end too early.
    #[error("it is truncated")]
    Truncated,
    /// The bytes do not describe a row of this length.
    #[error("its compressed data is damaged")]
    Damaged,
}

/// Offsets of the parts of a compressed row in the bytes of a file, and the expansions of the
/// symbols.
#[derive(Debug)]
pub(crate) struct Stream {
    alphabet: Vec<u8>,
    pairs: Vec<[u16; 2]>,
    /// Number of numbers that each symbol stands for.
    lengths: Vec<u16>,
    bits: usize,
    shift: u32,
    /// Byte offsets of the starts of the blocks and of the symbols.
    starts: usize,
    symbols: usize,
    len: usize,
}

/// Bytes with random access.
#[allow(clippy::len_without_is_empty, reason = "the length is only compared with positions")]
pub(crate) trait Source {
    /// Returns the number of bytes.
    fn len(&self) -> usize;

    /// Reads the `N` bytes at `at`; `None` beyond the end or on a read error. At most four, except
    /// for the header at 0.
    fn read<const N: usize>(&self, at: usize) -> Option<[u8; N]>;
}

impl Source for [u8] {
    fn len(&self) -> usize {
        self.len()
    }

    #[inline]
    fn read<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        self.get(at..at.checked_add(N)?)?.try_into().ok()
    }
}

#[inline]
fn u32_at(bytes: &(impl Source + ?Sized), at: usize) -> Option<u32> {
    bytes.read(at).map(u32::from_le_bytes)
}

fn u16_at(bytes: &(impl Source + ?Sized), at: usize) -> Option<u16> {
    bytes.read(at).map(u16::from_le_bytes)
}

impl Stream {
    /// Parses the description of a row of `len` numbers that begins at `at`; returns its end.
    pub(crate) fn parse(
        bytes: &(impl Source + ?Sized),
        at: usize,
        len: usize,
    ) -> Result<(Stream, usize), StreamError> {
        let short = StreamError::Truncated;
        let basic = usize::from(u16_at(bytes, at).ok_or(short)?);
        let joined = usize::from(u16_at(bytes, at + 2).ok_or(short)?);
        let [bits, shift] = bytes.read(at + 4).ok_or(short)?;
        let symbol_count = u32_at(bytes, at + 8).ok_or(short)? as usize;
        let start_count = u32_at(bytes, at + 12).ok_or(short)? as usize;
        let (bits, shift) = (usize::from(bits), u32::from(shift));
        let is_sound = (1..=256).contains(&basic)
            && basic + joined <= MAX_SYMBOLS
            && (1..=12).contains(&bits)
            && basic + joined <= 1 << bits
            && 1 << shift.min(31) <= MAX_LENGTH
            && start_count == len.div_ceil(1 << shift.min(31)) + 1;
        if !is_sound {
            return Err(StreamError::Damaged);
        }
        let alphabet_at = at + 16;
        let pairs_at = alphabet_at + basic;
        let starts = pairs_at + 4 * joined;
        let symbols = starts + 4 * start_count;
        let end = symbols + symbol_count * bits / 8 + 4;
        if end > bytes.len() {
            return Err(short);
        }
        let alphabet =
            (alphabet_at..pairs_at).map(|at| bytes.read(at).map(|[value]: [u8; 1]| value));
        let alphabet = alphabet.collect::<Option<Vec<u8>>>().ok_or(short)?;
        let mut lengths = vec![1u16; basic];
        let mut pairs = Vec::with_capacity(joined);
        for i in 0..joined {
            let pair = [0, 2].map(|half| u16_at(bytes, pairs_at + 4 * i + half));
            let mut length = 0;
            let [Some(left), Some(right)] = pair else { return Err(short) };
            for symbol in [left, right] {
                let part = lengths.get(usize::from(symbol)).ok_or(StreamError::Damaged)?;
                length += usize::from(*part);
            }
            if length > MAX_LENGTH {
                return Err(StreamError::Damaged);
            }
            lengths.push(length as u16);
            pairs.push([left, right]);
        }
        Ok((Stream { alphabet, pairs, lengths, bits, shift, starts, symbols, len }, end))
    }

    /// Returns the symbol with this number.
    #[inline]
    fn symbol(&self, bytes: &(impl Source + ?Sized), number: usize) -> Option<usize> {
        let bit = number * self.bits;
        let word = u32_at(bytes, self.symbols + bit / 8)?;
        Some((word >> (bit % 8)) as usize & ((1 << self.bits) - 1))
    }

    /// Returns the number at `index` of the row, from the bytes that were parsed; `None` only if
    /// they are damaged or can no longer be read.
    #[inline]
    pub(crate) fn value(&self, bytes: &(impl Source + ?Sized), index: usize) -> Option<u8> {
        if index >= self.len {
            return None;
        }
        let start = self.starts + 4 * (index >> self.shift);
        let mut number = u32_at(bytes, start)? as usize;
        let end = u32_at(bytes, start + 4)? as usize;
        let mut rest = index & ((1 << self.shift) - 1);
        let mut symbol = loop {
            if number >= end {
                return None;
            }
            let symbol = self.symbol(bytes, number)?;
            let length = usize::from(*self.lengths.get(symbol)?);
            if rest < length {
                break symbol;
            }
            rest -= length;
            number += 1;
        };
        loop {
            if let Some(&value) = self.alphabet.get(symbol) {
                return Some(value);
            }
            let [left, right] = *self.pairs.get(symbol - self.alphabet.len())?;
            let length = usize::from(*self.lengths.get(usize::from(left))?);
            if rest < length {
                symbol = usize::from(left);
            } else {
                rest -= length;
                symbol = usize::from(right);
            }
        }
    }

    /// Returns all numbers of the row.
    pub(crate) fn values(&self, bytes: &(impl Source + ?Sized)) -> Result<Vec<u8>, StreamError> {
        let mut expansions: Vec<Vec<u8>> = self.alphabet.iter().map(|&value| vec![value]).collect();
        for [left, right] in &self.pairs {
            let both = [&expansions[usize::from(*left)][..], &expansions[usize::from(*right)]];
            expansions.push(both.concat());
        }
        let mut values = Vec::with_capacity(self.len);
        let mut number = 0;
        while values.len() < self.len {
            let expansion = self.symbol(bytes, number).and_then(|symbol| expansions.get(symbol));
            let fits = |expansion: &&Vec<u8>| expansion.len() <= self.len - values.len();
            let expansion = expansion.filter(fits).ok_or(StreamError::Damaged)?;
            values.extend_from_slice(expansion);
            number += 1;
        }
        Ok(values)
    }
}
