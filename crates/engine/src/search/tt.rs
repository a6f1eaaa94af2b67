//! The transposition table: results of nodes, shared by all workers without locks.
//!
//! An entry is two atomic words, `key ^ data` and `data` (R. Hyatt, T. Mann, "A lock-less
//! transposition table implementation for parallel search", 2002): an entry whose words
//! come from two writers fails the test of the key. Four entries share a cache line; the shallowest
//! and oldest of them is replaced.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::thread;

use bytemuck::Zeroable;
use web_time::{Duration, Instant};
use xiangqi::Score;
use xiangqi::board::Move;
use xiangqi::rules::RuleSet;

use super::memory::{LargePages, prefetch};
use super::report::Bound;
use super::value::{from_table, is_by_rule, score_of, to_table};

/// Relation of a stored value to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum TtBound {
    /// No value stored.
    None = 0,
    /// The true value is at most the stored one.
    Upper = 1,
    /// The true value is at least the stored one.
    Lower = 2,
    /// The stored value is the true one.
    Exact = 3,
}

impl TtBound {
    /// Returns the bound of a node with this fail-soft value; a value below beta is exact or an
    /// upper bound.
    #[inline]
    pub(crate) const fn of(value: i32, beta: i32, is_exact: bool) -> TtBound {
        if value >= beta {
            TtBound::Lower
        } else if is_exact {
            TtBound::Exact
        } else {
            TtBound::Upper
        }
    }

    /// Returns whether the true value is at least the stored one.
    #[inline]
    pub(crate) const fn has_lower(self) -> bool {
        self as u8 & TtBound::Lower as u8 != 0
    }

    /// Returns whether the true value is at most the stored one.
    #[inline]
    const fn has_upper(self) -> bool {
        self as u8 & TtBound::Upper as u8 != 0
    }

    const fn from_bits(bits: u64) -> TtBound {
        match bits & 3 {
            0 => TtBound::None,
            1 => TtBound::Upper,
            2 => TtBound::Lower,
            _ => TtBound::Exact,
        }
    }
}

/// An entry of the transposition table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TtEntry {
    /// Best move, or the one that failed high.
    pub(crate) mv: Option<Move>,
    /// From the mover's view; the distance of a mate is counted from the root.
    pub(crate) value: i32,
    /// Uncorrected static evaluation; `None` without one, such as in check.
    pub(crate) eval: Option<i32>,
    /// Searched depth in plies; 0 and less in the quiescence search.
    pub(crate) depth: i32,
    pub(crate) bound: TtBound,
    /// True if the position was once on a principal variation.
    pub(crate) is_pv: bool,
}

impl TtEntry {
    /// Returns whether the bound proves on which side of `threshold` the true value lies: at or
    /// above it if the stored value is, else below it.
    #[inline]
    pub(crate) const fn decides(&self, threshold: i32) -> bool {
        if self.value >= threshold { self.bound.has_lower() } else { self.bound.has_upper() }
    }
}

/// Offset of a stored depth, so that the depths of quiescence nodes and plain evaluations are not
/// negative.
const DEPTH_OFFSET: i32 = 3;
/// The `i16` that stands for no evaluation.
const NO_EVAL: i16 = i16::MIN;
/// Number of ages; the count of searches wraps around.
const AGES: u8 = 32;

/// Packs the data word of an entry: move 16 | value 16 | eval 16 | depth 8 | age 5, pv 1, bound 2.
#[inline]
fn pack(entry: &TtEntry, ply: usize, age: u8) -> u64 {
    let value = to_table(entry.value, ply) as i16 as u16;
    let eval = entry.eval.map_or(NO_EVAL, |eval| eval as i16) as u16;
    let depth = (entry.depth + DEPTH_OFFSET).clamp(0, 255) as u64;
    u64::from(entry.mv.map_or(0, Move::code))
        | u64::from(value) << 16
        | u64::from(eval) << 32
        | depth << 48
        | u64::from(age) << 59
        | u64::from(entry.is_pv) << 58
        | (entry.bound as u64) << 56
}

