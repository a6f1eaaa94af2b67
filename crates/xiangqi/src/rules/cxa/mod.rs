//! The Chinese rules of 2020 (CXA): each move of a loop has a class (check, kill, chase or idle),
//! and a side without an idle move must change.
//!
//! A chase is judged by the material that it wins, a kill by a search for mate. Both searches are
//! limited by nodes, never by time, so that a loop has the same ruling everywhere. A search needs
//! classes only when it judges a loop, and [`Classes`] caches them.

mod class;
mod gain;
mod kill;
mod table;

pub use table::Ground;

pub(super) use class::{
    ClassifiedMove, CxaClass, ThreatByCheck, capture_chases, keeps_key_point, new_threat_by_check,
};
pub(super) use kill::mates_soon;
pub(super) use table::{Classes, SideLoop};
