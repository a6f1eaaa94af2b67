//! The clock of a player.

use std::time::Duration;

use super::clock_control::ClockControl;

/// The clock of one player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayerClock {
    control: ClockControl,
    left: Duration,
    /// Moves until time is added again, if the control counts them.
    moves_to_go: Option<u32>,
}

impl PlayerClock {
    /// Creates a clock with this time left.
    pub fn new(control: ClockControl, left: Duration) -> PlayerClock {
        PlayerClock { control, left, moves_to_go: control.moves }
    }

    /// Returns the time control.
    pub fn control(&self) -> ClockControl {
        self.control
    }

    /// Returns the time left.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// Returns the moves until time is added again; `None` if the control does not count them.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_to_go
    }

    /// Subtracts time that was spent; none is left if it was more.
    pub fn spend(&mut self, spent: Duration) {
        self.left = self.left.saturating_sub(spent);
    }

    /// Adds what a move brings: the increment, and the time of a new session after the last move of
    /// the one before.
    pub fn add_after_move(&mut self) {
        self.left = self.left.saturating_add(self.control.increment);
        self.moves_to_go = self.moves_to_go.map(|moves| moves.saturating_sub(1));
        if self.moves_to_go == Some(0) {
            self.left = self.left.saturating_add(self.control.time);
            self.moves_to_go = self.control.moves;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn time_is_added_after_the_moves_of_a_session() {
        let control = ClockControl { moves: Some(2), time: 60 * SECOND, increment: SECOND };
        let mut clock = PlayerClock::new(control, control.time);
        for (left, moves_to_go) in [(51, 1), (102, 2), (93, 1)] {
            clock.spend(10 * SECOND);
            clock.add_after_move();
            assert_eq!((clock.left(), clock.moves_to_go()), (left * SECOND, Some(moves_to_go)));
        }
        clock.spend(100 * SECOND);
        assert_eq!(clock.left(), Duration::ZERO);
    }
}
