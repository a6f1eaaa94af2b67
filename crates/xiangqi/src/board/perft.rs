//! Counting move paths, the test of move generation (<https://www.chessprogramming.org/Perft>).

use super::Position;

/// Returns the number of move paths of `depth` plies. The last ply is counted without being made.
///
/// ```
/// use xiangqi::{Position, perft};
///
/// assert_eq!(perft(&mut Position::startpos(), 3), 79_666);
/// ```
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_legal() as u64,
        _ => {
            let mut nodes = 0;
            for mv in position.legal_moves() {
                position.play_unchecked(mv);
                nodes += perft(position, depth - 1);
                position.unmake();
            }
            nodes
        }
    }
}
