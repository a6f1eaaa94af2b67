//! The manual describes every JSON form: each key with its type, no more and no less than the
//! commands write.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::tournament::support::fake;

use super::{all_commands, command, folder, help, repository, run};

/// The pages that describe the forms.
const PAGES: [&str; 2] = ["docs/json.md", "docs/json-tools.md"];

/// The rows of a table: the types of each key, by its path.
type Schema = BTreeMap<String, BTreeSet<String>>;

/// The tables of the pages by the name of the schema.
fn documented() -> BTreeMap<String, Schema> {
    let read = |page: &str| fs::read_to_string(repository(page)).expect("a page");
    let text = PAGES.map(read).join("\n");
    let mut schemas: BTreeMap<String, Schema> = BTreeMap::new();
    let mut schema = None;
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("### `").and_then(|line| line.strip_suffix('`')) {
            schema = Some(schemas.entry(name.to_owned()).or_default());
        }
        let cells: Vec<&str> = line.split(" | ").collect();
        let [keys, types, ..] = cells[..] else { continue };
        let (Some(keys), Some(schema)) = (keys.strip_prefix("| `"), &mut schema) else { continue };
        let types: BTreeSet<String> = types.split(" or ").map(str::to_owned).collect();
        for key in keys.trim_end_matches('`').split("`, `") {
            add_containers(schema, key);
            schema.insert(key.to_owned(), types.clone());
        }
    }
    schemas
}

/// Adds the lists and objects that a key is in, unless they have rows of their own.
fn add_containers(schema: &mut Schema, key: &str) {
    for (at, sign) in key.match_indices(['.', '[']) {
        let kind = if sign == "[" { "list" } else { "object" };
        schema.entry(key[..at].to_owned()).or_insert_with(|| BTreeSet::from([kind.to_owned()]));
    }
}

/// The type of a value, as the document names it.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "text",
        Value::Array(_) => "list",
        Value::Object(object) => match object.keys().next().map(String::as_str) {
            Some("cp" | "mate" | "rule") if object.len() == 1 => "score",
            _ => "object",
        },
    }
}

/// Checks the keys of a value against a schema, and notes those that it has.
struct Comparison<'a> {
    name: &'a str,
    schema: &'a Schema,
    seen: BTreeSet<String>,
}

impl Comparison<'_> {
    fn object(&mut self, path: &str, object: &serde_json::Map<String, Value>) {
        let dot = if path.is_empty() { "" } else { "." };
        let is_named = |key: &str| path.is_empty() && ["schema", "type"].contains(&key);
        for (key, value) in object.iter().filter(|(key, _)| !is_named(key)) {
            let named = format!("{path}{dot}{key}");
            let free = format!("{path}{dot}*");
            let path = if self.schema.contains_key(&named) { named } else { free };
            assert!(
                self.schema.contains_key(&path),
                "{}: `{key}` of '{path}' is not in the manual",
                self.name
            );
            self.value(path, value);
        }
    }

    fn value(&mut self, path: String, value: &Value) {
        let (kind, types) = (type_of(value), &self.schema[&path]);
        let is_allowed = types.contains(kind) || kind == "integer" && types.contains("number");
        assert!(is_allowed, "{}: `{path}` is {kind}, not {types:?}: {value}", self.name);
        match value {
            Value::Object(object) if kind == "object" => self.object(&path, object),
            Value::Array(values) => {
                let inner = format!("{path}[]");
                if let Some(value) = values.first() {
                    assert!(self.schema.contains_key(&inner), "{}: `{inner}`: {value}", self.name);
                }
                for value in values {
                    self.value(inner.clone(), value);
                }
            }
            _ => {}
        }
        self.seen.insert(path);
    }
}

