//! Counts the paths of legal moves: `perft DEPTH [FEN]`.

use std::env;
use std::error::Error;
use std::time::Instant;

use xiangqi::{Position, START_FEN, perft};

fn main() -> Result<(), Box<dyn Error>> {
    let depth: u32 = env::args().nth(1).ok_or("expected a depth, such as 4")?.parse()?;
    let fen = env::args().nth(2).unwrap_or_else(|| START_FEN.to_owned());
    let mut position = Position::from_fen(&fen)?;
    let start = Instant::now();
    let nodes = perft(&mut position, depth);
    println!("{nodes} nodes in {:.3} s", start.elapsed().as_secs_f64());
    Ok(())
}
