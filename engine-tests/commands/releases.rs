//! A release can be made at any time: all packages have one version, and the changelog describes
//! it.

use std::process::{Command, Output};

use super::repository;

/// Asks for the notes of a version, as the workflow of releases does.
fn notes(version: &str) -> Output {
    let script = repository("scripts/release_notes.sh");
    Command::new(script).arg(version).output().expect("the script runs")
}

#[test]
fn all_packages_have_one_version_and_notes() {
    let found = notes(env!("CARGO_PKG_VERSION"));
    let errors = String::from_utf8_lossy(&found.stderr);
    assert!(found.status.success(), "{errors}");
    assert!(String::from_utf8_lossy(&found.stdout).contains("### "));
}

#[test]
fn a_tag_of_another_version_is_refused() {
    let refused = notes("0.0.1");
    assert!(!refused.status.success());
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(
        errors,
        format!("the version is 0.0.1, but Cargo.toml has {}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[test]
fn each_release_has_at_most_ten_lines() {
    let changelog = super::manual::read("CHANGELOG.md");
    let sections: Vec<&str> = changelog.split("\n## ").skip(1).collect();
    assert!(!sections.is_empty());
    for section in sections {
        let lines = section.lines().skip(1).filter(|line| !line.is_empty());
        let entries: Vec<&str> = lines.filter(|line| !line.starts_with("### ")).collect();
        assert!(entries.len() <= 10, "{entries:#?}");
        assert!(entries.iter().all(|line| line.starts_with("- ") && line.len() <= 140));
    }
}
