//! Results of matches as files, and several of them pooled.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::snapshots::{assert_text, shown};

use super::support::{Folder, command, games_in, run, text};
use crate::common::program::the_program;

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
        let mut command = the_program();
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
    let margin = changed("margin", &|text| {
        text.replacen("\"margin_ms\": 100", "\"margin_ms\": 50", 1)
            .replace("\"began\": \"", "\"began\": \"x")
    });
    let others = [&one, &copy, &limit, &option, &rules, &renamed, &bare, &margin];
    let refusals = others.map(|other| shown(&pool(&[&one, other])));
    assert_text!("unequal-conditions", refusals.concat());
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
        let mut command = the_program();
        run(command.arg("pool").args(files).args(more))
    };
    let output = pool(&[&one, &two], &["--sprt", "elo0=0", "elo1=50"]);
    assert_text!("pooled", shown(&output));

    let foreign = folder.file("foreign.json");
    fs::write(&foreign, "{}").expect("a writable folder");
    assert_text!("foreign-results", shown(&pool(&[&one, &foreign], &[])));

    let text_of_one = fs::read_to_string(&one).expect("the results");
    let changed = |name: &str, from: &str, to: &str| {
        let path = folder.file(name);
        fs::write(&path, text_of_one.replacen(from, to, 1)).expect("a writable folder");
        path
    };
    let disagreement = "the pairs and games of new and old do not agree";
    for (file, reason) in [
        (write("few.json", "new", "old", [1, 0, 0], [0, 0, 1, 0, 0]), disagreement),
        (changed("huge.json", "\"wins\":22", &format!("\"wins\":{}", u64::MAX)), disagreement),
        (changed("newer.json", "{", "{\"schema\":\"match-9\","), "has the schema match-9"),
    ] {
        let output = pool(&[&file], &[]);
        assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
        assert!(text(&output.stderr).contains(reason), "{}", shown(&output));
    }
}
