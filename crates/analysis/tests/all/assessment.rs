//! Assessments of moves, by searches and by given scores.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use cannonade_analysis::{
    Assessment, CollectionAnalysis, EventKind, GameAnalysis, Journal, JournalError, MoveClass,
    Order, Phase, PositionAnalysis, SearchSettings, Searcher, analyse_game, annotate, points_lost,
    write_report,
};
use cannonade_engine::SearchLine;
use cannonade_engine::search::{Limits, Score};
use cannonade_tables::{TableSource, Value};
use xiangqi::board::{Position, START_FEN};
use xiangqi::geometry::Color;
use xiangqi::notation::Notation;
use xiangqi::records::{Game, NodeId, read, write_pgn};
use xiangqi::rules::Regulations;

use crate::built::build_into;
use crate::common::folder::empty_folder;
use crate::common::snapshots::assert_text;
use crate::common::thread_time::ThreadTime;

fn game(text: &str) -> Game {
    let mut collection = read(text.as_bytes());
    assert_eq!(collection.problems, [], "{text}");
    collection.games.remove(0)
}

fn searcher(nodes: u64) -> (Searcher, Arc<AtomicBool>) {
    let stop = Arc::new(AtomicBool::new(false));
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    (Searcher::new(&settings(limits), Arc::clone(&stop)).expect("a searcher"), stop)
}

fn settings(limits: Limits) -> SearchSettings {
    SearchSettings { limits, threads: 1, hash_mib: 4, tables: TableSource::BuiltIn, multi_pv: 1 }
}

#[test]
fn a_missed_mate_is_a_mistake_with_the_mate_as_better_line() {
    let game = game("[FEN \"4k4/R8/9/p8/9/9/9/9/9/3K3R1 w\"]\n\n1. h0h6 a6a5 *");
    let (mut searcher, _) = searcher(3000);
    let mut analysis = GameAnalysis::new(&game);
    let mut order = Vec::new();
    analyse_game(&game, &mut searcher, Order::Backward, &mut analysis, |ply, _| order.push(ply));
    assert_eq!(order, [2, 1, 0]);
    assert!(analysis.is_complete());
    let assessment = Assessment::new(&game, &analysis, Regulations::default());
    let first = assessment.moves[0].as_ref().expect("analysed");
    assert_eq!(first.analysis.score, Score::Mate(1));
    assert_eq!(first.analysis.best().map(|mv| mv.to_string()), Some("h0h9".to_owned()));
}

/// An analysis with these scores in centipawns for the side to move, and a best move per position.
fn given(scores: &[(i32, &str)]) -> GameAnalysis {
    let position = |&(cp, best): &(i32, &str)| {
        let score = Score::Cp(cp);
        let line = SearchLine { score, moves: vec![best.parse().expect("a move")] };
        Some(PositionAnalysis {
            score,
            lines: vec![line],
            depth: 9,
            nodes: 100,
            time_ms: 1,
            table: None,
        })
    };
    GameAnalysis { positions: scores.iter().map(position).collect() }
}

#[test]
fn moves_are_classed_by_the_chances_they_lose() {
    let game = game("[Red \"a\"]\n[Black \"b\"]\n\n1. h2e2 h9g7 2. h0g2 i9h9 3. a0a1 *");
    // Red's first move is best; Black's first loses a little; Red's second loses everything.
    let analysis = given(&[
        (20, "h2e2"),
        (-20, "b9c7"),
        (100, "b0c2"),
        (800, "i9h9"),
        (-800, "i0h0"),
        (800, "h9h2"),
    ]);
    let assessment = Assessment::new(&game, &analysis, Regulations::default());
    let classes: Vec<_> = assessment.moves.iter().flatten().map(|mv| mv.class).collect();
    assert_eq!(classes[0], MoveClass::Best);
    assert_eq!(classes[2], MoveClass::Blunder);
    assert_eq!(classes[3], MoveClass::Best);
    assert_eq!(classes[4], MoveClass::Good, "nothing was left to lose");
    let red = assessment.summary(Color::Red, None);
    assert_eq!(red.classes, [1, 1, 0, 0, 1]);
    let (red, black) = (red.accuracy, assessment.summary(Color::Black, None).accuracy);
    assert!(red < black, "{red:?} {black:?}");
    assert_eq!(assessment.summary(Color::Red, Some(Phase::Endgame)).accuracy, None);

    assert_text!("report", write_report(&game, &analysis, &assessment, Notation::Wxf));
    let annotated = annotate(&game, &assessment, Notation::Wxf);
    let third = annotated.main_line().nth(2).expect("a move");
    assert_eq!(annotated.glyphs(third), [4]);
    assert_eq!(annotated.children(annotated.parent(third)).len(), 2, "the better line");
    assert_text!("annotated", write_pgn(&annotated, Notation::Wxf));
    let again = read(write_pgn(&annotated, Notation::Wxf).as_bytes());
    assert_eq!(again.problems, []);
    assert_eq!(again.games[0].moves(), game.moves());
    assert_eq!(again.games[0].len(), annotated.len());
    assert_eq!(again.games[0].comment(NodeId::ROOT), "");
}

