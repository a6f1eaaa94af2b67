//! Whole sessions, in UCI and UCCI: nothing panics or hangs, and the last position is still the one
//! that is searched.

use std::io::Cursor;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use cannonade::protocol::{Session, Writer};
use cannonade::random::Random;

use crate::mutation::mutate_session;
use crate::{corpus, count_engine_panics, run};

/// Changed sessions in all.
const SESSIONS: usize = if cfg!(debug_assertions) { 500 } else { 3_000 };

/// So many of them are read by one engine, one after the other.
const IN_A_ROW: usize = 50;

/// What every script ends with, and what the engine must still answer then.
const END: &[u8] =
    b"uci\nisready\nsetoption name Coordinates value auto\nposition startpos moves h2e2\n\
    d\ngo depth 1\nstop\nucci\nprobe startpos\n";
const LAST_FEN: &str = "Fen: rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1";

/// Whether a line would write files, take the memory of the machine, or stop the reading.
fn is_expensive(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line).to_lowercase();
    ["log", "hash", "thread", "batch"].iter().any(|word| text.contains(word))
}

/// Sessions one after the other, each changed.
fn script(sessions: &[Vec<Vec<u8>>], others: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut script = Vec::new();
    for _ in 0..IN_A_ROW {
        let mut lines = sessions[random.below(sessions.len())].clone();
        mutate_session(&mut lines, others, random);
        for line in lines {
            // As the session reads it: control characters are blanks.
            let text = String::from_utf8_lossy(&line).to_lowercase();
            let text = text.replace(|c: char| c.is_control() || c == '\u{FEFF}', " ");
            let text = text.trim();
            if is_expensive(&line) || text.starts_with("quit") || text.starts_with("exit") {
                continue;
            }
            script.extend_from_slice(&line);
            script.push(b'\n');
            // Whatever this started is not waited for.
            if ["go", "perft", "bench"].iter().any(|word| text.contains(word)) {
                script.extend_from_slice(b"stop\n");
            }
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

#[test]
fn changed_sessions_neither_panic_nor_hang_nor_lose_the_position() {
    let sessions = corpus::sessions();
    let mut others = corpus::lines("line.txt");
    others.extend(sessions.iter().flatten().cloned());
    let panics = count_engine_panics();
    let (mut moves, mut done) = (0, 0);
    let make = |random: &mut Random| script(&sessions, &others, random);
    run("sessions", SESSIONS, make, |input| {
        let output = Output::default();
        let session = Session::new(Writer::new(output.clone()));
        session.run(Cursor::new(input.to_vec())).expect("the output takes all");
        let text = output.0.lock().expect("no panic");
        let text = String::from_utf8_lossy(&text);
        assert!(text.lines().all(|line| line.len() < 1000));
        assert_eq!(panics.load(Ordering::Relaxed), 0);
        let last = text.rsplit_once("readyok").map(|(_, last)| last).expect("readyok");
        assert!(last.contains(LAST_FEN), "{last}");
        assert!(last.contains("\nbestmove ") && last.contains("\nucciok\n"), "{last}");
        moves += text.lines().filter(|line| line.starts_with("bestmove")).count();
        done += IN_A_ROW;
        IN_A_ROW
    });
    assert!(moves > done, "the sessions still make the engine play: {moves}");
}
