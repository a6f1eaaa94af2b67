//! The settings of a game: those of the flags, with the changes made by commands.

use cannonade_game::ClockControl;
use clap::ValueEnum;
use xiangqi::notation::Notation;
use xiangqi::rules::RuleSet;
use xiangqi::rules::explanation::Language;

use super::board_view::{BoardStyle, Letters};
use super::clock::time_flag;
use super::level::{DEFAULT_LEVEL, FULL_LEVEL};
use super::side_choice::SideChoice;
use super::wording::Words;

/// The maximum time for a move without a clock if none is chosen, in seconds.
pub(super) const DEFAULT_MOVE_TIME: f64 = 2.0;

/// Search threads and transposition table of the engine, in MiB, if none are chosen.
pub(super) const DEFAULT_THREADS: u32 = 1;
pub(super) const DEFAULT_HASH: u32 = 16;

/// The settings of a game, besides the level, which the opponent holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaySetup {
    /// The side that the person plays.
    pub(super) side: SideChoice,
    /// The language of all sentences.
    pub(super) language: Language,
    pub(super) style: BoardStyle,
    /// The notation of moves, if it was chosen.
    pub(super) notation: Option<Notation>,
    /// The clock of both sides in each game, if it was chosen.
    pub(super) time: Option<ClockControl>,
    /// The maximum time of the engine for a move without a clock, in seconds.
    pub(super) move_time: f64,
    pub(super) rules: RuleSet,
    pub(super) seed: u32,
    pub(super) threads: u32,
    pub(super) hash_mib: u32,
}

/// Returns the letters of the pieces in a language, if none are chosen.
pub(super) fn default_letters(language: Language) -> Letters {
    match language {
        Language::Chinese => Letters::Chinese,
        _ => Letters::Latin,
    }
}

impl PlaySetup {
    /// Returns the sentences in the language of the person.
    pub(super) fn words(&self) -> Words {
        Words(self.language)
    }

    /// Returns the notation of moves: the chosen one, or the one that fits the letters of the
    /// board.
    pub(super) fn notation(&self) -> Notation {
        self.notation.unwrap_or(match self.style.letters {
            Letters::Latin => Notation::Uci,
            Letters::Chinese => Notation::Chinese,
            Letters::Traditional => Notation::Traditional,
        })
    }

    /// Returns the flags of a command line with the same settings and this time; defaults are left
    /// out.
    pub(super) fn flags(&self, level: u32, time: Option<ClockControl>) -> String {
        let PlaySetup { side, language, style, notation, .. } = *self;
        let PlaySetup { move_time, rules, seed, threads, hash_mib, .. } = *self;
        let flags = [
            (side != SideChoice::Red).then(|| format!("--side {}", name(&side))),
            (level != DEFAULT_LEVEL).then(|| format!("--level {}", level_name(level))),
            (move_time.to_bits() != DEFAULT_MOVE_TIME.to_bits())
                .then(|| format!("--movetime {move_time}")),
            time.map(|time| format!("--time {}", time_flag(time))),
            (language != Language::default()).then(|| format!("--language {language}")),
            (style.letters != default_letters(language))
                .then(|| format!("--letters {}", name(&style.letters))),
            notation.map(|notation| format!("--notation {}", notation.name())),
            style.compact.then(|| "--compact".to_owned()),
            (rules != RuleSet::default()).then(|| format!("--rules {rules}")),
            (seed != 0).then(|| format!("--seed {seed}")),
            (threads != DEFAULT_THREADS).then(|| format!("--threads {threads}")),
            (hash_mib != DEFAULT_HASH).then(|| format!("--hash {hash_mib}")),
        ];
        flags.into_iter().flatten().map(|flag| format!(" {flag}")).collect()
    }
}

/// Returns the name of a value of a flag.
fn name(value: &impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

fn level_name(level: u32) -> String {
    if level == FULL_LEVEL { "full".to_owned() } else { level.to_string() }
}

#[cfg(test)]
mod tests {
    use super::super::clock::parse_time;
    use super::super::colors::TerminalColors;
    use super::*;
    use clap::ColorChoice;

    fn setup() -> PlaySetup {
        let style = BoardStyle {
            letters: Letters::Latin,
            compact: false,
            colors: TerminalColors::chosen(ColorChoice::Never),
            flipped: false,
        };
        PlaySetup {
            side: SideChoice::Red,
            language: Language::English,
            style,
            notation: None,
            time: None,
            move_time: DEFAULT_MOVE_TIME,
            rules: RuleSet::default(),
            seed: 0,
            threads: DEFAULT_THREADS,
            hash_mib: DEFAULT_HASH,
        }
    }

    #[test]
    fn defaults_have_no_flag() {
        assert_eq!(setup().flags(DEFAULT_LEVEL, None), "");
    }

    #[test]
    fn everything_else_is_kept() {
        let style = BoardStyle { letters: Letters::Traditional, compact: true, ..setup().style };
        let other = PlaySetup {
            side: SideChoice::Black,
            language: Language::Chinese,
            style,
            notation: Some(Notation::Wxf),
            time: parse_time("15+10").ok(),
            move_time: 0.5,
            rules: RuleSet::Cxa,
            seed: 7,
            threads: 2,
            hash_mib: 32,
        };
        assert_eq!(
            other.flags(FULL_LEVEL, other.time),
            " --side black --level full --movetime 0.5 --time 15+10 --language zh --letters \
             traditional --notation wxf --compact --rules CXA --seed 7 --threads 2 --hash 32"
        );
    }
}
