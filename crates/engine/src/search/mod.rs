//! The search: principal variation search over moves that are generated in stages, a transposition
//! table shared by all workers, and a check of the repetition rules at every node.
//!
//! A search consists of one [`SearchContext`], created for each `go`, and one [`Worker`] per
//! thread. Workers live on between searches and keep their histories. Worker 0 watches the clock
//! and reports.
//!
//! The files from bottom to top:
//!
//! | files | content |
//! |---|---|
//! | `value`, `limits`, `parameters`, `info`, `win_draw_loss` | plain data: values, limits of a `go`, tunable constants, results, chances |
//! | `memory/` | the transposition table, large pages, prefetching |
//! | `histories/` | statistics about moves and errors of the static evaluation |
//! | `ordering/` | the order of moves |
//! | `pv`, `stack`, `root_moves`, `reduction_table` | the other data of a search |
//! | `context`, `time` | state shared by the workers; time management |
//! | `root_tables` | values of root moves by endgame tables and rules |
//! | `worker` | the data of one thread, making and unmaking moves |
//! | `reporting` | reports of a running search |
//! | `node/` | one node; `node/mod.rs` lists its steps, `node/negamax.rs` begins with the first |
//! | `iterative_deepening` | one search: depth after depth with aspiration windows |

mod context;
mod histories;
mod info;
mod iterative_deepening;
mod limits;
mod memory;
mod node;
mod ordering;
mod parameters;
mod pv;
mod reduction_table;
mod reporting;
mod root_moves;
mod root_tables;
mod stack;
mod time;
mod value;
mod win_draw_loss;
mod worker;

pub use context::{NodeCounter, Pause, Reporter, SearchContext, SearchOptions, Signals};
pub use info::{Bound, CurrentMove, PvInfo, Score, SearchInfo, WorkerResult};
pub use iterative_deepening::Deepening;
pub use limits::{Clock, DEFAULT_MOVE_OVERHEAD, Limits};
pub use memory::transposition::{ProbeResult, TranspositionTable};
pub use parameters::Parameters;
pub(crate) use time::longest_time;
pub use worker::Worker;
