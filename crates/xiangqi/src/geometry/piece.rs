//! Colours, kinds of piece, and coloured pieces.

use std::fmt;
use std::num::NonZeroU8;
use std::ops::Not;
use std::str::FromStr;

use thiserror::Error;

use crate::text_form::excerpt;

use super::Bitboard;

/// A side. Red moves first and sits at ranks 0 to 4.
///
/// ```
/// use xiangqi::Color;
///
/// assert_eq!(!Color::Red, Color::Black);
/// assert_eq!(Color::Black.palace().len(), 9);
/// assert_eq!("red".parse(), Ok(Color::Red));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// 红, the side of the capital FEN letters.
    Red = 0,
    /// 黑, the side of the small FEN letters.
    Black = 1,
}

impl Color {
    /// Both colours.
    pub const ALL: [Color; 2] = [Color::Red, Color::Black];

    /// Returns `red` or `black`.
    pub const fn name(self) -> &'static str {
        match self {
            Color::Red => "red",
            Color::Black => "black",
        }
    }

    /// Returns 0 for Red, 1 for Black.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the five ranks on this side of the river.
    #[inline]
    pub const fn home(self) -> Bitboard {
        match self {
            Color::Red => Bitboard::RED_HALF,
            Color::Black => Bitboard::BLACK_HALF,
        }
    }

    /// Returns the nine points of this side's palace.
    #[inline]
    pub const fn palace(self) -> Bitboard {
        match self {
            Color::Red => Bitboard::RED_PALACE,
            Color::Black => Bitboard::BLACK_PALACE,
        }
    }

    /// Returns the direction of this side's pawns in ranks: +1 for Red, -1 for Black.
    #[inline]
    pub const fn forward(self) -> i8 {
        match self {
            Color::Red => 1,
            Color::Black => -1,
        }
    }
}

impl Not for Color {
    type Output = Color;

    #[inline]
    fn not(self) -> Color {
        match self {
            Color::Red => Color::Black,
            Color::Black => Color::Red,
        }
    }
}

/// Error of reading a [`Color`]: the text names no side.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is not a side; expected red or black")]
pub struct ParseColorError(pub String);

crate::text_form::text_by_name!(Color, Color::ALL, ParseColorError);

crate::text_form::serde_as_text!(Color, PieceKind);

/// A kind of piece, with its name in chess programming.
///
/// ```
/// use xiangqi::{Color, PieceKind};
///
/// // The points that a red bishop can reach, and those of any pawn of Black.
/// assert_eq!(PieceKind::Bishop.domain(Color::Red).len(), 7);
/// assert_eq!(PieceKind::Pawn.domain(Color::Black).len(), 55);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceKind {
    /// 兵 / 卒. One step forward; beyond the river also one step sideways.
    Pawn = 0,
    /// 仕 / 士. One diagonal step inside the palace.
    Advisor = 1,
    /// 相 / 象, the elephant. Two diagonal steps on its own half; the eye between must be empty.
    Bishop = 2,
    /// 马 / 馬, the horse. One step straight, then one diagonally outward; the leg must be empty.
    Knight = 3,
    /// 炮 / 砲. Moves as a rook; captures over exactly one piece, the screen.
    Cannon = 4,
    /// 车 / 車, the chariot.
    Rook = 5,
    /// 帅 / 将, the general. One step inside the palace; the kings may not face each other.
    King = 6,
}

impl PieceKind {
    /// All kinds.
    pub const ALL: [PieceKind; 7] = [
        PieceKind::Pawn,
        PieceKind::Advisor,
        PieceKind::Bishop,
        PieceKind::Knight,
        PieceKind::Cannon,
        PieceKind::Rook,
        PieceKind::King,
    ];

