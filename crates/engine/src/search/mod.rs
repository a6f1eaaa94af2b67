//! The search: principal variation search over moves that are generated in stages, a transposition
//! table shared by all workers, and a check of the repetition rules at every node.
//!
//! A search consists of one [`SearchContext`], created for each `go`, and one [`Worker`] per
//! thread. Workers live on between searches and keep their histories. Worker 0 watches the clock
//! and reports.
//!
//! `root` searches depth after depth; `node` is one node, from top to bottom, in numbered steps:
//!
//! | step | | file |
//! |---|---|---|
//! | 1 | quiescence search at the horizon | `node` |
//! | 2 | node count, stop, principal variation | `node` |
//! | 3 | repetitions, natural-move limit, dead draws, endgame tables | `rules` |
//! | 4 | mate distance pruning | `node` |
//! | 5 | transposition table | `node`, `tt` |
//! | 6 | static evaluation | `node` |
//! | 7 | history of the previous move by the change of the evaluation | `history` |
//! | 8 | hindsight: depth corrected by the effect of the previous move | `node` |
//! | 9 | razoring | `node` |
//! | 10 | reverse futility pruning | `node` |
//! | 11 | null move pruning | `node` |
//! | 12 | ProbCut | `node` |
//! | 13 | internal iterative reduction | `node` |
//! | 14 | the next move | `node`, `movepick` |
//! | 15 | pruning of the move: late moves, futility, history, exchanges | `node` |
//! | 16 | extensions: singular moves and checks | `node` |
//! | 17 | chase information for the repetition rules | `node` |
//! | 18 | late move reductions | `node` |
//! | 19 | null window search | `node` |
//! | 20 | open window search | `node` |
//! | 21 | the best move so far | `node` |
//! | 22 | histories and transposition table | `node`, `history`, `tt` |
//!
//! The other files: `worker` (the data of one thread, making and unmaking moves), `context` (what
//! the workers share), `stack` (frames and principal variations), `time`, `limits`, `params`
//! (tunable constants), `value` (bands of values, chances of win, draw and loss), `report` (scores,
//! lines, results) and `memory` (large pages, prefetching).

mod context;
mod counters;
mod history;
mod limits;
mod memory;
mod movepick;
mod node;
mod params;
mod report;
mod root;
mod rules;
mod stack;
mod time;
mod tt;
mod value;
mod worker;

pub use context::{NodeCounter, Reporter, SearchContext, SearchOptions, Signals};
pub use counters::{Counts, counts};
pub use limits::{Clock, DEFAULT_MOVE_OVERHEAD, Limits};
pub use params::Parameters;
pub use report::{Bound, CurrentMove, PvInfo, SearchInfo, WorkerResult};
pub use root::SearchState;
pub(crate) use time::longest_time;
pub use tt::{ProbeResult, TranspositionTable};
pub use value::win_draw_loss;
pub use worker::Worker;
pub use xiangqi::Score;
