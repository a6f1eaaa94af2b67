//! The crosstable: everyone's score against everyone.

use std::fmt;

use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use super::results::ResultSet;
use super::score::GameCounts;

/// A player in the crosstable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CrosstableRow {
    /// The name of the player.
    pub name: String,
    /// The score of this player against the player of each row; none against itself and where the
    /// two have not met.
    pub cells: Vec<Option<GameCounts>>,
    /// The score in all games.
    pub total: GameCounts,
}

/// The crosstable of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Crosstable {
    /// The players, most points first; equal points by points per game, then by name.
    pub rows: Vec<CrosstableRow>,
}

impl Crosstable {
    /// Returns the crosstable of all players, those without games included.
    pub fn of(results: &ResultSet) -> Crosstable {
        let names = results.players();
        let totals: Vec<GameCounts> =
            (0..names.len()).map(|player| results.total(player)).collect();
        let ratio = |player: usize| totals[player].ratio().unwrap_or(0.0);
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|&a, &b| {
            let by_points = totals[b].points().total_cmp(&totals[a].points());
            let by_ratio = ratio(b).total_cmp(&ratio(a));
            by_points.then(by_ratio).then(names[a].cmp(&names[b]))
        });
        let cell = |player: usize, opponent: usize| {
            let score = results.score_against(player, opponent);
            (score.games() > 0).then_some(score)
        };
        let rows = order.iter().map(|&player| CrosstableRow {
            name: names[player].clone(),
            cells: order.iter().map(|&opponent| cell(player, opponent)).collect(),
            total: totals[player],
        });
        Crosstable { rows: rows.collect() }
    }

    /// Returns the text of all fields, headings first.
    fn fields(&self) -> Vec<Vec<String>> {
        let numbers = (1..=self.rows.len()).map(|number| number.to_string());
        let mut headings = vec!["#".to_owned(), "Player".to_owned()];
        headings.extend(numbers);
        headings.extend(["Total".to_owned(), "Score".to_owned()]);
        let mut fields = vec![headings];
        for (index, row) in self.rows.iter().enumerate() {
            let mut line = vec![(index + 1).to_string(), row.name.clone()];
            line.extend(row.cells.iter().enumerate().map(|(column, cell)| match cell {
                Some(score) => points_of_games(*score),
                None if column == index => "x".to_owned(),
                None => "-".to_owned(),
            }));
            line.push(points_of_games(row.total));
            line.push(match row.total.ratio() {
                Some(ratio) => format!("{:.1}%", 100.0 * ratio),
                None => "-".to_owned(),
            });
            fields.push(line);
        }
        fields
    }
}

/// Writes points and games, such as `2.5/4`.
fn points_of_games(score: GameCounts) -> String {
    format!("{}/{}", score.points(), score.games())
}

/// Plain text with aligned columns, one line a player, in which columns are headed by the place of
/// the opponent. `x` marks the player itself, `-` opponents not met.
impl fmt::Display for Crosstable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAME_COLUMN: usize = 1;
        let fields = self.fields();
        let columns = self.rows.len() + 4;
        let width = |column: usize| fields.iter().map(|line| line[column].width()).max();
        let widths: Vec<usize> = (0..columns).filter_map(width).collect();
        for line in &fields {
            for (column, (field, width)) in line.iter().zip(&widths).enumerate() {
                if column > 0 {
                    write!(f, "  ")?;
                }
                let blanks = " ".repeat(width - field.width());
                if column == NAME_COLUMN {
                    write!(f, "{field}{blanks}")?;
                } else {
                    write!(f, "{blanks}{field}")?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Crosstable {
        let mut results = ResultSet::default();
        results.enter("newcomer");
        results.add("beta", "alpha", GameCounts::new(1, 2, 1)).unwrap();
        results.add("alpha", "beta", GameCounts::new(3, 0, 1)).unwrap();
        results.add("gamma", "alpha", GameCounts::new(0, 1, 0)).unwrap();
        Crosstable::of(&results)
    }

    #[test]
    fn rows_are_sorted_and_cells_mirror_each_other() {
        let table = table();
        let names: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["alpha", "beta", "gamma", "newcomer"]);
        assert_eq!(table.rows[0].cells[1], Some(GameCounts::new(5, 1, 2)));
        for (i, row) in table.rows.iter().enumerate() {
            for (j, cell) in row.cells.iter().enumerate() {
                assert_eq!(table.rows[j].cells[i], cell.map(GameCounts::reversed));
            }
        }
    }

    #[test]
    fn the_text_is_aligned() {
        let expected = "\
#  Player      1    2    3  4  Total  Score
1  alpha       x  6/8  1/1  -    7/9  77.8%
2  beta      2/8    x    -  -    2/8  25.0%
3  gamma     0/1    -    x  -    0/1   0.0%
4  newcomer    -    -    -  x    0/0      -
";
        assert_eq!(table().to_string(), expected);
    }

    #[test]
    fn chinese_names_take_two_columns_a_character() {
        let mut results = ResultSet::default();
        results.add("胡荣华", "weak", GameCounts::new(1, 0, 0)).unwrap();
        let expected = "\
#  Player    1    2  Total   Score
1  胡荣华    x  1/1    1/1  100.0%
2  weak    0/1    x    0/1    0.0%
";
        assert_eq!(Crosstable::of(&results).to_string(), expected);
    }

    #[test]
    fn a_tournament_without_players_has_only_headings() {
        let empty = Crosstable::of(&ResultSet::default());
        assert_eq!(empty.to_string(), "#  Player  Total  Score\n");
    }
}
