//! The options of the engine. Each is one row of [`OPTIONS`]: names, type, bounds, default, setter
//! and help. The handshakes, the parser, the defaults, the command line and the documents read that
//! row.
//!
//! Names are compared without regard to case, blanks and underscores, and either protocol's
//! spelling is understood in the other, because clients mix them (`setoption name Hash value 32` to
//! a UCCI engine, `setoption Threads 4`).

use std::ops::Deref;
use std::path::PathBuf;
use std::time::Duration;

use cannonade_book::{DEFAULT_LAST_MOVE, DEFAULT_VARIETY};
use cannonade_tables::TableSource;
use thiserror::Error;
use xiangqi::notation::Ranks;
use xiangqi::rules::{DEFAULT_NATURAL_LIMIT, RuleSet};

use crate::nnue::Evaluation;
use crate::raw_text;
use crate::search::{DEFAULT_MOVE_OVERHEAD, Parameters};
use crate::strength::{Handicap, MAX_ELO, MAX_SKILL, MIN_ELO, Strength};

/// The rule sets that `RepetitionRule` offers.
const RULE_SETS: [&str; RuleSet::ALL.len()] = {
    let mut names = [""; RuleSet::ALL.len()];
    let mut index = 0;
    while index < names.len() {
        names[index] = RuleSet::ALL[index].name();
        index += 1;
    }
    names
};

/// Default fields of a row.
const BASE: OptionRow = OptionRow {
    uci: None,
    ucci: None,
    kind: OptionKind::Button,
    effect: OptionEffect::None,
    help: "",
};

