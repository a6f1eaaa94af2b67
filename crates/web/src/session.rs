//! A session: one tab of a browser with its game. Requests change it, the engine reports to it, and
//! streams of events wait for its changes.
//!
//! A stream keeps no queue: it sends the newest state when the page can take it. A page that reads
//! slowly, or not at all, costs no memory and misses outdated states only.

use std::mem;
use std::sync::{Arc, Weak};

use cannonade_engine::search::PvInfo;
use parking_lot::{Condvar, Mutex, MutexGuard};
use serde::Serialize;
use web_time::{Duration, Instant};

use super::books::Books;
use super::keeping::{GamesFolder, KeeperHandle, KeptFiles, KeptPlace, KeptSession};
use super::problems::WebProblem;
use super::search_request::{
    PoolHandle, PoolMessage, QueuedSearch, SearchClient, SearchKind, SearchResult,
};
use super::state::{SearchRequest, SessionState, Snapshot, SnapshotError};
use super::view::{KeptView, LinesView, SessionView, lines_view, session_view};

/// The time for which the engine works for a session that no page listens to. A hidden tab does not
/// listen.
const ABSENCE: Duration = Duration::from_secs(600);

/// The search that is ordered.
struct CurrentSearch {
    number: u64,
    request: SearchRequest,
    is_started: bool,
}

struct Inner {
    state: SessionState,
    kept: KeptFiles,
    search: Option<CurrentSearch>,
    /// Counts the changes of the game and of its display.
    version: u64,
    /// Counts the changes of the engine's lines.
    lines_version: u64,
    listeners: usize,
    last_seen: Instant,
    /// True if its page was closed and has not come back.
    is_left: bool,
    /// True if the session has ended, so that its listeners can stop.
    is_closed: bool,
}

impl Inner {
    /// Notes that a page is there.
    fn see(&mut self) {
        self.last_seen = Instant::now();
        self.is_left = false;
    }

    /// Returns whether the engine works for the session. An analysis, which does not end by itself,
    /// is not for a closed page.
    fn wants(&self, search: &CurrentSearch) -> bool {
        let is_analysis = matches!(search.request.kind, SearchKind::Analysis { .. });
        let may_return = !(self.is_left && is_analysis);
        self.listeners > 0 || may_return && self.last_seen.elapsed() < ABSENCE
    }

    fn view(&self) -> SessionView {
        let activity = match &self.search {
            None => "none",
            Some(CurrentSearch { is_started: false, .. }) => "waiting",
            Some(_) => "working",
        };
        let kept = KeptView {
            key: self.kept.key(self.state.game().number()),
            problem: self.kept.problem().map(|(text, _)| text.clone()),
            cause: self.kept.problem().and_then(|(_, kind)| WebProblem::of_write(*kind)),
        };
        session_view(&self.state, self.version, activity, kept, Instant::now())
    }

    fn seen(&self) -> Seen {
        Seen { version: self.version, lines_version: self.lines_version }
    }

    fn update_since(&self, seen: Seen) -> Update {
        Update {
            view: (self.version != seen.version).then(|| self.view()),
            lines: (self.lines_version != seen.lines_version)
                .then(|| lines_view(&self.state, self.lines_version)),
        }
    }

    fn changed(&mut self) {
        self.version += 1;
        self.lines_version += 1;
    }
}

/// The versions that a stream has sent.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Seen {
    version: u64,
    lines_version: u64,
}

/// The changes since then.
#[derive(Default, Serialize)]
pub(super) struct Update {
    view: Option<SessionView>,
    lines: Option<LinesView>,
}

impl Update {
    /// Returns the changes as events of a stream: names and JSON.
    pub(super) fn events(&self) -> Vec<(&'static str, String)> {
        let view = self.view.as_ref().map(|view| ("view", serde_json::to_string(view)));
        let lines = self.lines.as_ref().map(|lines| ("lines", serde_json::to_string(lines)));
        let events = [view, lines].into_iter().flatten();
        events.map(|(name, data)| (name, data.unwrap_or_default())).collect()
    }
}

