//! All repetitions of a game, judged by several rule sets.

use crate::board::{Move, Position};

use super::RuleSet;
use super::judge::{LoopRuling, judge_loop};
use super::occurrences::{loop_start, moves_since, occurrences, recurrences};

/// A repetition of a game: a run of plies each of which led to a position of the game again. It is
/// ruled over the last three occurrences of its last position, or two if there are no more, as a
/// game is; of equal turns the loop is the last one.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct GameLoop {
    /// The plies played before the loop: its first move is the next one.
    pub start: usize,
    /// The moves of the loop.
    pub moves: Vec<Move>,
    /// The number of occurrences of the last position.
    pub occurrences: usize,
    /// The rulings, in the order of the rule sets.
    pub rulings: Vec<LoopRuling>,
}

/// Returns the repetitions of the game that led to the position, the first one first.
///
/// ```
/// use xiangqi::{Color, Position, RuleSet, judge_game};
///
/// let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/4A4/R3K4 w")?;
/// for mv in ["a0a9", "d9d8", "a9a8", "d8d9", "a8a9", "d9d8"] {
///     position.play(mv.parse()?)?;
/// }
/// let repetitions = judge_game(&position, &[RuleSet::Wxf, RuleSet::None]);
/// assert_eq!((repetitions.len(), repetitions[0].start), (1, 2));
/// let losers: Vec<_> = repetitions[0].rulings.iter().map(|ruling| ruling.loser).collect();
/// assert_eq!(losers, [Some(Color::Red), None]); // Red checks perpetually
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn judge_game(position: &Position, rules: &[RuleSet]) -> Vec<GameLoop> {
    let recurs = recurrences(position);
    let mut position = position.clone();
    let mut found = Vec::new();
    let mut is_within = false;
    for recurs in recurs.into_iter().rev() {
        let since = (recurs && !is_within).then(|| loop_start(&position)).flatten();
        if let Some(start) = since {
            let length = position.ply() - start;
            found.push(GameLoop {
                start,
                moves: moves_since(&position, start).collect(),
                occurrences: occurrences(&position).count() + 1,
                rulings: rules.iter().map(|&rules| judge_loop(&position, length, rules)).collect(),
            });
        }
        is_within = recurs;
        position.unmake();
    }
    found.reverse();
    found
}
