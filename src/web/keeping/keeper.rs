//! The thread that writes changed games, so that no request waits for the disk.

use std::io;
use std::iter;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::folder::GamesFolder;

/// A session whose game is kept.
pub(in crate::web) trait KeptSession: Send + Sync {
    /// Writes the game to its file, if it has changed and is worth a file.
    fn keep(&self, folder: &GamesFolder);
}

enum KeeperMessage {
    Changed(Arc<dyn KeptSession>),
    End,
}

/// Tells the keeper of changes.
#[derive(Clone)]
pub(in crate::web) struct KeeperHandle(Option<Sender<KeeperMessage>>);

impl KeeperHandle {
    /// Returns a handle for sessions that are not kept.
    pub(in crate::web) fn none() -> KeeperHandle {
        KeeperHandle(None)
    }

    /// Announces that the game of the session has changed. The session lives on until its game is
    /// written, even if its board is closed.
    pub(in crate::web) fn changed(&self, session: Arc<dyn KeptSession>) {
        if let Some(sender) = &self.0 {
            let _ = sender.send(KeeperMessage::Changed(session));
        }
    }
}

/// The thread; it has written everything when it is dropped.
pub(in crate::web) struct Keeper {
    sender: Sender<KeeperMessage>,
    thread: Option<JoinHandle<()>>,
}

impl Keeper {
    /// Starts the thread.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(in crate::web) fn start(folder: GamesFolder) -> io::Result<Keeper> {
        let (sender, receiver) = unbounded();
        let run = move || run(&receiver, &folder);
        let thread = thread::Builder::new().name("web keeper".to_owned()).spawn(run)?;
        Ok(Keeper { sender, thread: Some(thread) })
    }

    pub(in crate::web) fn handle(&self) -> KeeperHandle {
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
    while let Ok(first) = receiver.recv() {
        if keep_changed(iter::once(first).chain(receiver.try_iter()), folder) {
            return;
        }
    }
}

/// Writes changed games; several changes of one session are written once. Returns whether this is
/// the end.
fn keep_changed(messages: impl Iterator<Item = KeeperMessage>, folder: &GamesFolder) -> bool {
    let mut changed: Vec<Arc<dyn KeptSession>> = Vec::new();
    let mut is_end = false;
    for message in messages {
        match message {
            KeeperMessage::End => is_end = true,
            KeeperMessage::Changed(session) => {
                if !changed.iter().any(|known| Arc::ptr_eq(known, &session)) {
                    changed.push(session);
                }
            }
        }
    }
    for session in changed {
        session.keep(folder);
    }
    is_end
}

/// The keeper without a thread.
pub(in crate::web) struct WaitingKeeper(Receiver<KeeperMessage>);

impl WaitingKeeper {
    /// Creates a keeper and its handle.
    pub(in crate::web) fn new() -> (WaitingKeeper, KeeperHandle) {
        let (sender, receiver) = unbounded();
        (WaitingKeeper(receiver), KeeperHandle(Some(sender)))
    }

    /// Writes what has changed.
    pub(in crate::web) fn keep(&self, folder: &GamesFolder) {
        keep_changed(self.0.try_iter(), folder);
    }

    /// Forgets what has changed: there is no folder.
    pub(in crate::web) fn forget(&self) {
        self.0.try_iter().for_each(drop);
    }
}
