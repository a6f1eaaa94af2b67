//! The options that an engine declares in its handshake, and the values it accepts for them.

use thiserror::Error;

use super::protocol::EngineProtocol;

/// A setting `option.NAME=VALUE` that has no effect on the engine, or another one than asked for.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum EngineOptionError {
    /// The engine has no option of this name; most engines ignore such a setting without a word.
    #[error("no option '{0}'")]
    Unknown(String),
    /// The engine has answered that it does not use the value, or not all of it; in its words.
    #[error("{0}")]
    Refused(String),
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

    /// Returns the value to send: a button is pressed without a value, or by `true`, as in
    /// fastchess. `None` leaves the button alone.
    pub(super) fn value_to_send<'a>(&self, value: &'a str) -> Option<&'a str> {
        match self.values {
            AcceptedValues::Button if value.eq_ignore_ascii_case("true") => Some(""),
            AcceptedValues::Button if value.eq_ignore_ascii_case("false") => None,
            _ => Some(value),
        }
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
                let accepted =
                    ["", "true", "false"].iter().any(|one| one.eq_ignore_ascii_case(value));
                (accepted, "no value or true, because it is a button".to_owned())
            }
            AcceptedValues::Text => (true, String::new()),
        };
        (!accepted).then_some(expected)
    }
}

/// Returns the option that a name means: the one of this name, whatever its case, or else the one
/// whose name has the same letters and digits, since many clients write `Skill_Level`.
pub(super) fn find<'a>(options: &'a [DeclaredOption], name: &str) -> Option<&'a DeclaredOption> {
    let by = |same: &dyn Fn(&str) -> bool| options.iter().find(|option| same(&option.name));
    by(&|known| known.eq_ignore_ascii_case(name)).or_else(|| by(&|known| is_same(known, name)))
}

/// Returns whether two names differ at most in case, blanks, underscores and hyphens.
pub(super) fn is_same(one: &str, two: &str) -> bool {
    let letters = |name: &str| -> Vec<char> {
        let is_letter = |c: &char| !c.is_whitespace() && !matches!(c, '_' | '-');
        name.chars().filter(is_letter).flat_map(char::to_lowercase).collect()
    };
    letters(one) == letters(two)
}

/// A name that no engine gives an option: its answer to it is that to an unknown name.
pub(super) const UNKNOWN_NAME: &str = "NoEngineHasThisOption";

/// Returns whether an engine that knows a name says something else than about [`UNKNOWN_NAME`]:
/// true if it does not protest against `name`, although it does so against the other. `answers` are
/// its lines to both, in debug mode. An engine that answers neither does not tell.
pub(super) fn is_known(name: &str, answers: &[String], to_unknown: &[String]) -> bool {
    // A long name may be cut off in the answer.
    let beginning: String = name.chars().take(20).collect::<String>().to_lowercase();
    let mut protests =
        to_unknown.iter().filter_map(|line| line.split_once(UNKNOWN_NAME)).peekable();
    protests.peek().is_some()
        && !protests.any(|(before, after)| {
            let is_protest = |line: &String| {
                let named = line.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
                named.is_some_and(|named| named.to_lowercase().starts_with(&beginning))
            };
            answers.iter().any(is_protest)
        })
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
    fn an_option_is_found_in_every_spelling() {
        let lines = ["Skill_Level", "Skill Level", "Move Overhead"];
        let options: Vec<_> =
            lines.iter().map(|name| option(&format!("option name {name} type button"))).collect();
        let found = |name| find(&options, name).map(|option| option.name.as_str());
        assert_eq!(found("skill level"), Some("Skill Level"));
        assert_eq!(found("skill_level"), Some("Skill_Level"));
        assert_eq!(found("Move_Overhead"), Some("Move Overhead"));
        assert_eq!(found("moveoverhead"), Some("Move Overhead"));
        assert_eq!(found("Move Overheads"), None);
    }

    #[test]
    fn a_name_is_known_if_the_engine_protests_against_nonsense_only() {
        let lines = |texts: &[&str]| texts.iter().map(ToString::to_string).collect::<Vec<_>>();
        let no_option = |name: &str| format!("info string there is no option '{name}'");
        let nonsense = [no_option(UNKNOWN_NAME)];
        assert!(is_known("lmr_base", &[], &nonsense));
        assert!(is_known("lmr_base", &lines(&["info string lmr_base is 3 now"]), &nonsense));
        assert!(!is_known("lmr_bsae", &[no_option("lmr_bsae")], &nonsense));
        let long = "a_name_that_is_longer_than_an_engine_writes";
        assert!(!is_known(long, &[no_option(&long[..30])], &nonsense));
        assert!(!is_known("Hash", &[], &[]), "an engine that says nothing does not tell");
        let other = lines(&["No such option: NoEngineHasThisOption"]);
        assert!(!is_known("Foo", &lines(&["No such option: Foo"]), &other));
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
            (button, "1", "no value or true, because it is a button"),
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
            (button, "true"),
            ("option name EvalFile type string default <empty>", "abc"),
            ("option name Odd type color", "red"),
        ] {
            assert_eq!(option(line).refusal(value), None, "{line}: {value}");
        }
    }
}
