//! Whole processes: engines that write anything, and inputs that never end.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use cannonade_match::{
    MatchConditions, MatchRecorder, MatchSetup, MoveCap, Schedule, StopSignal, TournamentForm,
};
use cannonade_tables::random::Random;

use super::corpus;
use super::mutation::Mutator;
use super::targets::{ENGINE_LINES, Form, Target};
use crate::common::program::the_program;
use crate::tournament::fake_engine;

/// The longest match of two short games, in which an engine may be silent for its whole time.
const LONGEST_MATCH: Duration = Duration::from_secs(200);

/// Repeats a step with random numbers, as [`super::run`] does with inputs.
fn repeat(name: &str, inputs: usize, mut step: impl FnMut(&mut Random)) {
    let seconds = super::number("CANNONADE_FUZZ_SECONDS").map(Duration::from_secs);
    let seed = super::number("CANNONADE_FUZZ_SEED").unwrap_or(0xCA22_04AD);
    let mut random = Random::stream(seed, name.len() as u64);
    let (start, mut done) = (Instant::now(), 0);
    while seconds.map_or(done < inputs, |time| start.elapsed() < time) {
        step(&mut random);
        done += 1;
    }
    println!("{name}: {done} inputs in {:.1} s", start.elapsed().as_secs_f64());
}

#[test]
fn engines_that_write_anything_lose_or_play_on() {
    let Target { form, seeds, .. } = ENGINE_LINES;
    let mutator = Mutator::new(form, seeds(), 4);
    let script = std::env::temp_dir().join(format!("cannonade-hostile-{}", std::process::id()));
    repeat("engines", 3, |random| {
        let lines = mutator.input(random);
        fs::write(&script, &lines).expect("a file");
        let engines = ["reads_from_a_script", "good"]
            .map(|name| fake_engine::settings(name, &script.to_string_lossy()));
        let schedule = Schedule::new(TournamentForm::RoundRobin, 2, 1, 2, true);
        let mut setup = MatchSetup::new(engines, schedule);
        setup.concurrency = 2;
        setup.adjudication.move_cap = Some(MoveCap(4));
        setup.recovers = true;
        let (start, mut games) = (Instant::now(), 0);
        let mut recorder = MatchRecorder::new(&setup, MatchConditions::new(&setup, &[]));
        let played = recorder.run(&StopSignal::new(), |game| {
            games += 1;
            if let Some((loser, fault)) = game.record.fault() {
                let name = &game.record.names[loser];
                assert_eq!(name, "reads_from_a_script", "{fault}: {}", lines.escape_ascii());
            }
        });
        played.expect("the match recovers");
        assert!(games == 2 && start.elapsed() < LONGEST_MATCH, "{}", lines.escape_ascii());
    });
    fs::remove_file(script).expect("the file of the test");
}

/// Commands that read a file from standard input.
const READERS: [&[&str]; 5] = [
    &["convert", "-"],
    &["analyze", "-", "--nodes", "10"],
    &["judge", "-"],
    &["judge", "--summary", "-"],
    &["rating", "/dev/stdin"],
];

#[test]
fn inputs_without_end_are_refused() {
    let seeds = [corpus::records(), corpus::large_records()].concat();
    let mutator = Mutator::new(Form::File, seeds, 1);
    repeat("streams", 2, |random| {
        let mut part = mutator.input(random);
        part.push(b'\n');
        let part = part.repeat((1 << 20) / part.len() + 1);
        let arguments = READERS[random.below(READERS.len())];
        let mut process = the_program()
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = process.stdin.take().expect("a pipe");
        // The pipe breaks when the program has refused the input.
        while input.write_all(&part).is_ok() {}
        drop(input);
        let output = process.wait_with_output().expect("it ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.contains("larger than 512 MiB"), "{arguments:?}: {errors}");
    });
}