pub(super) struct BoardSession {
    /// For searches, which keep the session alive while they last.
    this: Weak<BoardSession>,
    pool: PoolHandle,
    keeper: KeeperHandle,
    inner: Mutex<Inner>,
    has_changed: Condvar,
}

impl BoardSession {
    pub(super) fn new(
        state: SessionState,
        pool: PoolHandle,
        keeper: KeeperHandle,
    ) -> Arc<BoardSession> {
        Arc::new_cyclic(|this| BoardSession {
            this: Weak::clone(this),
            pool,
            keeper,
            inner: Mutex::new(Inner {
                state,
                kept: KeptFiles::default(),
                search: None,
                version: 1,
                lines_version: 1,
                listeners: 0,
                last_seen: Instant::now(),
                is_left: false,
                is_closed: false,
            }),
            has_changed: Condvar::new(),
        })
    }

    /// Changes the session, and orders the searches that follow from that. An error leaves the
    /// changes made before it.
    pub(super) fn update<E>(
        &self,
        change: impl FnOnce(&mut SessionState) -> Result<(), E>,
    ) -> Result<SessionView, E> {
        let inner = &mut *self.lock();
        inner.see();
        let result = inner.kept.guard(&mut inner.state, change);
        self.after_change(inner);
        result.map(|()| inner.view())
    }

    /// Shows a kept game, whose file is written from now on.
    ///
    /// # Errors
    /// If the file holds no game.
    pub(super) fn open_kept(
        &self,
        place: KeptPlace,
        game: &Snapshot,
        books: &Books,
    ) -> Result<SessionView, SnapshotError> {
        let inner = &mut *self.lock();
        inner.see();
        let restore = |state: &mut SessionState| state.restore(game, books, Instant::now());
        inner.kept.guard(&mut inner.state, restore)?;
        inner.kept.opened(&inner.state, place);
        self.after_change(inner);
        Ok(inner.view())
    }

    /// Reads the state, as a client that is there.
    pub(super) fn look<T>(&self, look: impl FnOnce(&SessionState) -> T) -> T {
        let mut inner = self.lock();
        inner.last_seen = Instant::now();
        look(&inner.state)
    }

    pub(super) fn view(&self) -> SessionView {
        let mut inner = self.lock();
        inner.last_seen = Instant::now();
        inner.view()
    }

    /// Returns the changes since these versions, for a page without a stream. It keeps the engine
    /// at work like a stream.
    pub(super) fn changes_since(&self, version: u64, lines_version: u64) -> Update {
        let mut inner = self.lock();
        inner.see();
        self.reconcile(&mut inner);
        inner.update_since(Seen { version, lines_version })
    }

    /// Makes the engine play its best move so far.
    pub(super) fn move_now(&self) {
        if let Some(search) = &self.lock().search {
            self.pool.send(PoolMessage::MoveNow(search.number));
        }
    }

    /// Notes that the page is being closed, with its stream soon after or before.
    pub(super) fn leave(&self) {
        self.lock().is_left = true;
        self.pool.send(PoolMessage::Reconsider);
    }

    /// Ends all work for the session, and its streams.
    pub(super) fn close(&self) {
        let mut inner = self.lock();
        inner.is_closed = true;
        inner.state.stop(Instant::now());
        self.after_change(&mut inner);
    }

    /// Listens to the changes; the engine works for the session while it has a listener.
    pub(super) fn listen(self: &Arc<Self>) -> Listener {
        let mut inner = self.lock();
        inner.listeners += 1;
        inner.see();
        self.reconcile(&mut inner);
        drop(inner);
        Listener { session: Arc::clone(self), seen: Seen::default() }
    }

    /// Returns whether the session has a listener, and the time of the last request.
    pub(super) fn attention(&self) -> (bool, Instant) {
        let inner = self.lock();
        (inner.listeners > 0, inner.last_seen)
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock()
    }

    fn after_change(&self, inner: &mut Inner) {
        self.reconcile(inner);
        inner.changed();
        inner.kept.changed();
        if let Some(this) = self.this.upgrade() {
            self.keeper.changed(this);
        }
        self.has_changed.notify_all();
    }

