//! A session as JSON for the page.

use cannonade_analysis::{MoveClass, expected_score, points_lost, red_points};
use cannonade_engine::search::{PvInfo, Score};
use cannonade_game::{ChangeKind, EndReason, GameClock};
use serde::Serialize;
use web_time::Instant;
use xiangqi::board::{Move, Position};
use xiangqi::geometry::Color;
use xiangqi::notation::{Notation, write, write_line};
use xiangqi::records::{Cursor, NodeId, assessment_signs};
use xiangqi::rules::{
    EndByRules, Outcome, RuleSet, judge_game, judge_loop, loop_start, natural_plies, occurrences,
};

use super::contest::{Contest, Pace, Player, WebGame};
use super::keeping::GameKey;
use super::problems::WebProblem;
use super::state::{NodeScore, SessionState, Sweep};

/// Moves of a line that the page shows.
const LINE_MOVES: usize = 24;

/// The minimum depth of the searches before and after a move that is marked as a mistake.
const MARK_DEPTH: u32 = 6;

/// The game, the shown position and the current activity.
#[derive(Serialize)]
pub(super) struct SessionView {
    version: u64,
    start: String,
    /// The number of the first move.
    first_number: u32,
    moves: Vec<MoveView>,
    /// The comment on the start.
    comment: String,
    node: usize,
    /// The nodes from the first move to the shown one.
    path: Vec<usize>,
    fen: String,
    side: &'static str,
    /// The square of the king in check.
    check: Option<String>,
    /// The squares of the pieces that give it.
    checkers: Vec<String>,
    legal: Vec<String>,
    end: Option<EndView>,
    repetition: Option<RepetitionView>,
    /// True if a position of the shown line occurs twice.
    repeats: bool,
    /// Plies without a capture as the rules count them, and the limit.
    natural: [u16; 2],
    rules: &'static str,
    notation: &'static str,
    /// The side at the bottom of the board.
    bottom: &'static str,
    red: String,
    black: String,
    event: String,
    date: String,
    result: &'static str,
    contest: Option<ContestView>,
    /// The change that `undo` undoes, such as `move` or `replace`.
    undo: Option<ChangeKind>,
    /// The change that `redo` redoes.
    redo: Option<ChangeKind>,
    /// The number of lines of the running analysis.
    analysis: Option<usize>,
    /// The number of positions searched for the curve, and of all, while it is made.
    sweep: Option<[usize; 2]>,
    /// `none`, `waiting` for other sessions, or `working`.
    work: &'static str,
    /// The value of the start.
    start_score: Option<ScoreView>,
    /// True if the engine looks for the threat of the side that is not to move.
    threat: bool,
    kept: KeptView,
}

/// The file of the game.
#[derive(Serialize)]
pub(super) struct KeptView {
    /// Its name; `None` until the game is worth a file.
    pub(super) key: Option<GameKey>,
    /// The reason why the last change could not be written.
    pub(super) problem: Option<String>,
    /// The reason for which the page has words of its own.
    pub(super) cause: Option<WebProblem>,
}

/// A move of the tree; parents stand before their children, and the continuation before variations.
#[derive(Serialize)]
struct MoveView {
    id: usize,
    parent: usize,
    #[serde(rename = "move")]
    mv: String,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<ScoreView>,
    /// `?!`, `?` or `??` for a move that loses points, as in reports.
    #[serde(skip_serializing_if = "str::is_empty")]
    mark: &'static str,
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    glyphs: Vec<u8>,
    /// The signs of the glyphs for the position, such as `±`.
    #[serde(skip_serializing_if = "String::is_empty")]
    assessment: String,
    /// True if the engine has played it from an opening book.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    book: bool,
}

/// A value from Red's view.
#[derive(Serialize)]
struct ScoreView {
    #[serde(flatten)]
    score: Score,
    /// Red's expected points in permille.
    red: u32,
    depth: u32,
    /// The best move, for positions of the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<String>,
}

#[derive(Serialize)]
struct EndView {
    winner: Option<&'static str>,
    /// `checkmate`, `stalemate`, `repetition`, `natural`, `material`, `time` or `resignation`.
    reason: &'static str,
    /// The end as a sentence in English.
    text: String,
}

/// The shown position has occurred before.
#[derive(Serialize)]
struct RepetitionView {
    occurrences: usize,
    rulings: Vec<RulingView>,
}

