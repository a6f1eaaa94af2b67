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

/// Commands with their names, also in Chinese.
const NAMES: [(&[&str], Word); 17] = [
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
    (&["resign", "认输", "認輸"], Word::Resign),
    (&["save", "保存"], Word::Save),
    (&["load", "读取", "讀取"], Word::Load),
    (&["help", "h", "?", "帮助", "幫助"], Word::Help),
    (&["quit", "exit", "q", "退出"], Word::Quit),
    (&[""], Word::Nothing),
];

#[derive(Clone, Copy)]
enum Word {
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
    /// A sentence for the person, if a command lacks what it needs.
    pub(super) fn parse(line: &str) -> Result<PlayCommand, String> {
        let line = line.trim();
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let lower = name.to_lowercase();
        let found = NAMES.iter().find(|(names, _)| names.contains(&lower.as_str()));
        let Some(&(_, word)) = found else { return Ok(PlayCommand::Move(line.to_owned())) };
        let argument = || (!rest.is_empty()).then(|| rest.to_owned());
        let count = |what: &str| match rest.parse::<usize>() {
            Ok(count) if count > 0 => Ok(count),
            _ if rest.is_empty() => Ok(1),
            _ => Err(format!("'{rest}' is not a number of moves; type '{what}' or '{what} 2'")),
        };
        let file =
            |what: &str| argument().ok_or(format!("type '{what} FILE', such as '{what} game.pgn'"));
        Ok(match word {
            Word::Undo => PlayCommand::Undo(count("undo")?),
            Word::Redo => PlayCommand::Redo(count("redo")?),
            Word::Hint => PlayCommand::Hint,
            Word::Level => PlayCommand::Level(argument()),
            Word::Flip => PlayCommand::Flip,
            Word::Eval => PlayCommand::Eval,
            Word::Moves => PlayCommand::Moves,
            Word::Board => PlayCommand::Board,
            Word::Fen => PlayCommand::Fen,
            Word::New => PlayCommand::New(argument()),
            Word::Go => PlayCommand::Go,
            Word::Resign => PlayCommand::Resign,
            Word::Save => PlayCommand::Save(file("save")?),
            Word::Load => PlayCommand::Load(file("load")?),
            Word::Help if name.is_ascii() => PlayCommand::Help(Language::English),
            Word::Help => PlayCommand::Help(Language::Chinese),
            Word::Quit => PlayCommand::Quit,
            Word::Nothing => PlayCommand::Nothing,
        })
    }
}

/// The commands, for people.
pub(super) fn help(language: Language) -> &'static str {
    match language {
        Language::English => HELP,
        Language::Chinese => CHINESE_HELP,
    }
}

const HELP: &str = "\
Type a move in any notation: h2e2, H2-E2, C2=5, 炮二平五, Che2. Or a command:
  undo [N]          take back your last move or resignation, or N of them, and the answers
  redo [N]          make them again
  hint              the move that full strength would play
  eval              who is better, in full strength's judgement
  level [0-20]      show or set the level of the engine; 20 or 'full' is full strength
  flip              turn the board
  board, fen        draw the board, show the position as FEN
  moves             the moves of the game
  go                let the engine move for you; you play the other side from then on
  new [red|black|both]   begin another game
  resign            give the game up
  save FILE         write the game as PGN, or as the name shows (.xqf, .cbr, .cbf, .ubb)
  load FILE         continue a game from a file (PGN, XQF, DhtmlXQ, CBR, CBL, CBF)
  help, quit        帮助 lists the commands in Chinese";

const CHINESE_HELP: &str = "\
直接输入着法：炮二平五、h2e2、H2-E2、C2=5、Che2；或输入命令：
  悔棋 [N]          收回你的上一步（或 N 步）及引擎的应着
  重做 [N]          恢复收回的着法
  提示              显示最强引擎的着法
  形势              显示最强引擎的判断
  级别 [0-20|最强]  显示或设定引擎的级别
  翻转              翻转棋盘
  棋盘, fen         显示棋盘，显示局面的 FEN
  着法              显示本局着法
  走棋              由引擎代走这一步，此后你执另一方
  新局 [红|黑|双方] 开始新的一局
  认输              认输
  保存 文件名       保存棋谱：PGN，或按扩展名（.xqf .cbr .cbf .ubb）
  读取 文件名       读取棋谱（PGN、XQF、DhtmlXQ、CBR、CBL、CBF）并继续
  帮助, 退出        help 显示英文说明";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_in_any_case_and_in_chinese() {
        assert_eq!(PlayCommand::parse(" UNDO 3 "), Ok(PlayCommand::Undo(3)));
        assert_eq!(PlayCommand::parse("悔棋"), Ok(PlayCommand::Undo(1)));
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
    fn a_command_without_what_it_needs_explains_itself() {
        for (text, part) in [("save", "save FILE"), ("undo x", "'undo 2'"), ("redo 0", "redo")] {
            let error = PlayCommand::parse(text).expect_err(text);
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn the_help_names_every_command() {
        for (names, _) in NAMES {
            assert!(HELP.contains(names[0]), "{}", names[0]);
            let has_chinese = names.iter().any(|name| CHINESE_HELP.contains(name));
            assert!(has_chinese, "{}", names[0]);
        }
    }
}
