//! Valid positions of a row and their capture outcomes.

use xiangqi::geometry::{Bitboard, PieceKind, Square};
use xiangqi::rules::Wdl;

use super::captures::CaptureTables;
use super::moves::{attacked_runners, attacks_with_runner, parted_kings, runner_attackers};
use super::rows::{Row, Rows};
use crate::camp::square;
use crate::layout::PieceSlot;
use crate::value::Value;

/// Returns the positions of a row in which no king can be captured, by side to move.
pub(super) fn valid_positions(rows: &Rows, row: &Row) -> [Bitboard; 2] {
    let fixed = rows.fixed();
    let slots = fixed.slots();
    if row.occupied.len() < slots.len() {
        return [Bitboard::EMPTY; 2];
    }
    let kings = fixed.kings().map(|slot| square(row.squares[slot]));
    let domain = rows.runner().piece().domain() - row.occupied;
    let mut valid = [domain & parted_kings(kings, row.occupied); 2];
    for (&piece, &sq) in slots.iter().zip(&row.squares) {
        // Guards and kings never reach the other palace.
        if !matches!(piece.kind, PieceKind::King | PieceKind::Advisor | PieceKind::Bishop) {
            let (from, king) = (square(sq), kings[1 - piece.side]);
            valid[piece.side] -= attacks_with_runner(piece, from, king, row.occupied);
        }
    }
    let runner = rows.runner();
    valid[runner.side] -= runner_attackers(runner, kings[1 - runner.side], row.occupied);
    valid
}

/// Returns the positions of a row in which `side` attacks a piece other than the king.
pub(super) fn attacking_positions(rows: &Rows, row: &Row, side: usize) -> Bitboard {
    let (slots, runner) = (rows.fixed().slots(), rows.runner());
    let piece_at = |(slot, &piece): (usize, &PieceSlot)| (piece, square(row.squares[slot]));
    let (own, others): (Vec<_>, Vec<_>) =
        slots.iter().enumerate().map(piece_at).partition(|(piece, _)| piece.side == side);
    let targets = || others.iter().filter(|(piece, _)| piece.kind != PieceKind::King);
    let mut attacking = Bitboard::EMPTY;
    if runner.side == side {
        for &(_, to) in targets() {
            attacking |= runner_attackers(runner, to, row.occupied);
        }
    }
    for &(piece, from) in &own {
        if runner.side != side {
            attacking |= attacked_runners(piece, from, row.occupied);
        }
        for &(_, to) in targets() {
            attacking |= attacks_with_runner(piece, from, to, row.occupied);
        }
    }
    attacking
}

/// Capture outcomes of the positions of a row, for one side to move.
pub(super) struct CaptureResults {
    /// Positions with a capture that wins, that draws, that draws unless a perpetual check decides,
    /// that loses.
    pub(super) won: Bitboard,
    pub(super) drawn: Bitboard,
    pub(super) unruled: Bitboard,
    pub(super) lost: Bitboard,
    /// Plies of the fastest win and of the slowest loss, where they exist.
    wins: [u8; Square::COUNT],
    losses: [u8; Square::COUNT],
}

impl CaptureResults {
    fn new() -> CaptureResults {
        CaptureResults {
            won: Bitboard::EMPTY,
            drawn: Bitboard::EMPTY,
            unruled: Bitboard::EMPTY,
            lost: Bitboard::EMPTY,
            wins: [0; Square::COUNT],
            losses: [0; Square::COUNT],
        }
    }

    /// Notes a capture in some positions, after which the opponent has this value.
    #[inline]
    fn add(&mut self, positions: Bitboard, after: Value) {
        if after == Value::ILLEGAL {
            return;
        }
        let before = after.before();
        match (before.wdl(), before.plies()) {
            (Wdl::Win, Some(plies)) => {
                for sq in positions {
                    let best = &mut self.wins[sq.index()];
                    *best = if self.won.contains(sq) { plies.min(*best) } else { plies };
                }
                self.won |= positions;
            }
            (Wdl::Loss, Some(plies)) => {
                for sq in positions {
                    let longest = &mut self.losses[sq.index()];
                    *longest = plies.max(*longest);
                }
                self.lost |= positions;
            }
            _ if after == Value::UNRULED_DRAW => self.unruled |= positions,
            _ => self.drawn |= positions,
        }
    }

    /// Returns the positions that a capture wins, by the plies of the fastest win.
    pub(super) fn wins(&self) -> impl Iterator<Item = (u8, Bitboard)> {
        by_plies(self.won, &self.wins)
    }

    /// Returns the positions all of whose captures lose, by the plies of the slowest loss.
    pub(super) fn losses(&self) -> impl Iterator<Item = (u8, Bitboard)> {
        by_plies(self.lost - self.won - self.drawn - self.unruled, &self.losses)
    }
}

fn by_plies(
    mut positions: Bitboard,
    plies: &[u8; Square::COUNT],
) -> impl Iterator<Item = (u8, Bitboard)> {
    std::iter::from_fn(move || {
        let distance = plies[positions.first()?.index()];
        let equal = positions.into_iter().filter(|sq| plies[sq.index()] == distance).collect();
        positions -= equal;
        Some((distance, equal))
    })
}

/// Looks up the captures of `side` in the positions `among` of a row.
pub(super) fn capture_results(
    rows: &Rows,
    captures: &CaptureTables,
    row: &Row,
    side: usize,
    among: Bitboard,
) -> CaptureResults {
    let mut results = CaptureResults::new();
    let (slots, runner, runner_slot) = (rows.fixed().slots(), rows.runner(), rows.runner_slot());
    let whole = rows.whole_squares(row);
    let value = |changed: usize, to: Square, captured: usize| {
        let mut squares = whole;
        squares[changed] = to.index() as u8;
        captures.value(&squares, captured, 1 - side)
    };
    for (slot, &piece) in slots.iter().enumerate() {
        let sq = square(row.squares[slot]);
        if piece.side != side {
            if runner.side == side && piece.kind != PieceKind::King {
                // The runner captures this piece, from wherever it stands.
                let from = runner_attackers(runner, sq, row.occupied) & among;
                if !from.is_empty() {
                    results.add(from, value(runner_slot, sq, rows.whole_slot(slot)));
                }
            }
            continue;
        }
        let mover = rows.whole_slot(slot);
        if runner.side != side {
            for to in attacked_runners(piece, sq, row.occupied) & among {
                results.add(to.into(), value(mover, to, runner_slot));
            }
        }
        for (other, &enemy) in slots.iter().enumerate() {
            if enemy.side == side || enemy.kind == PieceKind::King {
                continue;
            }
            let to = square(row.squares[other]);
            let positions = attacks_with_runner(piece, sq, to, row.occupied) & among;
            if positions.is_empty() {
                continue;
            }
            let mut squares = whole;
            squares[mover] = to.index() as u8;
            let (captured, runners) = (rows.whole_slot(other), (runner_slot, positions));
            captures.for_each_value(&squares, captured, 1 - side, runners, |at, value| {
                results.add(at.into(), value);
            });
        }
    }
    results
}
