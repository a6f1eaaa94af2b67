//! Reasons of a ruling as data: the moves of the loop with their kinds and attacks, the conduct of
//! both sides, and the rules that decide. [`Language`] writes them as text.

mod attack;
mod citation;
mod conduct;
mod effect;
mod explain;
mod explained_move;
mod last_repetition;
mod move_kind;
mod reason;
mod reasons;
mod report;
mod text;
mod threat;

pub use attack::{Attack, PieceOn};
pub use citation::Citation;
pub use conduct::Conduct;
pub use effect::Effect;
pub use explain::{Explanation, explain};
pub use explained_move::ExplainedMove;
pub use last_repetition::LastRepetition;
pub use move_kind::MoveKind;
pub use reason::{Reason, ReasonKind};
pub use report::{AttackReport, ExplanationReport, MoveReport, ReasonReport, ThreatReport};
pub use text::{Labels, Language, ParseLanguageError};
pub use threat::Threat;
