//! A mate solver that is independent of the search: it tries every move of both sides, to an exact
//! number of moves, and keeps proven results.

use std::collections::HashMap;

use xiangqi::board::{Checks, Move, Position};

/// Proves and refutes mates. It ignores repetitions: on the shortest way to a mate no position
/// occurs twice.
pub struct Solver {
    /// By key, with the attacker to move: the number of moves in which it certainly mates, and the
    /// number in which it certainly does not.
    known: HashMap<u64, (u32, u32)>,
    /// By moves left: the reply that refuted last.
    refutations: Vec<Option<Move>>,
    left: u64,
}

impl Solver {
    /// A solver that gives up after this many positions.
    pub fn new(positions: u64) -> Solver {
        Solver { known: HashMap::new(), refutations: Vec::new(), left: positions }
    }

    /// Returns whether the mover mates in `moves` moves and not in fewer; `None` if it takes too
    /// long.
    pub fn is_mate_in(&mut self, position: &mut Position, moves: u32) -> Option<bool> {
        self.refutations = vec![None; moves as usize + 1];
        Some(!self.mates(position, moves - 1)? && self.mates(position, moves)?)
    }

    /// Returns whether the mover mates within this many moves.
    fn mates(&mut self, position: &mut Position, moves: u32) -> Option<bool> {
        if moves == 0 {
            return Some(false);
        }
        let &(most, too_few) = self.known.get(&position.key()).unwrap_or(&(u32::MAX, 0));
        if moves >= most {
            return Some(true);
        }
        if moves <= too_few {
            return Some(false);
        }
        let checks = Checks::of(position);
        let mut list = position.legal_moves();
        list.sort_by_key(|&mv| (!checks.has(position, mv), !position.is_capture(mv)));
        let mut found = false;
        for mv in list {
            position.play_unchecked(mv);
            let lost = self.is_lost(position, moves - 1);
            position.unmake();
            if lost? {
                found = true;
                break;
            }
        }
        let entry = self.known.entry(position.key()).or_insert((u32::MAX, 0));
        if found {
            entry.0 = entry.0.min(moves);
        } else {
            entry.1 = entry.1.max(moves);
        }
        Some(found)
    }

    /// Returns whether every reply of the mover is followed by a mate within this many moves.
    /// Without a move it has lost already.
    fn is_lost(&mut self, position: &mut Position, moves: u32) -> Option<bool> {
        self.left = self.left.checked_sub(1)?;
        if moves == 0 {
            return Some(!position.has_legal_move());
        }
        let mut list = position.legal_moves();
        let first = self.refutations[moves as usize];
        list.sort_by_key(|&mv| (Some(mv) != first, !position.is_capture(mv)));
        for mv in list {
            position.play_unchecked(mv);
            let mates = self.mates(position, moves);
            position.unmake();
            if !mates? {
                self.refutations[moves as usize] = Some(mv);
                return Some(false);
            }
        }
        Some(true)
    }
}
