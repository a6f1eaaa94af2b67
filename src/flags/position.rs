//! The flags `--fen` and `--moves`, by which commands take one position.

use anyhow::Context as _;
use clap::Args;
use xiangqi::board::{Move, Position, START_FEN};
use xiangqi::notation::{moves_of_word, read_moves};

/// The starting position and the moves played from it.
#[derive(Args)]
pub(crate) struct PositionFlags {
    /// The position as a FEN [default: the starting position]
    #[arg(long, default_value = START_FEN, hide_default_value = true)]
    fen: String,
    /// Moves made from there in any notation, such as 'h2e2 h9g7'; numbers are skipped
    #[arg(long, num_args = 1..)]
    moves: Vec<String>,
}

impl PositionFlags {
    /// Returns the position of the FEN, and the moves that are legal from there one after another.
    /// Spaces or commas divide them; the numbers of moves, such as `3.`, are skipped.
    ///
    /// # Errors
    /// If the FEN is not valid or a move is not legal; the flag and the move are named.
    pub(crate) fn start_and_moves(&self) -> anyhow::Result<(Position, Vec<Move>)> {
        self.moves_from(Position::from_fen(&self.fen).context("--fen")?)
    }

    fn moves_from(&self, start: Position) -> anyhow::Result<(Position, Vec<Move>)> {
        let is_divider = |c: char| c.is_whitespace() || c == ',';
        let words = self.moves.iter().flat_map(|text| text.split(is_divider));
        let words: Vec<&str> = words.flat_map(moves_of_word).collect();
        let moves = read_moves(&start, &words).context("--moves")?;
        Ok((start, moves))
    }

    /// Returns the position after the moves.
    ///
    /// # Errors
    /// As [`PositionFlags::start_and_moves`].
    pub(crate) fn position(&self) -> anyhow::Result<Position> {
        Ok(after(self.start_and_moves()?))
    }

    /// Returns the position after the moves, to be shown: in the FEN the side that waits may be in
    /// check.
    ///
    /// # Errors
    /// As [`PositionFlags::start_and_moves`].
    pub(crate) fn recorded_position(&self) -> anyhow::Result<Position> {
        let start = Position::from_recorded_fen(&self.fen).context("--fen")?;
        Ok(after(self.moves_from(start)?))
    }
}

fn after((mut position, moves): (Position, Vec<Move>)) -> Position {
    for mv in moves {
        position.play_unchecked(mv);
    }
    position
}
