//! Searches of positions whose results a table knows.

use std::fs;
use std::time::Instant;

use cannonade_engine::search::{Limits, PvInfo, Score};
use cannonade_engine::{Conclusion, Engine, Event};
use cannonade_tables::{TableSource, Tables, Value};
use xiangqi::board::Position;
use xiangqi::rules::Wdl;

use crate::built::build_into;
use crate::common::folder::empty_folder;

/// Searches a position; returns the result and the last principal variation.
fn search(engine: &mut Engine, position: &Position, depth: u32) {
    engine.set_position(position.clone());
    engine.go(Limits { depth: Some(depth), ..Limits::default() }, Instant::now());
}

fn result(events: &crossbeam_channel::Receiver<Event>) -> (Conclusion, PvInfo) {
    let mut last = None;
    for event in events {
        match event {
            Event::Pv(info) => last = Some(info),
            Event::BestMove(conclusion) => return (conclusion, last.expect("a variation")),
            _ => {}
        }
    }
    panic!("the engine ended")
}

#[test]
fn a_won_ending_is_won_by_the_shortest_way_and_the_loser_holds_out_longest() {
    let tables = Tables::built_in();
    for fen in ["3ak4/9/3a5/9/2b6/9/9/9/9/R2K5 w", "9/3k5/4b4/1C7/9/9/4C4/9/4K4/9 w"] {
        let (sender, events) = crossbeam_channel::unbounded();
        let mut engine = Engine::new(sender);
        let mut position = Position::from_fen(fen).unwrap();
        let mut plies = tables.value(position.board()).and_then(Value::plies).expect("a win");
        assert!(plies > 10);
        while plies > 0 {
            search(&mut engine, &position, 2);
            let (conclusion, info) = result(&events);
            let moves = (i32::from(plies) + 1) / 2;
            let expected = if plies % 2 == 1 { moves } else { -i32::from(plies) / 2 };
            assert_eq!(conclusion.score, Score::Mate(expected), "{position}");
            assert!(info.tb_hits > 0);
            assert_eq!(info.pv.len(), usize::from(plies), "{position}");
            assert!(!position.after(info.pv).has_legal_move(), "{position}");
            position.play_unchecked(conclusion.best.expect("a move"));
            plies -= 1;
            assert_eq!(tables.value(position.board()).and_then(Value::plies), Some(plies));
        }
        assert!(!position.has_legal_move());
    }
}

#[test]
fn a_drawn_ending_has_the_score_0_and_is_held() {
    let tables = Tables::built_in();
    let (sender, events) = crossbeam_channel::unbounded();
    let mut engine = Engine::new(sender);
    let cases = include_str!("../../../tables/tests/data/endings.tsv")
        .lines()
        .filter(|line| line.contains("draw"));
    let mut count = 0;
    for line in cases {
        let mut position = Position::from_fen(line.split('\t').next().unwrap()).unwrap();
        search(&mut engine, &position, 4);
        let (conclusion, _) = result(&events);
        assert_eq!(conclusion.score, Score::Cp(0), "{line}");
        position.play_unchecked(conclusion.best.unwrap());
        assert_eq!(tables.value(position.board()), Some(Value::DRAW), "{line}");
        count += 1;
    }
    assert!(count > 20);
}

#[test]
fn a_capture_into_a_table_is_known_in_the_search() {
    // Red takes the last pawn; rook against a full guard is then drawn or won by the table.
    let (sender, events) = crossbeam_channel::unbounded();
    let mut engine = Engine::new(sender);
    let position = Position::from_fen("3k5/4a4/9/9/9/p8/9/9/9/R3K4 w").unwrap();
    search(&mut engine, &position, 6);
    let (conclusion, info) = result(&events);
    assert!(info.tb_hits > 0);
    assert!(matches!(conclusion.score, Score::Mate(moves) if moves > 0), "{conclusion:?}");
}

