//! Short texts: FEN, moves, commands, settings of engines and other words of the command line.

use std::sync::LazyLock;
use std::time::Duration;

use cannonade_engine::Options;
use cannonade_engine::raw_text;
use cannonade_engine::uci::{Command, Setup};
use cannonade_game::ClockControl;
use cannonade_match::EngineSettings;
use cannonade_tables::{Signature, parse_family};
use xiangqi::board::Position;
use xiangqi::geometry::Color;
use xiangqi::notation::{self, Notation, Ranks};
use xiangqi::records::TextEncoding;
use xiangqi::rules::RuleSet;

use super::super::corpus;
use super::{Form, Target};

/// Refused, or valid and the same after being written; a move made and unmade leaves it the same.
pub const FEN: Target = Target {
    name: "fen",
    form: Form::Line,
    seeds: corpus::fens,
    check: fen,
    inputs: [20_000, 200_000],
    accepted: 20,
};

/// Refused, or legal and the same after being written in each notation.
pub const MOVE: Target = Target {
    name: "move",
    form: Form::Line,
    seeds: || corpus::lines("move.txt"),
    check: mv,
    inputs: [20_000, 200_000],
    accepted: 40,
};

/// Limits in bounds; a wrong option changes nothing; a position is read alike in each way.
pub const LINE: Target = Target {
    name: "line",
    form: Form::Line,
    seeds: || {
        let mut seeds = corpus::lines("line.txt");
        seeds.extend(corpus::sessions().into_iter().flatten());
        seeds
    },
    check: line,
    inputs: [20_000, 200_000],
    accepted: 4,
};

/// The settings of an engine in a match, and words after other flags.
pub const SETTING: Target = Target {
    name: "setting",
    form: Form::Line,
    seeds: || corpus::lines("setting.txt"),
    check: setting,
    inputs: [20_000, 100_000],
    accepted: 40,
};

fn fen(input: &[u8]) -> bool {
    let Ok(mut position) = Position::from_fen(&raw_text::decode(input)) else { return false };
    let fen = position.fen();
    let again = Position::from_fen(&fen).expect("its own FEN is valid");
    assert_eq!((again.fen(), again.key()), (fen.clone(), position.key()));
    let moves = position.legal_moves();
    let Some(&mv) = moves.get(input.len() % moves.len().max(1)) else { return true };
    position.play_unchecked(mv);
    assert_eq!(Position::from_fen(&position.fen()).map(|p| p.key()), Ok(position.key()));
    position.unmake();
    assert_eq!((position.fen(), position.key()), (fen, again.key()));
    true
}

fn mv(input: &[u8]) -> bool {
    static START: LazyLock<Position> = LazyLock::new(Position::startpos);
    let text = raw_text::decode(input);
    for ranks in [Ranks::FromZero, Ranks::FromOne] {
        if let Some(mv) = ranks.read(&text) {
            assert_eq!(ranks.read(&ranks.write(mv)), Some(mv));
        }
    }
    if let Ok(mv) = START.parse_move(&text) {
        assert_eq!(START.check_move(mv), Ok(mv));
    }
    let Ok(mv) = notation::read(&START, &text) else { return false };
    assert_eq!(START.check_move(mv), Ok(mv));
    for one in Notation::ALL {
        let ranks = if one == Notation::UciFromOne { Ranks::FromOne } else { Ranks::FromZero };
        let written = notation::write(&START, mv, one);
        assert_eq!(notation::read_with(&START, &written, ranks), Ok(mv), "{written}");
    }
    true
}

fn line(input: &[u8]) -> bool {
    match Command::parse(&raw_text::decode(input)) {
        Ok(Command::Go(request)) => {
            for (side, unit) in [(Color::Red, 1), (Color::Black, 1000)] {
                let limits = request.limits(side, Duration::from_millis(unit));
                let century = Duration::from_secs(3_000_000_000);
                assert!(limits.move_time.is_none_or(|time| time < century));
                assert!(limits.clock.is_none_or(|clock| clock.left < century));
                assert!(limits.depth.is_none_or(|depth| depth > 0));
            }
            true
        }
        Ok(Command::Position(setup)) => is_consistent(&setup),
        Ok(Command::SetOption { name, value }) => {
            let mut options = Options::default();
            let refused = options.set(&name, &value).is_err();
            if refused {
                assert_eq!(options, Options::default(), "{name} {value}");
            }
            assert!((1..=512).contains(&options.threads));
            assert!((1..=65536).contains(&options.hash_mib));
            !refused
        }
        other => other.is_ok(),
    }
}

/// Returns whether a position is read; both readings of its moves are then checked.
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

fn setting(input: &[u8]) -> bool {
    let text = raw_text::decode(input);
    let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    let mut accepted = EngineSettings::parse(&[], &words).is_ok();
    for word in &words {
        if let Ok(clock) = word.parse::<ClockControl>() {
            assert_eq!(clock.to_string().parse(), Ok(clock), "{word}");
        }
        if let Ok(rules) = word.parse::<RuleSet>() {
            assert_eq!(rules.to_string().parse::<RuleSet>().ok(), Some(rules));
            accepted = true;
        }
        if let Ok(notation) = word.parse::<Notation>() {
            assert_eq!(notation.to_string().parse(), Ok(notation));
            accepted = true;
        }
        if let Ok(signature) = word.parse::<Signature>() {
            assert_eq!(signature.to_string().parse::<Signature>().ok(), Some(signature));
            accepted = true;
        }
        accepted |= parse_family(word).is_ok();
        accepted |= word.parse::<TextEncoding>().is_ok();
    }
    accepted
}
