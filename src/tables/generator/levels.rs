//! The values of one signature, level by level.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use super::captures::CaptureTables;
use super::monitor::{BuildError, Monitor};
use super::parallel::for_chunks;
use super::steps::Placement;
use crate::geometry::Square;
use crate::tables::layout::Layout;
use crate::tables::value::{Value, Wdl};

/// Pairs of camps that a thread takes at a time.
const BLOCKS_PER_CHUNK: usize = 8;
/// Positions of a level that a thread takes at a time.
const POSITIONS_PER_CHUNK: usize = 1 << 14;

/// A counter that was not made yet.
const UNTOUCHED: u8 = 0;
/// A counter of a position that does not lose: one of its captures draws or wins.
const NEVER: u8 = u8::MAX;

/// Positions by side to move.
type Lists = [Vec<u32>; 2];

/// What a thread finds.
#[derive(Default)]
struct Found {
    /// Positions that were decided for the next level.
    settled: Lists,
    /// Positions to decide later, by the plies that they take.
    pending: BTreeMap<u8, Lists>,
}

impl Found {
    fn add(&mut self, plies: u8, side: usize, index: usize) {
        self.pending.entry(plies).or_default()[side].push(index as u32);
    }
}

/// See the module of the generator.
pub(super) struct Levels {
    layout: Layout,
    captures: CaptureTables,
    kings: [usize; 2],
    values: [Vec<AtomicU8>; 2],
    /// Moves that are not yet known to lose, plus one; in halves where a position is its own
    /// mirror image, see [`Levels::weight`].
    counters: [Vec<AtomicU8>; 2],
    /// Positions that are decided in so many plies if nothing decides them earlier.
    pending: BTreeMap<u8, Lists>,
    /// Positions that were decided for the next level already.
    settled: Lists,
}

impl Levels {
    pub(super) fn new(layout: Layout, captures: CaptureTables) -> Levels {
        let len = layout.len();
        Levels {
            kings: layout.kings(),
            values: [shared_bytes(len), shared_bytes(len)],
            counters: [shared_bytes(len), shared_bytes(len)],
            pending: BTreeMap::new(),
            settled: Lists::default(),
            layout,
            captures,
        }
    }

    pub(super) fn finish(self) -> (Layout, [Vec<u8>; 2]) {
        (self.layout, self.values.map(plain_bytes))
    }

    #[inline]
    fn value(&self, side: usize, index: usize) -> Value {
        Value::from_byte(self.values[side][index].load(Ordering::Relaxed))
    }