/// Unpacks a data word.
#[inline]
fn unpack(data: u64, ply: usize) -> TtEntry {
    let eval = (data >> 32) as i16;
    TtEntry {
        mv: Move::from_code(data as u16),
        value: from_table(i32::from((data >> 16) as i16), ply),
        eval: (eval != NO_EVAL).then_some(i32::from(eval)),
        depth: stored_depth(data) - DEPTH_OFFSET,
        bound: TtBound::from_bits(data >> 56),
        is_pv: data >> 58 & 1 != 0,
    }
}

/// Returns the depth of a data word, at least 0.
#[inline]
const fn stored_depth(data: u64) -> i32 {
    (data >> 48 & 0xFF) as i32
}

/// Returns the age of a data word.
#[inline]
const fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

/// Result of a lookup in the table, for protocols and people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProbeResult {
    /// The best move; it may be illegal if another position has the same key.
    pub mv: Option<Move>,
    /// The value from the mover's view.
    pub score: Score,
    /// Relation of the value to the true one; `None` if there is no value.
    pub bound: Option<Bound>,
    /// Searched depth, in plies.
    pub depth: u32,
}

#[derive(Zeroable)]
#[repr(C)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

#[derive(Zeroable)]
#[repr(C, align(64))]
struct Cluster([Slot; 4]);

const _: () = assert!(size_of::<Cluster>() == 64);

/// The transposition table.
///
/// The system provides memory when it is first written to, which can take a hundred times as long
/// as a node and must not happen in a search. [`TranspositionTable::provide_memory`] therefore does
/// it in the background; until it is done, timed searches use the part of the table that is there.
/// Searches to a number of nodes or a depth have time: [`TranspositionTable::use_all`].
pub struct TranspositionTable {
    clusters: LargePages<Cluster>,
    age: AtomicU8,
    /// Number of clusters that searches use, from the first on.
    usable: AtomicUsize,
    /// Number of clusters whose memory the system has provided, from the first on.
    provided: AtomicUsize,
    /// True if there may be entries: a search was begun since the table was cleared.
    used: AtomicBool,
    /// [`key_difference`] of the rules of the search.
    rules: AtomicU64,
}

