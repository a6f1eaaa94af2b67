//! A session without threads, as in WebAssembly.

use std::io::{self, Write};
use std::mem;
use std::sync::Arc;
use std::time::{Duration, Instant};

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

/// A slice after which an infinite search has reported some depths.
const SLICE: Duration = Duration::from_millis(50);
/// A slice in which each search ends.
const LONG: Duration = Duration::from_secs(600);

/// A session, and its output.
fn session() -> (Session<Shared>, Shared) {
    let output = Shared::default();
    (Session::without_threads(output.clone(), None), output)
}

/// Lets the session work for a slice. Returns whether it is searching.
fn advance(session: &mut Session<Shared>, slice: Duration) -> bool {
    session.advance(slice).expect("a sound output").is_some()
}

#[test]
fn commands_are_served_between_the_slices_of_a_search() {
    let (mut session, output) = session();
    let mut send = |line| assert!(!session.receive(line).expect("a sound output"), "{line}");
    send("uci");
    assert!(output.take().ends_with("uciok\n"));
    send("setoption name UCI_ShowWDL value true");
    send("position startpos moves h2e2");
    send("go infinite");
    assert_eq!(output.take(), "");
    assert!(advance(&mut session, SLICE));
    let lines = output.take();
    assert!(lines.lines().all(|line| line.starts_with("info depth ")), "{lines}");
    assert!(lines.contains(" wdl ") && !lines.contains("bestmove"), "{lines}");
    assert!(!session.receive("isready").expect("a sound output"));
    assert_eq!(output.take(), "readyok\n");
    assert!(advance(&mut session, SLICE));
    output.take();
    assert!(!session.receive("stop").expect("a sound output"));
    assert!(!advance(&mut session, SLICE));
    let lines = output.take();
    assert!(lines.lines().last().is_some_and(|line| line.starts_with("bestmove ")), "{lines}");
}

#[test]
fn lines_come_after_each_slice() {
    let (mut session, output) = session();
    assert!(!session.receive("go depth 14").expect("a sound output"));
    let mut outputs = Vec::new();
    loop {
        let is_searching = advance(&mut session, Duration::from_millis(10));
        outputs.push(output.take());
        if !is_searching {
            break;
        }
    }
    let last = outputs.pop().expect("an output");
    assert!(last.contains("bestmove ") && !last.contains("info depth 8 "), "{last}");
    let before = outputs.concat();
    assert!(before.contains("info depth 8 ") && !before.contains("bestmove"), "{before}");
}

#[test]
fn waiting_commands_and_quit_are_done() {
    let (mut session, output) = session();
    for line in ["go infinite", "position startpos moves h2e2 h9g7", "go depth 2", "bench 1"] {
        assert!(!session.receive(line).expect("a sound output"), "{line}");
    }
    let mut lines = String::new();
    while advance(&mut session, SLICE) {
        lines += &output.take();
    }
    lines += &output.take();
    assert_eq!(lines.matches("bestmove ").count(), 2, "{lines}");
    assert!(lines.trim_end().ends_with("nps"), "{lines}");
    assert!(!session.receive("go infinite").expect("a sound output"));
    assert!(advance(&mut session, SLICE));
    output.take();
    assert!(session.receive("quit").expect("a sound output"));
    assert!(output.take().contains("bestmove "));
}

/// A client need not send a line for each search that waits.
#[test]
fn searches_that_wait_begin_by_themselves() {
    let (mut session, output) = session();
    for depth in 1..=3 {
        assert!(!session.receive(&format!("go depth {depth}")).expect("a sound output"));
    }
    let calls = (0..10).take_while(|_| advance(&mut session, LONG)).count();
    assert!(calls < 4, "{calls} calls");
    assert_eq!(output.take().matches("bestmove ").count(), 3);
}

#[test]
fn a_stop_is_answered_without_more_work() {
    for level in ["19", "20"] {
        let (mut session, output) = session();
        for line in [&format!("setoption name Skill Level value {level}"), "go infinite"] {
            assert!(!session.receive(line).expect("a sound output"), "{line}");
        }
        assert!(advance(&mut session, SLICE));
        assert!(!session.receive("stop").expect("a sound output"));
        let start = Instant::now();
        assert!(!advance(&mut session, LONG));
        assert!(start.elapsed() < Duration::from_millis(100), "{:?}", start.elapsed());
        assert!(output.take().contains("bestmove "), "level {level}");
    }
}
