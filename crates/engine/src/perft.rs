//! `perft`: counts move paths in the usual output format, with a stop flag.

use web_time::Instant;
use xiangqi::board::{Position, perft_until};
use xiangqi::notation::Ranks;

/// Maximum depth. No count this deep finishes, and the stack grows with the depth.
pub const DEEPEST: u32 = 20;

/// Prints the count after each move, then the sum and the speed, for depths up to [`DEEPEST`].
/// Returns early, without a sum, when `is_stopped` returns true.
pub fn run(
    mut position: Position,
    depth: u32,
    ranks: Ranks,
    mut print: impl FnMut(String),
    is_stopped: impl Fn() -> bool,
) {
    let depth = depth.min(DEEPEST);
    let start = Instant::now();
    let mut sum = 0;
    for mv in position.legal_moves().into_iter().filter(|_| depth > 0) {
        position.play_unchecked(mv);
        let Some(nodes) = perft_until(&mut position, depth - 1, &is_stopped) else {
            return print("stopped".to_owned());
        };
        position.unmake();
        print(format!("{}: {nodes}", ranks.write(mv)));
        sum += nodes;
    }
    let sum = sum.max(u64::from(depth == 0));
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    print(String::new());
    print(format!("Nodes searched: {sum}"));
    print(format!("Time: {seconds:.3} s, {:.1} million nodes/s", sum as f64 / seconds / 1e6));
}
