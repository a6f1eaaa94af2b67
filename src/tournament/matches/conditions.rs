//! The conditions of a match, which must be equal for results to be added up, and its time.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::time::SystemTime;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::super::engine::EngineSettings;
use super::runner::MatchSetup;
use crate::engine::build_name;

/// The conditions of an engine in a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineConditions {
    /// The program and its arguments.
    pub command: String,
    /// The name and version that it gives in the handshake.
    pub version: Option<String>,
    /// The limits, as in `TimeControl` headers.
    pub limit: String,
    /// The milliseconds by which a move may be late.
    pub margin_ms: u64,
    /// True if the engine searches on the opponent's time.
    pub ponder: bool,
    /// The options, by name.
    pub options: BTreeMap<String, String>,
}

/// The openings of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpeningConditions {
    /// The file; `None` for the starting position.
    pub file: Option<String>,
    /// The CRC-32 of the positions, whatever their order.
    pub checksum: String,
    /// The words of `--openings` other than the file, such as `order=random`.
    pub order: Vec<String>,
    /// The seed of a random order.
    pub seed: u64,
    /// True if each opening is played with both colours.
    pub repeat: bool,
}

/// The conditions of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MatchConditions {
    /// The program that ran the match.
    pub runner: String,
    /// The time at which it began, in UTC; it distinguishes matches.
    pub began: String,
    /// The engines by name.
    pub engines: BTreeMap<String, EngineConditions>,
    /// The openings.
    pub openings: OpeningConditions,
    /// The rules of the games and for ending them early.
    pub rules: String,
}

/// Writes version and options, as games name them.
impl fmt::Display for EngineConditions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.version.as_deref().unwrap_or("?"))?;
        f.write_str(if self.ponder { "; ponder" } else { "" })?;
        self.options.iter().try_for_each(|(name, value)| write!(f, "; {name}={value}"))
    }
}

impl MatchConditions {
    /// Returns the conditions of a match that begins now. `versions` are those of the engines, in
    /// the order of the setup.
    pub fn new(
        setup: &MatchSetup,
        versions: &[Option<String>],
        openings: (Option<&Path>, Vec<String>, u64),
        repeat: bool,
    ) -> MatchConditions {
        let engines = setup.engines.iter().enumerate().map(|(index, engine)| {
            let version = versions.get(index).cloned().flatten();
            (engine.name.clone(), engine_conditions(engine, version))
        });
        let (file, order, seed) = openings;
        let began = Timestamp::try_from(SystemTime::now());
        MatchConditions {
            runner: format!("Cannonade {}", build_name()),
            began: began.map_or_else(|_| String::new(), |time| time.to_string()),
            engines: engines.collect(),
            openings: OpeningConditions {
                file: file.map(|file| file.display().to_string()),
                checksum: format!("{:08x}", setup.openings.checksum()),
                order,
                seed,
                repeat,
            },
            rules: setup.rules_text(),
        }
    }

    /// Returns the version and options of each engine, in the order of the setup.
    pub fn engine_texts(&self, setup: &MatchSetup) -> Vec<String> {
        let text = |name| self.engines.get(name).map(ToString::to_string).unwrap_or_default();
        setup.engines.iter().map(|engine| text(&engine.name)).collect()
    }

    /// Returns the first difference to another match that keeps their results apart. The time, the
    /// running program, the path of the openings, their order and the seed may differ.
    pub(super) fn difference(&self, other: &MatchConditions) -> Option<String> {
        let differ = |what: &str, one: &str, two: &str| {
            (one != two).then(|| format!("{what}: '{one}' and '{two}'"))
        };
        let engines = self.engines.iter().filter_map(|(name, engine)| {
            let other = other.engines.get(name)?;
            let texts = |engine: &EngineConditions| {
                let options: Vec<String> =
                    engine.options.iter().map(|(name, value)| format!("{name}={value}")).collect();
                [
                    engine.version.clone().unwrap_or_default(),
                    engine.limit.clone(),
                    format!("{} ms", engine.margin_ms),
                    engine.ponder.to_string(),
                    options.join(" "),
                ]
            };
            let names = ["version", "limit", "timemargin", "ponder", "options"];
            let pairs = names.into_iter().zip(texts(engine).into_iter().zip(texts(other)));
            pairs
                .into_iter()
                .find_map(|(what, (one, two))| differ(&format!("{what} of {name}"), &one, &two))
        });
        let openings = |conditions: &MatchConditions| {
            let file = conditions.openings.file.as_deref().unwrap_or("starting position");
            format!("{file} ({})", conditions.openings.checksum)
        };
        engines.into_iter().next().or_else(|| differ("rules", &self.rules, &other.rules)).or_else(
            || {
                let same = self.openings.checksum == other.openings.checksum;
                differ("openings", &openings(self), &openings(other)).filter(|_| !same)
            },
        )
    }
}

fn engine_conditions(engine: &EngineSettings, version: Option<String>) -> EngineConditions {
    let mut command = engine.command.display().to_string();
    for argument in &engine.arguments {
        command.push(' ');
        command.push_str(argument);
    }
    EngineConditions {
        command,
        version,
        limit: engine.control.to_string(),
        margin_ms: u64::try_from(engine.margin.as_millis()).unwrap_or(u64::MAX),
        ponder: engine.ponder,
        options: engine.options.iter().cloned().collect(),
    }
}
