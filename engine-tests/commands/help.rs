//! The help of every command.

use super::{all_commands, run};

/// The help of a command.
pub fn of(path: &[String]) -> String {
    let mut words: Vec<&str> = path.iter().map(String::as_str).collect();
    words.push("--help");
    let output = run(&words);
    assert!(output.status.success(), "{words:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_help_of_every_command_has_examples() {
    let commands = all_commands();
    assert!(commands.len() > 30, "{commands:?}");
    for path in commands {
        let help = of(&path);
        let examples = help.split_once("\nExamples:\n").map_or("", |(_, examples)| examples);
        assert!(examples.contains("cannonade"), "{path:?}: {help}");
    }
}
