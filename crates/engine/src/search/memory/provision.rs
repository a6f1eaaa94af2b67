//! Memory of the transposition table: providing it before the first search, and clearing it.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

use web_time::{Duration, Instant};

use super::transposition::{Cluster, TranspositionTable};

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
    use crate::search::memory::entry::tests::entry;

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
