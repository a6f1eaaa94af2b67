//! Positions set up from texts and boards.

use std::str::FromStr;

use super::{Position, State};
use crate::board::exposure::Exposure;
use crate::board::fen::Fen;
use crate::board::{Board, Defect, FenError, START_FEN};
use crate::geometry::Color;

impl Position {
    /// Returns the starting position.
    pub fn startpos() -> Position {
        match Position::from_fen(START_FEN) {
            Ok(position) => position,
            Err(error) => unreachable!("the starting position is valid: {error}"),
        }
    }

    /// Reads a position: a FEN, or a text with one FEN in it as people copy it, such as the address
    /// of a page or `[FEN "..."]`, with `_` or `%20` for blanks.
    ///
    /// ```
    /// use xiangqi::Position;
    ///
    /// let fen = "3k5/9/9/9/9/9/9/9/4A4/R3K4 b - - 0 1";
    /// let address = "https://example.org/xiangqi?fen=3k5/9/9/9/9/9/9/9/4A4/R3K4_b_-_-_0_1&flip=1";
    /// assert_eq!(Position::from_fen(address)?.fen(), fen);
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    ///
    /// # Errors
    /// A [`FenError`] that names the wrong field, or says that the text has several FENs.
    pub fn from_fen(text: &str) -> Result<Position, FenError> {
        Position::of_fen(&Fen::parse(text)?, Position::from_board)
    }

    /// Reads the start of a game that another program has recorded: the side that waits may be in
    /// check, as [`Position::defect`] then says.
    ///
    /// # Errors
    /// A [`FenError`] that names the wrong field.
    pub fn from_recorded_fen(text: &str) -> Result<Position, FenError> {
        Position::of_fen(&Fen::parse(text)?, Position::from_recorded_board)
    }

    fn of_fen(
        fen: &Fen,
        check: impl FnOnce(Board, u16) -> Result<Position, Defect>,
    ) -> Result<Position, FenError> {
        let mut position = check(fen.board.clone(), fen.halfmove_clock)?;
        position.first_ply += 2 * (u32::from(fen.move_number) - 1);
        Ok(position)
    }

    /// Reads a position from a line of EPD or FEN. EPD operations such as `c0 "a name";`, which
    /// follow the board, the side and two dashes, with or without counters, are skipped. Moves, as
    /// `position` commands of UCI have them, are refused.
    ///
    /// # Errors
    /// A [`FenError`] that names the wrong field.
    pub fn from_epd(line: &str) -> Result<Position, FenError> {
        let is_counter = |field: &str| field == "-" || field.bytes().all(|b| b.is_ascii_digit());
        let mut fields = line.split_whitespace().peekable();
        let mut fen: Vec<&str> = fields.by_ref().take(2).collect();
        while let Some(field) = fields.next_if(|field| is_counter(field)) {
            fen.push(field);
        }
        let position = match Fen::parse_exact(&fen.join(" ")) {
            Ok(fen) => Position::of_fen(&fen, Position::from_board)?,
            // A FEN with a text around it has its fields elsewhere.
            Err(error) => Position::from_fen(line).map_err(|_| error)?,
        };
        if fields.peek() == Some(&"moves") { Err(FenError::Moves) } else { Ok(position) }
    }

    /// Returns the lines of a text with a FEN or EPD a line, without the blanks around them, and
    /// their numbers from 1. Empty lines and those that begin with `#` are skipped.
    ///
    /// ```
    /// use xiangqi::Position;
    ///
    /// let text = "# one position\n\nrnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\n";
    /// let lines: Vec<_> = Position::epd_lines(text).collect();
    /// assert_eq!(lines[0].0, 3);
    /// assert_eq!(Position::from_epd(lines[0].1)?.fen(), Position::startpos().fen());
    /// # Ok::<(), xiangqi::board::FenError>(())
    /// ```
    pub fn epd_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
        let lines = (1..).zip(text.lines().map(str::trim));
        lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    }

    /// Returns the position on this board, as the first of a game, with this many plies since the
    /// last capture.
    ///
    /// # Errors
    /// The [`Defect`] that makes the placement impossible.
    pub fn from_board(board: Board, halfmove_clock: u16) -> Result<Position, Defect> {
        match board.defect() {
            Some(defect) => Err(defect),
            None => Ok(Position::on(board, halfmove_clock)),
        }
    }

    /// Returns the start of a game that another program has recorded, as [`Position::from_board`]
    /// but for this: the side that waits may be in check. Such a position can be shown, written and
    /// played on, where no move captures a king; it is not to be searched.
    ///
    /// # Errors
    /// Any other [`Defect`].
    pub fn from_recorded_board(board: Board, halfmove_clock: u16) -> Result<Position, Defect> {
        match board.defect() {
            None | Some(Defect::OpponentInCheck(_)) => Ok(Position::on(board, halfmove_clock)),
            Some(defect) => Err(defect),
        }
    }

    /// Returns the defect that the start of a recorded game may have: the side that waits is in
    /// check. No position after a move has one.
    pub fn defect(&self) -> Option<Defect> {
        if self.ply() == 0 { self.board.defect() } else { None }
    }

    fn on(board: Board, halfmove_clock: u16) -> Position {
        Position {
            first_ply: u32::from(board.side() == Color::Black),
            states: vec![State {
                key: board.key(),
                mv: None,
                captured: None,
                halfmove_clock,
                reversible_plies: 0,
                exposure: Exposure::of(&board, board.side()),
            }],
            board,
        }
    }
}

/// The starting position.
impl Default for Position {
    fn default() -> Position {
        Position::startpos()
    }
}

impl FromStr for Position {
    type Err = FenError;

    /// Reads what [`Position::from_fen`] reads.
    fn from_str(text: &str) -> Result<Position, FenError> {
        Position::from_fen(text)
    }
}
