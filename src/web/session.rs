//! A session: one tab of a browser with its game. Requests change it, the engine reports to it, and
//! streams of events wait for its changes.
//!
//! A stream keeps no queue: it sends the newest state when the page can take it. So a page that reads
//! slowly, or not at all, costs no memory and misses nothing but what is out of date.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};

use super::job::{Client, Finding, Job, Order, Orders};
use super::state::{SessionState, Wish};
use super::view::{LinesView, SessionView, lines_view, session_view};
use crate::search::PvInfo;

/// How long the engine works for a session that no page listens to. A hidden tab does not listen.
const ABSENCE: Duration = Duration::from_secs(600);

/// The job of a wish.
struct Work {
    job: u64,
    wish: Wish,
    started: bool,
}

struct Inner {
    state: SessionState,
    work: Option<Work>,
    /// Counts the changes of the game and what is shown of it.
    version: u64,
    /// Counts the changes of the engine's lines.
    lines_version: u64,
    listeners: usize,
    last_seen: Instant,
    /// Whether the session has ended, so that nobody needs to listen any more.
    is_closed: bool,
}

impl Inner {
    fn is_seen(&self) -> bool {
        self.listeners > 0 || self.last_seen.elapsed() < ABSENCE
    }

    fn view(&self) -> SessionView {
        let work = match &self.work {
            None => "none",
            Some(Work { started: false, .. }) => "waiting",
            Some(_) => "working",
        };
        session_view(&self.state, self.version, work, Instant::now())
    }

    fn changed(&mut self) {
        self.version += 1;
        self.lines_version += 1;
    }
}

/// The versions that a stream has sent.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    version: u64,
    lines_version: u64,
}

/// What has changed since then.
#[derive(Default)]
pub(super) struct Change {
    pub(super) view: Option<SessionView>,
    pub(super) lines: Option<LinesView>,
}

/// A session.
pub(super) struct Session {
    /// For jobs, which keep the session alive while they last.
    this: Weak<Session>,
    orders: Orders,
    inner: Mutex<Inner>,
    has_changed: Condvar,
}

impl Session {
    pub(super) fn new(state: SessionState, orders: Orders) -> Arc<Session> {
        Arc::new_cyclic(|this| Session {
            this: Weak::clone(this),
            orders,
            inner: Mutex::new(Inner {
                state,
                work: None,
                version: 1,
                lines_version: 1,
                listeners: 0,
                last_seen: Instant::now(),
                is_closed: false,
            }),
            has_changed: Condvar::new(),
        })
    }

    /// Changes the session, and orders the searches that follow from that. An error leaves things as
    /// the change has left them.
    pub(super) fn update<E>(
        &self,
        change: impl FnOnce(&mut SessionState) -> Result<(), E>,
    ) -> Result<SessionView, E> {
        let mut inner = self.lock();
        inner.last_seen = Instant::now();
        let result = change(&mut inner.state);
        self.after_change(&mut inner);
        result.map(|()| inner.view())
    }

    /// Looks at the session.
    pub(super) fn look<T>(&self, look: impl FnOnce(&SessionState) -> T) -> T {
        let mut inner = self.lock();
        inner.last_seen = Instant::now();
        look(&inner.state)
    }

    /// The session as it is.
    pub(super) fn view(&self) -> SessionView {
        let mut inner = self.lock();
        inner.last_seen = Instant::now();
        inner.view()
    }

    /// Lets the engine play what it has found so far.
    pub(super) fn move_now(&self) {
        if let Some(work) = &self.lock().work {
            self.orders.give(Order::MoveNow(work.job));
        }
    }

    /// Ends all work for the session, and its streams.
    pub(super) fn close(&self) {
        let mut inner = self.lock();
        inner.is_closed = true;
        inner.state.stop(Instant::now());
        self.after_change(&mut inner);
    }

    /// Listens to the changes; the engine works for the session while anybody does.
    pub(super) fn listen(&self) -> Listener<'_> {
        let mut inner = self.lock();
        inner.listeners += 1;
        self.reconcile(&mut inner);
        drop(inner);
        Listener { session: self, seen: Seen::default() }
    }

    /// Whether somebody listens, and when somebody last asked for something.
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
        self.has_changed.notify_all();
    }

    /// Orders the search that is wanted, if it is not the one that was ordered.
    fn reconcile(&self, inner: &mut Inner) {
        let wish = inner.state.wish();
        if inner.work.as_ref().map(|work| &work.wish) == wish.as_ref() {
            return;
        }
        inner.work = None;
        let (Some(wish), Some(client)) = (wish, self.this.upgrade()) else {
            self.orders.give(Order::Reconsider);
            return;
        };
        let number = self.orders.job_number();
        let job = Job {
            number,
            client,
            position: inner.state.game().position_at(wish.node),
            rules: wish.rules,
            purpose: wish.purpose.clone(),
            book: inner.state.book_for(&wish),
        };
        inner.work = Some(Work { job: number, wish, started: false });
        self.orders.give(Order::Enqueue(Box::new(job)));
    }
}

impl Client for Session {
    fn wants(&self, job: u64) -> bool {
        let inner = self.lock();
        inner.is_seen() && inner.work.as_ref().is_some_and(|work| work.job == job)
    }

    fn started(&self, job: u64) {
        let inner = &mut *self.lock();
        if let Some(work) = inner.work.as_mut().filter(|work| work.job == job && !work.started) {
            work.started = true;
            inner.state.started(&work.wish, Instant::now());
            inner.changed();
            self.has_changed.notify_all();
        }
    }

    fn report(&self, job: u64, line: &PvInfo) {
        let inner = &mut *self.lock();
        if let Some(work) = inner.work.as_ref().filter(|work| work.job == job) {
            inner.state.report(&work.wish, line);
            inner.lines_version += 1;
            self.has_changed.notify_all();
        }
    }

    fn finished(&self, job: u64, finding: Option<&Finding>) {
        let mut inner = self.lock();
        let Some(work) = inner.work.take_if(|work| work.job == job) else { return };
        if let Some(finding) = finding {
            inner.state.finished(&work.wish, finding, Instant::now());
            self.after_change(&mut inner);
        }
        // Without a finding nobody was there; who comes back orders the search again.
    }
}

/// Waits for the changes of a session.
pub(super) struct Listener<'a> {
    session: &'a Session,
    seen: Seen,
}

impl Listener<'_> {
    /// Whether the session has ended.
    pub(super) fn is_closed(&self) -> bool {
        self.session.lock().is_closed
    }

    /// What has changed since the last call; empty if nothing has in this time.
    pub(super) fn next(&mut self, time: Duration) -> Change {
        let end = Instant::now() + time;
        let mut inner = self.session.lock();
        let seen = self.seen;
        let is_new = |inner: &Inner| {
            inner.version != seen.version || inner.lines_version != seen.lines_version
        };
        while !is_new(&inner) {
            if self.session.has_changed.wait_until(&mut inner, end).timed_out() {
                break;
            }
        }
        self.seen = Seen { version: inner.version, lines_version: inner.lines_version };
        Change {
            view: (inner.version != seen.version).then(|| inner.view()),
            lines: (inner.lines_version != seen.lines_version)
                .then(|| lines_view(&inner.state, inner.lines_version)),
        }
    }
}

impl Drop for Listener<'_> {
    fn drop(&mut self) {
        let mut inner = self.session.lock();
        inner.listeners -= 1;
        inner.last_seen = Instant::now();
    }
}
