//! Limits of an engine's thinking: a clock, and fixed limits for each move.

use std::fmt;
use std::time::Duration;

use cannonade_game::{ClockControl, PlayerClock};

/// All limits of an engine; the given ones hold at the same time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// A clock for the game.
    pub clock: Option<ClockControl>,
    /// Time for each move.
    pub move_time: Option<Duration>,
    /// Nodes for each move.
    pub nodes: Option<u64>,
    /// Depth for each move.
    pub depth: Option<u32>,
}

impl TimeControl {
    /// Returns whether no limit applies to the search.
    pub fn is_unlimited(&self) -> bool {
        *self == TimeControl::default()
    }
}

impl fmt::Display for TimeControl {
    /// Writes the limits as in the `TimeControl` header of a game record.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.clock.map(|clock| clock.to_string()),
            self.move_time.map(|time| format!("{}/move", time.as_secs_f64())),
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { "-" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

/// The clock of one engine during a game.
#[derive(Clone, Debug)]
pub(crate) struct EngineClock {
    control: TimeControl,
    clock: Option<PlayerClock>,
    margin: Duration,
}

impl EngineClock {
    /// Creates the clock at the start of a game. A move may take longer than allowed by up to
    /// `margin`.
    pub(crate) fn new(control: TimeControl, margin: Duration) -> EngineClock {
        let new = |clock: ClockControl| PlayerClock::new(clock, clock.time + clock.increment);
        EngineClock { control, clock: control.clock.map(new), margin }
    }

    /// Returns the limits that the clock follows.
    pub(crate) fn control(&self) -> TimeControl {
        self.control
    }

    /// Returns the time left on the clock; `None` without a clock.
    pub(crate) fn left(&self) -> Option<Duration> {
        self.clock.map(|clock| clock.left())
    }

    /// Returns the moves until the next time control; `None` without one.
    pub(crate) fn moves_to_go(&self) -> Option<u32> {
        self.clock.and_then(|clock| clock.moves_to_go())
    }

    /// Returns the limit of the next move without the margin; `None` if its time is not limited.
    fn limit(&self) -> Option<Duration> {
        [self.left(), self.control.move_time].into_iter().flatten().min()
    }

    /// Returns the maximum time for the next move; `None` if its time is not limited.
    pub(crate) fn allowance(&self) -> Option<Duration> {
        self.limit().map(|limit| limit + self.margin)
    }

    /// Returns by how much a move of this time exceeds its limit, which the margin may forgive;
    /// `None` if its time is not limited.
    pub(crate) fn overrun(&self, elapsed: Duration) -> Option<Duration> {
        self.limit().map(|limit| elapsed.saturating_sub(limit))
    }

    /// Subtracts the time of a move; false if the move took too long.
    pub(crate) fn spend(&mut self, elapsed: Duration) -> bool {
        if self.allowance().is_some_and(|allowance| elapsed > allowance) {
            return false;
        }
        if let Some(clock) = &mut self.clock {
            clock.spend(elapsed);
            clock.add_after_move();
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn millis(n: u64) -> Duration {
        Duration::from_millis(n)
    }

    #[test]
    fn a_clock_counts_down_and_gains_increments_and_new_sessions() {
        let control = TimeControl { clock: "2/1+0.1".parse().ok(), ..TimeControl::default() };
        let mut clock = EngineClock::new(control, millis(50));
        assert_eq!(clock.left(), Some(millis(1100)));
        assert!(clock.spend(millis(600)));
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(millis(600)), Some(1)));
        assert!(clock.spend(millis(200)));
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(millis(1500)), Some(2)));
        assert!(!clock.spend(millis(1551)));
        assert_eq!(clock.overrun(millis(1540)), Some(millis(40)));
        assert!(clock.spend(millis(1550)), "within the margin");
    }

    #[test]
    fn limits_without_time_allow_any_time() {
        let control = TimeControl { depth: Some(5), ..TimeControl::default() };
        let mut clock = EngineClock::new(control, millis(0));
        assert_eq!(clock.allowance(), None);
        assert!(clock.spend(Duration::from_secs(1000)));
        assert_eq!(control.to_string(), "depth 5");
        let control = TimeControl { move_time: Some(millis(50)), ..TimeControl::default() };
        assert!(!EngineClock::new(control, millis(10)).spend(millis(61)));
    }
}
