//! Completion scripts and manual pages.

use std::fs;

use super::{all_commands, folder, run};

#[test]
fn every_shell_gets_a_script_with_all_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = run(&["completions", shell]);
        assert!(output.status.success(), "{shell}");
        let script = String::from_utf8(output.stdout).expect("UTF-8");
        for path in all_commands().iter().filter(|path| path.len() == 1) {
            assert!(script.contains(&path[0]), "{shell}: {path:?}");
        }
    }
}

#[test]
fn every_command_gets_a_manual_page_with_its_examples() {
    let folder = folder("pages");
    let output = run(&["man", folder.to_str().expect("a path in UTF-8")]);
    assert!(output.status.success());
    let commands = all_commands();
    for path in &commands {
        let name = [vec!["cannonade".to_owned()], path.clone()].concat().join("-");
        let page = fs::read_to_string(folder.join(format!("{name}.1")));
        let page = page.unwrap_or_else(|error| panic!("{name}: {error}"));
        let lines: Vec<&str> = page.lines().collect();
        let examples = lines.iter().position(|line| *line == ".SH EXAMPLES").expect("examples");
        assert_eq!(lines[examples + 1], ".nf", "lines are kept");
        assert!(lines[examples + 2].contains("cannonade"), "{name}: {}", lines[examples + 2]);
        assert!(!page.contains(".SH EXTRA"), "{name}");
        // The footer names the program, not its subcommand.
        let title = lines.iter().find(|line| line.starts_with(".TH ")).expect("a title");
        assert!(
            title.ends_with(concat!(" \"cannonade ", env!("CARGO_PKG_VERSION"), "\" ")),
            "{name}: {title}"
        );
    }
    assert_eq!(fs::read_dir(&folder).expect("the folder").count(), commands.len());
}
