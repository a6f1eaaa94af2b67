//! The options, each defined once: this table prints, parses, bounds and documents them in both
//! protocols.
//!
//! Names are compared without regard to case, blanks and underscores, and either protocol's
//! spelling is understood in the other, for clients mix them up (`setoption name Hash value 32` to a
//! UCCI engine, `setoption Threads 4`).

use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;

use super::raw_text;
use crate::rules::RuleSet;
use crate::search::Parameters;

/// Which option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionId {
    /// Search threads.
    Threads,
    /// Size of the hash table.
    Hash,
    /// Forget the hash table.
    ClearHash,
    /// Lines to report.
    MultiPv,
    /// The client will let the engine ponder.
    Ponder,
    /// Time lost between engine and client.
    MoveOverhead,
    /// Win, draw and loss in permille with every score.
    ShowWdl,
    /// The network.
    EvalFile,
    /// What a repetition means.
    RepetitionRule,
    /// Plies without capture that end the game.
    NaturalMoveLimit,
    /// The worth of a draw.
    DrawScore,
    /// The game; there is only one.
    Variant,
    /// Where both directions of the conversation are written.
    DebugLogFile,
    /// UCCI: times are milliseconds.
    UseMillisec,
    /// UCCI: read nothing while thinking.
    Batch,
    /// UCCI: talk more.
    Debug,
    /// UCCI: a new game begins.
    NewGame,
    /// A constant of the search, by its name in [`Parameters`]; for tuners, not announced.
    Parameter,
}

/// Type, bounds and default of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// Yes or no.
    Check {
        /// The value without `setoption`.
        default: bool,
    },
    /// A whole number; values beyond the bounds are moved to the nearer one.
    Spin {
        /// The value without `setoption`.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// One of these; the first is the default, because some clients send back the first they read.
    Combo(&'static [&'static str]),
    /// An action.
    Button,
    /// A text, empty by default.
    Text,
}

/// One line of the table.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// Which option it is.
    pub id: OptionId,
    /// The name announced to UCI clients. `None` is not announced there.
    pub uci: Option<&'static str>,
    /// The name announced to UCCI clients, one lower-case word. `None` is not announced there.
    pub ucci: Option<&'static str>,
    /// Type, bounds and default.
    pub kind: OptionKind,
    /// What it does, for people.
    pub doc: &'static str,
}

/// The rule sets that `RepetitionRule` offers.
const RULE_SETS: &[&str] = &["WXF", "CheckOnly", "None"];

/// The hash size before any `setoption`, in MiB.
const DEFAULT_HASH: i64 = 16;

