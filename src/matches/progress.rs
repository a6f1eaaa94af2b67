//! The progress of a match on standard output.

use std::io::{self, IsTerminal};

use cannonade_match::{FinishedGame, MatchReport};
use indicatif::{ProgressBar, ProgressStyle};

use super::super::output::Output;
use super::arguments::OutputForm;

/// Shows the games and the score as a progress bar on a terminal, as lines elsewhere.
pub(super) struct ProgressDisplay {
    bar: Option<ProgressBar>,
    form: OutputForm,
}

/// The line around a report, by which programs that read fastchess' output find it.
const RULE: &str = "--------------------------------------------------";

impl ProgressDisplay {
    pub(super) fn new(total: u32, form: OutputForm) -> ProgressDisplay {
        let bar = (io::stderr().is_terminal() && io::stdout().is_terminal()).then(|| {
            let bar = ProgressBar::new(total.into());
            // The rest of the line, cut at its end: a wrapped bar would be drawn again and again.
            let style = ProgressStyle::with_template("{bar:20} {pos}/{len} [{eta}] {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        ProgressDisplay { bar, form }
    }

    /// Shows a finished game, with the full report if it is `due`.
    pub(super) fn show(&self, out: &mut Output, game: &FinishedGame<'_>, due: bool) {
        let FinishedGame { record, report, .. } = *game;
        let [red, black] = &record.names;
        let (number, ending) = (record.number + 1, record.ending_text());
        let game = format!("Finished game {number} ({red} vs {black}): {ending}");
        let Some(bar) = &self.bar else {
            out.line(format_args!("{game}\n{}", running_score(report)));
            if due {
                out.line(self.report(report).trim_end());
            }
            return;
        };
        bar.set_position(report.games.into());
        bar.set_message(running_score(report) + &estimate(report));
        if record.ending.reason.is_fault() {
            bar.println(game);
        }
        if due {
            bar.println(self.report(report).trim_end());
        }
    }

    /// Returns the full report in its form.
    pub(super) fn report(&self, report: &MatchReport) -> String {
        match self.form {
            OutputForm::Fastchess => format!("{RULE}\n{report}{RULE}\n"),
            OutputForm::Cutechess => report.cutechess_text(),
        }
    }

    /// Removes the bar.
    pub(super) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn running_score(report: &MatchReport) -> String {
    match report.pairings.as_slice() {
        [line] => line.score_text(),
        _ => format!("{} of {} games", report.games, report.planned),
    }
}

/// Returns what a match of two engines has shown so far, to follow the score.
fn estimate(report: &MatchReport) -> String {
    let elo = match report.pairings.as_slice() {
        [line] => line.elo_text().map(|elo| format!(", Elo {elo}")),
        _ => None,
    };
    let llr = report.sprt.as_ref().map(|sprt| format!(", LLR {:.2}", sprt.report.llr));
    elo.unwrap_or_default() + &llr.unwrap_or_default()
}
