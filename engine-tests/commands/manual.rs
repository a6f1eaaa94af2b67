//! The manual: links lead somewhere, the table of contents is complete, and the pages for users are
//! short and leave numbers of the laboratory out.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::repository;

/// The maximum number of lines of a page for users.
const MAX_LINES: usize = 200;

/// The maximum number of lines of a README.
const MAX_README_LINES: usize = 120;

/// The parts of the table of contents that are written for users.
const USER_PARTS: [&str; 2] = ["Manual", "For programs"];

/// Words of the laboratory, which no page for users has.
const LABORATORY: [&str; 4] = ["generation ", "busy machine", "idle core", "g14"];

/// Returns all documents of the repository, as paths from its root.
pub fn documents() -> Vec<String> {
    let mut folders = vec![PathBuf::new()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(repository("").join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let name = entry.file_name().into_string().expect("UTF-8");
            let path = folder.join(&name);
            let is_ours = !matches!(name.as_str(), "target" | "node_modules" | "data");
            if entry.file_type().expect("a kind").is_dir() {
                if is_ours && (!name.starts_with('.') || name == ".github") {
                    folders.push(path);
                }
            } else if name.ends_with(".md") {
                found.push(path.to_str().expect("UTF-8").replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

/// Returns the text of a document.
pub fn read(path: &str) -> String {
    fs::read_to_string(repository(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the text outside of blocks of code and code in lines.
pub fn prose(document: &str) -> String {
    let mut in_block = false;
    let mut prose = String::new();
    for line in document.lines() {
        let is_fence = line.trim_start().starts_with("```");
        in_block ^= is_fence;
        if !in_block && !is_fence {
            prose.extend(line.split('`').step_by(2));
            prose.push('\n');
        }
    }
    prose
}

/// The targets of links to files of the repository.
fn links(document: &str) -> Vec<String> {
    let prose = prose(document);
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let targets = targets.map(|(target, _)| target.to_owned());
    targets.filter(|target| !target.starts_with("http")).collect()
}

/// The anchors of the headings, as mdBook and the sites of repositories make them.
fn anchors(document: &str) -> BTreeSet<String> {
    let mut in_block = false;
    let mut found = BTreeSet::new();
    for line in document.lines() {
        in_block ^= line.trim_start().starts_with("```");
        if let Some((_, heading)) =
            line.split_once("# ").filter(|(level, _)| !in_block && level.chars().all(|c| c == '#'))
        {
            let kept =
                heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            found.insert(kept.collect::<String>().to_lowercase().replace(' ', "-"));
        }
    }
    found
}

/// The path of a link's target from the root of the repository.
fn resolve(document: &str, target: &str) -> String {
    let mut parts: Vec<&str> = document.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." => {}
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// The pages of the table of contents, each with its part; the pages before the first part have
/// the part "".
fn contents() -> Vec<(String, String)> {
    let mut part = String::new();
    let mut pages = Vec::new();
    for line in read("docs/SUMMARY.md").lines().skip(1) {
        if let Some(title) = line.strip_prefix("# ") {
            title.clone_into(&mut part);
        } else if let Some(target) = links(line).first() {
            pages.push((part.clone(), target.clone()));
        }
    }
    pages
}

#[test]
fn links_lead_to_files_and_headings() {
    let documents = documents();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for document in &documents {
        for link in links(&read(document)) {
            seen += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if path.is_empty() { document.clone() } else { resolve(document, path) };
            let is_there = Path::new(&repository(&target)).exists();
            let has_heading = |anchor: &str| anchors(&read(&target)).contains(anchor);
            if !is_there || (!anchor.is_empty() && !has_heading(anchor)) {
                wrong.push(format!("{document}: {link}"));
            } else if document.starts_with("docs/") && !target.starts_with("docs/") {
                wrong.push(format!("{document}: {link} leaves the book; name the file as code"));
            }
        }
    }
    assert!(seen > 60, "only {seen} links were found");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_table_of_contents_has_every_page_once() {
    let listed: Vec<String> = contents().into_iter().map(|(_, page)| page).collect();
    let unique: BTreeSet<&String> = listed.iter().collect();
    assert_eq!(listed.len(), unique.len(), "{listed:?}");
    let pages: BTreeSet<String> = (documents().iter())
        .filter_map(|path| path.strip_prefix("docs/"))
        .filter(|path| *path != "SUMMARY.md")
        .map(str::to_owned)
        .collect();
    assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), pages, "docs/SUMMARY.md");
}

#[test]
fn pages_for_users_are_short_and_leave_the_laboratory_out() {
    let pages = contents();
    let pages = pages.iter().filter(|(part, _)| USER_PARTS.contains(&part.as_str()));
    let pages: Vec<String> = pages.map(|(_, page)| format!("docs/{page}")).collect();
    assert!(pages.len() > 15, "{pages:?}");
    let readmes = ["README.md", "README.zh.md"].map(str::to_owned);
    let mut wrong = Vec::new();
    for page in pages.iter().chain(&readmes) {
        let text = read(page);
        let limit = if readmes.contains(page) { MAX_README_LINES } else { MAX_LINES };
        let lines = text.lines().count();
        if lines > limit {
            wrong.push(format!("{page} has {lines} lines, more than {limit}"));
        }
        let named = LABORATORY.iter().filter(|word| prose(&text).contains(**word));
        wrong.extend(named.map(|word| format!("{page}: `{word}` belongs to docs/lab")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
