//! A release can be made at any time: all packages have one version, and the changelog describes it.

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
