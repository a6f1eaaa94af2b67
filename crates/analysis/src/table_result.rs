//! The result of an analysed position in the endgame tables.

use cannonade_tables::Value;
use serde::{Deserialize, Serialize};
use xiangqi::geometry::Color;
use xiangqi::rules::Wdl;
use xiangqi::rules::explanation::Language;

/// The result of a position by the endgame tables, which ignore repetitions and the natural-move
/// limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TableResult {
    /// The result for the side to move.
    pub result: Wdl,
    /// Plies to mate with best play; `None` for a draw.
    pub plies: Option<u8>,
}

impl From<Value> for TableResult {
    fn from(value: Value) -> TableResult {
        TableResult { result: value.wdl(), plies: value.plies() }
    }
}

impl TableResult {
    /// Returns the result in words, such as `red wins in 25 plies`.
    pub fn describe(self, side_to_move: Color, language: Language) -> String {
        let winner = match self.result {
            Wdl::Win => side_to_move,
            Wdl::Loss => !side_to_move,
            Wdl::Draw => {
                return match language {
                    Language::Chinese => "和棋".to_owned(),
                    _ => "a draw".to_owned(),
                };
            }
        };
        let chinese = if winner == Color::Red { "红胜" } else { "黑胜" };
        match (language, self.plies) {
            (Language::Chinese, None | Some(0)) => chinese.to_owned(),
            (Language::Chinese, Some(plies)) => format!("{chinese}（{plies} 步）"),
            (_, None | Some(0)) => format!("{winner} has won"),
            (_, Some(1)) => format!("{winner} wins in 1 ply"),
            (_, Some(plies)) => format!("{winner} wins in {plies} plies"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_name_the_winner_with_either_side_to_move() {
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
