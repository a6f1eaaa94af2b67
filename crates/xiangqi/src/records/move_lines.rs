//! The lines of moves of a game by their numbers, for formats in which a line says which other line it
//! leaves, and where.

use std::collections::BTreeMap;

use super::NodeId;

/// The lines of a game by their numbers.
pub(super) struct MoveLines {
    known: BTreeMap<usize, KnownLine>,
}

struct KnownLine {
    /// The line that has the move before the first one. Each ancestor begins earlier.
    parent: usize,
    /// A more distant ancestor, by which any ancestor is found in a logarithmic number of steps
    /// (Myers, "An applicative random-access stack", 1983).
    jump: usize,
    /// Number of ancestors.
    depth: usize,
    /// The half-move that its first move is, from 1.
    first: usize,
    /// The places after its moves, once they are played.
    places: Vec<NodeId>,
}

impl MoveLines {
    /// Returns the lines of a game of which only the main line is known, by the places after its
    /// moves. Its number is 0.
    pub(super) fn new(places: Vec<NodeId>) -> MoveLines {
        let main = KnownLine { parent: 0, jump: 0, depth: 0, first: 1, places };
        MoveLines { known: BTreeMap::from([(0, main)]) }
    }

    /// Returns whether there is a line with this number.
    pub(super) fn contains(&self, index: usize) -> bool {
        self.known.contains_key(&index)
    }

    /// Sets the places after the moves of a line.
    pub(super) fn set_places(&mut self, index: usize, places: Vec<NodeId>) {
        if let Some(known) = self.known.get_mut(&index) {
            known.places = places;
        }
    }

    /// Adds the place after the next move of a line.
    pub(super) fn add_place(&mut self, index: usize, place: NodeId) {
        if let Some(known) = self.known.get_mut(&index) {
            known.places.push(place);
        }
    }

    /// Returns the place after a half-move of a line, which may be one that it shares with its
    /// parent.
    pub(super) fn place(&self, line: usize, ply: usize) -> Option<NodeId> {
        let (_, played) = self.owner(line, ply)?;
        played.places.get(ply.checked_sub(played.first)?).copied()
    }

    /// Returns the line that has a half-move of a line: itself or one that it leaves after it.
    fn owner(&self, mut line: usize, ply: usize) -> Option<(usize, &KnownLine)> {
        loop {
            let played = self.known.get(&line)?;
            if played.first <= ply {
                return Some((line, played));
            }
            if line == 0 {
                return None;
            }
            let is_before = self.known.get(&played.jump).is_some_and(|far| far.first > ply);
            line = if is_before { played.jump } else { played.parent };
        }
    }

    /// Adds a line that leaves another one before the half-move `first`. Returns the line that has
    /// the move before.
    pub(super) fn insert(&mut self, index: usize, left: usize, first: usize) -> usize {
        let parent = self.owner(left, first - 1).map_or(0, |(line, _)| line);
        let step = |line: usize| self.known.get(&line).map_or((0, 0), |at| (at.jump, at.depth));
        let (near, depth) = step(parent);
        let (far, near_depth) = step(near);
        let (_, far_depth) = step(far);
        let jump = if depth - near_depth == near_depth - far_depth { far } else { parent };
        let line = KnownLine { parent, jump, depth: depth + 1, first, places: Vec::new() };
        self.known.insert(index, line);
        parent
    }
}
