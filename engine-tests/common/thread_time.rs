//! A stopwatch for work: other processes that have the processor do not make it run.

use std::time::Duration;
#[cfg(not(unix))]
use std::time::Instant;

/// The processor time of the calling thread; the time that passes where the system does not count
/// it.
pub struct ThreadTime {
    #[cfg(unix)]
    start: Duration,
    #[cfg(not(unix))]
    start: Instant,
}

#[cfg(unix)]
impl ThreadTime {
    pub fn start() -> ThreadTime {
        ThreadTime { start: thread_clock() }
    }

    /// Returns the time since the start, in the thread that started it.
    pub fn used(&self) -> Duration {
        thread_clock().saturating_sub(self.start)
    }
}

#[cfg(unix)]
fn thread_clock() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    now.try_into().expect("a time after the start")
}

#[cfg(not(unix))]
impl ThreadTime {
    pub fn start() -> ThreadTime {
        ThreadTime { start: Instant::now() }
    }

    /// Returns the time since the start.
    pub fn used(&self) -> Duration {
        self.start.elapsed()
    }
}
