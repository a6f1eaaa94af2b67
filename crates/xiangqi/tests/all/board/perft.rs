//! Move counts of published positions, and the count of a slow generator.

use xiangqi::board::{Position, perft};

const SUITE: &str = include_str!("../../data/perft.epd");

/// Deeper entries are counted only in optimised builds.
const LIMIT: u64 = if cfg!(debug_assertions) { 2_000_000 } else { 1_000_000_000_000 };

#[test]
fn every_entry_of_the_suite_counts_as_published() {
    let mut entries = 0;
    for line in SUITE.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
        let mut fields = line.split(';');
        let fen = fields.next().unwrap_or_default();
        let mut position = Position::from_fen(fen).unwrap_or_else(|e| panic!("{fen}: {e}"));
        for field in fields {
            let (depth, nodes) = field.trim().split_once(' ').expect("a depth and a count");
            let depth: u32 = depth.trim_start_matches('D').parse().expect("a depth");
            let nodes: u64 = nodes.parse().expect("a count");
            if nodes <= LIMIT {
                assert_eq!(perft(&mut position, depth), nodes, "{fen} depth {depth}");
            }
            entries += 1;
        }
    }
    assert!(entries > 50, "the suite was read");
}
