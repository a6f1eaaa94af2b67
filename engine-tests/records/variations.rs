//! Defects in variations, which leave the main line as it is.

use std::fs;

use xiangqi::notation::Notation;
use xiangqi::records::{FileKind, TextEncoding, read, write};

use crate::commands::{folder, run};

/// A variation with two moves, the second one illegal in `WRONG`.
const WHOLE: &str = "1. h2e2 h9g7 (1... b9c7 2. h0g2) 2. h0g2 *\n";
const WRONG: &str = "1. h2e2 h9g7 (1... b9c7 2. h0g4) 2. h0g2 *\n";

/// A perpetual check, with a variation that has a defect.
const CHECKS: &str = "[FEN \"3k5/9/9/9/9/9/9/9/4A4/R3K4 w\"]\n\n\
    1. a0a9 d9d8 2. a9a8 (2. a9a0 Zz9) d8d9 3. a8a9 d9d8 4. a9a8 d8d9 5. a8a9 *\n";

#[test]
fn a_defect_in_a_variation_is_told_from_one_in_the_main_line() {
    let games = read(WHOLE.as_bytes()).games;
    let written = |kind| write(&games, kind, Notation::Iccs, TextEncoding::Utf8).expect("a file");
    let without_end = |kind| {
        let mut bytes = written(kind);
        bytes.truncate(bytes.len() - 3);
        bytes
    };
    let dhtmlxq = String::from_utf8(written(FileKind::DhtmlXq)).expect("UTF-8");
    // The knight h0 to g2, and to h2.
    assert!(dhtmlxq.contains("7967[/DhtmlXQ_move_0_2_1]"), "{dhtmlxq}");
    let dhtmlxq = dhtmlxq.replace("7967[/DhtmlXQ_move_0_2_1]", "7977[/DhtmlXQ_move_0_2_1]");
    let files = [
        (WRONG.as_bytes().to_vec(), "move 2 (red): 'h0g4'"),
        (dhtmlxq.into_bytes(), "move 2 (red)"),
        (without_end(FileKind::Xqf), "the file ends in the middle of"),
        (without_end(FileKind::Cbr), "the file ends in the middle of"),
    ];
    for (bytes, defect) in files {
        let collection = read(&bytes);
        let kind = collection.kind;
        let [problem] = &collection.problems[..] else { panic!("{:?}", collection.problems) };
        assert!(problem.affects_moves() && !problem.affects_main_line(), "{kind}: {problem}");
        assert!(problem.to_string().contains(": in a variation, "), "{kind}: {problem}");
        assert!(problem.to_string().contains(defect), "{kind}: {problem}");
        assert_eq!(collection.games[0].moves().len(), 3, "{kind}");
    }
    let main_line = read(b"1. h2e2 h9g7 (1... b9c7) 2. h0g4 *\n");
    let [problem] = &main_line.problems[..] else { panic!("{:?}", main_line.problems) };
    assert!(problem.affects_main_line() && !problem.to_string().contains("variation"));
}

#[test]
fn ranks_from_one_are_recognised_in_variations() {
    // Without a rank 0 or 10; only by ranks from 1 the variation is legal.
    let collection = read(b"1. h3e3 (1. b3e3 b8e8) *\n");
    assert_eq!(collection.problems, []);
    assert_eq!(collection.games[0].len(), 3);
}

#[test]
fn commands_for_main_lines_name_a_defect_in_a_variation_and_go_on() {
    let file = folder("variations").join("checks.pgn");
    fs::write(&file, CHECKS).expect("a temporary file");
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
    let sound = CHECKS.replace("Zz9", "");
    let bad = "[Event \"bad\"]\n\n1. h2h8 *\n\n";
    let file = folder("sound").join("games.pgn");
    fs::write(&file, format!("{bad}{sound}\n\n{bad}")).expect("a temporary file");
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
