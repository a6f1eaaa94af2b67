//! Times as flags, game files and people write them.

use std::time::Duration;

use cannonade_game::ClockControl;
use thiserror::Error;

/// The maximum time of a clock, in minutes.
const MAX_MINUTES: f64 = 6000.0;

/// A text that is not a time.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is not a time; expected [MOVES/]MINUTES[+SECONDS], such as 15+10 or 40/90")]
pub(super) struct ParseTimeError(String);

/// Reads the time of a clock: minutes, for a number of moves or for the game, and seconds added
/// after each move.
///
/// # Errors
/// If the text is not one, or out of bounds.
pub(super) fn parse_time(text: &str) -> Result<ClockControl, ParseTimeError> {
    let error = || ParseTimeError(text.chars().take(20).collect());
    let (moves, rest) = match text.split_once('/') {
        None => (None, text),
        Some((moves, rest)) => {
            let moves = moves.trim().parse().ok().filter(|&moves| moves > 0);
            (Some(moves.ok_or_else(error)?), rest)
        }
    };
    let (minutes, seconds) = rest.split_once('+').unwrap_or((rest, "0"));
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| error());
    let (minutes, seconds) = (number(minutes)?, number(seconds)?);
    let in_bounds = minutes > 0.0 && minutes <= MAX_MINUTES && (0.0..=3600.0).contains(&seconds);
    if !in_bounds {
        return Err(error());
    }
    Ok(ClockControl {
        moves,
        time: Duration::from_secs_f64(minutes * 60.0),
        increment: Duration::from_secs_f64(seconds),
    })
}

/// Writes a time control as the flag `--time` reads it.
pub(super) fn time_flag(control: ClockControl) -> String {
    let moves = control.moves.map(|moves| format!("{moves}/")).unwrap_or_default();
    let (minutes, seconds) = (control.time.as_secs_f64() / 60.0, control.increment.as_secs_f64());
    format!("{moves}{minutes}+{seconds}")
}

/// Formats the time left for people: `9:58`, or `0:08.4` when it is short.
pub(super) fn clock_text(left: Duration) -> String {
    let (minutes, seconds) = (left.as_secs() / 60, left.as_secs() % 60);
    if left < Duration::from_secs(20) {
        format!("{minutes}:{seconds:02}.{}", left.subsec_millis() / 100)
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_minutes_and_seconds_for_each_move() {
        let control = parse_time("15+10").expect("a time");
        assert_eq!(control.time, Duration::from_secs(900));
        assert_eq!(control.increment, Duration::from_secs(10));
        assert_eq!(parse_time("0.5").expect("a time").time, Duration::from_secs(30));
        for text in ["", "0", "-3", "ten", "5+", "5+-1", "1e9", "NaN", "0/5", "/5", "40/"] {
            assert!(parse_time(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_time_is_written_as_the_flag_reads_it() {
        for text in ["15+10", "0.5+0", "3+2.5", "40/90+30"] {
            assert_eq!(parse_time(text).map(time_flag).as_deref(), Ok(text));
        }
    }

    #[test]
    fn short_times_show_tenths() {
        assert_eq!(clock_text(Duration::from_secs(598)), "9:58");
        assert_eq!(clock_text(Duration::from_millis(8_450)), "0:08.4");
    }
}
