//! The games that earlier versions have kept, as JSON with the record as PGN. The page reads each
//! of them once and keeps it in its own form from then on.

use std::time::Duration;

use cannonade_engine::search::Score;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use xiangqi::board::Move;
use xiangqi::geometry::Color;
use xiangqi::notation::Notation;
use xiangqi::records::{self, Cursor, NodeId};

use super::request_error::RequestError;
use super::trees::{FoundScore, MAX_MOVES, Tree};

/// The maximum time on a clock or for a search that is taken from a file.
const MAX_TIME: Duration = Duration::from_secs(24 * 3600);

#[derive(Deserialize)]
struct OldFile {
    game: OldGame,
}

/// Places are numbers of nodes as [`Tree`] counts them.
#[derive(Deserialize)]
struct OldGame {
    record: String,
    comments: Vec<OldComment>,
    place: usize,
    bottom: Color,
    scores: Vec<OldScore>,
    from_book: Vec<usize>,
    contest_moves: Vec<usize>,
    contest: Option<OldContest>,
    forfeit: Option<OldForfeit>,
    sweep: Option<OldSweep>,
}

#[derive(Deserialize)]
struct OldComment {
    place: usize,
    text: String,
}

#[derive(Deserialize)]
struct OldScore {
    place: usize,
    score: Score,
    depth: u32,
    line: Vec<Move>,
}

#[derive(Deserialize)]
enum OldPlayer {
    Human,
    Engine { elo: Option<u32> },
}

#[derive(Deserialize)]
enum OldPace {
    PerMove(Duration),
    Clock { time: Duration, increment: Duration },
}

#[derive(Deserialize)]
struct OldContest {
    players: [OldPlayer; 2],
    pace: OldPace,
    start: usize,
    has_built_in_book: bool,
    left: Option<[Duration; 2]>,
}

#[derive(Deserialize)]
struct OldForfeit {
    place: usize,
    loser: Color,
    reason: String,
}

#[derive(Deserialize)]
struct OldSweep {
    left: Vec<usize>,
    total: usize,
    time: Duration,
}

/// What tells a file of an earlier version from any other one.
#[derive(Deserialize)]
struct OldForm {
    #[serde(rename = "head")]
    _head: IgnoredAny,
    #[serde(rename = "game")]
    _game: IgnoredAny,
}

/// Returns whether the bytes have the form of a file of an earlier version.
pub(super) fn is_old_file(bytes: &[u8]) -> bool {
    bytes.starts_with(b"{") && serde_json::from_slice::<OldForm>(bytes).is_ok()
}

/// Reads a file of an earlier version as a game that the page keeps.
///
/// # Errors
/// If the file was damaged, or its game is too long.
pub(super) fn old_game(bytes: &[u8]) -> Result<Value, RequestError> {
    let OldFile { game: old } =
        serde_json::from_slice(bytes).map_err(|_| RequestError::BadKeptGame)?;
    let mut games = records::read(old.record.as_bytes()).games;
    if games.is_empty() {
        return Err(RequestError::BadKeptGame);
    }
    let mut game = games.swap_remove(0);
    if game.len() > MAX_MOVES {
        return Err(RequestError::TooManyMoves(game.len()));
    }
    let nodes: Vec<NodeId> = game.nodes().collect();
    let bounded = |place: usize| if place < nodes.len() { place } else { 0 };
    for OldComment { place, text } in &old.comments {
        game.set_comment(nodes.get(*place).copied().unwrap_or(NodeId::ROOT), text);
    }
    let mut tree = Tree::of(&game, Notation::default());
    let mut cursor = Cursor::new(&game);
    for OldScore { place, score, depth, line } in &old.scores {
        let Some(&node) = nodes.get(*place) else { continue };
        let found = FoundScore::new(*score, *depth, line, cursor.go_to(&game, node));
        match place.checked_sub(1) {
            None => tree.score = Some(found),
            Some(index) => {
                if let Some(one) = tree.moves.get_mut(index) {
                    one.score = Some(found);
                }
            }
        }
    }
    for place in &old.from_book {
        let index = place.checked_sub(1);
        if let Some(one) = index.and_then(|index| tree.moves.get_mut(index)) {
            one.book = true;
        }
    }
    let contest = old.contest.as_ref().map(|contest| {
        let player = |player: &OldPlayer| match player {
            OldPlayer::Human => json!({ "engine": false, "elo": null }),
            OldPlayer::Engine { elo } => json!({ "engine": true, "elo": elo }),
        };
        let [red, black] = &contest.players;
        let (per_move, clock) = match contest.pace {
            OldPace::PerMove(time) => (Some(milliseconds(time)), None),
            OldPace::Clock { time, increment } => {
                let (base, increment) = (milliseconds(time), milliseconds(increment));
                (None, Some(json!({ "base": base, "increment": increment })))
            }
        };
        json!({
            "red": player(red),
            "black": player(black),
            "perMove": per_move,
            "clock": clock,
            "start": bounded(contest.start),
            "book": contest.has_built_in_book.then_some(0),
            "left": contest.left.map(|left| left.map(milliseconds)),
        })
    });
    let forfeit = old.forfeit.as_ref().map(|forfeit| {
        let OldForfeit { place, loser, reason } = forfeit;
        json!({ "node": bounded(*place), "winner": (!*loser).name(), "reason": reason })
    });
    let sweep = old.sweep.as_ref().map(|sweep| {
        json!({ "left": sweep.left, "total": sweep.total, "time": milliseconds(sweep.time) })
    });
    Ok(json!({
        "tree": tree,
        "node": bounded(old.place),
        "bottom": old.bottom.name(),
        "contest": contest,
        "added": old.contest_moves,
        "forfeit": forfeit,
        "sweep": sweep,
    }))
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.min(MAX_TIME).as_millis()).unwrap_or(u64::MAX)
}
