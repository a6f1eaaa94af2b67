//! Reports as pages: their content, that nothing is loaded, and that no text becomes HTML.

use serde_json::Value;

use crate::common::program;
use crate::common::snapshots::{assert_text, shown};

fn page(arguments: &[&str], input: &str) -> String {
    let output = program::run(arguments, input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn analysed(input: &str) -> String {
    page(&["analyze", "-", "--hash", "4", "--nodes", "300", "--html", "-"], input)
}

fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").expect("the data");
    let (json, _) = rest.split_once("</script>").expect("the end of the data");
    serde_json::from_str(json).expect("JSON")
}

const GAME: &str = "[Event \"Test\"]\n[Red \"甲\"]\n[Black \"乙\"]\n\n\
    {before} 1. 炮二平五 马８进７ {a comment} 2. H2+3 R9=8 3. i0h0 1-0\n";

const CHASE: [&str; 4] =
    ["--fen", "3aka3/6R2/7c1/9/9/9/9/9/4A4/3AK1p2 w", "--moves", "g8h8 h7c7 h8c8 c7h7 c8h8"];

#[test]
fn a_report_names_the_program_and_its_limits() {
    let page = analysed(GAME);
    let (_, rest) = page.split_once("<footer>").expect("a foot");
    let (foot, _) = rest.split_once("</footer>").expect("its end");
    let version = program::run(&["--version"], "");
    let version = String::from_utf8(version.stdout).expect("UTF-8");
    let version = version.trim().strip_prefix("cannonade ").expect("the name");
    for part in [" net ", env!("CARGO_PKG_VERSION")] {
        assert!(version.contains(part), "{version}");
    }
    assert_eq!(foot, format!("Cannonade {version}; 300 nodes, 1 line, 1 thread, 4 MiB"));
}

#[test]
fn a_report_holds_the_game_and_its_analysis() {
    let data = data(&analysed(GAME));
    assert_eq!(data["language"], "en");
    let game = &data["games"][0];
    assert_eq!((&game["tags"]["red"], &game["tags"]["black"]), (&"甲".into(), &"乙".into()));
    assert_eq!((&game["comment"], &game["result"]), (&"before".into(), &"1-0".into()));
    let plies = game["plies"].as_array().expect("plies");
    assert_eq!(plies.len(), 5);
    assert_eq!((&plies[1]["move"], &plies[1]["chinese"]), (&"h9g7".into(), &"马８进７".into()));
    assert_eq!((&plies[1]["side"], &plies[1]["comment"]), (&"black".into(), &"a comment".into()));
    assert!(plies.iter().all(|ply| ply["class"].is_string() && ply["phase"] == "opening"));
    let positions = game["positions"].as_array().expect("positions");
    assert_eq!(positions.len(), 6);
    for position in positions {
        let points = position["points"].as_f64().expect("points");
        assert!((0.0..=1.0).contains(&points));
        let line = &position["lines"][0];
        let length = |key: &str| line[key].as_array().map(Vec::len);
        assert!(length("moves") > Some(0) && length("moves") == length("texts"));
        assert_eq!(length("texts"), length("chinese"));
    }
    assert!(game["summary"]["red"]["accuracy"].is_number());
    assert_eq!(game["complete"], true);
}

#[test]
fn nothing_is_loaded_and_only_own_scripts_run() {
    let page = analysed(GAME);
    let (_, rest) = page.split_once("script-src 'nonce-").expect("a policy");
    let nonce = rest.split('\'').next().expect("a number");
    assert_eq!(nonce.len(), 32);
    assert!(page.contains("default-src 'none'"));
    let outside = page.replace("http://www.w3.org/2000/svg", "");
    for foreign in [
        "http:",
        "https:",
        "src=",
        "@import",
        "url(",
        "fetch(",
        "XMLHttpRequest",
        "innerHTML",
        "eval(",
    ] {
        assert!(!outside.contains(foreign), "{foreign}");
    }
    let scripts: Vec<_> = page.split("<script").skip(1).collect();
    assert_eq!(scripts.len(), 4);
    assert!(scripts[0].starts_with(" type=\"application/json\" id=\"data\">"));
    for script in &scripts[1..] {
        assert!(script.starts_with(&format!(" nonce=\"{nonce}\">")));
    }
    assert_eq!(page.matches("<style").count(), 1);
    assert!(!analysed(GAME).contains(nonce), "every page has its own number");
    for name in
        ["nonce", "generator", "title", "styles", "sheet", "data", "board", "words", "report"]
    {
        assert!(!page.contains(&format!("{{{{{name}}}}}")), "{name} is filled in");
    }
}

#[test]
fn names_and_comments_of_hostile_files_stay_text() {
    let hostile = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)> & \u{2028}";
    let input = format!(
        "[Red \"{hostile}\"]\n[Black \"{{{{data}}}}' onload='x\"]\n[Event \"{hostile}\"]\n\n\
         1. h2e2 {{{hostile}}} *\n"
    );
    let pages = [analysed(&input), page(&["judge", "--html", "-", "/dev/stdin"], &input)];
    for page in pages {
        assert!(!page.contains("alert(1)</script>") && !page.contains("<img"), "{page}");
        assert_eq!(page.matches("<script").count(), 4);
        assert_eq!(page.matches("</script>").count(), 4);
        assert!(page.contains("<title>&lt;/script&gt;&lt;script&gt;alert(1)"));
        let game = &data(&page)["games"][0];
        assert_eq!(game["tags"]["red"], hostile);
        assert_eq!(game["tags"]["black"], "{{data}}' onload='x");
        assert!(game["plies"][0]["comment"].as_str().is_some_and(|text| text.contains("<img")));
    }
}