/// Returns what keys of entries are changed by, so that entries of several rule sets can stand in
/// one table: their values differ.
const fn key_difference(rules: RuleSet) -> u64 {
    (rules as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl TranspositionTable {
    /// Creates a table of about this many mebibytes, at least one.
    ///
    /// # Panics
    /// If the system does not have this much memory; see [`TranspositionTable::try_new`].
    pub fn new(mebibytes: usize) -> TranspositionTable {
        match TranspositionTable::try_new(mebibytes) {
            Some(table) => table,
            None => panic!("no memory for a transposition table of {mebibytes} MiB"),
        }
    }

    /// Creates a table, or returns `None` if the system does not have this much memory.
    pub fn try_new(mebibytes: usize) -> Option<TranspositionTable> {
        let count = mebibytes.max(1).checked_mul(1 << 20)? / size_of::<Cluster>();
        LargePages::try_zeroed(count).map(TranspositionTable::of)
    }

    /// Creates a table without memory. No search can use it.
    pub(crate) fn empty() -> TranspositionTable {
        TranspositionTable::of(LargePages::zeroed(0))
    }

    fn of(clusters: LargePages<Cluster>) -> TranspositionTable {
        TranspositionTable {
            age: AtomicU8::new(0),
            usable: AtomicUsize::new(clusters.len()),
            clusters,
            provided: AtomicUsize::new(0),
            used: AtomicBool::new(false),
            rules: AtomicU64::new(key_difference(RuleSet::default())),
        }
    }

    /// Lets searches read and write entries of these rules; those of others stay.
    pub(crate) fn use_rules(&self, rules: RuleSet) {
        self.rules.store(key_difference(rules), Ordering::Relaxed);
    }

    /// Returns the key of the entry of a position.
    #[inline]
    fn entry_key(&self, position: u64) -> u64 {
        position ^ self.rules.load(Ordering::Relaxed)
    }

    /// Begins a new search: the age of all entries rises by one.
    pub fn new_search(&self) {
        self.used.store(true, Ordering::Relaxed);
        let age = (self.age.load(Ordering::Relaxed) + 1) % AGES;
        self.age.store(age, Ordering::Relaxed);
        // A larger table has its entries elsewhere, so it grows seldom.
        let (usable, provided) = (&self.usable, self.provided.load(Ordering::Relaxed));
        let doubled = provided >= 2 * usable.load(Ordering::Relaxed);
        if doubled || provided == self.clusters.len() {
            usable.fetch_max(provided, Ordering::Relaxed);
        }
    }

    /// Returns the filling with entries of this search, in permille of the first thousand entries.
    pub fn hashfull(&self) -> u32 {
        let age = self.age.load(Ordering::Relaxed);
        let slots = self.clusters.iter().take(250).flat_map(|cluster| &cluster.0);
        let (used, all) = slots.fold((0, 0), |(used, all), slot| {
            let data = slot.data.load(Ordering::Relaxed);
            (used + u32::from(data != 0 && age_of(data) == age), all + 1)
        });
        used * 1000 / all.max(1)
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let usable = self.usable.load(Ordering::Relaxed);
        let index = (u128::from(key) * usable as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// Prefetches the entries of a key into the processor's cache.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.cluster(self.entry_key(key)));
    }

    /// Returns the entry of the position with this key, `ply` plies from the root.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<TtEntry> {
        self.find(self.entry_key(key), ply)
    }

    #[inline]
    fn find(&self, key: u64, ply: usize) -> Option<TtEntry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let data = slot.data.load(Ordering::Relaxed);
            let check = slot.check.load(Ordering::Relaxed);
            (check ^ data == key && data != 0).then(|| unpack(data, ply))
        })
    }

    /// Looks up the position with this key by these rules, for protocols and people.
    pub fn lookup(&self, key: u64, rules: RuleSet) -> Option<ProbeResult> {
        self.find(key ^ key_difference(rules), 0).map(|entry| ProbeResult {
            mv: entry.mv,
            score: score_of(entry.value),
            bound: match entry.bound {
                TtBound::None => None,
                TtBound::Upper => Some(Bound::Upper),
                TtBound::Lower => Some(Bound::Lower),
                TtBound::Exact => Some(Bound::Exact),
            },
            depth: entry.depth.max(0) as u32,
        })
    }

    /// Stores the result of a node unless its value is a won or lost repetition with a position
    /// before the node: `path_dependence` is the ply of the earliest such position.
    ///
    /// Such a value belongs to the path, and on another path it would be false. This is the
    /// graph-history interaction problem (M. Campbell, "The graph-history interaction: on ignoring
    /// position history", 1985); not to store what depends on the path is the simplest of its
    /// solutions (see A. Kishimoto and M. Müller, "A general solution to the graph history
    /// interaction problem", 2004). Draws by repetition are stored, as in other engines: otherwise
    /// most of the tree would not be.
    #[inline]
    pub(crate) fn store_in_path(&self, key: u64, ply: usize, path_dependence: i32, entry: TtEntry) {
        if is_by_rule(entry.value) && path_dependence < ply as i32 {
            return;
        }
        self.store(key, ply, entry);
    }

    /// Stores an entry. Of a deeper one of the same search and position only the move is replaced.
    #[inline]
    fn store(&self, key: u64, ply: usize, mut entry: TtEntry) {
        let key = self.entry_key(key);
        let age = self.age.load(Ordering::Relaxed);
        let cluster = self.cluster(key);
        let mut victim = &cluster.0[0];
        let mut least = i32::MAX;
        for slot in &cluster.0 {
            let data = slot.data.load(Ordering::Relaxed);
            if slot.check.load(Ordering::Relaxed) ^ data == key || data == 0 {
                victim = slot;
                break;
            }
            let searches = i32::from((age + AGES - age_of(data)) % AGES);
            let quality = stored_depth(data) - 6 * searches;
            if quality < least {
                least = quality;
                victim = slot;
            }
        }
        let old = victim.data.load(Ordering::Relaxed);
        if victim.check.load(Ordering::Relaxed) ^ old == key && old != 0 {
            let old_entry = unpack(old, ply);
            entry.mv = entry.mv.or(old_entry.mv);
            entry.eval = entry.eval.or(old_entry.eval);
            let is_deeper = entry.depth + 3 > old_entry.depth;
            // The exact value of a leaf is no reason to forget a search.
            let is_exact = entry.bound == TtBound::Exact && entry.depth > 0;
            if !is_exact && !is_deeper && age_of(old) == age {
                // A new best move is worth keeping beside the deeper value.
                if entry.mv == old_entry.mv {
                    return;
                }
                entry = TtEntry { mv: entry.mv, ..old_entry };
            }
        }
        let data = pack(&entry, ply, age);
        victim.data.store(data, Ordering::Relaxed);
        victim.check.store(key ^ data, Ordering::Relaxed);
    }
}

