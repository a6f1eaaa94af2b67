//! Passes the commit to the program, ` 1a2b3c4` with a blank before it, as `CANNONADE_COMMIT`; a
//! `+` after it says that the sources had changes. Without a repository, as in a tarball, it is
//! empty unless the environment has `CANNONADE_COMMIT`.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=CANNONADE_COMMIT");
    for path in ["build.rs", "Cargo.toml", "src", "crates", "nets", "books"] {
        if Path::new(path).exists() {
            println!("cargo:rerun-if-changed={path}");
        }
    }
    let given = std::env::var("CANNONADE_COMMIT").ok().filter(|commit| !commit.is_empty());
    let commit = given.or_else(commit).map_or_else(String::new, |commit| format!(" {commit}"));
    println!("cargo:rustc-env=CANNONADE_COMMIT={commit}");
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn commit() -> Option<String> {
    // A tarball may lie inside of another repository.
    let root = git(&["rev-parse", "--show-toplevel"])?;
    let here = std::env::current_dir().ok()?.canonicalize().ok()?;
    if Path::new(&root).canonicalize().ok()? != here {
        return None;
    }
    // What changes with a commit, a rebase or another branch.
    let head = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    println!("cargo:rerun-if-changed={head}");
    let commit = git(&["rev-parse", "--short=7", "HEAD"])?;
    let sources = ["Cargo.toml", "Cargo.lock", "build.rs", "src", "crates", "nets", "books"];
    let existing = sources.into_iter().filter(|path| Path::new(path).exists());
    let status: Vec<&str> = ["status", "--porcelain", "--untracked-files=no", "--"]
        .into_iter()
        .chain(existing)
        .collect();
    let changed = git(&status).is_some_and(|status| !status.is_empty());
    Some(if changed { format!("{commit}+") } else { commit })
}
