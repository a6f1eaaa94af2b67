//! Defects in variations, which leave the main line as it is.

use xiangqi::notation::Notation;
use xiangqi::records::{FileKind, TextEncoding, read, write};

/// A variation with two moves, the second one illegal in `WRONG`.
const WHOLE: &str = "1. h2e2 h9g7 (1... b9c7 2. h0g2) 2. h0g2 *\n";
const WRONG: &str = "1. h2e2 h9g7 (1... b9c7 2. h0g4) 2. h0g2 *\n";

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
