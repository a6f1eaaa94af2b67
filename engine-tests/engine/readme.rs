//! The README and the option table say the same.

use cannonade::engine::{OPTIONS, OptionKind, OptionSpec};

const README: &str = include_str!("../../README.md");

/// The row of an option in the README.
fn row(option: &OptionSpec) -> String {
    let name = |name: Option<&str>| name.map_or_else(String::new, |name| format!("`{name}`"));
    let values = match option.kind {
        OptionKind::Check { default } => format!("`true`, `false`; first `{default}`"),
        OptionKind::Spin { default, min, max } => format!("{min} to {max}; first {default}"),
        OptionKind::Combo([only]) => format!("`{only}`"),
        OptionKind::Combo(values) => {
            let all: Vec<_> = values.iter().map(|value| format!("`{value}`")).collect();
            format!("{}; first `{}`", all.join(", "), values[0])
        }
        OptionKind::Button => "a button".to_owned(),
        OptionKind::Text => "a path".to_owned(),
    };
    format!("| {} | {} | {values} | {} |", name(option.uci), name(option.ucci), option.doc)
}

#[test]
fn the_readme_documents_every_option() {
    let missing: Vec<_> =
        OPTIONS.iter().map(row).filter(|row| !README.lines().any(|line| line == row)).collect();
    assert!(missing.is_empty(), "missing or outdated in README.md:\n{}", missing.join("\n"));
}
