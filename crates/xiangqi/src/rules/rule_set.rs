//! Rule books for repetitions.

use thiserror::Error;

/// A rule book for repetitions.
///
/// ```
/// use xiangqi::RuleSet;
///
/// assert_eq!("cxa".parse(), Ok(RuleSet::Cxa));
/// assert_eq!(RuleSet::default().natural_limit(), 120); // plies
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum RuleSet {
    /// The World Xiangqi Federation, 2018: perpetual check loses to perpetual chase, perpetual
    /// chase to anything else.
    #[default]
    Wxf,
    /// The Asian Xiangqi Federation: the same loops, a shorter natural-move limit.
    Axf,
    /// China, 2020: a side without an idle move must change; an idle move neither checks nor
    /// threatens mate or material.
    Cxa,
    /// Computer matches: perpetual check loses; perpetual chase loses if neither side checks.
    Computer,
    /// Perpetual check loses, every other repetition is a draw.
    CheckOnly,
    /// Every repetition is a draw.
    None,
}

/// The error for a text that is not the name of a rule set.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is not a rule set; expected WXF, AXF, CXA, Computer, CheckOnly or None")]
pub struct ParseRuleSetError(pub String);

impl RuleSet {
    /// All rule sets.
    pub const ALL: [RuleSet; 6] = [
        RuleSet::Wxf,
        RuleSet::Axf,
        RuleSet::Cxa,
        RuleSet::Computer,
        RuleSet::CheckOnly,
        RuleSet::None,
    ];

    /// Returns the name, as an option's value.
    pub const fn name(self) -> &'static str {
        match self {
            RuleSet::Wxf => "WXF",
            RuleSet::Axf => "AXF",
            RuleSet::Cxa => "CXA",
            RuleSet::Computer => "Computer",
            RuleSet::CheckOnly => "CheckOnly",
            RuleSet::None => "None",
        }
    }

    /// Returns the natural-move limit in plies that comes with the rule set, for a game that sets
    /// none.
    ///
    /// AXF counts 50 moves by each side, CXA 60. WXF counts 50 as well, but engines and servers
    /// that play by its rules use 60, also with the other rules.
    pub const fn natural_limit(self) -> u16 {
        match self {
            RuleSet::Axf => 100,
            _ => 120,
        }
    }
}

crate::text_form::serde_as_text!(RuleSet);

crate::text_form::text_by_name!(RuleSet, RuleSet::ALL, ParseRuleSetError);

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
