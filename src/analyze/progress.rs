//! Progress of an analysis of games, shown when it is interrupted.

use cannonade_analysis::GameAnalysis;

/// Counts of analysed games.
pub(super) struct AnalysisProgress {
    games: usize,
    complete: usize,
    /// Games analysed in part.
    begun: usize,
}

impl AnalysisProgress {
    /// Counts the games that can be analysed.
    pub(super) fn of(analyses: &[GameAnalysis]) -> AnalysisProgress {
        let analyses = || analyses.iter().filter(|analysis| !analysis.positions.is_empty());
        let complete = analyses().filter(|analysis| analysis.is_complete()).count();
        let begun = analyses().filter(|analysis| analysis.is_begun()).count() - complete;
        AnalysisProgress { games: analyses().count(), complete, begun }
    }

    /// Returns whether all games are analysed.
    pub(super) fn is_complete(&self) -> bool {
        self.complete == self.games
    }

    /// Returns whether no position is analysed.
    pub(super) fn is_nothing(&self) -> bool {
        self.complete + self.begun == 0
    }

    /// Describes an analysis that was stopped. `keeps_all`: the output has the other games too;
    /// `can_resume`: the results are kept for `--resume`.
    pub(super) fn text(&self, keeps_all: bool, can_resume: bool) -> String {
        let AnalysisProgress { games, complete, begun } = self;
        let mut text = format!("stopped: games analysed completely: {complete} of {games}");
        if *begun > 0 {
            text += &format!(", in part: {begun}");
        }
        let others = games - complete - begun;
        if others > 0 {
            let place = if keeps_all { "written as they were" } else { "left out" };
            text += &format!(", not at all: {others} ({place})");
        }
        if can_resume {
            text += "; the same command with --resume continues";
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_counts_the_games_and_names_the_way_on() {
        let progress = AnalysisProgress { games: 15, complete: 2, begun: 1 };
        assert_eq!(
            progress.text(true, true),
            "stopped: games analysed completely: 2 of 15, in part: 1, not at all: 12 (written as \
             they were); the same command with --resume continues"
        );
        let progress = AnalysisProgress { games: 3, complete: 2, begun: 1 };
        assert_eq!(
            progress.text(false, false),
            "stopped: games analysed completely: 2 of 3, in part: 1"
        );
    }
}
