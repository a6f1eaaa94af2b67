//! Playing below full strength.

use std::time::{Duration, Instant};

use cannonade_engine::search::{Bound, Clock, Limits, Score};
use cannonade_engine::{Conclusion, Engine, Event};
use crossbeam_channel::{Receiver, unbounded};
use xiangqi::board::{Move, Position, START_FEN};

use super::{best_move, depth, engine, infinite};

/// Positions of all phases of a game.
const POSITIONS: [&str; 8] = [
    START_FEN,
    "r1bakabr1/9/1cn3nc1/p3p1p1p/2p6/6P2/P1P1P3P/1C2C1N2/9/RNBAKABR1 w - - 8 5",
    "rn2kab2/4a4/1c2b1n1c/p1p1p3p/9/2PN2pr1/P3P1P1P/BC2C1N2/3R5/R2AKAB2 w - - 16 9",
    "1r1akab2/3n5/3cb2cn/p1prp1p2/8p/2P3P2/P3P3P/2NCBCN2/4A4/R1BAK2R1 w - - 22 12",
    "2bakab2/9/c1n1c4/pCN1p1rNp/9/2P6/P3P1n1P/B3C4/4A4/3RKAB2 b - - 4 19",
    "2b1ka3/8R/n2Rc4/p1p3C2/4rr3/2P6/P7P/4B1N2/4A4/4KAB2 w - - 1 29",
    "3kcab2/6N2/5a3/3r4p/5R3/2P3B1P/9/9/9/4K1B2 w - - 5 51",
    "3ak4/4a4/9/4P4/3N5/9/9/9/9/4K4 w - - 0 1",
];

/// Red mates at once by the chariot.
const MATE_IN_ONE: &str = "3k5/9/9/9/9/9/9/9/4R4/4K4 w";

fn engine_of_level(level: u32, seed: u32) -> (Engine, Receiver<Event>) {
    let (mut engine, received) = engine();
    for (name, value) in [("Skill Level", level), ("Level Seed", seed)] {
        engine.set_option(name, &value.to_string()).expect("a valid value");
    }
    (engine, received)
}

fn play(engine: &mut Engine, received: &Receiver<Event>, fen: &str, limits: Limits) -> Conclusion {
    engine.set_position(Position::from_fen(fen).expect("a position"));
    engine.go(limits, Instant::now());
    best_move(received)
}

fn choice(engine: &mut Engine, received: &Receiver<Event>, fen: &str) -> Move {
    play(engine, received, fen, Limits::default()).best.expect("a move")
}

/// Counts the moves, one per seed, that give away a horse or more by a capture.
fn pieces_given_away(level: u32, seeds: u32) -> usize {
    let (mut engine, received) = engine_of_level(level, 1);
    let mut count = 0;
    for seed in 1..=seeds {
        engine.set_option("Level Seed", &seed.to_string()).expect("a valid value");
        for fen in POSITIONS {
            let mv = choice(&mut engine, &received, fen);
            count += usize::from(gives_away(fen, mv));
        }
    }
    count
}

/// Returns whether the opponent wins a horse or more by exchanges on one square after the move, and
/// did not before. Captures are left out: they may be exchanges.
fn gives_away(fen: &str, mv: Move) -> bool {
    let mut position = Position::from_fen(fen).expect("a position");
    let wins = |position: &Position| {
        let moves = position.legal_moves();
        moves.iter().any(|&mv| position.is_capture(mv) && position.see_at_least(mv, 300))
    };
    position.make_null();
    let already = wins(&position);
    position.unmake();
    let is_capture = position.is_capture(mv);
    position.play_unchecked(mv);
    !is_capture && !already && wins(&position)
}

#[test]
fn a_level_answers_every_position_with_a_legal_move() {
    for level in [0, 3, 7, 11, 15, 19] {
        let (mut engine, received) = engine_of_level(level, 7);
        for fen in POSITIONS {
            let position = Position::from_fen(fen).expect("a position");
            let mv = choice(&mut engine, &received, fen);
            assert!(position.check_move(mv).is_ok(), "level {level}: {mv} in {fen}");
        }
    }
}

