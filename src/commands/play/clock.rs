//! The clock of a game between a person and the engine.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use thiserror::Error;
use xiangqi::geometry::Color;

use crate::search::Clock;

/// The longest time of a clock, in minutes.
const MOST_MINUTES: f64 = 6000.0;

/// The time of each side: for the game, and added after each move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct TimeSetting {
    start: Duration,
    increment: Duration,
}

/// A text that is not a time.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is not a time; expected MINUTES or MINUTES+SECONDS, such as 15+10")]
pub(super) struct ParseTimeError(String);

impl FromStr for TimeSetting {
    type Err = ParseTimeError;

    fn from_str(text: &str) -> Result<TimeSetting, ParseTimeError> {
        let error = || ParseTimeError(text.chars().take(20).collect());
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| error());
        let (minutes, seconds) = (number(minutes)?, number(seconds)?);
        let in_bounds =
            minutes > 0.0 && minutes <= MOST_MINUTES && (0.0..=3600.0).contains(&seconds);
        if !in_bounds {
            return Err(error());
        }
        Ok(TimeSetting {
            start: Duration::from_secs_f64(minutes * 60.0),
            increment: Duration::from_secs_f64(seconds),
        })
    }
}

impl fmt::Display for TimeSetting {
    /// As PGN writes a time control: seconds and increment.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.start.as_secs_f64(), self.increment.as_secs_f64())
    }
}

impl TimeSetting {
    /// As the flag `--time` reads it: minutes and seconds.
    pub(super) fn flag(self) -> String {
        format!("{}+{}", self.start.as_secs_f64() / 60.0, self.increment.as_secs_f64())
    }
}

/// Two clocks, one of which may run.
#[derive(Clone, Debug)]
pub(super) struct GameClock {
    setting: TimeSetting,
    left: [Duration; 2],
    running: Option<(Color, Instant)>,
    /// The times at the beginning of each turn, so that moves can be taken back.
    turns: Vec<[Duration; 2]>,
    /// The number of the present turn.
    turn: usize,
}

impl GameClock {
    /// Clocks that stand at their full time.
    pub(super) fn new(setting: TimeSetting) -> GameClock {
        let left = [setting.start; 2];
        GameClock { setting, left, running: None, turns: vec![left], turn: 0 }
    }

    /// What the clocks were set to.
    pub(super) fn setting(&self) -> TimeSetting {
        self.setting
    }

    /// Lets the clock of one side run and stops the other one.
    pub(super) fn start(&mut self, side: Color) {
        self.stop();
        self.running = Some((side, Instant::now()));
    }

    /// Stops both clocks.
    pub(super) fn stop(&mut self) {
        if let Some((side, since)) = self.running.take() {
            let left = &mut self.left[side.index()];
            *left = left.saturating_sub(since.elapsed());
        }
    }

    /// Notes that a side has moved in time: its clock stops and gets the increment.
    pub(super) fn moved(&mut self, side: Color) {
        self.stop();
        self.left[side.index()] += self.setting.increment;
        self.turn += 1;
        self.turns.truncate(self.turn);
        self.turns.push(self.left);
    }

    /// Sets the clocks back to the beginning of a turn: 0 is the present one, 1 the one before. With
    /// fewer turns they stand as at the beginning.
    pub(super) fn back(&mut self, turns: usize) {
        self.go_to(self.turn.saturating_sub(turns));
    }

    /// Sets the clocks to a later turn, after [`GameClock::back`]. Turns whose times are not known,
    /// since a move before them was made again with another time, cost nothing.
    pub(super) fn forward(&mut self, turns: usize) {
        let turn = self.turn + turns;
        if self.turns.len() <= turn {
            self.turns.resize(turn + 1, self.turns[self.turns.len() - 1]);
        }
        self.go_to(turn);
    }

    fn go_to(&mut self, turn: usize) {
        self.running = None;
        self.turn = turn;
        self.left = self.turns[turn];
    }

    /// The time that a side has left.
    pub(super) fn left(&self, side: Color) -> Duration {
        let used = match self.running {
            Some((running, since)) if running == side => since.elapsed(),
            _ => Duration::ZERO,
        };
        self.left[side.index()].saturating_sub(used)
    }

    /// The clock of a side for the search.
    pub(super) fn for_search(&self, side: Color) -> Clock {
        Clock { left: self.left(side), increment: self.setting.increment, moves_to_go: None }
    }
}

/// The time left as a person reads it: `9:58`, or `0:08.4` when it is short.
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

    fn setting(text: &str) -> TimeSetting {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn a_time_is_minutes_and_seconds_for_each_move() {
        assert_eq!(setting("15+10").start, Duration::from_secs(900));
        assert_eq!(setting("15+10").increment, Duration::from_secs(10));
        assert_eq!(setting("0.5").start, Duration::from_secs(30));
        for text in ["", "0", "-3", "ten", "5+", "5+-1", "1e9", "NaN"] {
            assert!(text.parse::<TimeSetting>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_move_adds_the_increment_to_its_side_alone() {
        let mut clock = GameClock::new(setting("1+5"));
        clock.start(Color::Red);
        clock.moved(Color::Red);
        assert!(clock.left(Color::Red) > Duration::from_secs(60));
        assert_eq!(clock.left(Color::Black), Duration::from_secs(60));
    }

    #[test]
    fn the_clocks_go_back_and_forward_with_the_moves() {
        let mut clock = GameClock::new(setting("1+5"));
        clock.moved(Color::Red);
        clock.moved(Color::Black);
        let times = |clock: &GameClock| Color::ALL.map(|side| clock.left(side).as_secs());
        assert_eq!(times(&clock), [65, 65]);
        clock.back(1);
        assert_eq!(times(&clock), [65, 60]);
        clock.back(7);
        assert_eq!(times(&clock), [60, 60]);
        clock.forward(2);
        assert_eq!(times(&clock), [65, 65]);
        clock.back(2);
        clock.moved(Color::Red);
        clock.forward(1);
        assert_eq!(times(&clock), [65, 60], "another move was made");
        clock.back(1);
        assert_eq!(times(&clock), [65, 60], "the turns are as many as the moves");
        clock.back(1);
        assert_eq!(times(&clock), [60, 60]);
    }

    #[test]
    fn a_time_is_written_as_the_flag_reads_it() {
        for text in ["15+10", "0.5+0", "3+2.5"] {
            assert_eq!(setting(text).flag(), text);
        }
    }

    #[test]
    fn short_times_show_tenths() {
        assert_eq!(clock_text(Duration::from_secs(598)), "9:58");
        assert_eq!(clock_text(Duration::from_millis(8_450)), "0:08.4");
    }
}
