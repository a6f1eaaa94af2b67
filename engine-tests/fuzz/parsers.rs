//! The parsers: FEN, moves, commands, options, positions.

use std::time::Duration;

use cannonade::board::Position;
use cannonade::engine::Options;
use cannonade::engine::raw_text;
use cannonade::geometry::Color;
use cannonade::notation::{self, Ranks};
use cannonade::protocol::{Command, Setup};
use cannonade::random::Random;

use crate::corpus;
use crate::mutation::mutate_line;
use crate::run;

const INPUTS: usize = if cfg!(debug_assertions) { 20_000 } else { 200_000 };

/// A line of the corpus, changed in up to three places.
fn changed<'a>(seeds: &'a [Vec<u8>]) -> impl FnMut(&mut Random) -> Vec<u8> + 'a {
    move |random| {
        let mut line = seeds[random.below(seeds.len())].clone();
        for _ in 0..random.below(4) {
            mutate_line(&mut line, seeds, random);
        }
        line
    }
}

#[test]
fn a_fen_is_refused_or_survives_being_written() {
    let seeds = corpus::fens();
    let mut valid = 0;
    run("fen", INPUTS, changed(&seeds), |input| {
        let text = raw_text::decode(input);
        let Ok(mut position) = Position::from_fen(&text) else { return 1 };
        valid += 1;
        let fen = position.fen();
        let again = Position::from_fen(&fen).expect("its own FEN is valid");
        assert_eq!((again.fen(), again.key()), (fen.clone(), position.key()));
        let moves = position.legal_moves();
        let Some(&mv) = moves.get(input.len() % moves.len().max(1)) else { return 1 };
        position.make(mv);
        assert_eq!(Position::from_fen(&position.fen()).map(|p| p.key()), Ok(position.key()));
        position.unmake();
        assert_eq!((position.fen(), position.key()), (fen, again.key()));
        1
    });
    assert!(valid > INPUTS / 20, "the changes are too wild: {valid}");
}

#[test]
fn a_move_is_refused_or_is_legal_and_survives_being_written() {
    let seeds = corpus::lines("move.txt");
    let start = Position::startpos();
    run("move", INPUTS, changed(&seeds), |input| {
        let text = raw_text::decode(input);
        for ranks in [Ranks::FromZero, Ranks::FromOne] {
            if let Some(mv) = ranks.read(&text) {
                assert_eq!(ranks.read(&ranks.write(mv)), Some(mv));
            }
        }
        if let Ok(mv) = notation::read(&start, &text) {
            assert_eq!(start.check_move(mv), Ok(mv));
        }
        if let Ok(mv) = start.parse_move(&text) {
            assert_eq!(start.check_move(mv), Ok(mv));
        }
        1
    });
}

#[test]
fn any_line_is_a_command_or_is_not() {
    let mut seeds = corpus::lines("line.txt");
    seeds.extend(corpus::sessions().into_iter().flatten());
    let mut positions = 0;
    run("line", INPUTS, changed(&seeds), |input| {
        match Command::parse(&raw_text::decode(input)) {
            Ok(Command::Go(request)) => {
                for (side, unit) in [(Color::Red, 1), (Color::Black, 1000)] {
                    let limits = request.limits(side, Duration::from_millis(unit));
                    let century = Duration::from_secs(3_000_000_000);
                    assert!(limits.move_time.is_none_or(|time| time < century));
                    assert!(limits.clock.is_none_or(|clock| clock.left < century));
                    assert!(limits.depth.is_none_or(|depth| depth > 0));
                }
            }
            Ok(Command::Position(setup)) => positions += usize::from(is_consistent(&setup)),
            Ok(Command::SetOption { name, value }) => {
                let mut options = Options::default();
                if options.set(&name, &value).is_err() {
                    assert_eq!(options, Options::default(), "{name} {value}");
                }
                assert!((1..=512).contains(&options.threads));
                assert!((1..=65536).contains(&options.hash_mib));
            }
            _ => {}
        }
        1
    });
    assert!(positions > INPUTS / 200, "the changes are too wild: {positions}");
}

/// Whether a position is read; both readings of its moves are then checked.
fn is_consistent(setup: &Setup) -> bool {
    let [zero, one] = [Ranks::FromZero, Ranks::FromOne].map(|ranks| setup.position(ranks));
    let likely = setup.position_in_either(Ranks::FromZero);
    match (&zero, &one) {
        (Ok(position), _) => {
            assert_eq!(likely.as_ref().map(|(p, _)| p.key()), Ok(position.key()));
        }
        (Err(_), Ok(position)) => {
            assert_eq!(
                likely.as_ref().map(|(p, r)| (p.key(), *r)),
                Ok((position.key(), Ranks::FromOne))
            );
        }
        (Err(_), Err(_)) => assert!(likely.is_err()),
    }
    likely.is_ok()
}