#[test]
fn a_new_annotation_replaces_the_old_one_and_keeps_what_people_wrote() {
    let text = "1. h2e2 $1 {my move} h9g7 2. h0g2 $4 {too slow?} (2. b0c2 {better}) i9h9 3. a0a1 *";
    let game = game(text);
    let good = given(&[
        (20, "h2e2"),
        (-20, "b9c7"),
        (20, "h0g2"),
        (-20, "i9h9"),
        (20, "a0a1"),
        (-20, "h9h2"),
    ]);
    let bad = given(&[
        (20, "h2e2"),
        (-20, "b9c7"),
        (100, "b2c2"),
        (800, "i9h9"),
        (-800, "i0h0"),
        (800, "h9h2"),
    ]);
    let annotated = |game: &Game, analysis: &GameAnalysis| {
        let assessment = Assessment::new(game, analysis, Regulations::default());
        let text = write_pgn(&annotate(game, &assessment, Notation::Wxf), Notation::Wxf);
        read(text.as_bytes()).games.remove(0)
    };
    let text = |game: &Game| write_pgn(game, Notation::Iccs);
    let (first, other) = (annotated(&game, &bad), annotated(&game, &good));
    let third = first.main_line().nth(2).expect("a move");
    assert_eq!(first.glyphs(third), [4], "it was there");
    assert!(first.comment(third).starts_with("too slow? [%eval -8.00,9] blunder loses "));
    assert_eq!(first.children(first.parent(third)).len(), 3, "a person's line and the better one");
    assert_eq!(text(&annotated(&first, &bad)), text(&first));
    assert_eq!(text(&annotated(&other, &bad)), text(&first));
    let again = annotated(&first, &good);
    let third = again.main_line().nth(2).expect("a move");
    assert!(again.glyphs(third).is_empty(), "the blunder is one no longer");
    assert_eq!(again.comment(third), "too slow? [%eval 0.20,9]");
    let first_move = again.main_line().next().expect("a move");
    assert_eq!(
        (again.glyphs(first_move), again.comment(first_move)),
        (&[1][..], "my move [%eval 0.20,9]")
    );
    let variations = again.children(again.parent(third));
    assert_eq!(variations.len(), 2, "the better line is gone");
    assert_eq!(again.comment(variations[1]), "better");
}

#[test]
fn a_loss_on_a_bound_has_the_class_from_there_on() {
    for (best, left, class) in [
        (0.051, 0.999, MoveClass::Inaccuracy),
        (0.603, 0.497, MoveClass::Mistake),
        (0.204, 0.996, MoveClass::Blunder),
    ] {
        let loss = points_lost(best, 1.0 - left);
        assert_eq!(MoveClass::of(loss, false), class, "{loss}");
    }
}

#[test]
fn ends_and_endings_at_the_start_of_a_game_are_reported() {
    let dead = "[FEN \"4k4/9/9/9/9/9/4c4/9/3K5/3A5 w\"]\n\n1. d1e1 e3e2 *";
    let ending = "[FEN \"3k5/4a4/9/9/9/9/9/9/9/R3K4 w\"]\n\n1. a0a1 e8f9 *";
    for (text, expected) in [
        (dead, "by the rules the game is over: draw: neither side can win"),
        (ending, "ending: red rook against black advisor"),
    ] {
        let game = game(text);
        let analysis = given(&[(30, "a0a1"), (-30, "e8f9"), (30, "a1a9")]);
        let assessment = Assessment::new(&game, &analysis, Regulations::default());
        let report = write_report(&game, &analysis, &assessment, Notation::Wxf);
        let moves = report.split_once("depth\n").expect("a head").1;
        let events: String = moves.lines().take_while(|line| line.starts_with("   ")).collect();
        assert!(events.contains(expected), "{report}");
        let once = annotate(&game, &assessment, Notation::Wxf);
        assert!(once.comment(NodeId::ROOT).contains(expected), "{}", once.comment(NodeId::ROOT));
        let twice = annotate(&once, &assessment, Notation::Wxf);
        assert_eq!(write_pgn(&twice, Notation::Wxf), write_pgn(&once, Notation::Wxf));
        assert_eq!(assessment.ended, text.contains("c4").then_some((0, Score::Cp(0))));
    }
}

