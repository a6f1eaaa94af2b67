//! Whole matches through the binary: records, results, ratings.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cannonade::tournament::EngineSettings;

use crate::common::snapshots::{assert_text, shown};

use super::support::{Folder, command, fake, games_in, match_of, run, text};

#[test]
fn a_match_reports_and_records_its_games() {
    let folder = Folder::new("records");
    let (pgn, json) = (folder.file("out.pgn"), folder.file("out.json"));
    let json_text = json.to_string_lossy();
    let arguments = ["--rounds", "3", "--repeat", "--concurrency", "2", "--json", &json_text];
    let output = run(&mut command(&arguments, &pgn));
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}{}", text(&output.stderr));
    assert_eq!(games_in(&pgn), 6);
    for part in ["Score of new vs old: 0 - 0 - 6", "Ptnml(0-2): [0, 0, 3, 0, 0]", "Finished match"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let records = fs::read_to_string(&pgn).expect("the games");
    assert!(records.contains("[Termination \"adjudication: move cap\"]"));
    let results = fs::read_to_string(&json).expect("the results");
    let results: serde_json::Value = serde_json::from_str(&results).expect("JSON");
    assert_eq!(results["games"], 6);
    assert_eq!(results["pairings"][0]["score"]["draws"], 6);
    assert_eq!(results["pairings"][0]["pairs"][2], 3);
}

#[test]
fn results_name_their_conditions_and_only_equal_ones_are_pooled() {
    let folder = Folder::new("conditions");
    let json = |name: &str, arguments: &[&str]| {
        let (pgn, json) = (folder.file(&format!("{name}.pgn")), folder.file(name));
        let output = run(command(arguments, &pgn).arg("--json").arg(&json));
        assert!(output.status.success(), "{}", text(&output.stderr));
        json
    };
    let one = json("one", &["--seed", "1", "--draw", "movenumber=9", "score=5"]);
    let two = json("two", &["--seed", "2", "--draw", "movenumber=9", "score=5"]);
    let limit = json("limit", &["--draw", "movenumber=9", "score=5", "--each", "depth=3"]);
    let option = json("option", &["--draw", "movenumber=9", "score=5", "--each", "option.Hash=2"]);
    let rules = json("rules", &[]);
    let copy = folder.file("copy");
    fs::copy(&one, &copy).expect("a writable folder");

    let results = fs::read_to_string(&one).expect("the results");
    let results: serde_json::Value = serde_json::from_str(&results).expect("JSON");
    let conditions = &results["matches"][0];
    let draw = "draw movenumber=9 movecount=8 score=5; maxmoves 5";
    assert_eq!(conditions["rules"], format!("WXF, 3 occurrences, 120 plies; {draw}"));
    assert_eq!(conditions["engines"]["new"]["version"], "fake");
    assert_eq!(conditions["openings"]["seed"], 1);
    assert!(conditions["runner"].as_str().is_some_and(|name| name.starts_with("Cannonade ")));

    let pool = |files: &[&PathBuf]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
        run(command.arg("pool").args(files))
    };
    let both = pool(&[&one, &two]);
    assert!(both.status.success(), "{}", text(&both.stderr));
    let changed = |name: &str, change: &dyn Fn(&str) -> String| {
        let file = folder.file(name);
        let text = fs::read_to_string(&one).expect("the results");
        fs::write(&file, change(&text)).expect("a writable folder");
        file
    };
    let renamed = changed("renamed", &|text| text.replace("\"new\"", "\"newer\""));
    let bare = changed("bare", &|text| text.replace("\"matches\"", "\"others\""));
    let others = [&one, &copy, &limit, &option, &rules, &renamed, &bare];
    let refusals = others.map(|other| shown(&pool(&[&one, other])));
    assert_text!("unequal-conditions", refusals.concat());
}

#[test]
fn the_engine_plays_itself_in_both_protocols() {
    let folder = Folder::new("itself");
    let pgn = folder.file("out.pgn");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
    let program = format!("cmd={}", env!("CARGO_BIN_EXE_cannonade"));
    command.args(["match", "--engine", &program, "name=uci", "ponder=on", "option.Hash=2"]);
    command.args(["--engine", &program, "name=ucci", "proto=ucci", "option.hashsize=2"]);
    command.args(["--each", "tc=20+0.1", "nodes=200", "--rounds", "2", "--repeat"]);
    command.args(["--maxmoves", "40", "--concurrency", "2", "--pgn"]).arg(&pgn);
    let output = run(&mut command);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}{}", text(&output.stderr));
    assert!(output.stderr.is_empty(), "no warnings: {}", text(&output.stderr));
    assert_eq!(games_in(&pgn), 4);
    let endings = shown.lines().find(|line| line.starts_with("Endings: ")).expect("endings");
    for fault in ["crash", "illegal", "time", "silence", "no ", "flood"] {
        assert!(!endings.contains(fault), "{endings}");
    }
}

