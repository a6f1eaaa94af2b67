//! Pictures of the board: SVG, PNG and text from one model, [`BoardPicture`], and the parts that
//! pages need for a board that is played on: a sheet of symbols, styles and a script.
//!
//! One unit is a hundredth of the distance between two neighbouring points. The point `a9` is the
//! origin, so `e0` is at (400, 900). Characters are outlines (`assets/glyphs.txt`), which makes
//! pictures look alike on every machine, with or without Chinese fonts.
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)
)]

mod annotations;
mod arrows;
mod colors;
mod coordinates;
mod courses;
mod description;
mod discs;
mod glyphs;
mod grid;
mod icons;
mod options;
mod picture;
#[cfg(feature = "png")]
mod png;
mod sheet;
mod svg;
mod text;

pub use annotations::{Arrow, ArrowKind, Mark, MarkKind, ParseAnnotationError};
pub use options::{CoordinateStyle, ParseOptionError, PieceSet, Theme};
pub use picture::BoardPicture;
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use sheet::{SheetParts, remaining_sheet, symbol_sheet, theme_styles};
pub use svg::svg;
pub use text::{TextLayout, TextPart, TextStyle, painted_text, text};

/// The board for pages, a script without dependencies that defines the class `XiangqiBoard`.
///
/// The page must hold a [`symbol_sheet`], [`theme_styles`] and [`BOARD_STYLES`].
pub const BOARD_SCRIPT: &str = include_str!("assets/board.js");

/// The CSS of [`BOARD_SCRIPT`].
pub const BOARD_STYLES: &str = include_str!("assets/board.css");
