//! Flags of `match`: openings, tables, logs, cores, and the errors about them.

use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
use std::process::{Output, Stdio};

use cannonade_match::EngineSettings;

use crate::common::snapshots::{assert_text, shown};

use super::support::{Folder, command, games_in, match_of, run, text};
use crate::common::program::the_program;

#[test]
fn errors_about_flags_name_the_remedy() {
    let folder = Folder::new("flags");
    let pgn = folder.file("out.pgn");
    let refusals = [
        &["--sprt", "elo0=0"][..],
        &["--sprt", "elo0=5", "elo1=0"],
        &["--sprt", "elo=5"],
        &["--resign", "score=abc"],
        &["--openings", "/no/such/file"],
        &["--repeat", "--games", "3"],
        &["--rules", "chinese"],
        &["--resign", "score=-500"],
        &["--draw", "score=-20"],
        &["--each", "name=a\tb"],
        &["--each", "name=?"],
        &["--engine", "name=x"],
        &["--engine", "cmd=/no/such/program"],
        &["--each", "dir=/no/such/folder"],
        &["--engine", "cmd=x", "nodes=many"],
        &["--each", "option.Hash=abc"],
        &["--each", "option.hash=65"],
    ]
    .map(|arguments| {
        let output = run(&mut command(arguments, &pgn));
        format!("$ match {}\n{}", arguments.join(" "), shown(&output))
    });
    assert_text!("wrong-flags", refusals.concat());
    assert_eq!(games_in(&pgn), 0);
}

#[test]
fn the_manual_explains_every_flag_and_every_engine_setting() {
    let page = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
        fs::read_to_string(path).expect("a page of the manual")
    };
    let manual =
        ["matches.md", "match-flags.md", "match-records.md", "ratings.md"].map(page).concat();
    let help = |command: &str| {
        let mut binary = the_program();
        text(&run(binary.args([command, "--help"])).stdout)
    };
    let mut flags = Vec::new();
    for command in ["match", "pool", "rating"] {
        let help = help(command);
        let words = help.lines().filter_map(|line| line.trim_start().strip_prefix("--"));
        flags.extend(words.map(|line| {
            let end = line.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(line.len());
            format!("--{}", &line[..end])
        }));
    }
    assert!(flags.len() > 25, "{flags:?}");
    // The message about an unknown setting lists the known ones.
    let words = ["cmd=x", "unknown=1"].map(str::to_owned);
    let error = EngineSettings::parse(&[], &words).expect_err("an unknown key").to_string();
    let (_, known) = error.split_once("known are ").expect("a list");
    let keys = known.split([',', ' ']).filter(|key| !key.is_empty() && *key != "and");
    let keys: Vec<String> = keys.map(|key| format!("`{key}`")).collect();
    assert!(keys.len() > 14, "{keys:?}");
    for name in flags.iter().chain(&keys) {
        assert!(manual.contains(name), "the pages of matches do not mention {name}");
    }
}

/// A match of the engine with itself.
fn own_match(folder: &Folder, arguments: &[&str]) -> Output {
    let engine = format!("cmd={}", env!("CARGO_BIN_EXE_cannonade"));
    let mut command = the_program();
    command.args(["match", "--engine", &engine, "name=new", "--engine", &engine, "name=old"]);
    command.args(["--each", "option.Hash=1"]).args(arguments).arg("--pgn");
    run(command.arg(folder.file("games.pgn")).stdin(Stdio::null()))
}

#[test]
fn openings_come_from_games_and_full_comments_have_the_variation() {
    let folder = Folder::new("openings-pgn");
    let openings = folder.file("openings.pgn");
    fs::write(&openings, "1. h2e2 h9g7 2. h0g2 i9h9 *\n").expect("a file");
    let file = format!("file={}", openings.display());
    let flags = ["nodes=200", "tc=10", "--openings", &file, "plies=2", "order=sequential"];
    let flags = [&flags[..], &["--maxmoves", "3", "--pgn-comments", "full"]].concat();
    let output = own_match(&folder, &flags);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    assert!(
        shown.contains("Timing of new: late 0 of 3 moves, by at most 0 ms; beyond its own time")
    );
    let pgn = fs::read_to_string(folder.file("games.pgn")).expect("the games");
    assert!(pgn.contains("/1C2C4/9/RNBAKABNR w - - 2 2\""), "{pgn}");
    let comment = pgn.replace('\n', " ");
    assert!(comment.contains(" nps=") && comment.contains(" tl=9.") && comment.contains(" pv=\""));
    fs::write(&openings, "1. h2e2 a9a0 *\n").expect("a file");
    let wrong = own_match(&folder, &["nodes=200", "--openings", &file]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("openings.pgn: game 1"), "{}", text(&wrong.stderr));
}

