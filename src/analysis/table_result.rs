//! The result of an analysed position in the endgame tables.

use serde::{Deserialize, Serialize};
use xiangqi::geometry::Color;
use xiangqi::rules::Language;

use crate::tables::{Value, Wdl};

/// The result of a position by the endgame tables, which do not know repetitions and the
/// natural-move limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TableResult {
    /// For the side to move.
    pub result: TableOutcome,
    /// Plies to mate with best play; `None` for a draw.
    pub plies: Option<u8>,
}

/// Who wins, seen from the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableOutcome {
    /// The side to move wins.
    Win,
    /// Nobody can force a win.
    Draw,
    /// The side to move loses.
    Loss,
}

impl From<Value> for TableResult {
    fn from(value: Value) -> TableResult {
        let result = match value.wdl() {
            Wdl::Win => TableOutcome::Win,
            Wdl::Draw => TableOutcome::Draw,
            Wdl::Loss => TableOutcome::Loss,
        };
        TableResult { result, plies: value.plies() }
    }
}

impl TableResult {
    /// The result in words, such as `red wins in 25 plies`.
    pub fn describe(self, side_to_move: Color, language: Language) -> String {
        let winner = match self.result {
            TableOutcome::Win => side_to_move,
            TableOutcome::Loss => !side_to_move,
            TableOutcome::Draw => {
                return match language {
                    Language::English => "a draw".to_owned(),
                    Language::Chinese => "和棋".to_owned(),
                };
            }
        };
        let chinese = if winner == Color::Red { "红胜" } else { "黑胜" };
        match (language, self.plies) {
            (Language::English, None | Some(0)) => format!("{winner} has won"),
            (Language::English, Some(1)) => format!("{winner} wins in 1 ply"),
            (Language::English, Some(plies)) => format!("{winner} wins in {plies} plies"),
            (Language::Chinese, None | Some(0)) => chinese.to_owned(),
            (Language::Chinese, Some(plies)) => format!("{chinese}（{plies} 步）"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_name_the_winner_whoever_is_to_move() {
        for (value, side, text) in [
            (Value::DRAW, Color::Red, "a draw"),
            (Value::decided(0), Color::Black, "red has won"),
            (Value::decided(1), Color::Red, "red wins in 1 ply"),
            (Value::decided(24), Color::Red, "black wins in 24 plies"),
            (Value::decided(25), Color::Black, "black wins in 25 plies"),
        ] {
            assert_eq!(TableResult::from(value).describe(side, Language::English), text);
        }
    }
}
