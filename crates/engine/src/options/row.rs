//! Rows of the option table, and the parsing of their values.

use std::path::PathBuf;

use thiserror::Error;

use super::values::OptionValues;
use crate::raw_text;

/// Description of one option.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow {
    /// The name announced to UCI clients. `None` is not announced there.
    pub uci: Option<&'static str>,
    /// The name announced to UCCI clients, one lower-case word. `None` is not announced there.
    pub ucci: Option<&'static str>,
    /// Type, bounds, default and setter.
    pub kind: OptionKind,
    /// Effect of a change beyond the stored value.
    pub effect: OptionEffect,
    /// Help text for people.
    pub help: &'static str,
}

/// Type, bounds, default and setter of an option.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    /// Yes or no.
    Check {
        /// The value without `setoption`.
        default: bool,
        /// Stores a value.
        set: fn(&mut OptionValues, bool),
    },
    /// A whole number. Values beyond the bounds are moved to the nearer one; 0 below the bounds is
    /// UCCI's word for "automatic" and gives the default.
    Spin {
        /// The value without `setoption`.
        default: i64,
        /// Minimum value.
        min: i64,
        /// Maximum value.
        max: i64,
        /// Stores a value that is within the bounds.
        set: fn(&mut OptionValues, i64),
    },
    /// One of several values.
    Combo {
        /// The values; the first is the default, because some clients send back the first they
        /// read.
        choices: &'static [&'static str],
        /// Other spellings of values, with the value that each means.
        synonyms: &'static [(&'static str, &'static str)],
        /// Stores one of the choices.
        set: fn(&mut OptionValues, &'static str),
    },
    /// An action.
    Button,
    /// A path, none by default.
    Text {
        /// Stores a path.
        set: fn(&mut OptionValues, Option<PathBuf>),
    },
}

/// Action required after an option was set, beyond storing its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionEffect {
    /// No action.
    None,
    /// Resizes the pool of worker threads.
    ResizeWorkers,
    /// Resizes the transposition table.
    ResizeTable,
    /// Clears the transposition table.
    ClearTable,
    /// Clears the transposition table if the value has changed: its entries depend on it.
    ForgetValues,
    /// The next position is of another game.
    NewGame,
    /// Loads another evaluation.
    LoadEvaluation,
    /// Opens other endgame tables.
    LoadTables,
    /// Opens other opening books.
    LoadBooks,
    /// The log file has changed: for the session.
    OpenLog,
}

/// Reason why a `setoption` has no effect.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    /// Clients send options of other engines; the protocols require ignoring them.
    #[error("there is no option '{0}'")]
    Unknown(String),
    /// The value does not fit the type.
    #[error("option {name}: '{value}' is not {expected}")]
    Value {
        /// The option.
        name: &'static str,
        /// Value sent by the client.
        value: String,
        /// Accepted values.
        expected: String,
    },
    /// The value fits but cannot be used.
    #[error("option {name}: {reason}")]
    Refused {
        /// The option.
        name: &'static str,
        /// Reason for the refusal.
        reason: String,
    },
    /// The value names a file or folder that cannot be opened.
    #[error("option {name}: {reason}")]
    Unreadable {
        /// The option.
        name: &'static str,
        /// Reason of the system, with the path.
        reason: String,
        /// Number of the error in the system.
        code: Option<i32>,
    },
    /// The value can be used only in part.
    #[error("option {name}: {reason}")]
    InPart {
        /// The option.
        name: &'static str,
        /// Unusable part, and the part in use.
        reason: String,
    },
}

impl OptionRow {
    /// Returns the minimum and the maximum of a number; `None` for other types.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        match self.kind {
            OptionKind::Spin { min, max, .. } => Some((min, max)),
            _ => None,
        }
    }

    /// Returns the name for messages.
    pub fn name(&self) -> &'static str {
        self.uci.or(self.ucci).unwrap_or("?")
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        [self.uci, self.ucci].into_iter().flatten()
    }

    /// Stores the default.
    pub(super) fn reset(&self, values: &mut OptionValues) {
        match self.kind {
            OptionKind::Check { default, set } => set(values, default),
            OptionKind::Spin { default, set, .. } => set(values, default),
            OptionKind::Combo { choices, set, .. } => {
                if let Some(default) = choices.first() {
                    set(values, default);
                }
            }
            OptionKind::Button => {}
            OptionKind::Text { set } => set(values, None),
        }
    }

    /// Stores a value from text.
    pub(super) fn set(
        &self,
        values: &mut OptionValues,
        text: &str,
    ) -> Result<OptionEffect, OptionError> {
        match self.kind {
            OptionKind::Check { set, .. } => {
                let value = parse_check(text);
                set(values, value.ok_or_else(|| self.error(text, "'true' or 'false'".to_owned()))?);
            }
            OptionKind::Spin { default, min, max, set } => {
                let number = whole_number(text).ok_or_else(|| {
                    self.error(text, format!("a whole number from {min} to {max}"))
                })?;
                let automatic = number == 0 && min > 0 && self.ucci.is_some();
                set(values, if automatic { default } else { number.clamp(min, max) });
            }
            OptionKind::Combo { choices, synonyms, set } => {
                let wanted = simplified(text);
                let pairs = choices.iter().map(|&choice| (choice, choice));
                let chosen = pairs
                    .chain(synonyms.iter().copied())
                    .find_map(|(name, choice)| (simplified(name) == wanted).then_some(choice))
                    .ok_or_else(|| self.error(text, format!("one of {}", choices.join(", "))))?;
                set(values, chosen);
            }
            OptionKind::Button => {}
            OptionKind::Text { set } => set(values, path(text)),
        }
        Ok(self.effect)
    }

    fn error(&self, value: &str, expected: String) -> OptionError {
        OptionError::Value { name: self.name(), value: excerpt(value), expected }
    }
}

/// Parses a whole number, saturated to the range of `i64`.
fn whole_number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let beyond = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    is_whole.then(|| text.parse().unwrap_or(beyond))
}

fn parse_check(text: &str) -> Option<bool> {
    match simplified(text).as_str() {
        "true" | "on" | "yes" | "1" => Some(true),
        "false" | "off" | "no" | "0" => Some(false),
        _ => None,
    }
}

/// Normalizes a name or combo value: no case, blanks, underscores and hyphens.
pub(super) fn simplified(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// Parses a path; some clients send the `<empty>` that they read as the default.
fn path(value: &str) -> Option<PathBuf> {
    let value = value.trim_matches('"');
    (!value.is_empty() && value != "<empty>").then(|| raw_text::path(value))
}

/// Returns the part of a wrong text that a message shows.
pub(super) fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}