/// Compares the objects of all outputs with the schemas that they name. Each key of these schemas
/// must be in one of them.
fn check(outputs: &[String]) {
    let documented = documented();
    let mut comparisons: BTreeMap<String, Comparison<'_>> = BTreeMap::new();
    let values = outputs.iter().flat_map(|text| {
        let values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
        values.map(|value| value.expect("JSON"))
    });
    let objects = values.flat_map(|value| match value {
        Value::Array(values) => values,
        value => vec![value],
    });
    for object in objects {
        let schema = object["schema"].as_str().expect("a schema").to_owned();
        let kind = object.get("type").and_then(Value::as_str);
        let name = kind.map_or_else(|| schema.clone(), |kind| format!("{schema} {kind}"));
        let (name, schema) = documented
            .get_key_value(&name)
            .unwrap_or_else(|| panic!("{name} has no table in the manual"));
        let comparison = comparisons.entry(name.clone()).or_insert_with(|| Comparison {
            name,
            schema,
            seen: BTreeSet::new(),
        });
        comparison.object("", object.as_object().expect("an object"));
    }
    assert!(!comparisons.is_empty());
    for comparison in comparisons.values() {
        let paths: BTreeSet<String> = comparison.schema.keys().cloned().collect();
        let unseen: Vec<&String> = paths.difference(&comparison.seen).collect();
        assert!(unseen.is_empty(), "{}: no output has {unseen:?}", comparison.name);
    }
}