    /// Returns the index, `0..7`.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the name: "pawn", "advisor", ...
    pub const fn name(self) -> &'static str {
        match self {
            PieceKind::Pawn => "pawn",
            PieceKind::Advisor => "advisor",
            PieceKind::Bishop => "bishop",
            PieceKind::Knight => "knight",
            PieceKind::Cannon => "cannon",
            PieceKind::Rook => "rook",
            PieceKind::King => "king",
        }
    }

    /// Returns the number of pieces of the kind that a side starts with, which is also its maximum.
    pub const fn most(self) -> usize {
        match self {
            PieceKind::Pawn => 5,
            PieceKind::King => 1,
            _ => 2,
        }
    }

    /// Returns the points where a piece of this kind and colour can stand.
    pub const fn domain(self, color: Color) -> Bitboard {
        match (self, color) {
            (PieceKind::King, _) => color.palace(),
            (PieceKind::Advisor, Color::Red) => Bitboard::RED_ADVISOR,
            (PieceKind::Advisor, Color::Black) => Bitboard::BLACK_ADVISOR,
            (PieceKind::Bishop, Color::Red) => Bitboard::RED_BISHOP,
            (PieceKind::Bishop, Color::Black) => Bitboard::BLACK_BISHOP,
            (PieceKind::Pawn, Color::Red) => Bitboard::RED_PAWN,
            (PieceKind::Pawn, Color::Black) => Bitboard::BLACK_PAWN,
            _ => Bitboard::ALL,
        }
    }

    /// Returns the letter of WXF and algebraic notation, a capital: `E` (elephant) for the bishop
    /// and `H` (horse) for the knight, where FEN has `B` and `N`.
    pub(crate) const fn wxf_letter(self) -> char {
        match self {
            PieceKind::Bishop => 'E',
            PieceKind::Knight => 'H',
            _ => self.letter() as char,
        }
    }

    /// Returns the kind with this letter of FEN, WXF or algebraic notation, in either case.
    pub(crate) fn from_letter(letter: char) -> Option<PieceKind> {
        Some(match letter.to_ascii_lowercase() {
            'p' => PieceKind::Pawn,
            'a' => PieceKind::Advisor,
            'b' | 'e' => PieceKind::Bishop,
            'n' | 'h' => PieceKind::Knight,
            'c' => PieceKind::Cannon,
            'r' => PieceKind::Rook,
            'k' => PieceKind::King,
            _ => return None,
        })
    }

    const fn letter(self) -> u8 {
        match self {
            PieceKind::Pawn => b'P',
            PieceKind::Advisor => b'A',
            PieceKind::Bishop => b'B',
            PieceKind::Knight => b'N',
            PieceKind::Cannon => b'C',
            PieceKind::Rook => b'R',
            PieceKind::King => b'K',
        }
    }
}

/// Error of reading a [`PieceKind`]: the text names none.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "'{0}' is not a kind of piece; expected king, advisor, bishop, knight, rook, cannon or pawn"
)]
pub struct ParsePieceKindError(pub String);

crate::text_form::text_by_name!(PieceKind, PieceKind::ALL, ParsePieceKindError);

/// A coloured piece in one byte: `1 + kind + 8 * colour`, so that `Option<Piece>` is one byte too.
/// Pieces are ordered by colour, then by kind.
///
/// ```
/// use xiangqi::{Color, Piece, PieceKind};
///
/// let horse = Piece::new(Color::Black, PieceKind::Knight);
/// assert_eq!((horse.letter(), horse.to_string().as_str()), ('n', "black knight"));
/// assert_eq!(Piece::from_letter('h')?, horse);
/// assert_eq!("h".parse(), Ok(horse));
/// # Ok::<(), xiangqi::geometry::ParsePieceError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Piece(NonZeroU8);

const _: () = assert!(size_of::<Option<Piece>>() == 1);

/// Error of reading a [`Piece`]: the letter names none.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is not a valid piece letter; expected one of k a b e n h r c p in either case")]
pub struct ParsePieceError(pub String);

impl Piece {
    /// The number of pieces; every [`Piece::index`] is below it.
    pub const COUNT: usize = 14;

