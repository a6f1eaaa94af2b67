//! A session without threads, as in WebAssembly.

use std::io::{self, Write};
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cannonade_engine::uci::Session;
use parking_lot::Mutex;

/// Output that is read while the session works.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    fn take(&self) -> String {
        String::from_utf8(mem::take(&mut *self.0.lock())).expect("text")
    }
}

/// A session that pauses at every hundredth question, and its output.
fn session() -> (Session<Shared>, Shared) {
    let (session, output, _) = counted_session();
    (session, output)
}

/// The same, with the number of questions.
fn counted_session() -> (Session<Shared>, Shared, Arc<AtomicU64>) {
    let (output, asked) = (Shared::default(), Arc::new(AtomicU64::new(0)));
    let counter = Arc::clone(&asked);
    let pause = move || counter.fetch_add(1, Ordering::Relaxed) % 100 == 99;
    (Session::with_pauses(output.clone(), Arc::new(pause), None), output, asked)
}

#[test]
fn commands_are_served_in_the_pauses_of_a_search() {
    let (mut session, output) = session();
    let mut send = |line| assert!(!session.receive(line).expect("a sound output"), "{line}");
    send("uci");
    assert!(output.take().ends_with("uciok\n"));
    send("setoption name UCI_ShowWDL value true");
    send("position startpos moves h2e2");
    send("go infinite");
    assert_eq!(output.take(), "");
    assert!(session.advance().expect("a sound output"));
    let lines = output.take();
    assert!(lines.lines().all(|line| line.starts_with("info depth ")), "{lines}");
    assert!(lines.contains(" wdl ") && !lines.contains("bestmove"), "{lines}");
    assert!(!session.receive("isready").expect("a sound output"));
    assert_eq!(output.take(), "readyok\n");
    assert!(session.advance().expect("a sound output"));
    output.take();
    assert!(!session.receive("stop").expect("a sound output"));
    assert!(!session.advance().expect("a sound output"));
    let lines = output.take();
    assert!(lines.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{lines}");
}

#[test]
fn lines_come_during_a_search_that_does_not_pause() {
    let output = Shared::default();
    let (seen, during) = (output.clone(), Arc::new(Mutex::new(String::new())));
    let kept = Arc::clone(&during);
    let pause = move || {
        *kept.lock() += &seen.take();
        false
    };
    let mut session = Session::with_pauses(output.clone(), Arc::new(pause), None);
    assert!(!session.receive("go depth 12").expect("a sound output"));
    assert!(!session.advance().expect("a sound output"));
    let (during, after) = (during.lock().clone(), output.take());
    assert!(during.contains("info depth 8 ") && !during.contains("bestmove"), "{during}");
    assert!(after.contains("bestmove ") && !after.contains("info depth 8 "), "{after}");
}

#[test]
fn waiting_commands_and_quit_are_done() {
    let (mut session, output) = session();
    for line in ["go infinite", "position startpos moves h2e2 h9g7", "go depth 2", "bench 1"] {
        assert!(!session.receive(line).expect("a sound output"), "{line}");
    }
    let mut lines = String::new();
    while session.advance().expect("a sound output") {
        lines += &output.take();
    }
    lines += &output.take();
    assert_eq!(lines.matches("bestmove ").count(), 2, "{lines}");
    assert!(lines.trim_end().ends_with("nps"), "{lines}");
    assert!(!session.receive("go infinite").expect("a sound output"));
    assert!(session.advance().expect("a sound output"));
    output.take();
    assert!(session.receive("quit").expect("a sound output"));
    assert!(output.take().contains("bestmove "));
}

/// A client need not send a line for each search that waits.
#[test]
fn searches_that_wait_begin_by_themselves() {
    let output = Shared::default();
    let mut session = Session::with_pauses(output.clone(), Arc::new(|| false), None);
    for depth in 1..=3 {
        assert!(!session.receive(&format!("go depth {depth}")).expect("a sound output"));
    }
    assert!(!session.advance().expect("a sound output"));
    assert_eq!(output.take().matches("bestmove ").count(), 3);
}

/// A search asks every 256 nodes whether it is to pause, so the questions count the work after a
/// stop.
#[test]
fn a_stop_is_answered_without_more_work() {
    for level in ["19", "20"] {
        let (mut session, output, asked) = counted_session();
        for line in [&format!("setoption name Skill Level value {level}"), "go infinite"] {
            assert!(!session.receive(line).expect("a sound output"), "{line}");
        }
        assert!(session.advance().expect("a sound output"));
        let before = asked.load(Ordering::Relaxed);
        assert!(!session.receive("stop").expect("a sound output"));
        assert!(!session.advance().expect("a sound output"));
        assert!(output.take().contains("bestmove "));
        let after = asked.load(Ordering::Relaxed) - before;
        assert!(after <= 2, "level {level}: {after} questions");
    }
}
