//! The order of commands during a search: some are served at once, the others wait for its end.

use std::collections::VecDeque;
use std::io::{self, Write};

use web_time::Instant;

use super::Session;
use crate::uci::Command;

impl<W: Write> Session<W> {
    /// Returns whether a command has to wait for the end of the running search. If that does not
    /// end by itself, a command that starts another one ends it.
    pub(super) fn must_wait(&mut self, command: &Command) -> bool {
        let Some(search) = &mut self.search else { return false };
        let another_waits = self.waiting.iter().any(|(waiting, _)| starts_work(waiting));
        match command {
            // After `stop` the engine is ready once it has done what waits, such as clearing a
            // table, or searches again.
            Command::Handshake(_) | Command::IsReady => search.stopped && !self.waiting.is_empty(),
            Command::Probe(_) | Command::Debug(_) | Command::Help | Command::Quit => false,
            // These are meant for the last `go`, which may still be waiting.
            Command::Stop => {
                self.engine.stop();
                another_waits
            }
            Command::PonderHit { .. } => another_waits,
            Command::Display | Command::Eval => !self.waiting.is_empty(),
            Command::Go(_) | Command::Bench(_) => {
                if search.endless {
                    search.stopped = true;
                    self.engine.stop();
                }
                true
            }
            Command::NewGame
            | Command::SetOption { .. }
            | Command::Position(_)
            | Command::BanMoves(_) => true,
        }
    }

    /// Executes the commands that waited for the end of a search, and stops an endless search when
    /// nothing else can end it.
    pub(super) fn catch_up(&mut self) -> io::Result<()> {
        let (mut kept, mut another_waits) = (VecDeque::new(), false);
        while let Some((command, arrived)) = self.waiting.pop_front() {
            if self.is_due(&command, another_waits) {
                // Only a clock runs while its `go` waits.
                let runs = matches!(&command, Command::Go(request) if request.has_clock());
                self.execute(command, if runs { arrived } else { Instant::now() })?;
            } else {
                another_waits |= starts_work(&command);
                kept.push_back((command, arrived));
            }
        }
        self.waiting = kept;
        let endless = self.search.as_ref().is_some_and(|search| search.endless);
        if endless && (another_waits || self.input_ended) {
            self.engine.stop();
        }
        Ok(())
    }

    /// Returns whether a waiting command need not wait any longer. `another_waits` tells whether one
    /// before it starts work.
    fn is_due(&self, command: &Command, another_waits: bool) -> bool {
        let Some(search) = &self.search else { return true };
        match command {
            // These are for the last `go` before them.
            Command::Stop | Command::PonderHit { .. } => !another_waits,
            // A search that goes on does not delay these.
            Command::Handshake(_) | Command::IsReady => !search.stopped,
            _ => false,
        }
    }
}

/// Returns whether a command starts work of the engine.
fn starts_work(command: &Command) -> bool {
    matches!(command, Command::Go(_) | Command::Bench(_))
}
