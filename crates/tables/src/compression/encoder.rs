//! Compression of a row to bytes.

use super::MAX_LENGTH;
use super::dictionary::Dictionary;

/// Mean number of symbols in a block.
const BLOCK_SYMBOLS: usize = 48;

/// A compressed row.
#[derive(Debug)]
pub(crate) struct Encoded {
    dictionary: Dictionary,
    /// The binary logarithm of the numbers in a block.
    shift: u32,
    /// The first symbol of each block, and one more for the end.
    starts: Vec<u32>,
    symbols: Vec<u16>,
}

/// Compresses the row of numbers that `number` gives for each byte; `None` may become any number.
pub(crate) fn encode(bytes: &[u8], number: impl Fn(u8) -> Option<u8>) -> Encoded {
    let (alphabet, row) = basic_symbols(bytes, number);
    let dictionary = Dictionary::learn(alphabet, &row);
    let block = (BLOCK_SYMBOLS * dictionary.mean_length).next_power_of_two().clamp(64, MAX_LENGTH);
    let tree = Tree::new(&dictionary);
    let mut starts = vec![0];
    let mut symbols = Vec::new();
    for part in row.chunks(block) {
        tree.encode(part, &mut symbols);
        starts.push(symbols.len() as u32);
    }
    Encoded { dictionary, shift: block.trailing_zeros(), starts, symbols }
}

/// Returns the numbers that occur, and the row by their places among them.
fn basic_symbols(bytes: &[u8], number: impl Fn(u8) -> Option<u8>) -> (Vec<u8>, Vec<u8>) {
    let mut occurs = [false; 256];
    for &byte in bytes {
        occurs[usize::from(byte)] = true;
    }
    let numbers: Vec<Option<u8>> =
        (0..=255).map(|byte| number(byte).filter(|_| occurs[usize::from(byte)])).collect();
    let mut alphabet: Vec<u8> = numbers.iter().flatten().copied().collect();
    alphabet.sort_unstable();
    alphabet.dedup();
    if alphabet.is_empty() {
        alphabet.push(0);
    }
    // Outside the alphabet: matches the symbol before.
    let any = u16::MAX;
    let place = |number: &u8| alphabet.binary_search(number).map_or(any, |place| place as u16);
    let places: Vec<u16> =
        numbers.iter().map(|number| number.as_ref().map_or(any, place)).collect();
    let mut last = 0;
    let row = bytes.iter().map(|&byte| {
        let place = places[usize::from(byte)];
        last = if place == any { last } else { place as u8 };
        last
    });
    let row = row.collect();
    (alphabet, row)
}

/// Tree of the expansions of all symbols, to find the longest match.
struct Tree {
    alphabet: usize,
    /// For each node and basic symbol the node below; 0 is none.
    children: Vec<u32>,
    /// One more than the symbol whose expansion ends at a node; 0 is none.
    symbols: Vec<u16>,
}

impl Tree {
    fn new(dictionary: &Dictionary) -> Tree {
        let alphabet = dictionary.alphabet.len();
        let mut tree = Tree { alphabet, children: vec![0; alphabet], symbols: vec![0] };
        for (symbol, expansion) in dictionary.expansions().into_iter().enumerate() {
            let mut node = 0;
            for basic in expansion {
                let child = node * alphabet + usize::from(basic);
                if tree.children[child] == 0 {
                    tree.children[child] = tree.symbols.len() as u32;
                    tree.symbols.push(0);
                    tree.children.resize(tree.symbols.len() * alphabet, 0);
                }
                node = tree.children[child] as usize;
            }
            tree.symbols[node] = symbol as u16 + 1;
        }
        tree
    }

    /// Adds the symbols of a block, each the longest match.
    fn encode(&self, mut block: &[u8], symbols: &mut Vec<u16>) {
        while !block.is_empty() {
            let (mut node, mut best, mut length) = (0, 0, 1);
            for (i, &basic) in block.iter().enumerate() {
                node = self.children[node * self.alphabet + usize::from(basic)] as usize;
                if node == 0 {
                    break;
                }
                if self.symbols[node] != 0 {
                    (best, length) = (self.symbols[node] - 1, i + 1);
                }
            }
            symbols.push(best);
            block = &block[length..];
        }
    }
}

impl Encoded {
    /// Appends the bytes; see `docs/formats.md` for the format.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let Dictionary { alphabet, pairs, .. } = &self.dictionary;
        let count = alphabet.len() + pairs.len();
        let bits = count.next_power_of_two().trailing_zeros().max(1);
        out.extend((alphabet.len() as u16).to_le_bytes());
        out.extend((pairs.len() as u16).to_le_bytes());
        out.extend([bits as u8, self.shift as u8, 0, 0]);
        out.extend((self.symbols.len() as u32).to_le_bytes());
        out.extend((self.starts.len() as u32).to_le_bytes());
        out.extend(alphabet);
        pairs.iter().flatten().for_each(|symbol| out.extend(symbol.to_le_bytes()));
        self.starts.iter().for_each(|start| out.extend(start.to_le_bytes()));
        let (mut buffer, mut filled) = (0u64, 0);
        for &symbol in &self.symbols {
            buffer |= u64::from(symbol) << filled;
            filled += bits;
            while filled >= 8 {
                out.push(buffer as u8);
                buffer >>= 8;
                filled -= 8;
            }
        }
        // Three more bytes, so that a reader can take four bytes at any symbol.
        out.extend(&(buffer as u32).to_le_bytes());
    }
}
