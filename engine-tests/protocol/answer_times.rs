//! The time that the engine needs for its answers: the processor time of its threads, which does
//! not grow while other processes have the processor.

use std::time::{Duration, Instant};

use super::client::Client;

/// The work that an answer may take.
struct Timing {
    name: &'static str,
    /// Lines sent and processed before the time counts; without them the start of the process
    /// counts.
    before: Option<&'static [&'static str]>,
    timed: &'static [&'static str],
    answer: &'static str,
    /// Milliseconds that pass, at least.
    passes: u64,
    /// Milliseconds of work, at most.
    work: u64,
}

const TIMINGS: [Timing; 5] = [
    // Clients give up a handshake that takes longer.
    Timing {
        name: "UCI handshake of a new process",
        before: None,
        timed: &["uci"],
        answer: "uciok",
        passes: 0,
        work: 300,
    },
    Timing {
        name: "UCCI handshake of a new process",
        before: None,
        timed: &["ucci"],
        answer: "ucciok",
        passes: 0,
        work: 300,
    },
    // xiangqi_tui starts a process for every move.
    Timing {
        name: "first move of a new process",
        before: None,
        timed: &["uci", "position startpos moves h2e2", "go nodes 100"],
        answer: "bestmove *",
        passes: 0,
        work: 600,
    },
    // A search that oversteps its time works on.
    Timing {
        name: "fixed time",
        before: Some(&["uci"]),
        timed: &["go movetime 100"],
        answer: "bestmove *",
        passes: 50,
        work: 140,
    },
    // The first use of memory takes long; it must not happen in a search.
    Timing {
        name: "fixed time after a large new hash",
        before: Some(&["uci", "setoption name Hash value 512"]),
        timed: &["go movetime 100"],
        answer: "bestmove *",
        passes: 50,
        work: 140,
    },
];

impl Timing {
    /// Returns the time that passes and the work.
    fn measure(&self) -> (Duration, Duration) {
        let mut start = Instant::now();
        let mut client = Client::start();
        let mut before = Duration::ZERO;
        if let Some(lines) = self.before {
            for line in lines.iter().chain(&["isready"]) {
                client.send(line);
            }
            client.expect("readyok");
            (start, before) = (Instant::now(), client.work());
        }
        for line in self.timed {
            client.send(line);
        }
        client.expect(self.answer);
        (start.elapsed(), client.work().saturating_sub(before))
    }
}

#[test]
fn answers_take_little_work() {
    for timing in TIMINGS {
        let (passed, work) = timing.measure();
        assert!(passed >= Duration::from_millis(timing.passes), "{}: {passed:?}", timing.name);
        assert!(work <= Duration::from_millis(timing.work), "{}: {work:?}", timing.name);
    }
}

#[test]
fn every_infinite_search_stops_at_once_and_answers_once() {
    let pairs = if cfg!(debug_assertions) { 30 } else { 300 };
    let mut client = Client::speaking("uci");
    let mut work = Vec::new();
    for pair in 0..pairs {
        client.send("position startpos moves h2e2 h9g7");
        client.send("go infinite");
        if pair % 3 == 0 {
            client.expect("info depth 3 *");
        }
        let before = client.work();
        client.send("stop");
        client.expect("bestmove *");
        work.push(client.work().saturating_sub(before));
        // A second answer would come before this one.
        client.send("isready");
        let forbidden = ["bestmove *".to_owned()];
        client.expect_without("readyok", &forbidden);
    }
    work.sort();
    // The thread that reads the line may wait for a processor that the search has.
    let median = work[pairs / 2];
    assert!(median < Duration::from_millis(50), "{median:?}, most {:?}", work[pairs - 1]);
    client.send("quit");
    client.drain_to_end();
}