/// All options, in the order in which they are announced.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        id: OptionId::DebugLogFile,
        uci: Some("Debug Log File"),
        ucci: None,
        kind: OptionKind::Text,
        doc: "File to which both directions of the conversation are appended",
    },
    OptionSpec {
        id: OptionId::UseMillisec,
        uci: None,
        ucci: Some("usemillisec"),
        kind: OptionKind::Check { default: false },
        doc: "UCCI: `go time` counts milliseconds; seconds otherwise",
    },
    OptionSpec {
        id: OptionId::Batch,
        uci: None,
        ucci: Some("batch"),
        kind: OptionKind::Check { default: false },
        doc: "UCCI: read nothing while thinking, so that a file of commands can be piped in",
    },
    OptionSpec {
        id: OptionId::Debug,
        uci: None,
        ucci: Some("debug"),
        kind: OptionKind::Check { default: false },
        doc: "UCCI: say which commands and options were not understood",
    },
    OptionSpec {
        id: OptionId::Threads,
        uci: Some("Threads"),
        ucci: Some("threads"),
        kind: OptionKind::Spin { default: 1, min: 1, max: 512 },
        doc: "Threads that search together",
    },
    OptionSpec {
        id: OptionId::Hash,
        uci: Some("Hash"),
        ucci: Some("hashsize"),
        kind: OptionKind::Spin { default: DEFAULT_HASH, min: 1, max: 65536 },
        doc: "Size of the hash table in MiB",
    },
    OptionSpec {
        id: OptionId::ClearHash,
        uci: Some("Clear Hash"),
        ucci: Some("clearhash"),
        kind: OptionKind::Button,
        doc: "Forget everything in the hash table",
    },
    OptionSpec {
        id: OptionId::NewGame,
        uci: None,
        ucci: Some("newgame"),
        kind: OptionKind::Button,
        doc: "UCCI: a new game begins; forget the last one",
    },
    OptionSpec {
        id: OptionId::Ponder,
        uci: Some("Ponder"),
        ucci: Some("ponder"),
        kind: OptionKind::Check { default: false },
        doc: "The client will let the engine think on the opponent's time",
    },
    OptionSpec {
        id: OptionId::MultiPv,
        uci: Some("MultiPV"),
        ucci: Some("multipv"),
        kind: OptionKind::Spin { default: 1, min: 1, max: 128 },
        doc: "Number of best lines to report",
    },
    OptionSpec {
        id: OptionId::MoveOverhead,
        uci: Some("Move Overhead"),
        ucci: Some("moveoverhead"),
        kind: OptionKind::Spin { default: 30, min: 0, max: 5000 },
        doc: "Milliseconds lost for each move between engine and client",
    },
    OptionSpec {
        id: OptionId::ShowWdl,
        uci: Some("UCI_ShowWDL"),
        ucci: None,
        kind: OptionKind::Check { default: false },
        doc: "Report the chances of win, draw and loss in permille",
    },
    OptionSpec {
        id: OptionId::EvalFile,
        uci: Some("EvalFile"),
        ucci: Some("evalfile"),
        kind: OptionKind::Text,
        doc: "A network to use instead of the built-in one, 'none' for the hand-written \
              evaluation, or 'material' for counting pieces; relative paths are looked up in the \
              current folder and its nets, then beside the executable",
    },
    OptionSpec {
        id: OptionId::RepetitionRule,
        uci: Some("RepetitionRule"),
        ucci: Some("repetitionrule"),
        kind: OptionKind::Combo(RULE_SETS),
        doc: "What a repetition means: WXF rules perpetual check and chase, CheckOnly perpetual \
              check alone, None calls every repetition a draw",
    },
    OptionSpec {
        id: OptionId::NaturalMoveLimit,
        uci: Some("NaturalMoveLimit"),
        ucci: Some("naturalmovelimit"),
        kind: OptionKind::Spin { default: 120, min: 0, max: 1000 },
        doc: "Plies without capture after which the game is a draw; 0 is never",
    },
    OptionSpec {
        id: OptionId::DrawScore,
        uci: Some("DrawScore"),
        ucci: Some("drawscore"),
        kind: OptionKind::Spin { default: 0, min: -200, max: 200 },
        doc: "Worth of a draw for the engine's side in centipawns; negative avoids draws",
    },
    OptionSpec {
        id: OptionId::Variant,
        uci: Some("UCI_Variant"),
        ucci: None,
        kind: OptionKind::Combo(&["xiangqi"]),
        doc: "The game; tells a client of many games that this engine plays xiangqi",
    },
];

impl OptionSpec {
    /// The option with this name in either protocol's spelling.
    pub fn find(name: &str) -> Option<&'static OptionSpec> {
        let wanted = simplified(name);
        OPTIONS.iter().find(|option| {
            [option.uci, option.ucci].into_iter().flatten().any(|name| simplified(name) == wanted)
        })
    }
}

