//! The commands `train` and `net`: the files that they write and refuse, and output to closed
//! pipes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use cannonade_engine::nnue::{Network, Shape, network_to_bytes};
use cannonade_training::{
    FilterSettings, GameReader, GameWriter, Model, Sample, SampleFilter, write_samples,
};

use super::games::{random_game, scratch};
use crate::common::program::the_program;
use crate::common::snapshots::assert_text;

fn cannonade(arguments: &[&str]) -> Command {
    let mut command = the_program();
    command.args(arguments).stderr(Stdio::piped());
    command
}

/// Runs a command whose stdout is closed from the start.
fn without_reader(arguments: &[&str]) -> Output {
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    cannonade(arguments).stdout(writer).output().expect("a finished command")
}

/// A path in the folder of the tests.
pub(super) fn path(name: &str) -> String {
    scratch(name).to_str().expect("a UTF-8 path").to_owned()
}

/// Writes a file of random games.
pub(super) fn games(name: &str, ids: std::ops::Range<u32>) -> String {
    let path = path(name);
    let mut writer = GameWriter::create(Path::new(&path)).expect("a new file");
    ids.for_each(|id| writer.write(&random_game(id)).expect("a written game"));
    path
}

/// Writes a file of the samples of random games.
pub(super) fn samples(name: &str, ids: std::ops::Range<u32>) -> (String, Vec<Sample>) {
    let (mut filter, mut samples) = (SampleFilter::new(FilterSettings::default()), Vec::new());
    for id in ids {
        filter.filter_game(&random_game(id), &mut samples).expect("a game that can be played");
    }
    write_samples(&scratch(name), &samples).expect("a written file");
    (path(name), samples)
}

/// The path of a network to train, without files of an earlier run.
pub(super) fn new_network(name: &str) -> String {
    for extension in ["net", "svg", "checkpoint"] {
        let _ = fs::remove_file(scratch(name).with_extension(extension));
    }
    path(name)
}

