//! What ends a game: repetitions judged by one of several [`RuleSet`]s, mate and stalemate, the
//! natural-move limit, and positions that nobody can win; and why a repetition is ruled as it is.
//!
//! The default rules are those of the World Xiangqi Federation of 2018 (WXF). The algorithm for them
//! and its vocabulary are those of D. Tan and N. Watkinson Medina, "Complete Implementation of WXF
//! Chinese Chess Rules" (arXiv 2412.17948).
//!
//! # In a search
//!
//! [`History`] follows the position ply by ply and is asked at every node:
//!
//! ```
//! use xiangqi::board::Position;
//! use xiangqi::rules::{History, RuleSet, Wdl};
//!
//! let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/4A4/R3K4 w").unwrap();
//! let mut history = History::new(&position, RuleSet::Wxf);
//! for mv in ["a0a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8"] {
//!     let mv = position.parse_move(mv).unwrap();
//!     position.make(mv);
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
//! One more thing is asked of the searcher: to call [`History::note`] when it reaches the first
//! quiet move of a node. What the last move threatens is noted then, if the opponent has just gone
//! back to where it was, so that a quiet move may close a loop. The judge takes from the notes what
//! is there and finds the rest itself, and notes it.
//!
//! What that costs, in the benchmark (`cargo bench --bench rules`); a node takes some 2,500 ns:
//!
//! | part | nodes that reach it | time for each |
//! |---|---|---|
//! | push, pop and filter of keys | all | 2 ns |
//! | search for an earlier occurrence | 0.30 % | 3 ns |
//! | first quiet move noted | 0.40 % | 200 ns, nearly all of it [`get_chases`] |
//! | loop judged | 0.25 % | 60 ns if all is noted, 600 ns if nothing is |
//!
//! Noting more does not pay, and noting less would not lose. Without notes at the first quiet move
//! the judge looks for threats at 0.24 % of the nodes; of the 0.40 % that are noted it uses half. In
//! instructions of the whole search that is 0.1 % more. To note wherever four plies could be a loop
//! takes 1.9 % more, and wherever the last move was reversible, as the paper does, 3.3 %, for the
//! same rulings.
//!
//! # What a chase is by the default rules
//!
//! A move chases a piece if some rook, cannon, knight, bishop or advisor of the mover threatens to
//! capture it, which must be legal, no exchange, and of no protected piece and no pawn at home;
//! if the same piece did not threaten the same before the move; and if the reply meets that
//! threat. All rules of WXF 20 about direct and discovered attacks, screens, legs, protectors
//! taken away, sacrifices and counter-threats follow from these three conditions. A side chases
//! perpetually if there is a piece that each of its moves in the loop chases.

mod chases;
mod cxa;
mod ending;
mod entries;
mod explanation;
mod game_loops;
mod history;
mod judge;
mod level;
mod material;
mod natural_limit;
mod occurrences;
mod protection;
mod referee;
mod result;
mod rule_set;

pub use chases::{Chases, get_chases};
pub use cxa::Ground;
pub use ending::{EndByRules, end_by_count, end_of_game};
pub use explanation::{
    Attack, AttackReport, Citation, Conduct, Effect, ExplainedMove, Explanation, ExplanationReport,
    Labels, Language, MoveKind, MoveReport, ParseLanguageError, PieceOn, Reason, ReasonKind,
    ReasonReport, explain,
};
pub use game_loops::{GameLoop, judge_game};
pub use history::{History, Tally};
pub use judge::{LoopRuling, Ruling, judge, judge_loop, judge_ntimes};
pub use level::Level;
pub use material::is_dead;
pub use natural_limit::{DEFAULT_NATURAL_LIMIT, natural_plies, reaches_natural_limit};
pub use occurrences::{last_occurrence, occurrences, repeats};
pub use protection::{is_exchange, is_protected, real_roots};
pub use referee::{Outcome, Referee, Regulations, outcome};
pub use result::{GameResult, ParseResultError, Wdl};
pub use rule_set::{ParseRuleSetError, RuleSet};
