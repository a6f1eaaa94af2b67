//! The order in which the moves of a node are searched.

pub(super) mod picker;
pub(super) mod scores;