/// Reads a file of one game as a user of the Python library does: the moves in ICCS.
const READ_WITH_CCHESS: &str = "\
import sys, cchess
game = cchess.Game.read_from(sys.argv[1])
print(game.init_board.to_fen())
print(*game.dump_iccs_moves()[0])";

#[test]
fn the_python_library_cchess_reads_the_games() {
    let python = |arguments: &[&str]| Command::new("python3").args(arguments).output();
    if !python(&["-c", "import cchess"]).is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: python3 with the library cchess is not installed");
        return;
    }
    let folder = Folder::new("cchess");
    let (pgn, openings) = (folder.file("out.pgn"), folder.file("openings.epd"));
    let fens = [
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "r1bakab1r/9/1cn4c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB1R b",
    ];
    fs::write(&openings, fens.join("\n")).expect("a writable folder");
    let file = format!("file={}", openings.display());
    let arguments = ["--rounds", "2", "--openings", &file, "order=sequential"];
    let output = run(&mut command(&arguments, &pgn));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let records = fs::read_to_string(&pgn).expect("the games");
    for (game, fen) in records.split_inclusive("\n1/2-1/2\n").zip(fens) {
        let one = folder.file("one.pgn");
        fs::write(&one, game).expect("a writable folder");
        let output = python(&["-c", READ_WITH_CCHESS, &one.to_string_lossy()]).expect("python3");
        let shown = text(&output.stdout);
        let mut lines = shown.lines();
        assert_eq!(lines.next(), Some(fen), "{}", text(&output.stderr));
        let read: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
        let moves = game.split("]\n\n").nth(1).expect("moves").split_whitespace();
        let written: Vec<&str> =
            moves.filter(|word| word.starts_with(char::is_alphabetic)).collect();
        assert_eq!(read, written);
        assert_eq!(written.len(), 10);
    }
}

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
        &["--engine", "name=x"],
        &["--engine", "cmd=/no/such/program"],
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
fn the_results_replace_results_only() {
    let folder = Folder::new("json");
    let (pgn, old) = (folder.file("out.pgn"), folder.file("old.pgn"));
    fs::write(&old, "[Event \"old\"]\n").expect("a writable folder");
    let openings = folder.file("openings.epd");
    fs::write(&openings, "3k5/9/9/9/9/9/9/9/R8/4K4 w\n").expect("a writable folder");
    let with_results = |json: &Path| {
        let name = openings.to_str().expect("a UTF-8 path");
        run(command(&["--openings", name, "--json"], &pgn).arg(json))
    };
    let missing = Path::new("/no/such/folder/out.json");
    let refusals = [&old, &openings, &pgn, missing].map(|json: &Path| shown(&with_results(json)));
    assert_text!("wrong-results", refusals.concat());
    assert_eq!(games_in(&pgn), 0);
    let json = folder.file("results.json");
    assert!(with_results(&json).status.success());
    fs::remove_file(&pgn).expect("the games");
    assert!(with_results(&json).status.success());
    assert_eq!(fs::read_to_string(&old).expect("still there"), "[Event \"old\"]\n");
}

