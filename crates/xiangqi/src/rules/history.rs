//! Finding repetitions while searching, at next to no cost for the nodes without one.
//!
//! A small table counts the positions of the past by the low bits of their keys (R. de Man, in
//! M. van Kervinck's Rookie). A node whose count is one is new, and that is nearly every node.

use crate::board::{Move, Position};

use super::RuleSet;
use super::entries::Entries;
use super::judge::{Ruling, judge_lasting, judge_pruned};
use super::occurrences::occurrences;

/// Counters of the filter; with 160 plies of past, one new position in 26 looks further.
const COUNTERS: usize = 4096;

/// How often the parts of the judge that are worth a count were reached. They are so rare that
/// counting costs nothing; `cargo bench --bench rules` shows them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Nodes that the filter could not call new, so that an earlier occurrence was searched for.
    pub searched: u64,
    /// Nodes that closed a loop for good: loops judged.
    pub judged: u64,
    /// Nodes whose chase information was noted when their first quiet move was reached.
    pub noted: u64,
    /// States whose chase information was found, by note or by need.
    pub found: u64,
}

/// The positions of a game and of the line that is searched, one entry for each state of the
/// [`Position`]. It must follow the position: [`History::push`] after each move or null move,
/// [`History::pop`] after each unmake.
///
/// # Which recurrence ends a line
///
/// A game ends at the third occurrence of a position and is ruled by all moves since the first of the
/// three. So is a line of a search. It can end at the second one only if both of this is true:
///
/// - The earlier occurrence lies after the root. If it belongs to the game, up to and including the root,
///   the side that offends went round once, but may still leave the loop.
/// - No other loop can change the verdict. A side may offend in one way in the first turn and in
///   another way in the second, and both together may be allowed (checks and chases, WXF 20.2, or chases
///   of two pieces). The verdict stays if neither side offends, or if the side to move checks
///   perpetually and the other side does not offend.
///
/// `scripts/repetition_games.py` compares such rules on small random games.
#[derive(Clone)]
pub struct History {
    rules: RuleSet,
    /// The ply of the root: the last one that belongs to the game.
    root: usize,
    counts: Box<[u16; COUNTERS]>,
    entries: Entries,
    tally: Tally,
}

impl History {
    /// The past of a position that is the root of a search.
    pub fn new(position: &Position, rules: RuleSet) -> History {
        History::with_root(position, position.ply(), rules)
    }

    /// The past of a position within a search that began at the ply `root`.
    pub fn with_root(position: &Position, root: usize, rules: RuleSet) -> History {
        let counts = Box::new([0; COUNTERS]);
        let (entries, tally) = (Entries::for_search(position), Tally::default());
        let mut history = History { rules, root, counts, entries, tally };
        for state in position.states() {
            *history.count(state.key) += 1;
        }
        history
    }

    /// The rule book.
    pub fn rules(&self) -> RuleSet {
        self.rules
    }

    /// What was done since the history was made.
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

    /// Follows the position back; call it before the position unmakes its last move.
    #[inline]
    pub fn pop(&mut self, position: &Position) {
        let count = self.count(position.key());
        *count = count.wrapping_sub(1);
    }

    /// Notes what the last move threatens, for the judge of the loops that a quiet move may close
    /// from here. A search calls it when it reaches the first quiet move of a node; captures close
    /// no loop, and most nodes are left before.
    #[inline]
    pub fn note(&mut self, position: &Position) {
        if matches!(self.rules, RuleSet::Wxf | RuleSet::Axf) && has_gone_back(position) {
            self.tally.noted += 1;
            self.entries.note(position);
        }
    }

    /// Whether the position may have occurred before; false is certain.
    #[inline]
    pub fn may_repeat(&self, position: &Position) -> bool {
        position.state().reversible_plies >= 4 && self.counts[index(position.key())] > 1
    }

    /// Whether the position has occurred before, whether the recurrence is final or not. A value from a
    /// table knows nothing of that: the value of the root itself would hide that the loop, gone
    /// round once more, is a loss.
    #[inline]
    pub fn has_occurred(&self, position: &Position) -> bool {
        self.may_repeat(position) && occurrences(position).next().is_some()
    }

    /// The verdict on the position if its recurrence is final, for the side to move. `beta` is the
    /// bound of the node and `draw_score` what a draw is worth to the side to move, on one scale.
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

/// Whether the opponent has just taken back its last move but one: if the mover does so too, a
/// loop is closed. Longer loops are too rare to be foreseen; the judge looks when they happen.
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
