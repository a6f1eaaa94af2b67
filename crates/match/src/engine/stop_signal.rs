//! The signal that ends a match early. Every thread that waits for an engine also waits for it.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;

/// Shared by all threads of a match. No message is ever sent: [`StopSignal::stop`] closes the
/// channel, which wakes every waiting thread, now and later.
#[derive(Clone, Debug)]
pub struct StopSignal {
    sender: Arc<Mutex<Option<Sender<()>>>>,
    receiver: Receiver<()>,
}

impl StopSignal {
    /// Creates a signal that has not been given yet.
    pub fn new() -> StopSignal {
        let (sender, receiver) = bounded(0);
        StopSignal { sender: Arc::new(Mutex::new(Some(sender))), receiver }
    }

    /// Ends the match: running games are aborted and no new ones begin.
    pub fn stop(&self) {
        self.sender.lock().take();
    }

    /// Returns whether the signal was given.
    pub fn is_stopped(&self) -> bool {
        self.sender.lock().is_none()
    }

    /// Returns a channel that is closed, and so ready to receive from, once the signal is given.
    pub(super) fn channel(&self) -> &Receiver<()> {
        &self.receiver
    }
}

impl Default for StopSignal {
    fn default() -> StopSignal {
        StopSignal::new()
    }
}
