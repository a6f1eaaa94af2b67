//! The summary of a match, as text and as JSON.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::super::game::GameRecord;
use super::super::statistics::{
    Crosstable, EloEstimate, GameCounts, Interval, MatchTally, PairCounts, Sprt, SprtReport,
    SprtState,
};
use super::archive::EarlierGame;
use super::conditions::{EngineConditions, MatchConditions};
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

impl MatchReport {
    /// Returns the results as cutechess-cli writes them.
    pub fn cutechess_text(&self) -> String {
        let mut text = String::new();
        if self.table.rows.len() > 2 {
            text.push_str(&format!("{}\n", self.table));
        }
        for line in self.pairings.iter().filter(|line| line.score.games() > 0) {
            text.push_str(&format!("{}\n", line.score_text()));
            if let Some(estimate) = &line.estimate {
                text.push_str(&format!(
                    "Elo difference: {}, LOS: {:.1} %, DrawRatio: {:.1} %\n",
                    plus_minus(&estimate.elo, 1),
                    100.0 * estimate.superiority,
                    100.0 * estimate.draw_ratio
                ));
            }
        }
        if let Some(SprtLine { report, .. }) = &self.sprt {
            let SprtReport { llr, lower, upper, state } = *report;
            let share = 100.0 * llr / if llr < 0.0 { -lower } else { upper };
            let verdict = match state {
                SprtState::AcceptH0 => " - H0 was accepted",
                SprtState::AcceptH1 => " - H1 was accepted",
                SprtState::Continue => "",
            };
            text.push_str(&format!(
                "SPRT: llr {llr:.2} ({share:.1}%), lbound {lower:.2}, ubound {upper:.2}{verdict}\n"
            ));
        }
        text
    }
}

impl fmt::Display for MatchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.table.rows.len() > 2 {
            writeln!(f, "{}", self.table)?;
        }
        for line in self.pairings.iter().filter(|line| line.score.games() > 0) {
            write!(f, "Results of {} vs {}", line.first, line.second)?;
            match conditions_text(&self.matches, [&line.first, &line.second]) {
                Some(conditions) => writeln!(f, " ({conditions}):")?,
                None => writeln!(f, ":")?,
            }
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

/// Describes the conditions of two engines as fastchess does, such as
/// `10+0.1, 1t - 2t, 64MB, openings.epd`: limit, threads, hash table and openings.
fn conditions_text(matches: &[MatchConditions], names: [&str; 2]) -> Option<String> {
    let of = |conditions: &MatchConditions| {
        let [Some(one), Some(two)] = names.map(|name| conditions.engines.get(name)) else {
            return None;
        };
        let option = |known: &[&str], unit: &str| {
            let value = |engine: &EngineConditions| {
                let mut options = engine.options.iter();
                let set =
                    options.find(|(name, _)| known.iter().any(|k| k.eq_ignore_ascii_case(name)));
                set.map_or_else(|| "default".to_owned(), |(_, value)| format!("{value}{unit}"))
            };
            [value(one), value(two)]
        };
        let parts = [
            [one.limit.clone(), two.limit.clone()],
            option(&["Threads"], "t"),
            option(&["Hash", "hashsize"], "MB"),
        ];
        let mut texts: Vec<String> = parts
            .into_iter()
            .filter(|[one, two]| [one, two].iter().any(|text| *text != "default"))
            .map(|[one, two]| if one == two { one } else { format!("{one} - {two}") })
            .collect();
        let openings = conditions.openings.file.as_deref().map(Path::new);
        texts.extend(openings.and_then(Path::file_name).map(|name| name.to_string_lossy().into()));
        Some(texts.join(", "))
    };
    matches.iter().find_map(of)
}

/// Writes a number with decimals; one that is not finite as C and fastchess do: `inf`, `nan`.
fn number(value: f64, decimals: usize) -> String {
    if value.is_nan() { "nan".to_owned() } else { format!("{value:.decimals$}") }
}

/// Writes an estimate with half of its interval; `nan` where the games do not bound it.
fn plus_minus(interval: &Interval, decimals: usize) -> String {
    let margin = if interval.margin().is_finite() { interval.margin() } else { f64::NAN };
    format!("{} +/- {}", number(interval.estimate, decimals), number(margin, decimals))
}

/// Writes the lines of fastchess; those that are ours alone come behind theirs, or as notes.
impl fmt::Display for PairingLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PairingLine { score, pairs, .. } = self;
        if let Some(estimate) = &self.estimate {
            let [elo, normalised] =
                [estimate.elo, estimate.normalised_elo].map(|interval| plus_minus(&interval, 2));
            writeln!(f, "Elo: {elo}, nElo: {normalised}")?;
            write!(f, "LOS: {:.2} %, ", 100.0 * estimate.superiority)?;
            write!(f, "DrawRatio: {:.2} %", 100.0 * estimate.draw_ratio)?;
            if let Some(even) = pairs.even_ratio() {
                let ratio = number(pairs.won_to_lost(), 2);
                write!(f, ", PairsRatio: {ratio}, DrawnPairs: {:.2} %", 100.0 * even)?;
            }
            writeln!(f)?;
        }
        write!(f, "Games: {}, Wins: {}, ", score.games(), score.wins)?;
        write!(f, "Losses: {}, Draws: {}, ", score.losses, score.draws)?;
        let percent = 100.0 * score.ratio().unwrap_or(0.0);
        writeln!(f, "Points: {:.1} ({percent:.2} %)", score.points())?;
        if pairs.pairs() > 0 {
            writeln!(f, "Ptnml(0-2): {:?}", pairs.counts())?;
        }
        match (&self.estimate, self.elo_text()) {
            (Some(estimate), Some(elo)) if !estimate.elo.margin().is_finite() => {
                writeln!(f, "Note: Elo {elo}")
            }
            _ => Ok(()),
        }
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

    /// Returns the running score in one line, as cutechess-cli writes it.
    pub fn score_text(&self) -> String {
        let PairingLine { first, second, score, .. } = self;
        let GameCounts { wins, losses, draws } = *score;
        let ratio = score.ratio().unwrap_or(0.5);
        let games = score.games();
        format!("Score of {first} vs {second}: {wins} - {losses} - {draws}  [{ratio:.3}] {games}")
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
        let report_of = |standings: &Standings| {
            MatchReport::new(standings, 200, None, &EndingCounts::default(), &[])
        };
        let report = |standings: &Standings| report_of(standings).to_string();
        let cutechess = "\
Score of a vs b: 100 - 0 - 0  [1.000] 100
Elo difference: inf +/- nan, LOS: 100.0 %, DrawRatio: 0.0 %
";
        assert_eq!(report_of(&standings).cutechess_text(), cutechess);
        let text = report(&standings);
        let expected = "\
Results of a vs b:
Elo: inf +/- nan, nElo: inf +/- nan
LOS: 100.00 %, DrawRatio: 0.00 %, PairsRatio: inf, DrawnPairs: 0.00 %
Games: 100, Wins: 100, Losses: 0, Draws: 0, Points: 100.0 (100.00 %)
Ptnml(0-2): [0, 0, 0, 0, 50]
Note: Elo at least +607 (95 %)
";
        assert_eq!(text, expected);
        assert!(!text.contains("Endings"), "no game has an ending: {text}");
        standings.add(["a", "b"], GameCounts::new(0, 100, 0), pairs.reversed(), true);
        let text = report(&standings);
        assert!(text.contains("\nElo: 0.00 +/- ") && text.contains(", nElo: 0.00 +/- "), "{text}");
    }
}
