//! The order of commands during a search: some are served at once, the others wait for its end.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::mem;

use web_time::Instant;

use super::Session;
use crate::protocol::Command;

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
        while let Some((command, _)) = self.waiting.front() {
            let for_the_running = matches!(command, Command::Stop | Command::PonderHit { .. });
            if self.search.is_some() && !for_the_running {
                break;
            }
            if let Some((command, arrived)) = self.waiting.pop_front() {
                // Only a clock runs while its `go` waits.
                let runs = matches!(&command, Command::Go(request) if request.has_clock());
                self.execute(command, if runs { arrived } else { Instant::now() })?;
            }
        }
        if self.search.as_ref().is_some_and(|search| !search.stopped) {
            // A search that goes on does not delay these.
            let (served, rest): (VecDeque<_>, VecDeque<_>) =
                mem::take(&mut self.waiting).into_iter().partition(|(command, _)| {
                    matches!(command, Command::Handshake(_) | Command::IsReady)
                });
            self.waiting = rest;
            for (command, arrived) in served {
                self.execute(command, arrived)?;
            }
        }
        let endless = self.search.as_ref().is_some_and(|search| search.endless);
        let another_waits = self.waiting.iter().any(|(waiting, _)| starts_work(waiting));
        if endless && (another_waits || self.input_ended) {
            self.engine.stop();
        }
        Ok(())
    }
}

/// Returns whether a command starts work of the engine.
fn starts_work(command: &Command) -> bool {
    matches!(command, Command::Go(_) | Command::Bench(_))
}
