//! Sentences about the end of a game, repetitions and scores.

use cannonade_engine::search::Score;
use cannonade_game::{EndReason, GameEnd, PlayedGame, Repetition};
use xiangqi::geometry::Color;
use xiangqi::notation::Notation;
use xiangqi::rules::explanation::explain;
use xiangqi::rules::{EndByRules, Level, Outcome};

use super::Words;

impl Words {
    /// Describes the end of the game, with the judge's reasons if a repetition ended it.
    pub(in crate::play) fn end(
        self,
        game: &PlayedGame,
        end: GameEnd,
        notation: Notation,
    ) -> Vec<String> {
        let (winner, loser) = match end.winner {
            Some(winner) => (self.side(winner), self.side(!winner)),
            None => ("", ""),
        };
        match end.reason {
            EndReason::Resignation => vec![self.choose(
                format!("{winner} wins: {loser} resigns."),
                format!("{winner}胜：{loser}认输。"),
            )],
            EndReason::Time => vec![self.choose(
                format!("{winner} wins: {loser} has no time left."),
                format!("{winner}胜：{loser}超时。"),
            )],
            EndReason::Agreement => {
                vec![self.choose("Draw: both sides agree.", "和棋：双方同意。").to_owned()]
            }
            EndReason::Rules(reason) => {
                let mut lines = vec![self.outcome(game, Outcome { winner: end.winner, reason })];
                if matches!(reason, EndByRules::Repetition { .. }) {
                    lines.extend(self.reasons(game, notation));
                }
                lines
            }
        }
    }

    /// Explains the judge's ruling on the last repetition.
    fn reasons(self, game: &PlayedGame, notation: Notation) -> Vec<String> {
        let Some(found) = explain(game.position(), game.regulations().rules) else {
            return Vec::new();
        };
        let language = self.0;
        let [why, rule] = self.choose(["  Why:  ", "  Rule: "], ["  理由：", "  条款："]);
        let mut lines = vec![format!("{why}{}", language.conduct(&found, notation))];
        let rules = found.reasons.iter().map(|reason| language.reason(reason, found.rules));
        lines.extend(rules.map(|text| format!("{rule}{text}")));
        lines
    }

    fn outcome(self, game: &PlayedGame, outcome: Outcome) -> String {
        let loser = outcome.winner.map(|winner| self.side(!winner)).unwrap_or_default();
        let times = game.regulations().occurrences;
        let reason = match outcome.reason {
            EndByRules::Checkmate => {
                self.choose(format!("{loser} is checkmated."), format!("{loser}被将死。"))
            }
            EndByRules::Stalemate => self.choose(
                format!("{loser} has no legal move, which loses."),
                format!("{loser}无着可走（困毙），判负。"),
            ),
            EndByRules::Repetition { loser: Some(loser), red, black, .. } => {
                let level = self.0.level(if loser == Color::Red { red } else { black });
                let loser = self.side(loser);
                self.choose(
                    format!(
                        "the position has occurred {times} times, and {loser} is to blame ({level})."
                    ),
                    format!("局面已出现 {times} 次，责任在{loser}（{level}）。"),
                )
            }
            EndByRules::Repetition { loser: None, red, black, .. } => {
                let levels = self.levels(red, black);
                self.choose(
                    format!("the position has occurred {times} times{levels}."),
                    format!("局面已出现 {times} 次{levels}。"),
                )
            }
            EndByRules::NaturalLimit => {
                let moves = game.regulations().natural_limit / 2;
                self.choose(
                    format!("{moves} moves of each side without a capture."),
                    format!("双方各走 {moves} 着而没有吃子。"),
                )
            }
            EndByRules::DeadMaterial => self
                .choose("neither side has a piece left that can win.", "双方都没有能取胜的子力。")
                .to_owned(),
            other => self.choose(format!("{other}."), format!("{other}。")),
        };
        match outcome.winner.map(|winner| self.side(winner)) {
            Some(winner) => {
                self.choose(format!("{winner} wins: {reason}"), format!("{winner}胜：{reason}"))
            }
            None => self.choose(format!("Draw: {reason}"), format!("和棋：{reason}")),
        }
    }

    /// Describes both sides' conduct, if notable.
    fn levels(self, red: Level, black: Level) -> String {
        if (red, black) == (Level::Idle, Level::Idle) {
            return self.choose(" and neither side offends", "，双方都没有犯规").to_owned();
        }
        let (red, black) = (self.0.level(red), self.0.level(black));
        self.choose(
            format!(" (Red: {red}, Black: {black})"),
            format!("（红方：{red}，黑方：{black}）"),
        )
    }

