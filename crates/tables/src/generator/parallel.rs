//! Cancellable work in chunks on several threads.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::monitor::{BuildError, Monitor};

/// Calls `work` with every chunk of `0..len` on the threads of the monitor, and returns the
/// accumulators.
pub(super) fn for_chunks<A: Default + Send>(
    monitor: &Monitor<'_>,
    len: usize,
    chunk: usize,
    work: impl Fn(Range<usize>, &mut A) + Sync,
) -> Result<Vec<A>, BuildError> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut accumulator = A::default();
        while !monitor.is_cancelled() {
            let start = next.fetch_add(chunk, Ordering::Relaxed);
            if start >= len {
                break;
            }
            work(start..len.min(start + chunk), &mut accumulator);
        }
        accumulator
    };
    let threads = monitor.threads.clamp(1, len.div_ceil(chunk).max(1));
    let accumulators = match threads {
        1 => vec![run()],
        _ => (0..threads).into_par_iter().map(|_| run()).collect(),
    };
    if monitor.is_cancelled() {
        return Err(BuildError::Interrupted);
    }
    Ok(accumulators)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn work_on_one_thread_needs_no_pool() {
        let cancelled = AtomicBool::new(false);
        let sums =
            for_chunks(&Monitor::on_one_thread(&cancelled), 10, 3, |chunk, sum: &mut usize| {
                assert_eq!(rayon::current_thread_index(), None);
                *sum += chunk.sum::<usize>();
            });
        assert!(sums.is_ok_and(|sums| sums == [45]));
    }
}
