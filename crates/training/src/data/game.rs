//! A self-play game and its bytes.
//!
//! | bytes | content (all numbers little-endian) |
//! |---|---|
//! | 2 | 0xC6A3, marks the start of a game, so that a reader finds the next game after damaged bytes |
//! | 2 | length of the rest, without the checksum |
//! | 4 | number of the game in its run |
//! | 28 | start position, [`PackedBoard`] |
//! | 2 | plies since the last capture at the start position |
//! | 1 | result: 0 Black won, 1 draw, 2 Red won |
//! | 1 | ending: [`SelfPlayEnding`] |
//! | 4 per ply | move ([`Move::code`]) and score for the side to move in centipawns |
//! | 4 | CRC-32 of all but the first two bytes |

use thiserror::Error;
use xiangqi::board::{Move, Position};
use xiangqi::rules::Wdl;

use super::packed_board::PackedBoard;

/// The first two bytes of each game.
pub(super) const SYNC: u16 = 0xC6A3;

/// Bytes of a game before its plies, from the number of the game on.
const HEAD: usize = 36;

/// Bytes of sync, length and checksum.
const FRAME: usize = 8;

/// The maximum number of plies per game in the format.
pub const MAX_PLIES: usize = 2000;

/// The way in which a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum SelfPlayEnding {
    /// The side to move had no legal move.
    NoMove = 0,
    /// Both sides reported a decisive score for some plies.
    WonScore = 1,
    /// Both sides reported an even score for some plies.
    DrawnScore = 2,
    /// A rule ended it: repetition, the natural-move limit, or dead material.
    Rules = 3,
    /// The game reached its maximum length.
    Length = 4,
}

impl SelfPlayEnding {
    /// All endings, in the order of their codes.
    pub const ALL: [SelfPlayEnding; 5] = [
        SelfPlayEnding::NoMove,
        SelfPlayEnding::WonScore,
        SelfPlayEnding::DrawnScore,
        SelfPlayEnding::Rules,
        SelfPlayEnding::Length,
    ];

    /// Returns one word for tables and text.
    pub const fn text(self) -> &'static str {
        match self {
            SelfPlayEnding::NoMove => "mate",
            SelfPlayEnding::WonScore => "won-score",
            SelfPlayEnding::DrawnScore => "drawn-score",
            SelfPlayEnding::Rules => "rules",
            SelfPlayEnding::Length => "length",
        }
    }

    /// Reads [`SelfPlayEnding::text`].
    pub fn from_text(text: &str) -> Option<SelfPlayEnding> {
        Self::ALL.into_iter().find(|ending| ending.text() == text)
    }
}

/// A move of a game and the score of the search that chose it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GamePly {
    /// The best move, which was played.
    pub mv: Move,
    /// Score in centipawns for the side to move.
    pub score: i16,
}

/// A game from its first scored position on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfPlayGame {
    /// The number of the game in its run.
    pub id: u32,
    /// The first position.
    pub start: PackedBoard,
    /// Plies since the last capture at the first position.
    pub halfmove_clock: u16,
    /// The result for Red.
    pub result: Wdl,
    /// The ending.
    pub ending: SelfPlayEnding,
    /// The moves.
    pub plies: Vec<GamePly>,
}

/// The reason why a game of a file cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GameError {
    /// The start position is not valid.
    #[error("the start position of game {0} is not valid")]
    Start(u32),
    /// A move is not legal.
    #[error("game {id}: move {mv} at ply {ply} is not legal")]
    Move {
        /// The game's number.
        id: u32,
        /// The ply, from 0.
        ply: usize,
        /// The move.
        mv: Move,
    },
}

impl SelfPlayGame {
    /// Returns the first position.
    ///
    /// # Errors
    /// If the start position of the game is not valid.
    pub fn position(&self) -> Result<Position, GameError> {
        let board = self.start.unpack().ok_or(GameError::Start(self.id))?;
        Position::from_board(board, self.halfmove_clock).map_err(|_| GameError::Start(self.id))
    }

    /// Plays the game and calls `visit` with each position, the number of the ply and the ply
    /// itself. Returns the final position.
    ///
    /// # Errors
    /// If the start position is not valid or a move is illegal.
    pub fn replay(
        &self,
        mut visit: impl FnMut(&Position, usize, GamePly),
    ) -> Result<Position, GameError> {
        let mut position = self.position()?;
        for (number, &ply) in self.plies.iter().enumerate() {
            if position.check_move(ply.mv).is_err() {
                return Err(GameError::Move { id: self.id, ply: number, mv: ply.mv });
            }
            visit(&position, number, ply);
            position.play_unchecked(ply.mv);
        }
        Ok(position)
    }

    /// Appends the bytes of the game; plies beyond the maximum of a record are left out.
    pub fn write(&self, out: &mut Vec<u8>) {
        let plies = &self.plies[..self.plies.len().min(MAX_PLIES)];
        let length = (HEAD + 4 * plies.len()) as u16;
        out.extend(SYNC.to_le_bytes());
        let from = out.len();
        out.extend(length.to_le_bytes());
        out.extend(self.id.to_le_bytes());
        out.extend(bytemuck::bytes_of(&self.start));
        out.extend(self.halfmove_clock.to_le_bytes());
        out.extend([self.result.half_points(), self.ending as u8]);
        for ply in plies {
            out.extend(ply.mv.code().to_le_bytes());
            out.extend(ply.score.to_le_bytes());
        }
        let checksum = crc32fast::hash(&out[from..]);
        out.extend(checksum.to_le_bytes());
    }

    /// Reads the game at the start of the bytes and returns it with the number of its bytes; `None`
    /// if there is no complete game with a matching checksum.
    pub fn read(bytes: &[u8]) -> Option<(SelfPlayGame, usize)> {
        let word = |at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
        let long = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let length = usize::from(word(2).filter(|_| word(0) == Some(SYNC))?);
        if length < HEAD || !(length - HEAD).is_multiple_of(4) {
            return None;
        }
        let body = bytes.get(2..4 + length)?;
        if long(4 + length)? != crc32fast::hash(body) {
            return None;
        }
        let plies = bytes[4 + HEAD..4 + length].chunks_exact(4).map(|ply| {
            let mv = Move::from_code(u16::from_le_bytes([ply[0], ply[1]]))?;
            Some(GamePly { mv, score: i16::from_le_bytes([ply[2], ply[3]]) })
        });
        let game = SelfPlayGame {
            id: long(4)?,
            start: bytemuck::pod_read_unaligned(&bytes[8..36]),
            halfmove_clock: word(36)?,
            result: Wdl::from_half_points(bytes[38])?,
            ending: *SelfPlayEnding::ALL.get(usize::from(bytes[39]))?,
            plies: plies.collect::<Option<_>>()?,
        };
        Some((game, length + FRAME))
    }
}
