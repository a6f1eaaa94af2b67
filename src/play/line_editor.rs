//! Typed lines with editing, history and completion, on a terminal.

use crossbeam_channel::{Receiver, Sender, bounded};

use super::editing;
use super::typed::Typed;

/// Reads lines on a thread of its own, one for each prompt.
pub(super) struct LineEditor {
    prompts: Sender<[String; 2]>,
    typed: Receiver<Typed>,
    /// A prompt is shown, and its line was not received yet.
    is_reading: bool,
}

impl LineEditor {
    /// Starts the thread; `None` where the terminal cannot be edited.
    pub(super) fn start() -> Option<LineEditor> {
        let (prompts, asked) = bounded(1);
        let (sender, typed) = bounded(1);
        let read = editing::reader()?;
        let edit = move || serve(read, &asked, &sender);
        std::thread::Builder::new().name("line editor".to_owned()).spawn(edit).ok()?;
        Some(LineEditor { prompts, typed, is_reading: false })
    }

    /// Shows the prompt, without and with colours, unless one is shown.
    pub(super) fn prompt(&mut self, plain: &str, painted: &str) {
        if !self.is_reading {
            self.is_reading = true;
            // Without the thread the channel of lines is closed, which ends the input.
            let _ = self.prompts.send([plain.to_owned(), painted.to_owned()]);
        }
    }

    /// Receives the line of the prompt; [`LineEditor::received`] is called for each.
    pub(super) fn typed(&self) -> &Receiver<Typed> {
        &self.typed
    }

    /// Notes that the line of the prompt was received.
    pub(super) fn received(&mut self) {
        self.is_reading = false;
    }
}

/// Answers prompts until the input ends.
fn serve(
    mut read: impl FnMut(&[String; 2]) -> Option<Typed>,
    asked: &Receiver<[String; 2]>,
    sender: &Sender<Typed>,
) {
    for prompt in asked {
        let Some(typed) = read(&prompt) else { return };
        if sender.send(typed).is_err() {
            return;
        }
    }
}
