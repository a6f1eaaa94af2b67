//! `cannonade man`: manual pages, one for each command.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Command};
use clap_mangen::Man;

use super::Failure;
use super::output::{Output, write_file};

#[derive(Args)]
#[command(after_help = "\
Examples:
  cannonade man ~/.local/share/man/man1
  cannonade man pages")]
pub(super) struct Arguments {
    /// The folder for the pages; it is created
    dir: PathBuf,
}

/// Writes the pages of all commands of `cannonade`.
pub(super) fn run(arguments: &Arguments, cannonade: Command) -> Result<(), Failure> {
    let dir = &arguments.dir;
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    let mut cannonade = cannonade.disable_help_subcommand(true);
    cannonade.build();
    let count = write_pages(&cannonade, dir)?;
    let mut output = Output::new();
    let first = dir.join("cannonade.1");
    output
        .line(format_args!("{count} pages written; read the first with: man {}", first.display()));
    output.finish()
}

/// Writes the page of a command and those of its subcommands; returns their number.
fn write_pages(command: &Command, dir: &Path) -> Result<usize, Failure> {
    let mut count = 1;
    for subcommand in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        count += write_pages(subcommand, dir)?;
    }
    let man = Man::new(command.clone());
    let man = man.source(concat!("cannonade ", env!("CARGO_PKG_VERSION")));
    let path = dir.join(man.get_filename());
    let page = page(&man, command).context("a manual page")?;
    write_file(&path, &page)?;
    Ok(count)
}

/// Returns the text of a page. The examples keep their lines, which `Man::render` would join.
fn page(man: &Man, command: &Command) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if command.get_arguments().any(|argument| !argument.is_hide_set()) {
        man.render_options_section(&mut page)?;
    }
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (notes, examples) = help.split_once("Examples:\n").unwrap_or((&help, ""));
    for (title, text) in [("NOTES", notes), ("EXAMPLES", examples)] {
        if !text.trim().is_empty() {
            writeln!(page, ".SH {title}\n.nf")?;
            for line in text.trim_matches('\n').lines() {
                writeln!(page, "{}", escaped(line))?;
            }
            writeln!(page, ".fi")?;
        }
    }
    man.render_version_section(&mut page)?;
    Ok(page)
}

/// Escapes a line so that the formatter prints it unchanged.
fn escaped(line: &str) -> String {
    let text = line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    // A dot at the beginning would be a request.
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}
