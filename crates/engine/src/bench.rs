//! The benchmark: a fixed list of positions searched to a fixed depth by one thread. The number of
//! nodes is the same on every machine, and changes with every change of search or evaluation.

use std::fmt;

use serde::Serialize;
use web_time::{Duration, Instant};
use xiangqi::board::{Move, Position, START_FEN};
use xiangqi::rules::RuleSet;

use super::BlockingEngine;
use crate::search::Limits;

/// The default depth; all positions take two to four seconds.
pub const DEFAULT_DEPTH: u32 = 12;

/// Openings, middlegames, endgames, checks and near mates. All but the first and the last five are
/// from master games of the Chinese-Chess Practical Dataset (Tseng and Chen 2026, CC BY 4.0), one
/// each.
pub const POSITIONS: &[&str] = &[
    START_FEN,
    "r1bakabnr/9/1cn2c3/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R w - - 4 3",
    "1rbakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/C1N4C1/9/1RBAKABNR w - - 6 4",
    "r1bakabr1/9/1cn3nc1/p3p1p1p/2p6/6P2/P1P1P3P/1C2C1N2/9/RNBAKABR1 w - - 8 5",
    "r2akabn1/1r1n5/2c1b2c1/p1p1p1p1p/9/2P6/P3P1P1P/1CN1C1N2/9/R1BAKABR1 w - - 10 6",
    "r1bakabr1/9/1c4nc1/4p1p1p/pnp6/6P2/P1P1P3P/N1C1C1N2/9/R1BAKABR1 w - - 12 7",
    "r1b1kabr1/4a4/2nc2n1c/p1p1p3p/6p2/2P6/P3P1P1P/2NCC1N2/8R/1RBAKAB2 w - - 14 8",
    "rn2kab2/4a4/1c2b1n1c/p1p1p3p/9/2PN2pr1/P3P1P1P/BC2C1N2/3R5/R2AKAB2 w - - 16 9",
    "rn1akab2/9/1c2b1n1c/p1p1p3p/6p2/3N5/P3P1P1P/BC2C1N2/3R5/2rAKAB2 w - - 0 10",
    "2bakabr1/4n4/4c1n2/p1p1N1p1p/2P6/1r4P2/P3P3P/1C2C1Nc1/9/1RBAKABR1 w - - 1 11",
    "1r1akab2/3n5/3cb2cn/p1prp1p2/8p/2P3P2/P3P3P/2NCBCN2/4A4/R1BAK2R1 w - - 22 12",
    "2bakab1r/2c6/2n1c1n2/p3p1C1p/9/2p3R2/P3P3P/N3C1N2/4A4/2B1KAB2 b - - 0 13",
    "r3kab2/4a4/2n1b3c/p1p1p3p/1c5R1/1CPN5/P3P1p1n/2NC5/R8/2BAKAB2 b - - 0 14",
    "2baka3/9/3cb1n1c/2p1p3p/pn3rp2/2P2NPR1/P3P3P/C1N1B3C/9/2BAKA3 w - - 10 16",
    "r3kab2/2c1a4/4b4/p5p1C/9/2P1PnP2/P7P/1RNr5/9/R1BAKAB2 w - - 1 17",
    "r3kab2/4a1n2/4bc3/p1R5p/1r1N2p2/9/P3N1c1P/3CB4/4A4/R3KAB2 b - - 1 18",
    "2bakab2/9/c1n1c4/pCN1p1rNp/9/2P6/P3P1n1P/B3C4/4A4/3RKAB2 b - - 4 19",
    "1n1akab2/7R1/4b1n1N/p7p/5r3/4p1P2/P3c3P/2C1B3C/4A4/2BAK4 w - - 3 21",
    "2baka3/9/4b1n2/5CC1p/1n2p4/P3P1P2/2c3N1c/2N1B4/9/2BAKA3 w - - 3 22",
    "2r1kab2/4a4/3cb4/p3Cc2p/1RP3C2/9/P3P3P/8B/9/2BAKA3 b - - 4 23",
    "C1bak4/4a4/2Ncb4/8p/2p6/P5B2/2P1N1n1P/9/4A4/2B1KA3 b - - 0 24",
    "2bak1b2/4a4/9/p1R1n2Np/9/4p4/Pr2c3P/4C4/4A4/2B1KAB2 w - - 2 26",
    "3ak4/4a4/b3b4/p3CcC2/1cp2P2p/9/2n6/2N1B4/4A4/2BAK4 b - - 3 27",
    "2b1ka3/8R/n2Rc4/p1p3C2/4rr3/2P6/P7P/4B1N2/4A4/4KAB2 w - - 1 29",
    "1r2kab2/1c2a4/2n1b4/CRp1p3p/5R3/2P2CB2/P7c/9/4A1r2/3A1KB2 w - - 0 31",
    "4kab2/4a1c2/4bnn2/2pC4p/C1c6/9/P1N5P/4B1N2/4A4/4KAB2 b - - 0 32",
    "1C1a5/4a2R1/4bk3/r3n3p/9/6p2/P7P/9/4A4/2BAK1B2 w - - 2 34",
    "2ba5/4ak3/4b1N2/3N2c2/8p/p2c2P2/3n4P/3AB4/4A4/2BK5 w - - 4 36",
    "5kb2/1rN1a4/4bcn2/p3p3p/9/P3P4/2R5P/3CB4/4A4/4KAB2 w - - 11 38",
    "r1c1k4/3na4/9/pR4N1p/3NP4/3np1P2/2P5P/4B4/4A4/2BAK4 w - - 12 40",
    "3a5/3k5/5a3/p2rn2R1/c5b1p/1N7/8P/B8/2C1A4/2B1KA3 b - - 3 42",
    "3aka3/9/4b4/1P2c4/C1b1pN3/6P2/9/4B2n1/4A4/4KAB2 w - - 12 45",
    "2bak4/4a4/4b4/9/3P5/3p5/1r4pp1/B1N5R/4A2c1/1N1AK4 w - - 6 48",
    "3kcab2/6N2/5a3/3r4p/5R3/2P3B1P/9/9/9/4K1B2 w - - 5 51",
    "2bak1b2/4a4/4c4/8p/9/2PR2P1P/4r4/N2A5/9/2B1K4 w - - 6 55",
    "3k1ab2/4aP3/2P6/5N3/2b6/2N3B2/2c3n2/5p3/4K4/3p5 w - - 0 59",
    "3a5/9/4k4/9/4P4/9/9/3p1A1C1/c4K3/9 b - - 4 63",
    "4kab2/4a4/4b4/3P5/c8/5n3/9/4B4/4AC3/2BAK4 b - - 41 68",
    "4k1b2/4a4/3ab4/5R3/P5p1c/3r5/9/9/4A4/2B1KCB2 w - - 9 76",
    "3k2b2/3ca4/4baP2/5N2c/6p2/2B5C/9/4BA3/4A4/4K4 w - - 89 86",
    "3akab2/9/4b4/p3p1C2/2P3p2/9/P3P1n1P/4r4/CR5c1/3AKA3 w - - 4 23",
    "2R1k4/9/3a5/p7p/2b3p2/2N2r3/P2n2P2/3CB4/4K4/2B6 b - - 0 57",
    "3ak4/3c2R1n/b2ar4/p7p/2p6/9/P5P1P/9/4A4/2cK1AB2 w - - 2 30",
    "2bR1kbr1/4c4/2P2a3/pN4p1p/9/3n5/P4rP1P/C1N1BC1c1/4A4/2BAK2R1 b - - 0 23",
    "3k1a3/4a4/2n1N4/p1p4Rp/6P2/2P1n3P/Pc4r2/2N1C4/4r4/1RB1KA3 w - - 0 26",
    "3aka3/4n4/9/9/9/9/9/7C1/7r1/3AK4 w - - 0 1",
    "5R3/4k4/9/4r4/9/9/5p3/5A3/5K3/9 b - - 0 1",
    "3ak4/4a4/9/4P4/3N5/9/9/9/9/4K4 w - - 0 1",
    "3k5/9/3a5/9/9/9/9/9/4A4/2R1K4 w - - 0 1",
    "4kab2/4a4/4b4/9/9/2B6/9/4B4/4A4/R2AK2r1 w - - 0 1",
];

