//! A valid position with its past, for making and unmaking moves and for finding repetitions.

mod set_up;

use std::fmt;

use crate::geometry::{Bitboard, Color, Piece, PieceKind, Square};

use super::exposure::Exposure;
use super::fen::Fen;
use super::{Board, Move, MoveDelta, MoveError};

/// The part of the past that a ply adds.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// The key of the position after the ply.
    pub key: u64,
    /// The move that led to this state; `None` for the first state and after a null move.
    pub mv: Option<Move>,
    /// The captured piece.
    pub captured: Option<Piece>,
    /// Plies since the last capture, from the FEN or the game. Pawn moves do not reset it.
    pub halfmove_clock: u16,
    /// Plies that can be walked back before a capture, a pawn step forward, a null move or the
    /// first state stands in the way: a repetition lies within them.
    pub reversible_plies: u16,
    exposure: Exposure,
}

impl State {
    /// Returns whether the ply gave check.
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.exposure.checkers.is_empty()
    }
}

/// A valid position and the states that led to it. Making and unmaking are inverse. Two positions
/// are compared by their [`board`](Position::board) or, faster, their [`key`](Position::key).
///
/// Its serialized form is its FEN, without the states before; what
/// [`Position::from_recorded_fen`] reads is deserialized.
///
/// ```
/// use xiangqi::Position;
///
/// let mut position = Position::from_fen("3k5/9/9/9/9/9/9/9/4A4/R3K4 w")?;
/// position.play("a0a9".parse()?)?;
/// assert!(position.in_check());
/// assert_eq!(position.legal_moves().len(), 1);
/// position.unmake();
/// assert_eq!(position.fen(), "3k5/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Position {
    board: Board,
    states: Vec<State>,
    first_ply: u32,
}

impl Position {
    /// Returns the position as the first of a game, with its counters: it takes no memory for the
    /// moves before it, and knows no repetition of them.
    #[must_use]
    pub fn without_history(&self) -> Position {
        let state = State { mv: None, captured: None, reversible_plies: 0, ..*self.state() };
        Position {
            board: self.board.clone(),
            states: vec![state],
            first_ply: self.first_ply + self.ply() as u32,
        }
    }

    /// Returns the position after these legal moves.
    ///
    /// # Panics
    /// As [`Position::play_unchecked`], which makes them.
    #[must_use]
    pub fn after(&self, moves: impl IntoIterator<Item = Move>) -> Position {
        let mut position = self.clone();
        for mv in moves {
            position.play_unchecked(mv);
        }
        position
    }

    /// Returns the position as it was after the first `ply` plies; unchanged if it has no more.
    ///
    /// ```
    /// use xiangqi::Position;
    ///
    /// let position = Position::startpos().after(["h2e2".parse()?, "h9g7".parse()?]);
    /// assert_eq!(position.at_ply(1).played_moves().count(), 1);
    /// assert_eq!(position.at_ply(0).fen(), xiangqi::START_FEN);
    /// # Ok::<(), xiangqi::MoveError>(())
    /// ```
    #[must_use]
    pub fn at_ply(&self, ply: usize) -> Position {
        let mut position = self.clone();
        while position.ply() > ply {
            position.unmake();
        }
        position
    }