// The memory of the table: allocated before the first search, and cleared.

/// Bytes of a memory page, which the system provides when it is first written to.
const PAGE: usize = 4096;

/// Number of clusters provided or cleared at a time: 8 MiB.
const CHUNK: usize = (8 << 20) / size_of::<Cluster>();

/// Maximum number of threads that clear memory; more do not make it faster.
const MAX_THREADS: usize = 16;

impl TranspositionTable {
    /// Lets the system provide the memory before the first search: 16 MiB at once, the rest in the
    /// background. Does nothing after the first call or the first search.
    pub fn provide_memory(self: &Arc<Self>) {
        if self.used.load(Ordering::Relaxed) || self.provided.load(Ordering::Relaxed) > 0 {
            return;
        }
        for _ in 0..2 {
            self.provide_chunk();
        }
        if self.provided.load(Ordering::Relaxed) == self.clusters.len() {
            return;
        }
        self.usable.store(self.provided.load(Ordering::Relaxed), Ordering::Relaxed);
        // The thread must not keep a discarded table alive.
        let table = Arc::downgrade(self);
        let thread = thread::Builder::new()
            .name("memory".to_owned())
            .spawn(move || while table.upgrade().is_some_and(|table| table.provide_chunk()) {});
        if thread.is_err() {
            self.usable.store(self.clusters.len(), Ordering::Relaxed);
        }
    }

    /// Lets searches use the whole table at once: the same entries then share a cluster each time,
    /// however fast the system provides memory.
    pub fn use_all(&self) {
        self.usable.store(self.clusters.len(), Ordering::Relaxed);
    }

