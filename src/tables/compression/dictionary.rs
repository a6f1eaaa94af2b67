//! The symbols: which pairs are joined.

use super::{MAX_LENGTH, MAX_SYMBOLS};

/// Numbers that the pairs are counted in; of longer rows a sample is taken.
const SAMPLE: usize = 1 << 21;
/// Neighbouring numbers of a sample that are taken together.
const SAMPLE_RUN: usize = 1 << 12;
/// A pair costs four bytes in the file and saves at most one and a half for each time it occurs.
const LEAST_USES: usize = 4;
/// The most cells of the encoder's tree that the symbols may take.
const TREE_CELLS: usize = 1 << 24;

/// Symbols below the alphabet's size stand for one number each, the others for a pair of symbols.
#[derive(Debug, Clone)]
pub(super) struct Dictionary {
    /// The number of each basic symbol.
    pub(super) alphabet: Vec<u8>,
    /// The two symbols of each further one; both are smaller than it.
    pub(super) pairs: Vec<[u16; 2]>,
    /// How many numbers a symbol stood for on average in the sample.
    pub(super) mean_length: usize,
}

impl Dictionary {
    /// Learns the symbols of a row given by its basic symbols.
    pub(super) fn learn(alphabet: Vec<u8>, row: &[u8]) -> Dictionary {
        let mut data = sample(row);
        let taken = data.len().max(1);
        let least = (LEAST_USES * taken / row.len().max(1)).max(3);
        let mut lengths = vec![1usize; alphabet.len()];
        let mut pairs: Vec<[u16; 2]> = Vec::new();
        let mut cells = 0;
        while lengths.len() < MAX_SYMBOLS {
            let counts = count_pairs(&data);
            let most = counts.first().map_or(0, |&(count, _)| count);
            let mut joined: Vec<Vec<(u16, u16)>> = vec![Vec::new(); lengths.len()];
            let mut any = false;
            for (count, [left, right]) in counts {
                let length = lengths[usize::from(left)] + lengths[usize::from(right)];
                let enough = count >= least && count * 4 >= most;
                if !enough || lengths.len() >= MAX_SYMBOLS {
                    break;
                }
                if length > MAX_LENGTH || cells + length * alphabet.len() > TREE_CELLS {
                    continue;
                }
                cells += length * alphabet.len();
                joined[usize::from(left)].push((right, lengths.len() as u16));
                pairs.push([left, right]);
                lengths.push(length);
                any = true;
            }
            if !any {
                break;
            }
            join_pairs(&mut data, &joined);
        }
        Dictionary { alphabet, pairs, mean_length: taken / data.len().max(1) }
    }

    /// The basic symbols that each symbol stands for.
    pub(super) fn expansions(&self) -> Vec<Vec<u8>> {
        let mut expansions: Vec<Vec<u8>> =
            (0..self.alphabet.len()).map(|symbol| vec![symbol as u8]).collect();
        for &[left, right] in &self.pairs {
            let joined = [&expansions[usize::from(left)][..], &expansions[usize::from(right)]];
            expansions.push(joined.concat());
        }
        expansions
    }
}

fn sample(row: &[u8]) -> Vec<u16> {
    if row.len() <= SAMPLE {
        return row.iter().map(|&symbol| u16::from(symbol)).collect();
    }
    let runs = SAMPLE / SAMPLE_RUN;
    let step = row.len() / runs;
    (0..runs)
        .flat_map(|run| &row[run * step..][..SAMPLE_RUN.min(step)])
        .map(|&symbol| u16::from(symbol))
        .collect()
}

/// How often each pair occurs, the most frequent first.
fn count_pairs(data: &[u16]) -> Vec<(usize, [u16; 2])> {
    let mut codes: Vec<u32> = Vec::with_capacity(data.len());
    let mut skip = false;
    for pair in data.windows(2) {
        // In a run of equal symbols every second pair counts: joined pairs do not overlap.
        skip = pair[0] == pair[1] && !skip && codes.last() == Some(&code(pair));
        if !skip {
            codes.push(code(pair));
        }
    }
    codes.sort_unstable();
    let mut counts: Vec<_> = codes
        .chunk_by(|a, b| a == b)
        .filter(|run| run.len() > 1)
        .map(|run| (run.len(), [(run[0] >> 16) as u16, run[0] as u16]))
        .collect();
    counts.sort_unstable_by_key(|&(count, pair)| (std::cmp::Reverse(count), pair));
    counts
}

fn code(pair: &[u16]) -> u32 {
    u32::from(pair[0]) << 16 | u32::from(pair[1])
}

/// Joins the pairs; `joined` has the right symbols and the new ones for each left symbol.
fn join_pairs(data: &mut Vec<u16>, joined: &[Vec<(u16, u16)>]) {
    let mut kept = 0;
    let mut at = 0;
    while at < data.len() {
        let symbol = data[at];
        let next = data.get(at + 1);
        let pair = joined[usize::from(symbol)].iter().find(|(right, _)| Some(right) == next);
        data[kept] = pair.map_or(symbol, |&(_, new)| new);
        at += if pair.is_some() { 2 } else { 1 };
        kept += 1;
    }
    data.truncate(kept);
}
