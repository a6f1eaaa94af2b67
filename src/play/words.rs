//! The sentences of a terminal game, in English and Chinese.

use cannonade_game::PlayedGame;
use xiangqi::geometry::Color;
use xiangqi::notation::{Notation, NotationError};
use xiangqi::rules::explanation::{Language, explain};
use xiangqi::rules::{EndByRules, Level, Outcome};

use super::{FULL_LEVEL, SideChoice};

/// Writes the sentences in one language.
#[derive(Clone, Copy)]
pub(super) struct Words(pub(super) Language);

impl Words {
    /// Returns the text in this language.
    pub(super) fn choose<T>(self, english: T, chinese: T) -> T {
        match self.0 {
            Language::Chinese => chinese,
            _ => english,
        }
    }

    /// Returns the name of a side, which begins an English sentence.
    fn side(self, side: Color) -> &'static str {
        let english = if side == Color::Red { "Red" } else { "Black" };
        self.choose(english, Language::Chinese.side(side))
    }

    /// Returns the name of the engine at a level.
    pub(super) fn opponent(self, level: u32) -> String {
        if level == FULL_LEVEL {
            return "Cannonade".to_owned();
        }
        self.choose(format!("Cannonade level {level}"), format!("Cannonade（{level} 级）"))
    }

    /// Says who plays, and what to type.
    pub(super) fn greeting(self, side: SideChoice, level: u32) -> String {
        let opponent = self.opponent(level);
        let players = match side.color().map(|side| self.side(side)) {
            None => self.choose("You play both sides.".to_owned(), "你执双方。".to_owned()),
            Some(side) => self.choose(
                format!("You play {side} against {opponent}."),
                format!("你执{side}，对手是{opponent}。"),
            ),
        };
        self.choose(
            format!("{players} Type a move such as h2e2, or 'help'."),
            format!("{players}输入着法（如“炮二平五”或 h2e2），或输入“帮助”。"),
        )
    }

    /// Returns the number of the move, the side to move, and whether it is in check.
    pub(super) fn turn(self, number: u32, side: Color, in_check: bool) -> String {
        let side = self.side(side);
        let check = if in_check { self.choose(", in check", "，被将军") } else { "" };
        self.choose(
            format!("Move {number}, {side} to move{check}"),
            format!("第 {number} 回合，轮到{side}{check}"),
        )
    }

    pub(super) fn engine_move(self, name: &str, text: &str) -> String {
        self.choose(format!("{name} plays {text}."), format!("{name}走{text}。"))
    }

    pub(super) fn best_line(self, line: &str) -> String {
        self.choose(format!("Full strength plays {line}."), format!("最强引擎走：{line}。"))
    }

    pub(super) fn level(self, level: u32, elo: Option<i64>) -> String {
        match elo {
            None => {
                self.choose("The engine plays at full strength.", "引擎以最强水平走棋。").to_owned()
            }
            Some(elo) => self.choose(
                format!("The engine plays at level {level} of {FULL_LEVEL} (Elo {elo})."),
                format!("引擎的级别是 {level}，最高 {FULL_LEVEL}（等级分 {elo}）。"),
            ),
        }
    }

    pub(super) fn no_level(self, text: &str, error: String) -> String {
        self.choose(error, format!("“{text}”不是级别；请输入 0（初学）到 20，或“最强”"))
    }

    pub(super) fn no_count(self, name: &str, text: &str) -> String {
        self.choose(
            format!("'{text}' is not a number of moves; type '{name}' or '{name} 2'"),
            format!("“{text}”不是步数；请输入“{name}”或“{name} 2”"),
        )
    }

    pub(super) fn no_file(self, name: &str) -> String {
        self.choose(
            format!("The game has no file yet; type '{name} FILE', such as '{name} game.pgn'"),
            format!("本局还没有文件；请输入“{name} 文件名”，例如“{name} game.pgn”"),
        )
    }

    pub(super) fn saved(self, file: &str) -> String {
        self.choose(format!("Saved to {file}."), format!("已保存到 {file}。"))
    }

    pub(super) fn not_saved(self, error: &anyhow::Error) -> String {
        self.choose(format!("Not saved: {error:#}"), format!("未保存：{error:#}"))
    }

    pub(super) fn farewell(self, command: &str) -> String {
        self.choose(
            format!("The game is not saved. To continue it:\n  {command}"),
            format!("本局尚未保存。要继续本局，请输入：\n  {command}"),
        )
    }

    /// Says why a text is neither a command nor a legal move.
    pub(super) fn unreadable(self, error: &NotationError) -> String {
        let chinese = match error {
            NotationError::Ambiguous { text, moves } => {
                format!("“{text}”可以是 {}；请输入起止坐标", moves.join("、"))
            }
            NotationError::Syntax(text) => format!("“{text}”不是命令，也不是着法"),
            NotationError::Coordinates { text, .. } | NotationError::NoMove { text, .. } => {
                format!("“{text}”此时不合法")
            }
            error => error.to_string(),
        };
        self.choose(
            format!("{error}; 'help' lists the commands"),
            format!("{chinese}；输入“帮助”查看命令"),
        )
    }

    /// Describes the end of the game, with the judge's reasons if a repetition ended it.
    pub(super) fn end(self, game: &PlayedGame, end: Outcome, notation: Notation) -> Vec<String> {
        let reason = self.reason(game, end);
        let mut lines = vec![match end.winner.map(|winner| self.side(winner)) {
            Some(winner) => {
                self.choose(format!("{winner} wins: {reason}."), format!("{winner}胜：{reason}。"))
            }
            None => self.choose(format!("Draw: {reason}."), format!("和棋：{reason}。")),
        }];
        if !matches!(end.reason, EndByRules::Repetition { .. }) {
            return lines;
        }
        if let Some(found) = explain(game.position(), game.regulations().rules) {
            let [why, rule] = self.choose(["  Why:  ", "  Rule: "], ["  理由：", "  条款："]);
            lines.push(format!("{why}{}", self.0.conduct(&found, notation)));
            let rules = found.reasons.iter().map(|reason| self.0.reason(reason, found.rules));
            lines.extend(rules.map(|text| format!("{rule}{text}")));
        }
        lines
    }

    fn reason(self, game: &PlayedGame, end: Outcome) -> String {
        let loser = end.winner.map(|winner| self.side(!winner)).unwrap_or_default();
        let times = game.regulations().occurrences;
        match end.reason {
            EndByRules::Checkmate => {
                self.choose(format!("{loser} is checkmated"), format!("{loser}被将死"))
            }
            EndByRules::Stalemate => self.choose(
                format!("{loser} has no legal move, which loses"),
                format!("{loser}无着可走（困毙），判负"),
            ),
            EndByRules::Repetition { loser: blamed, red, black, .. } => {
                let conduct = match blamed {
                    Some(side) => {
                        let level = self.0.level(if side == Color::Red { red } else { black });
                        self.choose(
                            format!(", and {loser} is to blame ({level})"),
                            format!("，责任在{loser}（{level}）"),
                        )
                    }
                    None => self.levels(red, black),
                };
                self.choose(
                    format!("the position has occurred {times} times{conduct}"),
                    format!("局面已出现 {times} 次{conduct}"),
                )
            }
            EndByRules::NaturalLimit => {
                let moves = game.regulations().natural_limit / 2;
                self.choose(
                    format!("{moves} moves of each side without a capture"),
                    format!("双方各走 {moves} 着而没有吃子"),
                )
            }
            EndByRules::DeadMaterial => self
                .choose("neither side has a piece left that can win", "双方都没有能取胜的子力")
                .to_owned(),
            other => other.to_string(),
        }
    }

    /// Describes the conduct of both sides.
    fn levels(self, red: Level, black: Level) -> String {
        if (red, black) == (Level::Idle, Level::Idle) {
            return self.choose("; neither side offends", "，双方都没有犯规").to_owned();
        }
        let (red, black) = (self.0.level(red), self.0.level(black));
        self.choose(
            format!(" (Red: {red}, Black: {black})"),
            format!("（红方：{red}，黑方：{black}）"),
        )
    }

    /// Warns if the position has occurred before: what its next occurrence will mean.
    pub(super) fn repetition(self, game: &PlayedGame) -> Option<String> {
        let found = game.repetition()?;
        let (times, ruling, last) = (found.times, found.ruling, game.regulations().occurrences);
        let when = if times + 1 >= last {
            self.choose("the next time".to_owned(), "下一次".to_owned())
        } else {
            self.choose(format!("at {last} times"), format!("满 {last} 次时"))
        };
        let consequence = match ruling.loser {
            Some(loser) => {
                let (side, level) = (self.side(loser), self.0.level(ruling.level(loser)));
                self.choose(
                    format!("{side} gives {level} and loses {when}."),
                    format!("{side}{level}，{when}判{side}负。"),
                )
            }
            None => {
                let levels = self.levels(ruling.red, ruling.black);
                self.choose(
                    format!("The game is a draw {when}{levels}."),
                    format!("{when}判和{levels}。"),
                )
            }
        };
        Some(self.choose(
            format!("This position has occurred {times} times. {consequence}"),
            format!("此局面已出现 {times} 次：{consequence}"),
        ))
    }
}

pub(super) const ENGLISH_HELP: &str = "\
Type a move in any notation: h2e2, H2-E2, C2=5, 炮二平五, Che2. Or a command:
  undo [N]      take back your last move, or N of them, and the replies
  hint          the move and the expected line of full strength
  level [0-20]  show or set the level of the engine; 20 or 'full' is full strength
  board         draw the board
  save [FILE]   write the game as PGN, or as the name shows (.xqf, .cbr, .cbf, .ubb)
  help, quit    帮助 lists the commands in Chinese";

pub(super) const CHINESE_HELP: &str = "\
直接输入着法：炮二平五、h2e2、H2-E2、C2=5、Che2；或输入命令：
  悔棋 [N]          收回你的上一步（或 N 步）及引擎的应着
  提示              显示最强引擎的着法和预计的变化
  级别 [0-20|最强]  显示或设定引擎的级别
  棋盘              显示棋盘
  保存 [文件名]     保存棋谱：PGN，或按扩展名（.xqf .cbr .cbf .ubb）
  帮助, 退出        help 显示英文说明";
