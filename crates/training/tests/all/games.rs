//! Games for files and trainings.

use std::fs;
use std::path::PathBuf;

use cannonade_tables::random::Random;
use cannonade_training::{GamePly, PackedBoard, SelfPlayEnding, SelfPlayGame};
use xiangqi::board::Position;
use xiangqi::rules::Wdl;

/// A path for one test's file; no two tests share a name.
pub fn scratch(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("training");
    fs::create_dir_all(&folder).expect("a folder for tests");
    folder.join(name)
}

/// A game of random moves.
pub fn random_game(id: u32) -> SelfPlayGame {
    let mut random = Random::stream(9, id.into());
    let mut position = Position::startpos();
    let start = PackedBoard::pack(position.board(), false);
    let mut plies = Vec::new();
    for _ in 0..60 + random.below(60) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.below(moves.len())];
        plies.push(GamePly { mv, score: random.below(4001) as i16 - 2000 });
        position.play_unchecked(mv);
    }
    let result = Wdl::ALL[random.below(3)];
    SelfPlayGame { id, start, halfmove_clock: 0, result, ending: SelfPlayEnding::Length, plies }
}
