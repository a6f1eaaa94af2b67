//! Articles and diagrams of a rule book that support a reason.
//!
//! A reason cites the diagrams of the group in which the book shows it: the book orders its
//! diagrams by subject, so that those between two judged ones of `tests/data` belong with
//! them.

use std::ops::RangeInclusive;

use crate::rules::RuleSet;

use super::reason::{Reason, ReasonKind};

/// A place in a rule book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Citation {
    /// The rule book.
    pub rules: RuleSet,
    /// The number of an article or of several; empty if only diagrams are cited.
    pub articles: &'static str,
    /// The numbers of the diagrams (figures by CXA), as first and last of each range.
    pub diagrams: &'static [(u8, u8)],
}

impl Citation {
    /// Returns the place in the rule book; `None` if the rule set is no book or its book does not
    /// know the reason.
    pub fn of(kind: ReasonKind, rules: RuleSet) -> Option<Citation> {
        let (articles, diagrams) = match rules {
            RuleSet::Wxf => world_federation(kind)?,
            RuleSet::Axf => asian_federation(kind)?,
            RuleSet::Cxa => chinese_association(kind)?,
            RuleSet::Computer | RuleSet::CheckOnly | RuleSet::None => return None,
        };
        Some(Citation { rules, articles, diagrams })
    }

    /// Returns the diagrams as ranges.
    pub fn ranges(&self) -> impl Iterator<Item = RangeInclusive<u8>> {
        self.diagrams.iter().map(|&(first, last)| first..=last)
    }
}

impl Reason {
    /// Returns the place in the rule book.
    pub fn citation(&self, rules: RuleSet) -> Option<Citation> {
        Citation::of(self.kind, rules)
    }
}

type Section = (&'static str, &'static [(u8, u8)]);

/// Cites the rules of WXF, 2018.
fn world_federation(kind: ReasonKind) -> Option<Section> {
    Some(match kind {
        ReasonKind::PerpetualCheck | ReasonKind::CheckAgainstChase => ("20", &[(1, 3)]),
        ReasonKind::MutualCheck => ("20", &[(4, 5)]),
        ReasonKind::PerpetualChase => ("20", &[(32, 38)]),
        ReasonKind::MutualChase => ("20", &[(48, 48), (107, 107)]),
        ReasonKind::RookByLesser => ("20.6", &[(18, 25)]),
        ReasonKind::TwoToOne => ("20.5", &[(45, 47)]),
        // The book says it of knights and cannons against a rook.
        ReasonKind::HeavierByGuard => ("20.6", &[]),
        ReasonKind::SeveralChasers => ("20", &[(24, 25), (42, 44), (81, 82)]),
        ReasonKind::FakeRoot => ("20", &[(83, 85), (108, 110)]),
        ReasonKind::SameKindUnable => ("20.7", &[(53, 53), (55, 56), (64, 66)]),
        ReasonKind::MovedScreen => ("20", &[(21, 21), (57, 58), (61, 62)]),
        ReasonKind::CrossedPawn => ("20.3", &[(59, 59), (75, 75)]),
        ReasonKind::WithKingOrPawn => ("20.9", &[(71, 75)]),
        ReasonKind::WithExchange => ("20", &[(90, 94)]),
        ReasonKind::ImmobileRook => ("20", &[(39, 41), (105, 105)]),
        ReasonKind::PinningRook => ("20", &[(95, 96)]),
        ReasonKind::PerpetualKill => ("20.2, 20.10", &[(6, 10), (104, 104)]),
        ReasonKind::CheckAndKill => ("20.2", &[(11, 13)]),
        ReasonKind::CheckAndIdle => ("20.2", &[(14, 14)]),
        ReasonKind::CheckAndCapture => ("20.2", &[(15, 16)]),
        ReasonKind::CheckAndChase => ("20.2", &[(38, 38), (50, 50)]),
        ReasonKind::CheckAndThreats => ("20.2", &[]),
        ReasonKind::ChaseAndThreat => ("20.2", &[(17, 17)]),
        ReasonKind::ChaseAndIdle => ("20.2", &[(17, 17), (19, 19), (45, 46), (49, 49)]),
        ReasonKind::KillAndCapture => ("20.2, 20.10", &[]),
        ReasonKind::KillAndIdle => ("20.2, 20.10", &[(6, 10)]),
        ReasonKind::SeveralVictims => ("20.4", &[(26, 28), (76, 80)]),
        ReasonKind::UncrossedPawn => ("20.3", &[(60, 60)]),
        ReasonKind::Protected => ("20.6", &[(29, 31), (86, 89)]),
        ReasonKind::SameKind => ("20.7", &[(51, 52), (54, 54)]),
        ReasonKind::SameKindProtected => ("20.7", &[(54, 54)]),
        ReasonKind::ByKingOrPawn => ("20.9", &[(67, 70)]),
        ReasonKind::PinnedAttacker => ("20", &[(63, 63)]),
        ReasonKind::NotMet => ("20", &[(10, 10), (106, 106)]),
        ReasonKind::NotNew => ("20", &[(39, 41), (106, 106)]),
        ReasonKind::CaptureByCheck => ("20.10", &[(97, 98)]),
        ReasonKind::Block => ("20.10", &[(99, 100)]),
        ReasonKind::Offer => ("20.10", &[(101, 104)]),
        ReasonKind::OnlyIdle => ("20.2", &[]),
        ReasonKind::OneSideForbidden
        | ReasonKind::NeitherForbidden
        | ReasonKind::HeavierOffence
        | ReasonKind::JointChase
        | ReasonKind::EqualOffences
        | ReasonKind::Undecided
        | ReasonKind::CheckInLoop
        | ReasonKind::NoRule => return None,
    })
}

