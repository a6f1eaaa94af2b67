//! Memory of the search: the transposition table, the pages of this table and the histories, and
//! prefetching.

pub(super) mod entry;
#[cfg_attr(target_family = "wasm", path = "zeroed_memory.rs")]
pub(super) mod large_pages;
pub(super) mod prefetch;
mod provision;
pub(super) mod transposition;

use std::alloc::{Layout, handle_alloc_error};

use bytemuck::Zeroable;

use large_pages::LargePages;

impl<T: Zeroable> LargePages<T> {
    /// Allocates `len` zeroed items. Aborts without enough memory, as a `Vec` does.
    pub(in crate::search) fn zeroed(len: usize) -> LargePages<T> {
        LargePages::try_zeroed(len).unwrap_or_else(|| match Layout::array::<T>(len) {
            Ok(layout) => handle_alloc_error(layout),
            Err(error) => panic!("a table of {len} entries: {error}"),
        })
    }
}
