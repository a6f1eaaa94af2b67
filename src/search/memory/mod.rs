//! Memory of the search: the transposition table, the pages of this table and the histories, and
//! prefetching.

pub(super) mod entry;
#[cfg_attr(target_family = "wasm", path = "zeroed_memory.rs")]
pub(super) mod large_pages;
pub(super) mod prefetch;
mod provision;
pub(super) mod transposition;