/// A name or combo value without case, blanks, underscores and hyphens.
fn simplified(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '_' | '-'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// Why a `setoption` has no effect.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OptionError {
    /// Clients send options of other engines; protocols say to ignore that.
    #[error("there is no option '{0}'")]
    Unknown(String),
    /// The value does not fit the type.
    #[error("option {name}: '{value}' is not {expected}")]
    Value {
        /// The option.
        name: &'static str,
        /// What was sent.
        value: String,
        /// What would do.
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
}

/// The values of all options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Threads that search.
    pub threads: usize,
    /// The hash table in MiB.
    pub hash_mib: usize,
    /// Lines to report.
    pub multi_pv: usize,
    /// Whether the client lets us ponder.
    pub ponder: bool,
    /// Time lost for each move.
    pub move_overhead: Duration,
    /// Whether win, draw and loss are reported.
    pub show_wdl: bool,
    /// The evaluation to use instead of the built-in network, by name: see `Evaluation::find`.
    pub eval_file: Option<PathBuf>,
    /// What a repetition means.
    pub rules: RuleSet,
    /// Plies without capture that end the game.
    pub natural_move_limit: Option<u16>,
    /// The worth of a draw in centipawns.
    pub draw_score: i32,
    /// The log of the conversation.
    pub debug_log_file: Option<PathBuf>,
    /// UCCI: `go time` counts milliseconds.
    pub use_millisec: bool,
    /// UCCI: read nothing while thinking.
    pub batch: bool,
    /// Say what was not understood.
    pub debug: bool,
    /// The constants of the search.
    pub parameters: Parameters,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: 1,
            hash_mib: DEFAULT_HASH as usize,
            multi_pv: 1,
            ponder: false,
            move_overhead: Duration::from_millis(30),
            show_wdl: false,
            eval_file: None,
            rules: RuleSet::default(),
            natural_move_limit: Some(120),
            draw_score: 0,
            debug_log_file: None,
            use_millisec: false,
            batch: false,
            debug: false,
            parameters: Parameters::default(),
        }
    }
}

impl Options {
    /// Sets an option from text and says which it was. Buttons change nothing here; what they do is
    /// the caller's affair.
    pub fn set(&mut self, name: &str, value: &str) -> Result<OptionId, OptionError> {
        let value = value.trim();
        let Some(spec) = OptionSpec::find(name) else { return self.set_parameter(name, value) };
        match spec.id {
            OptionId::Threads => self.threads = spec.size(value)?,
            OptionId::Hash => self.hash_mib = spec.size(value)?,
            OptionId::MultiPv => self.multi_pv = spec.size(value)?,
            OptionId::Ponder => self.ponder = spec.check(value)?,
            OptionId::MoveOverhead => {
                self.move_overhead = Duration::from_millis(spec.spin(value)?.unsigned_abs());
            }
            OptionId::ShowWdl => self.show_wdl = spec.check(value)?,
            OptionId::EvalFile => self.eval_file = path(value),
            OptionId::RepetitionRule => {
                let name = spec.combo(value)?;
                self.rules =
                    name.parse().map_err(|_| spec.error(value, "a rule set".to_owned()))?;
            }
            OptionId::NaturalMoveLimit => {
                let plies = u16::try_from(spec.spin(value)?).unwrap_or(u16::MAX);
                self.natural_move_limit = (plies > 0).then_some(plies);
            }
            OptionId::DrawScore => self.draw_score = spec.spin(value)? as i32,
            OptionId::Variant => {
                spec.combo(value)?;
            }
            OptionId::DebugLogFile => self.debug_log_file = path(value),
            OptionId::UseMillisec => self.use_millisec = spec.check(value)?,
            OptionId::Batch => self.batch = spec.check(value)?,
            OptionId::Debug => self.debug = spec.check(value)?,
            OptionId::ClearHash | OptionId::NewGame | OptionId::Parameter => {}
        }
        Ok(spec.id)
    }

    fn set_parameter(&mut self, name: &str, value: &str) -> Result<OptionId, OptionError> {
        let &(name, _, min, max) = (Parameters::ALL.iter())
            .find(|parameter| parameter.0.eq_ignore_ascii_case(name.trim()))
            .ok_or_else(|| OptionError::Unknown(excerpt(name)))?;
        let set = value.parse().is_ok_and(|value| self.parameters.set(name, value));
        set.then_some(OptionId::Parameter).ok_or_else(|| OptionError::Value {
            name,
            value: excerpt(value),
            expected: format!("a whole number from {min} to {max}"),
        })
    }
}

