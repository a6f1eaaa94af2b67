//! Code that several areas share.

pub mod damage;
pub mod snapshots;