#[test]
fn a_repetition_and_its_ruling_are_reported() {
    let game = game(
        "[FEN \"3k5/9/9/9/9/9/9/9/4A4/R3K4 w\"]\n\n1. a0a9 d9d8 2. a9a8 d8d9 3. a8a9 d9d8 4. a9a8 d8d9 \
         5. a8a9 *",
    );
    let assessment = Assessment::new(&game, &GameAnalysis::new(&game), Regulations::default());
    assert!(assessment.moves.iter().all(Option::is_none));
    let kinds: Vec<_> = assessment.events.iter().map(|event| event.kind).collect();
    assert!(
        matches!(kinds[..], [EventKind::Ending { .. }, EventKind::Repetition, EventKind::Over(_)]),
        "{kinds:?}"
    );
    let once = annotate(&game, &assessment, Notation::Iccs);
    let twice = annotate(&once, &assessment, Notation::Iccs);
    let pgn = write_pgn(&once, Notation::Iccs);
    assert_text!("annotated-repetition", pgn);
    assert_eq!(write_pgn(&twice, Notation::Iccs), pgn);
}

/// A search goes on after the third occurrence, and the side that lost by it may deviate.
#[test]
fn the_score_after_the_end_of_a_game_is_its_result() {
    let perpetual = "[FEN \"4k4/R8/9/9/p1p1p1p1p/9/P1P1P1P1P/9/9/3K5 w\"]\n\n\
                     1. a8a9 e9e8 2. a9a8 e8e9 3. a8a9 e9e8 4. a9a8 e8e9 *";
    let drawn = "[FEN \"3k5/9/R8/9/p1p1p1p1p/9/P1P1P1P1P/9/9/5K3 w\"]\n\n\
                 1. f0f1 d9d8 2. f1f0 d8d9 3. f0f1 d9d8 4. f1f0 d8d9 *";
    for (text, score, points) in [(perpetual, Score::Rule(-1), 0.0), (drawn, Score::Cp(0), 0.5)] {
        let game = game(text);
        let analysis = given(&[(1_700, "a7a9"), (-1_700, "d9d8")].repeat(5)[..9]);
        let assessment = Assessment::new(&game, &analysis, Regulations::default());
        assert_eq!(assessment.ended, Some((8, score)));
        let last = assessment.moves[7].as_ref().expect("analysed");
        assert_eq!((last.side, last.red_score()), (Color::Black, score));
        assert!((last.red_points() - points).abs() < 0.01, "{}", last.red_points());
        // The move before it has the score of the search.
        let before = assessment.moves[6].as_ref().expect("analysed");
        assert_eq!(before.red_score(), Score::Cp(1_700));
    }
}

#[test]
fn a_stopped_analysis_keeps_what_it_knows() {
    let game = game("1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 *");
    let (mut searcher, stop) = searcher(500);
    let mut analysis = GameAnalysis::new(&game);
    let mut count = 0;
    analyse_game(&game, &mut searcher, Order::Forward, &mut analysis, |_, _| {
        count += 1;
        if count == 3 {
            stop.store(true, Ordering::Relaxed);
        }
    });
    assert_eq!(analysis.positions.iter().flatten().count(), 3);
    assert!(!analysis.is_complete());
    let assessment = Assessment::new(&game, &analysis, Regulations::default());
    assert_eq!(assessment.moves.iter().flatten().count(), 2);
    let report = write_report(&game, &analysis, &assessment, Notation::Uci);
    assert_eq!(report.matches("Stopped: 3 of 6 positions.").count(), 1, "{report}");
}

