//! The one signal that ends a match early: all who wait on engines wait on it too.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;

/// Shared by all threads of a match. Nothing is ever sent: the channel closes when someone calls
/// [`StopSignal::stop`], which wakes every waiter at once and for good.
#[derive(Clone, Debug)]
pub struct StopSignal {
    sender: Arc<Mutex<Option<Sender<()>>>>,
    receiver: Receiver<()>,
}

impl StopSignal {
    /// A signal that nobody has given yet.
    pub fn new() -> StopSignal {
        let (sender, receiver) = bounded(0);
        StopSignal { sender: Arc::new(Mutex::new(Some(sender))), receiver }
    }

    /// Ends the match: running games are broken off, no new ones begin.
    pub fn stop(&self) {
        self.sender.lock().take();
    }

    /// Whether the signal was given.
    pub fn is_stopped(&self) -> bool {
        self.sender.lock().is_none()
    }

    /// A channel that becomes ready (closed) with the signal.
    pub(super) fn channel(&self) -> &Receiver<()> {
        &self.receiver
    }
}

impl Default for StopSignal {
    fn default() -> StopSignal {
        StopSignal::new()
    }
}
