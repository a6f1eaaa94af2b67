//! Prefetching. The tables of the search exceed the processor's caches, so most of the cost of an
//! access is the latency of memory.

/// Prefetches the cache line at the start of an item.
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
