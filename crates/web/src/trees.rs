//! A game as JSON: its start, its moves with their variations, and what was written and found there.

use cannonade_analysis::red_points;
use cannonade_engine::search::Score;
use serde::{Deserialize, Serialize};
use xiangqi::board::{Move, Position, START_FEN};
use xiangqi::notation::{Notation, write};
use xiangqi::records::{Cursor, Game, NodeId, assessment_signs};
use xiangqi::rules::GameResult;

use super::request_error::RequestError;

/// The maximum number of moves of a game with its variations. More would be beyond any game, and
/// slow in a page.
pub(super) const MAX_MOVES: usize = 5000;

/// The moves of a line that are sent and kept.
const LINE_MOVES: usize = 24;

/// The maximum value of a score that is read.
const MAX_SCORE: i32 = 100_000;

/// A game. The moves stand in an order in which parents come before their children and the
/// continuation before the variations in its place; the number of a move is its place from 1, and 0
/// is the start.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Tree {
    /// FEN.
    pub(super) start: String,
    /// Names and values, as in PGN.
    pub(super) tags: Vec<(String, String)>,
    /// As PGN writes it.
    pub(super) result: String,
    /// The comment on the start.
    pub(super) comment: String,
    /// The value of the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) score: Option<FoundScore>,
    pub(super) moves: Vec<TreeMove>,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree {
            start: START_FEN.to_owned(),
            tags: Vec::new(),
            result: GameResult::Unknown.text().to_owned(),
            comment: String::new(),
            score: None,
            moves: Vec::new(),
        }
    }
}

/// A move of a game. What is empty is left out.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TreeMove {
    pub(super) parent: usize,
    #[serde(rename = "move")]
    pub(super) mv: Move,
    /// In the notation that was asked for; it is written and never read.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) text: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) comment: String,
    /// Numeric annotation glyphs of PGN.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) glyphs: Vec<u8>,
    /// The signs of the glyphs for the position, such as `±`; written and never read.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) assessment: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) score: Option<FoundScore>,
    /// True if the engine has played it from an opening book.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) book: bool,
}

/// A value from Red's view, with the best line.
#[derive(Clone, PartialEq, Debug, Deserialize, Serialize)]
pub(super) struct FoundScore {
    #[serde(flatten)]
    score: Score,
    /// Red's expected points in permille, to halves.
    #[serde(default)]
    red: f64,
    pub(super) depth: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) line: Vec<Move>,
}

impl FoundScore {
    /// Describes a value for the side to move in this position.
    pub(super) fn new(score: Score, depth: u32, line: &[Move], position: &Position) -> FoundScore {
        FoundScore {
            score: score.for_red(position.side()),
            red: (2000.0 * red_points(score, position)).round() / 2.0,
            depth,
            line: line.iter().copied().take(LINE_MOVES).collect(),
        }
    }

    /// Returns the value for the side to move in this position.
    pub(super) fn of_mover(&self, position: &Position) -> Score {
        // Turned twice, a score is what it was. A file may hold any number.
        let bounded = |value: i32| value.clamp(-MAX_SCORE, MAX_SCORE);
        let score = match self.score {
            Score::Cp(cp) => Score::Cp(bounded(cp)),
            Score::Mate(moves) => Score::Mate(bounded(moves)),
            Score::Rule(plies) => Score::Rule(bounded(plies)),
        };
        score.for_red(position.side())
    }
}

impl Tree {
    /// Reads the game; the nodes stand by the numbers of their moves.
    ///
    /// # Errors
    /// If there are too many moves, or one of them is not legal where it stands.
    pub(super) fn game(&self) -> Result<(Game, Vec<NodeId>), RequestError> {
        if self.moves.len() > MAX_MOVES {
            return Err(RequestError::TooManyMoves(self.moves.len()));
        }
        let start = Position::from_fen(&self.start).map_err(RequestError::Fen)?;
        let mut game = Game::new(start);
        game.set_tags(self.tags.iter().cloned());
        game.result = self.result.parse().unwrap_or_default();
        game.set_comment(NodeId::ROOT, &self.comment);
        let mut ids = vec![NodeId::ROOT];
        let mut cursor = Cursor::new(&game);
        for one in &self.moves {
            let parent = *ids.get(one.parent).ok_or(RequestError::NoParent(one.parent))?;
            cursor.go_to(&game, parent).check_move(one.mv)?;
            let id = game.add_unchecked(parent, one.mv);
            game.set_comment(id, &one.comment);
            game.set_glyphs(id, one.glyphs.clone());
            ids.push(id);
        }
        Ok((game, ids))
    }

    /// Writes a game with its moves in this notation.
    pub(super) fn of(game: &Game, notation: Notation) -> Tree {
        let mut cursor = Cursor::new(game);
        let nodes: Vec<NodeId> = game.nodes().collect();
        let most = nodes.iter().map(|node| node.index()).max().unwrap_or(0);
        let mut numbers = vec![0; most + 1];
        let mut moves = Vec::with_capacity(game.len());
        for node in nodes {
            let Some(mv) = game.mv(node) else { continue };
            let parent = game.parent(node);
            moves.push(TreeMove {
                parent: numbers.get(parent.index()).copied().unwrap_or(0),
                mv,
                text: write(cursor.go_to(game, parent), mv, notation),
                comment: game.comment(node).to_owned(),
                glyphs: game.glyphs(node).to_vec(),
                assessment: assessment_signs(game.glyphs(node)),
                score: None,
                book: false,
            });
            if let Some(number) = numbers.get_mut(node.index()) {
                *number = moves.len();
            }
        }
        Tree {
            start: game.start().fen(),
            tags: game.tags().to_vec(),
            result: game.result.text().to_owned(),
            comment: game.comment(NodeId::ROOT).to_owned(),
            score: None,
            moves,
        }
    }

    /// Returns the value of a position by the number of its move.
    pub(super) fn score_of(&self, number: usize) -> Option<&FoundScore> {
        match number.checked_sub(1) {
            None => self.score.as_ref(),
            Some(index) => self.moves.get(index)?.score.as_ref(),
        }
    }
}
