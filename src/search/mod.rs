//! The search: alpha-beta over staged moves, shared hash table, time management.

mod limits;

pub use limits::{Clock, Limits};
