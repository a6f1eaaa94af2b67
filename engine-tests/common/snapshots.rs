//! Texts that are compared as a whole with a file of the folder `snapshots` beside the test.
//!
//! After a change of the wording `INSTA_UPDATE=always cargo test --profile fast` writes the new
//! texts, and `git diff` shows them.

use std::process::Output;

/// Compares a text with the snapshot of this name.
macro_rules! assert_text {
    ($name:expr, $text:expr) => {{
        let text = crate::common::snapshots::without_folders($text.as_ref());
        crate::common::snapshots::settings().bind(|| insta::assert_snapshot!($name, text));
    }};
}
pub(crate) use assert_text;

/// Snapshots have the name that is given, and errors of the system no words: these differ between
/// systems.
pub fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.add_filter(r"[^:\n]*\(os error \d+\)", " [system error]");
    settings
}

/// Replaces the folders and programs that differ between machines and runs.
pub fn without_folders(text: &str) -> String {
    let temporary = std::env::temp_dir().display().to_string();
    let temporary = temporary.trim_end_matches(['/', '\\']);
    let process = format!("-{}", std::process::id());
    let tests = std::env::current_exe().expect("the path of the tests").display().to_string();
    let text = text
        .replace(&tests, "[tests]")
        .replace(env!("CARGO_TARGET_TMPDIR"), "[tmp]")
        .replace(env!("CARGO_MANIFEST_DIR"), "[repository]")
        .replace(temporary, "[tmp]")
        .replace(&process, "");
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}

/// The exit code and all texts of a program.
pub fn shown(output: &Output) -> String {
    let code = output.status.code().map_or_else(|| "none".to_owned(), |code| code.to_string());
    let [out, error] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    format!("exit code {code}\n{out}{error}")
}