/// The ruling of a rule set on a repetition.
#[derive(Serialize)]
pub(super) struct RulingView {
    rules: &'static str,
    loser: Option<&'static str>,
    red: String,
    black: String,
    /// True if a search ran out of nodes, so that an offence may have been missed.
    undecided: bool,
}

#[derive(Serialize)]
struct ContestView {
    running: bool,
    red: PlayerView,
    black: PlayerView,
    /// Milliseconds for each move of the engine, if there are no clocks.
    per_move: Option<u64>,
    /// Milliseconds that Red and Black have left, if there are clocks.
    left: Option<[u64; 2]>,
    /// The side whose clock runs.
    ticking: Option<&'static str>,
    /// The number of the opening book that the engine plays from.
    book: Option<u64>,
}

#[derive(Serialize)]
struct PlayerView {
    engine: bool,
    elo: Option<u32>,
}

/// The engine's findings in the shown position.
#[derive(Serialize)]
pub(super) struct LinesView {
    version: u64,
    node: usize,
    nodes: u64,
    nps: u64,
    time: u64,
    hashfull: u32,
    lines: Vec<LineView>,
    /// The best line of the other side if it were to move.
    threat: Option<LineView>,
}

#[derive(Serialize)]
struct LineView {
    score: ScoreView,
    moves: Vec<String>,
    texts: Vec<String>,
}

/// Writes the session. `work` is the engine's activity for it.
pub(super) fn session_view(
    state: &SessionState,
    version: u64,
    work: &'static str,
    kept: KeptView,
    now: Instant,
) -> SessionView {
    let position = state.position();
    let shown = state.game();
    let game = shown.record();
    let tag = |name: &str| game.tag(name).unwrap_or_default().to_owned();
    let player = |side| game.player(side).unwrap_or_default().to_owned();
    let rules = state.regulations().rules;
    let side = position.side();
    SessionView {
        version,
        start: game.start().fen(),
        first_number: game.start().move_number(),
        moves: move_views(state),
        comment: game.comment(NodeId::ROOT).to_owned(),
        node: shown.node().index(),
        path: shown.record().path_to(shown.node()).into_iter().map(NodeId::index).collect(),
        fen: position.fen(),
        side: side.name(),
        check: position.in_check().then(|| position.king(side).to_string()),
        checkers: position.checkers().into_iter().map(|square| square.to_string()).collect(),
        legal: position.legal_moves().iter().map(Move::to_string).collect(),
        end: end_view(state),
        repetition: repetition_view(position),
        repeats: !judge_game(&shown.position_at(shown.last()), &[]).is_empty(),
        natural: [natural_plies(position), rules.natural_limit()],
        rules: rules.name(),
        notation: state.notation.name(),
        bottom: state.bottom.name(),
        red: player(Color::Red),
        black: player(Color::Black),
        event: tag("Event"),
        date: tag("Date"),
        result: game.result.text(),
        contest: state.contest().map(|contest| contest_view(contest, shown, now)),
        undo: shown.last_change(),
        redo: shown.last_undone(),
        analysis: state.analysis(),
        sweep: state.sweep().map(Sweep::progress),
        work,
        start_score: state.score_of(NodeId::ROOT).map(|score| node_score_view(score, game.start())),
        threat: state.shows_threat(),
        kept,
    }
}

/// Returns the lines that were found in the shown position.
pub(super) fn lines_view(state: &SessionState, version: u64) -> LinesView {
    let node = state.game().node();
    let lines = state.found();
    let last = lines.iter().max_by_key(|line| line.nodes);
    let position = state.position();
    LinesView {
        version,
        node: node.index(),
        nodes: last.map_or(0, |line| line.nodes),
        nps: last.map_or(0, PvInfo::nps),
        time: last.map_or(0, |line| milliseconds(line.time)),
        hashfull: last.map_or(0, |line| line.hashfull),
        lines: lines.iter().map(|line| line_view(line, position, state.notation)).collect(),
        threat: state
            .found_threat()
            .map(|(line, position)| line_view(line, &position, state.notation)),
    }
}

fn line_view(line: &PvInfo, position: &Position, notation: Notation) -> LineView {
    let moves: Vec<Move> = line.pv.iter().copied().take(LINE_MOVES).collect();
    LineView {
        score: score_view(line.score, line.depth, position),
        moves: moves.iter().map(Move::to_string).collect(),
        texts: write_line(position, &moves, notation),
    }
}