fn json(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn path(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// The commands that write JSON, and the schemas that the tests of this file check.
const WRITERS: &[(&str, &[&str])] = &[
    ("analyze", &["analyze-1 game", "analyze-1 move", "analyze-1 summary", "analyze-1 position"]),
    ("bench", &["bench-1"]),
    ("book show", &["book-show-1"]),
    ("data stats", &["data-stats-1"]),
    ("judge", &["judge-1", "judge-summary-1"]),
    ("match", &["match-1"]),
    ("net show", &["net-show-1"]),
    ("pool", &["match-1"]),
    ("rating", &["rating-1"]),
    ("tables probe", &["tables-probe-1"]),
    ("tables summary", &["tables-summary-1"]),
];

#[test]
fn every_command_with_json_has_its_schema() {
    let commands = all_commands();
    let with_json = commands.iter().filter(|path| help::of(path).contains("--json"));
    let with_json: Vec<String> = with_json.map(|path| path.join(" ")).collect();
    let known: Vec<&str> = WRITERS.iter().map(|(name, _)| *name).collect();
    for name in &with_json {
        let is_known = known.contains(&name.as_str());
        assert!(is_known || name.is_empty(), "`{name} --json` has no schema");
    }
    let schemas: BTreeSet<&str> =
        WRITERS.iter().flat_map(|(_, schemas)| *schemas).copied().collect();
    let documented = documented();
    let documented: BTreeSet<&str> = documented.keys().map(String::as_str).collect();
    assert_eq!(schemas, documented);
}

#[test]
fn analyze() {
    let folder = folder("json-analyze");
    let (games, ending) = (folder.join("games.pgn"), folder.join("ending.pgn"));
    fs::write(&games, "[Red \"x\"]\n\n1. h2e2 h9g7 2. h0g2 1-0\n").expect("a file");
    let text = "[FEN \"3k5/9/9/9/9/9/4r4/4R4/9/4K4 w\"]\n1. e2e3 d9d8 *\n";
    fs::write(&ending, text).expect("a file");
    let lost = "R3k4/3R5/9/9/9/9/9/9/9/5K3 b";
    check(&[
        json(&["analyze", path(&games), "--nodes", "50", "--json"]),
        json(&["analyze", path(&ending), "--nodes", "50", "--json"]),
        json(&["analyze", "--fen", lost, "--json"]),
        json(&["analyze", "--fen", "3k5/9/9/9/9/9/9/9/9/R3K4 w", "--nodes", "50", "--json"]),
    ]);
}

#[test]
fn bench() {
    check(&[json(&["bench", "1", "--json"])]);
}

#[test]
fn book_show() {
    check(&[json(&["book", "show", "--json"])]);
}

#[test]
fn data_stats() {
    let folder = folder("json-data");
    let (games, samples) = (folder.join("a.games"), folder.join("a.samples"));
    let datagen = ["datagen", "--games", "4", "--nodes", "50", "--threads", "1", "--output"];
    json(&[&datagen[..], &[path(&games)]].concat());
    json(&["data", "filter", path(&games), "--output", path(&samples)]);
    check(&[
        json(&["data", "stats", path(&games), "--json"]),
        json(&["data", "stats", path(&samples), "--json"]),
    ]);
}

#[test]
fn judge() {
    let folder = folder("json-judge");
    let games = folder.join("games.txt");
    let chase = "g8h8 h7c7 h8c8 c7h7 c8h8 h7c7 h8c8 c7h7 c8h8";
    let fen = "3aka3/6R2/7c1/9/9/9/9/9/4A4/3AK1p2 w";
    let game = format!("[Red \"a\"]\n[Black \"b\"]\n[FEN \"{fen}\"]\n\n{chase} *\n");
    fs::write(&games, game).expect("a file");
    let protected = "5k3/2R6/9/9/3N5/3r5/2P2pP1P/3AB2c1/c1NK2p1R/2B4n1 w";
    // Red threatens a capture by check.
    let by_check = "1r2kab1r/2c1a4/n1c1b1n2/4p2N1/p1p6/1C4P2/P1P1P4/2N1B3C/4A4/1RBAK2R1 w";
    let turn = "h6i4 i9h9 i4h6 h9i9";
    let protected = ["judge", "--fen", protected, "--moves", "c1b3 a1a2 b3c1 a2a1", "--json"];
    check(&[
        json(&protected),
        json(&["judge", "--fen", fen, "--moves", chase, "--json"]),
        json(&["judge", "--fen", by_check, "--moves", turn, "--rules", "CXA", "--json"]),
        json(&["judge", "--moves", "h2e2", "--json"]),
        json(&["judge", path(&games), "--summary", "--json"]),
    ]);
}

#[test]
fn matches() {
    let folder = folder("json-match");
    let (results, pooled) = (folder.join("match.json"), folder.join("pool.json"));
    let (pgn, ratings) = (folder.join("games.pgn"), folder.join("rating.json"));
    let engine = format!("cmd={}", env!("CARGO_BIN_EXE_cannonade"));
    let mut play = command(&["match", "--engine", &engine, "name=a", "nodes=20", "option.Hash=1"]);
    play.args(fake("faulty", "garbage_move")).args(["st=2", "--rounds", "2", "--repeat"]);
    play.args(["--openings", "file=scripts/openings.epd", "order=random", "--seed", "7"]);
    play.args(["--sprt", "elo0=0", "elo1=10", "--recover"]);
    play.args(["--json", path(&results), "--pgn", path(&pgn)]);
    let output = play.current_dir(repository("")).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    json(&["pool", path(&results), "--json", path(&pooled)]);
    json(&["rating", path(&pgn), "--json", path(&ratings)]);
    let restarts = folder.join("restarts.json");
    let mut play = command(&["match", "--engine", &engine, "name=a", "nodes=20"]);
    play.args(fake("ends", "ends_after_the_game")).args(["st=5", "--rounds", "2", "--recover"]);
    let output = play.args(["--maxmoves", "5", "--json", path(&restarts)]).output();
    assert!(output.expect("the program runs").status.success());
    let read = |path: &Path| fs::read_to_string(path).expect("a file");
    check(&[read(&results), read(&pooled), read(&ratings), read(&restarts)]);
}

#[test]
fn net_show() {
    check(&[json(&["net", "show", "--json"])]);
}

#[test]
fn tables() {
    check(&[
        json(&["tables", "probe", "3k5/9/9/9/9/9/9/9/9/R3K4 w", "--json"]),
        json(&["tables", "summary", "KR", "--json"]),
    ]);
}
