//! The games of a collection as a table for people, a line each.

use std::fmt::Write as _;

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};
use xiangqi::geometry::Color;
use xiangqi::records::Game;
use xiangqi::rules::explanation::Language;

use super::Assessment;

/// The width of a name in columns; longer ones are cut.
const NAME_WIDTH: usize = 16;

/// The width of a column with numbers of both sides.
const WIDTH: usize = 10;

/// Writes a line for each game: number, players, result, length, the accuracy, the centipawns lost
/// a move and the blunders of both sides, and the opening.
pub fn games_table<'a>(
    games: impl IntoIterator<Item = (usize, &'a Game, &'a Assessment)>,
) -> String {
    let columns = ["accuracy", "cp loss", "blunders"].map(|title| format!("{title:^WIDTH$}"));
    let mut text = format!(
        "{:>5}  {:<NAME_WIDTH$}  {:<NAME_WIDTH$}  result   plies  {}  opening\n",
        "game",
        "red",
        "black",
        columns.join("  ")
    );
    for (number, game, assessment) in games {
        let name = |side| fitted(game.player(side).unwrap_or("?"));
        let [red, black] = Color::ALL.map(|side| assessment.summary(side, None));
        let whole =
            |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.0}"));
        let both = |red: String, black: String| format!("{red:>4} {black:>4} ");
        // The last class is that of blunders.
        let blunders =
            |classes: [usize; 5]| classes.last().map_or_else(String::new, usize::to_string);
        let opening = assessment.opening.map(|opening| opening.name(Language::English));
        let line = format!(
            "{number:>5}  {}  {}  {:<7}  {:>5}  {}  {}  {}  {}",
            name(Color::Red),
            name(Color::Black),
            game.result.text(),
            assessment.moves.len(),
            both(whole(red.accuracy), whole(black.accuracy)),
            both(whole(red.cp_loss), whole(black.cp_loss)),
            both(blunders(red.classes), blunders(black.classes)),
            opening.unwrap_or_default()
        );
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

/// Cuts or pads a name to its column; a Chinese character takes two.
fn fitted(name: &str) -> String {
    let mut width = 0;
    let shown: String = name
        .chars()
        .take_while(|c| {
            width += c.width().unwrap_or(0);
            width <= NAME_WIDTH
        })
        .collect();
    let missing = NAME_WIDTH.saturating_sub(shown.width());
    shown + &" ".repeat(missing)
}
