//! The table of options in docs/protocol.md is the one in the source.

use cannonade_engine::{OPTIONS, OptionKind, OptionRow};

const DOCUMENT: &str = include_str!("../../../../../docs/protocol.md");

/// The row of an option in the document.
fn row(option: &OptionRow) -> String {
    let name = |name: Option<&str>| name.map_or_else(String::new, |name| format!("`{name}`"));
    let values = match option.kind {
        OptionKind::Check { default, .. } => format!("`true`, `false`; default `{default}`"),
        OptionKind::Spin { default, min, max, .. } => format!("{min} to {max}; default {default}"),
        OptionKind::Combo { choices: [only], .. } => format!("`{only}`"),
        OptionKind::Combo { choices, .. } => {
            let all: Vec<_> = choices.iter().map(|choice| format!("`{choice}`")).collect();
            format!("{}; default `{}`", all.join(", "), choices[0])
        }
        OptionKind::Button => "a button".to_owned(),
        OptionKind::Text { .. } => "a path".to_owned(),
    };
    format!("| {} | {} | {values} | {} |", name(option.uci), name(option.ucci), option.help)
}

#[test]
fn the_document_has_a_row_for_every_option() {
    let missing: Vec<_> =
        OPTIONS.iter().map(row).filter(|row| !DOCUMENT.lines().any(|line| line == row)).collect();
    assert!(missing.is_empty(), "missing or outdated in docs/protocol.md:\n{}", missing.join("\n"));
}
