//! The one engine of the server, on a thread of its own.

use std::thread::{self, JoinHandle};

use cannonade_engine::{Engine, OptionError};
use cannonade_tables::TableSource;
use crossbeam_channel::unbounded;

use super::search_queue::SearchQueue;
use super::search_request::{PoolHandle, PoolMessage};

/// The thread of the engine.
pub(super) struct EnginePool {
    handle: PoolHandle,
    thread: Option<JoinHandle<()>>,
    warning: Option<OptionError>,
}

impl EnginePool {
    /// Starts the engine with this many threads, memory for its transposition table, and endgame
    /// tables.
    ///
    /// # Errors
    ///
    /// If the system does not give the threads or memory, or a folder of tables cannot be read.
    pub(super) fn start(
        threads: usize,
        hash_mib: usize,
        tables: &TableSource,
    ) -> Result<EnginePool, OptionError> {
        let (event_sender, events) = unbounded();
        let mut engine = Engine::new(event_sender);
        let warning = engine.configure(threads, hash_mib, tables)?;
        let (sender, receiver) = unbounded();
        let queue = SearchQueue::new(engine, events, receiver);
        let run = move || queue.run();
        let thread = thread::Builder::new().name("web engine".to_owned()).spawn(run);
        let thread = thread.map_err(|error| OptionError::Refused {
            name: "Threads",
            reason: format!("cannot start a thread: {error}"),
        })?;
        Ok(EnginePool { handle: PoolHandle::new(sender), thread: Some(thread), warning })
    }

    /// Returns the setting that could be used only in part, if any.
    pub(super) fn warning(&self) -> Option<&OptionError> {
        self.warning.as_ref()
    }

    pub(super) fn handle(&self) -> &PoolHandle {
        &self.handle
    }
}

impl Drop for EnginePool {
    fn drop(&mut self) {
        self.handle.send(PoolMessage::End);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
