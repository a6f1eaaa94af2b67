//! Commands of a client, parsed from text, and the positions in them.

use thiserror::Error;
use xiangqi::board::{FenError, MoveError, Position, START_FEN};
use xiangqi::notation::Ranks;

use super::{GoRequest, Protocol};
use crate::OptionRow;

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

/// Maximum number of moves accepted; the longest game ever played had some 600.
const MAX_MOVES: usize = 20_000;

/// Unparsed description of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    fen: String,
    moves: Vec<String>,
}

/// Failure to set up a position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SetupError {
    /// The FEN is wrong.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move is not of the form `h2e2`.
    #[error(
        "move number {number}: '{text}' is not a move; expected two squares with files a-i \
         and ranks {ranks}, such as '{}'",
        example(*.ranks)
    )]
    Syntax {
        /// Number of the move, from 1.
        number: usize,
        /// The beginning of the text.
        text: String,
        /// Coordinates in which the moves were read.
        ranks: Ranks,
    },
    /// A move is not legal.
    #[error(
        "move number {number}: '{text}' is not legal with ranks {ranks}: {}",
        .reason.behind(.text)
    )]
    Illegal {
        /// Number of the move, from 1.
        number: usize,
        /// The text of the move.
        text: String,
        /// Coordinates in which the moves were read.
        ranks: Ranks,
        /// Reason why it is not legal.
        reason: MoveError,
    },
    /// More moves than any game has.
    #[error("{0} moves; at most {MAX_MOVES} are read")]
    TooLong(usize),
}

impl SetupError {
    /// Returns the number of moves read without an error.
    fn good_moves(&self) -> usize {
        match self {
            SetupError::Syntax { number, .. } | SetupError::Illegal { number, .. } => number - 1,
            SetupError::Fen(_) | SetupError::TooLong(_) => 0,
        }
    }
}

/// Returns a move for error messages.
const fn example(ranks: Ranks) -> &'static str {
    match ranks {
        Ranks::FromZero => "h2e2",
        Ranks::FromOne => "h3e3",
    }
}

impl Setup {
    /// Parses the text after `position` or `probe`. `fen` may be left out before a FEN, and `moves`
    /// before moves.
    pub fn parse(text: &str) -> Setup {
        let mut words = text.split_whitespace().peekable();
        let mut fen: Vec<&str> = Vec::new();
        let is = |word: &str, keyword: &str| word.eq_ignore_ascii_case(keyword);
        match words.peek() {
            Some(word) if is(word, "startpos") => {
                words.next();
                fen.push(START_FEN);
            }
            Some(word) => {
                if is(word, "fen") {
                    words.next();
                }
                while let Some(word) = words.next_if(|word| !is(word, "moves")) {
                    fen.push(word);
                }
            }
            None => {}
        }
        words.next_if(|word| is(word, "moves"));
        Setup { fen: fen.join(" "), moves: words.map(str::to_owned).collect() }
    }

    /// Returns whether the text is blank.
    pub fn is_blank(&self) -> bool {
        self.fen.is_empty() && self.moves.is_empty()
    }

    /// Returns whether moves are given.
    pub fn has_moves(&self) -> bool {
        !self.moves.is_empty()
    }

    /// Returns the position after all moves.
    ///
    /// # Errors
    /// If the FEN or any of the moves is wrong.
    pub fn position(&self, ranks: Ranks) -> Result<Position, SetupError> {
        if self.moves.len() > MAX_MOVES {
            return Err(SetupError::TooLong(self.moves.len()));
        }
        let mut position = Position::from_fen(&self.fen)?;
        for (index, text) in self.moves.iter().enumerate() {
            let number = index + 1;
            let excerpt = || text.chars().take(20).collect();
            let mv = ranks.read(text).ok_or_else(|| SetupError::Syntax {
                number,
                text: excerpt(),
                ranks,
            })?;
            let mv = position.check_move(mv).map_err(|reason| SetupError::Illegal {
                number,
                text: excerpt(),
                ranks,
                reason,
            })?;
            position.play_unchecked(mv);
        }
        Ok(position)
    }

    /// Returns the position and the coordinates in which its moves are legal: `likely` if they are
    /// legal in both.
    ///
    /// # Errors
    /// If the moves are legal in neither; the error is of the reading that got further.
    pub fn position_in_either(&self, likely: Ranks) -> Result<(Position, Ranks), SetupError> {
        let error = match self.position(likely) {
            Ok(position) => return Ok((position, likely)),
            Err(error @ (SetupError::Fen(_) | SetupError::TooLong(_))) => return Err(error),
            Err(error) => error,
        };
        match self.position(likely.other()) {
            Ok(position) => Ok((position, likely.other())),
            Err(other) if other.good_moves() > error.good_moves() => Err(other),
            Err(_) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

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

    fn fen(text: &str) -> String {
        let setup = Setup::parse(text).position(Ranks::FromZero);
        setup.unwrap_or_else(|e| panic!("{text}: {e}")).fen()
    }

    #[test]
    fn every_spelling_gives_the_same_position() {
        let after = fen("startpos moves h2e2 h9g7");
        let board = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
        let english = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR";
        for text in [
            format!("fen {board} moves h2e2 h9g7"),
            format!("fen {board} r moves H2E2 H9G7"),
            format!("fen {board} w - - 0 1 moves h2-e2 H9-G7"),
            format!("FEN {english} w 0 1 MOVES h2e2 h9g7"),
            format!("{board} w moves h2e2 h9g7"),
            "startpos h2e2 h9g7".to_owned(),
        ] {
            assert_eq!(fen(&text), after, "{text}");
        }
    }

    #[test]
    fn a_wrong_move_is_named_with_its_number() {
        let read = |text: &str| Setup::parse(text).position_in_either(Ranks::FromZero);
        let error = read("startpos moves h2e2 h2e2").expect_err("illegal").to_string();
        assert!(error.starts_with("move number 2: 'h2e2'"), "{error}");
        let error = read("startpos moves h3e3 h3e3").expect_err("illegal").to_string();
        assert!(error.starts_with("move number 2: 'h3e3'") && error.contains("1-10"), "{error}");
        for text in ["", "fen", "fen moves h2e2", "startpos moves x", "nonsense", "fen 9/9 w"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn moves_that_are_legal_in_one_reading_only_are_read_so() {
        for likely in [Ranks::FromZero, Ranks::FromOne] {
            for (text, expected) in [
                ("startpos moves h2e2 h9g7", Ranks::FromZero),
                ("startpos moves h3e3 h10g8", Ranks::FromOne),
                ("startpos moves H3-E3 H10-G8", Ranks::FromOne),
                ("startpos", likely),
            ] {
                let read = Setup::parse(text).position_in_either(likely);
                assert_eq!(read.map(|(_, ranks)| ranks), Ok(expected), "{text}");
            }
        }
        // Two pawns beyond the river, one after the other on a file: the likely reading counts.
        let both = "fen 3k5/9/9/4P4/4P4/9/9/9/9/4K4 w - - 0 1 moves e6d6";
        for likely in [Ranks::FromZero, Ranks::FromOne] {
            let read = Setup::parse(both).position_in_either(likely);
            assert_eq!(read.map(|(_, ranks)| ranks), Ok(likely));
        }
    }
}
