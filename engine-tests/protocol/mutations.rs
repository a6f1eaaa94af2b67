//! Random changes of real sessions: whatever comes in, the session neither panics nor hangs.

use std::io::Cursor;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use cannonade::protocol::{Session, Writer};

use crate::transcripts::all_sent;

/// Mutated sessions in all.
const MUTATIONS: usize = if cfg!(debug_assertions) { 1_000 } else { 10_000 };

/// So many of them are read by one session, one behind the other.
const IN_A_ROW: usize = 50;

/// SplitMix64 (Steele, Lea, Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

fn words(line: &[u8]) -> Vec<Vec<u8>> {
    line.split(|&byte| byte == b' ').map(<[u8]>::to_vec).collect()
}

/// Changes a session a little: lines, words, bytes and numbers are dropped, doubled, swapped,
/// replaced and invented.
fn mutate(lines: &mut Vec<Vec<u8>>, others: &[Vec<Vec<u8>>], random: &mut Random) {
    for _ in 0..=random.below(4) {
        if lines.is_empty() {
            return;
        }
        let at = random.below(lines.len());
        match random.below(10) {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, lines[at].clone()),
            2 => {
                let other = random.below(lines.len());
                lines.swap(at, other);
            }
            3 => {
                let other = &others[random.below(others.len())];
                lines.insert(at, other[random.below(other.len())].clone());
            }
            4 => {
                let mut words = words(&lines[at]);
                let word = random.below(words.len());
                let other = &others[random.below(others.len())];
                let donors = self::words(&other[random.below(other.len())]);
                words[word] = donors[random.below(donors.len())].clone();
                lines[at] = words.join(&b' ');
            }
            5 => {
                let numbers: [&[u8]; 8] = [
                    b"-1",
                    b"0",
                    b"99999999999999999999",
                    b"1e308",
                    b"NaN",
                    b"65536",
                    b"",
                    b"-0.5",
                ];
                let mut words = words(&lines[at]);
                let word = random.below(words.len());
                words[word] = numbers[random.below(numbers.len())].to_vec();
                lines[at] = words.join(&b' ');
            }
            6 => {
                let end = random.below(lines[at].len() + 1);
                lines[at].truncate(end);
            }
            7 => {
                let noise = random.below(40);
                lines[at] = (0..noise).map(|_| random.next() as u8).collect();
            }
            8 => {
                let place = random.below(lines[at].len() + 1);
                lines[at].insert(place, random.next() as u8);
            }
            _ => {
                if !lines[at].is_empty() {
                    let place = random.below(lines[at].len());
                    lines[at][place] ^= 1 << random.below(8);
                }
            }
        }
    }
}

/// Whether a line would write files, take the machine's memory, or make the session deaf.
fn is_expensive(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line).to_lowercase();
    ["log", "hash", "thread", "batch"].iter().any(|word| text.contains(word))
}

fn script(sessions: &[Vec<Vec<u8>>], random: &mut Random) -> Vec<u8> {
    let mut script = Vec::new();
    for _ in 0..IN_A_ROW {
        let mut lines = sessions[random.below(sessions.len())].clone();
        mutate(&mut lines, sessions, random);
        for line in lines {
            let text = String::from_utf8_lossy(&line).trim().to_lowercase();
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
fn random_mutations_of_real_sessions_neither_panic_nor_hang() {
    let sessions = all_sent();
    let mut random = Random(0xCA22_04AD);
    let panics = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&panics);
    let report = std::panic::take_hook();
    // Also those of worker threads, which the engine survives.
    std::panic::set_hook(Box::new(move |info| {
        counter.fetch_add(1, Ordering::Relaxed);
        report(info);
    }));
    let mut moves = 0;
    for round in 0..MUTATIONS / IN_A_ROW {
        let mut input = script(&sessions, &mut random);
        input.extend_from_slice(b"uci\nisready\nposition startpos\ngo depth 1\n");
        // The session reads to its end before it knows that there is no more.
        input.extend_from_slice(b"stop\nucci\nprobe startpos\n");
        let output = Output::default();
        let start = Instant::now();
        let script = input.clone();
        let session = Session::new(Writer::new(output.clone()));
        session.run(Cursor::new(input)).expect("the output takes all");
        let time = start.elapsed();
        let text = output.0.lock().expect("no panic");
        let text = String::from_utf8_lossy(&text);
        let said = format!("round {round}, {time:?}:\n{}", String::from_utf8_lossy(&script));
        assert!(time < Duration::from_secs(10), "{said}");
        assert!(text.contains("readyok") && text.lines().all(|line| line.len() < 1000), "{said}");
        assert_eq!(panics.load(Ordering::Relaxed), 0, "{said}");
        moves += text.lines().filter(|line| line.starts_with("bestmove")).count();
    }
    assert!(moves > MUTATIONS, "the sessions still make the engine play: {moves}");
}