    /// Warns when the position has occurred before: the effect of its next occurrence.
    pub(in crate::play) fn repetition(self, game: &PlayedGame, repetition: Repetition) -> String {
        let Repetition { times, ruling } = repetition;
        let last = game.regulations().occurrences;
        let when = if times + 1 >= last {
            self.choose("the next time".to_owned(), "下一次".to_owned())
        } else {
            self.choose(format!("at {last} times"), format!("满 {last} 次时"))
        };
        if let Some(loser) = ruling.loser {
            let (side, level) = (self.side(loser), self.0.level(ruling.level(loser)));
            self.choose(
                format!(
                    "This position has occurred {times} times. {side} gives {level}: if it goes on \
                     so, {side} loses {when}."
                ),
                format!("此局面已出现 {times} 次，{side}{level}：如此下去，{when}判{side}负。"),
            )
        } else {
            let levels = self.levels(ruling.red, ruling.black);
            self.choose(
                format!(
                    "This position has occurred {times} times: {when}, the game is a draw{levels}."
                ),
                format!("此局面已出现 {times} 次：{when}判和{levels}。"),
            )
        }
    }

    /// Warns before a move that loses at once by the rules; `None` if it does not.
    pub(in crate::play) fn loss_by(
        self,
        game: &PlayedGame,
        outcome: Outcome,
        text: &str,
    ) -> Option<String> {
        let mover = game.position().side();
        let EndByRules::Repetition { loser: Some(loser), red, black, .. } = outcome.reason else {
            return None;
        };
        let level = self.0.level(if loser == Color::Red { red } else { black });
        let side = self.side(mover);
        (loser == mover).then(|| {
            self.choose(
                format!(
                    "{text} repeats the position once more: {side} gives {level} and loses by it. \
                     Type it again to play it, or choose another move."
                ),
                format!(
                    "{text} 使局面再次重复：{side}{level}，判负。要走请再输入一次，或另选一着。"
                ),
            )
        })
    }

    /// Describes which side is better; `side` is the side to move, from whose view the score is.
    pub(in crate::play) fn score(self, score: Score, side: Color) -> String {
        let (ahead, behind) = (self.side(side), self.side(!side));
        let mates = |side, moves| {
            self.choose(
                format!("{side} mates in {moves}."),
                format!("{side} {moves} 步内将死对方。"),
            )
        };
        let wins_by_rule = |winner, loser| {
            self.choose(
                format!("{winner} wins by a forbidden repetition of {loser}."),
                format!("{winner}因{loser}违例重复而胜。"),
            )
        };
        match score {
            Score::Cp(centipawns) => self.balance(centipawns, ahead, behind),
            Score::Mate(0) => self.choose(
                format!("{ahead} has no legal move and has lost."),
                format!("{ahead}无着可走，已负。"),
            ),
            Score::Mate(moves) if moves > 0 => mates(ahead, moves),
            Score::Mate(moves) => mates(behind, -moves),
            Score::Rule(plies) if plies > 0 => wins_by_rule(ahead, behind),
            Score::Rule(_) => wins_by_rule(behind, ahead),
        }
    }

    fn balance(self, centipawns: i32, ahead: &str, behind: &str) -> String {
        let better = if centipawns >= 0 { ahead } else { behind };
        let pawns = f64::from(centipawns.abs()) / 100.0;
        let [is_how, how] = match centipawns.abs() {
            0..=30 => return self.choose("The position is even.", "局面均势。").to_owned(),
            31..=100 => ["is a little better", "稍优"],
            101..=300 => ["is better", "占优"],
            _ => ["is winning", "胜势"],
        };
        self.choose(
            format!("{better} {is_how} (by {pawns:.2} pawns)."),
            format!("{better}{how}（{pawns:.2} 个兵）。"),
        )
    }
}

#[cfg(test)]
mod tests {
    use xiangqi::rules::explanation::Language;

    use super::*;

    #[test]
    fn scores_are_sentences_about_the_side_that_is_better() {
        for (score, side, english, chinese) in [
            (Score::Cp(10), Color::Red, "The position is even.", "局面均势。"),
            (
                Score::Cp(-55),
                Color::Red,
                "Black is a little better (by 0.55 pawns).",
                "黑方稍优（0.55 个兵）。",
            ),
            (
                Score::Cp(250),
                Color::Black,
                "Black is better (by 2.50 pawns).",
                "黑方占优（2.50 个兵）。",
            ),
            (Score::Mate(-3), Color::Black, "Red mates in 3.", "红方 3 步内将死对方。"),
            (
                Score::Mate(0),
                Color::Red,
                "Red has no legal move and has lost.",
                "红方无着可走，已负。",
            ),
            (
                Score::Rule(-4),
                Color::Red,
                "Black wins by a forbidden repetition of Red.",
                "黑方因红方违例重复而胜。",
            ),
        ] {
            assert_eq!(Words(Language::English).score(score, side), english);
            assert_eq!(Words(Language::Chinese).score(score, side), chinese);
        }
    }
}
