//! Files of games and samples, and the losses that damage to them causes.

use std::fs;
use std::path::PathBuf;

use cannonade_tables::random::Random;
use cannonade_training::{
    ArchiveWriter, DataFile, FilterSettings, GameFileError, GameReader, GameTextError, GameWriter,
    MAX_PLIES, PackedBoard, SampleFilter, SelfPlayGame, game_from_text, game_to_text, read_samples,
    write_samples,
};
use xiangqi::board::Position;
use xiangqi::geometry::{Color, Piece, Square};
use xiangqi::notation::Notation;

use crate::games::{random_game, scratch};

fn write(name: &str, games: &[SelfPlayGame]) -> PathBuf {
    let path = scratch(name);
    let mut writer = GameWriter::create(&path).expect("a new file");
    for game in games {
        writer.write(game).expect("a written game");
    }
    path
}

fn games(count: u32) -> Vec<SelfPlayGame> {
    (0..count).map(random_game).collect()
}

#[test]
fn games_survive_the_file_and_take_four_bytes_a_ply() {
    let games = games(50);
    let path = write("survive.games", &games);
    let mut reader = GameReader::open(&path).expect("a file of games");
    assert_eq!(reader.by_ref().collect::<Vec<_>>(), games);
    assert_eq!(reader.damage().spots, 0);
    let plies: usize = games.iter().map(|game| game.plies.len()).sum();
    let size = fs::metadata(&path).expect("the file").len() as usize;
    assert_eq!(size, 16 + games.len() * 44 + 4 * plies);
}

#[test]
fn a_damaged_byte_costs_one_game() {
    let games = games(20);
    let path = write("damaged.games", &games);
    let sound = fs::read(&path).expect("the file");
    let mut random = Random::new(3);
    for _ in 0..200 {
        let mut bytes = sound.clone();
        let at = 16 + random.below(bytes.len() - 16);
        bytes[at] ^= 1 + random.below(255) as u8;
        fs::write(&path, &bytes).expect("a writable file");
        let mut reader = GameReader::open(&path).expect("a file of games");
        let left: Vec<_> = reader.by_ref().collect();
        assert_eq!(left.len(), games.len() - 1, "byte {at}");
        assert!(left.iter().all(|game| games.contains(game)));
        assert_eq!(reader.damage().spots, 1);
    }
}

#[test]
fn a_torn_file_is_cut_to_its_sound_games_and_gone_on_with() {
    let games = games(5);
    let path = write("torn.games", &games[..4]);
    let bytes = fs::read(&path).expect("the file");
    fs::write(&path, &bytes[..bytes.len() - 7]).expect("a writable file");
    let mut seen = Vec::new();
    let mut writer = GameWriter::resume(&path, |game| seen.push(game)).expect("a file to resume");
    assert_eq!(seen, games[..3]);
    writer.write(&games[4]).expect("a written game");
    let read: Vec<_> = GameReader::open(&path).expect("a file of games").collect();
    assert_eq!(read, [&games[..3], &games[4..]].concat());
}

/// On other systems a lock would stop readers too, or there is none.
#[cfg(unix)]
#[test]
fn a_second_writer_of_a_file_is_refused_and_cuts_nothing() {
    let games = games(3);
    let path = scratch("two-writers.games");
    let mut first = GameWriter::create(&path).expect("a new file");
    first.write(&games[0]).expect("a written game");
    for second in [GameWriter::create(&path), GameWriter::resume(&path, |_| ())] {
        assert!(matches!(second, Err(GameFileError::Busy(_))));
    }
    first.write(&games[1]).expect("a written game");
    drop(first);
    let mut second = GameWriter::resume(&path, |_| ()).expect("a file that nobody writes");
    second.write(&games[2]).expect("a written game");
    let read: Vec<_> = GameReader::open(&path).expect("a file of games").collect();
    assert_eq!(read, games);
}

