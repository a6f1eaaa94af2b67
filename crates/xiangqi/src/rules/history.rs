//! Detection of repetitions in a search, at almost no cost for nodes without one.
//!
//! A small table counts the positions of the past by the low bits of their keys (R. de Man, in
//! M. van Kervinck's Rookie). A node whose count is one is new, and that is nearly every node.

use std::fmt;

use crate::board::{Move, Position};

use super::RuleSet;
use super::entries::Entries;
use super::judge::{Ruling, judge_lasting, judge_pruned};
use super::occurrences::occurrences;

/// Counters of the filter; with 160 plies of past, one new position in 26 looks further.
const COUNTERS: usize = 4096;

/// The end of a counter in a game, which leaves room for the line of a search.
const MOST: u16 = u16::MAX / 2;

/// Counters of the rare parts of the judge, which cost nothing; `cargo bench rules::` shows
/// them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Tally {
    /// Nodes that the filter did not call new: searches for an earlier occurrence.
    pub searched: u64,
    /// Loops judged.
    pub judged: u64,
    /// Nodes whose chase information was noted when their first quiet move was reached.
    pub noted: u64,
    /// States whose chase information was found, by note or by need.
    pub found: u64,
}

/// The positions of a game and of the line that is searched, one entry for each state of the
/// [`Position`]. It must follow the position: [`GameHistory::push`] after each move or null move,
/// [`GameHistory::pop`] after each unmake.
///
/// # Which recurrence ends a line
///
/// A game ends at the third occurrence of a position and is ruled by all moves since the first of
/// the three. So is a line of a search. It can end at the second one only if both conditions hold:
///
/// - The earlier occurrence lies after the root. If it belongs to the game, up to and including the
///   root, the offending side has gone round once and may still leave the loop.
/// - No other loop can change the verdict. A side may offend in one way in the first turn and in
///   another way in the second, and both together may be allowed (checks and chases, WXF 20.2, or
///   chases of two pieces). The verdict stays if neither side offends, or if the side to move
///   checks perpetually and the other side does not offend.
///
/// `scripts/repetition_games.py` compares such rules on small random games.
#[derive(Clone)]
pub struct GameHistory {
    rules: RuleSet,
    /// The ply of the root: the last one that belongs to the game.
    root: usize,
    counts: Box<[u16; COUNTERS]>,
    entries: Entries,
    tally: Tally,
}

impl fmt::Debug for GameHistory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GameHistory { rules, root, tally, .. } = self;
        let mut fields = f.debug_struct("GameHistory");
        fields.field("rules", rules).field("root", root).field("tally", tally);
        fields.finish_non_exhaustive()
    }
}

impl GameHistory {
    /// Returns the past of a position that is the root of a search.
    pub fn new(position: &Position, rules: RuleSet) -> GameHistory {
        GameHistory::with_root(position, position.ply(), rules)
    }

    /// Returns the past of a position within a search that began at the ply `root`.
    pub fn with_root(position: &Position, root: usize, rules: RuleSet) -> GameHistory {
        let counts = Box::new([0; COUNTERS]);
        let (entries, tally) = (Entries::for_search(position), Tally::default());
        let mut history = GameHistory { rules, root, counts, entries, tally };
        for state in position.states() {
            let count = history.count(state.key);
            *count = (*count + 1).min(MOST);
        }
        history
    }

    /// Returns the rule book.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// Returns the counters since the history was made.
    pub fn tally(&self) -> Tally {
        Tally { found: self.entries.found(), ..self.tally }
    }

    /// Makes room for `plies` more states, so that a search allocates nothing.
    pub fn reserve(&mut self, plies: usize) {
        self.entries.reserve(plies);
    }

    /// Follows the position after a move or null move.
    #[inline]
    pub fn push(&mut self, position: &Position) {
        let count = self.count(position.key());
        *count = count.wrapping_add(1);
        self.entries.begin(position);
    }

    /// Takes back the last move. Call it before the position unmakes that move.
    #[inline]
    pub fn pop(&mut self, position: &Position) {
        let count = self.count(position.key());
        *count = count.wrapping_sub(1);
    }

    /// Records the threats of the last move for judging loops that a quiet move may close. A search
    /// calls it when it reaches the first quiet move of a node; captures close no loop, and most
    /// nodes are left before.
    #[inline]
    pub fn note(&mut self, position: &Position) {
        if matches!(self.rules, RuleSet::Wxf | RuleSet::Axf) && has_gone_back(position) {
            self.tally.noted += 1;
            self.entries.note(position);
        }
    }

    /// Returns whether the position may have occurred before; false is certain.
    #[inline]
    pub fn may_repeat(&self, position: &Position) -> bool {
        position.state().reversible_plies >= 4 && self.counts[index(position.key())] > 1
    }

    /// Returns whether the position has occurred before, whether the recurrence is final or not.
    /// Table values ignore repetition and could hide that repeating loses.
    #[inline]
    pub fn has_occurred(&self, position: &Position) -> bool {
        self.may_repeat(position) && occurrences(position).next().is_some()
    }

    /// Returns the verdict on the position if its recurrence is final, for the side to move. `beta`
    /// is the bound of the node and `draw_score` the value of a draw for the side to move, on one
    /// scale.
    #[inline]
    pub fn judge_prune(
        &mut self,
        position: &Position,
        draw_score: i32,
        beta: i32,
    ) -> Option<Ruling> {
        if !self.may_repeat(position) {
            return None;
        }
        self.tally.searched += 1;
        let mut earlier = occurrences(position);
        let last = earlier.next()?;
        let first = earlier.next();
        let since = first.unwrap_or(last);
        if first.is_none() && last <= self.root {
            return None;
        }
        self.tally.judged += 1;
        let length = position.ply() - since;
        let draw_is_enough = draw_score >= beta;
        let entries = &mut self.entries;
        let verdict = match first {
            Some(_) => judge_pruned(entries, position, length, self.rules, draw_is_enough),
            None => judge_lasting(entries, position, length, self.rules, draw_is_enough)?,
        };
        Some(Ruling { verdict, since })
    }

    #[inline]
    fn count(&mut self, key: u64) -> &mut u16 {
        &mut self.counts[index(key)]
    }
}

/// Returns whether the opponent has just taken back its last move but one: if the mover does so
/// too, a loop is closed. Longer loops are too rare to be foreseen; the judge computes threats when
/// they close.
#[inline]
fn has_gone_back(position: &Position) -> bool {
    let states = position.states();
    let now = states.len() - 1;
    position.state().reversible_plies >= 3
        && states[now].mv == states[now - 2].mv.map(Move::reversed)
}

#[inline]
fn index(key: u64) -> usize {
    key as usize % COUNTERS
}
