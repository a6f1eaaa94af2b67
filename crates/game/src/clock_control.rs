//! The time control of a clock, as the field writes it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

/// A clock for the whole game: `[moves/]time[+increment]`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct ClockControl {
    /// Moves until `time` is added again; `None` is sudden death.
    pub moves: Option<u32>,
    /// Time for the game, or for `moves` moves.
    pub time: Duration,
    /// Time added after each move.
    pub increment: Duration,
}

/// A text that is not a time control.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "'{0}' is not a time control; expected [moves/]time[+increment] in seconds, such as '10+0.1', \
     '40/60' or '1:30+1'"
)]
pub struct ClockControlError(pub String);

impl ClockControl {
    /// The maximum of each time that is read: 100 days.
    pub const MAX_TIME: Duration = Duration::from_secs(100 * 86_400);
}

/// Reads seconds, `90` or `0.05`, or minutes and seconds, `1:30`; at most
/// [`ClockControl::MAX_TIME`].
pub fn parse_seconds(text: &str) -> Option<Duration> {
    let seconds = match text.split_once(':') {
        None => text.parse::<f64>().ok()?,
        Some((minutes, seconds)) => {
            let seconds =
                seconds.parse::<f64>().ok().filter(|seconds| (0.0..60.0).contains(seconds))?;
            60.0 * f64::from(minutes.parse::<u32>().ok()?) + seconds
        }
    };
    // Rounded to the millisecond, the unit of the protocols.
    (0.0..=ClockControl::MAX_TIME.as_secs_f64())
        .contains(&seconds)
        .then(|| Duration::from_millis((seconds * 1e3).round() as u64))
}

impl FromStr for ClockControl {
    type Err = ClockControlError;

    fn from_str(text: &str) -> Result<ClockControl, ClockControlError> {
        let error = || ClockControlError(text.chars().take(30).collect());
        let (moves, rest) = match text.split_once('/') {
            None => (None, text),
            Some((moves, rest)) => {
                (Some(moves.parse().ok().filter(|&n| n > 0).ok_or_else(error)?), rest)
            }
        };
        let (time, increment) = match rest.split_once('+') {
            None => (rest, Some(Duration::ZERO)),
            Some((time, increment)) => (time, parse_seconds(increment)),
        };
        let time = parse_seconds(time).ok_or_else(error)?;
        let increment = increment.ok_or_else(error)?;
        if time + increment == Duration::ZERO {
            return Err(error());
        }
        Ok(ClockControl { moves, time, increment })
    }
}

impl fmt::Display for ClockControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_are_read_back_as_they_are_written() {
        for text in ["10+0.1", "40/60", "0.5", "40/15+0.05", "0+1"] {
            let control: ClockControl = text.parse().expect(text);
            assert_eq!(control.to_string(), text);
        }
        let control: ClockControl = "3/1:30.5+2".parse().expect("minutes");
        assert_eq!((control.moves, control.time), (Some(3), Duration::from_millis(90_500)));
    }

    #[test]
    fn other_texts_are_not_time_controls() {
        for text in [
            "", "0", "x", "-1", "0/5", "5+", "5+-1", "1e99", "nan", "inf", "1:2:3", "1:-5", "1:60",
            "/5",
        ] {
            assert!(text.parse::<ClockControl>().is_err(), "{text}");
        }
    }
}
