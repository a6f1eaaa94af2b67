//! Counts of what a search does, which show the shape of its tree before a match is played. They
//! cost time, so only a build with the feature `counters` has them:
//!
//! ```text
//! cargo run --release -p cannonade-engine --features counters -- bench
//! ```

use std::fmt;

#[cfg(feature = "counters")]
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A node of the main search.
    MainNode,
    /// One with a depth of at least five plies.
    DeepNode,
    /// A node of the quiescence search.
    QuiescenceNode,
    /// One in check.
    QuiescenceInCheck,
    /// A quiet check tried in the quiescence search.
    QuietCheck,
    /// A cutoff of the main search by the transposition table.
    TableCutoff,
    /// A node that razoring, step 9, prunes.
    Razoring,
    /// A node that reverse futility, step 10, prunes.
    ReverseFutility,
    /// A node that a null move, step 11, prunes.
    NullMove,
    /// A node that ProbCut, step 12, prunes.
    ProbCut,
    /// A singular search, step 16.
    SingularSearch,
    /// An extension by two or three plies.
    DoubleExtension,
    /// A node that several moves beat.
    Multicut,
    /// An extension of a check.
    CheckExtension,
    /// A move searched in the main search.
    SearchedMove,
    /// A beta cutoff by a searched move.
    BetaCutoff,
    /// A beta cutoff by the first searched move.
    FirstMoveCutoff,
}

/// All events with their names, in the order in which they are shown.
const EVENTS: [(Event, &str); 17] = [
    (Event::MainNode, "nodes of the main search"),
    (Event::DeepNode, "nodes of depth 5 and more"),
    (Event::QuiescenceNode, "nodes of the quiescence search"),
    (Event::QuiescenceInCheck, "nodes of it in check"),
    (Event::QuietCheck, "quiet checks in it"),
    (Event::TableCutoff, "cutoffs by the table"),
    (Event::Razoring, "razoring"),
    (Event::ReverseFutility, "reverse futility"),
    (Event::NullMove, "null move"),
    (Event::ProbCut, "ProbCut"),
    (Event::SingularSearch, "singular searches"),
    (Event::DoubleExtension, "double and triple extensions"),
    (Event::Multicut, "multicut"),
    (Event::CheckExtension, "check extensions"),
    (Event::SearchedMove, "searched moves"),
    (Event::BetaCutoff, "beta cutoffs"),
    (Event::FirstMoveCutoff, "beta cutoffs by the first move"),
];

#[cfg(feature = "counters")]
static COUNTS: [AtomicU64; EVENTS.len()] = [const { AtomicU64::new(0) }; EVENTS.len()];

/// Counts an event; nothing in a build without the feature `counters`.
#[inline(always)]
#[cfg_attr(not(feature = "counters"), allow(unused_variables, reason = "nothing is counted"))]
pub(crate) fn count(event: Event) {
    #[cfg(feature = "counters")]
    COUNTS[event as usize].fetch_add(1, Relaxed);
}

/// The counts of all searches of this process so far, per 1,000 nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts([u64; EVENTS.len()]);

/// Returns the counts; `None` in a build without the feature `counters`.
pub fn counts() -> Option<Counts> {
    #[cfg(feature = "counters")]
    return Some(Counts(std::array::from_fn(|index| COUNTS[index].load(Relaxed))));
    #[cfg(not(feature = "counters"))]
    None
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |event: Event| self.0[event as usize] as f64;
        let nodes = of(Event::MainNode) + of(Event::QuiescenceNode);
        writeln!(f, "per 1,000 nodes:")?;
        for (event, name) in EVENTS {
            writeln!(f, "{:8.1}  {name}", 1000.0 * of(event) / nodes)?;
        }
        let deep = 100.0 * of(Event::DeepNode) / of(Event::MainNode);
        writeln!(f, "{deep:7.1} %  of the main search at depth 5 and more")?;
        let first = 100.0 * of(Event::FirstMoveCutoff) / of(Event::BetaCutoff);
        write!(f, "{first:7.1} %  of the beta cutoffs by the first move")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_event_has_a_row_at_its_place() {
        for (index, (event, name)) in EVENTS.into_iter().enumerate() {
            assert_eq!(event as usize, index, "{name}");
        }
    }

    #[test]
    fn counts_are_shown_per_thousand_nodes() {
        let mut counts = Counts([0; EVENTS.len()]);
        counts.0[Event::MainNode as usize] = 3_000;
        counts.0[Event::QuiescenceNode as usize] = 1_000;
        counts.0[Event::DeepNode as usize] = 600;
        counts.0[Event::BetaCutoff as usize] = 200;
        counts.0[Event::FirstMoveCutoff as usize] = 150;
        let text = counts.to_string();
        assert!(text.contains("   250.0  nodes of the quiescence search"), "{text}");
        assert!(text.contains("20.0 %  of the main search at depth 5"), "{text}");
        assert!(text.ends_with("75.0 %  of the beta cutoffs by the first move"), "{text}");
    }
}
