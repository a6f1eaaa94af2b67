//! Threads of a host: WebAssembly has none of its own, but a host can run the module in several
//! workers that share its memory.

/// Body of a thread. If the host drops it without running it, the engine searches without it.
pub struct ThreadBody {
    /// Blocks between searches, and returns when the engine no longer needs the thread.
    pub run: Box<dyn FnOnce() + Send>,
    /// Says that the thread has ended in the middle of `run`, which nothing unwinds there. The
    /// engine ends the search of the thread and goes on without it.
    pub fail: Box<dyn FnOnce() + Send>,
}

/// The threads that a host can start.
pub struct HostThreads {
    /// Maximum number of threads of the engine. The caller of the engine is none of them.
    pub most: usize,
    /// Starts a thread. The next search may wait for it, so the host lets it begin, or drops its
    /// body, before it calls the engine again.
    pub start: Box<dyn Fn(ThreadBody) + Send + Sync>,
}