/// A searched position of the benchmark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct BenchedPosition {
    /// The number in [`POSITIONS`], from 1.
    pub number: usize,
    /// The position.
    pub fen: &'static str,
    /// `None` without a legal move.
    pub best: Option<Move>,
    /// Nodes searched.
    pub nodes: u64,
}

impl fmt::Display for BenchedPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let best = self.best.map_or_else(|| "none".to_owned(), |mv| mv.to_string());
        write!(f, "{:2}  {best}  {:>9}  {}", self.number, self.nodes, self.fen)
    }
}

/// Result of the benchmark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Nodes of all positions.
    pub nodes: u64,
    /// Time for all positions.
    pub time: Duration,
}

impl Summary {
    /// Returns the nodes per second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// Writes the line that OpenBench reads.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes {} nps", self.nodes, self.nps())
    }
}

/// Searches all positions under these rules with a new engine, one thread and the default hash.
/// `report` receives each.
pub fn run(
    depth: u32,
    rules: RuleSet,
    mut report: impl FnMut(BenchedPosition),
    is_stopped: impl Fn() -> bool,
) -> Summary {
    let mut engine = BlockingEngine::new();
    let known = engine.engine_mut().set_option("RepetitionRule", rules.name());
    debug_assert!(known.is_ok());
    let start = Instant::now();
    let mut nodes = 0;
    for (index, &fen) in POSITIONS.iter().enumerate() {
        let Ok(position) = Position::from_fen(fen) else { continue };
        if is_stopped() {
            break;
        }
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let conclusion = engine.search(position, limits, &is_stopped, |_| {}).conclusion;
        nodes += conclusion.nodes;
        let (best, nodes) = (conclusion.best, conclusion.nodes);
        report(BenchedPosition { number: index + 1, fen, best, nodes });
    }
    Summary { nodes, time: start.elapsed() }
}
