//! The clocks of a game.

use web_time::{Duration, Instant};
use xiangqi::geometry::Color;

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

/// A side's clock with the overtime that is granted once in the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SideClock {
    clock: PlayerClock,
    grace: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct BothClocks {
    red: SideClock,
    black: SideClock,
}

impl BothClocks {
    fn of(&self, side: Color) -> &SideClock {
        if side == Color::Red { &self.red } else { &self.black }
    }

    fn of_mut(&mut self, side: Color) -> &mut SideClock {
        if side == Color::Red { &mut self.red } else { &mut self.black }
    }
}

/// The clock that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct RunningClock {
    side: Color,
    since: Instant,
    /// When it was held: later time is not counted.
    held: Option<Instant>,
}

/// Two clocks, one of which may run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    clocks: BothClocks,
    /// The clocks at the start of the current turn.
    turn_start: BothClocks,
    running: Option<RunningClock>,
    /// The side that has lost on time, and its time when its clock began to run.
    expired: Option<(Color, Duration)>,
}

impl GameClock {
    /// Creates clocks that stand at their full time. Each side may exceed it by `grace` in total
    /// per game before it loses on time.
    pub fn new(control: ClockControl, grace: Duration) -> GameClock {
        let side = SideClock { clock: PlayerClock::new(control, control.time), grace };
        let clocks = BothClocks { red: side, black: side };
        GameClock { clocks, turn_start: clocks, running: None, expired: None }
    }

    /// Sets the times that Red and Black have left at the start of a turn; the clocks stand.
    pub fn set_left(&mut self, left: [Duration; 2]) {
        self.running = None;
        let [red, black] = left;
        self.clocks.red.clock.left = red;
        self.clocks.black.clock.left = black;
        self.turn_start = self.clocks;
    }

    /// Returns the time control.
    pub fn control(&self) -> ClockControl {
        self.clocks.red.clock.control
    }

    /// Returns the side whose clock runs and is not held.
    pub fn running(&self) -> Option<Color> {
        self.running.filter(|running| running.held.is_none()).map(|running| running.side)
    }

    /// Lets the clock of one side run, after the other one has been stopped.
    pub fn start(&mut self, side: Color, now: Instant) {
        self.stop(now);
        self.running = Some(RunningClock { side, since: now, held: None });
    }

    /// Holds the running clock: its turn goes on, but later time is not counted.
    pub fn hold(&mut self, now: Instant) {
        if let Some(running) = &mut self.running {
            running.held.get_or_insert(now);
        }
    }

    /// Stops the running clock. Time beyond the end is taken from the overtime.
    pub fn stop(&mut self, now: Instant) {
        if let Some(RunningClock { side, .. }) = self.running {
            let spent = self.spent(side, now);
            self.running = None;
            let SideClock { clock, grace } = self.clocks.of_mut(side);
            *grace = grace.saturating_sub(spent.saturating_sub(clock.left));
            clock.spend(spent);
        }
    }

    /// Ends the turn of a side: its clock stops and gets the increment, and a turn begins.
    pub fn moved(&mut self, side: Color, now: Instant) {
        self.stop(now);
        self.clocks.of_mut(side).clock.add_after_move();
        self.turn_start = self.clocks;
    }

    /// Stops the running clock, which stands as before it began to run.
    pub fn cancel(&mut self) {
        self.running = None;
    }

    /// Makes a side lose on time: its clock stands at zero.
    pub fn expire(&mut self, side: Color) {
        self.running = None;
        let clock = &mut self.clocks.of_mut(side).clock;
        self.expired = Some((side, clock.left));
        clock.left = Duration::ZERO;
        self.turn_start = self.clocks;
    }

    /// Restores the time of a side that has lost on time to that when its clock began to run.
    pub fn revive(&mut self) {
        if let Some((side, left)) = self.expired.take() {
            self.clocks.of_mut(side).clock.left = left;
            self.turn_start = self.clocks;
        }
    }

    /// Sets the clocks back to the start of the current turn, and stops them.
    pub fn restart_turn(&mut self) {
        self.clocks = self.turn_start;
        self.running = None;
    }

    /// Returns the time that a side has left.
    pub fn left(&self, side: Color, now: Instant) -> Duration {
        self.clocks.of(side).clock.left.saturating_sub(self.spent(side, now))
    }

    /// Returns whether the clock of this side runs and its time and overtime are over.
    pub fn is_expired(&self, side: Color, now: Instant) -> bool {
        let SideClock { clock, grace } = self.clocks.of(side);
        self.spent(side, now) > clock.left.saturating_add(*grace)
    }

