//! The search: negamax with principal variation windows over staged moves, a hash table shared by
//! all workers, and the judge of repetitions at every node.
//!
//! A search is a [`SearchContext`], made new for each `go`, and one [`Worker`] a thread. Workers
//! live on between searches and keep their histories. Worker 0 watches the clock and reports.

mod context;
mod histories;
mod large_pages;
mod learning;
mod limits;
mod line;
mod move_loop;
mod negamax;
mod parameters;
mod picker;
mod pruning;
mod quiescence;
mod report;
mod root;
mod stack;
mod table;
mod time;
mod value;
mod worker;

pub use context::{NodeCounter, Reporter, SearchContext, SearchOptions, Signals};
pub use limits::{Clock, Limits};
pub use parameters::Parameters;
pub use report::{Bound, CurrentMove, PvInfo, Score, SearchInfo, SearchResult};
pub use table::{ProbeResult, TranspositionTable};
pub use worker::Worker;
