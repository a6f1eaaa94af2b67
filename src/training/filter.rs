//! Which positions of a game the trainer learns from: quiet ones, whose value a net can see.

use std::collections::HashSet;

use super::game::{Game, GameError, GamePly};
use super::lookahead::{DEFAULT_LOOKAHEAD, looking_ahead};
use super::packed::{PackedBoard, Sample};
use crate::board::Position;

/// What is kept.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Filter {
    /// Scores at or beyond this, in centipawns, are dropped: the game is over there.
    pub max_score: i16,
    /// Keep positions in check.
    pub checks: bool,
    /// Keep positions whose best move captures.
    pub captures: bool,
    /// How much of each score is taken from those that follow, 0 to 1; see [`looking_ahead`].
    pub lookahead: f32,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter { max_score: 2000, checks: false, captures: false, lookahead: DEFAULT_LOOKAHEAD }
    }
}

/// How many positions went which way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FilterCounts {
    /// All positions seen.
    pub seen: u64,
    /// Dropped: in check.
    pub checks: u64,
    /// Dropped: the best move captures.
    pub captures: u64,
    /// Dropped: decided.
    pub decided: u64,
    /// Dropped: known already.
    pub duplicates: u64,
    /// Kept.
    pub kept: u64,
    /// Games that could not be played.
    pub broken_games: u64,
}

/// Turns games into samples, each placement once.
#[derive(Default)]
pub struct Sieve {
    filter: Filter,
    known: HashSet<u64>,
    counts: FilterCounts,
}

impl Sieve {
    /// A sieve that knows no position yet.
    pub fn new(filter: Filter) -> Sieve {
        Sieve { filter, ..Sieve::default() }
    }

    /// The counts so far.
    pub fn counts(&self) -> FilterCounts {
        self.counts
    }

    /// Appends the samples of a game. The error names what is wrong with the game; what came
    /// before that is kept.
    pub fn sift(&mut self, game: &Game, samples: &mut Vec<Sample>) -> Result<(), GameError> {
        let scores = looking_ahead(game, self.filter.lookahead);
        let replayed = game.replay(|position, number, ply| {
            let sample = self.sample(position, number, ply, game);
            samples.extend(sample.map(|sample| Sample { score: scores[number], ..sample }));
        });
        self.counts.broken_games += u64::from(replayed.is_err());
        replayed.map(|_| ())
    }

    fn sample(
        &mut self,
        position: &Position,
        number: usize,
        ply: GamePly,
        game: &Game,
    ) -> Option<Sample> {
        let (filter, counts) = (&self.filter, &mut self.counts);
        counts.seen += 1;
        let reason = if ply.score.unsigned_abs() >= filter.max_score.unsigned_abs() {
            Some(&mut counts.decided)
        } else if !filter.checks && position.in_check() {
            Some(&mut counts.checks)
        } else if !filter.captures && position.is_capture(ply.mv) {
            Some(&mut counts.captures)
        } else {
            None
        };
        if let Some(reason) = reason {
            *reason += 1;
            return None;
        }
        let board = PackedBoard::pack(position.board(), true);
        if !self.known.insert(board.hash()) {
            counts.duplicates += 1;
            return None;
        }
        counts.kept += 1;
        Some(Sample {
            board,
            score: ply.score,
            result: game.result.half_points(position.side()),
            ply: number.min(255) as u8,
        })
    }
}
