//! Writes the results of games: tables, annotated PGN or JSON lines, and a page.

use std::ops::Range;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use cannonade_analysis::{
    Assessment, GameAnalysis, ReportGame, ReportOptions, SearchSettings, annotate, games_table,
    json_lines, report_page, write_report,
};
use xiangqi::records::{FileKind, Game, write_pgn};
use xiangqi::rules::Regulations;

use super::super::output::check_outputs;
use super::super::{Failure, Output};
use super::arguments::Arguments;
use super::file_games::FileGames;

/// Returns whether there is an output besides a page, which goes to standard output without a file.
fn writes_text(arguments: &Arguments) -> bool {
    let asked_for = arguments.json || arguments.pgn || arguments.output.is_some();
    asked_for || arguments.html.is_none()
}

/// Refuses two outputs that would be mixed, outputs that are inputs, PGN in a file with the ending
/// of another kind, and files that cannot be written, before the work begins.
///
/// # Errors
/// If both the page and something else go to standard output, if `--output` names another kind of
/// game file than PGN, or as [`check_outputs`].
pub(super) fn check(arguments: &Arguments) -> Result<(), Failure> {
    let is_stdout = arguments.html.as_deref() == Some(Path::new("-"));
    if is_stdout && writes_text(arguments) && arguments.output.is_none() {
        let message = "--html - and --json or --pgn would both go to standard output; add --output";
        return Err(Failure::Input(anyhow!(message)));
    }
    if arguments.pgn
        && let Some(path) = &arguments.output
        && !matches!(FileKind::of_path(path), Ok(None | Some(FileKind::Pgn)))
    {
        return Err(Failure::Input(anyhow!(
            "--pgn writes PGN, but {} is the name of another kind of file; give a name such as \
             annotated.pgn, which 'cannonade convert' turns into other kinds",
            path.display()
        )));
    }
    let outputs: Vec<_> =
        arguments.output.iter().chain(&arguments.html).map(PathBuf::as_path).collect();
    check_outputs(&arguments.files, &outputs)
}

struct AnalysedGame<'a> {
    /// In the files, from 1.
    number: usize,
    game: &'a Game,
    analysis: &'a GameAnalysis,
    /// `None` if no position was analysed.
    assessment: Option<Assessment>,
}

/// Writes the selected games. Those without an analysed position are left out, but PGN has them
/// unchanged.
///
/// # Errors
///
/// If a file cannot be written.
pub(super) fn write(
    arguments: &Arguments,
    files: &FileGames,
    analyses: &[GameAnalysis],
    selected: Range<usize>,
    settings: &SearchSettings,
) -> Result<(), Failure> {
    let regulations = Regulations::default();
    let analysed = |index: usize| {
        let (game, analysis) = (files.games.get(index)?, analyses.get(index)?);
        let assess = || Assessment::new(game, analysis, regulations);
        let assessment = analysis.is_begun().then(assess);
        Some(AnalysedGame { number: *files.numbers.get(index)?, game, analysis, assessment })
    };
    let analysed: Vec<AnalysedGame<'_>> = selected.filter_map(analysed).collect();
    let mut output = Output::new();
    if writes_text(arguments) {
        let mut texts: Vec<String> =
            analysed.iter().filter_map(|game| text(game, arguments)).collect();
        let is_table = !(arguments.json || arguments.pgn);
        if is_table && texts.len() > 1 {
            texts.push(games_table(
                analysed
                    .iter()
                    .filter_map(|game| Some((game.number, game.game, game.assessment.as_ref()?))),
            ));
        }
        let separator = if is_table { "\n" } else { "" };
        let path = arguments.output.as_deref().unwrap_or(Path::new("-"));
        output.file(path, texts.join(separator).as_bytes())?;
    }
    if let Some(path) = &arguments.html {
        let games =
            analysed.iter().filter_map(|AnalysedGame { game, analysis, assessment, .. }| {
                Some(ReportGame { game, analysis: Some((analysis, assessment.as_ref()?)) })
            });
        let games: Vec<_> = games.collect();
        let options = ReportOptions {
            language: arguments.language,
            notation: arguments.page_notation(),
            rules: regulations.rules,
            opens_at_repetition: false,
            limits: Some(settings.to_string()),
        };
        output.file(path, report_page(&games, &options).as_bytes())?;
    }
    output.finish()
}

/// Returns the text of a game; `None` for one that is left out.
fn text(game: &AnalysedGame<'_>, arguments: &Arguments) -> Option<String> {
    let AnalysedGame { number, game, analysis, assessment } = game;
    let notation = arguments.notation();
    Some(match assessment {
        None if arguments.pgn => write_pgn(game, notation),
        None => return None,
        Some(assessment) if arguments.json => {
            json_lines(game, *number, analysis, assessment, notation)
        }
        Some(assessment) if arguments.pgn => {
            write_pgn(&annotate(game, assessment, notation), notation)
        }
        Some(assessment) => write_report(game, analysis, assessment, notation),
    })
}