    /// Waits until the memory is provided, up to `longest`: searches can do without.
    pub fn wait_for_memory(&self, longest: Duration) {
        let deadline = Instant::now() + longest;
        let (usable, all) = (self.usable.load(Ordering::Relaxed), self.clusters.len());
        while usable < all
            && self.provided.load(Ordering::Relaxed) < all
            && Instant::now() < deadline
        {
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Writes once to every page of the next chunk; returns false if none is left.
    fn provide_chunk(&self) -> bool {
        let start = self.provided.load(Ordering::Relaxed);
        let end = (start + CHUNK).min(self.clusters.len());
        for cluster in self.clusters[start..end].iter().step_by(PAGE / size_of::<Cluster>()) {
            // Writes a zero over a zero: a load, or code that the compiler turns into one, would
            // only map the system's page of zeroes. Entries stored by a search stay.
            let zero = &cluster.0[0].data;
            let _ = zero.compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
        }
        self.provided.store(end, Ordering::Relaxed);
        end < self.clusters.len()
    }

    /// Removes all entries. An empty table is left as it is.
    pub fn clear(&self) {
        self.age.store(0, Ordering::Relaxed);
        if !self.used.swap(false, Ordering::Relaxed) {
            return;
        }
        let clusters = &self.clusters[..self.usable.load(Ordering::Relaxed)];
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = processors.min(MAX_THREADS).min(clusters.len() / CHUNK).max(1);
        let mut parts = clusters.chunks(clusters.len().div_ceil(threads));
        let own = parts.next();
        thread::scope(|scope| {
            for part in parts {
                let spawned = thread::Builder::new().spawn_scoped(scope, || clear_all(part));
                if spawned.is_err() {
                    clear_all(part);
                }
            }
            own.map(clear_all);
        });
    }
}

fn clear_all(clusters: &[Cluster]) {
    for slot in clusters.iter().flat_map(|cluster| &cluster.0) {
        slot.check.store(0, Ordering::Relaxed);
        slot.data.store(0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::value::{MATE, RULE_WIN};

    /// Returns an exact entry.
    fn entry(value: i32, depth: i32) -> TtEntry {
        TtEntry {
            mv: "h2e2".parse().ok(),
            value,
            eval: Some(-17),
            depth,
            bound: TtBound::Exact,
            is_pv: true,
        }
    }

    #[test]
    fn an_entry_decides_only_on_the_side_of_its_bound() {
        let bounds = [TtBound::None, TtBound::Upper, TtBound::Lower, TtBound::Exact];
        let decides =
            |threshold| bounds.map(|bound| TtEntry { bound, ..entry(50, 5) }.decides(threshold));
        assert_eq!(decides(50), [false, false, true, true]);
        assert_eq!(decides(51), [false, true, false, true]);
    }

    #[test]
    fn a_probe_returns_the_stored_entry() {
        let table = TranspositionTable::new(1);
        for (key, value) in
            [(1_u64 << 40, 0), (77, -321), (u64::MAX, MATE - 9), (5 << 50, 9 - RULE_WIN)]
        {
            table.store(key, 6, entry(value, 12));
            assert_eq!(table.probe(key, 6), Some(entry(value, 12)));
        }
        assert_eq!(table.probe(12345, 0), None);
    }

    #[test]
    fn a_size_beyond_all_addresses_is_refused() {
        assert!(TranspositionTable::try_new(usize::MAX).is_none());
    }

    #[test]
    fn the_distance_of_a_mate_is_stored_from_the_node() {
        let table = TranspositionTable::new(1);
        table.store(99, 4, entry(MATE - 10, 3));
        assert_eq!(table.probe(99, 8).map(|found| found.value), Some(MATE - 14));
    }

    #[test]
    fn a_shallow_bound_does_not_replace_a_deep_entry_of_the_same_search() {
        let table = TranspositionTable::new(1);
        table.store(7, 0, entry(50, 20));
        let shallow = TtEntry { bound: TtBound::Lower, is_pv: false, ..entry(10, 2) };
        table.store(7, 0, shallow);
        assert_eq!(table.probe(7, 0).map(|found| found.depth), Some(20));
        table.new_search();
        table.store(7, 0, shallow);
        assert_eq!(table.probe(7, 0).map(|found| found.depth), Some(2));
    }

    #[test]
    fn a_new_best_move_is_kept_beside_a_deeper_value() {
        let table = TranspositionTable::new(1);
        let deep = entry(50, 20);
        table.store(7, 0, deep);
        let mv = "h0g2".parse().ok();
        assert_ne!(deep.mv, mv);
        table.store(7, 0, TtEntry { mv, bound: TtBound::Lower, ..entry(10, 2) });
        assert_eq!(table.probe(7, 0), Some(TtEntry { mv, ..deep }));
    }

    #[test]
    fn the_exact_value_of_a_leaf_does_not_replace_a_search() {
        let table = TranspositionTable::new(1);
        let deep = TtEntry { bound: TtBound::Lower, ..entry(50, 20) };
        table.store(7, 0, deep);
        table.store(7, 0, TtEntry { bound: TtBound::Exact, ..entry(10, 0) });
        assert_eq!(table.probe(7, 0), Some(deep));
        let exact = TtEntry { bound: TtBound::Exact, ..entry(10, 1) };
        table.store(7, 0, exact);
        assert_eq!(table.probe(7, 0), Some(exact));
    }

    #[test]
    fn a_won_repetition_with_an_earlier_position_is_not_stored() {
        let table = TranspositionTable::new(1);
        let won = entry(RULE_WIN - 10, 5);
        table.store_in_path(7, 6, 5, won);
        assert_eq!(table.probe(7, 6), None);
        table.store_in_path(7, 6, 6, won);
        assert_eq!(table.probe(7, 6), Some(won));
        table.store_in_path(8, 6, 5, entry(100, 5));
        assert_eq!(table.probe(8, 6), Some(entry(100, 5)));
    }
    #[test]
    fn threads_that_share_clusters_never_read_the_entry_of_another_position() {
        let table = TranspositionTable::new(1);
        // Keys of two clusters, whose entries the threads replace concurrently.
        let key = |i: u64| ((i % 2) << 63) | (i % 23);
        let value = |key: u64| (key % 1000) as i32 - 500;
        let rounds = if cfg!(miri) { 300 } else { 100_000 };
        std::thread::scope(|scope| {
            for thread in 0..3 {
                let table = &table;
                scope.spawn(move || {
                    for i in (0..rounds).map(|i| i * 7 + thread) {
                        table.store(key(i), 3, entry(value(key(i)), (i % 30) as i32));
                        if let Some(found) = table.probe(key(i + 5), 3) {
                            assert_eq!(found.value, value(key(i + 5)));
                        }
                        if i % 1000 == 0 {
                            table.new_search();
                        }
                    }
                });
            }
        });
        assert!((0..46).any(|i| table.probe(key(i), 3).is_some()));
    }

    #[test]
    fn a_cleared_table_is_empty() {
        let table = TranspositionTable::new(1);
        table.new_search();
        table.store(7, 0, entry(50, 20));
        table.clear();
        assert_eq!(table.probe(7, 0), None);
        assert_eq!(table.hashfull(), 0);
    }

    /// Clearing memory for the first time takes seconds.
    #[test]
    fn an_empty_table_is_not_touched() {
        let table = TranspositionTable::new(1);
        let slot = &table.clusters[table.clusters.len() - 1].0[0];
        slot.data.store(1, Ordering::Relaxed);
        table.clear();
        assert_eq!(slot.data.load(Ordering::Relaxed), 1);
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes there")]
    fn every_cluster_is_cleared_by_some_thread() {
        let table = TranspositionTable::new(33);
        table.new_search();
        let keys: Vec<u64> = (0..4096).map(|i| (i << 52) | 0xF_FFFF_FFFF_FFFF).collect();
        for &key in &keys {
            table.store(key, 0, entry(50, 20));
        }
        assert!(keys.iter().all(|&key| table.probe(key, 0).is_some()));
        table.clear();
        assert!(keys.iter().all(|&key| table.probe(key, 0).is_none()));
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes there")]
    fn a_search_that_has_time_uses_the_whole_table_before_its_memory_is_provided() {
        let table = Arc::new(TranspositionTable::new(48));
        table.provide_memory();
        table.use_all();
        table.new_search();
        assert_eq!(table.usable.load(Ordering::Relaxed), table.clusters.len());
    }

    #[test]
    #[cfg_attr(miri, ignore = "takes minutes there")]
    fn a_table_is_usable_before_its_memory_is_provided_and_grows_to_its_size() {
        let table = Arc::new(TranspositionTable::new(48));
        table.provide_memory();
        assert!(table.usable.load(Ordering::Relaxed) < table.clusters.len());
        let deadline = Instant::now() + Duration::from_secs(60);
        while table.usable.load(Ordering::Relaxed) < table.clusters.len() {
            assert!(Instant::now() < deadline, "the memory does not come");
            table.new_search();
            table.store(u64::MAX, 0, entry(50, 20));
            assert!(table.probe(u64::MAX, 0).is_some());
            thread::sleep(Duration::from_millis(1));
        }
        table.wait_for_memory(Duration::from_secs(60));
        assert_eq!(table.usable.load(Ordering::Relaxed), table.clusters.len());
    }
}
