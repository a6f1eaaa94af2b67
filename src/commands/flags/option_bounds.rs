//! The bounds of the engine's options as those of flags.

use clap::builder::RangedI64ValueParser;

use crate::engine::OptionRow;

/// Reads a number within the bounds of an option of the engine.
pub(in crate::commands) fn within_bounds(option: &str) -> RangedI64ValueParser<u32> {
    let bounds = OptionRow::find(option).and_then(OptionRow::bounds);
    let (min, max) = bounds.unwrap_or((1, i64::from(u32::MAX)));
    RangedI64ValueParser::new().range(min..=max)
}
