//! Commands of a client, parsed from text.

use crate::OptionRow;

use super::{GoRequest, Protocol, Setup};

/// A command, in either protocol.
#[derive(Clone, PartialEq, Debug)]
pub enum Command {
    /// `uci` or `ucci`: identify yourself, and use this protocol from now on.
    Handshake(Protocol),
    /// Answer `readyok`.
    IsReady,
    /// `ucinewgame`, Cyclone's `newgame`: the next position is of another game.
    NewGame,
    /// `setoption`.
    SetOption {
        /// The name as it was written.
        name: String,
        /// The value; empty for a button.
        value: String,
    },
    /// `position`, or Cyclone's `fen` and `startpos`.
    Position(Setup),
    /// UCCI: moves that may not be played in the position, as text.
    BanMoves(Vec<String>),
    /// Search or count.
    Go(GoRequest),
    /// Stop the search.
    Stop,
    /// The opponent played the expected move.
    PonderHit {
        /// UCCI: true if the client also offers a draw.
        draw: bool,
    },
    /// UCCI: report the entry of the transposition table for this position.
    Probe(Setup),
    /// UCI's `debug on` and `debug off`.
    Debug(bool),
    /// End the process.
    Quit,
    /// Show the board, for people.
    Display,
    /// Explain the static evaluation, for people.
    Eval,
    /// Run the benchmark, to a depth if one is given.
    Bench(Option<u32>),
    /// List the commands, for people.
    Help,
}

/// Reason why a line is not a command. Clients send commands of other protocols, so this is not an
/// error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unrecognized {
    /// The line is empty.
    Blank,
    /// The first word is not the name of a command.
    Unknown,
}

impl Command {
    /// Reads a line.
    ///
    /// ```
    /// use cannonade_engine::uci::{Command, Protocol};
    ///
    /// assert_eq!(Command::parse("ucci"), Ok(Command::Handshake(Protocol::Ucci)));
    /// assert_eq!(
    ///     Command::parse("setoption name Move Overhead value 100"),
    ///     Command::parse("setoption moveoverhead 100").map(|_| Command::SetOption {
    ///         name: "Move Overhead".to_owned(),
    ///         value: "100".to_owned(),
    ///     }),
    /// );
    /// ```
    ///
    /// # Errors
    /// [`Unrecognized`] with the reason, for the reply to the client.
    pub fn parse(line: &str) -> Result<Command, Unrecognized> {
        let (word, rest) = next_word(line);
        let command = match word.to_ascii_lowercase().as_str() {
            "" => return Err(Unrecognized::Blank),
            "uci" => Command::Handshake(Protocol::Uci),
            "ucci" => Command::Handshake(Protocol::Ucci),
            "isready" => Command::IsReady,
            "ucinewgame" | "newgame" | "uccinewgame" => Command::NewGame,
            "setoption" => {
                let (name, value) = parse_option(rest);
                Command::SetOption { name: name.to_owned(), value: value.to_owned() }
            }
            "position" => Command::Position(Setup::parse(rest)),
            "fen" if rest.is_empty() => Command::Display,
            // UCI-Cyclone leaves `position` out.
            "fen" | "startpos" => Command::Position(Setup::parse(line)),
            "banmoves" => Command::BanMoves(rest.split_whitespace().map(str::to_owned).collect()),
            "go" => Command::Go(GoRequest::parse(rest)),
            "stop" => Command::Stop,
            "ponderhit" => {
                let draw = rest.split_whitespace().any(|word| word.eq_ignore_ascii_case("draw"));
                Command::PonderHit { draw }
            }
            "probe" => Command::Probe(Setup::parse(rest)),
            "debug" => Command::Debug(!rest.eq_ignore_ascii_case("off")),
            "quit" | "exit" => Command::Quit,
            "d" | "display" => Command::Display,
            "eval" => Command::Eval,
            "bench" => Command::Bench(next_word(rest).0.parse().ok()),
            "perft" => Command::Go(GoRequest::parse(line)),
            "help" | "?" => Command::Help,
            _ => return Err(Unrecognized::Unknown),
        };
        Ok(command)
    }
}

/// Splits off the first word.
fn next_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (text, ""),
    }
}

/// More bytes than the name of an option is written with.
const LONGEST_NAME: usize = 200;

