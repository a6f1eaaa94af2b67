//! The thread that writes changed games, so that no request waits for the disk.

use std::io;
use std::iter;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::folder::GamesFolder;

/// A session whose game is kept.
pub(crate) trait KeptSession: Send + Sync {
    /// Writes the game to its file, if it has changed and is worth a file. Returns false if that
    /// has failed.
    fn keep(&self, folder: &GamesFolder) -> bool;
}

enum KeeperMessage {
    Changed(Arc<dyn KeptSession>),
    End,
}

/// Tells the keeper of changes.
#[derive(Clone)]
pub(crate) struct KeeperHandle(Option<Sender<KeeperMessage>>);

impl KeeperHandle {
    /// Returns a handle for sessions that are not kept.
    pub(crate) fn none() -> KeeperHandle {
        KeeperHandle(None)
    }

    /// Announces that the game of the session has changed. The session lives on until its game is
    /// written, even if its board is closed.
    pub(crate) fn changed(&self, session: Arc<dyn KeptSession>) {
        if let Some(sender) = &self.0 {
            let _ = sender.send(KeeperMessage::Changed(session));
        }
    }
}

/// The thread; it has written everything when it is dropped.
pub(crate) struct Keeper {
    sender: Sender<KeeperMessage>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Starts the thread.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(crate) fn start(folder: GamesFolder) -> io::Result<Keeper> {
        let (sender, receiver) = unbounded();
        let run = move || run(&receiver, &folder);
        let thread = thread::Builder::new().name("web keeper".to_owned()).spawn(run)?;
        Ok(Keeper { sender, thread: Some(thread) })
    }

    pub(crate) fn handle(&self) -> KeeperHandle {
        KeeperHandle(Some(self.sender.clone()))
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        let _ = self.sender.send(KeeperMessage::End);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Writes changes until the end.
fn run(receiver: &Receiver<KeeperMessage>, folder: &GamesFolder) {
    let mut unwritten = Vec::new();
    while let Ok(first) = receiver.recv() {
        if keep_changed(&mut unwritten, iter::once(first).chain(receiver.try_iter()), folder) {
            return;
        }
    }
}

/// Writes the games of these sessions and those that have changed, and leaves the sessions whose
/// write has failed; several changes of one session are written once. Returns whether this is the
/// end.
fn keep_changed(
    unwritten: &mut Vec<Arc<dyn KeptSession>>,
    messages: impl Iterator<Item = KeeperMessage>,
    folder: &GamesFolder,
) -> bool {
    let mut is_end = false;
    for message in messages {
        match message {
            KeeperMessage::End => is_end = true,
            KeeperMessage::Changed(session) => {
                if !unwritten.iter().any(|known| Arc::ptr_eq(known, &session)) {
                    unwritten.push(session);
                }
            }
        }
    }
    unwritten.retain(|session| !session.keep(folder));
    is_end
}

/// The keeper without a thread.
pub(crate) struct WaitingKeeper {
    receiver: Receiver<KeeperMessage>,
    unwritten: Vec<Arc<dyn KeptSession>>,
}

impl WaitingKeeper {
    /// Creates a keeper and its handle.
    pub(crate) fn new() -> (WaitingKeeper, KeeperHandle) {
        let (sender, receiver) = unbounded();
        (WaitingKeeper { receiver, unwritten: Vec::new() }, KeeperHandle(Some(sender)))
    }

    /// Writes what has changed; after a change also what could not be written before.
    pub(crate) fn keep(&mut self, folder: &GamesFolder) {
        if !self.receiver.is_empty() {
            keep_changed(&mut self.unwritten, self.receiver.try_iter(), folder);
        }
    }

    /// Forgets what has changed: there is no folder.
    pub(crate) fn forget(&self) {
        self.receiver.try_iter().for_each(drop);
    }
}
