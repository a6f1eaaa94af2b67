//! Move ordering.

pub(super) mod picker;
pub(super) mod scores;
