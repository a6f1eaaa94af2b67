//! The factoriser: weights that similar inputs have in common while a network is trained.
//!
//! The row of weights of an input is the sum of a part of its own and of one row for each group
//! that the input belongs to, such as all squares of a rank for a piece, or all squares where one
//! kind of piece attacks another. Weights learned on one square thus help on related squares, and
//! rare inputs need fewer games. The sums are added up for each batch, so the network that comes
//! out has no more weights and is no slower. (The idea: shogi engines, and "feature factorization"
//! in the documentation of nnue-pytorch.)

use std::collections::HashMap;

use arrayvec::ArrayVec;
use cannonade_engine::nnue::{Shape, feature, threat};
use xiangqi::geometry::{Color, Piece, Square};

use super::model::CLIP;
use super::optimizer::{OptimizerStep, Stretch};
use super::simd;

/// The maximum number of groups of an input.
const MOST: usize = 4;

/// The property that the inputs of a group share.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum FeatureGroup {
    Piece(Piece),
    Rank(Piece, u8),
    File(Piece, u8),
    Attack {
        attacker: Piece,
        victim: Piece,
    },
    /// The same on a rank.
    AttackOnRank {
        attacker: Piece,
        victim: Piece,
        rank: u8,
    },
    /// The attacked piece, its square, and the attacker's side.
    Attacked {
        victim: Piece,
        sq: Square,
        by: Color,
    },
    /// The attacker, the attacked square, and the side of the piece there.
    Attacking {
        attacker: Piece,
        sq: Square,
        side: Color,
    },
}

/// The groups of inputs with shared weights.
pub(super) struct Factoriser {
    /// Weights of a row.
    units: usize,
    /// The groups of each input.
    groups: Vec<ArrayVec<u16, MOST>>,
    /// The inputs of each group.
    members: Vec<Vec<u16>>,
}

impl Factoriser {
    /// Creates the groups of a network of this shape.
    pub(super) fn new(shape: Shape) -> Factoriser {
        let mut factoriser = Factoriser::without_groups(shape);
        let mut numbers = HashMap::new();
        for piece in Piece::all() {
            for sq in Square::all() {
                let groups = [
                    FeatureGroup::Piece(piece),
                    FeatureGroup::Rank(piece, sq.rank()),
                    FeatureGroup::File(piece, sq.file()),
                ];
                factoriser.put(feature(Color::Red, piece, sq), &groups, &mut numbers);
            }
        }
        if shape.threats {
            for (attacker, victim, sq, input) in threats() {
                let groups = [
                    FeatureGroup::Attack { attacker, victim },
                    FeatureGroup::AttackOnRank { attacker, victim, rank: sq.rank() },
                    FeatureGroup::Attacked { victim, sq, by: attacker.color() },
                    FeatureGroup::Attacking { attacker, sq, side: victim.color() },
                ];
                factoriser.put(input, &groups, &mut numbers);
            }
        }
        factoriser
    }

    /// Puts an input into groups; those that do not exist are added.
    fn put(
        &mut self,
        input: usize,
        groups: &[FeatureGroup],
        numbers: &mut HashMap<FeatureGroup, usize>,
    ) {
        for &group in groups {
            let number = *numbers.entry(group).or_insert(self.members.len());
            if number == self.members.len() {
                self.members.push(Vec::new());
            }
            self.members[number].push(input as u16);
            self.groups[input].push(number as u16);
        }
    }

    /// Creates no groups: each input has weights of its own only.
    pub(super) fn without_groups(shape: Shape) -> Factoriser {
        let groups = vec![ArrayVec::new(); shape.features()];
        Factoriser { units: shape.free_units(), groups, members: Vec::new() }
    }

    /// Returns the weights of a row.
    pub(super) fn units(&self) -> usize {
        self.units
    }

    /// Returns the number of inputs, each with a row of weights.
    pub(super) fn inputs(&self) -> usize {
        self.groups.len()
    }

    /// Returns the number of groups, each with a row of weights.
    pub(super) fn groups(&self) -> usize {
        self.members.len()
    }

    /// Returns the number of weights of all groups.
    pub(super) fn len(&self) -> usize {
        self.members.len() * self.units
    }

    /// Adds up the rows of some inputs, from `first` on: `own` and `network` are their rows,
    /// `shared` those of all groups.
    pub(super) fn add_up(&self, first: usize, own: &[f32], shared: &[f32], network: &mut [f32]) {
        let units = self.units;
        simd::with_best_instructions(
            #[inline(always)]
            || {
                let rows = own.chunks_exact(units).zip(network.chunks_exact_mut(units));
                for ((own, row), groups) in rows.zip(&self.groups[first..]) {
                    let group = |number: usize| &shared[usize::from(groups[number]) * units..];
                    match groups.len() {
                        0 => add_rows(own, [], row),
                        1 => add_rows(own, [group(0)], row),
                        2 => add_rows(own, [group(0), group(1)], row),
                        3 => add_rows(own, [group(0), group(1), group(2)], row),
                        _ => add_rows(own, [group(0), group(1), group(2), group(3)], row),
                    }
                }
            },
        );
    }

