//! `cannonade judge`, as a user meets it.

use std::process::Output;

use serde_json::Value;

use crate::commands::{folder, run};
use crate::common::program::the_program;
use crate::common::snapshots::{assert_text, shown};

fn judge(arguments: &[&str]) -> Output {
    the_program().arg("judge").args(arguments).output().expect("the binary runs")
}

fn json(arguments: &[&str]) -> Value {
    let output = judge(&[arguments, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

const CHECKS: &str = "3k5/9/9/9/9/9/9/9/4A4/R3K4 w";

#[test]
fn the_json_has_ruling_levels_and_moves() {
    let found = json(&["--fen", CHECKS, "--moves", "a0a9 d9d8 a9a8 d8d9 a8a9 d9d8 e0f0"]);
    assert_eq!(found["ruling"], "red loses");
    assert_eq!(found["red"], "perpetual check");
    assert_eq!(found["black"], "idle");
    assert_eq!(found["cycle_start"], 2, "the last position that is repeated is judged");
    let moves = found["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 4);
    assert_eq!(moves[0]["move"], "a9a8");
    assert_eq!(moves[0]["side"], "red");
    assert_eq!(moves[0]["class"], "check");
    assert_eq!(moves[1]["class"], "idle");
    assert!(moves[1]["victims"].as_array().expect("victims").is_empty());

    let lax = json(&["--fen", CHECKS, "--moves", "a0a9 d9d8 a9a8 d8d9 a8a9", "--rules", "none"]);
    assert_eq!(lax["ruling"], "draw");
    let none = json(&["--moves", "h2e2 h9g7"]);
    assert_eq!((&none["ruling"], &none["occurrences"]), (&"none".into(), &1.into()));
}

#[test]
fn a_position_that_stands_for_the_second_time_only_has_a_note() {
    let [twice, thrice] =
        ["a0a9 d9d8 a9a8 d8d9 a8a9", "a0a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9 a8a9"];
    for (moves, occurrences) in [(twice, 2), (thrice, 3)] {
        let arguments = ["--fen", CHECKS, "--moves", moves];
        assert_text!(format!("checks-{occurrences}"), shown(&judge(&arguments)));
        assert_eq!(json(&arguments)["occurrences"], occurrences);
    }
    let lax = judge(&["--fen", CHECKS, "--moves", thrice, "--rules", "none"]);
    assert_text!("checks-no-rules", shown(&lax));
}

#[test]
fn a_chase_names_victim_attacker_and_fake_roots() {
    // WXF diagram 83: the bishop that guards the cannon is pinned.
    let fen = "2baka3/9/4b4/9/6c2/3R5/4c4/4C4/4N4/3AKA3 w";
    let found = json(&["--fen", fen, "--moves", "d4g4 g5d5 g4d4 d5g5"]);
    assert_eq!(found["ruling"], "red loses");
    assert_eq!(found["moves"][0]["victims"][0], "g5");
    let attack = &found["moves"][0]["attacks"][0];
    assert_eq!((&attack["attacker"], &attack["from"]), (&"rook".into(), &"g4".into()));
    assert_eq!(attack["fake_roots"][0], "bishop e7");
    assert_text!("chase", shown(&judge(&["--fen", fen, "--moves", "d4g4 g5d5 g4d4 d5g5"])));
}

#[test]
fn a_capture_by_check_names_its_moves_and_what_they_capture() {
    // CXA figure 2: the knight threatens a check that clears the file of the rook h0.
    let fen = "1r2kab1r/2c1a4/n1c1b1n2/4p2N1/p1p6/1C4P2/P1P1P4/2N1B3C/4A4/1RBAK2R1 w";
    let arguments = ["--fen", fen, "--moves", "h6i4 i9h9 i4h6 h9i9", "--rules", "CXA"];
    let found = json(&arguments);
    assert_eq!(found["ruling"], "red loses");
    let threats: Vec<_> = (0..4).map(|at| &found["moves"][at]["threat"]).collect();
    let threat = threats.iter().find(|threat| !threat.is_null()).expect("a threat");
    assert_eq!(threat["mate"], false);
    assert_eq!(threat["captures"][0], "rook h9");
    let text = threat["text"].as_str().expect("a text");
    assert!(text.starts_with("threatens h6g8 ") && text.ends_with(": captures rook h9"), "{text}");
}

#[test]
fn the_text_names_kinds_rules_and_articles_in_both_languages() {
    // WXF diagram 34: a rook chases a cannon that threatens mate with every move.
    let fen = "3aka3/6R2/7c1/9/9/9/9/9/4A4/3AK1p2 w";
    let arguments = ["--fen", fen, "--moves", "g8h8 h7c7 h8c8 c7h7 c8h8"];
    for (name, more) in [
        ("kill-wxf", &[][..]),
        ("kill-wxf-zh", &["--language", "zh"]),
        ("kill-cxa", &["--rules", "CXA"]),
        ("kill-check-only", &["--rules", "CheckOnly"]),
    ] {
        assert_text!(name, shown(&judge(&[&arguments, more].concat())));
    }
    let json = json(&[&arguments[..], &["--language", "zh"]].concat());
    assert_eq!(
        (&json["ruling"], &json["moves"][0]["class"]),
        (&"red loses".into(), &"kill".into())
    );
    assert!(json["reason"].as_str().is_some_and(|text| text.contains("长捉")));
    let wrong = judge(&[&arguments[..], &["--language", "fr"]].concat());
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn game_records_are_judged() {
    let folder = std::env::temp_dir().join(format!("cannonade-judge-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("game.pgn");
    let game = format!("[FEN \"{CHECKS}\"]\n\n1. A0-A9 D9-D8 2. A9-A8 D8-D9 3. A8-A9 1-0\n");
    std::fs::write(&path, &game).expect("a file");
    let name = path.to_string_lossy();
    assert_eq!(json(&[&name])["ruling"], "red loses");
    std::fs::write(&path, game.repeat(2)).expect("a file");
    assert_eq!(json(&[&name]).as_array().map(Vec::len), Some(2));
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn a_summary_counts_rulings_by_rule_set_and_by_player() {
    let folder = std::env::temp_dir().join(format!("cannonade-summary-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("games.pgn");
    let game = |red: &str, black: &str| {
        let tags = format!("[Red \"{red}\"]\n[Black \"{black}\"]\n[FEN \"{CHECKS}\"]\n\n");
        tags + "1. A0-A9 D9-D8 2. A9-A8 D8-D9 3. A8-A9 1-0\n\n"
    };
    std::fs::write(&path, game("Hu", "Xu") + &game("Xu", "Li") + &game("Hu", "Li"))
        .expect("a file");
    let name = path.to_string_lossy();
    let text = String::from_utf8(judge(&[&name, "--summary"]).stdout).expect("text");
    let list = folder.join("games.txt");
    std::fs::write(&list, "# two games\nh2e2 h9g7\n\nh2e2 h9g7 h0g2\n").expect("a file");
    let listed = judge(&[&list.to_string_lossy(), "--summary"]).stdout;
    let listed = String::from_utf8(listed).expect("text");
    assert!(listed.contains("Games:       2,"), "{listed}");
    let both = judge(&[&name, &list.to_string_lossy(), "--summary"]).stdout;
    let both = String::from_utf8(both).expect("text");
    assert!(both.contains("Games:       5,"), "{both}");
    let copy = folder.join("copy.pgn");
    std::fs::copy(&path, &copy).expect("a copy");
    let one_by_one = judge(&[&name, &copy.to_string_lossy()]).stdout;
    let one_by_one = String::from_utf8(one_by_one).expect("text");
    for heading in ["games.pgn: Game 3\n", "copy.pgn: Game 1\n"] {
        assert!(one_by_one.contains(heading), "{one_by_one}");
    }
    let twice = judge(&[&name, &name, "--summary"]);
    assert_eq!(twice.status.code(), Some(2));
    let numbers = |start: &str| -> Vec<String> {
        let line = text.lines().find(|line| line.starts_with(start));
        let line = line.unwrap_or_else(|| panic!("no {start} in\n{text}"));
        line.split_whitespace().skip(1).map(str::to_owned).collect()
    };
    assert_eq!(numbers("WXF"), ["3", "0", "0", "3", "0"]);
    assert_eq!(numbers("None"), ["0", "0", "3", "0", "0"]);
    // Hu checks perpetually in two games, Xu in one of two, Li in none.
    assert_eq!(numbers("Hu"), ["2", "2", "2", "2", "2", "2", "0"]);
    assert_eq!(numbers("Xu"), ["2", "1", "1", "1", "1", "1", "0"]);
    assert_eq!(numbers("Li"), ["2", "0", "0", "0", "0", "0", "0"]);

    let lines = String::from_utf8(judge(&[&name, "--summary", "--json"]).stdout).expect("text");
    let lines: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[1]["file"], name.as_ref());
    assert_eq!((&lines[1]["game"], &lines[1]["red"]), (&2.into(), &"Xu".into()));
    assert_eq!(lines[1]["rulings"][0]["ruling"], "red loses");
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn bad_input_is_code_2_and_says_what_is_wrong() {
    for (arguments, message) in [
        (&["--fen", "x", "--moves", "a0a1"][..], "--fen"),
        (&["--fen", CHECKS, "--moves", "a0a9 a0a1"], "move 1 (black): 'a0a1'"),
        (&["--moves", "h2e2", "--rules", "chinese"], "WXF, AXF, CXA, Computer, CheckOnly or None"),
        (&[], "--moves"),
    ] {
        let output = judge(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(text.contains(message), "{arguments:?}: {text}");
    }
}

#[test]
fn the_keys_are_the_same_with_and_without_a_repetition() {
    let found = json(&["--fen", CHECKS, "--moves", "a0a9 d9d8 a9a8 d8d9 a8a9"]);
    let none = json(&["--moves", "h2e2 h9g7"]);
    let names = |value: &Value| -> Vec<String> {
        value.as_object().expect("an object").keys().cloned().collect()
    };
    assert_eq!(names(&found), names(&none));
}

#[test]
fn attacks_besides_that_on_a_protected_piece_are_not_denied() {
    // The knight h5 attacks the pawn i3, which nothing protects, all the time.
    let fen = "r3kab2/1c2a1c2/2n1b4/p1p5p/4p2n1/2P3R2/P3N1P1P/1CN6/4C2r1/R1BAKAB2 w";
    let found = json(&["--fen", fen, "--moves", "b2b1 h1h2 b1b2 h2h1"]);
    assert_eq!(
        found["reason"],
        "red: chases the rook h1 with every move; black: attacks a protected piece with every move"
    );
}

/// A perpetual check, with a variation that has a defect.
const CHECKS_WITH_VARIATION: &str = "[FEN \"3k5/9/9/9/9/9/9/9/4A4/R3K4 w\"]\n\n\
    1. a0a9 d9d8 2. a9a8 (2. a9a0 Zz9) d8d9 3. a8a9 d9d8 4. a9a8 d8d9 5. a8a9 *\n";

#[test]
fn commands_for_main_lines_name_a_defect_in_a_variation_and_go_on() {
    let file = folder("variations").join("checks.pgn");
    std::fs::write(&file, CHECKS_WITH_VARIATION).expect("a temporary file");
    let file = file.to_str().expect("a path in UTF-8");
    let page = format!("{file}.html");
    let commands: [(&[&str], &str); 4] = [
        (&["judge", file], "red loses"),
        (&["judge", file, "--json"], "red loses"),
        (&["judge", file, "--summary"], "Games:       1,"),
        (&["judge", file, "--html", &page], ""),
    ];
    for (arguments, ruling) in commands {
        let output = run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {errors}");
        let warning = "game 1, line 3: in a variation, move 2 (black): 'Zz9' is not a move";
        assert!(errors.starts_with("warning: ") && errors.contains(warning), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        let text = String::from_utf8_lossy(&output.stdout).to_lowercase();
        assert!(text.contains(&ruling.to_lowercase()), "{arguments:?}: {text}");
    }
}

#[test]
fn games_with_defects_do_not_keep_judge_from_the_others() {
    let sound = CHECKS_WITH_VARIATION.replace("Zz9", "");
    let bad = "[Event \"bad\"]\n\n1. h2h8 *\n\n";
    let file = folder("sound").join("games.pgn");
    std::fs::write(&file, format!("{bad}{sound}\n\n{bad}")).expect("a temporary file");
    let file = file.to_str().expect("a path in UTF-8");
    for arguments in
        [&["judge", file][..], &["judge", file, "--json"], &["judge", file, "--summary"]]
    {
        let output = run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {errors}");
        assert!(errors.contains("game 1, line 3: move 1 (red)"), "{errors}");
        assert!(errors.contains("games judged: 1; left out for the defects above: 2"), "{errors}");
        assert!(!output.stdout.is_empty());
    }
}
