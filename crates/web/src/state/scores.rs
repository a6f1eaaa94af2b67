//! The values of the positions of a game that the engine has found.

use std::collections::HashMap;

use cannonade_engine::Conclusion;
use cannonade_engine::search::{Bound, Score};
use xiangqi::board::Move;

use super::Place;

/// The value of a position of the game, for the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NodeScore {
    pub(crate) score: Score,
    pub(crate) depth: u32,
    /// The best line.
    pub(crate) line: Vec<Move>,
}

/// The number of games whose values are kept.
const MAX_GAMES: u64 = 32;

/// The values by their places; each of the deepest search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scores(HashMap<Place, NodeScore>);

impl Scores {
    pub(crate) fn of(&self, place: Place) -> Option<&NodeScore> {
        self.0.get(&place)
    }

    /// Returns whether a position of this game has a value.
    pub(super) fn has_any_of(&self, number: u64) -> bool {
        self.0.keys().any(|place| place.game == number)
    }

    /// Removes the values of games that are too far before this one.
    pub(super) fn forget_before(&mut self, number: u64) {
        self.0.retain(|place, _| place.game + MAX_GAMES > number);
    }

    /// Keeps a value, unless a deeper one is known.
    pub(super) fn insert(&mut self, place: Place, score: Score, depth: u32, line: &[Move]) {
        if self.of(place).is_none_or(|known| known.depth <= depth) {
            self.0.insert(place, NodeScore { score, depth, line: line.to_vec() });
        }
    }

    /// Keeps the value of a search without reported lines, such as that of a position in a table.
    pub(super) fn insert_conclusion(&mut self, place: Place, conclusion: &Conclusion) {
        let is_reported = self.of(place).is_some_and(|known| {
            known.depth >= conclusion.depth && known.line.first() == conclusion.best.as_ref()
        });
        // Reported values are exact.
        let is_worse = conclusion.bound != Bound::Exact && self.of(place).is_some();
        if !is_reported && !is_worse {
            let line: Vec<Move> = conclusion.best.into_iter().chain(conclusion.ponder).collect();
            self.insert(place, conclusion.score, conclusion.depth, &line);
        }
    }
}
