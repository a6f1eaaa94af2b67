//! Statistics of a set of games.

use std::collections::BTreeMap;
use std::fmt;

use cannonade_engine::nnue::bucket;
use serde_json::{Value, json};
use xiangqi::geometry::Color;
use xiangqi::rules::Wdl;

use super::game::{GameError, SelfPlayEnding, SelfPlayGame};

/// Width of a column of the score histogram, in centipawns.
const SCORE_STEP: i32 = 200;

/// Counts over games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    games: u64,
    plies: u64,
    broken: u64,
    results: [u64; 3],
    endings: [u64; 5],
    checks: u64,
    captures: u64,
    /// Positions by absolute score in steps of [`SCORE_STEP`]; the last holds all beyond.
    scores: [u64; 11],
    /// Positions by number of pieces, in the eight ranges of the output buckets, and by the result
    /// of their game.
    pieces: [[u64; 3]; 8],
    longest: usize,
}

impl Statistics {
    /// Adds a game. If the game has an illegal move, the plies before it are counted and the error
    /// names the move.
    ///
    /// # Errors
    /// The first illegal move of the game.
    pub fn add(&mut self, game: &SelfPlayGame) -> Result<(), GameError> {
        self.games += 1;
        self.results[game.result as usize] += 1;
        self.endings[game.ending as usize] += 1;
        self.longest = self.longest.max(game.plies.len());
        let replayed = game.replay(|position, _, ply| {
            self.plies += 1;
            self.checks += u64::from(position.in_check());
            self.captures += u64::from(position.is_capture(ply.mv));
            let step = (i32::from(ply.score).abs() / SCORE_STEP) as usize;
            self.scores[step.min(self.scores.len() - 1)] += 1;
            let eighth = bucket(position.occupied().len(), self.pieces.len());
            self.pieces[eighth][game.result as usize] += 1;
        });
        self.broken += u64::from(replayed.is_err());
        replayed.map(|_| ())
    }

    /// Returns the counts as JSON.
    pub fn to_json(&self) -> Value {
        let by_result = |counts: [u64; 3]| -> BTreeMap<&str, u64> {
            Wdl::ALL
                .into_iter()
                .map(|result| (result.result_for(Color::Red).text(), counts[result as usize]))
                .collect()
        };
        let endings = SelfPlayEnding::ALL
            .into_iter()
            .map(|ending| (ending.text(), self.endings[ending as usize]));
        let scores =
            self.scores.iter().enumerate().map(
                |(step, &count)| json!({ "from": step as i32 * SCORE_STEP, "positions": count }),
            );
        let pieces = self.pieces.iter().enumerate().map(|(eighth, &counts)| {
            let (from, to) = piece_range(eighth);
            json!({ "from": from, "to": to, "positions": by_result(counts) })
        });
        json!({
            "count": self.games,
            "broken": self.broken,
            "plies": self.plies,
            "longest": self.longest,
            "results": by_result(self.results),
            "endings": endings.collect::<BTreeMap<_, _>>(),
            "in_check": self.checks,
            "captures": self.captures,
            "by_score": scores.collect::<Vec<_>>(),
            "by_pieces": pieces.collect::<Vec<_>>(),
        })
    }
}

/// Returns the numbers of pieces of a row of the table.
fn piece_range(eighth: usize) -> (usize, usize) {
    (4 * eighth + 1, 4 * eighth + 4)
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        writeln!(f, "games      {:>12}", self.games)?;
        writeln!(f, "positions  {:>12}", self.plies)?;
        let mean = self.plies as f64 / self.games.max(1) as f64;
        writeln!(f, "plies      {mean:>12.1} per game, at most {}", self.longest)?;
        if self.broken > 0 {
            writeln!(f, "broken     {:>12} games with illegal moves", self.broken)?;
        }
        for result in Wdl::ALL {
            let count = self.results[result as usize];
            writeln!(
                f,
                "{:<10} {count:>12} {:>6.2} %",
                result.result_for(Color::Red).text(),
                share(count, self.games)
            )?;
        }
        for ending in SelfPlayEnding::ALL {
            let count = self.endings[ending as usize];
            writeln!(f, "{:<11}{count:>12} {:>6.2} %", ending.text(), share(count, self.games))?;
        }
        writeln!(f, "in check   {:>12} {:>6.2} %", self.checks, share(self.checks, self.plies))?;
        writeln!(
            f,
            "captures   {:>12} {:>6.2} %",
            self.captures,
            share(self.captures, self.plies)
        )?;
        writeln!(f, "positions by |score|:")?;
        for (step, &count) in self.scores.iter().enumerate() {
            let from = step as i32 * SCORE_STEP;
            writeln!(f, "  from {from:>5} {count:>12} {:>6.2} %", share(count, self.plies))?;
        }
        writeln!(f, "positions by pieces, and how many of them are from games that ended")?;
        writeln!(f, "{:>43} {:>10} {:>10}", "1-0", "1/2-1/2", "0-1")?;
        for (eighth, counts) in self.pieces.iter().enumerate() {
            let (from, to) = piece_range(eighth);
            let count: u64 = counts.iter().sum();
            write!(f, "  {from:>2} to {to:>2} {count:>12} {:>6.2} %", share(count, self.plies))?;
            for result in Wdl::ALL {
                write!(f, " {:>8.2} %", share(counts[result as usize], count))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
