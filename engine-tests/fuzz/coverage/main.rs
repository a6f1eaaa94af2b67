//! Gives a target of the fuzz tests to libFuzzer, which keeps the inputs that reach new code.
//!
//! The environment names the target: `CANNONADE_FUZZ_TARGET=record`. With `CANNONADE_FUZZ_SEEDS`
//! the program writes the first inputs of the target into that folder and ends.

#![no_main]

#[path = "../corpus.rs"]
mod corpus;
#[path = "../targets/mod.rs"]
#[allow(dead_code, unused_imports, reason = "libFuzzer changes the inputs itself")]
mod targets;
#[path = "../../common/thread_time.rs"]
mod thread_time;

use std::env;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

use crate::targets::{TARGETS, Target};

/// The folder of the repository.
const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../..");

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = env::var("CANNONADE_FUZZ_TARGET").unwrap_or_default();
    TARGETS.iter().find(|target| target.name == name).unwrap_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        eprintln!("CANNONADE_FUZZ_TARGET is '{name}'; expected {}", names.join(", "));
        std::process::exit(2)
    })
});

fn write_seeds() {
    let Some(folder) = env::var_os("CANNONADE_FUZZ_SEEDS").map(PathBuf::from) else { return };
    fs::create_dir_all(&folder).expect("a writable folder");
    for (number, seed) in (TARGET.seeds)().iter().enumerate() {
        fs::write(folder.join(format!("seed-{number}")), seed).expect("a writable folder");
    }
    std::process::exit(0);
}

fuzz_target!(init: write_seeds(), |input: &[u8]| {
    (TARGET.check)(input);
});
