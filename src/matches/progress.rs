//! The progress of a match on standard output.

use std::io::{self, IsTerminal};

use cannonade_match::{FinishedGame, MatchReport};
use indicatif::{ProgressBar, ProgressStyle};

use super::super::output::Output;

/// Shows the games and the score as a progress bar on a terminal, as lines elsewhere.
pub(super) struct ProgressDisplay {
    bar: Option<ProgressBar>,
}

impl ProgressDisplay {
    pub(super) fn new(total: u32) -> ProgressDisplay {
        let bar = (io::stderr().is_terminal() && io::stdout().is_terminal()).then(|| {
            let bar = ProgressBar::new(total.into());
            // The rest of the line, cut at its end: a wrapped bar would be drawn again and again.
            let style = ProgressStyle::with_template("{bar:20} {pos}/{len} [{eta}] {wide_msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        ProgressDisplay { bar }
    }

    /// Shows a finished game, with the full report if it is `due`.
    pub(super) fn show(&self, out: &mut Output, game: &FinishedGame<'_>, due: bool) {
        let FinishedGame { record, round, report } = *game;
        let [red, black] = &record.names;
        let game = format!("Finished game {round} ({red} vs {black}): {}", record.ending_text());
        let Some(bar) = &self.bar else {
            out.line(format_args!("{game}\n{}", running_score(report)));
            if due {
                out.line(report.to_string().trim_end());
            }
            return;
        };
        bar.set_position(report.games.into());
        bar.set_message(running_score(report));
        if record.ending.reason.is_fault() {
            bar.println(game);
        }
        if due {
            bar.println(report.to_string());
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
    let [line] = report.pairings.as_slice() else {
        return format!("{} of {} games", report.games, report.planned);
    };
    let score = line.score;
    let ratio = score.ratio().unwrap_or(0.5);
    let mut text = format!(
        "Score of {} vs {}: {} - {} - {} [{ratio:.3}] {}",
        line.first, line.second, score.wins, score.losses, score.draws, report.games
    );
    if let Some(elo) = line.elo_text() {
        text.push_str(&format!(", Elo {elo}"));
    }
    if let Some(sprt) = &report.sprt {
        text.push_str(&format!(", LLR {:.2}", sprt.report.llr));
    }
    text
}