#[test]
fn a_ruling_opens_at_the_repetition_and_names_chaser_and_victim() {
    let page = page(&[&["judge", "--html", "-", "--language", "zh"], &CHASE[..]].concat(), "");
    let data = data(&page);
    assert_eq!(data["language"], "zh");
    let game = &data["games"][0];
    assert_eq!((&game["open"], &game["plies"][0]["move"]), (&2.into(), &"g8h8".into()));
    assert!(game["positions"].is_null());
    let found = &game["loops"][0];
    assert_eq!((&found["start"], &found["occurrences"]), (&1.into(), &2.into()));
    assert_eq!(found["ruling"]["en"], "red loses");
    let chase = &found["moves"][1];
    assert_eq!((&chase["move"], &chase["kind"]), (&"h8c8".into(), &"chase".into()));
    let attacks = chase["attacks"].as_array().expect("attacks");
    assert!(attacks.iter().any(|attack| {
        attack["from"] == "c8" && attack["on"] == "c7" && attack["chase"] == true
    }));
    for text in [
        &found["red"],
        &found["conduct"],
        &found["reasons"][0],
        &chase["kinds"],
        &attacks[0]["text"],
    ] {
        let [en, zh] = ["en", "zh"].map(|key| text[key].as_str().expect("a text"));
        assert!(en.is_ascii() && !zh.is_ascii(), "{en} / {zh}");
    }
}

#[test]
fn a_report_lists_the_variations_after_the_lines_that_they_leave() {
    let input = "1. h2e2! h9g7 ( 1... b9c7 {also good} 2. h0g2 ( 2. b0c2? h7e7 ( 2... a9a8 ) ) 2... a9b9 ) \
                 2. h0g2 ( 2. b0c2 ) 2... i9h9 *";
    let page = page(&["judge", "--html", "-", "/dev/stdin"], input);
    let game = &data(&page)["games"][0];
    let signs: Vec<_> = (0..4).map(|ply| game["plies"][ply]["signs"].clone()).collect();
    assert_eq!(signs, ["!", "", "", ""]);
    let list = game["variations"].as_array().expect("variations");
    let places: Vec<String> = (list.iter())
        .map(|one| {
            let key = |name: &str| one[name].to_string().replace('"', "");
            let moves: Vec<_> = one["moves"].as_array().expect("moves").iter().collect();
            let moves: Vec<_> = moves.iter().filter_map(|mv| mv.as_str()).collect();
            ["base", "line", "after", "depth", "number", "side"].map(key).join(" ")
                + ": "
                + &moves.join(" ")
        })
        .collect();
    assert_eq!(
        places,
        [
            "1 null 1 0 1 black: b9c7 h0g2 a9b9",
            "1 0 1 1 2 red: b0c2 h7e7",
            "1 1 1 2 2 black: a9a8",
            "2 null 2 0 2 red: b0c2",
        ]
    );
    assert_eq!(list[0]["chinese"][0], "马２进３");
    assert_eq!((&list[0]["comments"][0], &list[1]["signs"][0]), (&"also good".into(), &"?".into()));
    let lengths = |key: &str| list[0][key].as_array().map(Vec::len);
    assert!(["texts", "chinese", "signs", "comments"].iter().all(|key| lengths(key) == Some(3)));
}

#[test]
fn a_game_without_repetition_has_a_page_too() {
    let page = page(&["judge", "--moves", "h2e2", "--html", "-"], "");
    let game = &data(&page)["games"][0];
    assert_eq!((&game["open"], &game["loops"]), (&0.into(), &Value::Array(Vec::new())));
}

#[test]
fn outputs_that_would_mix_are_refused() {
    let refusals = [
        &["analyze", "-", "--html", "-", "--json"][..],
        &["analyze", "--html", "-"],
        &["analyze", "-", "--language", "zh"],
        &["judge", "--moves", "h2e2", "--html", "-", "--json"],
    ]
    .map(|arguments| {
        format!("$ {}\n{}", arguments.join(" "), shown(&program::run(arguments, GAME)))
    });
    assert_text!("mixed-outputs", refusals.concat());
}

#[test]
fn the_table_is_written_beside_the_page_if_it_has_a_file() {
    let folder = std::env::temp_dir().join(format!("cannonade-page-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (html, pgn) = (path("report.html"), path("game.pgn"));
    let arguments =
        ["analyze", "-", "--hash", "4", "--nodes", "200", "--pgn", "-o", &pgn, "--html", &html];
    let output = program::run(&arguments, GAME);
    assert!(output.status.success() && output.stdout.is_empty());
    assert!(std::fs::read_to_string(&pgn).is_ok_and(|text| text.contains("[Event \"Test\"]")));
    assert!(std::fs::read_to_string(&html).is_ok_and(|text| text.starts_with("<!doctype html>")));
    assert_eq!(std::fs::read_dir(&folder).expect("the folder").count(), 2, "no .partial is left");
    std::fs::remove_dir_all(&folder).expect("removed");
}
