//! Samples of positions with known results, such as those of `cannonade tables sample`.

use std::collections::HashSet;

use cannonade_tables::random::Random;
use thiserror::Error;
use xiangqi::board::{FenError, Position};

use super::packed_board::{PackedBoard, Sample};

/// Settings of samples from positions with results.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LabelSettings {
    /// The score of a won position, in centipawns; that of a drawn one is 0.
    pub won_score: i16,
    /// The share of the won and the lost positions that is kept, 0 to 1. The choice depends on
    /// their boards alone.
    pub decided_share: f32,
}

impl Default for LabelSettings {
    fn default() -> LabelSettings {
        LabelSettings { won_score: 600, decided_share: 0.3 }
    }
}

/// The reason why a line is not a position with its result.
#[derive(Debug, Error)]
pub enum LabelError {
    /// The line has no second field.
    #[error("expected a FEN, a tab, and the result for the side to move: win, draw or loss")]
    NoResult,
    /// The second field is another word.
    #[error("the result '{0}'; expected win, draw or loss")]
    Result(String),
    /// The first field is not a position.
    #[error("the position: {0}")]
    Position(FenError),
}

/// Counts of kept and dropped positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LabelCounts {
    /// Won, drawn and lost ones that were kept.
    pub kept: [u64; 3],
    /// Dropped: in check, or some move captures. A search decides such positions, not an
    /// evaluation.
    pub unquiet: u64,
    /// Dropped: the same board was kept before.
    pub duplicates: u64,
    /// Dropped: won or lost, and outside the share that is kept.
    pub decided: u64,
}

/// Turns lines of positions with results into samples, each board once.
#[derive(Default)]
pub struct LabelReader {
    settings: LabelSettings,
    known: HashSet<u64>,
    counts: LabelCounts,
}

impl LabelReader {
    /// Creates a reader that has seen no position yet.
    pub fn new(settings: LabelSettings) -> LabelReader {
        LabelReader { settings, ..LabelReader::default() }
    }

    /// Returns the counts so far.
    pub fn counts(&self) -> LabelCounts {
        self.counts
    }

    /// Reads `FEN tab result`, where more fields may follow; the result is that of the side to
    /// move. `None` if the position was dropped. The sample has the result and a matching score.
    ///
    /// # Errors
    ///
    /// If the line has another form, or the FEN is not a legal position.
    pub fn read(&mut self, line: &str) -> Result<Option<Sample>, LabelError> {
        let (fen, rest) = line.split_once('\t').ok_or(LabelError::NoResult)?;
        let word = rest.split('\t').next().unwrap_or(rest).trim();
        let won = self.settings.won_score;
        let (place, score, result) = match word {
            "win" => (0, won, 2),
            "draw" => (1, 0, 1),
            "loss" => (2, -won, 0),
            _ => return Err(LabelError::Result(word.to_owned())),
        };
        let position = Position::from_fen(fen.trim()).map_err(LabelError::Position)?;
        let captures = || position.legal_moves().into_iter().any(|mv| position.is_capture(mv));
        if position.in_check() || captures() {
            self.counts.unquiet += 1;
            return Ok(None);
        }
        let board = PackedBoard::pack(position.board(), true);
        if !self.known.insert(board.hash()) {
            self.counts.duplicates += 1;
            return Ok(None);
        }
        let drawn_lot = Random::new(board.hash()).unit_f32();
        if result != 1 && drawn_lot >= self.settings.decided_share {
            self.counts.decided += 1;
            return Ok(None);
        }
        self.counts.kept[place] += 1;
        Ok(Some(Sample { board, score, result, ply: 0 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_result_becomes_score_and_result_of_the_side_to_move() {
        let settings = LabelSettings { won_score: 700, decided_share: 1.0 };
        let mut reader = LabelReader::new(settings);
        let drawn = "2bak4/4a4/4b4/9/9/9/9/9/R8/3K5 w - - 0 1\tdraw\t-";
        let sample = reader.read(drawn).expect("a line").expect("a quiet position");
        assert_eq!((sample.score, sample.result), (0, 1));
        assert!(reader.read(drawn).expect("a line").is_none(), "the second time");
        let lost = reader.read("3k5/9/7r1/9/9/9/9/3AK4/9/9 w - - 0 1\tloss");
        let lost = lost.expect("a line").expect("a quiet position");
        assert_eq!((lost.score, lost.result), (-700, 0));
        let counts = LabelCounts { kept: [0, 1, 1], unquiet: 0, duplicates: 1, decided: 0 };
        assert_eq!(reader.counts(), counts);
    }

    #[test]
    fn positions_in_check_or_with_captures_are_dropped() {
        let mut reader = LabelReader::default();
        for line in [
            "3k5/9/9/9/9/9/9/3r5/9/3K5 w - - 0 1\tloss\t0",
            "3k5/9/9/9/9/9/9/9/R3r4/5K3 w - - 0 1\twin\t5",
        ] {
            assert!(reader.read(line).expect("a line").is_none(), "{line}");
        }
        assert_eq!(reader.counts().unquiet, 2);
    }

    #[test]
    fn a_share_of_the_decided_positions_is_kept() {
        let kept = |share| {
            let settings = LabelSettings { decided_share: share, ..LabelSettings::default() };
            let mut reader = LabelReader::new(settings);
            for file in 1..=8 {
                let fen = format!("3k5/9/9/9/9/9/9/{}R{}/9/4K4 b - - 0 1", file - 1, 9 - file);
                reader.read(&format!("{}\tloss", fen.replace('0', ""))).expect("a line");
            }
            reader.counts()
        };
        assert_eq!((kept(1.0).kept[2], kept(0.0).kept[2]), (7, 0));
        assert_eq!((kept(0.0).decided, kept(1.0).decided), (7, 0));
        let some = kept(0.5);
        assert!((1..7).contains(&some.kept[2]), "{some:?}");
        assert_eq!(some, kept(0.5));
    }

    #[test]
    fn other_lines_are_refused_with_the_reason() {
        let mut reader = LabelReader::default();
        let fen = "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1";
        assert!(matches!(reader.read(fen), Err(LabelError::NoResult)));
        assert!(matches!(reader.read(&format!("{fen}\t1-0")), Err(LabelError::Result(_))));
        assert!(matches!(reader.read("9/9\twin"), Err(LabelError::Position(_))));
    }
}
