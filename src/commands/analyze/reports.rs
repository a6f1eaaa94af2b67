//! Writes what was found of games: tables, annotated PGN or JSON lines, and a page.

use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use super::super::output::check_outputs;
use super::super::{Failure, Output};
use super::arguments::Arguments;
use crate::analysis::{
    Assessment, GameAnalysis, ReportGame, ReportOptions, annotate, json_lines, report_page,
    write_report,
};
use crate::records::{Game, write_pgn};
use crate::rules::Regulations;

/// Whether there is more to write than a page, which goes to standard output without a file.
fn writes_text(arguments: &Arguments) -> bool {
    let asked_for = arguments.json || arguments.pgn || arguments.output.is_some();
    asked_for || arguments.html.is_none()
}

/// Refuses two outputs that would be mixed, outputs that are inputs, and files that cannot be written,
/// before the work begins.
///
/// # Errors
/// If both the page and something else go to standard output, or as [`check_outputs`].
pub(super) fn check(arguments: &Arguments) -> Result<(), Failure> {
    let is_stdout = arguments.html.as_deref() == Some(Path::new("-"));
    if is_stdout && writes_text(arguments) && arguments.output.is_none() {
        let message = "--html - and --json or --pgn would both go to standard output; add --output";
        return Err(Failure::Input(anyhow!(message)));
    }
    let outputs: Vec<_> =
        arguments.output.iter().chain(&arguments.html).map(PathBuf::as_path).collect();
    check_outputs(&arguments.files, &outputs)
}

/// Writes the games of which at least one position was analysed.
///
/// # Errors
/// If a file cannot be written.
pub(super) fn write(
    arguments: &Arguments,
    games: &[Game],
    analyses: &[GameAnalysis],
    selected: Range<usize>,
) -> Result<(), Failure> {
    let regulations = Regulations::default();
    let is_known = |analysis: &GameAnalysis| analysis.positions.iter().any(Option::is_some);
    let known: Vec<_> = selected
        .filter_map(|index| Some((index + 1, games.get(index)?, analyses.get(index)?)))
        .filter(|(_, _, analysis)| is_known(analysis))
        .map(|(number, game, analysis)| {
            (number, game, analysis, Assessment::new(game, analysis, regulations))
        })
        .collect();
    let mut output = Output::new();
    if writes_text(arguments) {
        let mut text = String::new();
        for (number, game, analysis, assessment) in &known {
            let notation = arguments.notation;
            if arguments.json {
                text += &json_lines(game, *number, analysis, assessment, notation);
            } else if arguments.pgn {
                text += &write_pgn(&annotate(game, assessment, notation), notation);
            } else {
                if !text.is_empty() {
                    text.push('\n');
                }
                text += &write_report(game, analysis, assessment, notation);
            }
        }
        match &arguments.output {
            Some(path) => output.file(path, text.as_bytes())?,
            None => output.write_all(text.as_bytes())?,
        }
    }
    if let Some(path) = &arguments.html {
        let games: Vec<_> = known
            .iter()
            .map(|(_, game, analysis, assessment)| ReportGame {
                game,
                analysis: Some((analysis, assessment)),
            })
            .collect();
        let options = ReportOptions {
            language: arguments.language,
            notation: arguments.notation,
            rules: regulations.rules,
            opens_at_repetition: false,
        };
        output.file(path, report_page(&games, &options).as_bytes())?;
    }
    output.finish()
}
