//! Whole matches through the program: records, remarks of engines, ends of processes.

use std::fs;
use std::process::{Command, Output};

use crate::common::snapshots::{assert_text, shown};

use super::support::{
    Folder, command, fake, games_in, match_of, run, signal, text, wait_for_games,
};
use crate::common::program::the_program;

#[test]
fn a_match_reports_and_records_its_games() {
    let folder = Folder::new("records");
    let (pgn, json) = (folder.file("out.pgn"), folder.file("out.json"));
    let json_text = json.to_string_lossy();
    let arguments = ["--rounds", "3", "--repeat", "--concurrency", "2", "--force"];
    let output = run(&mut command(&[&arguments[..], &["--json", &json_text]].concat(), &pgn));
    let shown = text(&output.stdout);
    assert!(output.status.success(), "{shown}{}", text(&output.stderr));
    assert_eq!(games_in(&pgn), 6);
    for part in [
        "Score of new vs old: 0 - 0 - 6  [0.500] 6",
        "Ptnml(0-2): [0, 0, 3, 0, 0]",
        "Finished match",
    ] {
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
fn the_engine_plays_itself_in_both_protocols() {
    let folder = Folder::new("itself");
    let pgn = folder.file("out.pgn");
    let mut command = the_program();
    let program = format!("cmd={}", env!("CARGO_BIN_EXE_cannonade"));
    command.args(["match", "--engine", &program, "name=uci", "ponder=on", "option.Hash=2"]);
    command.args(["--engine", &program, "name=ucci", "proto=ucci", "option.hashsize=2"]);
    command.args(["--each", "tc=20+0.1", "nodes=200", "--rounds", "2", "--repeat"]);
    command.args(["--maxmoves", "40", "--concurrency", "2", "--force", "--pgn"]).arg(&pgn);
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
fn the_remarks_of_a_ucci_engine_are_shown_and_an_open_unit_is_a_warning() {
    let folder = Folder::new("ucci-remarks");
    let pgn = folder.file("out.pgn");
    let program = format!("cmd={}", env!("CARGO_BIN_EXE_cannonade"));
    let mut command = the_program();
    command.args(["match", "--engine", &program, "name=a", "proto=ucci", "nodes=50"]);
    command.args(["option.evalfile=no-such.net", "option.hashsize=1"]);
    command.args(["option.usemillisec=false", "st=5.5", "--allow-option-errors"]);
    command.args(fake("old", "ucci_old")).args(["proto=ucci", "st=5"]);
    let output = run(command.args(["--maxmoves", "1", "--pgn"]).arg(&pgn));
    assert_text!("remarks-of-ucci-engines", text(&output.stderr));
}

#[test]
fn an_option_that_an_engine_does_not_have_ends_the_match_unless_it_is_allowed() {
    let folder = Folder::new("unknown-option");
    let pgn = folder.file("out.pgn");
    let run = |arguments: &[&str]| run(&mut command(arguments, &pgn));
    let refused = run(&["--each", "option.Foo=1"]);
    assert_eq!(games_in(&pgn), 0);
    let allowed = run(&["--each", "option.Foo=1", "--allow-option-errors"]);
    assert_eq!(games_in(&pgn), 1);
    assert_text!("unknown-option", shown(&refused) + &text(&allowed.stderr));
}

/// A match of the engine with itself, in which both have these settings.
fn own_match(folder: &Folder, settings: &[&str]) -> Output {
    let program = format!("cmd={}", env!("CARGO_BIN_EXE_cannonade"));
    let mut command = the_program();
    command.args(["match", "--engine", &program, "name=a", "--engine", &program, "name=b"]);
    command.args(["--each", "nodes=50", "option.Hash=1"]).args(settings);
    run(command.args(["--maxmoves", "1", "--pgn"]).arg(folder.file("out.pgn")))
}

#[test]
fn an_option_that_the_engine_does_not_announce_is_known_by_its_answers() {
    for (name, settings) in [
        ("constant-uci", &["option.lmr_cut_node=1400", "option.Skill_Level=3"][..]),
        ("constant-ucci", &["proto=ucci", "option.lmr_cut_node=1400", "option.Hash=2"]),
    ] {
        let output = own_match(&Folder::new(name), settings);
        assert!(output.status.success() && output.stderr.is_empty(), "{}", shown(&output));
    }
    let folder = Folder::new("constant-unknown");
    for settings in [&["option.lmr_cut_nod=1400"][..], &["proto=ucci", "option.lmr_cut_nod=1400"]] {
        let output = own_match(&folder, settings);
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        assert!(text(&output.stderr).contains("engine a: no option 'lmr_cut_nod'"));
    }
}

#[test]
fn a_value_that_an_engine_refuses_is_reported_before_the_first_game() {
    let folder = Folder::new("unusable-network");
    let refused = ["option.EvalFile=no-such.net", "option.lmr_cut_node=x"]
        .map(|setting| shown(&own_match(&folder, &[setting])));
    assert_text!("unusable-network", refused.concat());
    let allowed = own_match(&folder, &["option.EvalFile=no-such.net", "--allow-option-errors"]);
    assert!(allowed.status.success(), "{}", text(&allowed.stderr));
    assert!(text(&allowed.stderr).starts_with("warning: engine a: option EvalFile: cannot use"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_in_a_session_of_its_own_ends_with_the_match() {
    let folder = Folder::new("match-session");
    let tag = format!("tag-of-a-session-{}", std::process::id());
    let program = std::env::current_exe().expect("this program");
    let engine = "--ignored --exact --nocapture tournament::fake_engine::leaves_a_session";
    let mut command = the_program();
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

#[cfg(target_os = "linux")]
#[test]
fn processes_that_engines_have_left_are_gone_after_their_game() {
    let folder = Folder::new("match-zombies");
    let pgn = folder.file("games.pgn");
    // At each of its starts the engine leaves two processes.
    let flags = ["--each", "st=5", "restart=on", "--rounds", "1000", "--recover"];
    let mut child = match_of(["leaves_a_process", "good"], &flags, &pgn).spawn().expect("a match");
    wait_for_games(&pgn, 4);
    let parent = child.id().to_string();
    let of_match = |stat: &String| {
        let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        rest.split_whitespace().nth(1) == Some(parent.as_str())
    };
    let processes = fs::read_dir("/proc").expect("processes").flatten();
    let states = processes.filter_map(|entry| fs::read_to_string(entry.path().join("stat")).ok());
    let children: Vec<String> = states.filter(of_match).collect();
    signal("-INT", &child);
    child.wait().expect("the match ends");
    // The two engines, and those that one of them leaves and has just left.
    assert!(children.len() <= 6, "{children:#?}");
}
