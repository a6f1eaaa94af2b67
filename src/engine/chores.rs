//! Work that is not a search but takes long enough to be stopped: counting and the benchmark.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use crossbeam_channel::Sender;

use super::workers::{Busy, STACK};
use super::{Event, bench};
use crate::board::{self, Position};
use crate::rules::RuleSet;

/// A running chore.
pub(super) struct Chore {
    stopped: AtomicBool,
    events: Sender<Event>,
}

impl Chore {
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn say(&self, line: String) {
        let _ = self.events.send(Event::Line(line));
    }
}

/// Does a chore on a thread of its own. `busy` is set by the caller and cleared at the end.
pub(super) fn begin(
    events: Sender<Event>,
    busy: Arc<Busy>,
    work: impl FnOnce(&Chore) + Send + 'static,
) -> Arc<Chore> {
    let chore = Arc::new(Chore { stopped: AtomicBool::new(false), events });
    let (handle, end) = (Arc::clone(&chore), Arc::clone(&busy));
    let thread =
        thread::Builder::new().name("chore".to_owned()).stack_size(STACK).spawn(move || {
            work(&handle);
            let _ = handle.events.send(Event::Done);
            end.set(false);
        });
    if let Err(error) = thread {
        chore.say(format!("cannot start a thread: {error}"));
        let _ = chore.events.send(Event::Done);
        busy.set(false);
    }
    chore
}

/// Says the count behind each move, then the sum.
pub(super) fn perft(mut position: Position, depth: u32, chore: &Chore) {
    let start = Instant::now();
    let mut sum = 0;
    for mv in position.legal_moves().into_iter().filter(|_| depth > 0) {
        position.make(mv);
        let nodes = count(&mut position, depth - 1, chore);
        position.unmake();
        if chore.is_stopped() {
            return chore.say("stopped".to_owned());
        }
        chore.say(format!("{mv}: {nodes}"));
        sum += nodes;
    }
    let sum = sum.max(u64::from(depth == 0));
    let seconds = start.elapsed().as_secs_f64().max(1e-9);
    chore.say(String::new());
    chore.say(format!("Nodes searched: {sum}"));
    chore.say(format!("Time: {seconds:.3} s, {:.1} million nodes/s", sum as f64 / seconds / 1e6));
}

/// Below this depth a count is too short to be worth a look at the stop flag.
const STOP_DEPTH: u32 = 3;

fn count(position: &mut Position, depth: u32, chore: &Chore) -> u64 {
    if depth <= STOP_DEPTH {
        return board::perft(position, depth);
    }
    let mut nodes = 0;
    for mv in position.legal_moves() {
        if chore.is_stopped() {
            break;
        }
        position.make(mv);
        nodes += count(position, depth - 1, chore);
        position.unmake();
    }
    nodes
}

/// Says what the benchmark says.
pub(super) fn bench(depth: u32, chore: &Chore) {
    bench::run(depth, RuleSet::default(), |line| chore.say(line), || chore.is_stopped());
}
