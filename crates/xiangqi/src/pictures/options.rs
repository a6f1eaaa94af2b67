//! Choices for a picture: pieces, coordinates, theme.

use thiserror::Error;

use crate::notation::Notation;
use crate::text_form::text_by_name;

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

impl ParseOptionError {
    /// Returns the error for a text that is none of these names of a choice.
    pub(super) fn new<const N: usize>(
        what: &'static str,
        text: String,
        names: [&str; N],
    ) -> ParseOptionError {
        ParseOptionError { what, text, expected: names.join(", ") }
    }
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

text_by_name!(PieceSet, PieceSet::ALL, ParseOptionError as |text| {
    ParseOptionError::new("set of pieces", text, PieceSet::ALL.map(PieceSet::name))
});
text_by_name!(CoordinateStyle, CoordinateStyle::ALL, ParseOptionError as |text| {
    ParseOptionError::new("style of coordinates", text, CoordinateStyle::ALL.map(CoordinateStyle::name))
});
text_by_name!(Theme, Theme::ALL, ParseOptionError as |text| {
    ParseOptionError::new("theme", text, Theme::ALL.map(Theme::name))
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_read_by_its_name_and_an_error_lists_all() {
        assert_eq!("LATIN".parse(), Ok(PieceSet::Latin));
        assert_eq!(format!("{:>6}|", Theme::Jade), "  jade|");
        let error = "wood".parse::<Theme>().expect_err("no theme").to_string();
        assert_eq!(error, "'wood' is not a valid theme; expected light, dark, paper, jade");
    }
}
