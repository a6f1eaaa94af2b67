//! The summary of a match, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::super::game::GameRecord;
use super::super::statistics::{
    Crosstable, EloEstimate, GameCounts, MatchTally, PairCounts, Sprt, SprtReport,
};
use super::conditions::MatchConditions;
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
    /// How the games ended.
    #[serde(flatten)]
    pub endings: EndingCounts,
    /// The conditions of each match whose games are counted.
    pub matches: Vec<MatchConditions>,
}

/// How many games ended in which way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndingCounts {
    /// The number of games for each reason of ending.
    pub endings: BTreeMap<String, u32>,
    /// The number of games that each engine lost by each kind of fault.
    #[serde(default)]
    pub faults: BTreeMap<String, BTreeMap<String, u32>>,
}

impl EndingCounts {
    /// Counts a game.
    pub fn add(&mut self, record: &GameRecord) {
        *self.endings.entry(record.ending.reason.kind().to_owned()).or_default() += 1;
        if let Some((loser, fault)) = record.fault() {
            let faults = self.faults.entry(record.names[loser].clone()).or_default();
            *faults.entry(fault.kind().to_owned()).or_default() += 1;
        }
    }

    /// Adds the games of another match.
    pub(super) fn merge(&mut self, other: EndingCounts) {
        let add = |counts: &mut BTreeMap<String, u32>, more: BTreeMap<String, u32>| {
            for (reason, count) in more {
                *counts.entry(reason).or_default() += count;
            }
        };
        add(&mut self.endings, other.endings);
        for (name, faults) in other.faults {
            add(self.faults.entry(name).or_default(), faults);
        }
    }
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
        endings: &EndingCounts,
        matches: &[MatchConditions],
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
            matches: matches.to_vec(),
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
        let counts = |counts: &BTreeMap<String, u32>| -> String {
            let texts = counts.iter().map(|(reason, count)| format!("{reason} {count}"));
            texts.collect::<Vec<_>>().join(", ")
        };
        for (name, faults) in &self.endings.faults {
            writeln!(f, "Games lost by faults of {name}: {}", counts(faults))?;
        }
        writeln!(f, "Endings: {}", counts(&self.endings.endings))
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
