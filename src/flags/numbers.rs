//! Numbers as values of flags. An error names the numbers that are accepted.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Reads a whole number within bounds.
pub(crate) fn whole<T>(bounds: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: Clone + Display + FromStr + PartialOrd,
{
    within(bounds, "a whole number")
}

/// Reads a whole number that has a lower bound only.
pub(crate) fn whole_from<T>(least: T) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: Clone + Display + FromStr + PartialOrd,
{
    move |text| {
        let is_whole = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse() {
            Ok(number) if number >= least => Ok(number),
            Err(_) if is_whole => Err("the number is too large".to_owned()),
            _ => Err(format!("expected a whole number, {least} or more")),
        }
    }
}

/// Reads a number, with decimals or without, within bounds.
pub(crate) fn decimal<T>(bounds: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: Clone + Display + FromStr + PartialOrd,
{
    within(bounds, "a number")
}

/// Reads a number within bounds, which errors call `kind`.
fn within<T>(
    bounds: RangeInclusive<T>,
    kind: &'static str,
) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: Clone + Display + FromStr + PartialOrd,
{
    move |text| {
        let number = text.parse().ok().filter(|number| bounds.contains(number));
        let (first, last) = (bounds.start(), bounds.end());
        number.ok_or_else(|| format!("expected {kind} from {first} to {last}"))
    }
}
