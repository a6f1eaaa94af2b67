//! Sound files, damaged files, foreign files.

use std::fs;
use std::path::Path;

use cannonade::book::{Book, BookFormat, ContentError, verify};
use cannonade::random::Random;
use xiangqi::board::Position;

use super::{GAMES, book_of, settings, shipped};

#[test]
fn every_move_of_the_shipped_book_is_legal_and_reached() {
    let book = Book::open(&shipped()).expect("the shipped book");
    assert_eq!(book.format(), BookFormat::Cannonade);
    assert!(book.credit().contains("CC BY 4.0"), "{}", book.credit());
    let found = verify(&book, &[Position::startpos()]);
    assert_eq!((found.illegal, found.unreached), (0, 0), "{:?}", found.examples);
    assert!(found.moves > 1000 && found.moves == book.len(), "{found:?}");
}

/// Walks from the start as games do, so that mirrored positions are met as well.
#[test]
fn a_thousand_moves_of_random_book_games_are_legal() {
    let (book, mut random) = (Book::built_in(), Random::new(11));
    let mut checked = 0;
    while checked < 1000 {
        let mut position = Position::startpos();
        loop {
            let moves = book.moves(&position);
            let Some(one) = moves.get(random.below(moves.len().max(1))) else { break };
            // Either of the two symmetric moves may come first.
            let is_first = position.ply() == 0 && random.below(2) == 0;
            let mv = if is_first { one.mv.mirror() } else { one.mv };
            assert_eq!(position.check_move(mv), Ok(mv), "{}", position.fen());
            position.play_unchecked(mv);
            checked += 1;
        }
    }
}

#[test]
fn damaged_files_are_refused_with_the_reason() {
    let good = book_of(GAMES, settings());
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] ^= byte;
        bytes
    };
    assert!(Book::from_bytes(&good).is_ok());
    for (bytes, reason) in [
        (good[..good.len() - 1].to_vec(), "truncated or too long"),
        (good[..20].to_vec(), "truncated or too long"),
        ([good.as_slice(), b"x"].concat(), "truncated or too long"),
        (changed(good.len() - 3, 0x40), "it is damaged: checksum"),
        (changed(12, 0x01), "it is damaged: checksum"),
        (changed(8, 0x08), "version 9; this program reads version 1"),
        (changed(0, 0x20), "neither a book of 'cannonade book build' nor a BOOK.DAT"),
        (Vec::new(), "neither a book"),
        (b"PK\x03\x04 something else".to_vec(), "neither a book"),
    ] {
        let message = Book::from_bytes(&bytes).map(|book| book.len()).expect_err(reason);
        assert!(message.to_string().contains(reason), "{message}");
    }
}

/// With a right checksum, as a program with an error would write them.
#[test]
fn records_that_are_wrong_are_refused_although_the_checksum_is_right() {
    let good = book_of(GAMES, settings());
    let credit = settings().credit.len();
    let first = 32 + credit;
    let sealed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = good.clone();
        change(&mut bytes);
        let sum = crc32(&bytes[16..]);
        bytes[12..16].copy_from_slice(&sum.to_le_bytes());
        Book::from_bytes(&bytes).map(|book| book.len())
    };
    assert!(sealed(&|_| {}).is_ok());
    assert_eq!(sealed(&|bytes| bytes[first + 8] = 127), Err(ContentError::Move(1)));
    let swap = |bytes: &mut Vec<u8>| {
        let (a, b) = (bytes[first..first + 20].to_vec(), bytes[first + 20..first + 40].to_vec());
        bytes[first..first + 40].copy_from_slice(&[b, a].concat());
    };
    assert_eq!(sealed(&swap), Err(ContentError::Order(2)));
}

#[test]
fn random_bytes_are_refused_and_never_a_panic() {
    let (good, mut random) = (book_of(GAMES, settings()), Random::new(3));
    for _ in 0..20_000 {
        let mut bytes: Vec<u8> = (0..random.below(200)).map(|_| random.bits() as u8).collect();
        if random.below(2) == 0 {
            let head = random.below(40).min(bytes.len());
            bytes[..head].copy_from_slice(&good[..head]);
        }
        assert!(Book::from_bytes(&bytes).is_err(), "{bytes:?}");
    }
}

/// CRC-32 as zlib has it, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| step(crc)))
}

fn obk(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("engine-tests/data/books");
    fs::read(folder.join(name)).expect("a book of the tests")
}

