//! Archives of games: about a third of the bytes of a plain file.
//!
//! A file has a header of 16 bytes and then blocks of up to 16,384 games:
//!
//! | bytes | content (all numbers little-endian) |
//! |---|---|
//! | 4 | 0x5EEDC0DE, marks the start of a block |
//! | 4 | length of the code in bytes |
//! | 4 | number of games |
//! | 4 | CRC-32 of the number of games and the code |
//! | length | the games, coded by [`coder`] with the [`models`] |
//!
//! A damaged block loses its games only.

mod coder;
mod models;

use xiangqi::board::{Board, Position};
use xiangqi::rules::Wdl;

use super::game::{GameError, GamePly, MAX_PLIES, SelfPlayEnding, SelfPlayGame};
use super::packed_board::PackedBoard;
use coder::{BitCoder, Decoder, Encoder};
use models::{HeadModel, MoveModel, ScoreModel, piece_square};

/// The first eight bytes of an archive.
pub(super) const MAGIC: [u8; 8] = *b"CNARCHIV";
const SYNC: u32 = 0x5EED_C0DE;
/// Bytes of a block before its code.
const BLOCK_HEAD: usize = 16;
/// The maximum number of games in a block.
pub(super) const BLOCK_GAMES: usize = 16_384;

/// The models of a block.
struct Models {
    head: HeadModel,
    moves: MoveModel,
    scores: ScoreModel,
    /// The number of the game before.
    last_id: u32,
}

impl Models {
    fn new() -> Models {
        Models {
            head: HeadModel::new(),
            moves: MoveModel::new(),
            scores: ScoreModel::new(),
            last_id: 0,
        }
    }

    /// Codes a game: the one given when encoding, any when decoding. Returns `None` if the bytes
    /// are damaged.
    fn game(
        &mut self,
        coder: &mut impl BitCoder,
        game: &SelfPlayGame,
        board: &Board,
    ) -> Option<SelfPlayGame> {
        let id = self.head.number(coder, self.last_id, game.id);
        self.last_id = id;
        let board = self.head.board(coder, board);
        let halfmove_clock = self.head.clock(coder, game.halfmove_clock);
        let (result, ending) = self.head.end(coder, game.result, game.ending)?;
        let count = self.head.plies(coder, game.plies.len());
        let start = PackedBoard::pack(&board, false);
        let mut position = Position::from_board(board, halfmove_clock).ok()?;
        let mut plies = Vec::with_capacity(count.min(MAX_PLIES));
        let mut last = None;
        let mut before = [0; 4];
        for number in 0..count {
            let given = game.plies.get(number);
            let mv = self.moves.code(coder, &position, last, given.map(|ply| ply.mv))?;
            let phase = ScoreModel::phase(&position, mv);
            let score = given.map_or(0, |ply| ply.score);
            let score = self.scores.code(coder, before, phase, score);
            before = [score, before[0], before[1], before[2]];
            last = piece_square(&position, mv);
            position.play_unchecked(mv);
            plies.push(GamePly { mv, score });
        }
        Some(SelfPlayGame { id, start, halfmove_clock, result, ending, plies })
    }
}

