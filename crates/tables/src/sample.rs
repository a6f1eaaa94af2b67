//! Random endgame positions with their values, for training and for openings of test matches.

use xiangqi::board::Position;
use xiangqi::geometry::Color;
use xiangqi::rules::Wdl;

use super::collection::Tables;
use super::placements;
use super::signature::Signature;
use super::value::Value;
use crate::random::Random;

/// Maximum number of attempts to find a position with a wanted result before another result is
/// taken.
const ATTEMPTS: usize = 400;

/// Draws positions from tables.
pub struct Sampler<'a> {
    tables: &'a Tables,
    signatures: Vec<Signature>,
    random: Random,
    balanced: bool,
    drawn: usize,
}

impl<'a> Sampler<'a> {
    /// Creates a sampler of these signatures, each as likely as the others. A balanced one takes
    /// wins, draws and losses in turn as far as a signature has them.
    pub fn new(
        tables: &'a Tables,
        signatures: Vec<Signature>,
        seed: u64,
        balanced: bool,
    ) -> Sampler<'a> {
        Sampler { tables, signatures, random: Random::new(seed), balanced, drawn: 0 }
    }
}

/// Never ends unless there is no signature, or a table is missing.
impl Iterator for Sampler<'_> {
    type Item = (Position, Value);

    fn next(&mut self) -> Option<(Position, Value)> {
        if self.signatures.is_empty() {
            return None;
        }
        let signature = self.signatures[self.random.below(self.signatures.len())];
        let strong = Color::ALL[self.random.below(2)];
        let pieces = placements::pieces(signature, strong);
        let wanted = [Wdl::Win, Wdl::Draw, Wdl::Loss][self.drawn % 3];
        self.drawn += 1;
        for attempt in 0.. {
            let position = placements::random(&pieces, &mut self.random);
            let value = self.tables.value(position.board())?;
            if !self.balanced || value.wdl() == wanted || attempt >= ATTEMPTS {
                return Some((position, value));
            }
        }
        None
    }
}
