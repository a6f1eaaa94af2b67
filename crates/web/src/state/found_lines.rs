//! The lines found by an analysis.

use std::cmp::Reverse;

use cannonade_engine::search::PvInfo;

use super::Place;

/// The lines found by an analysis, the best one first.
#[derive(Clone, Debug, Default)]
pub(crate) struct FoundLines {
    place: Option<Place>,
    lines: Vec<PvInfo>,
}

impl FoundLines {
    /// Returns the lines of a position of the game; none if the last search was of another one.
    pub(crate) fn of(&self, place: Place) -> &[PvInfo] {
        if self.place == Some(place) { &self.lines } else { &[] }
    }

    /// Keeps at most `most` lines.
    pub(super) fn truncate(&mut self, most: usize) {
        self.lines.truncate(most);
    }

    /// Keeps a line of a position, and at most `most` lines. It replaces an older one with the same
    /// move or rank. Lines of the last depth stand before those of the depth before, which its
    /// search has not replaced yet.
    pub(super) fn insert(&mut self, place: Place, line: &PvInfo, most: usize) {
        if self.place != Some(place) {
            *self = FoundLines { place: Some(place), lines: Vec::new() };
        }
        // A search that is resumed after a pause begins with the first depth again.
        if self.lines.iter().any(|known| known.depth > line.depth && known.multi_pv <= 1) {
            return;
        }
        self.lines.retain(|known| {
            let is_same_rank = known.depth == line.depth && known.multi_pv == line.multi_pv;
            known.pv.first() != line.pv.first() && !is_same_rank
        });
        self.lines.push(line.clone());
        self.lines.sort_by_key(|line| (Reverse(line.depth), line.multi_pv));
        self.lines.truncate(most);
    }
}
