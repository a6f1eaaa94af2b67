//! Choices for a picture: pieces, coordinates, theme.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::notation::Notation;
use crate::text_form::excerpt;

/// The signs on the discs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum PieceSet {
    /// Traditional characters, `俥` and `車`.
    #[default]
    Chinese,
    /// Simplified characters, `车`.
    Simplified,
    /// Traditional characters on discs of the sides' colours.
    Filled,
    /// Traditional characters with the letters of [`Latin`](PieceSet::Latin) under them.
    Lettered,
    /// Letters: K A E H R C P.
    Latin,
    /// Small drawings: crown, hat, elephant, horse, tower, cannon, soldier.
    Symbols,
}

/// The names at the edges of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum CoordinateStyle {
    /// Files a to i, ranks 0 to 9.
    #[default]
    FromZero,
    /// Files a to i, ranks 1 to 10.
    FromOne,
    /// The files as each side counts them, Red's 9 to 1, Black's 1 to 9: those of WXF notation.
    Files,
    /// As [`Files`](CoordinateStyle::Files), Red's as 九 to 一: those of Chinese notation.
    Chinese,
    /// None.
    None,
}

/// The colours of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Theme {
    /// Light wood.
    #[default]
    Light,
    /// Dark wood, for dark pages.
    Dark,
    /// White and grey, for print.
    Paper,
    /// Green.
    Jade,
}

/// Error of reading a choice.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{text}' is not a valid {what}; expected {expected}")]
pub struct ParseOptionError {
    what: &'static str,
    text: String,
    expected: String,
}

/// Finds the choice whose name is `text`, in any case.
pub(super) fn parse<T: Copy + fmt::Display>(
    what: &'static str,
    text: &str,
    all: &[T],
) -> Result<T, ParseOptionError> {
    let found = (all.iter().copied()).find(|choice| choice.to_string().eq_ignore_ascii_case(text));
    found.ok_or_else(|| ParseOptionError {
        what,
        text: excerpt(text),
        expected: all.iter().map(T::to_string).collect::<Vec<_>>().join(", "),
    })
}

impl PieceSet {
    /// All sets.
    pub const ALL: [PieceSet; 6] = [
        PieceSet::Chinese,
        PieceSet::Simplified,
        PieceSet::Filled,
        PieceSet::Lettered,
        PieceSet::Latin,
        PieceSet::Symbols,
    ];

    /// Returns the name in flags and style sheets.
    pub const fn name(self) -> &'static str {
        match self {
            PieceSet::Chinese => "chinese",
            PieceSet::Simplified => "simplified",
            PieceSet::Filled => "filled",
            PieceSet::Lettered => "lettered",
            PieceSet::Latin => "latin",
            PieceSet::Symbols => "symbols",
        }
    }
}

impl CoordinateStyle {
    /// All styles.
    pub const ALL: [CoordinateStyle; 5] = [
        CoordinateStyle::FromZero,
        CoordinateStyle::FromOne,
        CoordinateStyle::Files,
        CoordinateStyle::Chinese,
        CoordinateStyle::None,
    ];

    /// Returns the name in flags and style sheets.
    pub const fn name(self) -> &'static str {
        match self {
            CoordinateStyle::FromZero => "0-9",
            CoordinateStyle::FromOne => "1-10",
            CoordinateStyle::Files => "files",
            CoordinateStyle::Chinese => "chinese",
            CoordinateStyle::None => "none",
        }
    }
}

impl From<Notation> for CoordinateStyle {
    /// Returns the names by which the notation counts.
    fn from(notation: Notation) -> CoordinateStyle {
        match notation {
            Notation::Iccs | Notation::Uci | Notation::Algebraic => CoordinateStyle::FromZero,
            Notation::UciFromOne => CoordinateStyle::FromOne,
            Notation::Wxf => CoordinateStyle::Files,
            Notation::Chinese | Notation::Traditional => CoordinateStyle::Chinese,
        }
    }
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 4] = [Theme::Light, Theme::Dark, Theme::Paper, Theme::Jade];

    /// Returns the name in flags and style sheets.
    pub const fn name(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
            Theme::Paper => "paper",
            Theme::Jade => "jade",
        }
    }
}

/// Implements `Display` and `FromStr` for choices with a `name` and a list `ALL`.
macro_rules! text_of_choice {
    ($($choice:ty: $what:literal),*) => {$(
        impl fmt::Display for $choice {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl FromStr for $choice {
            type Err = ParseOptionError;

            /// Reads a name, in any case.
            fn from_str(text: &str) -> Result<Self, ParseOptionError> {
                $crate::pictures::options::parse($what, text, &Self::ALL)
            }
        }
    )*};
}

pub(super) use text_of_choice;

text_of_choice!(PieceSet: "set of pieces", CoordinateStyle: "style of coordinates", Theme: "theme");
