//! The common part of WXF and Chinese notation: a move from the mover's view, as piece, origin,
//! direction and target.
//!
//! Files are numbered 1 to 9 from the mover's own right. Rook, cannon, pawn and king give the
//! number of steps forward or backward; knight, bishop and advisor the file they reach. Of two men
//! of a kind on one file the origin is front or rear instead of the file, front being nearer the
//! enemy. Advisors and bishops keep the file, because only one of two on a file can go forward and
//! only the other one backward.
//!
//! Pawns (the rule of xqbase and ElephantEye): all pawns on files that hold two or more are counted
//! together, files from the mover's right to left, within a file from the front. Two are front and
//! rear, three are front, middle and rear, four and five have numbers from 1.

use crate::board::{Board, Move, Position};
use crate::geometry::{Bitboard, Color, PieceKind, Square};

/// The third sign of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Forward,
    Backward,
    Sideways,
}

/// The place of a man among several, counted from 0 at the front.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) index: u8,
    pub(super) count: u8,
}

/// The origin of a move as the rule writes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// The only man of its kind on this file, or an advisor, bishop or king.
    File(u8),
    /// One of several; `own` counts only the men on its own file, `all` as the rule does for
    /// pawns.
    Place { file: u8, own: Place, all: Place },
}

/// A man as its side names it, which is how its moves begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RelativeMan {
    pub(super) kind: PieceKind,
    pub(super) side: Color,
    pub(super) origin: Origin,
}

/// A move as its mover sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RelativeMove {
    pub(super) man: RelativeMan,
    pub(super) direction: Direction,
    /// File reached, or number of steps; 1 to 9.
    pub(super) target: u8,
}

/// Returns the file of a square from the mover's right, 1 to 9.
fn file_number(side: Color, file: u8) -> u8 {
    match side {
        Color::Red => Square::FILES - file,
        Color::Black => file + 1,
    }
}

/// Returns the number of ranks from a side's back rank, 0 to 9.
fn advance(side: Color, sq: Square) -> u8 {
    match side {
        Color::Red => sq.rank(),
        Color::Black => sq.flip().rank(),
    }
}

/// Returns the place of the man on `sq` among those of its kind on its own file.
fn place_on_file(side: Color, men: Bitboard, sq: Square) -> Place {
    let (mut index, mut count) = (0, 0);
    for other in men & Bitboard::file(sq.file()) {
        count += 1;
        index += u8::from(advance(side, other) > advance(side, sq));
    }
    Place { index, count }
}

/// Returns the place of a pawn among all pawns of files that hold two or more.
fn place_of_pawn(side: Color, pawns: Bitboard, sq: Square) -> Place {
    let mut place = place_on_file(side, pawns, sq);
    for file in (0..Square::FILES).filter(|&file| file != sq.file()) {
        let others = (pawns & Bitboard::file(file)).len() as u8;
        if others >= 2 {
            place.count += others;
            if file_number(side, file) < file_number(side, sq.file()) {
                place.index += others;
            }
        }
    }
    place
}

impl RelativeMan {
    /// Describes the man on a square; `None` if it is empty.
    pub(crate) fn on(board: &Board, square: Square) -> Option<RelativeMan> {
        let piece = board.piece_on(square)?;
        let (kind, side) = (piece.kind(), piece.color());
        let men = board.pieces(side, kind);
        let own = place_on_file(side, men, square);
        let file = file_number(side, square.file());
        let origin = match kind {
            PieceKind::King | PieceKind::Advisor | PieceKind::Bishop => Origin::File(file),
            _ if own.count < 2 => Origin::File(file),
            PieceKind::Pawn => Origin::Place { file, own, all: place_of_pawn(side, men, square) },
            _ => Origin::Place { file, own, all: own },
        };
        Some(RelativeMan { kind, side, origin })
    }
}