#[test]
fn a_drawn_ending_without_a_table_is_scored_as_one() {
    let (sender, events) = crossbeam_channel::unbounded();
    let mut engine = Engine::new(sender);
    for fen in [
        "5k3/9/9/6c2/9/9/9/B8/4An3/4K4 w",
        "3k5/4a4/3Cb4/3P5/9/9/9/9/9/4K4 w",
        "6b2/4k4/9/9/2b6/9/1C7/5K3/9/6C2 w",
        "3k1a3/9/5a2b/9/6bP1/9/1N7/9/4K4/5A3 b",
    ] {
        search(&mut engine, &Position::from_fen(fen).unwrap(), 8);
        let (conclusion, info) = result(&events);
        assert!(matches!(conclusion.score, Score::Cp(-150..=150)), "{fen} {conclusion:?}");
        assert!(info.tb_hits > 0, "{fen}");
    }
    // One that is won keeps its score.
    search(&mut engine, &Position::from_fen("3k5/9/9/9/3PP4/9/9/9/9/4K4 w").unwrap(), 8);
    let score = result(&events).0.score;
    assert!(matches!(score, Score::Cp(300..) | Score::Mate(1..)), "{score:?}");
}

/// The position after these moves.
fn after(fen: &str, moves: &str) -> Position {
    let mut position = Position::from_fen(fen).unwrap();
    for mv in moves.split_whitespace() {
        let mv = position.legal_moves().into_iter().find(|legal| legal.to_string() == mv);
        position.play_unchecked(mv.expect("a legal move"));
    }
    position
}

#[test]
fn a_third_occurrence_is_judged_before_the_table_is_asked() {
    let (sender, events) = crossbeam_channel::unbounded();
    let mut engine = Engine::new(sender);
    let mut search = |fen: &str, moves: &str| {
        search(&mut engine, &after(fen, moves), 4);
        let conclusion = result(&events).0;
        (conclusion.best.expect("a move").to_string(), conclusion.score)
    };
    // e8e9 would lose by the own perpetual check, although the table calls it a mate in 9.
    let (best, score) =
        search("3aRkb2/9/3a5/9/6b2/9/9/9/9/4K4 b - - 0 1", "f9f8 e9e8 f8f9 e8e9 f9f8 e9e8 f8f9");
    assert!(best != "e8e9" && score == Score::Cp(0), "{best} {score:?}");
    // The opponent checks perpetually: in a lost position, and in a drawn one.
    for (fen, moves, wins) in [
        ("3a1ab2/1R7/5k3/9/9/9/9/9/3K5/9 w - - 0 1", "b8b7 f7f8 b7b8 f8f7 b8b7 f7f8 b7b8", "f8f7"),
        (
            "2b2a3/5k3/3a4R/9/6b2/9/9/9/9/3K5 w - - 0 1",
            "i7i8 f8f7 i8i7 f7f8 i7i8 f8f7 i8i7",
            "f7f8",
        ),
    ] {
        let (best, score) = search(fen, moves);
        assert!(best == wins && matches!(score, Score::Rule(1..)), "{fen}: {best} {score:?}");
    }
    // A lost position, and a draw by the third occurrence.
    let (best, score) =
        search("5k3/4a4/5a2b/9/9/9/9/9/4R4/5K3 w - - 0 1", "e1e2 e8d7 e2e1 d7e8 e1e2 e8d7 e2e1");
    assert_eq!((best.as_str(), score), ("d7e8", Score::Cp(0)));
}

