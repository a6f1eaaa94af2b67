//! The summary of a match, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::super::game::GameRecord;
use super::super::statistics::{
    Crosstable, EloEstimate, GameCounts, MatchTally, PairCounts, Sprt, SprtReport,
};
use super::archive::EarlierGame;
use super::conditions::MatchConditions;
use super::standings::Standings;
use super::timing::EngineTiming;

/// The name and version of the JSON form.
pub(super) const SCHEMA: &str = "match-1";

/// A summary of a match.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    /// The name and version of the JSON form.
    pub schema: &'static str,
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
    /// Counts of the endings of games.
    #[serde(flatten)]
    pub endings: EndingCounts,
    /// The conditions of each match whose games are counted.
    pub matches: Vec<MatchConditions>,
}

/// Counts of games by ending.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EndingCounts {
    /// The number of games for each reason of ending.
    pub endings: BTreeMap<String, u32>,
    /// The number of games that each engine lost by each kind of fault.
    #[serde(default)]
    pub faults: BTreeMap<String, BTreeMap<String, u32>>,
    /// The number of restarts of each engine after it had ended between two games, by
    /// kind of fault.
    #[serde(default)]
    pub restarts: BTreeMap<String, BTreeMap<String, u32>>,
    /// The delays of the moves of each engine.
    #[serde(default)]
    pub timing: BTreeMap<String, EngineTiming>,
}

impl EndingCounts {
    /// Counts a game.
    pub(super) fn add(&mut self, record: &GameRecord) {
        count(&mut self.endings, record.ending.reason.kind());
        let mut side = record.game.start().side();
        for report in &record.reports {
            let name = &record.names[side.index()];
            self.timing.entry(name.clone()).or_default().add(report);
            side = !side;
        }
        if let Some((loser, fault)) = record.fault() {
            let faults = self.faults.entry(record.names[loser].clone()).or_default();
            count(faults, fault.kind().text());
        }
        for (name, fault) in record.names.iter().zip(&record.faults_between) {
            if let Some(fault) = fault {
                count(self.restarts.entry(name.clone()).or_default(), fault.kind().text());
            }
        }
    }

    /// Counts a game of a match that goes on. Its record tells neither restarts nor delays.
    pub(super) fn add_earlier(&mut self, game: &EarlierGame) {
        count(&mut self.endings, &game.ending);
        if let Some(name) = &game.faulty {
            count(self.faults.entry(name.clone()).or_default(), &game.ending);
        }
    }

    /// Adds the games of another match.
    pub(super) fn merge(&mut self, other: EndingCounts) {
        let add = |counts: &mut BTreeMap<String, u32>, more: BTreeMap<String, u32>| {
            for (reason, count) in more {
                let total = counts.entry(reason).or_default();
                *total = total.saturating_add(count);
            }
        };
        add(&mut self.endings, other.endings);
        for (name, faults) in other.faults {
            add(self.faults.entry(name).or_default(), faults);
        }
        for (name, restarts) in other.restarts {
            add(self.restarts.entry(name).or_default(), restarts);
        }
        for (name, timing) in other.timing {
            self.timing.entry(name).or_default().merge(timing);
        }
    }
}

fn count(counts: &mut BTreeMap<String, u32>, reason: &str) {
    *counts.entry(reason.to_owned()).or_default() += 1;
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
    /// True if each opening was played with both colours.
    pub in_pairs: bool,
    /// The difference in strength.
    pub estimate: Option<EloEstimate>,
    /// The one-sided 95 % confidence bound of the difference in Elo, if one of them has won all
    /// games: a weaker winner would win them all in fewer than one of 20 matches. Positive for the
    /// first.
    pub elo_bound: Option<f64>,
}

