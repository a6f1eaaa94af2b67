//! Loads of memory that are started before the data is needed. The tables of the search are larger
//! than the processor's caches, so that most of the cost of an access is waiting for memory.

/// Starts to load the cache line where an item begins.
#[inline(always)]
pub(in crate::search) fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of any address has no effect on memory, and SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}