/// Splits the text after `setoption` into name and value: UCI's `name X value V`, UCCI's `X V`, and
/// either without the other's keywords. Names may have several words, values keep their blanks.
fn parse_option(text: &str) -> (&str, &str) {
    let (first, rest) = next_word(text);
    let is_uci = first.eq_ignore_ascii_case("name");
    let named = if is_uci { rest } else { text };
    let ends_word = |&(index, c): &(usize, char)| {
        let before = named.get(..index).unwrap_or_default();
        c.is_whitespace() && !before.ends_with(char::is_whitespace)
    };
    let ends = named.char_indices().filter(ends_word).map(|(index, _)| index).chain([named.len()]);
    let split = |end: usize| {
        let (name, value) = named.split_at_checked(end).unwrap_or((named, ""));
        let (keyword, rest) = next_word(value);
        let value = if keyword.eq_ignore_ascii_case("value") { rest } else { value.trim() };
        (name.trim(), value)
    };
    // In UCI the name ends before `value`; in UCCI, where that word may belong to the value, and
    // without it where it is the name of an option.
    let is_value = |&end: &usize| {
        next_word(named.get(end..).unwrap_or_default()).0.eq_ignore_ascii_case("value")
    };
    let before_value = ends.clone().find(is_value);
    let known = ends
        .take_while(|&end| end <= LONGEST_NAME)
        .find(|&end| OptionRow::find(split(end).0).is_some());
    match if is_uci { before_value.or(known) } else { known.or(before_value) } {
        Some(end) => split(end),
        None if first.len() < text.len() && named.len() == text.len() => split(first.len()),
        None => (named, ""),
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn option(line: &str) -> (String, String) {
        match Command::parse(line) {
            Ok(Command::SetOption { name, value }) => (name, value),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn options_are_read_in_every_spelling() {
        for (line, name, value) in [
            ("setoption name Hash value 64", "Hash", "64"),
            ("setoption NAME hash VALUE 64", "hash", "64"),
            ("setoption hashsize 64", "hashsize", "64"),
            ("setoption Hash value 64", "Hash", "64"),
            ("setoption name Hash 64", "Hash", "64"),
            ("setoption name Clear Hash", "Clear Hash", ""),
            ("setoption Clear Hash", "Clear Hash", ""),
            ("setoption newgame", "newgame", ""),
            ("setoption Move Overhead 100", "Move Overhead", "100"),
            (
                "setoption name EvalFile value C:\\my  nets\\a b.nnue",
                "EvalFile",
                "C:\\my  nets\\a b.nnue",
            ),
            ("setoption evalfile /nets/ 中炮.nnue", "evalfile", "/nets/ 中炮.nnue"),
            ("setoption bookfiles BOOK.DAT;x y", "bookfiles", "BOOK.DAT;x y"),
            ("setoption bookfiles /my value book.dat", "bookfiles", "/my value book.dat"),
            ("setoption name Skill Level value 20", "Skill Level", "20"),
            ("setoption name Draw Rule value", "Draw Rule", ""),
            ("setoption", "", ""),
            ("setoption name", "", ""),
            ("setoption name value 3", "value 3", ""),
        ] {
            assert_eq!(option(line), (name.to_owned(), value.to_owned()), "{line}");
        }
    }

    #[test]
    fn very_many_words_and_blanks_are_read_in_time() {
        let start = Instant::now();
        for text in ["a ".repeat(100_000), format!("a{}b", " ".repeat(300_000))] {
            for keyword in ["", "name "] {
                let (name, _) = option(&format!("setoption {keyword}{text}"));
                assert!(name.starts_with('a'));
            }
        }
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }

    #[test]
    fn cyclone_may_leave_position_out() {
        let setup = "fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r moves b0c2";
        assert_eq!(Command::parse(setup), Command::parse(&format!("position {setup}")));
        assert_eq!(Command::parse("startpos"), Command::parse("position startpos"));
        assert_eq!(Command::parse("newgame"), Ok(Command::NewGame));
    }

    #[test]
    fn other_words_are_not_commands() {
        assert_eq!(Command::parse("  "), Err(Unrecognized::Blank));
        for line in ["xboard", "protover 2", "ucix", "положение", "\u{EF80}\u{EFFF}"] {
            assert_eq!(Command::parse(line), Err(Unrecognized::Unknown), "{line}");
        }
    }
}