/// Cites the rules of AXF, 1999, where their number is known; the first 106 diagrams are those of
/// WXF.
fn asian_federation(kind: ReasonKind) -> Option<Section> {
    let (_, diagrams) = world_federation(kind)?;
    Some(match kind {
        ReasonKind::MutualCheck => ("7", &[(4, 5)]),
        ReasonKind::PerpetualKill => ("9", &[(6, 10)]),
        ReasonKind::RookByLesser => ("3.6, 15", &[(18, 25)]),
        ReasonKind::ImmobileRook => ("19", &[(39, 41), (105, 105)]),
        ReasonKind::HeavierByGuard => ("3.6", &[]),
        ReasonKind::SeveralChasers => ("20, 21, 22", &[(42, 44)]),
        ReasonKind::TwoToOne => ("20, 21, 22", &[(45, 47)]),
        ReasonKind::WithKingOrPawn => ("30, 31", &[(71, 75)]),
        ReasonKind::FakeRoot => ("34", &[(83, 85)]),
        ReasonKind::MutualChase => ("", &[(48, 48)]),
        // The number of the rule is not known.
        _ => ("", diagrams),
    })
}

/// Cites the rules of CXA, 2020, with the figures in their text; the reasons are those of its
/// grounds, see [`crate::rules::Ground`].
fn chinese_association(kind: ReasonKind) -> Option<Section> {
    Some(match kind {
        ReasonKind::PerpetualCheck => ("25.1", &[(6, 6)]),
        ReasonKind::MutualCheck => ("25.1", &[]),
        ReasonKind::OneSideForbidden => ("24.13, 25.3", &[(2, 2), (4, 4), (7, 8), (12, 12)]),
        ReasonKind::NeitherForbidden => ("25.2", &[(5, 5), (13, 13), (18, 18), (24, 24)]),
        ReasonKind::HeavierOffence => ("26.9", &[(10, 11), (26, 28)]),
        ReasonKind::JointChase => ("26.9.2, 26.9.3", &[(10, 10), (25, 25)]),
        // The text of figure 3 says that both sides chase, a draw; so does that of figure 19.
        ReasonKind::EqualOffences => ("26.9", &[(3, 3), (19, 19)]),
        _ => return None,
    })
}
