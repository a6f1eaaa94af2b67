//! Properties of undo and redo over random changes.

use cannonade_tables::random::Random;
use web_time::{Duration, Instant};
use xiangqi::board::{Move, Position};
use xiangqi::geometry::Color;
use xiangqi::notation::Notation;
use xiangqi::records::{Game, NodeId, write_pgn};
use xiangqi::rules::{GameResult, Regulations};

use super::*;

const SECOND: Duration = Duration::from_secs(1);

/// The visible state of a game.
#[derive(PartialEq, Debug)]
struct Look {
    record: String,
    number: u64,
    node: NodeId,
    fen: String,
    end: Option<GameEnd>,
    times: Option<[Duration; 2]>,
    players: u32,
}

fn look(game: &PlayedGame<u32>) -> Look {
    let (mut clock, now) = (game.clock().copied(), Instant::now());
    // An undone change restores the time of its turn.
    clock.iter_mut().for_each(GameClock::restart_turn);
    Look {
        record: write_pgn(game.record(), Notation::Uci),
        number: game.number(),
        node: game.node(),
        fen: game.position().fen(),
        end: game.end(),
        times: clock.map(|clock| Color::ALL.map(|side| clock.left(side, now))),
        players: *game.players(),
    }
}

/// Returns a node of the tree that was not removed.
fn any_node(game: &PlayedGame<u32>, random: &mut Random) -> NodeId {
    let nodes: Vec<NodeId> = (0..=game.record().len()).filter_map(|i| game.node_id(i)).collect();
    nodes[random.below(nodes.len())]
}

fn play_in_time(game: &mut PlayedGame<u32>, mv: Move, now: Instant) {
    game.change(ChangeKind::Move, |game| {
        game.press_clock(now);
        game.play(mv);
    });
}

fn play_any(game: &mut PlayedGame<u32>, random: &mut Random, now: Instant) {
    let moves = game.position().legal_moves();
    if !moves.is_empty() {
        let mv = moves[random.below(moves.len())];
        if random.below(2) == 0 { game.play(mv) } else { play_in_time(game, mv, now) }
    }
}

/// Makes a random change of any kind; it may change nothing.
fn change(game: &mut PlayedGame<u32>, random: &mut Random, now: Instant) {
    let node = any_node(game, random);
    let number = random.below(1000);
    let side = game.position().side();
    match random.below(12) {
        0 => game.change(ChangeKind::Remove, |game| game.remove(node)),
        1 => game.change(ChangeKind::Promote, |game| game.promote(node)),
        2 => game.change(ChangeKind::Annotate, |game| {
            game.set_comment(node, &format!("comment {number}"));
            if node != NodeId::ROOT {
                game.set_glyphs(node, vec![1 + (number % 6) as u8]);
            }
        }),
        3 => game
            .change(ChangeKind::Tags, |game| game.set_tag("Event", &number.to_string()))
            .expect("a tag"),
        4 => game.change(ChangeKind::Tags, |game| game.set_tag("Red", "")).expect("a tag"),
        5 => game.resign(side),
        6 => game.change(ChangeKind::TimeForfeit, |game| game.end_on_time(side)),
        7 => game.change(ChangeKind::Resume, |game| {
            game.revoke_end();
            game.set_result(GameResult::Unknown);
            *game.players_mut() = u32::try_from(number).expect("small");
            let control = ClockControl { moves: None, time: 60 * SECOND, increment: SECOND };
            game.set_clock(Some(GameClock::new(control, Duration::ZERO)));
        }),
        8 if number < 200 => {
            let mut record = Game::new(Position::startpos());
            record.set_tag("Red", "somebody").expect("a tag");
            record.add(NodeId::ROOT, "h2e2".parse().expect("a move")).expect("legal");
            game.change(ChangeKind::Replace, |game| game.replace(record));
        }
        9 => game.change(ChangeKind::TakeBack, |game| {
            let (last, previous) = (game.game().node(), game.game().previous());
            game.go_to(previous);
            game.remove(last);
        }),
        _ => play_any(game, random, now),
    }
}

#[test]
fn an_illegal_move_changes_nothing() {
    let mut game: PlayedGame =
        PlayedGame::new(Game::new(Position::startpos()), Regulations::default());
    game.play("h2h7".parse().expect("a move"));
    game.play("h9g7".parse().expect("a move"));
    assert_eq!((game.record().len(), game.position().ply(), game.last_change()), (0, 0, None));
}

