//! The settings of an engine in a match, read from `key=value` words like those of fastchess and
//! cutechess-cli.

use std::path::{self, PathBuf};
use std::time::Duration;

use cannonade_game::{ClockControlError, parse_seconds};
use thiserror::Error;
use xiangqi::notation::Ranks;

use super::declared_option::is_same;
use super::dialogue_log::DialogueLog;
use super::protocol::{EngineProtocol, ParseEngineProtocolError, TimeUnit};
use super::time_control::TimeControl;

/// An engine and its settings for play.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineSettings {
    /// Its name in all records; the file name of the command if not given.
    pub name: String,
    /// The program.
    pub command: PathBuf,
    /// Arguments of the command, without its name.
    pub arguments: Vec<String>,
    /// The folder it runs in; that of the match if not given.
    pub directory: Option<PathBuf>,
    /// The protocol it speaks.
    pub protocol: EngineProtocol,
    /// Its numbering of ranks.
    pub ranks: Ranks,
    /// The unit of the clock times it is given (UCCI only); see [`EngineSettings::time_unit`].
    pub unit: Option<TimeUnit>,
    /// Options to set, in order. An empty value presses a button.
    pub options: Vec<(String, String)>,
    /// Its limits.
    pub control: TimeControl,
    /// The time by which a move may exceed the limit.
    pub margin: Duration,
    /// True if the engine searches on the opponent's time.
    pub ponder: bool,
    /// True if each game starts a new process.
    pub restart: bool,
    /// The maximum time from the start of the process to the end of the handshake.
    pub startup: Duration,
    /// The maximum silence where no clock runs.
    pub patience: Duration,
    /// Receives all lines to and from it, if the match keeps a log.
    pub log: Option<DialogueLog>,
}