#[test]
fn the_remarks_of_a_ucci_engine_are_shown_and_an_open_unit_is_a_warning() {
    let folder = Folder::new("ucci-remarks");
    let pgn = folder.file("out.pgn");
    let program = format!("cmd={}", env!("CARGO_BIN_EXE_cannonade"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
    command.args(["match", "--engine", &program, "name=a", "proto=ucci", "nodes=50"]);
    command.args(["option.evalfile=no-such.net", "option.hashsize=1"]);
    command.args(fake("old", "ucci_old")).args(["proto=ucci", "st=5"]);
    let output = run(command.args(["--maxmoves", "1", "--pgn"]).arg(&pgn));
    assert_text!("remarks-of-ucci-engines", text(&output.stderr));
}

#[test]
fn a_warning_about_an_option_names_the_engine() {
    let folder = Folder::new("unknown-option");
    let pgn = folder.file("out.pgn");
    let output = run(&mut command(&["--each", "option.Foo=1"], &pgn));
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_text!("unknown-option", text(&output.stderr));
}

#[test]
fn a_network_that_an_engine_cannot_use_is_reported_before_the_first_game() {
    let folder = Folder::new("unusable-network");
    let pgn = folder.file("out.pgn");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
    let program = format!("cmd={}", env!("CARGO_BIN_EXE_cannonade"));
    command.args(["match", "--engine", &program, "name=a", "option.EvalFile=no-such.net"]);
    command.args(["--engine", &program, "name=b", "--each", "nodes=50", "option.Hash=1"]);
    command.args(["--rounds", "1", "--maxmoves", "1", "--pgn"]).arg(&pgn);
    let output = run(&mut command);
    let reported = text(&output.stderr);
    assert!(output.status.success(), "{reported}");
    assert_text!("unusable-network", reported);
}

#[test]
fn the_manual_explains_every_flag_and_every_engine_setting() {
    let page = |name: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
        fs::read_to_string(path).expect("a page of the manual")
    };
    let manual = ["matches.md", "match-records.md", "ratings.md"].map(page).concat();
    let help = |command: &str| {
        let mut binary = Command::new(env!("CARGO_BIN_EXE_cannonade"));
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

#[test]
fn players_of_several_files_are_rated() {
    let folder = Folder::new("rating");
    let game = |red: &str, black: &str, result: &str| {
        format!("[Red \"{red}\"]\n[Black \"{black}\"]\n\n1. H2-E2 {result}\n\n")
    };
    let (one, two) = (folder.file("one.pgn"), folder.file("two.pgn"));
    let json = folder.file("ratings.json");
    fs::write(&one, [game("a", "b", "1-0"), game("b", "a", "1/2-1/2")].concat()).expect("a file");
    fs::write(&two, [game("c", "b", "0-1"), game("c", "a", "0-1")].concat()).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
    command.arg("rating").args([&one, &two]).arg("--table").arg("--json").arg(&json);
    let output = run(&mut command);
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let order: Vec<_> = shown.lines().skip(1).take(3).map(|line| &line[5..6]).collect();
    assert_eq!(order, ["a", "b", "c"], "{shown}");
    assert_eq!(text(&output.stderr), "");
    // A file of another program, whose games end without their results.
    let tagged = "[Red \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. H2-E2\n\n".repeat(2)
        + "[Red \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n\n1. H2-E2\n";
    let three = folder.file("three.pgn");
    fs::write(&three, tagged).expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
    let output = run(command.arg("rating").arg(&three).arg("--table"));
    assert_eq!(text(&output.stderr), "warning: games without a result, left out: 1\n");
    let shown = text(&output.stdout);
    assert!(shown.lines().nth(1).is_some_and(|row| row.contains(" 2 ")), "{shown}");
    let json = fs::read_to_string(json).expect("the ratings");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["ratings"]["rows"][0]["name"], "a");
}

#[test]
fn games_without_two_players_do_not_keep_the_others_from_being_rated() {
    let folder = Folder::new("rating-names");
    let path = folder.file("games.pgn");
    let rated = "[Red \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n*\n\n";
    for other in
        ["", "[Red \"a\"]\n", "[Red \"?\"]\n[Black \"b\"]\n", "[Red \"b\"]\n[Black \"b \"]\n"]
    {
        let other = format!("{other}[Result \"0-1\"]\n\n*\n\n");
        fs::write(&path, [rated, &other].concat()).expect("a file");
        let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
        let output = run(command.arg("rating").arg(&path));
        let (shown, errors) = (text(&output.stdout), text(&output.stderr));
        assert!(
            errors.contains("left out: 1; ") && errors.ends_with(", game 2\n"),
            "{other}: {errors}"
        );
        assert!(output.status.success() && shown.lines().count() == 5, "{other}: {shown}");
    }
}

#[test]
fn games_of_every_kind_of_file_are_rated_and_never_overwritten() {
    let folder = Folder::new("rating-kinds");
    let pgn = folder.file("game.pgn");
    let games = "[Red \"a\"]\n[Black \"b\"]\n\n1. h2e2 h9g7 1-0\n";
    fs::write(&pgn, games).expect("a file");
    let cannonade = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
        run(command.args(words))
    };
    let pgn = pgn.to_str().expect("a path in UTF-8");
    let expected = text(&cannonade(&["rating", pgn]).stdout);
    for kind in ["xqf", "cbr", "cbf", "ubb"] {
        let other = folder.file(&format!("game.{kind}"));
        let other = other.to_str().expect("a path in UTF-8");
        cannonade(&["convert", pgn, "-o", other]);
        let output = cannonade(&["rating", other]);
        assert_eq!((text(&output.stdout), text(&output.stderr)), (expected.clone(), String::new()));
    }
    let list = folder.file("list.txt");
    fs::write(&list, "1-0 h2e2 h9g7\n").expect("a file");
    let open = folder.file("open.pgn");
    fs::write(&open, "[Red \"a\"]\n[Black \"b\"]\n\n1. h2e2 *\n").expect("a file");
    let path = |path: &PathBuf| path.to_str().expect("a path in UTF-8").to_owned();
    let refusals =
        [&["rating", &path(&list)][..], &["rating", &path(&open)], &["rating", pgn, "--json", pgn]]
            .map(|words| shown(&cannonade(words)));
    assert_text!("nothing-to-rate", refusals.concat());
    assert_eq!(fs::read_to_string(pgn).expect("the games"), games);
}

#[test]
fn results_of_the_parts_of_a_match_are_pooled() {
    let folder = Folder::new("pool");
    let write = |name: &str, first: &str, second: &str, score: [u32; 3], pairs: [u32; 5]| {
        let [wins, losses, draws] = score;
        let pairing = serde_json::json!({
            "first": first, "second": second, "pairs": pairs,
            "score": { "wins": wins, "losses": losses, "draws": draws },
        });
        let openings = serde_json::json!({
            "file": null, "checksum": "", "order": [], "seed": 1, "repeat": true,
        });
        let conditions = serde_json::json!({
            "runner": "", "began": name, "engines": {}, "openings": openings, "rules": "",
        });
        let results = serde_json::json!({
            "planned": 40, "pairings": [pairing], "endings": { "checkmate": wins + losses },
            "matches": [conditions],
        });
        let path = folder.file(name);
        fs::write(&path, results.to_string()).expect("a writable folder");
        path
    };
    let one = write("one.json", "new", "old", [22, 4, 14], [0, 1, 5, 10, 4]);
    let two = write("two.json", "old", "new", [5, 20, 15], [3, 9, 8, 0, 0]);
    let pool = |files: &[&PathBuf], more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
        run(command.arg("pool").args(files).args(more))
    };
    let output = pool(&[&one, &two], &["--sprt", "elo0=0", "elo1=50"]);
    assert_text!("pooled", shown(&output));

    let foreign = folder.file("foreign.json");
    fs::write(&foreign, "{}").expect("a writable folder");
    assert_text!("foreign-results", shown(&pool(&[&one, &foreign], &[])));
}

