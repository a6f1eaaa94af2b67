//! The English and the Chinese README show the same commands, outputs, tables and documents.

use std::collections::BTreeSet;
use std::fs;

use cannonade_engine::OptionRow;

use super::{repository, run};

/// The content of a README, in any language.
struct Readme {
    text: String,
}

impl Readme {
    fn read(name: &str) -> Readme {
        let text = fs::read_to_string(repository(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        Readme { text }
    }

    /// The blocks of code, in order.
    fn blocks(&self) -> Vec<&str> {
        self.text.split("```").skip(1).step_by(2).collect()
    }

    /// The text without its blocks.
    fn prose(&self) -> String {
        self.text.split("```").step_by(2).collect()
    }

    /// The words in code style, outside of blocks.
    fn words(&self) -> BTreeSet<String> {
        self.prose().split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    /// Returns the targets of the links, except the other README.
    fn links(&self) -> BTreeSet<String> {
        let prose = self.prose();
        let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        let targets = targets.map(|(target, _)| target.to_owned());
        targets.filter(|target| !target.starts_with("README")).collect()
    }

    /// The rows of the tables, each split into its cells.
    fn rows(&self) -> Vec<Vec<String>> {
        let rows = self.text.lines().filter(|line| line.starts_with('|'));
        let cells = |line: &str| {
            let cells = line.trim_matches('|').split(" | ");
            cells.map(|cell| cell.trim().to_owned()).collect()
        };
        rows.map(cells).collect()
    }

    /// The commands of the table of commands.
    fn commands(&self) -> Vec<String> {
        let rows = self.rows().into_iter().map(|cells| cells[0].clone());
        let names = rows.filter(|cell| cell.starts_with("`cannonade"));
        names
            .flat_map(|cell| {
                cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()
            })
            .collect()
    }

    /// All numbers of a table row.
    fn numbers(&self) -> Vec<Vec<String>> {
        let digits = |cell: &String| {
            let parts = cell.split(|c: char| !c.is_ascii_digit());
            parts.filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>()
        };
        self.rows().iter().map(|cells| cells.iter().flat_map(digits).collect()).collect()
    }
}

fn both() -> [Readme; 2] {
    ["README.md", "README.zh.md"].map(Readme::read)
}

#[test]
fn both_show_the_same_commands_and_outputs() {
    let [english, chinese] = both();
    assert!(english.blocks().len() >= 2);
    assert_eq!(english.blocks(), chinese.blocks());
    assert_eq!(english.commands(), chinese.commands());
}

#[test]
fn both_name_the_same_words_and_documents() {
    let [english, chinese] = both();
    assert_eq!(english.words(), chinese.words());
    assert_eq!(english.links(), chinese.links());
}

#[test]
fn both_have_the_same_sections_tables_and_numbers() {
    let [english, chinese] = both();
    let sections = |readme: &Readme| readme.text.lines().filter(|l| l.starts_with("## ")).count();
    assert_eq!(sections(&english), sections(&chinese));
    assert_eq!(english.numbers(), chinese.numbers());
}

#[test]
fn each_leads_to_the_other() {
    let [english, chinese] = both();
    assert!(english.text.contains("](README.zh.md)"));
    assert!(chinese.text.contains("](README.md)"));
}

#[test]
fn commands_and_documents_that_they_name_exist() {
    let [english, _] = both();
    for command in english.commands() {
        let words: Vec<&str> = command.split(' ').skip(1).chain(["--help"]).collect();
        assert!(run(&words).status.success(), "{command}");
    }
    for link in english.links().iter().filter(|link| !link.starts_with("http")) {
        assert!(repository(link).exists(), "{link}");
    }
}

#[test]
fn options_for_clients_exist() {
    let page = fs::read_to_string(repository("docs/clients.md")).expect("the page of clients");
    let rows = page.lines().filter(|line| line.starts_with("| `") && line.ends_with(" |"));
    let names: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
    assert!(names.len() >= 8, "{names:?}");
    for name in names {
        assert!(OptionRow::find(name).is_some(), "there is no option {name}");
    }
}
