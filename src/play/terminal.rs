//! Input from the person: lines, Ctrl-C, and the end of the time.

use std::io::{self, BufReader, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cannonade_engine::uci::{InputLine, read_ahead};
use crossbeam_channel::{Receiver, never, select, unbounded};

use super::line_editor::LineEditor;
use super::terminal_mode::TerminalMode;
use super::typed::Typed;
use crate::interrupt::on_signal;

/// An interrupt that comes so soon after one that ended the thinking of the engine ends the program.
const SECOND_INTERRUPT: Duration = Duration::from_secs(3);

/// An input of the person.
pub(super) enum Input {
    Line(String),
    Interrupt {
        /// True if the input before was an interrupt, too, or one has just ended the thinking.
        is_second: bool,
    },
    /// The time of the person has run out.
    OutOfTime,
    End,
}

/// The part of the program that shows the prompt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PromptBy {
    /// The caller, now.
    Caller,
    /// The terminal, or none is needed: the input is no person.
    Terminal,
}

/// The source of lines.
enum InputLines {
    /// A pipe, a file, or a terminal that cannot be edited.
    Plain(Receiver<InputLine>),
    /// A terminal with a line editor.
    Edited(LineEditor),
}

/// The input of the program.
pub(super) struct Terminal {
    lines: InputLines,
    interrupts: Receiver<()>,
    /// The last input was an interrupt.
    is_after_interrupt: bool,
    /// When an interrupt has ended the thinking, if there was no input since.
    stopped: Option<Instant>,
    /// True after a request to end the process.
    is_ended: Arc<AtomicBool>,
    is_person: bool,
    /// Restores the terminal if the program ends while a line is edited.
    _mode: TerminalMode,
}

impl Terminal {
    pub(super) fn new() -> Terminal {
        let (interrupted, interrupts) = unbounded();
        // Without a handler Ctrl-C ends the program, as it does everywhere.
        let is_ended = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&is_ended);
        let _ = on_signal(move |ends| {
            ended.fetch_or(ends, Ordering::Relaxed);
            let _ = interrupted.send(());
        });
        let is_person = io::stdin().is_terminal() && io::stdout().is_terminal();
        let mode = TerminalMode::current();
        let editor = if is_person { LineEditor::start() } else { None };
        let lines = match editor {
            Some(editor) => InputLines::Edited(editor),
            None => InputLines::Plain(read_ahead(BufReader::new(io::stdin()))),
        };
        Terminal {
            lines,
            interrupts,
            is_after_interrupt: false,
            stopped: None,
            is_ended,
            is_person,
            _mode: mode,
        }
    }

    /// Shows the prompt, without or with colours, if it is the line editor that does.
    pub(super) fn prompt(&mut self, plain: &str, painted: &str) -> PromptBy {
        match &mut self.lines {
            InputLines::Edited(editor) => {
                editor.prompt(plain, painted);
                PromptBy::Terminal
            }
            InputLines::Plain(_) if self.is_person => PromptBy::Caller,
            InputLines::Plain(_) => PromptBy::Terminal,
        }
    }

    /// Takes a Ctrl-C that came while nothing was read. Returns whether there was one.
    pub(super) fn is_interrupted(&mut self) -> bool {
        let is_interrupted = self.interrupts.try_recv().is_ok();
        if is_interrupted {
            self.stopped = Some(Instant::now());
        }
        is_interrupted
    }

    /// Returns whether a person sees the prompt, and what they type behind it.
    pub(super) fn is_person(&self) -> bool {
        self.is_person
    }

    /// Waits for the next input, as long as the person has time; `None` is no clock.
    pub(super) fn read(&mut self, left: Option<Duration>) -> Input {
        if self.is_ended.load(Ordering::Relaxed) {
            return Input::End;
        }
        // Without a clock a day at a time is as good as no limit.
        let time = left.unwrap_or(Duration::from_secs(86_400));
        let (no_lines, nothing_typed) = (never(), never());
        let (lines, typed) = match &self.lines {
            InputLines::Plain(lines) => (lines, &nothing_typed),
            InputLines::Edited(editor) => (&no_lines, editor.typed()),
        };
        let (input, is_typed) = select! {
            recv(lines) -> line => (line.map_or(Input::End, |line| Input::Line(line.text)), false),
            recv(typed) -> typed => match typed {
                Ok(Typed::Line(line)) => (Input::Line(line), true),
                Ok(Typed::Interrupt) => (Input::Interrupt { is_second: false }, true),
                Err(_) => (Input::End, true),
            },
            recv(self.interrupts) -> _ => (Input::Interrupt { is_second: false }, false),
            default(time) => match left {
                Some(_) => (Input::OutOfTime, false),
                None => (Input::Line(String::new()), false),
            },
        };
        if let (true, InputLines::Edited(editor)) = (is_typed, &mut self.lines) {
            editor.received();
        }
        let is_interrupt = matches!(input, Input::Interrupt { .. });
        let is_soon = self.stopped.take().is_some_and(|stop| stop.elapsed() < SECOND_INTERRUPT);
        let is_second = std::mem::replace(&mut self.is_after_interrupt, is_interrupt) || is_soon;
        match input {
            Input::Interrupt { .. } if self.is_ended.load(Ordering::Relaxed) => Input::End,
            Input::Interrupt { .. } => Input::Interrupt { is_second },
            input => input,
        }
    }
}