#[test]
fn a_mate_after_the_natural_move_limit_is_not_believed() {
    let (sender, events) = crossbeam_channel::unbounded();
    let mut engine = Engine::new(sender);
    // Every mate without a capture comes too late; the capture begins a new count.
    search(&mut engine, &after("3a1a3/9/3k4b/9/9/8R/9/9/5K3/9 w - - 118 60", ""), 4);
    let (conclusion, _) = result(&events);
    assert_eq!(conclusion.best.map(|mv| mv.to_string()).as_deref(), Some("i4i7"));
    assert!(matches!(conclusion.score, Score::Mate(1..)), "{conclusion:?}");
    // The next move of the lost side reaches the limit.
    search(&mut engine, &after("5k3/9/3a1a2b/9/9/9/9/9/4R4/5K3 b - - 119 80", ""), 4);
    assert_eq!(result(&events).0.score, Score::Cp(0));
    // One ply earlier the mate comes on the last ply, which counts.
    search(&mut engine, &after("3k5/9/4R4/9/9/9/9/9/9/4K4 w - - 119 80", ""), 4);
    assert_eq!(result(&events).0.score, Score::Mate(1));
    // The shortest way is played even where it may be too long.
    let tables = Tables::built_in();
    let position = after("3ak4/9/3a5/9/2b6/9/9/9/9/R2K5 w - - 60 80", "");
    let plies = tables.value(position.board()).and_then(Value::plies).expect("a win");
    for (limit, is_known) in [(60 + u16::from(plies), true), (59 + u16::from(plies), false)] {
        engine.set_option("NaturalMoveLimit", &limit.to_string()).unwrap();
        search(&mut engine, &position, 4);
        let (conclusion, _) = result(&events);
        let next = position.after([conclusion.best.expect("a move")]);
        assert_eq!(tables.value(next.board()).map(Value::wdl), Some(Wdl::Loss));
        assert_eq!(matches!(conclusion.score, Score::Mate(_)), is_known, "{limit} {conclusion:?}");
    }
}

#[test]
fn a_drawn_ending_is_worth_what_the_user_gives_for_a_draw() {
    let (sender, events) = crossbeam_channel::unbounded();
    let mut engine = Engine::new(sender);
    engine.set_option("DrawScore", "-100").unwrap();
    search(&mut engine, &after("3a1kb2/9/3a5/9/6b2/9/9/9/9/R3K4 w - - 0 1", ""), 4);
    assert_eq!(result(&events).0.score, Score::Cp(-100));
}

#[test]
fn several_variations_are_ranked_by_the_table() {
    let (sender, events) = crossbeam_channel::unbounded();
    let mut engine = Engine::new(sender);
    // In the second one most moves draw, and searches take them for better than the only one that
    // wins.
    for (fen, lines) in [("3k5/4a4/9/9/9/9/9/9/9/R3K4 w", 3), ("5k3/9/1N7/9/6b2/9/9/9/4K4/9 w", 2)]
    {
        let position = Position::from_fen(fen).unwrap();
        let score = |&(_, value): &(_, Value)| match (value.wdl(), value.plies()) {
            (Wdl::Win, Some(plies)) => Score::Mate((i32::from(plies) + 1) / 2),
            _ => Score::Cp(0),
        };
        let probe = Tables::built_in().probe(&position).unwrap();
        let expected: Vec<_> = probe.moves.iter().take(lines).map(score).collect();
        engine.set_option("MultiPV", &lines.to_string()).unwrap();
        engine.new_game();
        search(&mut engine, &position, 10);
        let mut scores = Vec::new();
        for event in &events {
            match event {
                Event::Pv(info) => scores.push(info.score),
                Event::BestMove(conclusion) => {
                    let best = probe.moves.iter().find(|(mv, _)| Some(*mv) == conclusion.best);
                    assert_eq!(best.map(|(_, value)| value), Some(&probe.moves[0].1), "{fen}");
                    break;
                }
                _ => {}
            }
        }
        assert_eq!(scores, expected.repeat(10), "{fen}");
    }
}

