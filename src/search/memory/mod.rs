//! The large tables of the search in memory: the transposition table, the pages that it and the
//! histories lie in, and loads that are started early.

pub(super) mod entry;
pub(super) mod large_pages;
pub(super) mod prefetch;
mod provision;
pub(super) mod transposition;