/// Runs a command that must fail with this exit code; returns its message.
pub(super) fn failure(code: i32, arguments: &[&str]) -> String {
    let output = cannonade(arguments).output().expect("a finished command");
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn impossible_trainings_are_refused_before_they_begin() {
    let (few, _) = samples("refused.samples", 0..2);
    let games = games("refused.games", 0..4);
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/nets/default.net");
    let out = new_network("refused.net");
    let (folder, nowhere) = (path(""), path("nodir/x.net"));
    let (curve, checkpoint) = (path("refused.svg"), path("refused.checkpoint"));
    let mut refusals = String::new();
    for (code, output, flags) in [
        (2, &curve, vec![]),
        (2, &checkpoint, vec![]),
        (2, &games, vec![]),
        (2, &out, vec!["--epsilon", "0"]),
        (2, &out, vec!["--width", "100"]),
        (2, &out, vec!["--width", "96"]),
        (2, &out, vec!["--pairs", "33"]),
        (2, &out, vec!["--start", &few]),
        (2, &out, vec!["--start", default]),
        (1, &folder, vec![]),
        (1, &nowhere, vec![]),
    ] {
        refusals +=
            &failure(code, &[&["train", &games, "-o", output.as_str()], &flags[..]].concat());
    }
    refusals += &failure(2, &["train", &few, "-o", &out]);
    assert_text!("impossible-trainings", refusals);
    assert!(!Path::new(&checkpoint).exists());
}

#[test]
fn a_second_training_of_a_network_is_refused_until_the_first_ends() {
    let validation = games("locked-validation.games", 20..25);
    let games = games("locked.games", 0..20);
    let network = new_network("locked.net");
    let small = ["train", "--width", "64", "--epochs", "1", "--validation", &validation];
    let arguments = [&small[..], &[&games, "-o", &network]].concat();
    let lock = scratch("locked.checkpoint.lock");
    let held = fs::File::create(&lock).expect("a writable folder");
    held.lock().expect("a lock");
    assert_text!("second-training", failure(1, &arguments));
    assert!(!Path::new(&network).exists());
    drop(held);
    // So small a training fails the checks of the network.
    assert!(failure(1, &arguments).contains("checks failed"));
    assert!(Path::new(&network).exists() && !lock.exists());
}

#[test]
fn a_training_tells_how_many_pairs_are_idle_and_starts_them_anew() {
    let validation = games("idle-validation.games", 100..160);
    let games = games("idle.games", 0..40);
    let shape = Shape { width: 64, buckets: 1, paired: true, pairs: 2, threats: false };
    let mut weights = Model::random(shape, 1).quantise();
    weights.second_biases[1] = -5 << 24;
    let start = path("idle-start.net");
    fs::write(&start, network_to_bytes(shape, &weights, "")).expect("a writable file");
    let network = new_network("idle.net");
    let small = ["--width", "64", "--buckets", "1", "--pairs", "2", "--epochs", "1"];
    let files = ["--start", &start, "--validation", &validation, &games, "-o", &network];
    let output = cannonade(&[&["train"][..], &small, &files].concat()).output();
    let said = String::from_utf8_lossy(&output.expect("a finished command").stdout).into_owned();
    assert!(said.contains("start: 1 pairs of the second layer begin anew"), "{said}");
    assert!(said.contains("\n0 of 2 pairs of the second layer are active on no"), "{said}");
}

#[test]
fn weights_that_grew_too_large_leave_the_loss_curve_and_name_the_remedy() {
    let validation = games("too-large-validation.games", 40..50);
    let games = games("too-large.games", 0..40);
    let network = new_network("too-large.net");
    let wild = ["--learning-rate", "1", "--final-rate", "1", "--weight-decay", "0"];
    let small = ["--width", "256", "--pairs", "1", "--epochs", "1", "--batch", "128"];
    let files = ["--validation", &validation, &games, "-o", &network];
    let said = failure(1, &[&["train"][..], &wild, &small, &files].concat());
    assert!(said.contains("too large") && said.contains("--learning-rate"), "{said}");
    assert!(said.contains("delete") && said.contains("too-large.checkpoint"), "{said}");
    assert!(scratch("too-large.svg").exists() && !Path::new(&network).exists());
}

#[test]
fn datagen_gives_up_openings_that_are_all_decided_and_names_wrong_files() {
    let (list, out) = (path("mated.epd"), path("mated.games"));
    fs::write(&list, "R3k4/1R7/9/9/9/9/9/9/9/3K5 b - - 0 1\n").expect("a writable file");
    let few = ["--nodes", "10", "--openings", &list, "--listed-share", "100", "--games"];
    // All these numbers would take 16 GiB if they were kept.
    let mut refusals = failure(2, &[&["datagen", "-o", &out], &few[..], &["4294967295"]].concat());
    let (foreign, _) = samples("datagen.samples", 0..1);
    refusals += &failure(2, &["datagen", "--games", "1", "-o", &foreign]);
    refusals += &failure(2, &["datagen", "--games", "1", "-o", &out, "--net", &foreign]);
    assert_text!("datagen-refusals", refusals);
}

#[test]
fn datagen_continues_a_file_of_its_own_run_alone() {
    let _ = fs::remove_file(scratch("run.games"));
    let out = path("run.games");
    let run = ["datagen", "--nodes", "20", "-o", &out, "--games"];
    let play = |games| {
        let output =
            cannonade(&[&run[..], &[games]].concat()).output().expect("a finished command");
        assert!(output.status.success(), "{output:?}");
        fs::read(&out).expect("a file of games")
    };
    let two = play("2");
    let refusal = failure(2, &[&run[..], &["3", "--seed", "2"]].concat());
    assert_text!("datagen-other-run", &refusal);
    // Also if no game is missing.
    assert_eq!(failure(2, &[&run[..], &["2", "--seed", "2"]].concat()), refusal);
    assert_eq!(failure(2, &[&run[..], &["3", "--net", "material"]].concat()), refusal);
    assert_eq!(fs::read(&out).expect("a file of games"), two);
    assert!(play("3").starts_with(&two));
}

#[test]
fn datagen_continues_a_file_of_the_same_openings_alone() {
    let _ = fs::remove_file(scratch("listed.games"));
    let out = path("listed.games");
    let [one, other] = [
        "1n1akab1r/9/c3b1nc1/p1p1p3p/6p2/9/P1P1P1P1P/N2CB1NC1/9/2BAKA2R w - - 0 1",
        "1n1akab1r/9/rc2b1nc1/p3p1p1p/2p6/6P2/P1P1P3P/2N1CC3/9/1RBAKABNR b - - 0 1",
    ]
    .map(|fen| {
        let list = path(if fen.contains('w') { "one.epd" } else { "other.epd" });
        fs::write(&list, fen).expect("a writable file");
        list
    });
    let run = ["datagen", "--nodes", "20", "-o", &out, "--openings"];
    let play = |games| {
        let output = cannonade(&[&run[..], &[&one, "--games", games]].concat()).output();
        assert!(output.is_ok_and(|output| output.status.success()));
    };
    // The first game begins from the initial position.
    play("3");
    for changed in [&[&*other][..], &[&*one, "--listed-share", "20"]] {
        let said = failure(2, &[&run[..], changed, &["--games", "4"]].concat());
        assert!(said.contains("game 1 is not the one that this command plays"), "{said}");
    }
    play("4");
}

#[test]
fn datagen_refuses_a_list_without_openings_and_a_share_without_a_list() {
    let (list, out) = (path("empty.epd"), path("empty-list.games"));
    fs::write(&list, "# none\n").expect("a writable file");
    let run = ["datagen", "--games", "0", "-o", &out];
    let said = failure(2, &[&run[..], &["--openings", &list]].concat());
    assert!(said.contains("empty.epd holds no position"), "{said}");
    let said = failure(2, &[&run[..], &["--listed-share", "50"]].concat());
    assert!(said.contains("--openings"), "{said}");
}

#[test]
fn data_keeps_the_old_file_until_the_new_one_is_whole() {
    let games = games("replaced.games", 0..3);
    let (kept, rest, none) = (path("kept.games"), path("kept-rest.games"), path("none.games"));
    let text = path("replaced.txt");
    let lines = cannonade(&["data", "text", &games]).output().expect("a finished command").stdout;
    fs::write(&text, [&lines[..], b"not a game\n"].concat()).expect("a writable file");
    let old = fs::read(&games).expect("the file");
    for arguments in [
        &["merge", &games, &none, "-o", &kept][..],
        &["pack", &games, &none, "-o", &kept],
        &["split", &games, &none, "-o", &kept, "--rest", &rest],
        &["text", &games, &none, "-o", &kept],
        &["text", "--parse", &text, "-o", &kept],
    ] {
        for path in [&kept, &rest] {
            fs::write(path, &old).expect("a writable file");
        }
        failure(2, &[&["data"][..], arguments].concat());
        for path in [&kept, &rest] {
            assert_eq!(fs::read(path).expect("the file"), old, "{arguments:?}");
        }
    }
    let whole = cannonade(&["data", "merge", &games, "-o", &kept]).output();
    assert!(whole.is_ok_and(|output| output.status.success()));
    assert_eq!(fs::read(&kept).expect("the file"), old);
}

#[cfg(unix)]
#[test]
fn data_does_not_replace_a_file_that_is_being_written() {
    let merged = games("not-busy.games", 0..3);
    let busy = path("busy-output.games");
    let mut writer = GameWriter::create(Path::new(&busy)).expect("a new file");
    let said = failure(1, &["data", "merge", &merged, "-o", &busy]);
    assert!(said.contains("being written by another process"), "{said}");
    writer.write(&random_game(7)).expect("a written game");
    let games = GameReader::open(Path::new(&busy)).expect("a file of games");
    assert_eq!(games.collect::<Vec<_>>(), [random_game(7)]);
}

#[test]
fn a_training_takes_no_sample_twice_and_keeps_the_network_that_it_starts_from() {
    let games = games("taken.games", 0..3);
    let shape = Shape { width: 64, buckets: 8, paired: true, pairs: 0, threats: false };
    let bytes = network_to_bytes(shape, &Model::random(shape, 1).quantise(), "");
    let (start, curve) = (path("started.net"), path("started.svg"));
    for path in [&start, &curve] {
        fs::write(path, &bytes).expect("a writable file");
    }
    let train = ["train", "--width", "64", "-o", &start];
    for (inputs, reason) in [
        (&[&*games, &games][..], "given twice"),
        (&[&*games, "--validation", &games][..], "given twice"),
        (&[&*games, "--start", &start][..], "is the input"),
        (&[&*games, "--start", &curve][..], "is the input"),
    ] {
        let said = failure(2, &[&train[..], inputs].concat());
        assert!(said.contains(reason), "{said}");
    }
    assert!([&start, &curve].iter().all(|path| fs::read(path).is_ok_and(|now| now == bytes)));
}

#[cfg(unix)]
#[test]
fn a_checkpoint_that_cannot_be_written_costs_no_network() {
    let validation = games("large-checkpoint-validation.games", 20..25);
    let games = games("large-checkpoint.games", 0..10);
    let network = new_network("large-checkpoint.net");
    // 128 KiB are enough for the network, not for the checkpoint.
    let script = "ulimit -f 256; trap '' XFSZ; exec \"$@\"";
    let train = ["train", "--width", "64", "--epochs", "2", "--validation", &validation];
    let output = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_cannonade")])
        .args([&train[..], &[&games, "-o", &network]].concat())
        .output()
        .expect("the program sh");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(said.matches("large-checkpoint.checkpoint").count(), 2, "{said}");
    assert!(said.contains("the training goes on"), "{said}");
    assert!(Network::load(Path::new(&network)).is_ok(), "{said}");
    assert!(!scratch("large-checkpoint.checkpoint").exists());
}

#[test]
fn the_statistics_of_no_sample_are_told() {
    let (empty, _) = samples("empty.samples", 0..0);
    let output = cannonade(&["data", "stats", &empty]).output().expect("a finished command");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said.split_whitespace().collect::<Vec<_>>(), ["samples", "0"]);
}

