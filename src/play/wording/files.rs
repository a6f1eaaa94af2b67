//! Sentences about files that are saved and loaded.

use std::io;
use std::path::Path;

use xiangqi::board::{Defect, FenError};
use xiangqi::geometry::{Color, Piece};
use xiangqi::records::{Problem, RecordError, TextEncoding};
use xiangqi::rules::explanation::Language;

use super::{Words, in_chinese};

impl Words {
    pub(in crate::play) fn file_exists(self, file: &str) -> String {
        self.choose(
            format!(
                "Not saved: {file} exists; type 'save {file}' again to replace it, or choose \
                 another name."
            ),
            format!("未保存：{file} 已存在；再次输入“保存 {file}”即覆盖，或换一个文件名。"),
        )
    }

    pub(in crate::play) fn saved(self, file: &str) -> String {
        self.choose(format!("Saved to {file}."), format!("已保存到 {file}。"))
    }

    pub(in crate::play) fn not_saved(self, error: &anyhow::Error) -> String {
        match self.0 {
            Language::Chinese => {
                let reason = system_error(error)
                    .unwrap_or_else(|| "这种文件不能保存本局，请换一个扩展名，如 .pgn".to_owned());
                format!("未保存：{reason}")
            }
            _ => format!("Not saved: {error:#}"),
        }
    }

    pub(in crate::play) fn not_loaded(self, error: &anyhow::Error) -> String {
        match self.0 {
            Language::Chinese => {
                let problem = error.downcast_ref::<Problem>().map(defect_in_chinese);
                let reason = problem.or_else(|| system_error(error));
                let no_game = || "文件中没有可以读取的棋局".to_owned();
                format!("未读取：{}", reason.unwrap_or_else(no_game))
            }
            _ => format!("Not loaded: {error:#}"),
        }
    }

    pub(in crate::play) fn no_stream(self) -> &'static str {
        self.choose(
            "'-' is not a file here; give a file name.",
            "“-”在这里不是文件；请给出文件名。",
        )
    }

    pub(in crate::play) fn first_of_several(self, file: &Path, count: usize) -> String {
        let file = file.display();
        self.choose(
            format!("{file} holds {count} games; this is the first one."),
            format!("{file} 中有 {count} 局棋；这是第一局。"),
        )
    }

    pub(in crate::play) fn other_encoding(self, file: &Path, encoding: TextEncoding) -> String {
        let (file, encoding) = (file.display(), encoding.name().to_uppercase());
        self.choose(
            format!("{file} is {encoding}; 'save' writes UTF-8."),
            format!("{file} 的编码是 {encoding}；“保存”时写成 UTF-8。"),
        )
    }

    /// Names a defect of a file that is loaded nevertheless.
    pub(in crate::play) fn defect(self, file: &Path, problem: &Problem) -> String {
        let file = file.display();
        self.choose(format!("{file}: {problem}"), format!("{file}：{}", defect_in_chinese(problem)))
    }
}

/// Names the defect of a file and its place.
fn defect_in_chinese(problem: &Problem) -> String {
    let Problem { game, line, defect, .. } = problem;
    let line = line.map(|line| format!("第 {line} 行")).unwrap_or_default();
    format!("第 {game} 局{line}：{}", error_in_chinese(defect))
}

fn error_in_chinese(error: &RecordError) -> String {
    let name = |side: Color| Language::Chinese.side(side);
    match error {
        RecordError::Move { number, side, reason, .. } => {
            format!("第 {number} 回合（{}），{}", name(*side), in_chinese(reason))
        }
        RecordError::Squares { number, side, .. } => {
            format!("第 {number} 回合（{}），着法不合法", name(*side))
        }
        RecordError::InVariation(inner) => format!("变着中，{}", error_in_chinese(inner)),
        RecordError::Encoding { encoding, count } => format!(
            "有 {count} 处不是 {encoding} 的字节，读作“\u{fffd}”；如姓名或着法有误，请先把文件存为 UTF-8"
        ),
        RecordError::Start(defect) | RecordError::Fen(FenError::Defect(defect)) => {
            format!("开始局面不成立：{}", position_defect_in_chinese(defect))
        }
        RecordError::Fen(error) => format!("开始局面不是 FEN（{error}）"),
        RecordError::OffBoard { number, text } => {
            format!("第 {number} 回合，坐标“{text}”不在棋盘上")
        }
        RecordError::Parenthesis(character) => format!("括号“{character}”不属于任何变着"),
        RecordError::Setup => "SETUP{ } 中的开始局面不能读取；可用一行 FEN".to_owned(),
        RecordError::NotClosed(_) => "注解、变着或着法没有结束".to_owned(),
        RecordError::Truncated(_) => "文件不完整".to_owned(),
        RecordError::Version(_) => "文件的版本不能读取".to_owned(),
        RecordError::Xml(error) => format!("文件的 XML 不能读取（{error}）"),
        RecordError::NotPosition => {
            "这一行不是“position startpos moves ...”或“position fen ...”".to_owned()
        }
        RecordError::NoParent { name } => format!("变着 {name} 不属于本局的任何一着"),
        RecordError::CommentOfNoMove { name } => format!("注解 {name} 不属于本局的任何一着"),
        error => error.to_string(),
    }
}

fn position_defect_in_chinese(defect: &Defect) -> String {
    let language = Language::Chinese;
    let name = |piece: Piece| [language.side(piece.color()), language.piece(piece)].concat();
    match *defect {
        Defect::NoKing(side) => format!("{}没有将（帅）", language.side(side)),
        Defect::TooMany { piece, count } => {
            let most = piece.kind().most();
            format!("棋盘上有 {count} 个{}，最多 {most} 个", name(piece))
        }
        Defect::Misplaced { piece, sq } => format!("{}不能放在 {sq}", name(piece)),
        Defect::FacingKings(file) => {
            format!("将帅在 {} 线上照面", char::from(b'a'.saturating_add(file)))
        }
        Defect::OpponentInCheck(side) => {
            format!("{}正被将军，却轮到对方走棋", language.side(side))
        }
        ref defect => defect.to_string(),
    }
}

/// Returns the reason of the system in Chinese; `None` if it is another one.
fn system_error(error: &anyhow::Error) -> Option<String> {
    let error = error.chain().find_map(|cause| cause.downcast_ref::<io::Error>())?;
    Some(match error.kind() {
        io::ErrorKind::NotFound => "没有这个文件或文件夹".to_owned(),
        io::ErrorKind::PermissionDenied => "没有权限".to_owned(),
        io::ErrorKind::IsADirectory => "这是文件夹".to_owned(),
        _ => error.to_string(),
    })
}
