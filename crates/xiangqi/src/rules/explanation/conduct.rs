//! Conduct of one side in a loop, over all of its moves.

use crate::board::Board;
use crate::geometry::{Bitboard, Color};
use crate::rules::Level;
use crate::rules::chases::carried;

use super::attack::PieceOn;
use super::explained_move::ExplainedMove;
use super::move_kind::MoveKind;

/// Conduct of a side in the loop.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Conduct {
    /// The side.
    pub side: Color,
    /// Its offence.
    pub level: Level,
    /// The kinds of its moves with their counts in lowest terms, heaviest first.
    pub kinds: Vec<(MoveKind, usize)>,
    /// The kinds shared by all of its moves, heaviest first; a move may have several.
    pub common: Vec<MoveKind>,
    /// The pieces that every one of its moves chases, on their squares at the start of the loop.
    pub victims: Vec<PieceOn>,
}

impl Conduct {
    pub(super) fn of(side: Color, level: Level, moves: &[ExplainedMove], start: &Board) -> Conduct {
        let own = || moves.iter().filter(|mv| mv.side() == side);
        let mut kinds: Vec<(MoveKind, usize)> = Vec::new();
        for kind in own().map(ExplainedMove::class) {
            match kinds.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, count)) => *count += 1,
                None => kinds.push((kind, 1)),
            }
        }
        kinds.sort();
        let divisor = kinds.iter().map(|&(_, count)| count).fold(0, greatest_common_divisor);
        for (_, count) in &mut kinds {
            *count /= divisor.max(1);
        }
        let mut common = own().next().map_or_else(Vec::new, |first| first.kinds.clone());
        common.retain(|kind| own().all(|mv| mv.kinds.contains(kind)));
        let chased = |mv: &ExplainedMove| mv.victims;
        let victims = PieceOn::all(start, always_hit(side, moves, start, chased));
        Conduct { side, level, kinds, common, victims }
    }

    /// Returns the kind shared by all moves, if any: their main kind or, if these differ and none
    /// is a check, a secondary one, which must offend if the side does.
    pub(super) fn only_kind(&self) -> Option<MoveKind> {
        let common = self.common.first().copied();
        match self.kinds[..] {
            [(kind, _)] => Some(kind),
            _ if self.has(MoveKind::Check) => None,
            _ if self.level == Level::PerpetualAttack => {
                common.filter(|&kind| kind <= MoveKind::CaptureByCheck)
            }
            _ => common,
        }
    }

    /// Returns whether some move is of the kind.
    pub fn has(&self, kind: MoveKind) -> bool {
        self.kinds.iter().any(|&(known, _)| known == kind)
    }
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Returns the pieces of the other side that every move of a side hits, on their squares at the
/// start; `hits` are the pieces that a move hits, on their squares after it.
pub(super) fn always_hit(
    side: Color,
    moves: &[ExplainedMove],
    start: &Board,
    hits: impl Fn(&ExplainedMove) -> Bitboard,
) -> Bitboard {
    let mut always = start.color(!side);
    for victim in always {
        let mut now = Bitboard::from(victim);
        for explained in moves {
            now = carried(now, explained.mv);
            if explained.side() == side && !now.intersects(hits(explained)) {
                always.remove(victim);
            }
        }
    }
    always
}