#[test]
fn a_level_says_where_its_score_is_a_bound() {
    let mut bounds = 0;
    for level in [4, 9, 14] {
        for seed in 1..=5 {
            let (mut engine, received) = engine_of_level(level, seed);
            for fen in POSITIONS {
                engine.set_position(Position::from_fen(fen).expect("a position"));
                engine.go(Limits::default(), Instant::now());
                let mut lines = Vec::new();
                let conclusion = loop {
                    match received.recv_timeout(Duration::from_secs(60)).expect("a result") {
                        Event::Pv(line) => lines.push(line),
                        Event::BestMove(conclusion) => break conclusion,
                        _ => {}
                    }
                };
                let last = lines.last().expect("a line");
                assert_eq!(last.pv.first(), conclusion.best.as_ref());
                assert_eq!((last.score, last.bound), (conclusion.score, conclusion.bound));
                // An exact line of the same move comes first, for clients without bounds.
                let is_bound = last.bound != Bound::Exact;
                let exact = lines.first().expect("a line");
                assert_eq!((exact.bound, lines.len()), (Bound::Exact, 1 + usize::from(is_bound)));
                assert_eq!(exact.pv.first(), conclusion.best.as_ref());
                bounds += usize::from(is_bound);
            }
        }
    }
    // Short searches end in the middle of an iteration.
    assert!(bounds > 0);
}

#[test]
fn a_level_without_a_legal_move_has_lost() {
    let (mut engine, received) = engine_of_level(0, 1);
    let mated = "3k5/9/9/9/9/9/9/3r5/4r4/3K5 w";
    let conclusion = play(&mut engine, &received, mated, Limits::default());
    assert_eq!((conclusion.best, conclusion.score), (None, Score::Mate(0)));
}

#[test]
fn the_same_seed_plays_the_same_move_and_other_seeds_play_others() {
    let moves = |seeds: &[u32]| -> Vec<Move> {
        let play = |&seed: &u32| {
            let (mut engine, received) = engine_of_level(0, seed);
            choice(&mut engine, &received, START_FEN)
        };
        seeds.iter().map(play).collect()
    };
    assert_eq!(moves(&[5, 5]), [moves(&[5])[0]; 2]);
    let mut different = moves(&[1, 2, 3, 4, 5, 6, 7, 8]);
    different.sort_unstable();
    different.dedup();
    assert!(different.len() >= 3, "{different:?}");
}

#[test]
fn a_seed_gives_the_same_answer_whatever_was_searched_before() {
    for level in [10, 15] {
        let answer = |engine: &mut Engine, received: &Receiver<Event>, fen: &str| {
            let found = play(engine, received, fen, Limits::default());
            (found.best, found.score, found.depth, found.nodes)
        };
        let (mut engine, received) = engine_of_level(level, 7);
        let first = POSITIONS.map(|fen| answer(&mut engine, &received, fen));
        let again = POSITIONS.map(|fen| answer(&mut engine, &received, fen));
        assert_eq!(first, again, "level {level}");
        let (mut engine, received) = engine_of_level(level, 7);
        assert_eq!(answer(&mut engine, &received, POSITIONS[3]), first[3], "level {level}");
    }
}

#[test]
fn a_draw_is_worth_the_same_to_every_strength() {
    // Two plies before the natural-move limit nothing can be captured: all lines are draws.
    let fen = "rnbakabnr/9/9/p1p1p1p1p/9/9/P1P1P1P1P/9/9/RNBAKABNR w - - 118 60";
    for level in [10, 20] {
        for score in [-200, 200] {
            let (mut engine, received) = engine_of_level(level, 1);
            engine.set_option("DrawScore", &score.to_string()).expect("a valid value");
            let found = play(&mut engine, &received, fen, depth(4));
            assert_eq!(found.score, Score::Cp(score), "level {level}");
        }
    }
}