#[test]
fn a_file_without_a_whole_header_is_begun_anew_and_a_foreign_one_is_kept() {
    let games = games(2);
    let path = write("no-header.games", &games[..1]);
    let header = fs::read(&path).expect("the file")[..16].to_vec();
    for size in [0, 1, 15] {
        fs::write(&path, &header[..size]).expect("a writable file");
        let mut writer = GameWriter::resume(&path, |_| ()).expect("a file to begin");
        writer.write(&games[1]).expect("a written game");
        let read: Vec<_> = GameReader::open(&path).expect("a file of games").collect();
        assert_eq!(read, games[1..]);
    }
    for foreign in [b"CNG and more".as_slice(), b"text"] {
        fs::write(&path, foreign).expect("a writable file");
        assert!(matches!(GameWriter::resume(&path, |_| ()), Err(GameFileError::Foreign(..))));
        assert_eq!(fs::read(&path).expect("the file"), foreign);
    }
}

#[test]
fn foreign_files_are_refused() {
    let path = scratch("foreign.games");
    fs::write(&path, b"rnbakabnr/9/1c5c1").expect("a writable file");
    assert!(GameReader::open(&path).is_err());
    assert!(read_samples(&path).is_err());
    assert!(DataFile::open(&path).is_err_and(|error| error.to_string().contains("samples")));
    fs::write(&path, b"").expect("a writable file");
    assert!(GameReader::open(&path).is_err());
}

#[test]
fn a_start_with_bits_that_mean_nothing_is_refused() {
    let mut bytes = Vec::new();
    random_game(1).write(&mut bytes);
    // Bits after those of the squares.
    for (at, bit) in [(19, 0x40), (19, 0x04)] {
        let mut changed = bytes.clone();
        changed[at] ^= bit;
        let end = changed.len() - 4;
        let sum = crc32fast::hash(&changed[2..end]);
        changed[end..].copy_from_slice(&sum.to_le_bytes());
        let (game, _) = SelfPlayGame::read(&changed).expect("a whole game");
        assert!(game.position().is_err(), "{at} {bit}");
    }
}

#[test]
fn games_survive_text() {
    for game in games(20) {
        for notation in [Notation::Uci, Notation::Wxf, Notation::Chinese] {
            let line = game_to_text(&game, notation).expect("a game that can be played");
            assert_eq!(game_from_text(&line).as_ref(), Ok(&game));
        }
    }
    assert!(game_from_text("1;1-0;mate;rnbakabnr;").is_err());
    assert!(game_from_text("").is_err());
}

#[test]
fn text_that_a_file_of_games_cannot_hold_is_refused() {
    let start = "1;1/2-1/2;rules;3k5/9/9/9/9/9/9/9/9/R3K3R b - - 0 1;";
    let there_and_back = ["d9d8:0", "a0a1:0", "d8d9:0", "a1a0:0"];
    let line = |plies: usize| {
        let plies: Vec<_> = there_and_back.iter().cycle().take(plies).copied().collect();
        format!("{start}{}", plies.join(" "))
    };
    assert!(game_from_text(&line(MAX_PLIES)).is_ok());
    assert_eq!(game_from_text(&line(MAX_PLIES + 1)), Err(GameTextError::Long));
    let surplus = game_from_text(&format!("{};d9d8:0", line(1)));
    assert_eq!(surplus, Err(GameTextError::Surplus("d9d8:0".to_owned())));
}