    /// Makes a step with the weights of some groups, from `first` on. The gradient of a group is
    /// the sum of those of its inputs in `gradient`, of which only the rows in `used` hold numbers.
    pub(super) fn advance(
        &self,
        step: OptimizerStep,
        first: usize,
        (gradient, used): (&[f32], &[bool]),
        shared: Stretch<'_>,
    ) {
        let (step, units) = (step.corrected(), self.units);
        let mut sum = vec![0.0; units];
        simd::with_best_instructions(
            #[inline(always)]
            || {
                for (shared, members) in shared.chunks(units).zip(&self.members[first..]) {
                    add_members(members, (gradient, used), &mut sum);
                    step.advance(shared, &sum, CLIP);
                }
            },
        );
    }
}

/// Computes `row = own + rows`, added in order, within the bounds of weights.
#[inline(always)]
fn add_rows<const N: usize>(own: &[f32], rows: [&[f32]; N], row: &mut [f32]) {
    let (own, rows) = (&own[..row.len()], rows.map(|other| &other[..row.len()]));
    for (unit, weight) in row.iter_mut().enumerate() {
        let mut sum = own[unit];
        for other in rows {
            sum += other[unit];
        }
        *weight = sum.clamp(-CLIP, CLIP);
    }
}

/// Sets `sum` to the sum of the used rows among these inputs.
#[inline(always)]
fn add_members(members: &[u16], (rows, used): (&[f32], &[bool]), sum: &mut [f32]) {
    let units = sum.len();
    sum.fill(0.0);
    for &input in members {
        let input = usize::from(input);
        if used[input] {
            for (sum, part) in sum.iter_mut().zip(&rows[input * units..][..units]) {
                *sum += part;
            }
        }
    }
}

/// Returns all threats that are inputs: attacker, victim, its square and the input.
fn threats() -> impl Iterator<Item = (Piece, Piece, Square, usize)> {
    Piece::all().flat_map(|attacker| {
        Piece::all().flat_map(move |victim| {
            Square::all().filter_map(move |sq| {
                let row = threat(attacker.index(), victim.index(), sq)?;
                Some((attacker, victim, sq, row))
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use cannonade_tables::random::Random;

    const SHAPE: Shape = Shape { width: 32, buckets: 1, paired: true, pairs: 0, threats: true };

    fn numbers(len: usize, seed: u64) -> Vec<f32> {
        let mut random = Random::stream(seed, 0);
        (0..len).map(|_| random.unit_f32() / 16.0).collect()
    }

    #[test]
    fn every_input_is_in_its_groups() {
        let factoriser = Factoriser::new(SHAPE);
        assert!(factoriser.groups.iter().all(|groups| !groups.is_empty()));
        for (group, members) in (0..).zip(&factoriser.members) {
            assert!(!members.is_empty());
            assert!(members.iter().all(|&i| factoriser.groups[usize::from(i)].contains(&group)));
        }
        // Of the 14 pieces, 10 ranks and 9 files, a rook's square has one each.
        let rook =
            feature(Color::Red, Piece::from_letter('R').expect("a rook"), Square::from_index(40));
        let members =
            factoriser.groups[rook].iter().map(|&g| factoriser.members[usize::from(g)].len());
        assert_eq!(members.collect::<Vec<_>>(), [90, 9, 10]);
    }

    /// The gradient of a sum goes to each of its parts: `add_up` and `gradients` are transposed.
    #[test]
    fn the_gradients_of_groups_are_those_of_the_sums() {
        let factoriser = Factoriser::new(SHAPE);
        let (inputs, units) = (factoriser.inputs(), factoriser.units());
        let (shared, slopes) = (numbers(factoriser.len(), 1), numbers(inputs * units, 2));
        let mut network = vec![0.0; inputs * units];
        factoriser.add_up(0, &vec![0.0; inputs * units], &shared, &mut network);
        let mut gradients = vec![0.0; factoriser.len()];
        let used = vec![true; inputs];
        for (sum, members) in gradients.chunks_mut(units).zip(&factoriser.members) {
            add_members(members, (&slopes, &used), sum);
        }
        let product = |a: &[f32], b: &[f32]| -> f64 {
            a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
        };
        let (by_sums, by_parts) = (product(&network, &slopes), product(&shared, &gradients));
        assert!((by_sums / by_parts - 1.0).abs() < 1e-4, "{by_sums} {by_parts}");
        assert!(by_sums > 1.0);
    }

    #[test]
    fn without_groups_the_rows_are_those_of_the_inputs() {
        let factoriser = Factoriser::without_groups(SHAPE);
        assert_eq!((factoriser.len(), factoriser.groups()), (0, 0));
        let own = numbers(factoriser.inputs() * factoriser.units(), 3);
        let mut network = vec![0.0; own.len()];
        factoriser.add_up(0, &own, &[], &mut network);
        assert_eq!(network, own);
    }
}