    /// Sets the value of an undecided position; false if it was decided before.
    #[inline]
    fn decide(&self, side: usize, index: usize, plies: u8) -> bool {
        let value = Value::decided(plies).byte();
        self.values[side][index]
            .compare_exchange(Value::DRAW.byte(), value, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
    }

    /// Calls `visit` with each index of some pairs of camps and its frame, `None` if pieces share
    /// a square.
    fn for_each_index(
        &self,
        blocks: Range<usize>,
        mut visit: impl FnMut(usize, Option<Placement>),
    ) {
        let len = self.layout.block_len();
        for block in blocks {
            let mut squares = self.layout.camp_squares(block);
            for within in 0..len {
                self.layout.place_others(within, &mut squares);
                let index = block * len + within;
                visit(index, Placement::new(self.layout.slots(), index, squares));
            }
        }
    }

    /// Marks the indices that no position has.
    pub(super) fn classify(&mut self, monitor: &Monitor<'_>) -> Result<(), BuildError> {
        let illegal = |side: usize, index: usize| {
            self.values[side][index].store(Value::ILLEGAL.byte(), Ordering::Relaxed);
        };
        for_chunks(monitor, self.layout.blocks(), BLOCKS_PER_CHUNK, |blocks, (): &mut ()| {
            (monitor.progress)(0.2 * blocks.start as f64 / self.layout.blocks() as f64);
            self.for_each_index(blocks, |index, frame| {
                let is_first_image = |frame: &Placement| {
                    !self.layout.has_symmetric_camp(index)
                        || self.layout.index(&frame.squares) == Some(index)
                };
                let Some(frame) = frame.filter(is_first_image) else {
                    illegal(0, index);
                    illegal(1, index);
                    return;
                };
                let attacks = frame.attacks_on_kings(&self.layout, self.kings);
                for (side, attacks) in attacks.into_iter().enumerate() {
                    if attacks {
                        illegal(side, index);
                    }
                }
            });
        })?;
        Ok(())
    }

    /// Finds positions whose value does not depend on quiet moves: no legal move, only captures
    /// that lose, or a capture that wins.
    pub(super) fn find_ends(&mut self, monitor: &Monitor<'_>) -> Result<(), BuildError> {
        let blocks = self.layout.blocks();
        let work = |range: Range<usize>, found: &mut Found| {
            (monitor.progress)(0.2 + 0.3 * range.start as f64 / blocks as f64);
            self.for_each_index(range, |index, frame| {
                let Some(frame) = frame else { return };
                for side in 0..2 {
                    if self.value(side, index) == Value::ILLEGAL {
                        continue;
                    }
                    if let Some(plies) = self.shortest_capture(&frame, side) {
                        found.add(plies, side, index);
                    } else if !self.has_quiet(&frame, side) && self.captures_lose(&frame, side) {
                        // No quiet move will ever lead here: the loss is known now.
                        found.add(self.longest_loss(side, index), side, index);
                    }
                }
            });
        };
        for found in for_chunks(monitor, blocks, BLOCKS_PER_CHUNK, work)? {
            self.keep(found);
        }
        Ok(())
    }

    fn keep(&mut self, found: Found) {
        join(&mut self.settled, found.settled);
        for (plies, lists) in found.pending {
            join(self.pending.entry(plies).or_default(), lists);
        }
    }

    /// The plies of the fastest win that begins with a capture.
    fn shortest_capture(&self, frame: &Placement, side: usize) -> Option<u8> {
        let mut best: Option<u8> = None;
        self.for_each_capture(frame, side, |value| {
            if value.wdl() == Wdl::Loss && value != Value::ILLEGAL {
                let plies = value.before().plies();
                best = if best.is_none() { plies } else { best.min(plies) };
            }
            true
        });
        best
    }

    /// Calls `visit` with the value after each legal capture, from the view of the opponent, until
    /// it returns false.
    #[inline]
    fn for_each_capture(
        &self,
        frame: &Placement,
        side: usize,
        mut visit: impl FnMut(Value) -> bool,
    ) {
        let enemies = frame.own[1 - side];
        for (slot, &piece) in self.layout.slots().iter().enumerate() {
            if piece.side != side {
                continue;
            }
            for to in frame.targets(slot, piece) & enemies {
                let Some(captured) = self.slot_on(frame, 1 - side, to) else { continue };
                let mut squares = frame.squares;
                squares[slot] = to.index() as u8;
                let value = self.captures.value(&squares, captured, 1 - side);
                if value != Value::ILLEGAL && !visit(value) {
                    return;
                }
            }
        }
    }

    fn slot_on(&self, frame: &Placement, side: usize, sq: Square) -> Option<usize> {
        let slots = self.layout.slots();
        (0..slots.len()).find(|&i| slots[i].side == side && frame.square(i) == sq)
    }

    /// Calls `visit` with the index after each move that captures nothing, legal or not, until it
    /// returns false.
    #[inline]
    fn for_each_quiet(&self, frame: &Placement, side: usize, mut visit: impl FnMut(usize) -> bool) {
        // Attacking pieces come last in the slots and first here: they have the most moves.
        for (slot, &piece) in self.layout.slots().iter().enumerate().rev() {
            if piece.side != side {
                continue;
            }
            let mut squares = frame.squares;
            let neighbours = self.layout.neighbours(frame.index, slot, &squares);
            for to in frame.targets(slot, piece) - frame.occupied {
                squares[slot] = to.index() as u8;
                if let Some(index) = neighbours.index(&squares)
                    && !visit(index)
                {
                    return;
                }
            }
        }
    }

    fn has_quiet(&self, frame: &Placement, side: usize) -> bool {
        let mut any = false;
        self.for_each_quiet(frame, side, |index| {
            any = self.value(1 - side, index) != Value::ILLEGAL;
            !any
        });
        any
    }

    /// Whether every legal capture loses, also if there is none.
    fn captures_lose(&self, frame: &Placement, side: usize) -> bool {
        let mut lose = true;
        self.for_each_capture(frame, side, |value| {
            lose = value.wdl() == Wdl::Win;
            lose
        });
        lose
    }

    /// Decides level after level until nothing is left.
    pub(super) fn run(&mut self, monitor: &Monitor<'_>) -> Result<(), BuildError> {
        let all = 2 * self.layout.len() as u64;
        let mut decided = 0;
        for plies in 0..=Value::MAX_PLIES {
            if self.pending.is_empty() && self.settled.iter().all(Vec::is_empty) {
                return Ok(());
            }
            let lists = self.pending.remove(&plies).unwrap_or_default();
            let settled = std::mem::take(&mut self.settled);
            for (side, (list, mut level)) in lists.into_iter().zip(settled).enumerate() {
                level.append(&mut self.settle(side, plies, &list, monitor)?);
                decided += level.len() as u64;
                (monitor.progress)(0.5 + 0.5 * decided as f64 / all as f64);
                let work = |range: Range<usize>, found: &mut Found| {
                    for &index in &level[range] {
                        self.propagate(1 - side, index as usize, plies, found);
                    }
                };
                for found in for_chunks(monitor, level.len(), POSITIONS_PER_CHUNK, work)? {
                    self.keep(found);
                }
            }
        }
        Err(BuildError::TooLong(self.layout.signature()))
    }

    /// Sets the values of a list; returns the positions that were not decided earlier.
    fn settle(
        &self,
        side: usize,
        plies: u8,
        list: &[u32],
        monitor: &Monitor<'_>,
    ) -> Result<Vec<u32>, BuildError> {
        let work = |range: Range<usize>, kept: &mut Vec<u32>| {
            let fresh = list[range].iter().filter(|&&i| self.decide(side, i as usize, plies));
            kept.extend(fresh);
        };
        Ok(for_chunks(monitor, list.len(), POSITIONS_PER_CHUNK, work)?.concat())
    }

    /// Visits the positions of `mover` from which a position that was just decided is reached.
    fn propagate(&self, mover: usize, index: usize, plies: u8, found: &mut Found) {
        let squares = self.layout.squares(index);
        let Some(frame) = Placement::new(self.layout.slots(), index, squares) else { return };
        let is_lost = plies.is_multiple_of(2);
        let weight = if is_lost { 0 } else { self.weight(&frame) };
        for (slot, &piece) in self.layout.slots().iter().enumerate() {
            if piece.side != mover {
                continue;
            }
            let mut squares = squares;
            let neighbours = self.layout.neighbours(index, slot, &squares);
            for from in frame.origins(slot, piece) {
                squares[slot] = from.index() as u8;
                let Some(before) = neighbours.index(&squares) else { continue };
                if self.value(mover, before) != Value::DRAW {
                    continue;
                }
                if is_lost {
                    if self.decide(mover, before, plies + 1) {
                        found.settled[mover].push(before as u32);
                    }
                } else {
                    self.count_down(mover, before, weight, found);
                }
            }
        }
    }

    /// What a move to a position counts: positions that are their own mirror image are reached
    /// from two images of the same position, but stand for one move of it.
    #[inline]
    fn weight(&self, frame: &Placement) -> u8 {
        if self.layout.is_symmetric(&frame.squares) { 1 } else { 2 }
    }

    /// Notes that one more move of a position loses.
    fn count_down(&self, side: usize, index: usize, weight: u8, found: &mut Found) {
        let counter = &self.counters[side][index];
        if counter.load(Ordering::Relaxed) == UNTOUCHED {
            let count = self.count_moves(side, index);
            // Another thread may have been faster; both have counted the same.
            let _ =
                counter.compare_exchange(UNTOUCHED, count, Ordering::Relaxed, Ordering::Relaxed);
        }
        if counter.load(Ordering::Relaxed) == NEVER {
            return;
        }
        if counter.fetch_sub(weight, Ordering::Relaxed) == weight + 1 {
            found.add(self.longest_loss(side, index), side, index);
        }
    }

    /// The first value of a counter.
    fn count_moves(&self, side: usize, index: usize) -> u8 {
        let squares = self.layout.squares(index);
        let Some(frame) = Placement::new(self.layout.slots(), index, squares) else {
            return NEVER;
        };
        if !self.captures_lose(&frame, side) {
            return NEVER;
        }
        let weight = if self.layout.is_symmetric(&frame.squares) { 1 } else { 2 };
        let mut count = 1;
        self.for_each_quiet(&frame, side, |index| {
            if self.value(1 - side, index) != Value::ILLEGAL {
                count += weight;
            }
            true
        });
        count
    }

    /// The plies of a loss, once all moves are known to lose.
    fn longest_loss(&self, side: usize, index: usize) -> u8 {
        let squares = self.layout.squares(index);
        let Some(frame) = Placement::new(self.layout.slots(), index, squares) else {
            return 0;
        };
        let mut longest = 0;
        let mut add = |value: Value| {
            longest = longest.max(value.before().plies().unwrap_or(0));
        };
        self.for_each_quiet(&frame, side, |index| {
            let value = self.value(1 - side, index);
            if value != Value::ILLEGAL {
                add(value);
            }
            true
        });
        self.for_each_capture(&frame, side, |value| {
            add(value);
            true
        });
        longest
    }
}

fn join(all: &mut Lists, more: Lists) {
    for (list, mut other) in all.iter_mut().zip(more) {
        if list.is_empty() {
            *list = other;
        } else {
            list.append(&mut other);
        }
    }
}

/// Bytes that threads write at the same time; those never touched take no memory.
fn shared_bytes(len: usize) -> Vec<AtomicU8> {
    bytemuck::allocation::zeroed_vec(len)
}

/// The bytes once only one thread is left.
fn plain_bytes(bytes: Vec<AtomicU8>) -> Vec<u8> {
    bytes.into_iter().map(AtomicU8::into_inner).collect()
}