#[test]
fn a_position_has_the_exact_score_of_its_last_finished_depth() {
    let mut unfinished = 0;
    for fen in [
        "1n1akab1r/9/c3b1nc1/p1p1p3p/6p2/9/P1P1P1P1P/N2CB1NC1/9/2BAKA2R w - - 0 1",
        START_FEN,
        "2bakab2/9/2n1c1n2/p3p3p/2p3p2/9/P1P1P1P1P/2N1C1N2/9/2BAKAB2 w - - 0 1",
    ] {
        let position = Position::from_fen(fen).expect(fen);
        for nodes in [1000, 1500, 2200] {
            let found = searcher(nodes).0.search(&position).expect("not stopped");
            assert_eq!(found.score, found.lines[0].score, "{fen}");
            let depth = Some(found.depth);
            let settings = settings(Limits { depth, ..Limits::default() });
            let mut exact = Searcher::new(&settings, Arc::default()).expect("a searcher");
            let exact = exact.search(&position).expect("not stopped");
            assert_eq!(
                (exact.depth, exact.score, &exact.lines),
                (found.depth, found.score, &found.lines)
            );
            unfinished += usize::from(found.nodes > exact.nodes);
        }
    }
    assert!(unfinished >= 8, "{unfinished} searches ended within a depth");
}

#[test]
fn nothing_is_judged_after_the_end_of_the_game() {
    let turn = "a9a8 d8d9 a8a9 d9d8";
    let game = game(&format!(
        "[FEN \"3k5/9/9/9/9/9/9/9/4A4/R3K4 w\"]\n\n1. a0a9 d9d8 {turn} {turn} {turn} *"
    ));
    let (mut searcher, _) = searcher(200);
    let mut analysis = GameAnalysis::new(&game);
    analyse_game(&game, &mut searcher, Order::Backward, &mut analysis, |_, _| {});
    assert!(analysis.is_complete());
    let assessment = Assessment::new(&game, &analysis, Regulations::default());
    let over = assessment.events.last().expect("the end");
    assert!(matches!(over.kind, EventKind::Over(_)));
    assert!(over.ply < game.moves().len() - 2, "{}", over.ply);
    let before = assessment.moves.iter().flatten().map(|mv| mv.before.ply());
    assert!(before.into_iter().all(|ply| ply == 0), "each would hold all moves before it");
    let judged: Vec<bool> = assessment.moves.iter().map(Option::is_some).collect();
    let expected: Vec<bool> = (0..game.moves().len()).map(|ply| ply < over.ply).collect();
    assert_eq!(judged, expected);
    // Scores of other sources, such as the page, do not count there either.
    let everywhere =
        GameAnalysis { positions: vec![analysis.positions[0].clone(); game.moves().len() + 1] };
    let assessment = Assessment::new(&game, &everywhere, Regulations::default());
    assert!(assessment.moves[over.ply..].iter().all(Option::is_none));
}

#[test]
fn moves_after_the_end_of_a_long_game_cost_no_time() {
    let game = game(&"a0a1 a9a8 a1a0 a8a9 ".repeat(50_000));
    let time = ThreadTime::start();
    let analysis = GameAnalysis::new(&game);
    assert_eq!(analysis.positions.len(), 9);
    let assessment = Assessment::new(&game, &analysis, Regulations::default());
    assert_eq!(assessment.moves.len(), 200_000);
    assert!(time.used() < Duration::from_secs(20), "{:?}", time.used());
}

