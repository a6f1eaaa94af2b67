//! Random changes of real input: no input causes a panic, a hang or a lost position.
//!
//! `cargo test` runs each target for a fixed number of inputs. For more:
//!
//! ```text
//! CANNONADE_FUZZ_SECONDS=600 CANNONADE_FUZZ_SEED=7 cargo test --release -p cannonade --test all -- fuzz:: --nocapture
//! ```
//!
//! runs each target for that many seconds and prints how many inputs that were; `scripts/fuzz.py`
//! repeats it with other seeds and adds up. A failure prints the seed and the input; put the input
//! into the corpus (`engine-tests/data/corpus`). The folder `coverage` gives the same targets to
//! libFuzzer.

mod corpus;
mod mutation;
mod processes;
mod targets;

use std::env;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use cannonade_tables::random::Random;
use mutation::Mutator;
use targets::{Form, IN_A_ROW, TARGETS};

use crate::common::thread_time;

/// The folder of the repository.
const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

/// An input that takes longer than this is taken for one that never ends. Far less would do on an
/// idle machine.
const HANG: Duration = Duration::from_secs(300);

/// The number in a variable of the environment.
fn number(name: &str) -> Option<u64> {
    env::var(name).ok().and_then(|text| text.parse().ok())
}

/// Runs a target until its inputs are done, or until the time is over that the environment asks
/// for.
fn run(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target");
    let seconds = number("CANNONADE_FUZZ_SECONDS").map(Duration::from_secs);
    let seed = number("CANNONADE_FUZZ_SEED").unwrap_or(0xCA22_04AD);
    let inputs = target.inputs[usize::from(!cfg!(debug_assertions))];
    let in_a_row = if target.form == Form::Session { IN_A_ROW } else { 1 };
    let mutator = Mutator::new(target.form, (target.seeds)(), in_a_row);
    let current = Arc::new(Mutex::new((Vec::new(), Instant::now())));
    watch(name, &current);
    let mut random = Random::stream(seed, name.len() as u64);
    let start = Instant::now();
    let (mut done, mut accepted) = (0, 0);
    while seconds.map_or(done < inputs, |time| start.elapsed() < time) {
        let input = mutator.input(&mut random);
        *current.lock().unwrap_or_else(PoisonError::into_inner) = (input.clone(), Instant::now());
        let report = Failing { name, seed, input: &input };
        accepted += usize::from((target.check)(&input));
        done += 1;
        drop(report);
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{name}: {} inputs in {seconds:.1} s, {accepted} accepted", done * in_a_row);
    assert!(
        accepted > done / target.accepted / 2,
        "the changes are too wild: {accepted} of {done}"
    );
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
            let text = self.input.escape_ascii();
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
                eprintln!("{name} hangs with:\n{}", input.escape_ascii());
                std::process::exit(101);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    });
}

#[test]
fn a_fen_is_refused_or_survives_being_written() {
    run("fen");
}

#[test]
fn a_move_is_refused_or_is_legal_and_survives_being_written() {
    run("move");
}

#[test]
fn any_line_is_a_command_or_is_not() {
    run("line");
}

#[test]
fn settings_of_engines_and_words_of_flags_are_read_or_refused() {
    run("setting");
}

#[test]
fn games_read_from_a_file_survive_being_written() {
    run("record");
}

#[test]
fn large_files_are_read_in_time() {
    run("large");
}

#[test]
fn whatever_an_engine_writes_its_game_can_be_recorded() {
    run("engine-lines");
}

#[test]
fn a_network_is_refused_or_evaluates() {
    run("network");
}

#[test]
fn a_self_play_game_is_refused_or_survives_being_written() {
    run("self-play");
}

#[test]
fn a_book_is_refused_or_can_be_played() {
    run("book");
}

#[test]
fn a_table_is_refused_or_can_be_read() {
    run("table");
}

#[test]
fn changed_sessions_neither_panic_nor_hang_nor_lose_the_position() {
    run("sessions");
}
