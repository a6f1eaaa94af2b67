//! Random changes of real input: whatever comes in, nothing panics, hangs or loses the position.
//!
//! `cargo test` runs each target for a fixed number of inputs. For more:
//!
//! ```text
//! CANNONADE_FUZZ_SECONDS=600 CANNONADE_FUZZ_SEED=7 cargo test --release --test fuzz -- --nocapture
//! ```
//!
//! runs each target for so many seconds and prints how many inputs that were. A failure prints the
//! seed and the input; put the input into the corpus (`engine-tests/data/corpus`) as a new line.

mod corpus;
mod mutation;
mod parsers;
mod sessions;

use std::env;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cannonade::random::Random;

/// An input that takes longer than this is taken for one that never ends.
const HANG: Duration = Duration::from_secs(60);

/// Gives inputs to `check` until `inputs` of them are done, or until the time is over that the
/// environment asks for. `check` returns how many inputs its call was.
pub fn run(
    name: &str,
    inputs: usize,
    mut make: impl FnMut(&mut Random) -> Vec<u8>,
    mut check: impl FnMut(&[u8]) -> usize,
) {
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seconds = number("CANNONADE_FUZZ_SECONDS").map(Duration::from_secs);
    let seed = number("CANNONADE_FUZZ_SEED").unwrap_or(0xCA22_04AD);
    let current = Arc::new(Mutex::new((Vec::new(), Instant::now())));
    watch(name, &current);
    let mut random = Random::stream(seed, name.len() as u64);
    let start = Instant::now();
    let mut done = 0;
    while seconds.map_or(done < inputs, |time| start.elapsed() < time) {
        let input = make(&mut random);
        *current.lock().unwrap_or_else(PoisonError::into_inner) = (input.clone(), Instant::now());
        let report = Failing { name, seed, input: &input };
        done += check(&input);
        drop(report);
    }
    println!("{name}: {done} inputs in {:.1} s", start.elapsed().as_secs_f64());
}

/// Prints the input if a check panics.
struct Failing<'a> {
    name: &'a str,
    seed: u64,
    input: &'a [u8],
}

impl Drop for Failing<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let text = String::from_utf8_lossy(self.input);
            eprintln!("{} failed, seed {}, with:\n{text}", self.name, self.seed);
        }
    }
}

/// Ends the process with a message if an input takes too long. It lives until the test ends.
fn watch(name: &str, current: &Arc<Mutex<(Vec<u8>, Instant)>>) {
    let (name, current) = (name.to_owned(), Arc::downgrade(current));
    std::thread::spawn(move || {
        while let Some(current) = current.upgrade() {
            let (input, since) = current.lock().unwrap_or_else(PoisonError::into_inner).clone();
            drop(current);
            if since.elapsed() > HANG {
                eprintln!("{name} hangs with:\n{}", String::from_utf8_lossy(&input));
                std::process::exit(101);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    });
}

/// Counts the panics of the threads of an engine, which it survives; they are failures all the same.
pub fn count_engine_panics() -> Arc<AtomicUsize> {
    let panics = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&panics);
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let thread = std::thread::current();
        let engine = ["worker", "background", "input"];
        if thread.name().is_some_and(|name| engine.iter().any(|part| name.starts_with(part))) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
        report(info);
    }));
    panics
}
