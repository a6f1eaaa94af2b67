//! Symbols of the compression, and the pairs that they join.

use super::{MAX_LENGTH, MAX_SYMBOLS};

/// Maximum numbers in which the pairs are counted; longer rows are sampled.
const SAMPLE: usize = 1 << 21;
/// Consecutive numbers in one part of a sample.
const SAMPLE_RUN: usize = 1 << 12;
/// Minimum uses of a pair: it costs four bytes in the file and saves at most one and a half per
/// use.
const LEAST_USES: usize = 4;
/// Maximum number of cells of the encoder's tree that the symbols may take.
const TREE_CELLS: usize = 1 << 24;

/// Symbols below the alphabet's size stand for one number each, the others for a pair of symbols.
#[derive(Debug, Clone)]
pub(super) struct Dictionary {
    /// The number of each basic symbol.
    pub(super) alphabet: Vec<u8>,
    /// The two symbols of each further one; both are smaller than it.
    pub(super) pairs: Vec<[u16; 2]>,
    /// Mean number of numbers per symbol in the sample.
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
            for list in &mut joined {
                list.sort_unstable();
            }
            join_pairs(&mut data, &joined);
        }
        Dictionary { alphabet, pairs, mean_length: taken / data.len().max(1) }
    }

    /// Returns the basic symbols that each symbol stands for.
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

/// Counts each pair, the most frequent first.
fn count_pairs(data: &[u16]) -> Vec<(usize, [u16; 2])> {
    // The right symbols, sorted by the left ones, so that one left symbol is counted at a time.
    let mut ends = vec![0usize; MAX_SYMBOLS + 1];
    for_each_pair(data, |left, _| ends[usize::from(left) + 1] += 1);
    for left in 1..ends.len() {
        ends[left] += ends[left - 1];
    }
    let mut rights = vec![0u16; ends[MAX_SYMBOLS]];
    for_each_pair(data, |left, right| {
        let end = &mut ends[usize::from(left)];
        rights[*end] = right;
        *end += 1;
    });
    let mut counts = Vec::new();
    let mut seen = vec![0u32; MAX_SYMBOLS];
    let mut start = 0;
    for (left, &end) in ends[..MAX_SYMBOLS].iter().enumerate() {
        let rights = &rights[start..end];
        for &right in rights {
            seen[usize::from(right)] += 1;
        }
        for &right in rights {
            let count = std::mem::take(&mut seen[usize::from(right)]) as usize;
            if count > 1 {
                counts.push((count, [left as u16, right]));
            }
        }
        start = end;
    }
    counts.sort_unstable_by_key(|&(count, pair)| (std::cmp::Reverse(count), pair));
    counts
}

/// Calls `visit` with each pair of neighbours. In a run of equal symbols every second pair counts:
/// joined pairs do not overlap.
fn for_each_pair(data: &[u16], mut visit: impl FnMut(u16, u16)) {
    let mut counted = false;
    let mut last = 0;
    for pair in data.windows(2) {
        let (left, right) = (pair[0], pair[1]);
        counted = !(counted && left == right && last == left);
        if counted {
            visit(left, right);
        }
        last = left;
    }
}

/// Joins the pairs; `joined` has for each left symbol the right ones, in rising order, and the new
/// ones.
fn join_pairs(data: &mut Vec<u16>, joined: &[Vec<(u16, u16)>]) {
    let mut kept = 0;
    let mut at = 0;
    while at < data.len() {
        let symbol = data[at];
        let list = &joined[usize::from(symbol)];
        let pair = data.get(at + 1).and_then(|next| {
            let place = list.binary_search_by_key(next, |&(right, _)| right).ok()?;
            Some(list[place].1)
        });
        data[kept] = pair.unwrap_or(symbol);
        at += if pair.is_some() { 2 } else { 1 };
        kept += 1;
    }
    data.truncate(kept);
}