#[test]
fn full_strength_takes_no_notice_of_the_seed() {
    let plain = {
        let (mut engine, received) = engine();
        play(&mut engine, &received, POSITIONS[2], depth(8))
    };
    let (mut engine, received) = engine_of_level(20, 5);
    let full = play(&mut engine, &received, POSITIONS[2], depth(8));
    assert_eq!((full.best, full.nodes), (plain.best, plain.nodes));
}

#[test]
fn a_beginner_gives_pieces_away_now_and_then_but_not_as_random_moves_do() {
    let random: usize = (POSITIONS.iter())
        .map(|fen| {
            let moves = Position::from_fen(fen).expect("a position").legal_moves();
            let lost = moves.iter().filter(|&&mv| gives_away(fen, mv)).count();
            // In thousandths of a move.
            1000 * lost / moves.len()
        })
        .sum();
    let seeds = 25;
    let (beginner, club) = (pieces_given_away(0, seeds), pieces_given_away(10, seeds));
    let beginner_share = 1000 * beginner / seeds as usize;
    assert!(beginner > 0 && 2 * beginner_share < random, "{beginner_share} of {random}");
    assert!(3 * club < beginner, "{club} and {beginner}");
}

#[test]
fn a_beginner_sees_most_mates_in_one_and_a_strong_player_all() {
    let mates = |level: u32| {
        (1..=50)
            .filter(|&seed| {
                let (mut engine, received) = engine_of_level(level, seed);
                let mv = choice(&mut engine, &received, MATE_IN_ONE);
                let mut position = Position::from_fen(MATE_IN_ONE).expect("a position");
                position.play_unchecked(mv);
                !position.has_legal_move()
            })
            .count()
    };
    let (beginner, strong) = (mates(0), mates(15));
    assert!((25..50).contains(&beginner), "{beginner} of 50");
    assert!(strong >= 48, "{strong} of 50");
}

#[test]
fn search_moves_and_banned_moves_hold_at_every_level() {
    let position = Position::startpos();
    let [first, second] = ["a3a4", "b0a2"].map(|text| position.parse_move(text).expect("a move"));
    for seed in 1..20 {
        let (mut engine, received) = engine_of_level(0, seed);
        let only = Limits { search_moves: vec![first, second], ..Limits::default() };
        let best = play(&mut engine, &received, START_FEN, only).best;
        assert!(best == Some(first) || best == Some(second), "{best:?}");
        let others = position.legal_moves().into_iter().filter(|&mv| mv != first).collect();
        let banned = Limits { banned_moves: others, ..Limits::default() };
        assert_eq!(play(&mut engine, &received, START_FEN, banned).best, Some(first));
    }
}

#[test]
fn an_infinite_search_waits_for_stop_and_a_ponder_search_for_the_hit() {
    let (mut engine, received) = engine_of_level(4, 1);
    let no_move = |received: &Receiver<Event>| {
        let end = Instant::now() + Duration::from_millis(300);
        while let Ok(event) = received.recv_deadline(end) {
            assert!(!matches!(event, Event::BestMove(_)), "before it was asked for");
        }
    };
    engine.go(infinite(), Instant::now());
    no_move(&received);
    engine.stop();
    assert!(best_move(&received).best.is_some());

    engine.go(Limits { ponder: true, ..Limits::default() }, Instant::now());
    no_move(&received);
    engine.ponder_hit();
    assert!(best_move(&received).best.is_some());
}

