//! The conditions of a match, which must be equal for results to be added up, and its time.

use std::collections::BTreeMap;
use std::fmt;
use std::time::SystemTime;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::super::engine::EngineSettings;
use super::runner::MatchSetup;

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

impl EngineConditions {
    fn new(engine: &EngineSettings, version: Option<String>) -> EngineConditions {
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

    /// Returns the parts that must be equal for results to be added up, by their names.
    fn parts(&self) -> [(&'static str, String); 5] {
        let options = self.options.iter().map(|(name, value)| format!("{name}={value}"));
        [
            ("version", self.version.clone().unwrap_or_default()),
            ("limit", self.limit.clone()),
            ("timemargin", format!("{} ms", self.margin_ms)),
            ("ponder", self.ponder.to_string()),
            ("options", options.collect::<Vec<_>>().join(" ")),
        ]
    }
}

impl OpeningConditions {
    fn name(&self) -> String {
        format!("{} ({})", self.file.as_deref().unwrap_or("starting position"), self.checksum)
    }
}

impl MatchConditions {
    /// Returns the conditions of a match that begins now, without the file of the openings and
    /// their order. `versions` are those of the engines, in the order of the setup; a missing one
    /// is unknown.
    pub fn new(setup: &MatchSetup, versions: &[Option<String>]) -> MatchConditions {
        let engines = setup.engines.iter().enumerate().map(|(index, engine)| {
            let version = versions.get(index).cloned().flatten();
            (engine.name.clone(), EngineConditions::new(engine, version))
        });
        let began = Timestamp::try_from(SystemTime::now());
        MatchConditions {
            runner: concat!("Cannonade ", env!("CARGO_PKG_VERSION")).to_owned(),
            began: began.map_or_else(|_| String::new(), |time| time.to_string()),
            engines: engines.collect(),
            openings: OpeningConditions {
                file: None,
                checksum: format!("{:08x}", setup.openings.checksum()),
                order: Vec::new(),
                seed: 0,
                repeat: setup.schedule.repeats_openings(),
            },
            rules: setup.rules_text(),
        }
    }

    /// Returns the version and options of each engine, in the order of the setup.
    pub(super) fn engine_texts(&self, setup: &MatchSetup) -> Vec<String> {
        let text = |name| self.engines.get(name).map(ToString::to_string).unwrap_or_default();
        setup.engines.iter().map(|engine| text(&engine.name)).collect()
    }

    /// Returns the first difference to another match that keeps their results apart. The time, the
    /// running program, the path of the openings, their order and the seed may differ.
    pub(super) fn difference(&self, other: &MatchConditions) -> Option<String> {
        let mut compared = Vec::new();
        for (name, engine) in &self.engines {
            let Some(other) = other.engines.get(name) else { continue };
            for ((part, one), (_, two)) in engine.parts().into_iter().zip(other.parts()) {
                compared.push((format!("{part} of {name}"), one, two));
            }
        }
        compared.push(("rules".to_owned(), self.rules.clone(), other.rules.clone()));
        if self.openings.checksum != other.openings.checksum {
            compared.push(("openings".to_owned(), self.openings.name(), other.openings.name()));
        }
        let (what, one, two) = compared.into_iter().find(|(_, one, two)| one != two)?;
        Some(format!("{what}: '{one}' and '{two}'"))
    }
}