    /// Returns the piece of this colour and kind.
    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        match NonZeroU8::new(1 + kind as u8 + 8 * color as u8) {
            Some(code) => Piece(code),
            None => unreachable!(),
        }
    }

    /// Returns the colour.
    #[inline]
    pub const fn color(self) -> Color {
        if self.0.get() > 8 { Color::Black } else { Color::Red }
    }

    /// Returns the kind.
    #[inline]
    pub const fn kind(self) -> PieceKind {
        PieceKind::ALL[((self.0.get() - 1) & 7) as usize]
    }

    /// Returns a dense index, `0..14`: `7 * colour + kind`.
    #[inline]
    pub const fn index(self) -> usize {
        let code = self.0.get() as usize - 1;
        if code >= 8 { code - 1 } else { code }
    }

    /// Returns the piece with this [`Piece::index`].
    ///
    /// # Panics
    /// If `index` is [`Piece::COUNT`] or more.
    #[inline]
    pub const fn from_index(index: usize) -> Piece {
        let kinds = PieceKind::ALL.len();
        Piece::new(Color::ALL[index / kinds], PieceKind::ALL[index % kinds])
    }

    /// Returns all fourteen pieces, in the order of [`Piece::index`].
    pub fn all() -> impl Iterator<Item = Piece> {
        Color::ALL
            .into_iter()
            .flat_map(|c| PieceKind::ALL.into_iter().map(move |k| Piece::new(c, k)))
    }

    /// Returns the FEN letter: capital for Red, small for Black.
    pub const fn letter(self) -> char {
        let letter = self.kind().letter();
        match self.color() {
            Color::Red => letter as char,
            Color::Black => letter.to_ascii_lowercase() as char,
        }
    }

    /// Reads a FEN letter; `h` (horse) and `e` (elephant) stand for `n` and `b`.
    ///
    /// # Errors
    /// If the letter does not stand for a piece.
    pub fn from_letter(letter: char) -> Result<Piece, ParsePieceError> {
        let kind = PieceKind::from_letter(letter);
        let kind = kind.ok_or_else(|| ParsePieceError(letter.to_string()))?;
        let color = if letter.is_ascii_uppercase() { Color::Red } else { Color::Black };
        Ok(Piece::new(color, kind))
    }

    /// Returns the points where this piece can ever stand.
    #[inline]
    pub const fn domain(self) -> Bitboard {
        self.kind().domain(self.color())
    }
}

impl FromStr for Piece {
    type Err = ParsePieceError;

    /// Parses a FEN letter, as [`Piece::from_letter`], or a name such as `black knight`.
    fn from_str(text: &str) -> Result<Piece, ParsePieceError> {
        let mut letters = text.chars();
        if let (Some(letter), None) = (letters.next(), letters.next()) {
            return Piece::from_letter(letter);
        }
        let named = text
            .split_once(' ')
            .and_then(|(color, kind)| Some(Piece::new(color.parse().ok()?, kind.parse().ok()?)));
        named.ok_or_else(|| ParsePieceError(excerpt(text)))
    }
}

/// As its FEN letter.
#[cfg(feature = "serde")]
impl serde::Serialize for Piece {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_char(self.letter())
    }
}

/// From its FEN letter, as [`Piece::from_letter`] reads it.
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Piece {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Piece, D::Error> {
        let letter = <char as serde::Deserialize>::deserialize(deserializer)?;
        Piece::from_letter(letter).map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.color(), self.kind())
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_survive_letter_and_back_and_have_dense_indices() {
        for (index, piece) in Piece::all().enumerate() {
            assert_eq!(piece.letter().to_string().parse(), Ok(piece));
            assert_eq!(piece.to_string().parse(), Ok(piece));
            assert_eq!(piece.kind().to_string().parse(), Ok(piece.kind()));
            assert_eq!(piece.index(), index);
            assert_eq!(Piece::new(piece.color(), piece.kind()), piece);
        }
    }

    #[test]
    fn horse_and_elephant_letters_are_synonyms() {
        assert_eq!(Piece::from_letter('h'), Piece::from_letter('n'));
        assert_eq!(Piece::from_letter('E'), Piece::from_letter('B'));
        for text in ["x", "", "kk", "black", "green king", "red king king"] {
            assert_eq!(text.parse::<Piece>(), Err(ParsePieceError(text.to_owned())));
        }
    }
}
