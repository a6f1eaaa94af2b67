//! Messages about options of the engine that name the flags which set them.

use anyhow::anyhow;
use cannonade_engine::OptionError;

use super::super::Failure;
use super::super::output::print_error;

/// The flags that set options of the engine, and the names of these options.
const FLAGS: [(&str, &str); 4] = [
    ("Threads", "--threads"),
    ("Hash", "--hash"),
    ("MultiPV", "--multipv"),
    ("TablePath", "--tables"),
];

/// Converts the error of an option into the failure of its flag.
pub(super) fn flag_error(error: &OptionError) -> Failure {
    Failure::Input(anyhow!(with_flag(error)))
}

/// Warns of settings that could not be used, such as damaged tables.
pub(super) fn print_warning(warning: &OptionError) {
    print_error(format_args!("warning: {}", with_flag(warning)));
}

/// Describes the error of an option by the flag that set it.
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