impl OptionSpec {
    /// The name for messages.
    pub fn name(&self) -> &'static str {
        self.uci.or(self.ucci).unwrap_or("?")
    }

    fn error(&self, value: &str, expected: String) -> OptionError {
        OptionError::Value { name: self.name(), value: excerpt(value), expected }
    }

    fn check(&self, value: &str) -> Result<bool, OptionError> {
        match simplified(value).as_str() {
            "true" | "on" | "yes" | "1" => Ok(true),
            "false" | "off" | "no" | "0" => Ok(false),
            _ => Err(self.error(value, "'true' or 'false'".to_owned())),
        }
    }

    fn spin(&self, value: &str) -> Result<i64, OptionError> {
        let OptionKind::Spin { min, max, .. } = self.kind else { return Ok(0) };
        value
            .parse::<i64>()
            .map(|number| number.clamp(min, max))
            .map_err(|_| self.error(value, format!("a whole number from {min} to {max}")))
    }

    /// A spin of threads, MiB or lines, where UCCI's 0 for "automatic" is the default.
    fn size(&self, value: &str) -> Result<usize, OptionError> {
        let OptionKind::Spin { default, .. } = self.kind else { return Ok(1) };
        let number = if value == "0" { default } else { self.spin(value)? };
        Ok(usize::try_from(number).unwrap_or(1))
    }

    fn combo(&self, value: &str) -> Result<&'static str, OptionError> {
        let OptionKind::Combo(values) = self.kind else { return Ok("") };
        let wanted = simplified(value);
        (values.iter().copied().find(|value| simplified(value) == wanted))
            .ok_or_else(|| self.error(value, format!("one of {}", values.join(", "))))
    }
}

/// A path from a value; some clients send the `<empty>` that they read as the default.
fn path(value: &str) -> Option<PathBuf> {
    let value = value.trim_matches('"');
    (!value.is_empty() && value != "<empty>").then(|| raw_text::path(value))
}

/// The part of a wrong text that a message shows.
fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(name: &str, value: &str) -> Options {
        let mut options = Options::default();
        options.set(name, value).unwrap_or_else(|e| panic!("{e}"));
        options
    }

    #[test]
    fn the_table_agrees_with_the_values_of_a_fresh_start() {
        for spec in OPTIONS {
            let value = match spec.kind {
                OptionKind::Check { default } => default.to_string(),
                OptionKind::Spin { default, min, max } => {
                    assert!((min..=max).contains(&default), "{}", spec.name());
                    default.to_string()
                }
                OptionKind::Combo(values) => values[0].to_owned(),
                OptionKind::Button | OptionKind::Text => "<empty>".to_owned(),
            };
            assert_eq!(set(spec.name(), &value), Options::default(), "{}", spec.name());
        }
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
    fn values_beyond_the_bounds_are_moved_inside() {
        assert_eq!(set("Threads", "100000").threads, 512);
        assert_eq!(set("Threads", "-3").threads, 1);
        assert_eq!(set("threads", "0").threads, 1, "UCCI's word for automatic");
        assert_eq!(set("hashsize", "0").hash_mib, DEFAULT_HASH as usize);
        assert_eq!(set("NaturalMoveLimit", "0").natural_move_limit, None);
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
        assert_eq!(
            options.set("Skill Level", "3"),
            Err(OptionError::Unknown("Skill Level".into()))
        );
    }

    /// TChess splits option lines at these words; uci2wb reads lines into 1024 bytes.
    #[test]
    fn names_hold_no_words_that_clients_split_at() {
        for spec in OPTIONS {
            for name in [spec.uci, spec.ucci].into_iter().flatten() {
                let words = ["name", "type", "default", "var", "min", "max"];
                assert!(name.split(' ').all(|word| !words.contains(&word)), "{name}");
            }
            if let Some(name) = spec.ucci {
                assert!(name.chars().all(|c| c.is_ascii_lowercase()), "{name}");
            }
        }
    }
}
