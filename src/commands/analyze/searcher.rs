//! The searcher of the flags, with messages that name the flags.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::anyhow;

use super::super::Failure;
use super::super::output::print_error;
use crate::analysis::{SearchSettings, Searcher};
use crate::engine::OptionError;

/// The flags that set options of the engine, and the names of these options.
const FLAGS: [(&str, &str); 4] = [
    ("Threads", "--threads"),
    ("Hash", "--hash"),
    ("MultiPV", "--multipv"),
    ("TablePath", "--tables"),
];

/// A searcher with these settings.
pub(super) fn new_searcher(
    settings: &SearchSettings,
    stop: &Arc<AtomicBool>,
) -> Result<Searcher, Failure> {
    Searcher::new(settings, Arc::clone(stop))
        .map_err(|error| Failure::Input(anyhow!(with_flag(&error))))
}

/// Says what of the settings could not be used, such as damaged tables.
pub(super) fn warn_of(searcher: &Searcher) {
    if let Some(warning) = searcher.warning() {
        print_error(format_args!("warning: {}", with_flag(warning)));
    }
}

/// What is wrong with an option, which the person has set by a flag.
fn with_flag(error: &OptionError) -> String {
    let text = error.to_string();
    let mut flags = FLAGS.iter();
    let found = flags.find_map(|(option, flag)| {
        Some(format!("{flag}{}", text.strip_prefix(&format!("option {option}"))?))
    });
    found.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_flags_for_the_options_of_the_engine() {
        let (name, reason) = ("TablePath", "cannot read x".to_owned());
        let error = OptionError::Refused { name, reason };
        assert_eq!(with_flag(&error), "--tables: cannot read x");
        let unknown = OptionError::Unknown("Hashes".to_owned());
        assert_eq!(with_flag(&unknown), unknown.to_string());
    }
}
