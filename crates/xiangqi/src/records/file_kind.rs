//! The kinds of game files by name.

use std::ffi::OsStr;
use std::path::Path;

use thiserror::Error;

/// The kinds of game files.
///
/// ```
/// use std::path::Path;
/// use xiangqi::records::FileKind;
///
/// assert_eq!(FileKind::of_path(Path::new("games.xqf"))?, Some(FileKind::Xqf));
/// assert_eq!(FileKind::Cbr.extension(), "cbr");
/// # Ok::<(), xiangqi::records::ParseFileKindError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FileKind {
    /// Portable Game Notation.
    Pgn,
    /// The text format of dpxq.com.
    DhtmlXq,
    /// Xiangqi Wizard's binary format.
    Xqf,
    /// A CCBridge record.
    Cbr,
    /// A CCBridge library.
    Cbl,
    /// A CCBridge record in XML.
    Cbf,
    /// The text format of the World Federation, with moves between `START{` and `}END`.
    Wxf,
    /// A game per line: result and moves.
    List,
    /// A game per line, as the command `position` of UCI and UCCI gives it.
    Position,
    /// A position per line, as FEN or EPD.
    Fen,
}

/// A name that is not one of [`FileKind::WRITTEN`].
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "'{0}' is not a kind of file that can be written; expected pgn, dhtmlxq, xqf, cbr, cbf, list, \
     position or fen"
)]
pub struct ParseFileKindError(pub String);

impl FileKind {
    /// The kinds that can be written. A CCBridge library can only be read: the content of its index
    /// is not known. [`FileKind::Wxf`] can only be read, too: PGN holds more.
    pub const WRITTEN: [FileKind; 8] = [
        FileKind::Pgn,
        FileKind::DhtmlXq,
        FileKind::Xqf,
        FileKind::Cbr,
        FileKind::Cbf,
        FileKind::List,
        FileKind::Position,
        FileKind::Fen,
    ];

    /// The kinds that can only be read.
    const READ_ONLY: [FileKind; 2] = [FileKind::Cbl, FileKind::Wxf];

    /// Returns the name in lower case, as flags and addresses give it.
    pub const fn name(self) -> &'static str {
        match self {
            FileKind::Pgn => "pgn",
            FileKind::DhtmlXq => "dhtmlxq",
            FileKind::Xqf => "xqf",
            FileKind::Cbr => "cbr",
            FileKind::Cbl => "cbl",
            FileKind::Cbf => "cbf",
            FileKind::Wxf => "wxf",
            FileKind::List => "list",
            FileKind::Position => "position",
            FileKind::Fen => "fen",
        }
    }

    /// Returns the usual end of a file name, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            FileKind::DhtmlXq | FileKind::List | FileKind::Position => "txt",
            kind => kind.name(),
        }
    }

    /// Returns the kind of the file extension, if it names one; `ubb` is another name for DhtmlXQ.
    ///
    /// # Errors
    /// If the extension names a kind that cannot be written.
    pub fn of_path(path: &Path) -> Result<Option<FileKind>, ParseFileKindError> {
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        if extension.eq_ignore_ascii_case("ubb") {
            return Ok(Some(FileKind::DhtmlXq));
        }
        let is_extension = |kind: FileKind| extension.eq_ignore_ascii_case(kind.name());
        match extension.parse() {
            Err(error) if FileKind::READ_ONLY.into_iter().any(is_extension) => Err(error),
            kind => Ok(kind.ok()),
        }
    }

    /// Returns whether a file can hold several games.
    pub const fn holds_many(self) -> bool {
        !matches!(self, FileKind::Xqf | FileKind::Cbr | FileKind::Cbf)
    }

    /// Returns whether a file is text that people can copy.
    pub const fn is_text(self) -> bool {
        !matches!(self, FileKind::Xqf | FileKind::Cbr | FileKind::Cbl)
    }
}

crate::text_form::text_by_name!(FileKind, FileKind::WRITTEN, ParseFileKindError);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_file_shows_its_kind() {
        let kind = |name: &str| FileKind::of_path(Path::new(name));
        assert_eq!(kind("a/b.XQF"), Ok(Some(FileKind::Xqf)));
        assert_eq!(kind("game.ubb"), Ok(Some(FileKind::DhtmlXq)));
        assert_eq!(kind("game.pgn"), Ok(Some(FileKind::Pgn)));
        assert_eq!((kind("game.txt"), kind("game")), (Ok(None), Ok(None)));
        for read_only in ["CBL", "wxf"] {
            let error = ParseFileKindError(read_only.to_owned());
            assert_eq!(kind(&format!("a.{read_only}")), Err(error));
        }
    }

    #[test]
    fn every_written_kind_has_a_name_that_is_read() {
        for kind in FileKind::WRITTEN {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert!("exe".parse::<FileKind>().unwrap_err().to_string().contains(kind.name()));
        }
    }
}
