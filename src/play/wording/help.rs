//! The list of commands.

use xiangqi::rules::explanation::Language;

/// Returns the list of commands in a language.
pub(in crate::play) fn help(language: Language) -> &'static str {
    match language {
        Language::Chinese => CHINESE_HELP,
        _ => HELP,
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
  draw              offer a draw
  resign            give the game up
  save FILE         write the game as PGN, or as the name shows (.xqf, .cbr, .cbf, .ubb)
  load FILE         continue a game from a file (PGN, XQF, DhtmlXQ, CBR, CBL, CBF, WXF)
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
  提和              提议和棋
  认输              认输
  保存 文件名       保存棋谱：PGN，或按扩展名（.xqf .cbr .cbf .ubb）
  读取 文件名       读取棋谱（PGN、XQF、DhtmlXQ、CBR、CBL、CBF、WXF）并继续
  帮助, 退出        help 显示英文说明";

#[cfg(test)]
mod tests {
    use super::super::super::request::COMMAND_NAMES;
    use super::*;

    #[test]
    fn the_help_names_every_command() {
        for (names, _) in COMMAND_NAMES {
            assert!(HELP.contains(names[0]), "{}", names[0]);
            let has_chinese = names.iter().any(|name| CHINESE_HELP.contains(name));
            assert!(has_chinese, "{}", names[0]);
        }
    }
}