#[cfg(unix)]
#[test]
fn games_and_samples_are_read_from_pipes() {
    let (samples, _) = samples("piped.samples", 0..3);
    for file in [games("piped.games", 0..3), samples] {
        let said = ["stats", "text"].map(|action| {
            let piped = fs::File::open(&file).expect("the file");
            let mut cat = Command::new("cat");
            let mut cat = cat.stdin(piped).stdout(Stdio::piped()).spawn().expect("the program cat");
            let mut command = cannonade(&["data", action, "/dev/stdin"]);
            let output = command.stdin(cat.stdout.take().expect("a pipe")).output();
            assert!(cat.wait().is_ok_and(|status| status.success()));
            let whole = cannonade(&["data", action, &file]).output().expect("a finished command");
            assert_eq!(output.expect("a finished command").stdout, whole.stdout);
            whole.stdout.len()
        });
        assert!(said.iter().all(|&size| size > 20), "{said:?}");
    }
}

#[test]
fn a_closed_stdout_loses_no_trained_network_and_failed_checks_are_an_error() {
    let validation = games("closed-stdout-validation.games", 40..50);
    let games = games("closed-stdout.games", 0..40);
    let path = &*new_network("closed-stdout.net");
    let size = ["--width", "64", "--epochs", "2"];
    let files = ["--output", path, "--validation", &validation, &games];
    let output = without_reader(&[&["train"][..], &size, &files].concat());
    // Random games teach nothing, so the checks fail, which the exit code reports.
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("checks failed"), "{output:?}");
    assert!(cannonade(&["net", "verify", path]).output().is_ok_and(|output| {
        String::from_utf8_lossy(&output.stdout).contains("the starting position")
    }));
}