    /// Returns the moves since the position was set up, the first one first, without null moves.
    pub fn played_moves(&self) -> impl DoubleEndedIterator<Item = Move> + Clone + '_ {
        self.states.iter().filter_map(|state| state.mv)
    }

    /// Returns the position as FEN with all six fields.
    pub fn fen(&self) -> String {
        let number = u16::try_from(self.move_number()).unwrap_or(u16::MAX);
        Fen::write(&self.board, self.halfmove_clock(), number)
    }

    /// Returns the number of the move to be made, from 1; it grows after Black's moves.
    pub fn move_number(&self) -> u32 {
        1 + (self.first_ply + self.ply() as u32) / 2
    }

    /// Returns the placement.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the side to move.
    #[inline]
    pub fn side(&self) -> Color {
        self.board.side()
    }

    /// Returns the Zobrist key.
    #[inline]
    pub fn key(&self) -> u64 {
        self.board.key()
    }

    /// Returns all occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.board.occupied()
    }

    /// Returns the piece on a square.
    #[inline]
    pub fn piece_on(&self, sq: Square) -> Option<Piece> {
        self.board.piece_on(sq)
    }

    /// Returns the number of plies since the position was set up.
    #[inline]
    pub fn ply(&self) -> usize {
        self.states.len() - 1
    }

    /// Returns the number of plies since the last capture.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.state().halfmove_clock
    }

    /// Returns all states, the first one first; there is always one.
    #[inline]
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// Returns the current state.
    #[inline]
    pub fn state(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    #[inline]
    pub(super) fn exposure(&self) -> &Exposure {
        &self.state().exposure
    }

    /// Returns the king of a colour.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        match self.board.king(color) {
            Some(sq) => sq,
            None => unreachable!("a valid position has both kings"),
        }
    }

    /// Returns the pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.exposure().checkers
    }

    /// Returns whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.exposure().checkers.is_empty()
    }

    /// Returns own pieces that may not be free to move: each stands between its king and an enemy
    /// rook, cannon or king, or on the leg of an enemy knight.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.exposure().blockers & self.board.color(self.side())
    }

    /// Returns the piece that a move captures, if any.
    #[inline]
    pub fn captured(&self, mv: Move) -> Option<Piece> {
        self.board.piece_on(mv.to())
    }

    /// Returns whether the move captures.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.board.occupied().contains(mv.to())
    }

    /// Makes a move if it is legal.
    ///
    /// # Errors
    /// A [`MoveError`] with the reason; the position has not changed.
    pub fn play(&mut self, mv: Move) -> Result<MoveDelta, MoveError> {
        self.check_move(mv).map(|mv| self.play_unchecked(mv))
    }

    /// Makes a move without the check of [`Position::play`], for moves that come from
    /// [`Position::legal_moves`] or were checked before. A move that leaves the king in check or
    /// captures one is made as it stands: the position may be one that no game has, and its methods
    /// may panic if a king is gone.
    ///
    /// # Panics
    /// If the origin is empty; in debug builds, if the piece on it does not move so.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) -> MoveDelta {
        debug_assert!(self.is_pseudo_legal(mv), "{mv} in {}", self.fen());
        let &State { halfmove_clock, reversible_plies, .. } = self.state();
        let captured = self.board.take(mv.to());
        let Some(piece) = self.board.carry(mv.from(), mv.to()) else {
            panic!("{mv} moves no piece in {}", self.fen())
        };
        self.board.set_side(!self.board.side());
        let irreversible = captured.is_some()
            || (piece.kind() == PieceKind::Pawn && mv.from().file() == mv.to().file());
        self.states.push(State {
            key: self.board.key(),
            mv: Some(mv),
            captured,
            // A client may send games of any length.
            halfmove_clock: if captured.is_some() { 0 } else { halfmove_clock.saturating_add(1) },
            reversible_plies: if irreversible { 0 } else { reversible_plies.saturating_add(1) },
            exposure: Exposure::of(&self.board, self.board.side()),
        });
        MoveDelta { piece, from: mv.from(), to: mv.to(), captured }
    }

    /// Takes the last move back; nothing happens if there is none.
    #[inline]
    pub fn unmake(&mut self) {
        if self.states.len() < 2 {
            return;
        }
        let Some(state) = self.states.pop() else { return };
        self.board.set_side(!self.board.side());
        if let Some(mv) = state.mv {
            self.board.carry(mv.to(), mv.from());
            if let Some(captured) = state.captured {
                self.board.place(captured, mv.to());
            }
        }
    }

    /// Passes the turn.
    ///
    /// # Panics
    /// In debug builds, if the side to move is in check.
    #[inline]
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check());
        let previous = *self.state();
        self.board.set_side(!self.board.side());
        self.states.push(State {
            key: self.board.key(),
            mv: None,
            captured: None,
            halfmove_clock: previous.halfmove_clock.saturating_add(1),
            reversible_plies: 0,
            exposure: Exposure::of(&self.board, self.board.side()),
        });
    }

    /// Makes room for `plies` more states, so that a search allocates nothing.
    pub fn reserve(&mut self, plies: usize) {
        self.states.reserve(plies);
    }

    /// Checks that a move is legal.
    ///
    /// # Errors
    /// A [`MoveError`] with the reason.
    pub fn check_move(&self, mv: Move) -> Result<Move, MoveError> {
        let piece = self.piece_on(mv.from()).ok_or(MoveError::NoPiece(mv))?;
        if piece.color() != self.side() {
            return Err(MoveError::NotYours { mv, side: self.side() });
        }
        if !self.is_pseudo_legal(mv) {
            return Err(MoveError::Impossible { mv, piece });
        }
        if self.piece_on(mv.to()).is_some_and(|piece| piece.kind() == PieceKind::King) {
            return Err(MoveError::KingCapture(mv));
        }
        if !self.is_legal(mv) {
            return Err(MoveError::InCheck(mv));
        }
        Ok(mv)
    }

    /// Reads a move (`h2e2`, `H2-E2`) and checks that it is legal.
    ///
    /// # Errors
    /// A [`MoveError`] if the text is not a move, or the move is not legal.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        self.check_move(text.parse()?)
    }
}

crate::text_form::serde_as_text!(Position as Position::from_recorded_fen);

/// Writes the FEN.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fen())
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}\n{}", self.board, self.fen())
    }
}
