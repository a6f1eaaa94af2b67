//! Memory of the tables of the search: zeroed, in large pages where the system has them, and
//! prefetched. The tables exceed the processor's caches, so most of the cost of an access is the
//! latency of memory. All unsafe code of the search is here.

use std::alloc::{Layout, handle_alloc_error};

use bytemuck::Zeroable;

pub(crate) use pages::LargePages;

impl<T: Zeroable> LargePages<T> {
    /// Allocates `len` zeroed items. Aborts without enough memory, as a `Vec` does.
    pub(crate) fn zeroed(len: usize) -> LargePages<T> {
        LargePages::try_zeroed(len).unwrap_or_else(|| match Layout::array::<T>(len) {
            Ok(layout) => handle_alloc_error(layout),
            Err(error) => panic!("a table of {len} entries: {error}"),
        })
    }
}

/// Prefetches the cache line at the start of an item.
#[inline(always)]
pub(crate) fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of any address has no effect on memory, and SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}

/// Memory mappings.
///
/// Nearly every access to the transposition table is to a memory page that was not used recently.
/// With pages of 4 KiB each access also misses the processor's cache of addresses (TLB), so pages
/// of 2 MiB are requested, as Stockfish does (`aligned_large_pages_alloc`).
#[cfg(not(target_family = "wasm"))]
mod pages {
    use std::marker::PhantomData;
    use std::ops::{Deref, DerefMut};

    use bytemuck::Zeroable;
    use memmap2::{MmapMut, MmapRaw};

    /// Size of a large page on x86-64 and, usually, on AArch64.
    const LARGE_PAGE: usize = 2 << 20;

    /// A slice of items in its own memory mapping.
    pub(crate) struct LargePages<T> {
        /// Never borrowed as a slice of bytes: entries are written through shared references, which
        /// a pointer that comes from `&[u8]` does not allow.
        map: MmapRaw,
        /// Offset of the slice in the map: the start of a large page.
        offset: usize,
        len: usize,
        items: PhantomData<T>,
    }

    impl<T: Zeroable> LargePages<T> {
        /// Allocates `len` zeroed items, or returns `None` if the system does not have this much
        /// memory. The system provides each page when it is first used.
        pub(crate) fn try_zeroed(len: usize) -> Option<LargePages<T>> {
            const { assert!(!std::mem::needs_drop::<T>() && align_of::<T>() <= LARGE_PAGE) };
            let bytes = len.checked_mul(size_of::<T>())?.checked_add(LARGE_PAGE)?;
            let map = MmapRaw::from(MmapMut::map_anon(bytes).ok()?);
            // Without large pages the table works too; Miri does not know the call.
            #[cfg(all(target_os = "linux", not(miri)))]
            let _ = map.advise(memmap2::Advice::HugePage);
            let offset = map.as_ptr().align_offset(LARGE_PAGE);
            (offset <= LARGE_PAGE).then_some(LargePages { map, offset, len, items: PhantomData })
        }
    }

    impl<T> Deref for LargePages<T> {
        type Target = [T];

        #[inline]
        fn deref(&self) -> &[T] {
            // SAFETY: the map holds `len` items from `offset` on, aligned to a large page and
            // thereby for `T`; all zeroes are a valid `T`, and only the slices made here write to
            // the map.
            unsafe {
                std::slice::from_raw_parts(self.map.as_mut_ptr().add(self.offset).cast(), self.len)
            }
        }
    }

    impl<T> DerefMut for LargePages<T> {
        #[inline]
        fn deref_mut(&mut self) -> &mut [T] {
            let start = self.map.as_mut_ptr();
            // SAFETY: as above, and the map is borrowed mutably.
            unsafe { std::slice::from_raw_parts_mut(start.add(self.offset).cast(), self.len) }
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        #[cfg_attr(miri, ignore = "takes minutes there")]
        fn the_items_are_zero_aligned_and_writable() {
            let mut pages = LargePages::<u64>::zeroed(3_000_000);
            assert_eq!(pages.len(), 3_000_000);
            assert_eq!(pages.as_ptr().align_offset(LARGE_PAGE), 0);
            assert!(pages.iter().all(|&item| item == 0));
            pages[2_999_999] = 7;
            assert_eq!(pages.iter().sum::<u64>(), 7);
        }

        #[test]
        #[cfg_attr(miri, ignore = "Miri ends there when memory is refused")]
        fn too_much_is_refused() {
            assert!(LargePages::<u64>::try_zeroed(usize::MAX / 2).is_none());
            assert!(LargePages::<u8>::try_zeroed(usize::MAX / 4).is_none());
        }
    }
}

/// The heap, where the system has neither memory mappings nor large pages: WebAssembly.
#[cfg(target_family = "wasm")]
mod pages {
    use std::ops::{Deref, DerefMut};

    use bytemuck::Zeroable;
    use bytemuck::allocation::try_zeroed_slice_box;

    /// A slice of items on the heap.
    pub(crate) struct LargePages<T>(Box<[T]>);

    impl<T: Zeroable> LargePages<T> {
        /// Allocates `len` zeroed items, or returns `None` without enough memory.
        pub(crate) fn try_zeroed(len: usize) -> Option<LargePages<T>> {
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
}
