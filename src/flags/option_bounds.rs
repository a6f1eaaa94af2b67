//! The bounds of the engine's options as those of flags.

use cannonade_engine::OptionRow;

use super::whole;

/// Reads a number within the bounds of an option of the engine.
pub(crate) fn within_bounds(option: &str) -> impl Fn(&str) -> Result<u32, String> + Clone + use<> {
    let bounds = OptionRow::find(option).and_then(OptionRow::bounds);
    let (min, max) = bounds.unwrap_or((1, i64::from(u32::MAX)));
    whole(u32::try_from(min).unwrap_or(0)..=u32::try_from(max).unwrap_or(u32::MAX))
}
