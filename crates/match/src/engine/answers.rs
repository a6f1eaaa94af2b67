//! The lines an engine writes during a game: `info` and `bestmove`, in UCI and UCCI.

use std::time::Duration;

use xiangqi::Score;

/// Moves kept of a principal variation.
const MAX_LINE_MOVES: usize = 40;

/// The reports of an engine on the search of a move: the last complete values of its `info` lines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineInfo {
    /// The evaluation, for the side to move.
    pub score: Option<Score>,
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The depth of the longest line searched, in plies.
    pub selective_depth: Option<u32>,
    /// The nodes searched.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub speed: Option<u64>,
    /// The time of the search so far; `None` after a ponder hit, where engines count differently.
    pub time: Option<Duration>,
    /// The principal variation.
    pub line: Vec<String>,
}

impl EngineInfo {
    /// Takes over the values of a line `info ..`; other lines change nothing.
    pub fn update(&mut self, line: &str) {
        let Some(rest) = line.strip_prefix("info ") else { return };
        let mut words = rest.split_whitespace().peekable();
        let mut new = EngineInfo::default();
        while let Some(word) = words.next() {
            match word {
                "string" | "message" => break,
                "pv" => {
                    let is_move = |word: &&str| word.bytes().all(|b| b.is_ascii_alphanumeric());
                    let moves = words.by_ref().take_while(is_move).take(MAX_LINE_MOVES);
                    new.line = moves.map(str::to_owned).collect();
                    break;
                }
                // Only the first line is the one it plays, and a bound is not an evaluation.
                "multipv" if words.peek().is_some_and(|&n| n != "1") => return,
                "lowerbound" | "upperbound" => return,
                "depth" => new.depth = words.next().and_then(|n| n.parse().ok()),
                "seldepth" => new.selective_depth = words.next().and_then(|n| n.parse().ok()),
                "nodes" => new.nodes = words.next().and_then(|n| n.parse().ok()),
                "nps" => new.speed = words.next().and_then(|n| n.parse().ok()),
                "time" => {
                    let millis = words.next().and_then(|n| n.parse().ok());
                    new.time = millis.map(Duration::from_millis);
                }
                "score" => new.score = read_score(&mut words),
                _ => {}
            }
        }
        if new.score.is_some() {
            self.score = new.score;
            self.depth = new.depth.or(self.depth);
            self.selective_depth = new.selective_depth.or(self.selective_depth);
            self.line = new.line;
        }
        self.nodes = new.nodes.or(self.nodes);
        self.speed = new.speed.or(self.speed);
        self.time = new.time.or(self.time);
    }
}

/// UCCI scores from this number on are mates: 30000 less the plies to it, as Cannonade writes.
const UCCI_MATES: i32 = 29_000;

/// Returns the words after `score`: `cp N` or `mate N`, in UCCI also only `N`.
fn read_score<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Score> {
    match words.next()? {
        "cp" => read_number(words.next()?).map(Score::Cp),
        "mate" => read_number(words.next()?).map(Score::Mate),
        number => {
            let number = read_number(number)?;
            let plies = 30_000 - number.abs();
            Some(match number.abs() {
                UCCI_MATES..=30_000 => Score::Mate(number.signum() * (plies + 1) / 2),
                _ => Score::Cp(number),
            })
        }
    }
}

/// Returns the number of a score, within a million of zero so that sums of it fit.
fn read_number(word: &str) -> Option<i32> {
    word.parse().ok().map(|number: i32| number.clamp(-1_000_000, 1_000_000))
}

/// The answer to `go`: a `bestmove` or `nobestmove` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BestMoveReply {
    /// The move as written; `None` if the engine has none.
    pub(crate) text: Option<String>,
    /// The move the engine expects next, as written.
    pub(crate) ponder: Option<String>,
    /// UCCI: true if the engine offers or accepts a draw.
    pub(crate) draw: bool,
    /// UCCI: true if the engine resigns.
    pub(crate) resign: bool,
}

impl BestMoveReply {
    /// Reads `bestmove ..` and `nobestmove`; `None` for any other line.
    pub(super) fn parse(line: &str) -> Option<BestMoveReply> {
        let mut words = line.split_whitespace();
        let mut best = BestMoveReply { text: None, ponder: None, draw: false, resign: false };
        match words.next()? {
            "nobestmove" => return Some(best),
            "bestmove" => {}
            _ => return None,
        }
        let text = words.next().unwrap_or_default();
        let none = matches!(text, "(none)" | "none" | "0000" | "null" | "");
        best.text = (!none).then(|| text.to_owned());
        while let Some(word) = words.next() {
            match word {
                "ponder" => best.ponder = words.next().map(str::to_owned),
                "draw" => best.draw = true,
                "resign" => best.resign = true,
                _ => {}
            }
        }
        Some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_are_read_in_both_protocols() {
        let mut info = EngineInfo::default();
        let line = "info depth 9 seldepth 12 score cp -35 nodes 812 nps 1 time 80 pv h2e2 h9g7";
        info.update(line);
        let read = |score, depth, nodes| EngineInfo {
            score: Some(score),
            depth: Some(depth),
            selective_depth: Some(12),
            nodes: Some(nodes),
            speed: Some(1),
            time: Some(Duration::from_millis(80)),
            line: vec!["h2e2".to_owned(), "h9g7".to_owned()],
        };
        assert_eq!(info, read(Score::Cp(-35), 9, 812));
        info.update("info depth 10 score cp 500 lowerbound nodes 900");
        info.update("info depth 10 multipv 2 score cp 500 nodes 900");
        info.update("info string depth 3 score cp 4");
        info.update("info depth 11 score x");
        assert_eq!(info, read(Score::Cp(-35), 9, 812));
        info.update("info nodes 1000 nps 1 time 80");
        assert_eq!(info, read(Score::Cp(-35), 9, 1000));
        info.update("info depth 4 score 9999 pv h2e2 h9g7 } x");
        assert_eq!(info, read(Score::Cp(9999), 4, 1000), "a move has letters and digits only");
        for (text, score) in [
            ("-2147483648", Score::Cp(-1_000_000)),
            ("cp -2147483648", Score::Cp(-1_000_000)),
            ("mate 2147483647", Score::Mate(1_000_000)),
            ("-29997", Score::Mate(-2)),
        ] {
            info.update(&format!("info depth 4 score {text}"));
            assert_eq!(info.score, Some(score), "{text}");
        }
        for (score, moves) in [(29_999, 1), (29_997, 2), (-29_998, -1), (-29_996, -2)] {
            info.update(&format!("info depth 5 score {score} pv h2e2"));
            assert_eq!(info.score, Some(Score::Mate(moves)), "{score}");
        }
        info.update("info depth 5 score mate -3 pv h2e2");
        assert_eq!(info.score, Some(Score::Mate(-3)));
    }

    #[test]
    fn best_moves_are_read_with_all_that_may_follow() {
        let best = BestMoveReply::parse("bestmove h2e2 ponder h9g7 draw").expect("a best move");
        assert_eq!(best.text.as_deref(), Some("h2e2"));
        assert_eq!(best.ponder.as_deref(), Some("h9g7"));
        assert!(best.draw && !best.resign);
        for none in ["nobestmove", "bestmove (none)", "bestmove", "bestmove 0000"] {
            assert_eq!(BestMoveReply::parse(none).and_then(|best| best.text), None);
        }
        assert_eq!(BestMoveReply::parse("info bestmove h2e2"), None);
        assert_eq!(BestMoveReply::parse(""), None);
    }
}
