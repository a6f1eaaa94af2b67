//! The rules inside a search, for engines.
//!
//! [`GameHistory`] follows the position ply by ply and is asked at every node:
//!
//! ```
//! use xiangqi::board::Position;
//! use xiangqi::rules::search::GameHistory;
//! use xiangqi::rules::{RuleSet, Wdl};
//!
//! let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/4A4/R3K4 w").unwrap();
//! let mut history = GameHistory::new(&position, RuleSet::Wxf);
//! for mv in ["a0a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8"] {
//!     position.play(mv.parse().unwrap()).unwrap();
//!     history.push(&position); // after each move and each null move
//! }
//! // Step 1 of a node; the scores are those of the side to move.
//! let (draw_score, beta) = (0, 50);
//! let ruling = history.judge_prune(&position, draw_score, beta).unwrap();
//! assert_eq!(ruling.verdict, Wdl::Loss); // Red checks perpetually
//! assert_eq!(ruling.since, 2);
//! history.pop(&position); // before each unmake
//! position.unmake();
//! ```
//!
//! The searcher also calls [`GameHistory::note`] when it reaches the first quiet move of a node. If
//! the opponent has just moved back, so that a quiet move may close a loop, the threats of the last
//! move are recorded. The judge reuses recorded threats, and computes and records missing ones.
//!
//! The cost in the benchmark (`cargo bench rules::`); a node takes some 2,500 ns:
//!
//! | part | nodes that reach it | time for each |
//! |---|---|---|
//! | push, pop and filter of keys | all | 2 ns |
//! | search for an earlier occurrence | 0.30 % | 3 ns |
//! | first quiet move noted | 0.40 % | 200 ns, nearly all of it [`super::chases_of`] |
//! | loop judged | 0.25 % | 60 ns if all is noted, 600 ns if nothing is |
//!
//! Noting more does not pay, and noting less would not lose. Without notes at the first quiet move
//! the judge looks for threats at 0.24 % of the nodes; of the 0.40 % that are noted it uses half.
//! In instructions of the whole search that is 0.1 % more. To note wherever four plies could be a
//! loop takes 1.9 % more, and wherever the last move was reversible, as the paper does, 3.3 %, for
//! the same rulings.

pub use super::ending::end_by_count;
pub use super::history::{GameHistory, Tally};
pub use super::judge::{Ruling, judge_occurrences};
pub use super::natural_limit::reaches_natural_limit;
