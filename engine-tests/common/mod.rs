//! Code that several areas share.

pub mod damage;
pub mod folder;
pub mod program;
pub mod snapshots;
pub mod thread_time;