/// Returns the bound for a match in which one side has won all games.
fn elo_bound(score: GameCounts) -> Option<f64> {
    let games = f64::from(u32::try_from(score.games()).ok()?);
    let sign = match (score.wins, score.losses, score.draws) {
        (1.., 0, 0) => 1.0,
        (0, 1.., 0) => -1.0,
        _ => return None,
    };
    let chance = 0.05_f64.powf(1.0 / games);
    // A few games are no evidence.
    let elo = 400.0 * (chance / (1.0 - chance)).log10();
    (elo > 0.0).then_some(sign * elo)
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
    /// Returns the summary of the results so far.
    pub(super) fn new(
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
            elo_bound: elo_bound(tally.score()),
        };
        let observed = standings.first_pairing().distribution();
        MatchReport {
            schema: SCHEMA,
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
        for (name, restarts) in &self.endings.restarts {
            writeln!(f, "Restarts of {name} between games: {}", counts(restarts))?;
        }
        let has_delay = |timing: &EngineTiming| timing.moves + timing.reported > 0;
        for (name, timing) in self.endings.timing.iter().filter(|(_, timing)| has_delay(timing)) {
            writeln!(f, "Timing of {name}: {timing}")?;
        }
        if !self.endings.endings.is_empty() {
            writeln!(f, "Endings: {}", counts(&self.endings.endings))?;
        }
        Ok(())
    }
}

impl fmt::Display for PairingLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PairingLine { first, second, score, pairs, .. } = self;
        if score.games() == 0 {
            return Ok(());
        }
        writeln!(f, "Results of {first} vs {second}:")?;
        if let Some(elo) = self.elo_text() {
            write!(f, "Elo: {elo}")?;
            match &self.estimate {
                Some(estimate) if self.elo_bound.is_none() => {
                    writeln!(f, ", nElo: {}", estimate.normalised_elo)?;
                }
                _ => writeln!(f)?,
            }
        }
        let Some(estimate) = &self.estimate else { return self.write_counts(f) };
        write!(f, "LOS: {:.2} %, DrawRatio: ", 100.0 * estimate.superiority)?;
        let even = pairs.even_ratio().unwrap_or(estimate.draw_ratio);
        write!(f, "{:.2} %", 100.0 * even)?;
        match pairs.won_to_lost() {
            Some(ratio) => writeln!(f, ", PairsRatio: {ratio:.2}")?,
            None => writeln!(f)?,
        }
        self.write_counts(f)
    }
}

impl PairingLine {
    /// Returns the difference in logistic Elo, or its bound, as text; none without observations.
    pub fn elo_text(&self) -> Option<String> {
        match self.elo_bound {
            Some(bound) if bound > 0.0 => Some(format!("at least {bound:+.0} (95 %)")),
            Some(bound) => Some(format!("at most {bound:+.0} (95 %)")),
            None => self.estimate.map(|estimate| estimate.elo.to_string()),
        }
    }

    fn write_counts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PairingLine { score, pairs, .. } = self;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shutout_has_a_bound() {
        assert_eq!(elo_bound(GameCounts::new(10, 0, 1)), None);
        assert_eq!(elo_bound(GameCounts::new(0, 0, 0)), None);
        assert_eq!(elo_bound(GameCounts::new(4, 0, 0)), None, "0.05^(1/4) is less than a half");
        let bound = elo_bound(GameCounts::new(100, 0, 0)).expect("a bound");
        // 0.05^(1/100) = 0.9705
        assert!((bound - 606.7).abs() < 1.0, "{bound}");
        assert_eq!(elo_bound(GameCounts::new(0, 100, 0)), Some(-bound));
        let mut standings = Standings::new(Vec::new());
        let pairs = PairCounts::new([0, 0, 0, 0, 50]);
        standings.add(["a", "b"], GameCounts::new(100, 0, 0), pairs, true);
        let report = |standings: &Standings| {
            MatchReport::new(standings, 200, None, &EndingCounts::default(), &[]).to_string()
        };
        let text = report(&standings);
        let bound = "Results of a vs b:\nElo: at least +607 (95 %)\nLOS: 100.00 %, ";
        assert!(text.starts_with(bound), "{text}");
        assert!(!text.contains("Endings"), "no game has an ending: {text}");
        standings.add(["a", "b"], GameCounts::new(0, 100, 0), pairs.reversed(), true);
        let text = report(&standings);
        assert!(text.contains("\nElo: 0.00 +/- ") && text.contains(", nElo: 0.00 +/- "), "{text}");
    }
}
