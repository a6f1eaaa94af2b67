//! Selects the positions of a game that the trainer learns from: quiet positions, which a static
//! evaluation can value.

use std::collections::HashSet;

use xiangqi::board::Position;
use xiangqi::geometry::Color;

use super::game::{GameError, GamePly, SelfPlayGame};
use super::lookahead::{DEFAULT_LOOKAHEAD, looking_ahead};
use super::packed_board::{PackedBoard, Sample};

/// Settings that decide which positions are kept.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FilterSettings {
    /// Positions with at least this absolute score, in centipawns, are dropped as decided.
    pub max_score: i16,
    /// True to keep positions in check.
    pub checks: bool,
    /// True to keep positions whose best move captures.
    pub captures: bool,
    /// Share of each score that comes from the scores after it, 0 to 1; see `looking_ahead`.
    pub lookahead: f32,
}

impl Default for FilterSettings {
    fn default() -> FilterSettings {
        FilterSettings {
            max_score: 2000,
            checks: false,
            captures: false,
            lookahead: DEFAULT_LOOKAHEAD,
        }
    }
}

/// Counts of kept and dropped positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FilterCounts {
    /// All positions seen.
    pub seen: u64,
    /// Dropped: in check.
    pub checks: u64,
    /// Dropped: the best move captures.
    pub captures: u64,
    /// Dropped: decided, by `max_score`.
    pub decided: u64,
    /// Dropped: the same board was kept before.
    pub duplicates: u64,
    /// Positions that became samples.
    pub kept: u64,
    /// Games with an invalid start position or an illegal move.
    pub broken_games: u64,
}

/// Turns games into samples, each board once.
#[derive(Default)]
pub struct SampleFilter {
    filter: FilterSettings,
    known: HashSet<u64>,
    counts: FilterCounts,
}

impl SampleFilter {
    /// Creates a filter that has seen no position yet.
    pub fn new(filter: FilterSettings) -> SampleFilter {
        SampleFilter { filter, ..SampleFilter::default() }
    }

    /// Returns the counts so far.
    pub fn counts(&self) -> FilterCounts {
        self.counts
    }

    /// Appends the samples of a game. If the game has an illegal move, the samples before that move
    /// are kept and the error names the move.
    ///
    /// # Errors
    /// The first illegal move of the game.
    pub fn filter_game(
        &mut self,
        game: &SelfPlayGame,
        samples: &mut Vec<Sample>,
    ) -> Result<(), GameError> {
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
        game: &SelfPlayGame,
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
        let result = match position.side() {
            Color::Red => game.result,
            Color::Black => game.result.reversed(),
        };
        Some(Sample {
            board,
            score: ply.score,
            result: result.half_points(),
            ply: number.min(255) as u8,
        })
    }
}
