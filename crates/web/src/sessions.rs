//! All sessions of the server.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use super::keeping::KeeperHandle;
use super::search_request::PoolHandle;
use super::session::BoardSession;
use super::state::SessionState;

/// The maximum number of sessions at a time.
const MAX_SESSIONS: usize = 256;

/// The sessions by their numbers.
pub(super) struct Sessions {
    pool: PoolHandle,
    keeper: KeeperHandle,
    table: Mutex<SessionTable>,
}

#[derive(Default)]
struct SessionTable {
    last: u64,
    sessions: HashMap<u64, Arc<BoardSession>>,
}

impl Sessions {
    pub(super) fn new(pool: PoolHandle, keeper: KeeperHandle) -> Sessions {
        Sessions { pool, keeper, table: Mutex::default() }
    }

    /// Opens a session. If there are too many, the least recently used one makes room; `None` if
    /// all are in use.
    pub(super) fn open(&self, state: SessionState) -> Option<(u64, Arc<BoardSession>)> {
        let mut table = self.table.lock();
        if table.sessions.len() >= MAX_SESSIONS {
            let unused = table.sessions.iter().filter_map(|(&number, session)| {
                let (is_used, since) = session.attention();
                (!is_used).then_some((since, number))
            });
            let (_, oldest) = unused.min()?;
            if let Some(session) = table.sessions.remove(&oldest) {
                session.close();
            }
        }
        table.last += 1;
        let number = table.last;
        let session = BoardSession::new(state, self.pool.clone(), self.keeper.clone());
        table.sessions.insert(number, Arc::clone(&session));
        Some((number, session))
    }

    pub(super) fn find(&self, number: u64) -> Option<Arc<BoardSession>> {
        self.table.lock().sessions.get(&number).cloned()
    }

    /// Ends a session, if there is one with this number.
    pub(super) fn close(&self, number: u64) {
        let session = self.table.lock().sessions.remove(&number);
        if let Some(session) = session {
            session.close();
        }
    }
}
