//! Events of a game besides its moves: repetitions, rulings and endings.

use cannonade_game::PlayedGame;
use xiangqi::geometry::Color;
use xiangqi::rules::explanation::Language;
use xiangqi::rules::{EndByRules, Outcome, occurrences};

use super::TableResult;
use super::ending::Ending;

/// An event of a game, such as a repetition, a ruling, or the beginning of a named ending.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameEvent {
    /// Half-moves played until then.
    pub ply: usize,
    /// The kind of event.
    pub kind: EventKind,
}

/// A kind of event in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventKind {
    /// The first move out of the opening book.
    OutOfBook,
    /// A position has occurred before, for the first time in the game.
    Repetition,
    /// The game is over by the rules.
    Over(Outcome),
    /// An ending with few attackers begins.
    Ending {
        /// The men of both sides.
        ending: Ending,
        /// The result in the endgame tables, if they hold the position.
        table: Option<TableResult>,
        /// The side to move, for which the result stands.
        side: Color,
    },
}

impl EventKind {
    /// Returns the name for programs.
    pub const fn name(self) -> &'static str {
        match self {
            EventKind::OutOfBook => "book",
            EventKind::Repetition => "repetition",
            EventKind::Over(_) => "over",
            EventKind::Ending { .. } => "ending",
        }
    }

    /// Returns the event without the result of the endgame tables.
    pub(super) const fn without_table(self) -> EventKind {
        match self {
            EventKind::Ending { ending, side, .. } => {
                EventKind::Ending { ending, table: None, side }
            }
            other => other,
        }
    }

    /// Describes the event as a sentence without its end.
    pub fn text(self, language: Language) -> String {
        match (self, language) {
            (EventKind::OutOfBook, Language::Chinese) => "脱谱".to_owned(),
            (EventKind::OutOfBook, _) => "out of the opening book".to_owned(),
            (EventKind::Repetition, Language::Chinese) => "局面重复".to_owned(),
            (EventKind::Repetition, _) => "the position has occurred before".to_owned(),
            (EventKind::Over(outcome), Language::Chinese) => {
                let winner = match outcome.winner {
                    Some(Color::Red) => "红胜",
                    Some(Color::Black) => "黑胜",
                    None => "和棋",
                };
                format!("按规则终局：{winner}，{}", chinese_reason(outcome.reason))
            }
            (EventKind::Over(outcome), _) => format!("by the rules the game is over: {outcome}"),
            (EventKind::Ending { ending, table, side }, Language::Chinese) => {
                let table = table.map(|table| table.describe(side, language));
                let table = table.map(|text| format!("，残局库：{text}"));
                format!("残局：{}{}", ending.text(language), table.unwrap_or_default())
            }
            (EventKind::Ending { ending, table, side }, _) => {
                let table = table.map(|table| table.describe(side, language));
                let table = table.map(|text| format!("; by the tables {text}"));
                format!("ending: {}{}", ending.text(language), table.unwrap_or_default())
            }
        }
    }
}

fn chinese_reason(reason: EndByRules) -> String {
    let level = |level| Language::Chinese.level(level);
    match reason {
        EndByRules::Checkmate => "将死".to_owned(),
        EndByRules::Stalemate => "困毙".to_owned(),
        EndByRules::Repetition { red, black, .. } => {
            format!("循环（红方{}，黑方{}）", level(red), level(black))
        }
        EndByRules::NaturalLimit => "自然限着".to_owned(),
        EndByRules::DeadMaterial => "双方均无取胜兵力".to_owned(),
        other => other.to_string(),
    }
}

/// Finds the events of a game, position after position from its start.
#[derive(Default)]
pub(super) struct EventFinder {
    ending: Option<Ending>,
    is_repeated: bool,
    is_over: bool,
}

impl EventFinder {
    /// Returns whether the game is over by the rules.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the events at the shown place, the one after that of the call before; `table` is its
    /// result in the endgame tables.
    pub(super) fn next(&mut self, game: &PlayedGame, table: Option<TableResult>) -> Vec<GameEvent> {
        let position = game.position();
        let mut kinds = Vec::new();
        let ending = Ending::of(position.board());
        if ending != self.ending {
            let side = position.side();
            kinds.extend(ending.map(|ending| EventKind::Ending { ending, table, side }));
            self.ending = ending;
        }
        if !self.is_repeated && occurrences(position).next().is_some() {
            self.is_repeated = true;
            kinds.push(EventKind::Repetition);
        }
        if !self.is_over
            && let Some(outcome) = game.outcome()
        {
            self.is_over = true;
            kinds.push(EventKind::Over(outcome));
        }
        kinds.into_iter().map(|kind| GameEvent { ply: position.ply(), kind }).collect()
    }
}

#[cfg(test)]
mod tests {
    use xiangqi::board::Position;
    use xiangqi::rules::Regulations;

    use super::*;

    #[test]
    fn an_event_has_a_text_in_both_languages() {
        let board = Position::from_fen("3k1a3/4a4/9/9/9/9/9/9/4n4/R3K4 w").expect("a position");
        let ending = Ending::of(board.board()).expect("an ending");
        let mut checks = Position::from_fen("3k5/9/9/9/9/9/9/9/4A4/R3K4 w").expect("a position");
        let turn = ["a9a8", "d8d9", "a8a9", "d9d8"];
        for mv in ["a0a9", "d9d8"].into_iter().chain(turn).chain(turn) {
            checks.play(mv.parse().expect("a move")).expect("a legal move");
        }
        let over = Regulations::default().outcome(&checks).expect("an end");
        for (kind, english, chinese) in [
            (EventKind::OutOfBook, "out of the opening book", "脱谱"),
            (EventKind::Repetition, "the position has occurred before", "局面重复"),
            (
                EventKind::Over(over),
                "by the rules the game is over: black wins: repetition (red: perpetual check, \
                 black: allowed moves)",
                "按规则终局：黑胜，循环（红方长将，黑方允许着法）",
            ),
            (
                EventKind::Ending { ending, table: None, side: Color::Red },
                "ending: red rook against black knight and 2 advisors",
                "残局：红方车对黑方马双士",
            ),
        ] {
            assert_eq!(kind.text(Language::English), english);
            assert_eq!(kind.text(Language::Chinese), chinese);
        }
    }
}
