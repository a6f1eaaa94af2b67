//! Sound files, damaged files, foreign files.

use std::path::Path;

use cannonade_book::{Book, BookFormat, ContentError, verify};
use cannonade_tables::random::Random;
use xiangqi::board::Position;

use crate::games::{GAMES, book_of, settings};

/// The book of master games that is shipped.
const SHIPPED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../books/masters.cnb");

#[test]
fn every_move_of_the_shipped_book_is_legal_and_reached() {
    let book = Book::open(Path::new(SHIPPED)).expect("the shipped book");
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

/// CRC-32 as zlib has it, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
    !bytes.iter().fold(!0, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| step(crc)))
}
