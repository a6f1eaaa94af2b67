//! Whole sessions, in UCI and UCCI: nothing panics or hangs, and the last position is still the one
//! that is searched.

use std::io::Cursor;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

use cannonade_engine::uci::{Session, Writer};

use super::super::corpus;
use super::{Form, Target};

/// No panic in any thread; the engine still answers and still has the last position.
pub const SESSIONS: Target = Target {
    name: "sessions",
    form: Form::Session,
    seeds: || {
        let mut sessions = corpus::sessions();
        sessions.push(corpus::lines("line.txt"));
        sessions.iter().map(|session| session.join(&b'\n')).collect()
    },
    check: session,
    inputs: [10, 60],
    accepted: 1,
};

/// Sessions read by one engine, one after the other.
pub const IN_A_ROW: usize = 50;

/// The end of every script, and the answers that the engine must still give to it.
const END: &[u8] =
    b"uci\nisready\nsetoption name Coordinates value auto\nposition startpos moves h2e2\n\
    d\ngo depth 1\nstop\nucci\nprobe startpos\n";
const LAST_FEN: &str = "Fen: rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1";

/// Returns whether a line would write files, take the memory of the machine, or stop the reading.
fn is_left_out(text: &str) -> bool {
    let expensive = ["log", "hash", "thread", "batch", "tablepath", "bookfile", "evalfile"];
    expensive.iter().any(|word| text.contains(word))
        || text.starts_with("quit")
        || text.starts_with("exit")
}

/// The lines that an engine is to read: those that are left out are left out, and whatever a line
/// starts is not waited for.
fn script(lines: &[u8]) -> Vec<u8> {
    // A small table, since sessions clear it often.
    let mut script = b"setoption name Hash value 1\n".to_vec();
    for line in lines.split(|&byte| byte == b'\n') {
        // As the session reads it: control characters are blanks.
        let text = String::from_utf8_lossy(line).to_lowercase();
        let text = text.replace(|c: char| c.is_control() || c == '\u{FEFF}', " ");
        let text = text.trim();
        if is_left_out(text) {
            continue;
        }
        script.extend_from_slice(line);
        script.push(b'\n');
        if ["go", "perft", "bench"].iter().any(|word| text.contains(word)) {
            script.extend_from_slice(b"stop\n");
        }
    }
    script.extend_from_slice(END);
    script
}

#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no panic").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Counts the panics of the threads of an engine, which it survives; they are failures all the
/// same.
static ENGINE_PANICS: LazyLock<Arc<AtomicUsize>> = LazyLock::new(|| {
    let panics = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&panics);
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let thread = std::thread::current();
        let engine = ["worker", "background", "input", "memory"];
        if thread.name().is_some_and(|name| engine.iter().any(|part| name.starts_with(part))) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
        report(info);
    }));
    panics
});

fn session(input: &[u8]) -> bool {
    let panics = ENGINE_PANICS.load(Ordering::Relaxed);
    let output = Output::default();
    let session = Session::new(Writer::new(output.clone()));
    session.run(Cursor::new(script(input))).expect("the output takes all");
    let text = output.0.lock().expect("no panic");
    let text = String::from_utf8_lossy(&text);
    assert!(text.lines().all(|line| line.len() < 1000));
    assert_eq!(ENGINE_PANICS.load(Ordering::Relaxed), panics);
    let last = text.rsplit_once("readyok").map(|(_, last)| last).expect("readyok");
    assert!(last.contains(LAST_FEN), "{last}");
    assert!(last.contains("\nbestmove ") && last.contains("\nucciok\n"), "{last}");
    text.lines().filter(|line| line.starts_with("bestmove")).count() > 1
}