/// A match of the engine with itself.
fn own_match(folder: &Folder, arguments: &[&str]) -> std::process::Output {
    let engine = format!("cmd={}", env!("CARGO_BIN_EXE_cannonade"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
    command.args(["match", "--engine", &engine, "name=new", "--engine", &engine, "name=old"]);
    command.args(["--each", "option.Hash=1"]).args(arguments).arg("--pgn");
    run(command.arg(folder.file("games.pgn")).stdin(std::process::Stdio::null()))
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
    for part in [" new#1 > uci\n", " new#1 < uciok\n", " > go ", " ! a complaint\n", "< bestmove "]
    {
        assert!(lines.contains(part), "no '{part}' in: {lines}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn cores_are_given_to_games_or_refused() {
    let folder = Folder::new("match-affinity");
    let output = own_match(&folder, &["nodes=100", "--maxmoves", "2", "--affinity"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let wrong = own_match(&folder, &["nodes=100", "--affinity", "--concurrency", "1024"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("--affinity: 1024 games"), "{}", text(&wrong.stderr));
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_in_a_session_of_its_own_ends_with_the_match() {
    let folder = Folder::new("match-session");
    let tag = format!("tag-of-a-session-{}", std::process::id());
    let program = std::env::current_exe().expect("this program");
    let engine = "--ignored --exact --nocapture tournament::fake_engine::leaves_a_session";
    let mut command = Command::new(env!("CARGO_BIN_EXE_cannonade"));
    command.args(["match", "--engine", &format!("cmd={}", program.display()), "name=leaver"]);
    command.args([&format!("args={engine} {tag}"), "--each", "st=5", "--maxmoves", "2"]);
    command.args(["--pgn"]).arg(folder.file("games.pgn"));
    let output = run(command.args(fake("old", "good")));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let left = fs::read_dir("/proc").expect("processes").flatten().filter(|entry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(&tag)
    });
    assert_eq!(left.count(), 0);
}
