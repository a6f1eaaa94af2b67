//! The parts of an explanation that each language words for itself.

use crate::geometry::{Color, Piece};
use crate::notation::Notation;
use crate::rules::Level;
use crate::rules::explanation::{Attack, Citation, Conduct, MoveKind, PieceOn, Reason, Threat};

/// The fixed words around an explanation.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Labels {
    /// Before the number of a game.
    pub game: &'static str,
    /// Before the position where the loop starts; `{}` stands for the number of plies before it.
    pub loop_from: &'static str,
    /// Before Red's level.
    pub red: &'static str,
    /// Before Black's level.
    pub black: &'static str,
    /// Before the ruling.
    pub ruling: &'static str,
    /// Before the conduct of both sides.
    pub why: &'static str,
    /// Before the rules that apply.
    pub rule: &'static str,
    /// The note on a ruling for which a search ran out of nodes.
    pub undecided: &'static str,
    /// The note on a position that stands for the second time only.
    pub second_time: &'static str,
    /// Instead of an explanation, if there is no repetition.
    pub no_repetition: &'static str,
}

/// One language.
pub(super) trait Wording {
    fn labels(&self) -> Labels;
    fn side(&self, side: Color) -> &'static str;
    fn piece(&self, piece: Piece) -> &'static str;
    /// Writes a piece and its square.
    fn piece_on(&self, piece: Piece, square: String) -> String;
    fn move_kind(&self, kind: MoveKind) -> &'static str;
    fn level(&self, level: Level) -> &'static str;
    fn ruling(&self, loser: Option<Color>) -> &'static str;
    fn attack(&self, attack: &Attack, notation: Notation) -> String;
    fn threat(&self, threat: &Threat, notation: Notation) -> String;
    fn conduct(&self, conduct: &Conduct, notation: Notation) -> String;
    fn reason(&self, reason: &Reason) -> String;
    fn citation(&self, citation: &Citation) -> String;
    /// Appends a citation to the text of a reason.
    fn cited(&self, reason: String, citation: &str) -> String;
    /// Joins the kinds of a move, the conduct of both sides, or pieces.
    fn comma(&self) -> &'static str;
    fn semicolon(&self) -> &'static str;
}

/// Names a piece: as its moves begin, `C2`, or by its square, `cannon h2`.
pub(super) fn name(wording: &dyn Wording, on: &PieceOn, notation: Notation) -> String {
    on.name(notation).unwrap_or_else(|| wording.piece_on(on.piece, notation.square(on.square)))
}

/// Names pieces one after another: `cannon a5, rook c8`.
pub(super) fn pieces(wording: &dyn Wording, pieces: &[PieceOn], notation: Notation) -> String {
    let names = pieces.iter().map(|on| name(wording, on, notation));
    names.collect::<Vec<_>>().join(wording.comma())
}

/// Returns the numbers of diagrams, each range written by `range`.
pub(super) fn numbers(
    citation: &Citation,
    comma: &str,
    range: impl Fn(u8, u8) -> String,
) -> String {
    let write = |&(first, last): &(u8, u8)| {
        if first == last { first.to_string() } else { range(first, last) }
    };
    citation.diagrams.iter().map(write).collect::<Vec<_>>().join(comma)
}
