//! The options of the engine. Each is one row of [`OPTIONS`]: names, type, bounds, default, setter
//! and help. The handshakes, the parser, the defaults, the command line and the documents read that
//! row.
//!
//! Names are compared without regard to case, blanks and underscores, and either protocol's
//! spelling is understood in the other, because clients mix them (`setoption name Hash value 32` to
//! a UCCI engine, `setoption Threads 4`).

mod row;
mod table;
mod values;

pub use row::{OptionEffect, OptionError, OptionKind, OptionRow};
use std::ops::Deref;
pub use table::OPTIONS;
pub(crate) use values::OptionValues;

use crate::search::Parameters;
use cannonade_tables::TableSource;

/// The values of all options. They change only through [`Options::set`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options(OptionValues);

impl Default for Options {
    fn default() -> Options {
        let mut values = OptionValues::default();
        for row in OPTIONS {
            row.reset(&mut values);
        }
        // Not set: the rules bring their limit, and the row announces that of the default rules.
        values.natural_move_limit = None;
        Options(values)
    }
}

impl Deref for Options {
    type Target = OptionValues;

    fn deref(&self) -> &OptionValues {
        &self.0
    }
}

impl Options {
    /// Sets an option from text. The caller must carry out the returned effect.
    ///
    /// # Errors
    /// If there is no such option or its value does not fit; nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<OptionEffect, OptionError> {
        let value = value.trim();
        match OptionRow::find(name) {
            Some(row) => row.set(&mut self.0, value),
            None => self.set_parameter(name, value),
        }
    }

    /// Sets a constant of the search by its name in [`Parameters`]: for tuners, not announced.
    fn set_parameter(&mut self, name: &str, value: &str) -> Result<OptionEffect, OptionError> {
        let &(name, _, min, max) = (Parameters::ALL.iter())
            .find(|parameter| parameter.0.eq_ignore_ascii_case(name.trim()))
            .ok_or_else(|| OptionError::Unknown(row::excerpt(name)))?;
        let set = value.parse().is_ok_and(|value| self.0.parameters.set(name, value));
        set.then_some(OptionEffect::None).ok_or_else(|| OptionError::Value {
            name,
            value: row::excerpt(value),
            expected: format!("a whole number from {min} to {max}"),
        })
    }

    /// Limits the number of threads to those the system gave.
    pub(super) fn limit_threads(&mut self, given: usize) {
        self.0.threads = given;
    }

    /// Limits the hash size to the memory the system gave.
    pub(super) fn limit_hash(&mut self, mebibytes: usize) {
        self.0.hash_mib = mebibytes;
    }

    /// Sets the endgame tables.
    pub(super) fn set_tables(&mut self, tables: Option<TableSource>) {
        self.0.tables = tables;
    }

    /// Restores the opening books of other options.
    pub(super) fn restore_book_file(&mut self, other: &Options) {
        self.0.book_file.clone_from(&other.book_file);
    }

    /// Restores the evaluation of other options.
    pub(super) fn restore_eval_file(&mut self, other: &Options) {
        self.0.eval_file.clone_from(&other.eval_file);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use xiangqi::rules::RuleSet;

    use super::*;
    use crate::strength::{MIN_ELO, Strength};

    fn set(name: &str, value: &str) -> Options {
        let mut options = Options::default();
        options.set(name, value).unwrap_or_else(|e| panic!("{e}"));
        options
    }

    #[test]
    fn every_default_is_valid_text_for_its_option() {
        for row in OPTIONS {
            let value = match row.kind {
                OptionKind::Check { default, .. } => default.to_string(),
                OptionKind::Spin { default, min, max, .. } => {
                    assert!((min..=max).contains(&default), "{}", row.name());
                    default.to_string()
                }
                OptionKind::Combo { choices, .. } => choices[0].to_owned(),
                OptionKind::Button | OptionKind::Text { .. } => "<empty>".to_owned(),
            };
            let mut options = set(row.name(), &value);
            // Set or not, the limit is the same with the default rules.
            assert_eq!(options.natural_limit(), Options::default().natural_limit());
            options.0.natural_move_limit = None;
            assert_eq!(options, Options::default(), "{}", row.name());
        }
    }

    #[test]
    fn every_option_except_buttons_changes_a_value() {
        for row in OPTIONS.iter().filter(|row| row.name() != "Ponder") {
            let value = match row.kind {
                OptionKind::Check { default, .. } => (!default).to_string(),
                OptionKind::Spin { default, min, .. } if default == min => (min + 1).to_string(),
                OptionKind::Spin { min, .. } => min.to_string(),
                OptionKind::Combo { choices: [_, second, ..], .. } => (*second).to_owned(),
                OptionKind::Combo { .. } | OptionKind::Button => continue,
                OptionKind::Text { .. } => "file".to_owned(),
            };
            assert_ne!(set(row.name(), &value), Options::default(), "{}", row.name());
        }
    }

    #[test]
    fn rules_bring_their_natural_move_limit_unless_it_is_set() {
        let mut options = set("RepetitionRule", "axf");
        assert_eq!(options.natural_limit(), 100);
        options.set("NaturalMoveLimit", "80").expect("a valid value");
        assert_eq!(options.natural_limit(), 80);
        options.set("RepetitionRule", "CXA").expect("a valid value");
        assert_eq!(options.natural_limit(), 80);
    }

    #[test]
    fn either_spelling_in_any_case_finds_the_option() {
        for name in ["Hash", "hashsize", "HASH", "HashSize"] {
            assert_eq!(set(name, "64").hash_mib, 64, "{name}");
        }
        for name in ["Move Overhead", "move_overhead", "moveoverhead"] {
            assert_eq!(set(name, "7").move_overhead, Duration::from_millis(7), "{name}");
        }
        assert_eq!(set("Repetition Rule", "checkonly").rules, RuleSet::CheckOnly);
    }

    #[test]
    fn values_of_other_engines_mean_the_nearest_of_ours() {
        assert_ne!(set("Repetition Rule", "AsianRule").rules, RuleSet::None);
        assert_ne!(set("Repetition Rule", "AsianRule").rules, RuleSet::CheckOnly);
        assert_eq!(Options::default().set("Repetition Rule", "SkyRule").ok(), None);
    }

    #[test]
    fn the_weakest_of_the_strengths_asked_for_counts() {
        assert_eq!(Options::default().strength(), None);
        let mut options = set("UCI_Elo", "1000");
        assert_eq!(options.strength(), None, "UCI_LimitStrength is off");
        options.set("UCI_LimitStrength", "true").expect("a valid value");
        assert_eq!(options.strength().map(Strength::elo), Some(1000));
        options.set("Skill Level", "0").expect("a valid value");
        assert_eq!(options.strength().map(Strength::elo), Some(MIN_ELO));
        options.set("Skill Level", "19").expect("a valid value");
        assert_eq!(options.strength().map(Strength::elo), Some(1000));
        assert_eq!(set("skilllevel", "20").strength(), None);
    }

    #[test]
    fn no_two_options_share_a_name() {
        for row in OPTIONS {
            for name in row.names() {
                let found = OptionRow::find(name).expect("an option");
                assert_eq!(found.name(), row.name(), "{name}");
            }
        }
    }

    #[test]
    fn values_beyond_the_bounds_are_moved_inside() {
        assert_eq!(set("Threads", "100000").threads, 512);
        assert_eq!(set("Threads", "-3").threads, 1);
        assert_eq!(set("threads", "0").threads, 1, "UCCI's word for automatic");
        assert_eq!(set("hashsize", "0").hash_mib, Options::default().hash_mib);
        assert_eq!(set("NaturalMoveLimit", "0").natural_limit(), 0);
    }

    #[test]
    fn wrong_values_change_nothing_and_name_the_remedy() {
        let mut options = Options::default();
        for (name, value) in
            [("Threads", "many"), ("Ponder", "maybe"), ("RepetitionRule", "Sky"), ("Hash", "")]
        {
            let error = options.set(name, value).expect_err(name).to_string();
            assert!(error.contains(name) && error.contains("not"), "{error}");
        }
        assert_eq!(options, Options::default());
        assert_eq!(options.set("Contempt", "3"), Err(OptionError::Unknown("Contempt".into())));
    }

    /// TChess splits option lines at these words; uci2wb reads lines into 1024 bytes.
    #[test]
    fn names_hold_no_words_that_clients_split_at() {
        for row in OPTIONS {
            for name in row.names() {
                let words = ["name", "type", "default", "var", "min", "max"];
                assert!(name.split(' ').all(|word| !words.contains(&word)), "{name}");
            }
            if let Some(name) = row.ucci {
                assert!(name.chars().all(|c| c.is_ascii_lowercase()), "{name}");
            }
        }
    }
}
