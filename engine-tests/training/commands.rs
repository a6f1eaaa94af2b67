//! The commands `train` and `net`: the files that they write and refuse, and output that nobody reads.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use cannonade::evaluation::{Network, Shape, network_to_bytes};
use cannonade::training::{GameWriter, Model};

use crate::files::{random_game, scratch};

fn cannonade(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
    command.args(arguments).stderr(Stdio::piped());
    command
}

/// Runs a command whose stdout is closed from the start.
fn without_reader(arguments: &[&str]) -> Output {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    cannonade(arguments).stdout(writer).output().expect("a finished command")
}

#[test]
fn a_closed_stdout_loses_no_trained_network_and_failed_checks_are_an_error() {
    let write = |name: &str, ids: std::ops::Range<u32>| {
        let path = scratch(name);
        let mut writer = GameWriter::create(&path).expect("a new file");
        ids.for_each(|id| writer.write(&random_game(id)).expect("a written game"));
        path.to_str().expect("a UTF-8 path").to_owned()
    };
    let games = write("closed-stdout.games", 0..40);
    let validation = write("closed-stdout-validation.games", 40..50);
    let network = scratch("closed-stdout.net");
    for extension in ["net", "svg", "checkpoint"] {
        let _ = fs::remove_file(network.with_extension(extension));
    }
    let path = network.to_str().expect("a UTF-8 path");
    let size = ["--width", "32", "--epochs", "2"];
    let files = ["--output", path, "--validation", &validation, &games];
    let output = without_reader(&[&["train"][..], &size, &files].concat());
    // Random games teach nothing, so the checks fail, which the exit code reports.
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("checks failed"), "{output:?}");
    assert!(cannonade(&["net", "verify", path]).output().is_ok_and(|output| {
        String::from_utf8_lossy(&output.stdout).contains("the starting position")
    }));
}

#[test]
fn a_closed_stdout_ends_net_quietly_and_a_full_one_is_reported() {
    for action in [["net", "show"], ["net", "verify"]] {
        let output = without_reader(&action);
        assert!(output.status.success(), "{output:?}");
        if let Ok(full) = fs::OpenOptions::new().write(true).open("/dev/full") {
            let output = cannonade(&action).stdout(full).output().expect("a finished command");
            assert_eq!(output.status.code(), Some(1), "{output:?}");
            assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: "), "{output:?}");
        }
    }
}

#[test]
fn an_unusable_network_file_is_named() {
    let path = scratch("unusable.net");
    fs::write(&path, b"something else").expect("a writable file");
    let path = path.to_str().expect("a UTF-8 path");
    for arguments in [&["net", "verify", path][..], &["net", "compare", path, path]] {
        let output = cannonade(arguments).output().expect("a finished command");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(path), "{output:?}");
    }
}

#[test]
fn text_in_another_encoding_is_named_with_its_line() {
    let (path, output) = (scratch("gb18030.txt"), scratch("gb18030.games"));
    fs::write(&path, b"\n1;1-0;mate;\xc5\xda\n").expect("a writable file");
    let paths = [&path, &output].map(|path| path.to_str().expect("a UTF-8 path"));
    for arguments in [["data", "text", "--parse"].as_slice(), &["data", "label"]] {
        let found = cannonade(arguments).args([paths[0], "--output", paths[1]]).output();
        let errors =
            String::from_utf8_lossy(&found.expect("a finished command").stderr).into_owned();
        assert!(errors.contains("gb18030.txt, line 2") && errors.contains("UTF-8"), "{errors}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_is_refused_as_a_network_without_being_read() {
    let pipe = scratch("pipe.net");
    let _ = fs::remove_file(&pipe);
    let made = Command::new("mkfifo").arg(&pipe).status().expect("the program mkfifo");
    assert!(made.success());
    for path in [pipe.to_str().expect("a UTF-8 path"), "/dev/zero"] {
        let output = cannonade(&["net", "verify", path]).output().expect("a finished command");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("not a regular file"));
    }
}

#[test]
fn the_mean_of_a_network_with_itself_is_that_network_and_other_shapes_are_refused() {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/nets/default.net");
    let mean = scratch("mean.net");
    let path = mean.to_str().expect("a UTF-8 path");
    let output = cannonade(&["net", "average", default, default, "-o", path]).output();
    assert!(output.is_ok_and(|output| output.status.success()));
    let load = |path| Network::load(Path::new(path)).expect("a network");
    assert_eq!(load(path).weights(), load(default).weights());

    let small = scratch("mean-small.net");
    let shape = Shape { width: 64, ..load(default).shape() };
    let weights = Model::random(shape, 1).quantise();
    fs::write(&small, network_to_bytes(shape, &weights, "")).expect("a written file");
    let small = small.to_str().expect("a UTF-8 path");
    let output = cannonade(&["net", "average", default, small, "-o", path]).output();
    let output = output.expect("a finished command");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("different shapes"), "{output:?}");
}
