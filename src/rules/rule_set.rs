//! Which rule book repetitions are judged by.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A rule book for repetitions. Those of the Asian federation (AXF) and of China (CXA) could
/// stand beside them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RuleSet {
    /// The rules of the World Xiangqi Federation, 2018: perpetual check loses to perpetual chase,
    /// perpetual chase to anything else.
    #[default]
    Wxf,
    /// Perpetual check loses, every other repetition is a draw.
    CheckOnly,
    /// Every repetition is a draw.
    None,
}

/// Why a text names no rule set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is no rule set; expected WXF, CheckOnly or None")]
pub struct ParseRuleSetError(pub String);

impl RuleSet {
    /// All rule sets.
    pub const ALL: [RuleSet; 3] = [RuleSet::Wxf, RuleSet::CheckOnly, RuleSet::None];

    /// The name, as an option's value.
    pub const fn name(self) -> &'static str {
        match self {
            RuleSet::Wxf => "WXF",
            RuleSet::CheckOnly => "CheckOnly",
            RuleSet::None => "None",
        }
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for RuleSet {
    type Err = ParseRuleSetError;

    fn from_str(text: &str) -> Result<RuleSet, ParseRuleSetError> {
        RuleSet::ALL
            .into_iter()
            .find(|rules| rules.name().eq_ignore_ascii_case(text))
            .ok_or_else(|| ParseRuleSetError(text.chars().take(20).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_any_case() {
        for rules in RuleSet::ALL {
            assert_eq!(rules.to_string().parse(), Ok(rules));
            assert_eq!(rules.name().to_lowercase().parse(), Ok(rules));
        }
        assert!("chinese".parse::<RuleSet>().is_err());
    }
}
