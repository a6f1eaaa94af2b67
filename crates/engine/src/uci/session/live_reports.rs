//! Reports of a search that the thread of the session makes itself: they are written while it runs.

use std::io::Write;
use std::sync::Arc;

use crossbeam_channel::Receiver;
use parking_lot::Mutex;

use crate::Event;
use crate::search::{Pause, PvInfo};
use crate::uci::Writer;
use crate::uci::replies::ReplyFormat;

/// Form of the reports of a search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ReportForm {
    pub(super) format: ReplyFormat,
    /// The number of pieces at the root if the chances of win, draw and loss are to be written.
    pub(super) wdl_of: Option<usize>,
}

impl ReportForm {
    /// Returns the line of a principal variation; `None` if the protocol has no form for it.
    pub(super) fn pv(self, info: &PvInfo) -> Option<String> {
        self.format.report(info, self.wdl_of)
    }
}

/// The form of the running search, and whether a line was written.
#[derive(Clone, Default)]
pub(super) struct LiveReports(Arc<Mutex<(ReportForm, bool)>>);

impl LiveReports {
    /// Notes the form of the next search.
    pub(super) fn begin(&self, form: ReportForm) {
        *self.0.lock() = (form, false);
    }

    /// Returns whether a principal variation was written.
    pub(super) fn has_reported(&self) -> bool {
        self.0.lock().1
    }

    /// Returns a pause that writes all events of the search before it asks `pause`.
    pub(super) fn written_before(
        &self,
        events: Receiver<Event>,
        output: impl Write + Send + 'static,
        pause: Pause,
    ) -> Pause {
        let (reports, writer) = (self.clone(), Mutex::new(Writer::new(output)));
        Arc::new(move || {
            for event in events.try_iter() {
                if let Some(line) = reports.line(&event) {
                    // The session meets the error of an output that is gone, too.
                    let _ = writer.lock().line(&line);
                }
            }
            pause()
        })
    }

    /// Returns the text of an event in the middle of a search.
    fn line(&self, event: &Event) -> Option<String> {
        let (form, has_reported) = &mut *self.0.lock();
        match event {
            Event::Pv(info) => {
                let line = form.pv(info);
                *has_reported |= line.is_some();
                line
            }
            Event::CurrentMove(current) => form.format.current_move(current),
            Event::Message(text) => Some(form.format.protocol.message(text)),
            Event::Text(line) => Some(line.clone()),
            // The last events of a search come after its last pause.
            Event::BestMove(_) | Event::Done => None,
        }
    }
}
