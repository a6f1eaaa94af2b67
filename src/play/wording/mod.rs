//! The sentences of a terminal game, in English and Chinese.

mod answers;
mod ends;
mod files;
mod help;

use xiangqi::geometry::Color;
use xiangqi::notation::NotationError;
use xiangqi::rules::explanation::Language;

use super::level::FULL_LEVEL;
use super::request::BadRequest;
use super::side_choice::SideChoice;

pub(super) use help::help;

/// Writes the sentences in one language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Words(pub(super) Language);

impl Words {
    /// Returns the text in this language.
    fn choose<T>(self, english: T, chinese: T) -> T {
        match self.0 {
            Language::Chinese => chinese,
            _ => english,
        }
    }

    /// Names a side.
    pub(super) fn side(self, side: Color) -> &'static str {
        match (self.0, side) {
            (Language::Chinese, side) => Language::Chinese.side(side),
            (_, Color::Red) => "Red",
            (_, Color::Black) => "Black",
        }
    }

    /// Returns the name of the engine at a level.
    pub(super) fn opponent(self, level: u32) -> String {
        match (self.0, level) {
            (_, FULL_LEVEL) => "Cannonade".to_owned(),
            (Language::Chinese, level) => format!("Cannonade（{level} 级）"),
            (_, level) => format!("Cannonade level {level}"),
        }
    }

    /// Says who plays, and what to type.
    pub(super) fn greeting(self, side: SideChoice, level: u32) -> String {
        let opponent = self.opponent(level);
        match (self.0, side.color()) {
            (Language::Chinese, own) => {
                let players = own.map_or("你执双方。".to_owned(), |side| {
                    format!("你执{}，对手是 {opponent}。", self.side(side))
                });
                format!("{players}输入着法（如“炮二平五”或 h2e2），或输入“帮助”。")
            }
            (_, own) => {
                let players = own.map_or("You play both sides.".to_owned(), |side| {
                    format!("You play {} against {opponent}.", self.side(side))
                });
                format!("{players} Type a move such as h2e2, or 'help'.")
            }
        }
    }

    /// Returns the side to move, whether it is in check, and both clocks.
    pub(super) fn turn(
        self,
        number: u32,
        side: Color,
        is_check: bool,
        clocks: Option<[String; 2]>,
    ) -> String {
        let name = self.side(side);
        let mut text = match self.0 {
            Language::Chinese => format!("第 {number} 回合，轮到{name}"),
            _ => format!("Move {number}, {name} to move"),
        };
        if is_check {
            text += self.choose(", in check", "，被将军");
        }
        if let Some([red, black]) = clocks {
            text += &match self.0 {
                Language::Chinese => format!("   [红方 {red}，黑方 {black}]"),
                _ => format!("   [Red {red}, Black {black}]"),
            };
        }
        text
    }

    /// Says that a text is no legal move.
    pub(super) fn unreadable(self, error: &NotationError) -> String {
        match (self.0, error) {
            (Language::Chinese, NotationError::Ambiguous { text, moves }) => {
                format!("“{text}”可以是 {}；请输入起止坐标", moves.join("、"))
            }
            (Language::Chinese, NotationError::Syntax(text)) => {
                format!("“{text}”不是命令，也不是着法；输入“帮助”查看命令")
            }
            (Language::Chinese, error) => {
                format!("{}；输入“帮助”查看命令", in_chinese(error))
            }
            (_, error) => format!("{error}; 'help' lists the commands"),
        }
    }

    /// Says what a command lacks.
    pub(super) fn bad_request(self, error: &BadRequest) -> String {
        match (self.0, error) {
            (Language::Chinese, BadRequest::Count { what, text }) => {
                format!("“{text}”不是步数；请输入“{what}”或“{what} 2”")
            }
            (Language::Chinese, BadRequest::File { what }) => {
                format!("请输入“{what} 文件名”，例如“{what} game.pgn”")
            }
            (_, BadRequest::Count { what, text }) => {
                format!("'{text}' is not a number of moves; type '{what}' or '{what} 2'")
            }
            (_, BadRequest::File { what }) => {
                format!("type '{what} FILE', such as '{what} game.pgn'")
            }
        }
    }
}

/// Says in Chinese why a text is no legal move.
fn in_chinese(error: &NotationError) -> String {
    match error {
        NotationError::Ambiguous { text, moves } => {
            format!("“{text}”可以是 {}", moves.join("、"))
        }
        NotationError::Syntax(text) => format!("“{text}”不是着法"),
        NotationError::Coordinates { text, .. } | NotationError::NoMove { text, .. } => {
            format!("“{text}”此时不合法")
        }
        error => error.to_string(),
    }
}
