//! Camps: placements of a side's king, advisors and bishops.
//!
//! They never leave their half of the board, so their placements can be listed: nine kings, at
//! most ten pairs of advisors and 21 pairs of bishops.

use std::sync::LazyLock;

use xiangqi::geometry::{Bitboard, Color, PieceKind, Square};

/// Placements of at most two of five advisors' points.
const ADVISOR_SETS: usize = 16;
/// Placements of at most two of seven bishops' points.
const BISHOP_SETS: usize = 29;
/// Marks raw numbers that belong to no camp.
const NONE: u16 = u16::MAX;

/// Numbers of the points of each kind, for the squares of Red's half and of Black's.
struct Points {
    palace: [[u8; Square::COUNT]; 2],
    /// One bit per point; 0 for other squares.
    advisor: [[u8; Square::COUNT]; 2],
    bishop: [[u8; Square::COUNT]; 2],
    /// Number of each set of points.
    advisor_set: [u8; 32],
    bishop_set: [u8; 128],
}

static POINTS: LazyLock<Points> = LazyLock::new(|| {
    let number = |zone: Bitboard, code: fn(usize) -> usize| {
        let mut tables = [[0; Square::COUNT]; 2];
        for (i, sq) in zone.into_iter().enumerate() {
            tables[0][sq.index()] = code(i) as u8;
            tables[1][sq.flip().index()] = code(i) as u8;
        }
        tables
    };
    let mut points = Points {
        palace: number(Color::Red.palace(), |i| i),
        advisor: number(PieceKind::Advisor.domain(Color::Red), |i| 1 << i),
        bishop: number(PieceKind::Bishop.domain(Color::Red), |i| 1 << i),
        advisor_set: [0; 32],
        bishop_set: [0; 128],
    };
    for table in [points.advisor_set.as_mut_slice(), points.bishop_set.as_mut_slice()] {
        let mut next = 0;
        for (mask, number) in table.iter_mut().enumerate() {
            if mask.count_ones() <= 2 {
                *number = next;
                next += 1;
            }
        }
    }
    points
});

/// One placement of king, advisors and bishops on Red's side of the board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Camp {
    /// King, advisors, bishops, each kind in rising order; the rest is unused.
    pub(super) squares: [u8; 5],
}

/// All camps with a given number of advisors and bishops.
#[derive(Clone, Debug)]
pub(super) struct Camps {
    advisors: usize,
    bishops: usize,
    camps: Vec<Camp>,
    /// The number of the left-to-right mirror image of each camp.
    mirrored: Vec<u16>,
    /// From the raw number of a placement to the camp.
    numbers: Vec<u16>,
}

/// Returns the square with this index.
///
/// # Panics
/// If it is none.
pub(super) fn square(index: u8) -> Square {
    Square::from_index(usize::from(index))
}

fn mirror(sq: u8) -> u8 {
    square(sq).mirror().index() as u8
}

impl Camps {
    /// Lists the camps.
    pub(super) fn new(advisors: usize, bishops: usize) -> Camps {
        let sets = |zone: Bitboard, count: usize| -> Vec<Vec<u8>> {
            let points: Vec<u8> = zone.into_iter().map(|sq| sq.index() as u8).collect();
            (0..1usize << points.len())
                .filter(|mask| mask.count_ones() as usize == count)
                .map(|mask| {
                    (0..points.len()).filter(move |i| mask >> i & 1 == 1).map(|i| points[i])
                })
                .map(Iterator::collect)
                .collect()
        };
        let mut all = Camps {
            advisors,
            bishops,
            camps: Vec::new(),
            mirrored: Vec::new(),
            numbers: vec![NONE; 9 * ADVISOR_SETS * BISHOP_SETS],
        };
        let advisor_sets = sets(PieceKind::Advisor.domain(Color::Red), advisors);
        let bishop_sets = sets(PieceKind::Bishop.domain(Color::Red), bishops);
        for king in Color::Red.palace() {
            let king = king.index() as u8;
            for advisor_set in &advisor_sets {
                for bishop_set in &bishop_sets {
                    if advisor_set.contains(&king) || bishop_set.contains(&king) {
                        continue;
                    }
                    let mut squares = [0; 5];
                    let pieces = [&[king][..], advisor_set, bishop_set].concat();
                    squares[..pieces.len()].copy_from_slice(&pieces);
                    let raw = all.raw(0, &pieces);
                    all.numbers[raw] = all.camps.len() as u16;
                    all.camps.push(Camp { squares });
                }
            }
        }
        let image = |camp: &Camp| all.numbers[all.raw(0, &camp.squares.map(mirror))];
        all.mirrored = all.camps.iter().map(image).collect();
        all
    }

    /// Returns the number of pieces in each camp.
    #[inline]
    pub(super) fn pieces(&self) -> usize {
        1 + self.advisors + self.bishops
    }

    /// Returns the kind of the piece at this place of a camp.
    pub(super) fn kind(&self, place: usize) -> PieceKind {
        match place {
            0 => PieceKind::King,
            _ if place <= self.advisors => PieceKind::Advisor,
            _ => PieceKind::Bishop,
        }
    }

    /// Returns the number of a placement among all, including those that share squares.
    #[inline]
    fn raw(&self, side: usize, squares: &[u8]) -> usize {
        let points = &*POINTS;
        let set = |squares: &[u8], bits: &[u8; Square::COUNT]| {
            usize::from(squares.iter().fold(0, |set, &sq| set | bits[usize::from(sq)]))
        };
        let (king, guards) = squares.split_at(1);
        let (advisors, bishops) = guards.split_at(self.advisors);
        let king = usize::from(points.palace[side][usize::from(king[0])]);
        let advisors = points.advisor_set[set(advisors, &points.advisor[side]) & 31];
        let bishops = &bishops[..self.bishops];
        let bishops = points.bishop_set[set(bishops, &points.bishop[side]) & 127];
        (king * ADVISOR_SETS + usize::from(advisors)) * BISHOP_SETS + usize::from(bishops)
    }

    pub(super) fn len(&self) -> usize {
        self.camps.len()
    }

    #[inline]
    pub(super) fn camp(&self, number: usize) -> &Camp {
        &self.camps[number]
    }

    /// Returns the number of the mirror image of a camp.
    #[inline]
    pub(super) fn mirrored(&self, number: usize) -> usize {
        usize::from(self.mirrored[number])
    }

    /// Returns the number of the camp with these squares: king, advisors, bishops, each on a point
    /// of its own kind. `side` 0 has them on Red's half, 1 on Black's.
    #[inline]
    pub(super) fn number(&self, side: usize, squares: &[u8]) -> Option<usize> {
        match self.numbers[self.raw(side, squares)] {
            NONE => None,
            number => Some(usize::from(number)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_camp_is_found_by_its_squares_and_mirrored_twice_is_itself() {
        for (advisors, bishops, count) in [(0, 0, 9), (1, 0, 40), (2, 2, 1200)] {
            let camps = Camps::new(advisors, bishops);
            assert!(camps.len() >= count, "{}", camps.len());
            for number in 0..camps.len() {
                let squares = camps.camp(number).squares;
                assert_eq!(camps.number(0, &squares[..camps.pieces()]), Some(number));
                assert_eq!(camps.mirrored(camps.mirrored(number)), number);
            }
        }
    }
}
