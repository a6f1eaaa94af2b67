//! The summary of a match, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::super::statistics::{
    Crosstable, EloEstimate, GameCounts, MatchTally, PairCounts, Sprt, SprtReport,
};
use super::standings::Standings;

/// A summary of a match.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    /// Games played.
    pub games: u32,
    /// Games planned.
    pub planned: u32,
    /// Every engine against every other, the best first.
    pub table: Crosstable,
    /// All pairings.
    pub pairings: Vec<PairingLine>,
    /// The test, if the match is one.
    pub sprt: Option<SprtLine>,
    /// The number of games for each reason of ending.
    pub endings: BTreeMap<String, u32>,
}

/// The games of two engines, counted for the first.
#[derive(Clone, Debug, Serialize)]
pub struct PairingLine {
    /// The first engine.
    pub first: String,
    /// The other.
    pub second: String,
    /// Wins, losses and draws of the first: the trinomial count.
    pub score: GameCounts,
    /// Pairs of games with 0, 1/2, 1, 3/2 and 2 points of the first: the pentanomial count.
    pub pairs: PairCounts,
    /// Whether each opening was played with both colours.
    pub in_pairs: bool,
    /// The difference in strength.
    pub estimate: Option<EloEstimate>,
}

/// A test and its state.
#[derive(Clone, Debug, Serialize)]
pub struct SprtLine {
    /// The hypotheses.
    pub test: Sprt,
    /// The likelihood ratio.
    pub report: SprtReport,
}

impl MatchReport {
    /// The summary of the results so far.
    pub fn new(
        standings: &Standings,
        planned: u32,
        sprt: Option<&Sprt>,
        endings: &BTreeMap<String, u32>,
    ) -> MatchReport {
        let names = standings.names();
        let line = |((one, two), tally): ((usize, usize), &MatchTally)| PairingLine {
            first: names[one].clone(),
            second: names[two].clone(),
            score: tally.score(),
            pairs: tally.pairs(),
            in_pairs: tally.is_in_pairs(),
            estimate: EloEstimate::of(tally),
        };
        let observed = standings.first_pairing().distribution();
        MatchReport {
            games: standings.games(),
            planned,
            table: Crosstable::of(&standings.result_set()),
            pairings: standings.pairings().map(line).collect(),
            sprt: sprt.map(|test| SprtLine { test: *test, report: test.report(&observed) }),
            endings: endings.clone(),
        }
    }
}

impl fmt::Display for MatchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.table.rows.len() > 2 {
            writeln!(f, "{}", self.table)?;
        }
        for line in &self.pairings {
            line.fmt(f)?;
        }
        if let Some(SprtLine { test, report }) = &self.sprt {
            let SprtReport { llr, lower, upper, .. } = report;
            writeln!(f, "LLR: {llr:.2} ({lower:.2}, {upper:.2}) {test}")?;
        }
        let endings: Vec<_> =
            self.endings.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
        writeln!(f, "Endings: {}", endings.join(", "))
    }
}

impl fmt::Display for PairingLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(estimate) = &self.estimate else { return Ok(()) };
        let PairingLine { first, second, score, pairs, .. } = self;
        writeln!(f, "Results of {first} vs {second}:")?;
        writeln!(f, "Elo: {}, nElo: {}", estimate.elo, estimate.normalised_elo)?;
        write!(f, "LOS: {:.2} %, DrawRatio: ", 100.0 * estimate.superiority)?;
        let even = pairs.even_ratio().unwrap_or(estimate.draw_ratio);
        write!(f, "{:.2} %", 100.0 * even)?;
        match pairs.won_to_lost() {
            Some(ratio) => writeln!(f, ", PairsRatio: {ratio:.2}")?,
            None => writeln!(f)?,
        }
        write!(f, "Games: {}, Wins: {}, ", score.games(), score.wins)?;
        write!(f, "Losses: {}, Draws: {}, ", score.losses, score.draws)?;
        let percent = 100.0 * score.ratio().unwrap_or(0.0);
        writeln!(f, "Points: {:.1} ({percent:.2} %)", score.points())?;
        if pairs.pairs() > 0 {
            writeln!(f, "Ptnml(0-2): {:?}", pairs.counts())?;
        }
        Ok(())
    }
}
