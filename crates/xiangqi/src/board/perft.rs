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

/// Depth of the counts between two questions of [`perft_until`].
const DEPTH_BETWEEN_QUESTIONS: u32 = 3;

/// Returns the number of move paths of `depth` plies, or `None` once `is_stopped` returns true. It
/// is called before each count of three plies, some 80,000 paths from the start. The position is
/// the same afterwards.
///
/// ```
/// use std::time::{Duration, Instant};
/// use xiangqi::Position;
/// use xiangqi::board::perft_until;
///
/// let end = Instant::now() + Duration::from_millis(50);
/// let is_late = || Instant::now() > end;
/// assert_eq!(perft_until(&mut Position::startpos(), 20, &is_late), None);
/// assert_eq!(perft_until(&mut Position::startpos(), 2, &|| false), Some(1_920));
/// ```
pub fn perft_until(
    position: &mut Position,
    depth: u32,
    is_stopped: &impl Fn() -> bool,
) -> Option<u64> {
    if is_stopped() {
        return None;
    }
    if depth <= DEPTH_BETWEEN_QUESTIONS {
        return Some(perft(position, depth));
    }
    let mut nodes = 0;
    for mv in position.legal_moves() {
        position.play_unchecked(mv);
        let below = perft_until(position, depth - 1, is_stopped);
        position.unmake();
        nodes += below?;
    }
    Some(nodes)
}