impl RelativeMove {
    /// Describes a pseudo-legal move; `None` if its origin is empty.
    pub(super) fn of(position: &Position, mv: Move) -> Option<RelativeMove> {
        let (from, to) = (mv.from(), mv.to());
        let man = RelativeMan::on(position.board(), from)?;
        let RelativeMan { kind, side, .. } = man;
        let (before, after) = (advance(side, from), advance(side, to));
        let direction = match after.cmp(&before) {
            std::cmp::Ordering::Greater => Direction::Forward,
            std::cmp::Ordering::Equal => Direction::Sideways,
            std::cmp::Ordering::Less => Direction::Backward,
        };
        let is_diagonal =
            matches!(kind, PieceKind::Knight | PieceKind::Bishop | PieceKind::Advisor);
        let target = if direction == Direction::Sideways || is_diagonal {
            file_number(side, to.file())
        } else {
            before.abs_diff(after)
        };
        Some(RelativeMove { man, direction, target })
    }
}

/// The word that singles out one of several men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Which {
    Front,
    Middle,
    Rear,
    /// The number from the front, from 1.
    Nth(u8),
}

impl Which {
    /// Returns the word the rule has for a place.
    pub(super) fn of(place: Place) -> Which {
        match (place.count, place.index) {
            (2 | 3, 0) => Which::Front,
            (3, 1) => Which::Middle,
            (2 | 3, _) => Which::Rear,
            (_, index) => Which::Nth(index + 1),
        }
    }

    /// Returns whether the word can mean the place; more lenient than the rule, which some writers
    /// do not follow.
    fn means(self, place: Place) -> bool {
        match self {
            Which::Front => place.index == 0,
            Which::Middle => place.count == 3 && place.index == 1,
            Which::Rear => place.index + 1 == place.count,
            Which::Nth(n) => place.index + 1 == n,
        }
    }
}

/// A text in WXF or Chinese notation, taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RelativePattern {
    pub(super) kind: PieceKind,
    pub(super) file: Option<u8>,
    pub(super) which: Option<Which>,
    pub(super) direction: Direction,
    pub(super) target: u8,
}

impl RelativePattern {
    /// Returns the legal moves that the text can mean: those that the rule writes this way, or else
    /// those that other writers do.
    pub(super) fn find(&self, position: &Position, legal: &[Move]) -> Vec<Move> {
        let candidates: Vec<(Move, RelativeMove)> = legal
            .iter()
            .filter(|mv| position.piece_on(mv.from()).is_some_and(|p| p.kind() == self.kind))
            .filter_map(|&mv| Some((mv, RelativeMove::of(position, mv)?)))
            .filter(|(_, m)| m.direction == self.direction && m.target == self.target)
            .collect();
        let select = |accepts: &dyn Fn(Move, &RelativeMove) -> bool| -> Vec<Move> {
            let accepted = candidates.iter().filter(|(mv, described)| accepts(*mv, described));
            accepted.map(|&(mv, _)| mv).collect()
        };
        let by_rule = select(&|_, described| self.is_by_rule(described.man.origin));
        if !by_rule.is_empty() {
            return by_rule;
        }
        select(&|mv, described| self.is_lenient(position, mv, described.man.origin))
    }

    fn is_by_rule(&self, origin: Origin) -> bool {
        match (self.file, self.which, origin) {
            (Some(file), None, Origin::File(own)) => file == own,
            // Front and rear of four pawns or more are words of the rule only on one file.
            (None, Some(which), Origin::Place { own, all, .. }) => {
                which.means(all) && (all.count < 4 || own == all || matches!(which, Which::Nth(_)))
            }
            (Some(file), Some(which), Origin::Place { file: own_file, own, .. }) => {
                file == own_file && which.means(own)
            }
            _ => false,
        }
    }

    /// Returns whether a text that breaks the rule still names one man: by the file of two men of
    /// which only one can make the move, or by the place on the man's own file.
    fn is_lenient(&self, position: &Position, mv: Move, origin: Origin) -> bool {
        let (Origin::File(file) | Origin::Place { file, .. }) = origin;
        if self.file.is_some_and(|wanted| wanted != file) {
            return false;
        }
        let Some(which) = self.which else { return true };
        let men = position.board().pieces(position.side(), self.kind);
        let own = place_on_file(position.side(), men, mv.from());
        own.count >= 2 && which.means(own)
    }
}