/// The reason why the words do not describe an engine.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SettingsError {
    /// `cmd=` is missing.
    #[error("an engine needs cmd=PROGRAM")]
    NoCommand,
    /// A word is not `key=value`.
    #[error(
        "'{0}' is not an engine setting; expected key=value, such as tc=10+0.1 or option.Hash=64"
    )]
    Word(String),
    /// The key does not exist.
    #[error(
        "unknown engine setting '{0}'; known are cmd, name, args, dir, proto, dialect, unit, tc, \
         st, nodes, depth, timemargin, ponder, restart, startup, patience and option.NAME"
    )]
    Key(String),
    /// The value is not valid for its key.
    #[error("{key}={value}: expected {expected}")]
    Value {
        /// The key.
        key: String,
        /// Its value.
        value: String,
        /// A description of valid values.
        expected: &'static str,
    },
    /// The clock is not valid.
    #[error(transparent)]
    TimeControl(#[from] ClockControlError),
    /// The dialect is unknown.
    #[error("unknown dialect '{0}'; expected 'iccs' (ranks 0-9) or 'fairy' (ranks 1-10)")]
    Dialect(String),
    /// The protocol is unknown.
    #[error(transparent)]
    EngineProtocol(#[from] ParseEngineProtocolError),
    /// Its search has no limit.
    #[error("engine '{0}' has no limit; give tc=, st=, nodes= or depth=")]
    Unlimited(String),
}

impl EngineSettings {
    /// Creates the settings of a program, with defaults and without a limit yet.
    pub fn new(command: impl Into<PathBuf>) -> EngineSettings {
        EngineSettings {
            name: String::new(),
            command: command.into(),
            arguments: Vec::new(),
            directory: None,
            protocol: EngineProtocol::Uci,
            ranks: Ranks::FromZero,
            unit: None,
            options: Vec::new(),
            control: TimeControl::default(),
            // A busy machine delays an answer now and then; that must not cost the game.
            margin: Duration::from_millis(100),
            ponder: false,
            restart: false,
            startup: Duration::from_secs(10),
            patience: Duration::from_secs(60),
            log: None,
        }
    }

    /// Returns the unit of the clock times for a UCCI engine: the one given, seconds if its option
    /// `usemillisec` is switched off, else milliseconds.
    pub fn time_unit(&self) -> TimeUnit {
        let is_off = |(name, value): &(String, String)| {
            name.eq_ignore_ascii_case("usemillisec") && parse_switch(value) == Some(false)
        };
        let default = if self.options.iter().any(is_off) {
            TimeUnit::Seconds
        } else {
            TimeUnit::Milliseconds
        };
        self.unit.unwrap_or(default)
    }

    /// Returns the threads that its option asks for; 1 without one.
    pub fn threads(&self) -> usize {
        let set = self.options.iter().rev().find(|(name, _)| is_same(name, "Threads"));
        set.and_then(|(_, value)| value.parse().ok()).map_or(1, |threads: usize| threads.max(1))
    }

    /// Reads the words of `--each`, which hold for all engines, then those of one `--engine`, which
    /// override them.
    ///
    /// # Errors
    /// The first word that is not a valid setting, or a setting that is missing.
    pub fn parse(each: &[String], words: &[String]) -> Result<EngineSettings, SettingsError> {
        let mut settings = EngineSettings::new("");
        for word in each.iter().chain(words) {
            settings.set(word)?;
        }
        if settings.command.as_os_str().is_empty() {
            return Err(SettingsError::NoCommand);
        }
        if settings.name.is_empty() {
            let file = settings.command.file_stem().unwrap_or(settings.command.as_os_str());
            settings.name = file.to_string_lossy().into_owned();
        }
        if settings.control.is_unlimited() {
            return Err(SettingsError::Unlimited(settings.name));
        }
        Ok(settings)
    }

    /// Returns the program to start. A relative `cmd` is searched for in `dir` first, then in the
    /// folder of the match, since operating systems differ in that.
    pub(super) fn program(&self) -> PathBuf {
        let inside = self.directory.as_ref().map(|directory| directory.join(&self.command));
        let has_folder = self.command.components().count() > 1;
        let found = inside.filter(|path| path.is_file());
        // A bare name is searched for along PATH.
        let relative = found.or_else(|| has_folder.then(|| self.command.clone()));
        relative.and_then(|path| path::absolute(path).ok()).unwrap_or_else(|| self.command.clone())
    }

    fn set(&mut self, word: &str) -> Result<(), SettingsError> {
        let (key, value) = match word.split_once('=') {
            Some(pair) => pair,
            None if word == "ponder" => ("ponder", "true"),
            None => return Err(SettingsError::Word(word.to_owned())),
        };
        let wrong = |expected| SettingsError::Value {
            key: key.to_owned(),
            value: value.to_owned(),
            expected,
        };
        let positive = || value.parse::<u64>().ok().filter(|&n| n > 0);
        let seconds = || parse_seconds(value).filter(|time| !time.is_zero());
        match key {
            "cmd" => self.command = value.into(),
            // Records write an unknown player as `?`, and their readers remove the space around a
            // name.
            "name" if matches!(value.trim(), "" | "?") || value.contains(char::is_control) => {
                return Err(wrong(
                    "a name other than '?', without line ends, tabs and other control characters",
                ));
            }
            "name" => self.name = value.trim().to_owned(),
            "args" | "arg" => self.arguments = split_arguments(value),
            "dir" => self.directory = Some(value.into()),
            "proto" | "protocol" => self.protocol = value.parse()?,
            "dialect" => self.ranks = ranks_of_dialect(value)?,
            "unit" => self.unit = Some(value.parse().map_err(|()| wrong("ms or s"))?),
            // A clock of the engine replaces one of `--each` of any kind.
            "tc" => {
                self.control.move_time = None;
                self.control.clock = if value == "inf" { None } else { Some(value.parse()?) };
            }
            "st" | "movetime" => {
                self.control.clock = None;
                self.control.move_time = Some(seconds().ok_or_else(|| wrong("seconds per move"))?);
            }
            "nodes" => {
                self.control.nodes = Some(positive().ok_or_else(|| wrong("nodes per move"))?);
            }
            // As fastchess writes it.
            "depth" | "plies" => {
                let depth = positive().and_then(|depth| depth.try_into().ok());
                self.control.depth = Some(depth.ok_or_else(|| wrong("plies"))?);
            }
            "timemargin" => {
                let millis = value.parse().map_err(|_| wrong("milliseconds"))?;
                self.margin = Duration::from_millis(millis);
            }
            "ponder" => self.ponder = parse_switch(value).ok_or_else(|| wrong("on or off"))?,
            "restart" => {
                let restart = if value == "auto" { Some(false) } else { parse_switch(value) };
                self.restart = restart.ok_or_else(|| wrong("on, off or auto"))?;
            }
            "startup" => self.startup = seconds().ok_or_else(|| wrong("seconds"))?,
            "patience" => self.patience = seconds().ok_or_else(|| wrong("seconds"))?,
            _ => match key.strip_prefix("option.") {
                Some(name) if !name.is_empty() => {
                    self.options.retain(|(set, _)| !is_same(set, name));
                    self.options.push((name.to_owned(), value.to_owned()));
                }
                _ => return Err(SettingsError::Key(key.to_owned())),
            },
        }
        Ok(())
    }
}

/// Returns the name of a numbering of ranks: programs for xiangqi count from 0, Fairy-Stockfish in
/// UCI and programs built on it from 1.
pub(super) fn dialect(ranks: Ranks) -> &'static str {
    match ranks {
        Ranks::FromZero => "iccs",
        Ranks::FromOne => "fairy",
    }
}