#[test]
fn a_search_for_a_mate_ends_with_one_that_the_table_knows() {
    let (sender, events) = crossbeam_channel::unbounded();
    let mut engine = Engine::new(sender);
    engine.set_position(Position::from_fen("9/3k5/3a5/9/9/8N/9/5K3/9/9 w").unwrap());
    engine.go(Limits { mate: Some(18), ..Limits::default() }, Instant::now());
    let (conclusion, _) = result(&events);
    assert_eq!((conclusion.score, conclusion.depth), (Score::Mate(15), 1));
}

#[test]
fn a_side_that_lives_only_by_perpetual_check_does_not_draw() {
    let folder = empty_folder("tables", "duels");
    build_into(&folder, &["KR-KN", "KP-KP"], 1).unwrap();
    let (tables, _) = Tables::open(&folder).unwrap();
    let value = |fen: &str| tables.value(Position::from_fen(fen).unwrap().board()).unwrap();
    // Two pawns, no check in sight: an exact draw.
    assert_eq!(value("9/5k3/6P2/9/9/9/9/9/2p6/3K5 w"), Value::DRAW);

    // The knight saves itself only by checks from h8 and g6; every other move loses.
    let position = Position::from_fen("5k3/9/9/8N/9/9/9/4K4/r8/9 w").unwrap();
    let probe = tables.probe(&position).unwrap();
    assert_eq!((probe.value.wdl(), probe.value.is_exact()), (Wdl::Draw, false));
    assert!(probe.moves[1..].iter().all(|(_, value)| value.wdl() == Wdl::Loss));
    let (sender, events) = crossbeam_channel::unbounded();
    let mut engine = Engine::new(sender);
    engine.set_option("TablePath", folder.to_str().unwrap()).unwrap();
    search(&mut engine, &position, 24);
    let (conclusion, _) = result(&events);
    assert!(matches!(conclusion.score, Score::Rule(..=-1)), "{conclusion:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_of_tables_may_have_any_name() {
    use std::os::unix::ffi::OsStrExt as _;

    let built = empty_folder("tables", "any-name");
    build_into(&built, &["KAP-K"], 1).unwrap();
    for name in [&b"a space at the end "[..], b"no \xFF UTF-8"] {
        let named = built.join(std::ffi::OsStr::from_bytes(name));
        fs::create_dir_all(&named).unwrap();
        fs::copy(built.join("KAP-K.cnt"), named.join("KAP-K.cnt")).unwrap();
        let mut engine = Engine::new(crossbeam_channel::unbounded().0);
        engine.use_tables(&TableSource::Folder(named)).unwrap();
        assert!(engine.tables().signatures().contains(&"KAP-K".parse().unwrap()));
    }
}

#[test]
fn tables_of_a_folder_are_used_and_damaged_ones_are_named() {
    let folder = empty_folder("tables", "option");
    build_into(&folder, &["KPP-K"], 1).unwrap();
    let (sender, events) = crossbeam_channel::unbounded();
    let mut engine = Engine::new(sender);
    let path = folder.to_str().unwrap();
    engine.set_option("TablePath", path).unwrap();
    let position = Position::from_fen("3k5/9/9/9/3PP4/9/9/9/9/4K4 w").unwrap();
    search(&mut engine, &position, 2);
    assert!(matches!(result(&events).0.score, Score::Mate(_)));

    fs::write(folder.join("KPP-K.cnt"), b"not a table").unwrap();
    let error = engine.set_option("tablepath", path).unwrap_err().to_string();
    assert!(error.contains("KPP-K.cnt") && error.contains("not a table file"), "{error}");
    search(&mut engine, &position, 2);
    assert!(result(&events).0.best.is_some(), "play goes on");
    let empty = folder.join("empty");
    fs::create_dir_all(&empty).unwrap();
    let error = engine.set_option("TablePath", empty.to_str().unwrap()).unwrap_err().to_string();
    assert!(error.contains("holds no endgame tables"), "{error}");
    let error = engine.set_option("TablePath", "no/such/folder").unwrap_err().to_string();
    assert!(error.contains("no/such/folder"), "{error}");
}
