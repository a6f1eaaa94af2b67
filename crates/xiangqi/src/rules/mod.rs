//! Ends of a game: repetitions judged by one of several [`RuleSet`]s, mate and stalemate, the
//! natural-move limit, and dead material. [`explanation`] gives the reasons of a ruling, [`search`]
//! the answers that an engine needs at every node.
//!
//! The default rules are those of the World Xiangqi Federation of 2018 (WXF). The algorithm for
//! them and its vocabulary are those of D. Tan and N. Watkinson Medina, "Complete Implementation of
//! WXF Chinese Chess Rules" ([arXiv 2412.17948](https://arxiv.org/abs/2412.17948)).
//!
//! # A chase by the default rules
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
pub mod explanation;
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
pub mod search;

pub use chases::chases_of;
pub use cxa::Ground;
pub use ending::EndByRules;
pub use game_loops::{GameLoop, judge_game};
pub use judge::{LoopRuling, judge_loop};
pub use level::{Level, ParseLevelError};
pub use material::is_dead;
pub use natural_limit::{DEFAULT_NATURAL_LIMIT, mates_in_time, natural_plies};
pub use occurrences::{DEFAULT_OCCURRENCES, loop_start, occurrences, repeats};
pub use referee::{Outcome, Referee, Regulations};
pub use result::{GameResult, ParseResultError, ParseWdlError, Wdl};
pub use rule_set::{ParseRuleSetError, RuleSet};

#[cfg(test)]
mod tests;
