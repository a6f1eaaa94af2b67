//! Marked squares and arrows.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::board::Move;
use crate::geometry::{ParseSquareError, Square};
use crate::text_form::{excerpt, text_by_name};

use super::glyphs::{GlyphStyle, glyph};
use super::options::ParseOptionError;

/// A marked square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The square.
    pub square: Square,
    /// The form of the mark.
    pub kind: MarkKind,
    /// A text of at most three characters beside the mark, such as `??`. Characters that the
    /// pictures have no outline for are left out; digits, `a` to `i`, `?`, `!`, `+`, `-`, `#` and
    /// the Chinese numerals 一 to 九 have one.
    pub label: String,
}

/// The form of a mark on a square. The kinds differ in form, not only in colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum MarkKind {
    /// A ring.
    #[default]
    Plain,
    /// Two rings: a piece that chases.
    Chaser,
    /// A ring with four ticks, like a target: a piece that is chased.
    Victim,
    /// A square: a piece that protects.
    Protector,
    /// A dashed ring: a note, as people draw it.
    Note,
}

impl MarkKind {
    /// All kinds.
    pub const ALL: [MarkKind; 5] =
        [MarkKind::Plain, MarkKind::Chaser, MarkKind::Victim, MarkKind::Protector, MarkKind::Note];

    /// Returns the name in flags and style sheets.
    pub const fn name(self) -> &'static str {
        match self {
            MarkKind::Plain => "plain",
            MarkKind::Chaser => "chaser",
            MarkKind::Victim => "victim",
            MarkKind::Protector => "protector",
            MarkKind::Note => "note",
        }
    }
}

/// An arrow from a square to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// Its start and end.
    pub mv: Move,
    /// The form of the arrow.
    pub kind: ArrowKind,
    /// A text in its middle, as that of a [`Mark`].
    pub label: String,
}

/// The form of an arrow. The kinds differ in form, not only in colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum ArrowKind {
    /// The best move.
    #[default]
    Best,
    /// Another move; thinner.
    Other,
    /// An attack that is a chase; with two points.
    Chase,
    /// Protection; dashed.
    Protect,
    /// A note, as people draw it; with an open head.
    Note,
}

impl ArrowKind {
    /// All kinds.
    pub const ALL: [ArrowKind; 5] =
        [ArrowKind::Best, ArrowKind::Other, ArrowKind::Chase, ArrowKind::Protect, ArrowKind::Note];

    /// Returns the name in flags and style sheets.
    pub const fn name(self) -> &'static str {
        match self {
            ArrowKind::Best => "best",
            ArrowKind::Other => "other",
            ArrowKind::Chase => "chase",
            ArrowKind::Protect => "protect",
            ArrowKind::Note => "note",
        }
    }
}

text_by_name!(MarkKind, MarkKind::ALL, ParseOptionError as |text| {
    ParseOptionError::new("kind of mark", text, MarkKind::ALL.map(MarkKind::name))
});
text_by_name!(ArrowKind, ArrowKind::ALL, ParseOptionError as |text| {
    ParseOptionError::new("kind of arrow", text, ArrowKind::ALL.map(ArrowKind::name))
});

/// Error of reading a mark or an arrow.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseAnnotationError {
    /// Not a square.
    #[error(transparent)]
    Square(#[from] ParseSquareError),
    /// Not two different squares.
    #[error("'{0}' is not an arrow; expected two different squares such as 'h2e2'")]
    Arrow(String),
    /// Not a kind.
    #[error(transparent)]
    Kind(#[from] ParseOptionError),
    /// Not a label.
    #[error(
        "the label '{0}' cannot be drawn; expected at most {LONGEST_LABEL} of the characters 0 to 9, a to i, ?, !, +, -, # and 一 to 九"
    )]
    Label(String),
}

/// Characters of a label that are drawn.
pub(super) const LONGEST_LABEL: usize = 3;

/// Reads a label that can be drawn whole.
fn label(text: &str) -> Result<String, ParseAnnotationError> {
    let is_drawn = |character| glyph(GlyphStyle::Sans, character).is_some();
    if text.chars().count() <= LONGEST_LABEL && text.chars().all(is_drawn) {
        Ok(text.to_owned())
    } else {
        Err(ParseAnnotationError::Label(excerpt(text)))
    }
}

/// Takes `e4:victim:?!` apart: squares, kind, label.
fn parts(text: &str) -> (&str, Option<&str>, &str) {
    let mut parts = text.splitn(3, ':');
    let squares = parts.next().unwrap_or_default();
    let kind = parts.next().filter(|kind| !kind.is_empty());
    (squares, kind, parts.next().unwrap_or_default())
}

/// Writes what [`parts`] takes apart, without the parts that are as by default.
fn write_parts(
    f: &mut fmt::Formatter<'_>,
    squares: &dyn fmt::Display,
    kind: Option<&str>,
    label: &str,
) -> fmt::Result {
    write!(f, "{squares}")?;
    match (kind, label) {
        (None, "") => Ok(()),
        (Some(kind), "") => write!(f, ":{kind}"),
        (kind, label) => write!(f, ":{}:{label}", kind.unwrap_or_default()),
    }
}

/// As it is read: `e4`, `e4:victim` or `e4:victim:??`.
impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = (self.kind != MarkKind::default()).then(|| self.kind.name());
        write_parts(f, &self.square, kind, &self.label)
    }
}

/// As it is read: `h2e2`, `h2e2:chase` or `h2e2:chase:1`.
impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = (self.kind != ArrowKind::default()).then(|| self.kind.name());
        write_parts(f, &self.mv, kind, &self.label)
    }
}

impl FromStr for Mark {
    type Err = ParseAnnotationError;

    /// Reads `e4`, `e4:victim` or `e4:victim:??`.
    fn from_str(text: &str) -> Result<Mark, ParseAnnotationError> {
        let (square, kind, text) = parts(text);
        let kind = kind.map_or(Ok(MarkKind::default()), str::parse)?;
        Ok(Mark { square: square.parse()?, kind, label: label(text)? })
    }
}

impl FromStr for Arrow {
    type Err = ParseAnnotationError;

    /// Reads `h2e2`, `h2e2:chase` or `h2e2:chase:1`.
    fn from_str(text: &str) -> Result<Arrow, ParseAnnotationError> {
        let (squares, kind, text) = parts(text);
        let mv = squares.parse().map_err(|_| ParseAnnotationError::Arrow(excerpt(squares)))?;
        let kind = kind.map_or(Ok(ArrowKind::default()), str::parse)?;
        Ok(Arrow { mv, kind, label: label(text)? })
    }
}
