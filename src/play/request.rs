//! Parses the person's input: a command, or else a move.

use xiangqi::rules::explanation::Language;

/// The request of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PlayCommand {
    /// Nothing: an empty line.
    Nothing,
    /// A move in any notation.
    Move(String),
    /// Undo this many moves of the person.
    Undo(usize),
    /// Redo this many moves.
    Redo(usize),
    /// Show the best move.
    Hint,
    /// Show the level, or set it from this text.
    Level(Option<String>),
    /// Turn the board.
    Flip,
    /// Judge the position.
    Eval,
    /// List the moves of the game.
    Moves,
    /// Draw the board.
    Board,
    /// Show the position as FEN.
    Fen,
    /// Begin a new game, as this side or the same as before.
    New(Option<String>),
    /// Let the engine move, or change sides with it.
    Go,
    /// Offer a draw.
    Draw,
    /// Give the game up.
    Resign,
    /// Write the game to a file.
    Save(String),
    /// Read a game from a file.
    Load(String),
    /// Explain the commands in this language.
    Help(Language),
    /// Leave.
    Quit,
}

/// A command that lacks what it needs; `what` is its name as typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum BadRequest {
    /// The text is not a number of moves.
    Count { what: String, text: String },
    /// The command needs a file.
    File { what: String },
}

/// Commands with their names, also in Chinese.
pub(super) const COMMAND_NAMES: [(&[&str], Word); 18] = [
    (&["undo", "u", "悔棋"], Word::Undo),
    (&["redo", "r", "重做"], Word::Redo),
    (&["hint", "提示"], Word::Hint),
    (&["level", "级别", "級別"], Word::Level),
    (&["flip", "翻转", "翻轉"], Word::Flip),
    (&["eval", "形势", "形勢"], Word::Eval),
    (&["moves", "着法", "著法"], Word::Moves),
    (&["board", "d", "棋盘", "棋盤"], Word::Board),
    (&["fen"], Word::Fen),
    (&["new", "新局"], Word::New),
    (&["go", "走棋"], Word::Go),
    (&["draw", "提和", "和棋"], Word::Draw),
    (&["resign", "认输", "認輸"], Word::Resign),
    (&["save", "保存"], Word::Save),
    (&["load", "读取", "讀取"], Word::Load),
    (&["help", "h", "?", "帮助", "幫助"], Word::Help),
    (&["quit", "exit", "q", "退出"], Word::Quit),
    (&[""], Word::Nothing),
];

/// The command that a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    Undo,
    Redo,
    Hint,
    Level,
    Flip,
    Eval,
    Moves,
    Board,
    Fen,
    New,
    Go,
    Draw,
    Resign,
    Save,
    Load,
    Help,
    Quit,
    Nothing,
}

impl PlayCommand {
    /// Reads a line.
    ///
    /// # Errors
    /// If a command lacks what it needs.
    pub(super) fn parse(line: &str) -> Result<PlayCommand, BadRequest> {
        let line = line.trim();
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let lower = name.to_lowercase();
        let found = COMMAND_NAMES.iter().find(|(names, _)| names.contains(&lower.as_str()));
        let Some(&(_, word)) = found else { return Ok(PlayCommand::Move(line.to_owned())) };
        let argument = || (!rest.is_empty()).then(|| rest.to_owned());
        let number = rest.chars().map(narrow).collect::<String>();
        let what = || name.to_owned();
        let count = || match number.parse::<usize>() {
            Ok(count) if count > 0 => Ok(count),
            _ if rest.is_empty() => Ok(1),
            _ => Err(BadRequest::Count { what: what(), text: rest.to_owned() }),
        };
        let file = || argument().ok_or_else(|| BadRequest::File { what: what() });
        Ok(match word {
            Word::Undo => PlayCommand::Undo(count()?),
            Word::Redo => PlayCommand::Redo(count()?),
            Word::Hint => PlayCommand::Hint,
            Word::Level => PlayCommand::Level(argument().map(|_| number)),
            Word::Flip => PlayCommand::Flip,
            Word::Eval => PlayCommand::Eval,
            Word::Moves => PlayCommand::Moves,
            Word::Board => PlayCommand::Board,
            Word::Fen => PlayCommand::Fen,
            Word::New => PlayCommand::New(argument()),
            Word::Go => PlayCommand::Go,
            Word::Draw => PlayCommand::Draw,
            Word::Resign => PlayCommand::Resign,
            Word::Save => PlayCommand::Save(file()?),
            Word::Load => PlayCommand::Load(file()?),
            Word::Help if name.is_ascii() => PlayCommand::Help(Language::English),
            Word::Help => PlayCommand::Help(Language::Chinese),
            Word::Quit => PlayCommand::Quit,
            Word::Nothing => PlayCommand::Nothing,
        })
    }
}

/// Returns the digit of ordinary width for one of full width, any other character as it is.
fn narrow(c: char) -> char {
    let digit = u32::from(c).checked_sub(u32::from('０')).filter(|&digit| digit < 10);
    digit.and_then(|digit| char::from_digit(digit, 10)).unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_in_any_case_and_in_chinese() {
        assert_eq!(PlayCommand::parse(" UNDO 3 "), Ok(PlayCommand::Undo(3)));
        assert_eq!(PlayCommand::parse("悔棋"), Ok(PlayCommand::Undo(1)));
        assert_eq!(PlayCommand::parse("悔棋　１２"), Ok(PlayCommand::Undo(12)));
        assert_eq!(PlayCommand::parse("级别 ７"), Ok(PlayCommand::Level(Some("7".to_owned()))));
        assert_eq!(PlayCommand::parse("保存 ７"), Ok(PlayCommand::Save("７".to_owned())));
        assert_eq!(PlayCommand::parse("帮助"), Ok(PlayCommand::Help(Language::Chinese)));
        assert_eq!(PlayCommand::parse("?"), Ok(PlayCommand::Help(Language::English)));
        assert_eq!(PlayCommand::parse("level"), Ok(PlayCommand::Level(None)));
        assert_eq!(
            PlayCommand::parse("save my game.pgn"),
            Ok(PlayCommand::Save("my game.pgn".to_owned()))
        );
        assert_eq!(PlayCommand::parse(""), Ok(PlayCommand::Nothing));
    }

    #[test]
    fn anything_else_is_a_move() {
        for text in ["h2e2", "炮二平五", "C2=5", "hello"] {
            assert_eq!(PlayCommand::parse(text), Ok(PlayCommand::Move(text.to_owned())));
        }
    }

    #[test]
    fn a_command_without_what_it_needs_is_none() {
        let what = "save".to_owned();
        assert_eq!(PlayCommand::parse("save"), Err(BadRequest::File { what }));
        for text in ["undo x", "redo 0", "悔棋 x"] {
            let error = PlayCommand::parse(text).expect_err(text);
            assert!(matches!(error, BadRequest::Count { .. }), "{error:?}");
        }
    }
}
