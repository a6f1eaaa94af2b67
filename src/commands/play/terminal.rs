//! Input from the person: lines, Ctrl-C, and the end of the time.

use std::io::{self, BufReader, IsTerminal};

use crossbeam_channel::{Receiver, select, unbounded};
use web_time::{Duration, Instant};

use crate::commands::interrupt::on_interrupt;
use crate::protocol::{InputLine, read_ahead};

/// Two interrupts within this time end the program.
const SECOND_INTERRUPT: Duration = Duration::from_secs(3);

/// An input of the person.
pub(super) enum Input {
    Line(String),
    Interrupt {
        /// True if it came soon after another one.
        is_second: bool,
    },
    /// The time of the person has run out.
    OutOfTime,
    End,
}

/// The input of the program.
pub(super) struct Terminal {
    lines: Receiver<InputLine>,
    interrupts: Receiver<()>,
    last_interrupt: Option<Instant>,
    /// A person types, and needs a prompt.
    prompts: bool,
}

impl Terminal {
    pub(super) fn new() -> Terminal {
        let (interrupted, interrupts) = unbounded();
        // Without a handler Ctrl-C ends the program, as it does everywhere.
        let _ = on_interrupt(move || {
            let _ = interrupted.send(());
        });
        Terminal {
            lines: read_ahead(BufReader::new(io::stdin())),
            interrupts,
            last_interrupt: None,
            prompts: io::stdin().is_terminal() && io::stdout().is_terminal(),
        }
    }

    /// Returns whether a person types, and needs a prompt.
    pub(super) fn prompts(&self) -> bool {
        self.prompts
    }

    /// Receives each Ctrl-C that [`Terminal::read`] has not taken.
    pub(super) fn interrupts(&self) -> &Receiver<()> {
        &self.interrupts
    }

    /// Waits for the next input, as long as the person has time; `None` is no clock.
    pub(super) fn read(&mut self, left: Option<Duration>) -> Input {
        // Without a clock a day at a time is as good as no limit.
        let time = left.unwrap_or(Duration::from_secs(86_400));
        select! {
            recv(self.lines) -> line => line.map_or(Input::End, |line| Input::Line(line.text)),
            recv(self.interrupts) -> _ => Input::Interrupt { is_second: self.note_interrupt() },
            default(time) => match left {
                Some(_) => Input::OutOfTime,
                None => Input::Line(String::new()),
            },
        }
    }

    /// Records an interrupt. Returns whether another one came shortly before.
    fn note_interrupt(&mut self) -> bool {
        let now = Instant::now();
        let last = self.last_interrupt.replace(now);
        last.is_some_and(|last| now - last < SECOND_INTERRUPT)
    }
}
