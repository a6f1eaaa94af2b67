//! `.obk` files: those that Python's `sqlite3` has written, and small ones made here.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use cannonade_book::{Book, BookFormat, ContentError, verify};
use xiangqi::board::Position;

const UNREADABLE: &str = "it is a SQLite file, but not a readable .obk book: ";

/// The key of the starting position.
const START: i64 = 7_101_337_512_282_506_414;

/// The key of the position after h2e2, as text.
const AFTER_H2E2: &str = "11667368640340953070";

/// Moves as the files have them.
const H2E2: i64 = 0xAAA7;
const C3C4: i64 = 0x9585;
const B2E2: i64 = 0xA4A7;

fn refused(bytes: &[u8]) -> String {
    Book::from_bytes(bytes).expect_err("no book").to_string()
}

fn obk(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
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
    let unreadable = UNREADABLE;
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

/// A value of a row.
#[derive(Clone, Copy)]
enum Value<'a> {
    Null,
    Integer(i64),
    Real(f64),
    Text(&'a str),
}

use Value::{Integer, Null, Real, Text};

const PAGE: usize = 65_536;

fn varint(number: usize) -> Vec<u8> {
    let mut bytes = vec![(number & 0x7F) as u8];
    let mut rest = number >> 7;
    while rest > 0 {
        bytes.insert(0, (rest & 0x7F) as u8 | 0x80);
        rest >>= 7;
    }
    bytes
}

/// Returns a row as SQLite stores it (sqlite.org/fileformat2.html, 2.1).
fn row(values: &[Value<'_>]) -> Vec<u8> {
    let (mut kinds, mut content) = (Vec::new(), Vec::new());
    for value in values {
        match value {
            Null => kinds.push(0),
            Integer(number) => {
                kinds.push(6);
                content.extend(number.to_be_bytes());
            }
            Real(number) => {
                kinds.push(7);
                content.extend(number.to_be_bytes());
            }
            Text(text) => {
                kinds.extend(varint(13 + 2 * text.len()));
                content.extend(text.as_bytes());
            }
        }
    }
    let header = varint(kinds.len() + 2).len() + kinds.len();
    [varint(header), kinds, content].concat()
}

/// Returns the page of these rows; `count` times as many cells lead to each of them.
fn leaf(header: usize, rows: &[Vec<u8>], count: usize) -> Vec<u8> {
    let mut page = vec![0; PAGE];
    page[header] = 0x0D;
    page[header + 3..header + 5].copy_from_slice(&((rows.len() * count) as u16).to_be_bytes());
    let (mut end, mut pointer) = (PAGE, header + 8);
    for row in rows {
        let cell = [varint(row.len()), vec![1], row.clone()].concat();
        end -= cell.len();
        page[end..end + cell.len()].copy_from_slice(&cell);
        for _ in 0..count {
            page[pointer..pointer + 2].copy_from_slice(&(end as u16).to_be_bytes());
            pointer += 2;
        }
    }
    assert!(pointer <= end, "the rows do not fit");
    page
}

/// Returns a file with the table that this text creates, on the page 2.
fn sqlite(sql: &str, pages: &[Vec<u8>]) -> Vec<u8> {
    let schema = row(&[Text("table"), Text("bhobk"), Text("bhobk"), Integer(2), Text(sql)]);
    let mut first = leaf(100, &[schema], 1);
    first[..16].copy_from_slice(b"SQLite format 3\0");
    first[16..18].copy_from_slice(&[0, 1]);
    [first, pages.concat()].concat()
}

/// Returns a file with a table of these columns and rows.
fn table(columns: &str, rows: &[&[Value<'_>]]) -> Vec<u8> {
    let rows: Vec<_> = rows.iter().map(|values| row(values)).collect();
    sqlite(&format!("CREATE TABLE bhobk ({columns})"), &[leaf(0, &rows, 1)])
}

/// The moves of the starting position, with their weights.
fn first_moves(bytes: &[u8]) -> Vec<String> {
    moves_after(&Book::from_bytes(bytes).expect("a book"), "")
}

#[test]
fn columns_of_obk_files_are_found_however_they_are_declared() {
    let off: &[Value<'_>] = &[Integer(START), Integer(B2E2), Integer(50), Integer(0)];
    let on: &[Value<'_>] = &[Integer(START), Integer(H2E2), Integer(120), Integer(1)];
    for columns in [
        "vkey INTEGER, vmove INTEGER, vscore INTEGER, vvalid INTEGER",
        "\"vkey\"INTEGER, [vmove], `vscore` NUMERIC(20, 0), 'vvalid'",
        "vkey, vmove, /* weight, points */ vscore, vvalid",
        "vkey, vmove, -- weight, (points\n vscore, vvalid -- 0: off\n",
        "vkey, vmove TEXT DEFAULT '(', vscore, vvalid",
        "next INTEGER GENERATED ALWAYS AS (vkey + 1), vkey, vmove, vscore, vvalid",
    ] {
        let found = first_moves(&table(columns, &[on, off]));
        assert_eq!(found, ["h2e2 120", "b2e2 0"], "{columns}");
    }
}

#[test]
fn rows_that_are_older_than_a_column_have_its_default() {
    let rows: [&[Value<'_>]; 2] =
        [&[Integer(START), Integer(H2E2), Integer(1)], &[Integer(START), Integer(C3C4)]];
    let moves = |default: &str| {
        Book::from_bytes(&table(&format!("vkey, vmove, vvalid {default}"), &rows))
            .map(|book| moves_after(&book, ""))
    };
    for (default, expected) in [
        ("DEFAULT 0", ["h2e2 1", "c3c4 0"]),
        ("INTEGER NOT NULL DEFAULT '0'", ["h2e2 1", "c3c4 0"]),
        ("DEFAULT 1", ["h2e2 1", "c3c4 1"]),
        ("INTEGER", ["h2e2 1", "c3c4 1"]),
    ] {
        let mut expected = expected.map(str::to_owned).to_vec();
        let mut found = moves(default).expect("a book");
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{default}");
    }
    let reason = "the default of its column vvalid is no plain value";
    let error = moves("DEFAULT (1 - 1)").expect_err("an expression");
    assert_eq!(error.to_string(), format!("{UNREADABLE}{reason}"));
}

#[test]
fn weights_of_obk_files_are_not_cut_and_those_below_0_are_off() {
    let row = |mv, score| [Integer(START), Integer(mv), Integer(score)];
    let rows = [row(H2E2, 400_000), row(C3C4, 100_000), row(B2E2, -7)];
    let found = first_moves(&table("vkey, vmove, vscore", &rows.each_ref().map(|row| &row[..])));
    assert_eq!(found, ["h2e2 400000", "c3c4 100000", "b2e2 0"]);
    // Nor are numbers of games.
    let row = |mv, games| [Integer(START), Integer(mv), Integer(games)];
    let rows = [row(H2E2, 400_000), row(C3C4, 100_000)];
    let found = first_moves(&table("vkey, vmove, vwin", &rows.each_ref().map(|row| &row[..])));
    assert_eq!(found, ["h2e2 400000", "c3c4 100000"]);
}

#[test]
fn rounded_keys_of_obk_files_are_refused_and_keys_that_are_no_numbers_left_out() {
    let start: &[Value<'_>] = &[Integer(START), Integer(H2E2)];
    let bytes = table("vkey REAL, vmove", &[start, &[Real(START as f64), Integer(C3C4)]]);
    assert_eq!(refused(&bytes), format!("{UNREADABLE}its keys are rounded"));
    // After h2e2 the key is beyond 63 bits: here exact, as a file without rounded keys has it.
    let after: &[Value<'_>] = &[Text(AFTER_H2E2), Integer(0x3455)];
    for text in ["nan", "-nan", "inf", "7e18"] {
        let rows: [&[Value<'_>]; 4] =
            [start, after, &[Text(text), Integer(C3C4)], &[Null, Integer(C3C4)]];
        let book = Book::from_bytes(&table("vkey TEXT, vmove", &rows)).expect("a book");
        assert_eq!((book.len(), moves_after(&book, "")), (2, vec!["h2e2 1".to_owned()]), "{text}");
        assert_eq!(moves_after(&book, "h2e2"), ["b9c7 1"], "{text}");
    }
}

/// Read one by one, they would take minutes.
#[test]
fn cells_that_share_a_long_row_are_refused_soon() {
    let long = row(&vec![Null; 16_000]);
    let pages = vec![leaf(0, &[long], 16_000); 20];
    let mut root = vec![0; PAGE];
    root[0] = 0x05;
    root[3..5].copy_from_slice(&(pages.len() as u16).to_be_bytes());
    root[8..12].copy_from_slice(&3_u32.to_be_bytes());
    for cell in 0..pages.len() {
        let at = 1000 + 8 * cell;
        root[12 + 2 * cell..14 + 2 * cell].copy_from_slice(&(at as u16).to_be_bytes());
        root[at..at + 4].copy_from_slice(&(3 + cell as u32).to_be_bytes());
    }
    let bytes = sqlite("CREATE TABLE bhobk (vkey, vmove)", &[vec![root], pages].concat());
    let start = Instant::now();
    assert_eq!(refused(&bytes), format!("{UNREADABLE}a page is damaged"));
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn an_obk_file_whose_last_changes_are_in_a_log_is_refused() {
    let folder = crate::folder::empty_folder("book", "obk-log");
    let path = folder.join("book.obk");
    fs::write(&path, table("vkey, vmove", &[&[Integer(START), Integer(H2E2)]]))
        .expect("our folder");
    let log = folder.join("book.obk-wal");
    fs::write(&log, "").expect("our folder");
    assert_eq!(Book::open(&path).expect("an empty log").len(), 1);
    fs::write(&log, "x").expect("our folder");
    let error = Book::open(&path).expect_err("a log").to_string();
    let reason = "its last changes are still in book.obk-wal; close the program that writes it";
    assert!(error.ends_with(reason), "{error}");
}
