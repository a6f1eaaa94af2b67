//! A table in memory, as the generator makes it.

use super::layout::Layout;

/// One byte per index for each side to move; see [`super::Value`].
#[derive(Debug)]
pub(super) struct Solved {
    pub(super) layout: Layout,
    pub(super) values: [Vec<u8>; 2],
}