#[test]
fn the_time_for_a_move_begins_with_the_ponder_hit() {
    let short = Duration::from_millis(1);
    let clock = Clock { left: short, increment: Duration::ZERO, moves_to_go: None };
    let by_clock = Limits { clock: Some(clock), ponder: true, ..Limits::default() };
    let by_time = Limits { move_time: Some(short), ponder: true, ..Limits::default() };
    for limits in [by_clock, by_time] {
        // A search of this level takes hundreds of thousands of nodes. A busy machine may hold this
        // thread up before the hit, so one of several searches is enough.
        let nodes = (0..20).map(|_| {
            let (mut engine, received) = engine_of_level(19, 1);
            engine.go(limits.clone(), Instant::now());
            engine.ponder_hit();
            best_move(&received).nodes
        });
        let all: Vec<u64> = nodes.take_while(|&nodes| nodes >= 50_000).collect();
        assert!(all.len() < 20, "nodes after the hit, in a millisecond: {all:?}");

        let (mut engine, received) = engine_of_level(10, 1);
        let whole = play(&mut engine, &received, START_FEN, Limits::default()).nodes;
        let (mut engine, received) = engine_of_level(10, 1);
        engine.go(limits, Instant::now());
        // Its only line comes at the end of the search, which then waits for the hit.
        let line = received.recv_timeout(Duration::from_secs(60)).expect("a line");
        assert!(matches!(line, Event::Pv(_)), "{line:?}");
        engine.ponder_hit();
        assert_eq!(best_move(&received).nodes, whole, "before the hit no time is spent");
    }
}

#[test]
fn an_empty_clock_and_a_few_nodes_are_enough_for_a_move() {
    let clock = Clock { left: Duration::ZERO, increment: Duration::ZERO, moves_to_go: None };
    for level in [0, 19] {
        let (mut engine, received) = engine_of_level(level, 1);
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        assert!(play(&mut engine, &received, POSITIONS[1], limits).best.is_some());
        for nodes in [1, 10, 2_000] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let conclusion = play(&mut engine, &received, POSITIONS[1], limits);
            assert!(conclusion.best.is_some());
            // The first look at one move may go beyond the limit.
            assert!(conclusion.nodes < nodes + 500, "{nodes}: {}", conclusion.nodes);
        }
    }
}

#[test]
fn without_time_one_candidate_is_looked_at() {
    let (mut engine, received) = engine_of_level(19, 1);
    let all = play(&mut engine, &received, POSITIONS[1], depth(1)).nodes;
    let time = Some(Duration::from_millis(1));
    let ago = Instant::now().checked_sub(Duration::from_secs(1)).expect("a running clock");
    for ponder in [false, true] {
        let limits = Limits { move_time: time, depth: Some(1), ponder, ..Limits::default() };
        engine.go(limits, ago);
        if ponder {
            // Its only line comes at the end of the search: before the hit no time is spent.
            let line = received.recv_timeout(Duration::from_secs(60)).expect("a line");
            assert!(matches!(line, Event::Pv(_)), "{line:?}");
            engine.ponder_hit();
        }
        let found = best_move(&received);
        assert!(found.best.is_some());
        assert_eq!(ponder, found.nodes == all, "{} of {all} nodes", found.nodes);
        assert!(ponder || 5 * found.nodes < all, "{} of {all} nodes", found.nodes);
    }
}

#[test]
fn variety_chooses_among_the_best_moves() {
    let (mut engine, received) = engine();
    let best = play(&mut engine, &received, START_FEN, depth(6)).best;
    engine.set_option("randomness", "large").expect("a valid value");
    let mut chosen = Vec::new();
    for seed in 1..=12 {
        engine.set_option("Level Seed", &seed.to_string()).expect("a valid value");
        chosen.extend(play(&mut engine, &received, START_FEN, depth(6)).best);
    }
    assert_eq!(chosen.len(), 12);
    assert!(chosen.iter().any(|&mv| Some(mv) != best), "always {best:?}");
}

#[test]
fn a_limited_knowledge_changes_the_evaluation() {
    let (events, _received) = unbounded();
    let mut engine = Engine::new(events);
    engine.set_position(Position::from_fen(POSITIONS[2]).expect("a position"));
    let values: Vec<Score> = ["large", "medium", "small", "none"]
        .map(|knowledge| {
            engine.set_option("knowledge", knowledge).expect("a valid value");
            engine.evaluate()
        })
        .to_vec();
    for (index, value) in values.iter().enumerate() {
        assert!(!values[..index].contains(value), "{values:?}");
    }
}
