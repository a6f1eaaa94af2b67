//! Files with checksums: networks, self-play games, books, tables. Each input is read unchanged,
//! and once more with the checksum that its bytes have, since the first reading nearly always ends
//! there.

use std::fs;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use cannonade_book::{Book, BookBuilder, BuildSettings, Weighting};
use cannonade_engine::nnue::{Accumulators, Network, Shape, Simd, Weights, network_to_bytes};
use cannonade_tables::random::Random;
use cannonade_tables::{Signature, Tables, VerifyPlan, verify};
use cannonade_training::{SelfPlayGame, game_from_text, game_to_text};
use xiangqi::board::Position;
use xiangqi::notation::Notation;
use xiangqi::records;

use super::super::corpus;
use super::{Form, Target};

/// Refused, or evaluates a position alike with every instruction set, and is written unchanged.
pub const NETWORK: Target = Target {
    name: "network",
    form: Form::File,
    seeds: networks,
    check: network,
    inputs: [200, 1_000],
    accepted: 100,
};

/// Refused, or the same after being written, as bytes and as text.
pub const SELF_PLAY: Target = Target {
    name: "self-play",
    form: Form::File,
    seeds: self_play_games,
    check: self_play,
    inputs: [10_000, 50_000],
    accepted: 40,
};

/// Refused, or all of its lines can be played.
pub const BOOK: Target = Target {
    name: "book",
    form: Form::File,
    seeds: books,
    check: book,
    inputs: [2_000, 10_000],
    accepted: 40,
};

/// Refused, or all of its values can be read.
pub const TABLE: Target = Target {
    name: "table",
    form: Form::File,
    seeds: tables,
    check: table,
    inputs: [100, 500],
    accepted: 100,
};

/// The bytes with the CRC-32 of those from `from` on stored at `at`.
fn with_sum(input: &[u8], at: usize, from: usize) -> Vec<u8> {
    let mut bytes = input.to_vec();
    if bytes.len() >= from.max(at + 4) {
        let sum = crc32fast::hash(&bytes[from..]);
        bytes[at..at + 4].copy_from_slice(&sum.to_le_bytes());
    }
    bytes
}

fn networks() -> Vec<Vec<u8>> {
    let mut random = Random::new(1);
    let mut weights =
        |count: usize| -> Vec<i16> { (0..count).map(|_| random.below(300) as i16 - 150).collect() };
    let shapes = [(32, 1, true, 0, false), (32, 8, false, 0, true), (64, 1, true, 2, true)];
    let mut bytes = |(width, buckets, paired, pairs, threats)| {
        let shape = Shape { width, buckets, paired, pairs, threats };
        let units = shape.free_units();
        let weights = Weights {
            inputs: weights(shape.features() * units),
            biases: weights(units),
            outputs: weights(buckets * 2 * units),
            output_biases: vec![1000; buckets],
            second: weights(shape.second_weights()),
            second_biases: vec![1000; buckets * pairs],
            second_outputs: weights(buckets * pairs),
        };
        network_to_bytes(shape, &weights, "a small network")
    };
    shapes.into_iter().map(&mut bytes).collect()
}

fn network(input: &[u8]) -> bool {
    // The checksum of the version that is written, and that of the old version.
    read_network(input)
        | read_network(&with_sum(input, 36, 40))
        | read_network(&with_sum(input, 28, 32))
}

fn read_network(bytes: &[u8]) -> bool {
    let Ok(network) = Network::from_bytes(bytes) else { return false };
    let again = Network::from_bytes(&network.to_bytes()).expect("its own bytes");
    assert_eq!((again.shape(), again.weights()), (network.shape(), network.weights()));
    let mut values = Simd::ALL.iter().filter_map(|&simd| {
        let mut accumulators = Accumulators::new(Arc::new(network.with_simd(simd)?));
        Some(accumulators.evaluate(Position::startpos().board()))
    });
    let first = values.next().expect("plain Rust is always there");
    assert!(values.all(|value| value == first));
    true
}

fn self_play_games() -> Vec<Vec<u8>> {
    let texts = corpus::lines("self-play.txt");
    let games = texts.iter().map(|line| {
        let game = game_from_text(&String::from_utf8_lossy(line)).expect("a game of the corpus");
        let mut bytes = Vec::new();
        game.write(&mut bytes);
        bytes
    });
    games.chain(texts.iter().cloned()).collect()
}

