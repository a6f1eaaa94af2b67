//! Table of options: one row for each.

use std::time::Duration;

use cannonade_book::{DEFAULT_LAST_MOVE, DEFAULT_VARIETY};
use cannonade_tables::TableSource;
use xiangqi::rules::{DEFAULT_NATURAL_LIMIT, RuleSet};

use super::row::{OptionEffect, OptionKind, OptionRow, simplified};
use super::values::Knowledge;
use crate::search::DEFAULT_MOVE_OVERHEAD;
use crate::strength::{MAX_ELO, MAX_SKILL, MIN_ELO};

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

impl OptionRow {
    /// Finds the option with this name in either protocol's spelling.
    pub fn find(name: &str) -> Option<&'static OptionRow> {
        let wanted = simplified(name);
        // UCCI 2 had this option; it takes the same values.
        let wanted = if wanted == "repetition" { "repetitionrule".to_owned() } else { wanted };
        OPTIONS.iter().find(|row| row.names().any(|name| simplified(name) == wanted))
    }
}