/// Returns the rulings of a loop, the last `length` plies of the position, by all rule sets.
pub(super) fn rulings(position: &Position, length: usize) -> Vec<RulingView> {
    let ruling = |rules: RuleSet| {
        let ruling = judge_loop(position, length, rules);
        RulingView {
            rules: rules.name(),
            loser: ruling.loser.map(Color::name),
            red: ruling.red.to_string(),
            black: ruling.black.to_string(),
            undecided: ruling.is_undecided,
        }
    };
    RuleSet::ALL.into_iter().map(ruling).collect()
}

fn milliseconds(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the moves of the tree.
fn move_views(state: &SessionState) -> Vec<MoveView> {
    let game = state.game().record();
    let mut cursor = Cursor::new(game);
    let mut views = Vec::with_capacity(game.len());
    for child in game.nodes() {
        let Some(mv) = game.mv(child) else { continue };
        let parent = game.parent(child);
        let before = cursor.go_to(game, parent);
        let text = write(before, mv, state.notation);
        let best = state.score_of(parent).filter(|score| score.depth >= MARK_DEPTH);
        let best = best.map(|score| (score, expected_score(score.score, before)));
        let after = cursor.go_to(game, child);
        let is_decided = |score: &&NodeScore| score.score == Score::Mate(0);
        let left =
            state.score_of(child).filter(|score| score.depth >= MARK_DEPTH || is_decided(score));
        let left = left.map(|score| 1.0 - expected_score(score.score, after));
        let class = best.zip(left).map(|((score, best), left)| {
            MoveClass::of(points_lost(best, left), score.line.first() == Some(&mv))
        });
        views.push(MoveView {
            id: child.index(),
            parent: parent.index(),
            mv: mv.to_string(),
            text,
            score: state.score_of(child).map(|score| node_score_view(score, after)),
            mark: class.map_or("", MoveClass::sign),
            comment: game.comment(child).to_owned(),
            glyphs: game.glyphs(child).to_vec(),
            assessment: assessment_signs(game.glyphs(child)),
            book: state.is_from_book(child),
        });
    }
    views
}

fn score_view(score: Score, depth: u32, position: &Position) -> ScoreView {
    let red = (1000.0 * red_points(score, position)).round() as u32;
    ScoreView { score: score.for_red(position.side()), red, depth, best: None }
}

fn node_score_view(found: &NodeScore, position: &Position) -> ScoreView {
    let best = found.line.first().map(Move::to_string);
    ScoreView { best, ..score_view(found.score, found.depth, position) }
}

fn end_view(state: &SessionState) -> Option<EndView> {
    let end = state.end()?;
    let (reason, how) = match end.reason {
        EndReason::Time => ("time", "on time"),
        EndReason::Resignation => ("resignation", "by resignation"),
        EndReason::Rules(reason) => {
            let text = Outcome { winner: end.winner, reason }.to_string();
            return Some(EndView {
                winner: end.winner.map(Color::name),
                reason: rules_name(reason),
                text,
            });
        }
    };
    let text = match end.winner {
        Some(winner) => format!("{winner} wins {how}"),
        None => format!("draw {how}"),
    };
    Some(EndView { winner: end.winner.map(Color::name), reason, text })
}

const fn rules_name(reason: EndByRules) -> &'static str {
    match reason {
        EndByRules::Checkmate => "checkmate",
        EndByRules::Stalemate => "stalemate",
        EndByRules::Repetition { .. } => "repetition",
        EndByRules::NaturalLimit => "natural",
        EndByRules::DeadMaterial => "material",
        _ => "rules",
    }
}

fn repetition_view(position: &Position) -> Option<RepetitionView> {
    let length = position.ply() - loop_start(position)?;
    Some(RepetitionView {
        occurrences: 1 + occurrences(position).count(),
        rulings: rulings(position, length),
    })
}

fn contest_view(contest: &Contest, game: &WebGame, now: Instant) -> ContestView {
    let player = |side| match contest.player(side) {
        Player::Human => PlayerView { engine: false, elo: None },
        Player::Engine { elo } => PlayerView { engine: true, elo },
    };
    let clock = game.clock();
    ContestView {
        running: contest.is_running,
        red: player(Color::Red),
        black: player(Color::Black),
        per_move: match contest.pace() {
            Pace::PerMove(time) => Some(milliseconds(time)),
            Pace::Clock(_) => None,
        },
        left: clock.map(|clock| Color::ALL.map(|side| milliseconds(clock.left(side, now)))),
        ticking: clock.and_then(GameClock::running).filter(|_| contest.is_running).map(Color::name),
        book: contest.book().map(|(number, _)| *number),
    }
}
