//! The options that an engine declares in its handshake, and the values it accepts for them.

use thiserror::Error;

use super::protocol::EngineProtocol;

/// A setting `option.NAME=VALUE` that does not fit what the engine declares.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EngineOptionError {
    /// The engine has no option of this name; many engines ignore such a setting.
    #[error("no option '{0}'")]
    Unknown(String),
    /// The engine has the option, but not with this value.
    #[error("option.{name}={value}: expected {expected}")]
    Value {
        /// The name as the settings give it.
        name: String,
        /// The value in the settings.
        value: String,
        /// A description of the values that the engine accepts.
        expected: String,
    },
}

/// A line `option ..` of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DeclaredOption {
    /// The name in the spelling of the engine.
    pub(super) name: String,
    values: AcceptedValues,
}

/// The values of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
enum AcceptedValues {
    /// `true` or `false`.
    Check,
    /// Whole numbers from `min` to `max`.
    Spin { min: i64, max: i64 },
    /// One of these words.
    Combo(Vec<String>),
    /// No value: the option is a command.
    Button,
    /// Any text; also the values of a type that is not known.
    Text,
}

impl DeclaredOption {
    /// Reads a line `option ..`; `None` for any other line.
    pub(super) fn parse(protocol: EngineProtocol, line: &str) -> Option<DeclaredOption> {
        let rest = line.strip_prefix("option ")?.trim_start();
        let rest = match protocol {
            EngineProtocol::Uci => rest.strip_prefix("name ")?,
            EngineProtocol::Ucci => rest,
        };
        let (name, rest) = rest.split_once(" type ")?;
        let mut words = rest.split_whitespace();
        let kind = words.next()?;
        let fields = fields(words);
        let values = match kind {
            "check" => AcceptedValues::Check,
            "button" => AcceptedValues::Button,
            "spin" => {
                let bound = |key| {
                    let found = fields.iter().find(|(field, _)| *field == key);
                    found.and_then(|(_, value)| value.parse().ok())
                };
                let (min, max) = (bound("min").unwrap_or(i64::MIN), bound("max"));
                // Bounds that contradict each other are a mistake of the engine.
                let max = max.filter(|&max| max >= min).unwrap_or(i64::MAX);
                AcceptedValues::Spin { min, max }
            }
            "combo" => {
                let listed = fields.into_iter().filter(|(field, _)| *field == "var");
                AcceptedValues::Combo(listed.map(|(_, value)| value).collect())
            }
            _ => AcceptedValues::Text,
        };
        Some(DeclaredOption { name: name.trim().to_owned(), values })
    }

    /// Describes the values that the option accepts, if `value` is not one of them.
    pub(super) fn refusal(&self, value: &str) -> Option<String> {
        let (accepted, expected) = match &self.values {
            AcceptedValues::Check => {
                let accepted = ["true", "false"].iter().any(|one| one.eq_ignore_ascii_case(value));
                (accepted, "true or false".to_owned())
            }
            AcceptedValues::Spin { min, max } => {
                let accepted = value.parse().is_ok_and(|value: i64| (*min..=*max).contains(&value));
                (accepted, spin_values(*min, *max))
            }
            AcceptedValues::Combo(values) => {
                let accepted = values.iter().any(|one| one.eq_ignore_ascii_case(value));
                (accepted || values.is_empty(), format!("one of: {}", values.join(", ")))
            }
            AcceptedValues::Button => {
                (value.is_empty(), "no value, because it is a button".to_owned())
            }
            AcceptedValues::Text => (true, String::new()),
        };
        (!accepted).then_some(expected)
    }
}

/// Describes a range, such as `a whole number from 1 to 64`.
fn spin_values(min: i64, max: i64) -> String {
    match (min, max) {
        (i64::MIN, i64::MAX) => "a whole number".to_owned(),
        (i64::MIN, _) => format!("a whole number up to {max}"),
        (_, i64::MAX) => format!("a whole number from {min}"),
        _ => format!("a whole number from {min} to {max}"),
    }
}

/// Returns the fields after the type of an option; a value may be several words.
fn fields<'a>(words: impl Iterator<Item = &'a str>) -> Vec<(&'a str, String)> {
    let mut fields: Vec<(&str, String)> = Vec::new();
    for word in words {
        if matches!(word, "default" | "min" | "max" | "var") {
            fields.push((word, String::new()));
        } else if let Some((_, value)) = fields.last_mut() {
            if !value.is_empty() {
                value.push(' ');
            }
            value.push_str(word);
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(line: &str) -> DeclaredOption {
        DeclaredOption::parse(EngineProtocol::Uci, line).expect(line)
    }

    #[test]
    fn option_lines_name_their_option_in_each_protocol() {
        let uci = "option name Skill Level type spin default 20 min 0 max 20";
        assert_eq!(option(uci).name, "Skill Level");
        let ucci = "option usemillisec type check default false";
        let parsed = DeclaredOption::parse(EngineProtocol::Ucci, ucci).expect(ucci);
        assert_eq!((parsed.name.as_str(), parsed.values), ("usemillisec", AcceptedValues::Check));
        assert_eq!(DeclaredOption::parse(EngineProtocol::Uci, "optional"), None);
    }

    #[test]
    fn values_that_an_engine_does_not_accept_are_refused_with_those_it_does() {
        let hash = "option name Hash type spin default 16 min 1 max 64";
        let style = "option name Style type combo default Solid var Solid var Very Risky";
        let check = "option name Ponder type check default false";
        let button = "option name Clear Hash type button";
        for (line, value, expected) in [
            (hash, "abc", "a whole number from 1 to 64"),
            (hash, "0", "a whole number from 1 to 64"),
            (hash, "65", "a whole number from 1 to 64"),
            (hash, "", "a whole number from 1 to 64"),
            (hash, "99999999999999999999", "a whole number from 1 to 64"),
            ("option name Hash type spin default 16", "x", "a whole number"),
            ("option name Hash type spin min 2", "1", "a whole number from 2"),
            ("option name Hash type spin max 2", "3", "a whole number up to 2"),
            (style, "Wild", "one of: Solid, Very Risky"),
            (check, "yes", "true or false"),
            (button, "1", "no value, because it is a button"),
        ] {
            assert_eq!(option(line).refusal(value).as_deref(), Some(expected), "{line}: {value}");
        }
        for (line, value) in [
            (hash, "1"),
            (hash, "64"),
            ("option name Hash type spin min 9 max 0", "16"),
            (style, "very risky"),
            ("option name Style type combo default Solid", "Wild"),
            (check, "True"),
            (button, ""),
            ("option name EvalFile type string default <empty>", "abc"),
            ("option name Odd type color", "red"),
        ] {
            assert_eq!(option(line).refusal(value), None, "{line}: {value}");
        }
    }
}
