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
//! | `value`, `limits`, `parameters`, `info` | plain data: values, limits of a `go`, tunable constants, results |
//! | `prefetch`, `histories`, `transposition`, `pv`, `stack`, `root_moves`, `reductions` | the memory of a search |
//! | `context`, `time` | what the workers share; when to stop |
//! | `move_scores`, `picker` | the order of moves |
//! | `worker` | the data of one thread, making and unmaking moves |
//! | `endgame_tables`, `rule_values`, `static_eval`, `history_updates`, `reporting` | parts that several nodes use |
//! | `node`, `negamax`, `pruning`, `move_loop`, `quiescence` | one node; begin to read at `negamax` |
//! | `iterative_deepening` | one search: depth after depth with aspiration windows |

mod context;
mod corrections;
mod endgame_tables;
mod histories;
mod history_index;
mod history_updates;
mod info;
mod iterative_deepening;
mod large_pages;
mod limits;
mod move_loop;
mod move_scores;
mod negamax;
mod node;
mod parameters;
mod picker;
mod prefetch;
mod pruning;
mod pv;
mod quiescence;
mod reductions;
mod reporting;
mod root_moves;
mod rule_values;
mod stack;
mod static_eval;
mod time;
mod transposition;
mod value;
mod worker;

pub use context::{NodeCounter, Reporter, SearchContext, SearchOptions, Signals};
pub use info::{Bound, CurrentMove, PvInfo, Score, SearchInfo, SearchResult};
pub use limits::{Clock, DEFAULT_MOVE_OVERHEAD, Limits};
pub use parameters::Parameters;
pub use transposition::{ProbeResult, TranspositionTable};
pub use worker::Worker;