fn self_play(input: &[u8]) -> bool {
    // The checksum follows the body, whose length its first two bytes have.
    let mut repaired = input.to_vec();
    let length = input.get(2..4).map_or(0, |two| usize::from(u16::from_le_bytes([two[0], two[1]])));
    let end = 4 + length;
    if repaired.len() >= end + 4 {
        let sum = crc32fast::hash(&repaired[2..end]);
        repaired[end..end + 4].copy_from_slice(&sum.to_le_bytes());
    }
    let text = game_from_text(&String::from_utf8_lossy(input));
    if let Ok(game) = &text {
        survives_as_text(game);
    }
    read_self_play(input) | read_self_play(&repaired) | text.is_ok()
}

fn read_self_play(bytes: &[u8]) -> bool {
    let Some((game, size)) = SelfPlayGame::read(bytes) else { return false };
    let mut written = Vec::new();
    game.write(&mut written);
    assert!(size <= bytes.len());
    assert_eq!(SelfPlayGame::read(&written), Some((game.clone(), written.len())));
    if game.replay(|_, _, _| {}).is_ok() {
        survives_as_text(&game);
    }
    true
}

fn survives_as_text(game: &SelfPlayGame) {
    let text = game_to_text(game, Notation::Uci).expect("its moves are legal");
    // The counters of a FEN end at 9999.
    let game = SelfPlayGame { halfmove_clock: game.halfmove_clock.min(9999), ..game.clone() };
    assert_eq!(game_from_text(&text).as_ref(), Ok(&game), "{text}");
}

fn books() -> Vec<Vec<u8>> {
    let mut builder = BookBuilder::new(BuildSettings {
        plies: 12,
        min_games: 1,
        weighting: Weighting::Games,
        credit: "games of the tests".to_owned(),
    });
    for file in corpus::records() {
        records::read(&file).games.iter().for_each(|game| builder.add(game));
    }
    // A book of ElephantEye: two moves of the starting position.
    let eye =
        [[0xD5, 0x56, 0x26, 0x05, 0xAA, 0xA7, 1, 0], [0xD5, 0x56, 0x26, 0x05, 0xA4, 0xA7, 9, 0]];
    [vec![builder.finish(), eye.concat()], corpus::files("crates/book/tests/data")].concat()
}

fn book(input: &[u8]) -> bool {
    read_book(input) | read_book(&with_sum(input, 12, 16))
}

fn read_book(bytes: &[u8]) -> bool {
    let Ok(read) = Book::from_bytes(bytes) else { return false };
    let start = Position::startpos();
    let moves = read.moves(&start);
    assert!(moves.iter().all(|one| start.check_move(one.mv).is_ok()));
    assert_eq!(cannonade_book::shares(&moves, 50).len(), moves.len());
    let found = cannonade_book::verify(&read, &[start]);
    assert!(found.unreached <= read.len() && read.positions() <= read.len());
    true
}

/// The three smallest of the tables that are part of the program.
fn tables() -> Vec<Vec<u8>> {
    let path = corpus::repository("crates/tables/src/built-in.bin");
    let all = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut rest = all.as_slice();
    let mut tables = Vec::new();
    while let Some(size) = rest.get(16..24).and_then(|size| size.try_into().ok()) {
        let (table, behind) = rest.split_at(u64::from_le_bytes(size) as usize);
        tables.push(table.to_vec());
        rest = behind;
    }
    tables.sort_by_key(Vec::len);
    tables.truncate(3);
    tables
}

fn table(input: &[u8]) -> bool {
    let mut repaired = input.to_vec();
    if let Some(size) = repaired.get_mut(16..24) {
        size.copy_from_slice(&(input.len() as u64).to_le_bytes());
    }
    read_table(input) | read_table(&with_sum(&repaired, 12, 16))
}

/// Reads a table as the only file of a folder.
fn read_table(bytes: &[u8]) -> bool {
    static FOLDER: LazyLock<std::path::PathBuf> = LazyLock::new(|| {
        let folder = std::env::temp_dir().join(format!("cannonade-fuzz-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a writable folder");
        folder
    });
    let name = String::from_utf8_lossy(bytes.get(24..48).unwrap_or_default()).into_owned();
    let Ok(signature) = name.trim_end_matches('\0').parse::<Signature>() else { return false };
    let path = FOLDER.join(format!("{signature}.cnt"));
    fs::write(&path, bytes).expect("a writable folder");
    let opened = Tables::open(&FOLDER);
    let accepted = opened.is_ok_and(|(tables, problems)| {
        let plan = VerifyPlan { positions: Some(200), searched: 0, plies: 0, seed: 1, threads: 1 };
        let found = verify(&tables, signature, &plan, &AtomicBool::new(false));
        assert!(found.contradictions <= found.positions);
        problems.is_empty()
    });
    fs::remove_file(&path).expect("the file can go");
    accepted
}
