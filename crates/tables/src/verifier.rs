//! A test of tables that shares no code with the generator: moves come from the engine's own
//! generator, positions from placing pieces.
//!
//! If every position without a move is lost in 0 plies, and every other value is the best of those
//! of its moves, then by induction over the plies every win and loss is right; in the remaining
//! positions a side can always avoid a decision by a move, so they are draws.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rayon::prelude::*;

use xiangqi::board::Position;
use xiangqi::geometry::Color;
use xiangqi::rules::Wdl;

use super::collection::Tables;
use super::placements;
use super::signature::Signature;
use super::value::Value;
use crate::random::Random;

/// Maximum number of contradictions kept as text.
const MAX_EXAMPLES: usize = 5;

/// Result of a verification.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct TableVerification {
    /// Positions whose value was compared with those of their moves.
    pub positions: u64,
    /// Positions that a plain search has confirmed.
    pub searched: u64,
    /// Positions with a wrong value, or with a move that no table holds; a wrong checksum counts as
    /// one.
    pub contradictions: u64,
    /// The first few contradictions.
    pub examples: Vec<String>,
}

impl TableVerification {
    fn join(mut self, other: TableVerification) -> TableVerification {
        self.positions += other.positions;
        self.searched += other.searched;
        self.contradictions += other.contradictions;
        self.examples.extend(other.examples);
        self.examples.truncate(MAX_EXAMPLES);
        self
    }

    fn note(&mut self, position: &Position, text: &str) {
        self.contradictions += 1;
        if self.examples.len() < MAX_EXAMPLES {
            self.examples.push(format!("{}: {text}", position.fen()));
        }
    }

    /// Compares the value of a position with those of its moves.
    fn compare(&mut self, tables: &Tables, position: &mut Position) {
        self.positions += 1;
        let Some(value) = tables.value(position.board()) else {
            return self.note(position, "no value");
        };
        let mut best: Option<Value> = None;
        for mv in position.legal_moves() {
            position.play_unchecked(mv);
            let after = tables.value(position.board()).map(Value::before);
            position.unmake();
            let Some(after) = after else { return self.note(position, "a move leads to no table") };
            let rank = |value: Value| (value.rank(), value.is_exact());
            if best.is_none_or(|best| rank(after) > rank(best)) {
                best = Some(after);
            }
        }
        let expected = best.unwrap_or(Value::decided(0));
        if value.rank() != expected.rank() {
            self.note(position, &format!("{value:?}, but its moves give {expected:?}"));
        } else if value == Value::DRAW && !expected.is_exact() {
            self.note(position, "a draw, but no move leads to one that needs no perpetual check");
        }
    }

    /// Compares the value of a position with a search of `plies` plies.
    fn search(
        &mut self,
        tables: &Tables,
        position: &mut Position,
        plies: u8,
        cancelled: &AtomicBool,
    ) {
        let found = decided_within(position, plies, cancelled);
        if cancelled.load(Ordering::Relaxed) {
            return;
        }
        self.searched += 1;
        let Some(value) = tables.value(position.board()) else {
            return self.note(position, "no value");
        };
        let near = value.plies().filter(|&distance| distance <= plies);
        if found != near {
            self.note(position, &format!("{value:?}, but a search of {plies} plies: {found:?}"));
        }
    }
}

/// Returns the plies to the end if both play best and it comes within `plies`; anything once
/// `cancelled` is set.
fn decided_within(position: &mut Position, plies: u8, cancelled: &AtomicBool) -> Option<u8> {
    if cancelled.load(Ordering::Relaxed) {
        return None;
    }
    if plies == 0 {
        return (!position.has_legal_move()).then_some(0);
    }
    let (mut win, mut loss) = (None, Some(0));
    for mv in position.legal_moves() {
        position.play_unchecked(mv);
        let after = decided_within(position, plies - 1, cancelled);
        position.unmake();
        match after {
            Some(distance) if distance.is_multiple_of(2) => {
                win = Some(win.map_or(distance + 1, |best: u8| best.min(distance + 1)));
            }
            Some(distance) => loss = loss.map(|longest: u8| longest.max(distance + 1)),
            None => loss = None,
        }
    }
    win.or(loss)
}

/// Settings of a verification.
#[derive(Debug, Clone, Copy)]
pub struct VerifyPlan {
    /// Number of random positions to compare; `None` compares all of them.
    pub positions: Option<u64>,
    /// Number of random positions to search, half of them decided within `plies` if possible.
    pub searched: u64,
    /// Maximum plies of these searches.
    pub plies: u8,
    /// The seed of the random positions.
    pub seed: u64,
    /// Threads to work on, as far as rayon's pool has them.
    pub threads: usize,
}

/// Verifies one signature; returns early, with the findings so far, once `cancelled` is set.
pub fn verify(
    tables: &Tables,
    signature: Signature,
    plan: &VerifyPlan,
    cancelled: &AtomicBool,
) -> TableVerification {
    let pieces = placements::pieces(signature, Color::Red);
    let kings: Vec<_> = Color::Red
        .palace()
        .into_iter()
        .flat_map(|red| Color::Black.palace().into_iter().map(move |black| [red, black]))
        .collect();
    let tasks = kings.len() as u64;
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = TableVerification::default();
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            let Some(&kings) = kings.get(task) else { break };
            let mut random = Random::stream(plan.seed, task as u64);
            match plan.positions {
                None => placements::for_each(&pieces, kings, &mut |mut position| {
                    if !cancelled.load(Ordering::Relaxed) {
                        found.compare(tables, &mut position);
                    }
                }),
                Some(count) => {
                    for _ in 0..count.div_ceil(tasks) {
                        if cancelled.load(Ordering::Relaxed) {
                            break;
                        }
                        found.compare(tables, &mut placements::random(&pieces, &mut random));
                    }
                }
            }
            for i in 0..plan.searched.div_ceil(tasks) {
                if cancelled.load(Ordering::Relaxed) {
                    break;
                }
                let mut position = placements::random(&pieces, &mut random);
                if i.is_multiple_of(2) {
                    position = near_the_end(tables, &pieces, position, plan.plies, &mut random);
                }
                found.search(tables, &mut position, plan.plies, cancelled);
            }
        }
        found
    };
    let mut checksum = TableVerification::default();
    if let Err(defect) = tables.check(signature) {
        checksum.contradictions = 1;
        checksum.examples.push(defect.to_string());
    }
    let found: Vec<_> = (0..plan.threads.max(1)).into_par_iter().map(|_| work()).collect();
    found.into_iter().fold(checksum, TableVerification::join)
}

/// Returns a position decided within `plies`, if some hundred attempts find one.
fn near_the_end(
    tables: &Tables,
    pieces: &[xiangqi::geometry::Piece],
    mut position: Position,
    plies: u8,
    random: &mut Random,
) -> Position {
    let is_near = |position: &Position| {
        let value = tables.value(position.board());
        value.is_some_and(|value| {
            value.wdl() != Wdl::Draw && value.plies().is_some_and(|distance| distance <= plies)
        })
    };
    for _ in 0..300 {
        if is_near(&position) {
            break;
        }
        position = placements::random(pieces, random);
    }
    position
}
