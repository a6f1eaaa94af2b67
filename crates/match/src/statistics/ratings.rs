//! The rating list: one row per player, the best first, and the certainty with which one is better
//! than another.

use std::fmt;

use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use super::model::BayesModel;
use super::normal;
use super::results::ResultSet;
use super::score::GameCounts;

/// A player in the rating list. Ratings are in scaled Elo (see [`BayesModel::scale`]).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatingRow {
    /// The name of the player.
    pub name: String,
    /// The rating, relative to the mean of the list.
    pub elo: f64,
    /// From the rating to the upper end of its 95 % interval.
    pub plus: f64,
    /// From the rating to the lower end of its 95 % interval.
    pub minus: f64,
    /// Games played.
    pub games: u64,
    /// Points a game, 0 to 1.
    pub score: f64,
    /// The mean rating of the opponents, each as often as it was met.
    pub opposition: f64,
    /// The share of drawn games, 0 to 1.
    pub draws: f64,
}

/// The rating list of a tournament, and the model under which it was computed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatingTable {
    /// The players, best first; equal ratings by name.
    pub rows: Vec<RatingRow>,
    /// The likelihood of superiority, 0 to 1, of the player of a row over that of a column, both in
    /// the order of `rows`; 1/2 on the diagonal.
    pub superiority: Vec<Vec<f64>>,
    /// Advantage and draw elo, in unscaled Elo.
    pub model: BayesModel,
    /// Scaled Elo per unscaled Elo.
    pub scale: f64,
    /// True if the ratings are the most likely ones; otherwise the search for them was too slow and
    /// was stopped on the way.
    pub converged: bool,
}

impl RatingTable {
    /// Puts the list together from unscaled `ratings` and their `covariance`, both in the order of
    /// `players`, whose games are looked up in `results` by number.
    pub(super) fn new(
        results: &ResultSet,
        players: &[usize],
        ratings: &[f64],
        covariance: &[Vec<f64>],
        model: BayesModel,
    ) -> RatingTable {
        let scale = model.scale();
        let names: Vec<&String> =
            players.iter().map(|player| &results.players()[*player]).collect();
        let mut order: Vec<usize> = (0..players.len()).collect();
        order.sort_by(|a, b| ratings[*b].total_cmp(&ratings[*a]).then(names[*a].cmp(names[*b])));

        let row = |index: usize| {
            let mut total = GameCounts::default();
            let mut opposition = 0.0;
            for (opponent, rating) in players.iter().zip(ratings) {
                let score = results.score_against(players[index], *opponent);
                total += score;
                opposition += score.games() as f64 * rating;
            }
            let games = total.games() as f64;
            let margin = normal::QUANTILE_95 * covariance[index][index].sqrt() * scale;
            RatingRow {
                name: names[index].clone(),
                elo: ratings[index] * scale,
                plus: margin,
                minus: margin,
                games: total.games(),
                score: total.points() / games,
                opposition: opposition / games * scale,
                draws: total.draws as f64 / games,
            }
        };
        let superiority = |a: usize, b: usize| {
            if a == b {
                return 0.5;
            }
            let variance = covariance[a][a] + covariance[b][b] - 2.0 * covariance[a][b];
            normal::cumulative((ratings[a] - ratings[b]) / variance.sqrt())
        };
        let against_all = |a: &usize| order.iter().map(|b| superiority(*a, *b)).collect();
        RatingTable {
            rows: order.iter().map(|index| row(*index)).collect(),
            superiority: order.iter().map(against_all).collect(),
            model,
            scale,
            converged: true,
        }
    }
}

/// The columns of BayesElo's `ratings`: plain text, one line a player.
impl fmt::Display for RatingTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lengths = self.rows.iter().map(|row| row.name.width());
        let width = lengths.fold("Name".len(), usize::max);
        writeln!(f, "Rank {:width$}   Elo     +     -  games  score  oppo.  draws", "Name")?;
        // Without the sign of a negative zero.
        let rounded = |number: f64| number.round() + 0.0;
        for (rank, row) in (1..).zip(&self.rows) {
            writeln!(
                f,
                "{rank:>4} {}{} {:>5.0} {:>5.0} {:>5.0} {:>6} {:>5.1}% {:>6.0} {:>5.1}%",
                row.name,
                " ".repeat(width - row.name.width()),
                rounded(row.elo),
                row.plus,
                row.minus,
                row.games,
                100.0 * row.score,
                rounded(row.opposition),
                100.0 * row.draws,
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> RatingTable {
        let mut results = ResultSet::default();
        results.add("weak", "strong", GameCounts::new(1, 6, 3)).unwrap();
        results.add("strong", "middle", GameCounts::new(2, 1, 1)).unwrap();
        let ratings = [-80.0, 80.0, 0.0];
        let covariance =
            [vec![100.0, -50.0, -50.0], vec![-50.0, 100.0, -50.0], vec![-50.0, -50.0, 100.0]];
        RatingTable::new(&results, &[0, 1, 2], &ratings, &covariance, BayesModel::CHESS)
    }

    #[test]
    fn rows_are_sorted_and_tell_each_player_s_games() {
        let table = table();
        let names: Vec<&str> = table.rows.iter().map(|row| row.name.as_str()).collect();
        assert_eq!(names, ["strong", "middle", "weak"]);
        let strong = &table.rows[0];
        assert_eq!((strong.games, strong.score), (14, 10.0 / 14.0));
        assert_eq!(strong.draws, 4.0 / 14.0);
        let opposition = -80.0 * 10.0 / 14.0 * table.scale;
        assert!((strong.opposition - opposition).abs() < 1e-12);
        assert!((strong.plus - 19.599_64 * table.scale).abs() < 1e-4);
    }

    #[test]
    fn superiority_uses_the_covariance_and_the_order_of_the_rows() {
        // Differences have variance 100 + 100 + 100, so deviation 17.32.
        let table = table();
        assert_eq!(table.superiority[1][1], 0.5);
        let expected = normal::cumulative(80.0 / 300f64.sqrt());
        assert!((table.superiority[0][1] - expected).abs() < 1e-12);
        assert!((table.superiority[1][2] - expected).abs() < 1e-12);
    }

    #[test]
    fn the_text_has_a_line_for_each_player() {
        let text = table().to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[..2],
            [
                "Rank Name     Elo     +     -  games  score  oppo.  draws",
                "   1 strong    74    18    18     14  71.4%    -53  28.6%",
            ]
        );
        assert_eq!(lines.len(), 4);
    }
}