#[test]
fn undo_leads_back_to_the_start_and_redo_to_the_end() {
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let mut game = PlayedGame::new(Game::new(Position::startpos()), Regulations::default());
        let now = Instant::now();
        // The looks before and after each step.
        let mut looks = Vec::new();
        while looks.len() < 120 {
            if random.below(3) == 0 {
                let node = any_node(&game, &mut random);
                game.go_to(node);
            }
            let before = look(&game);
            let steps = game.history_len();
            change(&mut game, &mut random, now);
            if game.history_len() > steps {
                looks.push((before, look(&game)));
            } else {
                assert_eq!(before, look(&game), "a change without a step, seed {seed}");
            }
        }
        for _ in 0..2 {
            for (before, _) in looks.iter().rev() {
                assert!(game.undo().is_some());
                assert_eq!(&look(&game), before, "seed {seed}");
            }
            assert_eq!(game.undo(), None);
            for (_, after) in &looks {
                assert!(game.redo().is_some());
                assert_eq!(&look(&game), after, "seed {seed}");
            }
            assert_eq!(game.redo(), None);
        }
        // A new change after some were undone is undone like any other.
        let back = random.below(60);
        for _ in 0..back {
            game.undo();
        }
        let before = look(&game);
        game.change(ChangeKind::Annotate, |game| game.set_comment(NodeId::ROOT, "another"));
        assert_eq!(game.last_undone(), None);
        game.undo();
        assert_eq!(look(&game), before);
    }
}

fn played(moves: &[&str]) -> PlayedGame<u32> {
    let mut game = PlayedGame::new(Game::new(Position::startpos()), Regulations::default());
    for text in moves {
        game.play(game.position().parse_move(text).expect("a legal move"));
    }
    game
}

#[test]
fn a_move_in_place_of_an_undone_one_ends_redo() {
    let mut game = played(&["h2e2", "h9g7", "h0g2"]);
    game.undo();
    assert_eq!(game.last_undone(), Some(ChangeKind::Move));
    game.play(game.position().parse_move("b0c2").expect("a legal move"));
    assert_eq!((game.redo(), game.record().moves().len()), (None, 3));
}

#[test]
fn clocks_go_back_and_forward_with_the_moves() {
    let mut game = played(&[]);
    let control = ClockControl { moves: None, time: 60 * SECOND, increment: 5 * SECOND };
    game.set_clock(Some(GameClock::new(control, Duration::ZERO)));
    let now = Instant::now();
    let times = |game: &PlayedGame<u32>| look(game).times.map(|times| times.map(|t| t.as_secs()));
    let play = |game: &mut PlayedGame<u32>, text: &str, seconds: u32| {
        let side = game.position().side();
        game.clock_mut().expect("a clock").start(side, now);
        let mv = game.position().parse_move(text).expect("a legal move");
        play_in_time(game, mv, now + seconds * SECOND);
    };
    play(&mut game, "h2e2", 2);
    play(&mut game, "h9g7", 3);
    assert_eq!(times(&game), Some([63, 62]));
    game.undo();
    assert_eq!(times(&game), Some([63, 60]));
    game.undo();
    assert_eq!(times(&game), Some([60, 60]));
    game.redo();
    assert_eq!(times(&game), Some([63, 60]));
}

/// Red is idle in the first turn and checks in the second.
#[test]
fn a_repetition_is_ruled_as_the_end_that_it_brings() {
    let start = Position::from_fen("3k5/9/9/9/9/9/9/9/4A4/R3K4 w").expect("a position");
    let mut game: PlayedGame = PlayedGame::new(Game::new(start), Regulations::default());
    for mv in "a0a9 d9d8 a9b9 d8d7 b9a9 d7d8 a9a8 d8d9 a8a9 d9d8".split(' ') {
        game.play(mv.parse().expect("a move"));
    }
    let repetition = game.repetition().expect("a repetition");
    assert_eq!((repetition.times, repetition.ruling.loser), (3, None));
    assert!(game.end().is_some_and(|end| end.winner.is_none()));
}

#[test]
fn known_moves_lead_along_the_line_and_others_are_variations() {
    let mut game = played(&["h2e2", "h9g7"]);
    game.go_to(NodeId::ROOT);
    for text in ["h2e2", "b9c7"] {
        game.play(game.position().parse_move(text).expect("a legal move"));
    }
    assert_eq!((game.record().len(), game.moves().len()), (3, 2));
    assert_eq!(game.line().len(), 3);
}

#[test]
fn the_place_before_a_removed_move_is_shown() {
    let mut game = played(&["h2e2", "h9g7", "h0g2"]);
    let second = game.record().path_to(game.node())[1];
    game.change(ChangeKind::Remove, |game| game.remove(second));
    assert_eq!(game.position().ply(), 1);
    assert_eq!((game.next(), game.node_id(second.index())), (game.node(), None));
    game.change(ChangeKind::Remove, |game| game.remove(NodeId::ROOT));
    assert_eq!(game.record().moves().len(), 1);
    assert_eq!(game.undo(), Some(ChangeKind::Remove));
    assert_eq!(game.position().ply(), 3);
}

#[test]
fn an_end_without_the_rules_is_shown_where_it_came_and_nowhere_else() {
    let mut game = played(&["h2e2", "h9g7"]);
    game.resign(Color::Red);
    assert_eq!(game.end(), Some(GameEnd::loss(Color::Red, EndReason::Resignation)));
    assert_eq!(game.record().result, GameResult::BlackWins);
    game.go_to(game.previous());
    assert_eq!(game.end(), None);
    assert_eq!(game.undo(), Some(ChangeKind::Resign));
    assert_eq!((game.end(), game.record().result), (None, GameResult::Unknown));
    assert_eq!(game.position().ply(), 2, "the place of the change");
}
