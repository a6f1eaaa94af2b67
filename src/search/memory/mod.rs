//! Memory of the search: the transposition table, the pages of this table and the histories, and
//! prefetching.

pub(super) mod entry;
pub(super) mod large_pages;
pub(super) mod prefetch;
mod provision;
pub(super) mod transposition;
