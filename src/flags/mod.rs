//! Flags shared by several commands, and the readers of their values.

mod key_values;
mod numbers;
mod option_bounds;
mod position;
mod sprt;
mod table_folder;

pub(super) use key_values::KeyValues;
pub(super) use numbers::{decimal, whole, whole_from};
pub(super) use option_bounds::within_bounds;
pub(super) use position::PositionFlags;
pub(super) use sprt::{sprt_of, verdict};
pub(super) use table_folder::{folder_to_build, open_tables, table_source, warn_of_tables};
