//! Delays of the moves of an engine.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::super::game::EngineMove;

/// Counts of moves and their delays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EngineTiming {
    /// Moves whose time was limited.
    pub moves: u64,
    /// Moves beyond their limit but within the margin.
    pub late: u64,
    /// The maximum excess, in milliseconds.
    pub latest_ms: f64,
    /// Moves before which the engine reported the time of its search.
    pub reported: u64,
    /// Mean time of these moves beyond the last report (start, stop, transport), in milliseconds.
    pub overhead_ms: f64,
    /// Maximum of that time, in milliseconds.
    pub longest_overhead_ms: f64,
}

impl EngineTiming {
    pub(super) fn add(&mut self, report: &EngineMove) {
        let millis = |time: Duration| 1e3 * time.as_secs_f64();
        let mut one = EngineTiming::default();
        if let Some(overrun) = report.overrun {
            one.moves = 1;
            one.late = u64::from(!overrun.is_zero());
            one.latest_ms = millis(overrun);
        }
        if let Some(time) = report.info.time {
            let overhead = millis(report.elapsed.saturating_sub(time));
            (one.reported, one.overhead_ms, one.longest_overhead_ms) = (1, overhead, overhead);
        }
        self.merge(one);
    }

    /// Adds the moves of another match.
    pub(super) fn merge(&mut self, other: EngineTiming) {
        let reported = self.reported.saturating_add(other.reported);
        let sum = |timing: &EngineTiming| timing.overhead_ms * timing.reported as f64;
        let total = sum(self) + sum(&other);
        *self = EngineTiming {
            moves: self.moves.saturating_add(other.moves),
            late: self.late.saturating_add(other.late),
            latest_ms: self.latest_ms.max(other.latest_ms),
            reported,
            overhead_ms: if reported == 0 { 0.0 } else { total / reported as f64 },
            longest_overhead_ms: self.longest_overhead_ms.max(other.longest_overhead_ms),
        };
    }
}

impl fmt::Display for EngineTiming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let EngineTiming { moves, late, overhead_ms, .. } = *self;
        // Rounded up: a maximum is not below the mean.
        let (latest, longest) = (self.latest_ms.ceil(), self.longest_overhead_ms.ceil());
        if moves > 0 {
            write!(f, "late {late} of {moves} moves, by at most {latest} ms")?;
        }
        if self.reported > 0 {
            f.write_str(if moves > 0 { "; " } else { "" })?;
            write!(f, "beyond its own time {overhead_ms:.1} ms, at most {longest} ms")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::engine::EngineInfo;
    use super::*;

    #[test]
    fn delays_are_means_and_maxima() {
        let millis = Duration::from_millis;
        let report = |elapsed, overrun, time: Option<u64>| EngineMove {
            elapsed: millis(elapsed),
            overrun: Some(millis(overrun)),
            left: None,
            info: EngineInfo { time: time.map(millis), ..EngineInfo::default() },
        };
        let mut timing = EngineTiming::default();
        for report in [report(50, 0, Some(48)), report(70, 20, Some(60)), report(5, 0, None)] {
            timing.add(&report);
        }
        let text = "late 1 of 3 moves, by at most 20 ms; beyond its own time 6.0 ms, at most 10 ms";
        assert_eq!(timing.to_string(), text);
        let mut short = EngineTiming::default();
        short.add(&EngineMove { elapsed: Duration::from_micros(300), ..report(0, 0, Some(0)) });
        let text = "late 0 of 1 moves, by at most 0 ms; beyond its own time 0.3 ms, at most 1 ms";
        assert_eq!(short.to_string(), text);
        let mut silent = EngineTiming::default();
        silent.add(&report(5, 0, None));
        assert_eq!(silent.to_string(), "late 0 of 1 moves, by at most 0 ms", "it tells no time");
        let mut other = EngineTiming::default();
        other.add(&report(10, 0, Some(10)));
        timing.merge(other);
        assert_eq!((timing.moves, timing.reported, timing.overhead_ms), (4, 3, 4.0));
    }
}
