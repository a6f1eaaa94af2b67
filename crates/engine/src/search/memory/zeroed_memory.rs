//! Zeroed memory for the tables of the search where the system has no memory mappings and no large
//! pages: WebAssembly.

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
