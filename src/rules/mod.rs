//! What the rules say beyond single moves: repetitions.

use std::fmt;
use std::str::FromStr;

use crate::board::Position;

/// Which repetitions lose.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RuleSet {
    /// World Xiangqi Federation.
    #[default]
    Wxf,
    /// Perpetual check loses, all else draws.
    CheckOnly,
    /// All repetitions draw.
    None,
}

/// How a repetition is ruled, from the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The side to move wins.
    Win,
    /// A draw.
    Draw,
    /// The side to move loses.
    Loss,
}

/// A ruling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ruling {
    /// How.
    pub verdict: Verdict,
    /// The index of the earlier occurrence in the states of the position.
    pub since: usize,
}

/// Rules the first repetition.
pub fn judge_prune(position: &Position, rules: RuleSet) -> Option<Ruling> {
    let states = position.states();
    let last = states.len() - 1;
    let reversible = usize::from(position.state().reversible_plies).min(last);
    let mut back = 4;
    while back <= reversible {
        if states[last - back].key == position.key() {
            let checks =
                |first: usize| (0..back / 2).all(|i| states[last - first - 2 * i].in_check());
            let verdict = match (rules, checks(1), checks(0)) {
                (RuleSet::None, ..) => Verdict::Draw,
                (_, true, false) => Verdict::Loss,
                (_, false, true) => Verdict::Win,
                _ => Verdict::Draw,
            };
            return Some(Ruling { verdict, since: last - back });
        }
        back += 2;
    }
    None
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RuleSet::Wxf => "WXF",
            RuleSet::CheckOnly => "CheckOnly",
            RuleSet::None => "None",
        })
    }
}

impl FromStr for RuleSet {
    type Err = String;

    fn from_str(text: &str) -> Result<RuleSet, String> {
        [RuleSet::Wxf, RuleSet::CheckOnly, RuleSet::None]
            .into_iter()
            .find(|rules| rules.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| format!("'{text}' is no rule set; expected WXF, CheckOnly or None"))
    }
}