/// All options, in the order of their announcement.
pub const OPTIONS: &[OptionRow] = &[
    OptionRow {
        uci: Some("Debug Log File"),
        kind: OptionKind::Text { set: |values, path| values.debug_log_file = path },
        effect: OptionEffect::OpenLog,
        help: "File to which all input and output is appended; a pipe is refused",
        ..BASE
    },
    OptionRow {
        ucci: Some("usemillisec"),
        kind: OptionKind::Check { default: false, set: |values, on| values.use_millisec = on },
        help: "UCCI: `go time` counts milliseconds; seconds otherwise",
        ..BASE
    },
    OptionRow {
        ucci: Some("batch"),
        kind: OptionKind::Check { default: false, set: |values, on| values.batch = on },
        help: "UCCI: read nothing during a search, so that a file of commands can be piped in",
        ..BASE
    },
    OptionRow {
        ucci: Some("debug"),
        kind: OptionKind::Check { default: false, set: |values, on| values.debug = on },
        help: "UCCI: report commands and options that are not known",
        ..BASE
    },
    OptionRow {
        uci: Some("Threads"),
        ucci: Some("threads"),
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: 512,
            set: |values, number| values.threads = number as usize,
        },
        effect: OptionEffect::ResizeWorkers,
        help: "Number of search threads; more than four per core are reduced to four per core, \
               with a message",
    },
    OptionRow {
        uci: Some("Hash"),
        ucci: Some("hashsize"),
        kind: OptionKind::Spin {
            default: 16,
            min: 1,
            max: 65536,
            set: |values, number| values.hash_mib = number as usize,
        },
        effect: OptionEffect::ResizeTable,
        help: "Size of the transposition table in MiB",
    },
    OptionRow {
        uci: Some("Clear Hash"),
        ucci: Some("clearhash"),
        kind: OptionKind::Button,
        effect: OptionEffect::ClearTable,
        help: "Clear the transposition table",
    },
    OptionRow {
        ucci: Some("newgame"),
        kind: OptionKind::Button,
        effect: OptionEffect::NewGame,
        help: "UCCI: a new game begins; forget the last one",
        ..BASE
    },
    OptionRow {
        uci: Some("Ponder"),
        ucci: Some("ponder"),
        // When it ponders the client decides by `go ponder`.
        kind: OptionKind::Check { default: false, set: |_, _| () },
        help: "The client lets the engine think on the opponent's time",
        ..BASE
    },
    OptionRow {
        uci: Some("MultiPV"),
        ucci: Some("multipv"),
        kind: OptionKind::Spin {
            default: 1,
            min: 1,
            max: 128,
            set: |values, number| values.multi_pv = number as usize,
        },
        help: "Number of best lines to report",
        ..BASE
    },
    OptionRow {
        uci: Some("Move Overhead"),
        ucci: Some("moveoverhead"),
        kind: OptionKind::Spin {
            default: DEFAULT_MOVE_OVERHEAD.as_millis() as i64,
            min: 0,
            max: 5000,
            set: |values, ms| values.move_overhead = Duration::from_millis(ms as u64),
        },
        help: "Milliseconds lost per move between engine and client",
        ..BASE
    },
    OptionRow {
        uci: Some("UCI_ShowWDL"),
        kind: OptionKind::Check { default: false, set: |values, on| values.show_wdl = on },
        help: "Report the chances of win, draw and loss in permille",
        ..BASE
    },
    OptionRow {
        uci: Some("EvalFile"),
        ucci: Some("evalfile"),
        kind: OptionKind::Text { set: |values, path| values.eval_file = path },
        effect: OptionEffect::LoadEvaluation,
        help: "A network to use instead of the built-in one, 'none' for the hand-written \
               evaluation, or 'material' for counting pieces; relative paths are looked up in the \
               current folder and its nets, then beside the executable",
    },
    OptionRow {
        uci: Some("TablePath"),
        ucci: Some("tablepath"),
        kind: OptionKind::Text { set: |values, path| values.tables = path.map(TableSource::from) },
        effect: OptionEffect::LoadTables,
        help: "A folder of endgame tables made by 'cannonade tables build', used besides the built-in \
               ones; empty for that of the user, 'none' for the built-in ones only",
    },
    OptionRow {
        uci: Some("OwnBook"),
        ucci: Some("usebook"),
        kind: OptionKind::Check { default: false, set: |values, on| values.own_book = on },
        help: "Play moves from an opening book",
        ..BASE
    },
    OptionRow {
        uci: Some("BookFile"),
        ucci: Some("bookfiles"),
        kind: OptionKind::Text { set: |values, path| values.book_file = path },
        effect: OptionEffect::LoadBooks,
        help: "Opening books to use instead of the built-in one, separated by `;`: files made by \
               'cannonade book build', ElephantEye's BOOK.DAT or .obk files; relative paths are looked up \
               in the current folder and its books, then beside the executable",
    },
    OptionRow {
        uci: Some("Book Depth"),
        ucci: Some("bookdepth"),
        kind: OptionKind::Spin {
            default: DEFAULT_LAST_MOVE as i64,
            min: 1,
            max: 200,
            set: |values, moves| values.book_depth = moves as u32,
        },
        help: "Number of the last move of a game that is played from a book",
        ..BASE
    },
    OptionRow {
        uci: Some("Book Variety"),
        ucci: Some("bookvariety"),
        kind: OptionKind::Spin {
            default: DEFAULT_VARIETY as i64,
            min: 0,
            max: 100,
            set: |values, percent| values.book_variety = percent as u8,
        },
        help: "How different the moves from a book are: 0 always plays the heaviest move, 100 plays \
               each move in proportion to its weight",
        ..BASE
    },
    OptionRow {
        uci: Some("RepetitionRule"),
        ucci: Some("repetitionrule"),
        kind: OptionKind::Combo {
            choices: &RULE_SETS,
            // The values of Pikafish's option of this name.
            synonyms: &[
                ("AsianRule", "AXF"),
                ("ChineseRule", "CXA"),
                ("Chinese", "CXA"),
                // Those of the option `repetition` of UCCI 2.
                ("AlwaysDraw", "None"),
                ("CheckBan", "CheckOnly"),
            ],
            set: |values, name| values.rules = name.parse().unwrap_or_default(),
        },
        effect: OptionEffect::None,
        help: "The rules for repetitions: WXF (World Federation 2018), AXF (Asian), CXA (China \
               2020), Computer (computer matches), CheckOnly (only perpetual check loses) or None \
               (every repetition is a draw)",
    },
    OptionRow {
        uci: Some("NaturalMoveLimit"),
        ucci: Some("naturalmovelimit"),
        kind: OptionKind::Spin {
            default: DEFAULT_NATURAL_LIMIT as i64,
            min: 0,
            max: 1000,
            set: |values, plies| {
                values.natural_move_limit = Some(plies as u16);
            },
        },
        effect: OptionEffect::ForgetValues,
        help: "Plies without capture after which the game is a draw; 0 is never; AXF has 100 unless \
               this is set",
    },
    OptionRow {
        uci: Some("DrawScore"),
        ucci: Some("drawscore"),
        kind: OptionKind::Spin {
            default: 0,
            min: -200,
            max: 200,
            set: |values, centipawns| values.draw_score = centipawns as i32,
        },
        effect: OptionEffect::ForgetValues,
        help: "Value of a draw for the engine's side in centipawns; negative avoids draws",
    },
    OptionRow {
        uci: Some("UCI_LimitStrength"),
        kind: OptionKind::Check { default: false, set: |values, on| values.limit_strength = on },
        help: "Play at the strength of UCI_Elo",
        ..BASE
    },
    OptionRow {
        uci: Some("UCI_Elo"),
        kind: OptionKind::Spin {
            default: 1500,
            min: MIN_ELO,
            max: MAX_ELO,
            set: |values, elo| values.elo = elo,
        },
        help: "The strength with UCI_LimitStrength, see docs/levels.md",
        ..BASE
    },
    OptionRow {
        uci: Some("Skill Level"),
        ucci: Some("skilllevel"),
        kind: OptionKind::Spin {
            default: MAX_SKILL,
            min: 0,
            max: MAX_SKILL,
            set: |values, level| values.skill_level = level,
        },
        help: "The level from a beginner to full strength; with UCI_LimitStrength the weaker of both \
               counts",
        ..BASE
    },
    OptionRow {
        uci: Some("Level Seed"),
        ucci: Some("levelseed"),
        kind: OptionKind::Spin {
            default: 0,
            min: 0,
            max: i32::MAX as i64,
            set: |values, seed| values.level_seed = seed as u64,
        },
        help: "What a limited strength overlooks depends on this number and the position; 0 takes \
               another number at each start",
        ..BASE
    },
    OptionRow {
        ucci: Some("knowledge"),
        kind: OptionKind::Combo {
            choices: &["large", "medium", "small", "none"],
            synonyms: &[("huge", "large"), ("tiny", "small")],
            set: |values, choice| {
                values.knowledge = match choice {
                    "medium" => Knowledge::Medium,
                    "small" => Knowledge::Small,
                    "none" => Knowledge::None,
                    _ => Knowledge::Full,
                }
            },
        },
        effect: OptionEffect::ForgetValues,
        help: "UCCI: what the evaluation knows: large is EvalFile, medium is written by hand, small \
               is the value of each piece on its square, none is material alone",
        ..BASE
    },
    OptionRow {
        ucci: Some("randomness"),
        kind: OptionKind::Combo {
            choices: &["none", "small", "medium", "large"],
            synonyms: &[("tiny", "small"), ("huge", "large")],
            set: |values, choice| {
                values.randomness = match choice {
                    "small" => 10,
                    "medium" => 30,
                    "large" => 80,
                    _ => 0,
                }
            },
        },
        help: "UCCI: choose among moves that are worse than the best one by at most 10, 30 or 80 \
               centipawns; such a search uses one thread",
        ..BASE
    },
    OptionRow {
        uci: Some("Coordinates"),
        ucci: Some("coordinates"),
        kind: OptionKind::Combo {
            choices: &["auto", "0-9", "1-10"],
            synonyms: &[],
            set: |values, choice| values.ranks = choice.parse().ok(),
        },
        help: "How moves name the ranks: `0-9` as most clients, `1-10` as Fairy-Stockfish; `auto` \
               recognises it by what the client sends",
        ..BASE
    },
    OptionRow {
        uci: Some("UCI_Variant"),
        kind: OptionKind::Combo { choices: &["xiangqi"], synonyms: &[], set: |_, _| () },
        help: "The game; shows a client of many games that this engine plays xiangqi",
        ..BASE
    },
];

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
    /// Finds the option with this name in either protocol's spelling.
    pub fn find(name: &str) -> Option<&'static OptionRow> {
        let wanted = simplified(name);
        // UCCI 2 had this option; it takes the same values.
        let wanted = if wanted == "repetition" { "repetitionrule".to_owned() } else { wanted };
        OPTIONS.iter().find(|row| row.names().any(|name| simplified(name) == wanted))
    }

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

    fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        [self.uci, self.ucci].into_iter().flatten()
    }

    /// Stores the default.
    fn reset(&self, values: &mut OptionValues) {
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
    fn set(&self, values: &mut OptionValues, text: &str) -> Result<OptionEffect, OptionError> {
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
fn simplified(text: &str) -> String {
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
fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The value of each option, for reading. `Default` is not the default of the options: that stands
/// in their rows and is what `Options::default` returns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OptionValues {
    /// Search threads.
    pub threads: usize,
    /// Size of the transposition table in MiB.
    pub hash_mib: usize,
    /// Number of principal variations to report.
    pub multi_pv: usize,
    /// Time lost per move between engine and client.
    pub move_overhead: Duration,
    /// True if win, draw and loss are reported.
    pub show_wdl: bool,
    /// The evaluation to use instead of the built-in network, by name: see `Evaluation::find`.
    pub eval_file: Option<PathBuf>,
    /// The endgame tables besides the built-in ones; `None` takes those of the front end.
    pub tables: Option<TableSource>,
    /// True if moves are played from opening books.
    pub own_book: bool,
    /// The opening books to use instead of the built-in one, separated by `;`.
    pub book_file: Option<PathBuf>,
    /// Number of the last move that is played from a book.
    pub book_depth: u32,
    /// Variety of the moves from a book, 0 to 100; see `book::shares`.
    pub book_variety: u8,
    /// The rules for repetitions.
    pub rules: RuleSet,
    /// Natural-move limit in plies, 0 for none; `None` takes that of the rules.
    pub natural_move_limit: Option<u16>,
    /// The value of a draw in centipawns.
    pub draw_score: i32,
    /// Coordinates of the client; `None` detects them from its input.
    pub ranks: Option<Ranks>,
    /// True if `elo` limits the strength.
    pub limit_strength: bool,
    /// Elo to play at, if `limit_strength`.
    pub elo: i64,
    /// Skill Level; the maximum is full strength.
    pub skill_level: i64,
    /// Maximum loss of a move against the best one in centipawns, for variety.
    pub randomness: i32,
    /// Evaluation of a limited knowledge; `Full` is that of `eval_file`.
    pub knowledge: Knowledge,
    /// Seed of oversights at limited strength and of variety; 0 chooses one at random.
    pub level_seed: u64,
    /// File to which input and output are logged.
    pub debug_log_file: Option<PathBuf>,
    /// UCCI: true if `go time` counts milliseconds.
    pub use_millisec: bool,
    /// UCCI: true if nothing is read during a search.
    pub batch: bool,
    /// True if unknown commands and options are reported.
    pub debug: bool,
    /// The constants of the search.
    pub parameters: Parameters,
}

/// Extent of the evaluation's knowledge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Knowledge {
    /// Complete evaluation.
    #[default]
    Full,
    /// Handcrafted evaluation: piece squares, mobility, king safety.
    Medium,
    /// The value of each piece on its square.
    Small,
    /// The value of each piece.
    None,
}

impl Knowledge {
    /// Returns the evaluation of a limited knowledge.
    pub(crate) fn evaluation(self) -> Option<Evaluation> {
        match self {
            Knowledge::Full => None,
            Knowledge::Medium => Some(Evaluation::HandWritten),
            Knowledge::Small => Some(Evaluation::PieceSquares),
            Knowledge::None => Some(Evaluation::Material),
        }
    }
}

impl OptionValues {
    /// Returns the limited strength of the options, the weakest if there are several.
    pub fn strength(&self) -> Option<Strength> {
        let by_elo = self.limit_strength.then(|| Strength::from_elo(self.elo));
        by_elo.into_iter().chain(Strength::from_skill(self.skill_level)).min()
    }

    /// Returns the handicap of the options, if any.
    pub(crate) fn handicap(&self) -> Option<Handicap> {
        let (strength, variety) = (self.strength(), self.randomness);
        let is_repeatable = self.level_seed != 0;
        (strength.is_some() || variety > 0).then_some(Handicap { strength, variety, is_repeatable })
    }

    /// Returns the natural-move limit in plies, 0 for none: the one that is set, or that of the
    /// rules.
    pub fn natural_limit(&self) -> u16 {
        self.natural_move_limit.unwrap_or(self.rules.natural_limit())
    }
}

/// The values of all options. They change through [`Options::set`]; the engine corrects those that
/// the system refuses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options(pub(crate) OptionValues);

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
            .ok_or_else(|| OptionError::Unknown(excerpt(name)))?;
        let set = value.parse().is_ok_and(|value| self.0.parameters.set(name, value));
        set.then_some(OptionEffect::None).ok_or_else(|| OptionError::Value {
            name,
            value: excerpt(value),
            expected: format!("a whole number from {min} to {max}"),
        })
    }
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
