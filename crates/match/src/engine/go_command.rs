//! The command `go` of a match: the clocks of both sides and the limits of one move.

use std::fmt::{Display, Write as _};
use std::time::Duration;

use super::protocol::{EngineProtocol, TimeUnit};
use super::time_control::EngineClock;

pub(super) struct GoParameters<'a> {
    /// The clock of the side to move.
    pub(super) own: &'a EngineClock,
    /// Its opponent's clock.
    pub(super) other: &'a EngineClock,
    /// True if Red is to move.
    pub(super) red: bool,
    /// True if the engine ponders: the move that leads to this position is not played yet.
    pub(super) ponder: bool,
    /// True if the opponent offered a draw with its last move.
    pub(super) draw_offered: bool,
    /// The unit of times in UCCI.
    pub(super) unit: TimeUnit,
}

impl GoParameters<'_> {
    /// Writes the command.
    pub(super) fn command(&self, protocol: EngineProtocol) -> String {
        let mut text = String::from("go");
        if self.ponder {
            text.push_str(" ponder");
        } else if self.draw_offered && protocol == EngineProtocol::Ucci {
            text.push_str(" draw");
        }
        match protocol {
            EngineProtocol::Uci => self.write_uci_times(&mut text),
            EngineProtocol::Ucci => self.write_ucci_times(&mut text),
        }
        let control = self.own.control();
        if let Some(depth) = control.depth {
            add(&mut text, "depth", depth);
        }
        if let Some(nodes) = control.nodes {
            add(&mut text, "nodes", nodes);
        }
        text
    }

    fn write_uci_times(&self, text: &mut String) {
        let GoParameters { own, other, .. } = self;
        if own.control().clock.is_some() {
            // UCI cannot express that the opponent has no clock: it gets a copy of ours.
            let other = if other.control().clock.is_some() { other } else { own };
            let (red, black) = if self.red { (own, other) } else { (other, own) };
            let [(wtime, winc), (btime, binc)] =
                [red, black].map(|clock| time_and_increment(clock, TimeUnit::Milliseconds));
            add(text, "wtime", wtime);
            add(text, "btime", btime);
            add(text, "winc", winc);
            add(text, "binc", binc);
            if let Some(moves) = own.moves_to_go() {
                add(text, "movestogo", moves);
            }
        }
        if let Some(time) = own.control().move_time {
            add(text, "movetime", TimeUnit::Milliseconds.count_left(time));
        }
    }

    fn write_ucci_times(&self, text: &mut String) {
        let &GoParameters { own, other, unit, .. } = self;
        if own.control().clock.is_some() {
            let (left, increment) = time_and_increment(own, unit);
            add(text, "time", left);
            match own.moves_to_go() {
                Some(moves) => add(text, "movestogo", moves),
                None => add(text, "increment", increment),
            }
            if other.control().clock.is_some() {
                let (left, increment) = time_and_increment(other, unit);
                add(text, "opptime", left);
                match other.moves_to_go() {
                    Some(moves) => add(text, "oppmovestogo", moves),
                    None => add(text, "oppincrement", increment),
                }
            }
        } else if let Some(time) = own.control().move_time {
            // UCCI has no `movetime`: a clock that must last for one move is equivalent.
            add(text, "time", unit.count_left(time));
            add(text, "movestogo", 1);
        }
    }
}

fn add(text: &mut String, key: &str, value: impl Display) {
    // Writing to a string cannot fail.
    let _ = write!(text, " {key} {value}");
}

/// Returns the time left and the increment in a unit.
fn time_and_increment(clock: &EngineClock, unit: TimeUnit) -> (u128, u128) {
    let increment = clock.control().clock.map_or(Duration::ZERO, |clock| clock.increment);
    (unit.count_left(clock.left().unwrap_or_default()), unit.count(increment))
}

#[cfg(test)]
mod tests {
    use super::super::time_control::TimeControl;
    use super::*;

    fn clock(text: &str) -> EngineClock {
        let control = TimeControl { clock: text.parse().ok(), ..TimeControl::default() };
        EngineClock::new(control, Duration::ZERO)
    }

    fn parameters<'a>(own: &'a EngineClock, other: &'a EngineClock, red: bool) -> GoParameters<'a> {
        let unit = TimeUnit::Milliseconds;
        GoParameters { own, other, red, ponder: false, draw_offered: false, unit }
    }

    #[test]
    fn clocks_are_written_in_each_protocol() {
        let (own, other) = (clock("10+0.1"), clock("40/60"));
        let go = parameters(&own, &other, false);
        let command = "go wtime 60000 btime 10100 winc 0 binc 100";
        assert_eq!(go.command(EngineProtocol::Uci), command);
        let go = parameters(&own, &other, true);
        let command = "go time 10100 increment 100 opptime 60000 oppmovestogo 40";
        assert_eq!(go.command(EngineProtocol::Ucci), command);
        let go = GoParameters { ponder: true, ..parameters(&other, &own, true) };
        let command = "go ponder wtime 60000 btime 10100 winc 0 binc 100 movestogo 40";
        assert_eq!(go.command(EngineProtocol::Uci), command);
        let unit = TimeUnit::Seconds;
        let go = GoParameters { draw_offered: true, unit, ..parameters(&own, &own, true) };
        let command = "go draw time 10 increment 0 opptime 10 oppincrement 0";
        assert_eq!(go.command(EngineProtocol::Ucci), command);
    }

    #[test]
    fn no_clock_is_announced_as_empty() {
        let (mut own, mut other) = (clock("1.5+1.9"), clock("40/1"));
        assert!(own.spend(Duration::from_millis(3390)), "10 ms and the increment are left");
        let go = GoParameters { unit: TimeUnit::Seconds, ..parameters(&own, &other, true) };
        let command = "go time 1 increment 1 opptime 1 oppmovestogo 40";
        assert_eq!(go.command(EngineProtocol::Ucci), command);
        assert!(other.spend(Duration::from_micros(999_500)));
        let go = GoParameters { unit: TimeUnit::Seconds, ..parameters(&other, &own, true) };
        let command = "go time 1 movestogo 39 opptime 1 oppincrement 1";
        assert_eq!(go.command(EngineProtocol::Ucci), command);
        let command = "go wtime 1 btime 1910 winc 0 binc 1900 movestogo 39";
        assert_eq!(go.command(EngineProtocol::Uci), command);

        let move_time = Some(Duration::from_micros(900));
        let control = TimeControl { move_time, ..TimeControl::default() };
        let own = EngineClock::new(control, Duration::ZERO);
        let go = GoParameters { unit: TimeUnit::Seconds, ..parameters(&own, &own, true) };
        assert_eq!(go.command(EngineProtocol::Ucci), "go time 1 movestogo 1");
        assert_eq!(go.command(EngineProtocol::Uci), "go movetime 1");
    }

    #[test]
    fn fixed_limits_are_written_in_each_protocol() {
        let control = TimeControl {
            move_time: Some(Duration::from_millis(50)),
            nodes: Some(1000),
            ..TimeControl::default()
        };
        let clock = EngineClock::new(control, Duration::ZERO);
        let go = parameters(&clock, &clock, true);
        assert_eq!(go.command(EngineProtocol::Uci), "go movetime 50 nodes 1000");
        assert_eq!(go.command(EngineProtocol::Ucci), "go time 50 movestogo 1 nodes 1000");
    }
}
