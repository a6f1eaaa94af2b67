//! Why a repetition is ruled as it is: each move of the loop with what it does and attacks, what
//! each side does in all, and the rules that decide. All of it is data; [`Language`] makes text
//! of it.

mod attack;
mod citation;
mod conduct;
mod effect;
mod explain;
mod explained_move;
mod move_kind;
mod reason;
mod reasons;
mod report;
mod text;

pub use attack::{Attack, PieceOn};
pub use citation::Citation;
pub use conduct::Conduct;
pub use effect::Effect;
pub use explain::{Explanation, explain};
pub use explained_move::ExplainedMove;
pub use move_kind::MoveKind;
pub use reason::{Reason, ReasonKind};
pub use report::{AttackReport, ExplanationReport, MoveReport, ReasonReport};
pub use text::{Labels, Language, ParseLanguageError};