#[test]
fn samples_are_quiet_undecided_and_unique_and_survive_the_file() {
    let mut filter = SampleFilter::new(FilterSettings::default());
    let mut samples = Vec::new();
    for game in games(50) {
        filter.filter_game(&game, &mut samples).expect("a game that can be played");
    }
    let counts = filter.counts();
    let dropped = counts.checks + counts.captures + counts.decided + counts.duplicates;
    assert_eq!(counts.seen, counts.kept + dropped);
    assert_eq!(counts.kept, samples.len() as u64);
    assert!(counts.duplicates > 0, "all games start alike");
    for sample in &samples {
        let mut board = sample.board.unpack().expect("a placement");
        board.set_side(Color::Red);
        assert!(Position::from_board(board, 0).is_ok_and(|position| !position.in_check()));
        assert!(sample.score.abs() < 2000);
    }
    let path = scratch("some.samples");
    write_samples(&path, &samples).expect("a written file");
    assert_eq!(read_samples(&path).expect("a file of samples"), samples);
    let bytes = fs::read(&path).expect("the file");
    fs::write(&path, &bytes[..bytes.len() - 1]).expect("a writable file");
    assert!(read_samples(&path).is_err());

    // Samples that no game has, with a right checksum: no such piece; a bishop where none can
    // stand; no such result; a third rook.
    let mut wrong = [samples[2]; 4];
    bytemuck::bytes_of_mut(&mut wrong[0].board)[12] = 0xFF;
    let mut board = Position::startpos().board().clone();
    board.put(Piece::from_letter('B').expect("a bishop"), Square::from_index(40));
    wrong[1].board = PackedBoard::pack(&board, true);
    wrong[2].result = 3;
    let mut board = Position::startpos().board().clone();
    board.put(Piece::from_letter('R').expect("a rook"), Square::from_index(40));
    wrong[3].board = PackedBoard::pack(&board, true);
    for sample in wrong {
        write_samples(&path, &[samples[0], sample]).expect("a written file");
        let error = read_samples(&path).expect_err("a damaged file").to_string();
        assert!(error.contains("sample 2 cannot occur"), "{error}");
    }
}

#[test]
fn positions_with_colours_exchanged_are_packed_alike() {
    let red = "3k5/4a4/9/4P4/9/2n6/9/4B4/9/3AK4 w";
    let black = "3ak4/9/4b4/9/2N6/9/4p4/9/4A4/3K5 b";
    let pack = |fen| {
        let position = Position::from_fen(fen).expect("a position");
        PackedBoard::pack(position.board(), true)
    };
    assert_eq!(pack(red), pack(black));
    let position = Position::from_fen(black).expect("a position");
    let packed = PackedBoard::pack(position.board(), false);
    assert_eq!(packed.unpack().as_ref(), Some(position.board()));
}

#[test]
fn an_archive_reads_as_the_games_it_was_made_of_and_takes_no_more() {
    let games = games(40);
    let path = scratch("kept.archive");
    let mut archive = ArchiveWriter::create(&path).expect("a new archive");
    for game in &games {
        archive.write(game.clone()).expect("a legal game");
    }
    let size = archive.finish().expect("a written archive");
    assert_eq!(fs::metadata(&path).expect("an archive").len(), size);
    assert_eq!(GameReader::open(&path).expect("an archive").collect::<Vec<_>>(), games);
    assert!(matches!(DataFile::open(&path), Ok(DataFile::Games(_))));
    let refused = GameWriter::resume(&path, |_| ());
    assert!(matches!(refused, Err(GameFileError::Archive(_))));
    assert_eq!(fs::metadata(&path).expect("an archive").len(), size);
}

#[test]
fn damage_costs_an_archive_its_block_only() {
    let path = scratch("damaged.archive");
    let mut archive = ArchiveWriter::create(&path).expect("a new archive");
    for game in games(10) {
        archive.write(game).expect("a legal game");
    }
    let size = archive.finish().expect("a written archive");
    let mut bytes = fs::read(&path).expect("an archive");
    let other = bytes[16..].to_vec();
    bytes[100] ^= 1;
    bytes.extend(other);
    fs::write(&path, bytes).expect("a damaged archive");
    let mut reader = GameReader::open(&path).expect("an archive");
    assert_eq!(reader.by_ref().collect::<Vec<_>>(), games(10));
    assert_eq!((reader.damage().spots, reader.damage().bytes), (1, size - 16));
}