#[test]
fn a_stopped_collection_goes_on_from_its_journal() {
    let games: Vec<Game> =
        ["1. h2e2 h9g7 *", "1. h2e2 b9c7 2. h0g2 *", "1. c3c4 *"].map(game).into();
    let positions = 3 + 4 + 2;
    // Long enough that the stop comes before the end on a busy machine, too.
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let settings = SearchSettings {
        limits,
        threads: 1,
        hash_mib: 4,
        tables: TableSource::BuiltIn,
        multi_pv: 1,
    };
    let file = std::env::temp_dir().join(format!("cannonade-games-{}", std::process::id()));
    let files = [Journal::beside(&file).expect("no device")];

    let mut collection = CollectionAnalysis::new(&games, 0..3, &settings, Order::Backward);
    assert!(!collection.keep_in(&files, false).expect("a journal"));
    let (stop, mut count) = (Arc::new(AtomicBool::new(false)), 0);
    let stopped = collection.run(2, &stop, |_| {
        count += 1;
        stop.store(count >= 4, Ordering::Relaxed);
    });
    stopped.expect("stopped without an error");
    assert_eq!(collection.remaining(), positions - count);
    assert!((4..positions).contains(&count), "{count}");
    assert!(collection.close_journal().expect("a journal").is_some());

    let mut again = CollectionAnalysis::new(&games, 0..3, &settings, Order::Backward);
    assert!(matches!(again.keep_in(&files, false), Err(JournalError::Exists { .. })));
    let mut forward = CollectionAnalysis::new(&games, 0..3, &settings, Order::Forward);
    assert!(matches!(forward.keep_in(&files, true), Err(JournalError::Other { .. })));
    let tables = SearchSettings { tables: TableSource::User, ..settings.clone() };
    let mut other = CollectionAnalysis::new(&games, 0..3, &tables, Order::Backward);
    assert!(matches!(other.keep_in(&files, true), Err(JournalError::Other { .. })));
    assert!(again.keep_in(&files, true).expect("the journal"));
    // Games that were not finished begin anew, with the table of an uninterrupted analysis.
    let lengths = [3, 4, 2];
    let finished: usize = (collection.analyses().iter().zip(lengths))
        .filter_map(|(analysis, length)| analysis.is_complete().then_some(length))
        .sum();
    assert_eq!(again.remaining(), positions - finished);
    let stop = Arc::new(AtomicBool::new(false));
    again.run(2, &stop, |_| ()).expect("analysed");
    let mut uninterrupted = CollectionAnalysis::new(&games, 0..3, &settings, Order::Backward);
    uninterrupted.run(1, &stop, |_| ()).expect("analysed");
    let found = |collection: &CollectionAnalysis<'_>| -> Vec<PositionAnalysis> {
        let all = collection.analyses().iter().flat_map(|analysis| analysis.positions.clone());
        all.map(|found| PositionAnalysis { time_ms: 0, ..found.expect("analysed") }).collect()
    };
    assert_eq!(found(&again), found(&uninterrupted));
    assert_eq!(again.close_journal().expect("removed"), None);
    assert!(!files[0].exists());
}

#[test]
fn a_journal_survives_a_cut_line_and_refuses_other_tasks() {
    let path = std::env::temp_dir().join(format!("cannonade-journal-{}", std::process::id()));
    let GameAnalysis { positions } = given(&[(1, "h2e2"), (2, "h9g7")]);
    let found = positions[0].as_ref().expect("given");
    let mut journal = Journal::create(&path, "task").expect("a file");
    journal.add(0, 7, found).expect("written");
    journal.add(1, 8, found).expect("written");
    drop(journal);
    let whole = std::fs::read_to_string(&path).expect("the file");
    std::fs::write(&path, &whole[..whole.len() - 5]).expect("the file");
    let (mut journal, known) = Journal::resume(&path, "task").expect("the journal");
    assert_eq!(known.len(), 1);
    assert_eq!(known.get(&(0, 7)), Some(found));
    journal.add(1, 9, found).expect("written");
    drop(journal);
    let (journal, known) = Journal::resume(&path, "task").expect("the journal");
    assert_eq!(known.len(), 2);
    drop(journal);
    assert!(matches!(Journal::resume(&path, "other"), Err(JournalError::Other { .. })));
    std::fs::remove_file(&path).expect("the file goes");
    assert_eq!(Journal::resume(&path, "task").expect("a new one").1.len(), 0);
    std::fs::remove_file(&path).expect("the file goes");
}

#[test]
fn a_side_that_lives_only_by_perpetual_check_does_not_draw() {
    let folder = empty_folder("analysis", "duels");
    build_into(&folder, &["KR-KN", "KP-KP"], 1).expect("tables");
    let settings = SearchSettings {
        tables: TableSource::Folder(folder),
        ..settings(Limits { nodes: Some(2000), ..Limits::default() })
    };
    let mut searcher = Searcher::new(&settings, Arc::default()).expect("a searcher");
    let mut table = |fen: &str| {
        let position = Position::from_fen(fen).expect("a position");
        searcher.search(&position).expect("analysed").table
    };
    // The knight saves itself only by checks from h8 and g6.
    assert_eq!(table("5k3/9/9/8N/9/9/9/4K4/r8/9 w"), None);
    // Two pawns, no check in sight: an exact draw.
    assert_eq!(table("9/5k3/6P2/9/9/9/9/9/2p6/3K5 w"), Some(Value::DRAW.into()));
}
