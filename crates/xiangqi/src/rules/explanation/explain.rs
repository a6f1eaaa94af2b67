//! The explanation of a repetition as data.

use crate::board::Position;
use crate::geometry::Color;
use crate::rules::RuleSet;
use crate::rules::chases::step;
use crate::rules::judge::{LoopRuling, judge_loop};
use crate::rules::occurrences::{loop_start, moves_since};

use super::conduct::Conduct;
use super::effect::Played;
use super::explained_move::ExplainedMove;
use super::reason::Reason;
use super::reasons;

/// A ruling with its reasons.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The rule book.
    pub rules: RuleSet,
    /// The judge's ruling.
    pub ruling: LoopRuling,
    /// The plies played before the loop, so that its first move is the next one.
    pub cycle_start: usize,
    /// The position where the loop starts and ends.
    pub fen: String,
    /// The conduct of Red and of Black.
    pub conduct: [Conduct; 2],
    /// The rules that apply, the one that decides first; at least one.
    pub reasons: Vec<Reason>,
    /// The loop.
    pub moves: Vec<ExplainedMove>,
}

/// Explains the repetition that the last ply of the position has closed, over at most its last
/// three occurrences; `None` if the position has not occurred before. Of equal turns only the last
/// one is shown.
///
/// ```
/// use xiangqi::rules::explanation::{Language, ReasonKind, explain};
/// use xiangqi::{Color, Position, RuleSet};
///
/// let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/4A4/R3K4 w")?;
/// for mv in ["a0a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8"] {
///     position.play(mv.parse()?)?;
/// }
/// let explanation = explain(&position, RuleSet::Wxf).ok_or("no repetition")?;
/// let reason = &explanation.reasons[0];
/// assert_eq!((reason.kind, reason.side), (ReasonKind::PerpetualCheck, Some(Color::Red)));
/// println!("{}", Language::Chinese.reason(reason, RuleSet::Wxf));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain(position: &Position, rules: RuleSet) -> Option<Explanation> {
    let since = loop_start(position)?;
    let ruling = judge_loop(position, position.ply() - since, rules);
    let turn: Vec<_> = moves_since(position, since).collect();
    // The loop leads back to the board that it started from.
    let start = position.board();
    let mut board = start.clone();
    let mut moves = Vec::with_capacity(turn.len());
    for (i, &mv) in turn.iter().enumerate() {
        let reply = turn[(i + 1) % turn.len()];
        let before = board.clone();
        step(&mut board, mv);
        let played = Played { before: &before, after: &board, mv, reply };
        moves.push(ExplainedMove::of(&played, rules)?);
    }
    let conduct = Color::ALL.map(|side| Conduct::of(side, ruling.level(side), &moves, start));
    let reasons = reasons::find(&ruling, &conduct, &moves, start, rules);
    let fen = Position::from_board(start.clone(), 0).ok()?.fen();
    Some(Explanation { rules, ruling, cycle_start: since, fen, conduct, reasons, moves })
}
