//! The protocols without a process.

mod without_threads;
