//! What a row of the option table holds, and how its text is read.

use std::path::PathBuf;

use thiserror::Error;

use super::values::OptionValues;
use crate::engine::raw_text;

/// One option: all that there is to know of it.
#[derive(Clone, Copy, Debug)]
pub struct OptionRow {
    /// The name announced to UCI clients. `None` is not announced there.
    pub uci: Option<&'static str>,
    /// The name announced to UCCI clients, one lower-case word. `None` is not announced there.
    pub ucci: Option<&'static str>,
    /// Type, bounds, default and setter.
    pub kind: OptionKind,
    /// What a change means outside of the values.
    pub effect: OptionEffect,
    /// What it does, for people.
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
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
        /// Stores a value that is within the bounds.
        set: fn(&mut OptionValues, i64),
    },
    /// One of several values.
    Combo {
        /// The values; the first is the default, because some clients send back the first they
        /// read.
        choices: &'static [&'static str],
        /// Other spellings of values, with the value that each means; of several rows for a spelling
        /// the first whose value exists.
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

/// What has to be done when an option was set, beyond storing its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionEffect {
    /// Nothing.
    None,
    /// The number of worker threads has changed.
    ResizeWorkers,
    /// The size of the transposition table has changed.
    ResizeTable,
    /// The transposition table has to be cleared.
    ClearTable,
    /// The same, if the value has changed: what the table holds was found with another one.
    ForgetValues,
    /// The next position is of another game.
    NewGame,
    /// Another evaluation has to be loaded.
    LoadEvaluation,
    /// Other endgame tables have to be opened.
    LoadTables,
    /// Other opening books have to be opened.
    LoadBooks,
    /// The log file has changed: for the session.
    OpenLog,
}

/// Why a `setoption` has no effect.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    /// Clients send options of other engines; the protocols ask to ignore that.
    #[error("there is no option '{0}'")]
    Unknown(String),
    /// The value does not fit the type.
    #[error("option {name}: '{value}' is not {expected}")]
    Value {
        /// The option.
        name: &'static str,
        /// What was sent.
        value: String,
        /// What is expected instead.
        expected: String,
    },
    /// The value fits but cannot be used.
    #[error("option {name}: {reason}")]
    Refused {
        /// The option.
        name: &'static str,
        /// Why not.
        reason: String,
    },
    /// The value is used, but not all of it can be.
    #[error("option {name}: {reason}")]
    InPart {
        /// The option.
        name: &'static str,
        /// What cannot be used, and what is.
        reason: String,
    },
}

impl OptionRow {
    /// The least and the greatest value of a number; `None` for other types.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        match self.kind {
            OptionKind::Spin { min, max, .. } => Some((min, max)),
            _ => None,
        }
    }

    /// The name for messages.
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
                let choice = |name: &str| {
                    let name = simplified(name);
                    choices.iter().copied().find(|choice| simplified(choice) == name)
                };
                let meant = (synonyms.iter())
                    .filter(|(synonym, _)| simplified(synonym) == wanted)
                    .find_map(|(_, name)| choice(name));
                let chosen = choice(text)
                    .or(meant)
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

/// A whole number; one with too many digits is the greatest or least that there is.
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

/// A name or combo value without case, blanks, underscores and hyphens.
pub(super) fn simplified(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// A path from a value; some clients send the `<empty>` that they read as the default.
fn path(value: &str) -> Option<PathBuf> {
    let value = value.trim_matches('"');
    (!value.is_empty() && value != "<empty>").then(|| raw_text::path(value))
}

/// The part of a wrong text that a message shows.
pub(super) fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}