/// The error is one of the file, not of standard output.
#[cfg(target_os = "linux")]
#[test]
fn a_closed_pipe_that_is_named_as_a_file_ends_the_command_quietly() {
    let games = games("closed-pipe.games", 0..3);
    let output = without_reader(&["data", "merge", &games, "--output", "/dev/stdout"]);
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]), "{output:?}");
}

#[test]
fn an_unusable_network_file_is_named() {
    let path = scratch("unusable.net");
    fs::write(&path, b"something else").expect("a writable file");
    let path = path.to_str().expect("a UTF-8 path");
    let refusals = [&["net", "verify", path][..], &["net", "compare", path, path]]
        .map(|arguments| failure(2, arguments));
    assert_text!("unusable-network", refusals.concat());
}

#[test]
fn text_in_another_encoding_is_named_with_its_line() {
    let (path, output) = (scratch("gb18030.txt"), scratch("gb18030.games"));
    fs::write(&path, b"\n1;1-0;mate;\xc5\xda\n").expect("a writable file");
    let paths = [&path, &output].map(|path| path.to_str().expect("a UTF-8 path"));
    let refusals = [["data", "text", "--parse"].as_slice(), &["data", "label"]].map(|arguments| {
        let files = [paths[0], "--output", paths[1]];
        failure(2, &[arguments, &files].concat())
    });
    assert_text!("another-encoding", refusals.concat());
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_device_is_refused_as_a_network_without_being_read() {
    let pipe = scratch("pipe.net");
    let _ = fs::remove_file(&pipe);
    let made = Command::new("mkfifo").arg(&pipe).status().expect("the program mkfifo");
    assert!(made.success());
    let refusals = [pipe.to_str().expect("a UTF-8 path"), "/dev/zero"]
        .map(|path| failure(2, &["net", "verify", path]));
    assert_text!("not-a-file", refusals.concat());
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

    let [narrow, wide] = [32, 64].map(|width| {
        let shape = Shape { width, buckets: 1, paired: false, pairs: 0, threats: false };
        let file = scratch(&format!("mean-{width}.net"));
        let weights = Model::random(shape, 1).quantise();
        fs::write(&file, network_to_bytes(shape, &weights, "")).expect("a written file");
        file.to_str().expect("a UTF-8 path").to_owned()
    });
    let refusal = failure(2, &["net", "average", &narrow, &wide, "-o", path]);
    assert_text!("different-shapes", refusal);
    let refusal = failure(1, &["net", "average", &narrow, &narrow, "-o", path]);
    assert!(refusal.contains(&format!("; {path} was written anyway")), "{refusal}");
}
