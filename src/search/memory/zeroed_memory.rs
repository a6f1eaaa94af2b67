//! Zeroed memory for the tables of the search where the system has no memory mappings and no large
//! pages: WebAssembly.

use std::alloc::{Layout, handle_alloc_error};
use std::ops::{Deref, DerefMut};

use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_slice_box;

/// A slice of items on the heap.
pub(in crate::search) struct LargePages<T>(Box<[T]>);

impl<T: Zeroable> LargePages<T> {
    /// Allocates `len` zeroed items, or returns `None` without enough memory.
    pub(super) fn try_zeroed(len: usize) -> Option<LargePages<T>> {
        try_zeroed_slice_box(len).ok().map(LargePages)
    }

    /// Allocates `len` zeroed items. Aborts without enough memory, as a `Vec` does.
    pub(in crate::search) fn zeroed(len: usize) -> LargePages<T> {
        LargePages::try_zeroed(len).unwrap_or_else(|| match Layout::array::<T>(len) {
            Ok(layout) => handle_alloc_error(layout),
            Err(error) => panic!("a table of {len} entries: {error}"),
        })
    }
}

impl<T> Deref for LargePages<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for LargePages<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}