/// Appends a block with up to [`BLOCK_GAMES`] games.
///
/// # Errors
/// If a game cannot be replayed: its start is not valid or a move is illegal.
pub(super) fn write_block(games: &[SelfPlayGame], out: &mut Vec<u8>) -> Result<(), GameError> {
    let mut models = Models::new();
    let mut encoder = Encoder::new();
    for game in games {
        game.replay(|_, _, _| ())?;
        let board = game.start.unpack().ok_or(GameError::Start(game.id))?;
        models.game(&mut encoder, game, &board).ok_or(GameError::Start(game.id))?;
    }
    let code = encoder.finish();
    let count = games.len() as u32;
    out.extend(SYNC.to_le_bytes());
    out.extend((code.len() as u32).to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(checksum(count, &code).to_le_bytes());
    out.extend(code);
    Ok(())
}

/// Reads the block at the start of the bytes and returns its games with the number of its bytes;
/// `None` if there is no whole block.
pub(super) fn read_block(bytes: &[u8]) -> Option<(Vec<SelfPlayGame>, usize)> {
    let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let length = word(4).filter(|_| word(0) == Some(SYNC))? as usize;
    let count = word(8).filter(|&count| count as usize <= BLOCK_GAMES)?;
    let end = BLOCK_HEAD.checked_add(length)?;
    let code = bytes.get(BLOCK_HEAD..end)?;
    if word(12)? != checksum(count, code) {
        return None;
    }
    let mut decoder = Decoder::new(code);
    let mut models = Models::new();
    let (any, board) = (any_game(), Board::empty());
    let games =
        (0..count).map(|_| models.game(&mut decoder, &any, &board)).collect::<Option<_>>()?;
    Some((games, end))
}

/// Returns the offset of the next whole block.
pub(super) fn next_block(bytes: &[u8]) -> Option<usize> {
    let mark = SYNC.to_le_bytes();
    let starts = bytes.windows(mark.len()).enumerate().filter(|(_, window)| *window == mark);
    starts.map(|(at, _)| at).find(|&at| read_block(&bytes[at..]).is_some())
}

fn checksum(count: u32, code: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&count.to_le_bytes());
    hasher.update(code);
    hasher.finalize()
}

/// Returns a game for a decoder, which ignores it.
fn any_game() -> SelfPlayGame {
    SelfPlayGame {
        id: 0,
        start: PackedBoard::pack(&Board::empty(), false),
        halfmove_clock: 0,
        result: Wdl::Draw,
        ending: SelfPlayEnding::Length,
        plies: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cannonade_tables::random::Random;

    /// Returns games of random moves with random scores.
    fn random_games(count: u32) -> Vec<SelfPlayGame> {
        let mut random = Random::new(4);
        (0..count)
            .map(|id| {
                let mut position = Position::startpos();
                let start = PackedBoard::pack(position.board(), false);
                let mut plies = Vec::new();
                for _ in 0..random.below(120) {
                    let moves = position.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    let mv = moves[random.below(moves.len())];
                    let score = random.below(1 << 16) as u16 as i16;
                    plies.push(GamePly { mv, score: score >> random.below(12) });
                    position.play_unchecked(mv);
                }
                let result = Wdl::ALL[random.below(3)];
                let ending = SelfPlayEnding::ALL[random.below(5)];
                SelfPlayGame { id: id * 7, start, halfmove_clock: 0, result, ending, plies }
            })
            .collect()
    }

    #[test]
    fn games_come_back_from_a_block() {
        let games = random_games(60);
        let mut bytes = Vec::new();
        write_block(&games, &mut bytes).expect("legal games");
        let plain: usize = games.iter().map(|game| 44 + 4 * game.plies.len()).sum();
        assert!(bytes.len() < plain, "{} of {plain}", bytes.len());
        assert_eq!(read_block(&bytes), Some((games, bytes.len())));
    }

    #[test]
    fn a_damaged_block_is_refused_and_the_next_one_found() {
        let games = random_games(4);
        let mut bytes = Vec::new();
        write_block(&games[..2], &mut bytes).expect("legal games");
        let first = bytes.len();
        write_block(&games[2..], &mut bytes).expect("legal games");
        for at in [0, 5, 9, 13, BLOCK_HEAD, first - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert_eq!(read_block(&damaged), None, "byte {at}");
            assert_eq!(next_block(&damaged[1..]), Some(first - 1), "byte {at}");
        }
        assert_eq!(read_block(&bytes[..first - 1]), None);
    }

    #[test]
    fn an_illegal_move_is_refused() {
        let mut games = random_games(3);
        let game = games.iter_mut().find(|game| game.plies.len() > 1).expect("a long game");
        game.plies[1].mv = game.plies[0].mv;
        assert!(matches!(write_block(&games, &mut Vec::new()), Err(GameError::Move { .. })));
    }
}