fn ranks_of_dialect(name: &str) -> Result<Ranks, SettingsError> {
    let found = [Ranks::FromZero, Ranks::FromOne]
        .into_iter()
        .find(|&ranks| dialect(ranks).eq_ignore_ascii_case(name));
    found.ok_or_else(|| SettingsError::Dialect(name.to_owned()))
}

fn parse_switch(text: &str) -> Option<bool> {
    match text {
        "on" | "true" | "yes" | "1" => Some(true),
        "off" | "false" | "no" | "0" => Some(false),
        _ => None,
    }
}

/// Splits at spaces; a part between double quotes stays together.
fn split_arguments(text: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    for (i, part) in text.split('"').enumerate() {
        if i % 2 == 1 {
            arguments.push(part.to_owned());
        } else {
            arguments.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(each: &str, words: &str) -> Result<EngineSettings, SettingsError> {
        let split = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        EngineSettings::parse(&split(each), &split(words))
    }

    #[test]
    fn an_engine_is_read_as_fastchess_writes_it() {
        let engine = parse(
            "tc=1+0.05 option.Hash=16 timemargin=20",
            "cmd=./bin/engine.exe proto=ucci option.Hash=64 option.Use_Book=false option.threads=3 \
             nodes=500 plies=9 ponder",
        )
        .expect("an engine");
        assert_eq!(engine.name, "engine");
        assert_eq!(engine.protocol, EngineProtocol::Ucci);
        let options = [("Hash", "64"), ("Use_Book", "false"), ("threads", "3")];
        assert_eq!(engine.options, options.map(|(k, v)| (k.to_owned(), v.to_owned())));
        assert_eq!(engine.control.to_string(), "1+0.05, 500 nodes, depth 9");
        assert_eq!(engine.threads(), 3);
        assert_eq!(engine.margin, Duration::from_millis(20));
        assert!(engine.ponder && !engine.restart);
    }

    #[test]
    fn a_name_is_one_that_records_can_carry() {
        let name = |name: &str| {
            let words = ["cmd=x", "depth=1", name].map(str::to_owned);
            EngineSettings::parse(&[], &words).map(|engine| engine.name)
        };
        assert_eq!(name("name= b ").as_deref(), Ok("b"));
        for wrong in ["name=", "name= ", "name=?", "name= ? ", "name=a\tb"] {
            assert!(matches!(name(wrong), Err(SettingsError::Value { .. })), "{wrong}");
        }
    }

    #[test]
    fn a_clock_of_one_engine_replaces_that_of_all() {
        let engine = parse("tc=1+0.05", "cmd=x st=0.5").expect("an engine");
        assert_eq!(engine.control.to_string(), "0.5/move");
        let engine = parse("st=0.5", "cmd=x tc=40/60").expect("an engine");
        assert_eq!(engine.control.to_string(), "40/60");
    }

    #[test]
    fn a_program_is_searched_for_in_its_folder_and_in_that_of_the_match() {
        let parse = |words: &str| parse("depth=1", words).expect("an engine").program();
        assert!(parse("cmd=mod.rs dir=src/engine").ends_with("src/engine/mod.rs"));
        assert!(parse("cmd=src/lib.rs dir=src/engine").is_absolute());
        assert!(parse("cmd=src/lib.rs dir=src/engine").is_file());
        assert_eq!(parse("cmd=cannonade dir=src"), PathBuf::from("cannonade"));
        assert_eq!(parse("cmd=cannonade"), PathBuf::from("cannonade"));
    }

    #[test]
    fn arguments_may_be_quoted() {
        assert_eq!(split_arguments("-a  b \"c d\" e"), ["-a", "b", "c d", "e"]);
        assert!(split_arguments("").is_empty());
    }

    #[test]
    fn errors_about_words_name_the_remedy() {
        for (words, part) in [
            ("tc=1", "cmd="),
            ("cmd=x", "no limit"),
            ("cmd=x tc=1 foo", "key=value"),
            ("cmd=x tc=1 foo=1", "unknown engine setting 'foo'"),
            ("cmd=x tc=abc", "not a time control"),
            ("cmd=x nodes=0", "nodes=0: expected nodes"),
            ("cmd=x st=-1", "seconds"),
            ("cmd=x tc=1 proto=xboard", "uci"),
            ("cmd=x tc=1 dialect=usi", "iccs"),
            ("cmd=x tc=1 option.=5", "option."),
            ("cmd=x tc=1 ponder=maybe", "on or off"),
        ] {
            let error = parse("", words).expect_err(words).to_string();
            assert!(error.contains(part), "{words}: {error}");
        }
    }
}