#[test]
fn openings_that_the_file_does_not_have_are_refused() {
    let folder = Folder::new("openings-refused");
    let openings = folder.file("openings.epd");
    fs::write(&openings, "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 9 9\n").expect("a file");
    let file = openings.display().to_string();
    for (word, reason) in [
        ("start=2", "--openings: start=2, but the file has only 1 opening"),
        ("plies=4", "openings.epd has positions, not games; leave out plies="),
        (
            "--natural-limit=9",
            "openings.epd, line 1: the game is over in this position: natural move limit",
        ),
    ] {
        let output = own_match(&folder, &["nodes=200", "--openings", &file, word]);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.contains(reason), "{errors}");
    }
}

#[test]
fn lines_of_an_engine_that_counts_ranks_from_1_are_written_with_those_of_the_game() {
    let folder = Folder::new("fairy-lines");
    let flags = ["nodes=200", "dialect=fairy", "option.Coordinates=1-10", "--maxmoves", "2"];
    let output = own_match(&folder, &[&flags[..], &["--pgn-comments", "full"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let pgn = fs::read_to_string(folder.file("games.pgn")).expect("the game");
    let moves: Vec<(&str, &str)> = pgn
        .split(" {")
        .zip(pgn.split("pv=\"").skip(1))
        .map(|(before, line)| {
            let mv = before.split_whitespace().last().unwrap_or_default();
            (mv, line.split([' ', '"']).next().unwrap_or_default())
        })
        .collect();
    assert_eq!(moves.len(), 4, "{pgn}");
    assert!(moves.iter().all(|(mv, first)| mv == first), "{moves:?}");
}

#[test]
fn endgame_tables_end_games_that_they_know() {
    let folder = Folder::new("match-tables");
    let openings = folder.file("openings.epd");
    fs::write(&openings, "4k4/9/9/9/9/9/9/9/9/R2K5 w\n").expect("a file");
    let file = openings.display().to_string();
    let output = own_match(&folder, &["nodes=200", "--openings", &file, "--tables"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let pgn = fs::read_to_string(folder.file("games.pgn")).expect("the games");
    assert!(
        pgn.contains("[PlyCount \"1\"]\n[Termination \"adjudication: endgame table\"]"),
        "{pgn}"
    );
    assert!(pgn.contains("[Result \"1-0\"]") && pgn.contains("; endgame tables: "), "{pgn}");
    let wrong = own_match(&folder, &["nodes=200", "--tables", "/nowhere"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", text(&wrong.stderr));
}

#[test]
fn a_log_has_the_dialogue_and_the_standard_error_of_engines() {
    let folder = Folder::new("match-log");
    let log = folder.file("dialogue.log");
    let flags = ["--each", "st=5", "--log", log.to_str().expect("UTF-8")];
    let output = run(&mut match_of(["noisy", "good"], &flags, &folder.file("games.pgn")));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = fs::read_to_string(&log).expect("the log");
    let dialogue = [" new#1 > uci\n", " new#1 < uciok\n", " > go ", "< bestmove "];
    for part in dialogue.into_iter().chain([" ! a complaint\n", " # ignored: bestmove "]) {
        assert!(lines.contains(part), "no '{part}' in: {lines}");
    }
}

#[test]
fn a_log_marks_an_ignored_answer_without_a_move() {
    let folder = Folder::new("match-log-ucci");
    let log = folder.file("dialogue.log");
    let flags = ["--each", "st=5", "proto=ucci", "--log", log.to_str().expect("UTF-8")];
    let engines = ["ucci_answers_twice", "ucci_good"];
    let output = run(&mut match_of(engines, &flags, &folder.file("games.pgn")));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = fs::read_to_string(&log).expect("the log");
    assert!(lines.contains(" # ignored: nobestmove\n"), "{lines}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_be_written_is_an_error_after_the_games() {
    let folder = Folder::new("match-log-full");
    let output = own_match(&folder, &["nodes=100", "--maxmoves", "2", "--log", "/dev/full"]);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.starts_with("error: --log /dev/full: the log is incomplete: "), "{errors}");
    assert_eq!(games_in(&folder.file("games.pgn")), 1);
}

#[cfg(unix)]
#[test]
fn a_game_that_finds_a_full_disk_is_named_and_played_again() {
    let folder = Folder::new("match-disk-full");
    let pgn = folder.file("games.pgn");
    let run_limited = |limit: &str, flags: &[&str]| {
        let whole = command(&[&["--rounds", "4"][..], flags].concat(), &pgn);
        // A limit on the size of files acts like a full disk.
        let script = format!("ulimit -f {limit}; trap '' XFSZ; exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &script]).arg(whole.get_program()).args(whole.get_args());
        shell.envs(whole.get_envs().filter_map(|(name, value)| Some((name, value?))));
        run(&mut shell)
    };
    let output = run_limited("2", &[]);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(errors.contains("with --resume plays it again: "), "{errors}");
    assert!(errors.contains("the game file ") && errors.contains("games.pgn: "), "{errors}");
    // A part of a game would hide the games that other threads write after it.
    let stored = fs::read_to_string(&pgn).expect("the games");
    assert!(stored.is_empty() || stored.ends_with("1/2-1/2\n\n"), "{stored}");
    assert!((0..4).contains(&games_in(&pgn)), "{stored}");
    let output = run_limited("unlimited", &["--resume"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(games_in(&pgn), 4);
}

#[test]
fn a_command_in_the_manner_of_fastchess_is_played_saved_and_resumed() {
    let folder = Folder::new("fastchess");
    let engine = format!("cmd={}", env!("CARGO_BIN_EXE_cannonade"));
    let path = |name: &str| folder.file(name).display().to_string();
    let openings = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/openings.epd");
    let (book, pgn) = (format!("file={openings}"), format!("file={}", path("games.pgn")));
    let (saved, json) = (path("match.toml"), path("result.json"));
    let mut command = the_program();
    command.args(["match", "-engine", &engine, "name=a", "-engine", &engine, "name=b"]);
    command.args(["-engine", &engine, "name=c", "plies=1", "-tournament", "gauntlet"]);
    command.args([
        "-each",
        "proto=uci",
        "nodes=50",
        "option.Hash=1",
        "-rounds",
        "1",
        "-games",
        "2",
    ]);
    command.args(["-repeat", "-concurrency", "1", "-srand", "7,8", "-recover", "-maxmoves", "2"]);
    command.args(["-openings", &book, "format=epd", "order=random", "start=2"]);
    command.args(["-pgnout", &pgn, "notation=uci", "nodes=true", "-ratinginterval", "0"]);
    let output = run(command.args(["-save-config", &saved, "--json", &json]));
    let report = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for part in ["Finished game 4 (c vs a): ", "\nResults of a vs c (50 nodes - 50 nodes"] {
        assert!(report.contains(part), "{report}");
    }
    let results = fs::read_to_string(folder.file("result.json")).expect("the results");
    assert!(results.contains("\"seeds=7,8\""), "{results}");
    assert_eq!(games_in(&folder.file("games.pgn")), 4);

    let whole = fs::read_to_string(folder.file("games.pgn")).expect("the games");
    assert!(whole.contains(" n="), "{whole}");
    let third = whole.match_indices("[Game ").nth(2).expect("a third game").0;
    fs::write(folder.file("games.pgn"), &whole[..third]).expect("our file");
    let mut again = the_program();
    again.args(["match", "-config", &format!("file={saved}"), "-resume", "-output"]);
    let output = run(again.arg("format=cutechess"));
    let report = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(report.contains("Finished game 3 (a vs c)") && !report.contains("Finished game 2 ("));
    for part in ["Score of a vs b: ", "Elo difference: ", "Finished match"] {
        assert!(report.contains(part), "{report}");
    }
    assert_eq!(games_in(&folder.file("games.pgn")), 4);
    fs::write(folder.file("other.toml"), "rounds = 7\n").expect("a file");
    for (flags, part) in [
        (&["-wait", "100"][..], "match has no flag --wait: games follow each other at once"),
        (&["--save-config", &path("games.pgn")], "are the same file"),
        (&["--save-config", &path("other.toml")], "exists and does not hold these flags"),
        (&["--config", &path("no.toml")], "no.toml"),
    ] {
        let output = run(the_program().args(["match", "--config", &saved, "--resume"]).args(flags));
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains(part), "{}", text(&output.stderr));
    }
}

#[test]
fn more_games_and_threads_than_cores_need_force() {
    let folder = Folder::new("cores");
    let flags = ["nodes=20", "--maxmoves", "1", "--concurrency", "1024"];
    let refused = own_match(&folder, &flags);
    let errors = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("1024 games at a time need 1024 cores") && errors.contains("--force"),
        "{errors}"
    );
    let played = own_match(&folder, &[&flags[..], &["--force"]].concat());
    assert!(played.status.success(), "{}", text(&played.stderr));
    let threads = own_match(&folder, &["option.Threads=512", "nodes=20"]);
    assert!(
        text(&threads.stderr).contains("1 games at a time need 512 cores"),
        "{}",
        text(&threads.stderr)
    );
}

#[cfg(target_os = "linux")]
#[test]
fn cores_are_given_to_games_or_refused() {
    let folder = Folder::new("match-affinity");
    let output = own_match(&folder, &["nodes=100", "--maxmoves", "2", "--affinity"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let wrong =
        own_match(&folder, &["nodes=100", "--affinity", "--concurrency", "1024", "--force"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        text(&wrong.stderr).contains("--affinity: 1024 concurrent games"),
        "{}",
        text(&wrong.stderr)
    );
}

#[test]
fn games_that_repeat_without_a_clock_are_a_warning() {
    let folder = Folder::new("repeated-games");
    let flags = ["nodes=100", "--maxmoves", "1", "--rounds"];
    for (rounds, warned) in [("1", false), ("2", true)] {
        let output = own_match(&folder, &[&flags[..], &[rounds, "--repeat", "--resume"]].concat());
        let errors = text(&output.stderr);
        assert!(output.status.success(), "{errors}");
        let warning = "warning: the openings repeat after 2 games of a pairing";
        assert_eq!(errors.contains(warning), warned, "{errors}");
    }
}