/// The moves of a book after a line, with their weights.
fn moves_after(book: &Book, line: &str) -> Vec<String> {
    let mut position = Position::startpos();
    for mv in line.split_whitespace() {
        position.play_unchecked(position.parse_move(mv).expect("a legal move"));
    }
    let moves = book.moves(&position).into_iter();
    moves.map(|one| format!("{} {}", one.mv, one.weight)).collect()
}

#[test]
fn obk_files_are_read_whatever_the_order_of_their_pieces() {
    for name in ["red-first.obk", "black-first.obk"] {
        let book = Book::from_bytes(&obk(name)).expect(name);
        assert_eq!(
            (book.format(), book.len(), book.games_and_plies()),
            (BookFormat::Obk, 70, None)
        );
        let moves = |line| moves_after(&book, line);
        assert_eq!(moves(""), ["h2e2 120", "c3c4 60", "b2e2 30", "a3a4 0"], "{name}");
        assert_eq!(moves("h2e2"), ["h9g7 120", "h7e7 80"], "{name}: a key beyond 63 bits");
        assert_eq!(moves("g3g4"), ["c6c5 60"], "{name}: a mirror image");
        assert_eq!(moves("h2e2 h9g7 h0g2"), ["i9h9 120"], "{name}");
        let first = book.moves(&Position::startpos())[0].results.expect("games");
        assert_eq!((first.wins, first.draws, first.losses), (20, 20, 25));
        let found = verify(&book, &[Position::startpos()]);
        // 60 rows belong to no position.
        assert_eq!((found.illegal, found.unreached), (0, 60), "{name}: {:?}", found.examples);
    }
}

#[test]
fn obk_files_are_read_with_keys_as_text_and_moves_of_both_mirror_images() {
    let book = Book::from_bytes(&obk("text-keys.obk")).expect("a book");
    assert_eq!(moves_after(&book, ""), ["c3c4 1", "g3g4 1", "h2e2 1"]);
    assert_eq!(moves_after(&book, "h2e2"), ["h9g7 1"], "a key beyond 63 bits, with 15 digits");
    let mut both = moves_after(&book, "c3c4");
    both.sort();
    assert_eq!(both, ["b9c7 1", "g6g5 1"]);
    assert_eq!(verify(&book, &[Position::startpos()]).unreached, 0);
}

/// SQLite stores them as integers in a column of integers, the other large keys as they are.
#[test]
fn obk_files_are_read_with_keys_that_are_whole_floating_point_numbers() {
    let book = Book::from_bytes(&obk("whole-keys.obk")).expect("a book");
    assert_eq!(moves_after(&book, "i0i2 i9i7 b2c2"), ["b9c7 1"]);
    assert_eq!(verify(&book, &[Position::startpos()]).unreached, 0);
}

/// The bytes with another name, of the same length, in the schema.
fn renamed(bytes: &[u8], name: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for at in 0..bytes.len() - name.len() {
        if bytes[at..].starts_with(name) {
            bytes[at..at + name.len()].copy_from_slice(other);
        }
    }
    bytes
}

#[test]
fn obk_files_that_cannot_be_used_are_refused_with_the_reason() {
    let bytes = obk("red-first.obk");
    for length in [16, 99, 100, 512, 1024] {
        let cut = Book::from_bytes(&bytes[..length]).map(|book| book.len());
        assert!(matches!(cut, Err(ContentError::Sqlite(_))), "{length}: {cut:?}");
    }
    let refused = |bytes: &[u8]| Book::from_bytes(bytes).expect_err("no book").to_string();
    let unreadable = "it is a SQLite file, but no .obk book that can be read: ";
    let other = renamed(&bytes, b"bhobk", b"other");
    assert_eq!(refused(&other), format!("{unreadable}it has no table bhobk, but other"));
    let other = renamed(&bytes, b"vmove", b"vbest");
    let columns = "id, vkey, vbest, vscore, vwin, vdraw, vlost, vvalid, vmemo, vindex";
    let reason = format!("its table bhobk has no column vmove, but {columns}");
    assert_eq!(refused(&other), unreadable.to_owned() + &reason);
    // The remarks in place of the moves.
    let other = renamed(&renamed(&bytes, b"vmove", b"other"), b"vmemo", b"vmove");
    let reason = "no row has a key and a move as numbers";
    assert_eq!(refused(&other), unreadable.to_owned() + reason);
    let start = 7_101_337_512_282_506_414_u64.to_be_bytes();
    let mut strange = bytes.clone();
    for at in 0..bytes.len() - 8 {
        if bytes[at..at + 8] == start {
            strange[at + 7] ^= 1;
        }
    }
    let found = Book::from_bytes(&strange).map(|book| book.len());
    assert_eq!(found, Err(ContentError::UnknownKeys));
}
