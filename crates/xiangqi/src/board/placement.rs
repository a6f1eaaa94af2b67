//! The pieces on the board and the side to move, without history.

use std::fmt::{self, Write as _};

use crate::geometry::{
    Bitboard, Color, Piece, PieceKind, Square, advisor_attacks, bishop_attacks, king_attacks,
    knight_attackers, line_attacks, pawn_attackers,
};

use super::zobrist;

/// A placement of pieces and the side to move. It may be any placement at all;
/// [`super::Position`] holds only valid ones.
///
/// ```
/// use xiangqi::{Board, Color, PieceKind, Position};
///
/// let board: &Board = &Position::startpos().board().clone();
/// assert_eq!(board.pieces(Color::Red, PieceKind::Pawn).len(), 5);
/// assert_eq!(board.king(Color::Black).map(|square| square.to_string()), Some("e9".into()));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board {
    squares: [Option<Piece>; Square::COUNT],
    kinds: [Bitboard; 7],
    colors: [Bitboard; 2],
    side: Color,
    key: u64,
}

impl Board {
    /// Creates a board without pieces, Red to move.
    pub fn empty() -> Board {
        Board {
            squares: [None; Square::COUNT],
            kinds: [Bitboard::EMPTY; 7],
            colors: [Bitboard::EMPTY; 2],
            side: Color::Red,
            key: 0,
        }
    }

    /// Returns the piece on a square.
    #[inline]
    pub fn piece_on(&self, sq: Square) -> Option<Piece> {
        self.squares[sq.index()]
    }

    /// Returns the side to move.
    #[inline]
    pub fn side(&self) -> Color {
        self.side
    }

    /// Returns the Zobrist key of placement and side to move.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Returns all occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Returns the pieces of a colour.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// Returns the pieces of a kind, both colours.
    #[inline]
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// Returns the pieces of a colour and kind.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.colors[color.index()] & self.kinds[kind.index()]
    }

    /// Returns all pieces with their squares, from a0 to i9.
    ///
    /// ```
    /// use xiangqi::{Color, Position};
    ///
    /// let pieces = Position::startpos().board().clone();
    /// let red = pieces.iter().filter(|(_, piece)| piece.color() == Color::Red);
    /// assert_eq!(red.map(|(square, piece)| format!("{piece} {square}")).next(), Some("red rook a0".into()));
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + Clone + '_ {
        let occupied = self.occupied().into_iter();
        occupied.filter_map(|square| Some((square, self.piece_on(square)?)))
    }

    /// Returns the board mirrored left to right.
    #[must_use]
    pub fn mirror(&self) -> Board {
        self.image(|square, piece| (square.mirror(), piece), self.side)
    }

    /// Returns the board seen from the other side of the table, with the colours exchanged: the
    /// same position for the other player.
    #[must_use]
    pub fn flip(&self) -> Board {
        let other = |piece: Piece| Piece::new(!piece.color(), piece.kind());
        self.image(|square, piece| (square.flip(), other(piece)), !self.side)
    }

    fn image(&self, image: impl Fn(Square, Piece) -> (Square, Piece), side: Color) -> Board {
        let mut board = Board::empty();
        board.set_side(side);
        for (square, piece) in self.iter() {
            let (square, piece) = image(square, piece);
            board.put(piece, square);
        }
        board
    }

    /// Returns the king's square, if the side has a king.
    #[inline]
    pub fn king(&self, color: Color) -> Option<Square> {
        self.pieces(color, PieceKind::King).first()
    }

    /// Puts a piece on a square, in place of one that stands there.
    #[inline]
    pub fn put(&mut self, piece: Piece, sq: Square) {
        self.take(sq);
        self.place(piece, sq);
    }

    /// Puts a piece on a square that is empty.
    #[inline]
    pub(crate) fn place(&mut self, piece: Piece, sq: Square) {
        debug_assert!(self.squares[sq.index()].is_none());
        self.squares[sq.index()] = Some(piece);
        self.kinds[piece.kind().index()].insert(sq);
        self.colors[piece.color().index()].insert(sq);
        self.key ^= zobrist::piece_key(piece, sq);
    }

    /// Takes the piece from a square and returns it.
    #[inline]
    pub fn take(&mut self, sq: Square) -> Option<Piece> {
        let piece = self.squares[sq.index()].take()?;
        self.kinds[piece.kind().index()].remove(sq);
        self.colors[piece.color().index()].remove(sq);
        self.key ^= zobrist::piece_key(piece, sq);
        Some(piece)
    }

    /// Carries the piece on a square to another one, which is empty, and returns it.
    #[inline]
    pub(crate) fn carry(&mut self, from: Square, to: Square) -> Option<Piece> {
        debug_assert!(self.squares[to.index()].is_none());
        let piece = self.squares[from.index()].take()?;
        self.squares[to.index()] = Some(piece);
        let both = Bitboard::from_square(from).with(to);
        self.kinds[piece.kind().index()] ^= both;
        self.colors[piece.color().index()] ^= both;
        self.key ^= zobrist::piece_key(piece, from) ^ zobrist::piece_key(piece, to);
        Some(piece)
    }

    /// Sets the side to move.
    #[inline]
    pub fn set_side(&mut self, side: Color) {
        if side != self.side {
            self.side = side;
            self.key ^= zobrist::SIDE;
        }
    }

    /// Returns all pieces of both colours that attack a square, were the occupied squares these.
    /// Kings attack along the file too, which is the rule of the facing kings.
    pub fn attackers_to(&self, sq: Square, occupied: Bitboard) -> Bitboard {
        let lines = line_attacks(sq, occupied);
        let facing = lines.rook & Bitboard::file(sq.file());
        // A step of a king or advisor needs its own palace; both palaces are tried by one table,
        // since the table of a square knows only the palace it is in.
        let kings = self.kind(PieceKind::King);
        let mut attackers = (lines.rook & self.kind(PieceKind::Rook))
            | (lines.cannon & self.kind(PieceKind::Cannon))
            | (knight_attackers(sq, occupied) & self.kind(PieceKind::Knight))
            | (bishop_attacks(sq, occupied) & self.kind(PieceKind::Bishop))
            | (advisor_attacks(sq) & self.kind(PieceKind::Advisor))
            | (king_attacks(sq) & kings)
            | (pawn_attackers(Color::Red, sq) & self.pieces(Color::Red, PieceKind::Pawn))
            | (pawn_attackers(Color::Black, sq) & self.pieces(Color::Black, PieceKind::Pawn));
        if kings.contains(sq) {
            attackers |= facing & kings;
        }
        attackers & occupied
    }

    /// Returns the board as text, Black's back rank on top, with the names of files and ranks. The
    /// lowest rank has the number `first`, 0 or 1.
    pub fn text(&self, first: u8) -> String {
        let mut text = String::new();
        for rank in (0..Square::RANKS).rev() {
            let _ = write!(text, "{:<2}", first + rank);
            for file in 0..Square::FILES {
                let piece = Square::new(file, rank).and_then(|sq| self.piece_on(sq));
                let _ = write!(text, " {}", piece.map_or('.', Piece::letter));
            }
            text.push('\n');
        }
        text + "   a b c d e f g h i\n"
    }
}

impl fmt::Display for Board {
    /// Writes the board as [`Board::text`], the ranks numbered from 0.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(0))
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}{} to move", self.side)
    }
}