    /// Orders the search that is wanted, unless it is already ordered.
    fn reconcile(&self, inner: &mut Inner) {
        let request = inner.state.wanted_search();
        if inner.search.as_ref().map(|search| &search.request) == request.as_ref() {
            return;
        }
        inner.search = None;
        let (Some(request), Some(client)) = (request, self.this.upgrade()) else {
            self.pool.send(PoolMessage::Reconsider);
            return;
        };
        let number = self.pool.search_number();
        let search = QueuedSearch {
            number,
            client,
            position: inner.state.position_of(&request),
            rules: request.rules,
            kind: request.kind,
            book: inner.state.book_for(&request),
        };
        inner.search = Some(CurrentSearch { number, request, is_started: false });
        self.pool.send(PoolMessage::Enqueue(Box::new(search)));
    }
}

impl KeptSession for BoardSession {
    fn keep(&self, folder: &GamesFolder) -> bool {
        let games = {
            let inner = &mut *self.lock();
            inner.kept.take_unwritten(&inner.state)
        };
        for game in games {
            let place = self.lock().kept.place(&game);
            let written = folder.write(place.as_ref(), &game.summary, &game.game);
            let mut inner = self.lock();
            if inner.kept.written(game, written) {
                inner.changed();
                self.has_changed.notify_all();
            }
        }
        !self.lock().kept.is_unwritten()
    }
}

impl SearchClient for BoardSession {
    fn wants(&self, number: u64) -> bool {
        let inner = self.lock();
        let search = inner.search.as_ref().filter(|search| search.number == number);
        search.is_some_and(|search| inner.wants(search))
    }

    fn started(&self, number: u64) {
        let inner = &mut *self.lock();
        if let Some(search) =
            inner.search.as_mut().filter(|search| search.number == number && !search.is_started)
        {
            search.is_started = true;
            inner.state.started(&search.request, Instant::now());
            inner.changed();
            self.has_changed.notify_all();
        }
    }

    fn report(&self, number: u64, line: &PvInfo) {
        let inner = &mut *self.lock();
        if let Some(search) = inner.search.as_ref().filter(|search| search.number == number) {
            inner.state.report(&search.request, line);
            inner.lines_version += 1;
            self.has_changed.notify_all();
        }
    }

    fn concluded(&self, number: u64) {
        let inner = &mut *self.lock();
        if let Some(search) = inner.search.as_ref().filter(|search| search.number == number) {
            inner.state.concluded(&search.request, Instant::now());
            inner.changed();
            self.has_changed.notify_all();
        }
    }

    fn finished(&self, number: u64, result: Option<&SearchResult>) {
        let mut inner = self.lock();
        let Some(search) = inner.search.take_if(|search| search.number == number) else { return };
        if let Some(result) = result {
            inner.state.finished(&search.request, result, Instant::now());
            self.after_change(&mut inner);
        }
        // No result: the client left; the search is requeued when it returns.
    }
}

/// Waits for the changes of a session.
pub(super) struct Listener {
    session: Arc<BoardSession>,
    seen: Seen,
}

impl Listener {
    /// Returns whether the session has ended.
    pub(super) fn is_closed(&self) -> bool {
        self.session.lock().is_closed
    }

    /// Returns the changes since the last call; empty if there was none in this time.
    pub(super) fn next(&mut self, time: Duration) -> Update {
        let end = Instant::now() + time;
        let mut inner = self.session.lock();
        while inner.seen() == self.seen {
            let left = end.saturating_duration_since(Instant::now());
            if self.session.has_changed.wait_for(&mut inner, left).timed_out() {
                break;
            }
        }
        let seen = mem::replace(&mut self.seen, inner.seen());
        inner.update_since(seen)
    }

    /// Returns the changes since the last call, without waiting.
    pub(super) fn poll(&mut self) -> Update {
        let inner = self.session.lock();
        let seen = mem::replace(&mut self.seen, inner.seen());
        inner.update_since(seen)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut inner = self.session.lock();
        inner.listeners -= 1;
        inner.last_seen = Instant::now();
        if inner.is_left {
            self.session.pool.send(PoolMessage::Reconsider);
        }
    }
}
