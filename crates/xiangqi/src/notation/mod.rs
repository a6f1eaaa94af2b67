//! Moves as text, in every notation that xiangqi players and programs use.
//!
//! | notation | the same move | used by |
//! |---|---|---|
//! | ICCS | `H2-E2` | game files, web servers |
//! | UCI | `h2e2` | engines and interfaces, ranks 0 to 9 |
//! | UCI, ranks 1 to 10 | `h3e3` | Fairy-Stockfish, liground |
//! | WXF | `C2=5` | players who do not read Chinese |
//! | Chinese | `炮二平五` | players, books |
//! | Chinese, traditional | `炮二平五`, `馬８進７` | the same in traditional characters |
//! | algebraic | `Che2` | XBoard |
//!
//! [`write()`] writes a legal move; [`read`] takes any of these texts without knowing which
//! notation it is and returns the one legal move that it describes; [`read_moves`] reads a list.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod algebraic;
mod chinese;
mod coordinates;
mod reader;
mod relative;
mod words;
mod wxf;

use thiserror::Error;

use crate::board::{Move, Position};
use crate::geometry::Square;

pub use coordinates::{ParseRanksError, Ranks};
#[cfg(feature = "records")]
pub(crate) use reader::has_move_form;
pub use reader::{MoveListError, NotationError, ranks_of, read, read_moves, read_with};
pub(crate) use relative::RelativeMan;
#[cfg(feature = "records")]
pub(crate) use words::{WordPart, number_value, word_parts};
pub use words::{moves_of_word, without_number};

/// A way to write moves.
///
/// ```
/// use xiangqi::{Notation, Position, notation};
///
/// let start = Position::startpos();
/// let mv = notation::read(&start, "H2+3")?; // any notation
/// let texts = Notation::ALL.map(|notation| notation::write(&start, mv, notation));
/// assert_eq!(texts, ["H0-G2", "h0g2", "h1g3", "H2+3", "马二进三", "馬二進三", "Hg2"]);
/// # Ok::<(), xiangqi::notation::NotationError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Notation {
    /// `H2-E2`: the squares in capitals with a hyphen, ranks 0 to 9.
    Iccs,
    /// `h2e2`: the squares as UCI and UCCI engines write them, ranks 0 to 9.
    #[default]
    Uci,
    /// `h3e3`: as [`Notation::Uci`] with ranks 1 to 10.
    UciFromOne,
    /// `C2=5`: letter, file, direction and target, counted from the mover's right.
    Wxf,
    /// `炮二平五` in simplified characters; Black's digits are full-width (`马８进７`).
    Chinese,
    /// `炮二平五` in traditional characters (`馬８進７`).
    Traditional,
    /// `Che2`: as XBoard writes moves, ranks 0 to 9.
    Algebraic,
}

impl Notation {
    /// All notations.
    pub const ALL: [Notation; 7] = [
        Notation::Iccs,
        Notation::Uci,
        Notation::UciFromOne,
        Notation::Wxf,
        Notation::Chinese,
        Notation::Traditional,
        Notation::Algebraic,
    ];

    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::Iccs => "iccs",
            Notation::Uci => "uci",
            Notation::UciFromOne => "uci10",
            Notation::Wxf => "wxf",
            Notation::Chinese => "chinese",
            Notation::Traditional => "traditional",
            Notation::Algebraic => "algebraic",
        }
    }

    /// Names a man as its moves begin, `C2` or `炮二`; `None` for notations that name squares.
    pub(crate) fn man(self, man: RelativeMan) -> Option<String> {
        match self {
            Notation::Wxf => Some(wxf::man(man)),
            Notation::Chinese => Some(chinese::man(man, chinese::Script::Simplified)),
            Notation::Traditional => Some(chinese::man(man, chinese::Script::Traditional)),
            Notation::Iccs | Notation::Uci | Notation::UciFromOne | Notation::Algebraic => None,
        }
    }

    /// Writes a square with the ranks of the notation.
    pub(crate) fn square(self, square: Square) -> String {
        match self {
            Notation::UciFromOne => Ranks::FromOne.square(square),
            _ => Ranks::FromZero.square(square),
        }
    }
}

crate::text_form::serde_as_text!(Notation);

/// Error of reading the name of a notation.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "'{0}' is not a notation; expected iccs, uci, uci10, wxf, chinese, traditional or algebraic"
)]
pub struct ParseNotationError(pub String);

crate::text_form::text_by_name!(Notation, Notation::ALL, ParseNotationError);

/// Returns the text of a legal move of this position. A move whose origin is empty, which is never
/// legal, is written in UCI coordinates.
///
/// ```
/// use xiangqi::{Notation, Position, notation};
///
/// let position = Position::startpos();
/// let mv = position.parse_move("h2e2")?;
/// assert_eq!(notation::write(&position, mv, Notation::Chinese), "炮二平五");
/// assert_eq!(notation::write(&position, mv, Notation::Algebraic), "Che2");
/// # Ok::<(), xiangqi::MoveError>(())
/// ```
pub fn write(position: &Position, mv: Move, notation: Notation) -> String {
    let text = match notation {
        Notation::Iccs => Some(coordinates::iccs(mv)),
        Notation::Uci => Some(mv.to_string()),
        Notation::UciFromOne => Some(Ranks::FromOne.write(mv)),
        Notation::Wxf => wxf::write(position, mv),
        Notation::Chinese => chinese::write(position, mv, chinese::Script::Simplified),
        Notation::Traditional => chinese::write(position, mv, chinese::Script::Traditional),
        Notation::Algebraic => algebraic::write(position, mv),
    };
    text.unwrap_or_else(|| mv.to_string())
}

/// Returns the texts of a line of legal moves from this position. The line ends before the first
/// move that is not legal.
///
/// ```
/// use xiangqi::{Notation, Position, notation};
///
/// let start = Position::startpos();
/// let moves = notation::read_moves(&start, &["h2e2", "h9g7"])?;
/// assert_eq!(notation::write_line(&start, &moves, Notation::Wxf), ["C2=5", "H8+7"]);
/// # Ok::<(), xiangqi::notation::MoveListError>(())
/// ```
pub fn write_line(position: &Position, moves: &[Move], notation: Notation) -> Vec<String> {
    let mut position = position.clone();
    let mut texts = Vec::with_capacity(moves.len());
    for &mv in moves {
        if position.check_move(mv).is_err() {
            break;
        }
        texts.push(write(&position, mv, notation));
        position.play_unchecked(mv);
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_man_is_named_as_its_moves_begin() {
        let pawns = "3k5/9/9/4P4/4P4/4P4/9/9/9/4K4 w";
        for (fen, square, wxf, chinese) in [
            (crate::board::START_FEN, "h7", "C8", "炮８"),
            (crate::board::START_FEN, "h0", "H2", "马二"),
            ("3k5/9/9/R8/9/R8/9/9/9/4K4 w", "a6", "R+", "前车"),
            ("3k5/9/9/R8/9/R8/9/9/9/4K4 w", "a4", "R-", "后车"),
            (pawns, "e6", "P15", "前兵"),
            (pawns, "e5", "P25", "中兵"),
            (pawns, "e4", "P35", "后兵"),
        ] {
            let position = Position::from_fen(fen).expect("a position");
            let square = square.parse().expect("a square");
            let man = RelativeMan::on(position.board(), square).expect("a man");
            assert_eq!(Notation::Wxf.man(man).as_deref(), Some(wxf), "{fen}");
            assert_eq!(Notation::Chinese.man(man).as_deref(), Some(chinese), "{fen}");
            assert_eq!(Notation::Uci.man(man), None);
        }
    }
}
