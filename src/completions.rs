//! `cannonade completions`: scripts that let a shell complete commands and flags.

use std::io::Write as _;

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use super::Failure;
use super::output::Output;

#[derive(Args)]
#[command(after_help = "\
Examples:
  cannonade completions bash > ~/.local/share/bash-completion/completions/cannonade
  cannonade completions zsh > ~/.zfunc/_cannonade    # with ~/.zfunc in fpath
  cannonade completions fish > ~/.config/fish/completions/cannonade.fish
  cannonade completions powershell >> profile.ps1")]
pub(super) struct Arguments {
    /// The shell
    shell: Shell,
}

/// Prints the script for the commands of `cannonade`.
pub(super) fn run(arguments: &Arguments, mut cannonade: Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut cannonade, "cannonade", &mut script);
    let mut output = Output::new();
    output.write_all(&script)?;
    output.finish()
}