    /// Returns the clock of a side as it stood at the start of the turn or when it stopped.
    pub fn player(&self, side: Color) -> PlayerClock {
        self.clocks.of(side).clock
    }

    /// Returns the time that a side has spent since its clock began to run.
    fn spent(&self, side: Color, now: Instant) -> Duration {
        match self.running {
            Some(running) if running.side == side => {
                running.held.unwrap_or(now).saturating_duration_since(running.since)
            }
            _ => Duration::ZERO,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn clock(seconds: u32, increment: u32) -> (GameClock, Instant) {
        let control =
            ClockControl { moves: None, time: seconds * SECOND, increment: increment * SECOND };
        (GameClock::new(control, 300 * SECOND / 1000), Instant::now())
    }

    #[test]
    fn a_move_costs_its_time_and_gains_the_increment() {
        let (mut clock, now) = clock(60, 2);
        clock.start(Color::Red, now);
        let later = now + 10 * SECOND;
        assert_eq!(clock.left(Color::Red, later), 50 * SECOND);
        clock.moved(Color::Red, later);
        assert_eq!(Color::ALL.map(|side| clock.left(side, later)), [52 * SECOND, 60 * SECOND]);
        assert_eq!(clock.player(Color::Red).control().increment, 2 * SECOND);
        assert_eq!(clock.running(), None);
    }

    #[test]
    fn time_is_added_after_the_moves_of_a_session() {
        let control = ClockControl { moves: Some(2), time: 60 * SECOND, increment: SECOND };
        let (mut clock, now) = (GameClock::new(control, Duration::ZERO), Instant::now());
        clock.moved(Color::Red, now);
        assert_eq!(clock.left(Color::Red, now), 61 * SECOND);
        assert_eq!(clock.player(Color::Red).moves_to_go(), Some(1));
        clock.moved(Color::Red, now);
        assert_eq!(clock.left(Color::Red, now), 122 * SECOND);
        assert_eq!(clock.player(Color::Red).moves_to_go(), Some(2));
        assert_eq!(clock.player(Color::Black).moves_to_go(), Some(2));
    }

    #[test]
    fn a_turn_that_starts_again_costs_nothing() {
        let (mut clock, now) = clock(60, 2);
        clock.start(Color::Red, now);
        clock.moved(Color::Red, now + SECOND);
        clock.start(Color::Black, now + SECOND);
        clock.stop(now + 9 * SECOND);
        clock.restart_turn();
        assert_eq!(Color::ALL.map(|side| clock.left(side, now)), [61 * SECOND, 60 * SECOND]);
    }

    #[test]
    fn a_held_clock_counts_no_later_time() {
        let (mut clock, now) = clock(60, 2);
        clock.start(Color::Red, now);
        clock.hold(now + SECOND);
        assert_eq!(
            (clock.running(), clock.left(Color::Red, now + 9 * SECOND)),
            (None, 59 * SECOND)
        );
        assert!(!clock.is_expired(Color::Red, now + 90 * SECOND));
        clock.moved(Color::Red, now + 90 * SECOND);
        assert_eq!(clock.left(Color::Red, now + 90 * SECOND), 61 * SECOND);
    }

    #[test]
    fn a_side_that_lost_on_time_can_get_its_time_back() {
        let (mut clock, now) = clock(60, 2);
        clock.start(Color::Red, now);
        clock.stop(now + 10 * SECOND);
        clock.start(Color::Red, now + 20 * SECOND);
        clock.expire(Color::Red);
        assert_eq!((clock.left(Color::Red, now), clock.running()), (Duration::ZERO, None));
        clock.revive();
        assert_eq!(clock.left(Color::Red, now), 50 * SECOND);
        clock.start(Color::Red, now);
        clock.cancel();
        assert_eq!(clock.left(Color::Red, now + SECOND), 50 * SECOND);
    }

    #[test]
    fn the_time_beyond_the_end_is_granted_once() {
        let (mut clock, mut now) = clock(1, 0);
        clock.start(Color::Red, now);
        now += SECOND + 200 * SECOND / 1000;
        assert!(!clock.is_expired(Color::Red, now));
        clock.moved(Color::Red, now);
        clock.start(Color::Red, now);
        assert!(!clock.is_expired(Color::Red, now + 50 * SECOND / 1000));
        assert!(clock.is_expired(Color::Red, now + 150 * SECOND / 1000));
        assert!(!clock.is_expired(Color::Black, now + 150 * SECOND / 1000));
    }
}
