//! A table in memory, as the generator makes it.

use super::layout::Layout;

/// For each side to move one byte per index; see [`super::Value`].
#[derive(Debug)]
pub(super) struct Solved {
    pub(super) layout: Layout,
    pub(super) values: [Vec<u8>; 2],
}
