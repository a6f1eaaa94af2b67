//! Full disks: `data` and `train` name the file, and lose nothing else.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::commands::{failure, games, new_network, path, samples};
use crate::common::snapshots::assert_text;

#[test]
fn a_full_disk_costs_no_samples_and_is_named() {
    let (file, kept) = samples("full.samples", 0..20);
    // A limit on the size of files acts like a full disk.
    let script = "ulimit -f 1; trap '' XFSZ; exec \"$0\" data shuffle \"$1\" -o \"$1\"";
    let program = env!("CARGO_BIN_EXE_cannonade");
    let output = Command::new("sh").args(["-c", script, program, &file]).output();
    let output = output.expect("the program sh");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("full.samples"), "{output:?}");
    let (played, packed) = (games("full.games", 0..100), path("full.archive"));
    let script = "ulimit -f 1; trap '' XFSZ; exec \"$0\" data pack \"$1\" -o \"$2\"";
    let output = Command::new("sh").args(["-c", script, program, &played, &packed]).output();
    let output = output.expect("the program sh");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(
        cannonade_training::read_samples(Path::new(&file)).expect("a file of samples"),
        kept
    );
    if Path::new("/dev/full").exists() {
        assert_text!("full-disk", failure(1, &["data", "text", &file, "-o", "/dev/full"]));
    }
}

#[test]
fn a_loss_curve_that_cannot_be_written_costs_no_network() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let network = new_network("no-curve.net");
    std::os::unix::fs::symlink("/dev/full", path("no-curve.svg")).expect("a link");
    let (validation, games) =
        (games("no-curve-validation.games", 0..5), games("no-curve.games", 5..20));
    let flags = ["--width", "64", "--epochs", "1", "--validation", &validation];
    let error = failure(1, &[&["train"][..], &flags, &[&games, "-o", &network]].concat());
    fs::remove_file(path("no-curve.svg")).expect("the link");
    assert!(error.contains("no-curve.svg: "), "{error}");
    assert!(Path::new(&network).exists(), "{error}");
}
