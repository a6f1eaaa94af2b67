//! The content of the written files, byte by byte where it matters.

use xiangqi::board::{Position, START_FEN};
use xiangqi::geometry::Color;
use xiangqi::notation::Notation;
use xiangqi::records::{FileKind, Game, TextEncoding, WriteError, read, write};
use xiangqi::rules::GameResult;

use crate::common::snapshots::assert_text;

use super::tree::dhtmlxq;

fn sample(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/records/");
    std::fs::read(format!("{folder}{name}")).expect("a sample")
}

fn file(game: &Game, kind: FileKind) -> Vec<u8> {
    let written = write(std::slice::from_ref(game), kind, Notation::Iccs, TextEncoding::Utf8);
    written.expect("the kind holds the game")
}

fn read_one(bytes: &[u8]) -> Game {
    let collection = read(bytes);
    assert_eq!(collection.problems, []);
    let [game] = &collection.games[..] else { panic!("{} games", collection.games.len()) };
    game.clone()
}

/// A game with these moves.
fn game(fen: &str, moves: &[&str]) -> Game {
    let start = Position::from_fen(fen).expect("a position");
    let moves = moves.iter().map(|text| text.parse().expect("a move"));
    Game::with_moves(start, moves).expect("legal moves")
}

#[test]
fn an_xqf_file_is_laid_out_as_others_write_it() {
    for name in ["fen1.v0a.xqf", "var1.v0a.xqf"] {
        let original = sample(name);
        let written = file(&read_one(&original), FileKind::Xqf);
        // Which of two equal men comes first does not matter.
        for men in [16..32, 32..48] {
            let sorted = |bytes: &[u8]| {
                let mut men = bytes[men.clone()].to_vec();
                men.sort_unstable();
                men
            };
            assert_eq!(sorted(&written), sorted(&original), "{name}");
        }
        assert_eq!(written[..3], original[..3], "{name}: magic and version");
        assert_eq!(written[50..65], original[50..65], "{name}: side, result and type");
        assert_eq!(written[80..512], original[80..512], "{name}: texts");
        assert_eq!(written[1024..], with_windows_lines(&original)[1024..], "{name}: moves");
    }
}

/// The sample with the end of line that XQStudio writes, in its one comment of two lines.
fn with_windows_lines(sample: &[u8]) -> Vec<u8> {
    let comment = |text: &str| {
        let bytes = encoding_rs::GB18030.encode(text).0.into_owned();
        [&(bytes.len() as u32).to_le_bytes()[..], &bytes].concat()
    };
    let (old, new) = (comment("两行注解\n第二行"), comment("两行注解\r\n第二行"));
    let at = sample.windows(old.len()).position(|window| window == old).expect("the comment");
    [&sample[..at], &new, &sample[at + old.len()..]].concat()
}

#[test]
fn a_cbr_file_is_laid_out_as_others_write_it() {
    for name in ["fen1.cbr", "var1.cbr"] {
        let original = sample(name);
        let written = file(&read_one(&original), FileKind::Cbr);
        assert_eq!(written, original, "{name}");
    }
}

#[test]
fn long_names_are_cut_between_characters() {
    let mut game = game(START_FEN, &["h2e2"]);
    game.set_tag("Red", "一二三四五六七八九十").expect("a tag");
    game.set_tag("White", "ignored").expect("a tag");
    game.set_tag("Black", "x".repeat(300)).expect("a tag");
    for (kind, red, black) in [(FileKind::Xqf, 7, 15), (FileKind::Cbr, 10, 31)] {
        let again = read_one(&file(&game, kind));
        let length = |side| again.player(side).map(|name| name.chars().count());
        assert_eq!((length(Color::Red), length(Color::Black)), (Some(red), Some(black)), "{kind}");
    }
}

#[test]
fn the_side_to_move_and_the_result_are_kept_without_a_move() {
    let fen = "3ak4/9/9/9/9/9/9/9/4p4/R2K5 b - - 0 1";
    for kind in [FileKind::Xqf, FileKind::Cbr, FileKind::Cbf] {
        let mut game = game(fen, &[]);
        game.result = GameResult::BlackWins;
        let again = read_one(&file(&game, kind));
        assert_eq!((again.start().fen(), again.result), (fen.to_owned(), game.result), "{kind}");
    }
}

#[test]
fn a_cbf_file_is_sound_xml_with_any_name() {
    let mut game = game(START_FEN, &["h2e2", "h9g7"]);
    game.set_tag("Red", "<A & \"B\">\u{1}\u{FFFE}\u{FFFF}").expect("a tag");
    let text = String::from_utf8(file(&game, FileKind::Cbf)).expect("UTF-8");
    assert_text!("cbf", &text);
    let again = read_one(text.as_bytes());
    assert_eq!((again.tag("Red"), again.moves()), (Some("<A & \"B\">"), game.moves()));
}

#[test]
fn dhtmlxq_without_moves_has_the_side_that_is_possible() {
    let black_in_check = game("3k5/9/9/9/9/9/9/9/3R5/4K4 b - - 0 1", &[]);
    let again = read_one(dhtmlxq(&black_in_check).as_bytes());
    assert_eq!(again.start().side(), Color::Black);
}

#[test]
fn lists_are_read_in_any_notation_with_numbers_and_comments() {
    for (text, lengths) in [
        ("1-0 炮二平五 马８进７\n0-1 C2=5 H8+7\n", [2, 2]),
        ("*\n1-0 h2e2 h9g7\n", [0, 2]),
        ("# my list\n1-0 1. h2e2 h9g7\n\n# the second\n0-1 1. b2e2\n", [2, 1]),
        // These are PGN.
        ("h2e2 h9g7 1-0\nb2e2 0-1\n", [2, 1]),
        ("1. h2e2 h9g7 1-0 1. b2e2 0-1\n", [2, 1]),
        ("1. 炮二平五 马８进７ 1-0\nread www.example.com\n炮二平五 0-1\n", [2, 1]),
    ] {
        let found = read(text.as_bytes());
        assert_eq!(found.problems, [], "{text}");
        assert_eq!(found.games.iter().map(Game::len).collect::<Vec<_>>(), lengths, "{text}");
    }
}

#[test]
fn a_list_and_position_lines_hold_several_games() {
    let mut games = [game(START_FEN, &["h2e2", "h9g7"]), game(START_FEN, &["b2e2"])];
    games[0].result = GameResult::Draw;
    let written = |games: &[Game], kind| {
        let bytes = write(games, kind, Notation::Iccs, TextEncoding::Utf8)?;
        Ok::<_, WriteError>(String::from_utf8(bytes).expect("UTF-8"))
    };
    let list = written(&games, FileKind::List).expect("a list");
    assert_eq!(list, "1/2-1/2 h2e2 h9g7\n* b2e2\n");
    let lines = written(&games, FileKind::Position).expect("lines");
    assert_eq!(lines, "position startpos moves h2e2 h9g7\nposition startpos moves b2e2\n");
    for text in [list, lines] {
        let again = read(text.as_bytes());
        assert_eq!(again.problems, []);
        assert_eq!(again.games.iter().map(Game::len).collect::<Vec<_>>(), [2, 1]);
    }
    games[1] = game("3k5/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 1", &["a0a9"]);
    let refused = written(&games, FileKind::List);
    assert_eq!(refused, Err(WriteError::OtherStart { number: 2 }));
    let line = written(&games[1..], FileKind::Position).expect("a line");
    assert_eq!(line, "position fen 3k5/9/9/9/9/9/9/9/4A4/R3K4 w - - 0 1 moves a0a9\n");
}

#[test]
fn position_lines_of_clients_and_logs_are_read() {
    let text = "position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w moves \
                h3e3 h10g8\n\nstartpos\nposition startpos moves h2e2 h2e2\nhello\n\
                position startpos moves b2e2 banmoves h9g7\nposition fen 9/9 w\n";
    let collection = read(text.as_bytes());
    assert_eq!(collection.kind, FileKind::Position);
    let counts: Vec<usize> = collection.games.iter().map(Game::len).collect();
    assert_eq!(counts, [2, 0, 1, 1]);
    assert_eq!(collection.games[0].moves()[0].to_string(), "h2e2", "ranks from 1");
    let places: Vec<_> =
        collection.problems.iter().map(|problem| (problem.game, problem.line)).collect();
    assert_eq!(places, [(3, Some(4)), (4, Some(5)), (6, Some(7))]);
}

#[test]
fn the_moves_before_a_defect_count_ranks_as_the_whole_line_does() {
    let text = "position fen 3k5/9/9/9/9/9/9/R8/R8/4K4 w - - 0 1 moves a2b2 zz a10a9\n";
    let collection = read(text.as_bytes());
    assert_eq!(collection.problems.len(), 1);
    let moves: Vec<String> = collection.games[0].moves().iter().map(ToString::to_string).collect();
    assert_eq!(moves, ["a1b1"], "ranks from 1, because of a10");
}

#[test]
fn the_header_of_a_cut_xqf_file_is_read() {
    let whole = sample("fen1.v0a.xqf");
    let collection = read(&whole[..1026]);
    assert_eq!((collection.games.len(), collection.problems.len()), (1, 1));
    let (cut, whole) = (&collection.games[0], read_one(&whole));
    assert_eq!((cut.start().fen(), cut.tags()), (whole.start().fen(), whole.tags()));
}

#[test]
fn kinds_that_cannot_hold_the_games_say_so() {
    let games = [game(START_FEN, &[]), game(START_FEN, &[])];
    let refused = |games: &[Game], kind| {
        write(games, kind, Notation::Iccs, TextEncoding::Utf8).expect_err("refused").to_string()
    };
    let refusals = [
        refused(&games, FileKind::Xqf),
        refused(&[], FileKind::Cbf),
        refused(&games[..1], FileKind::Cbl),
    ];
    assert_text!("kinds-without-room", refusals.join("\n"));
}

#[test]
fn a_list_is_one_whether_its_first_move_is_legal_or_not() {
    let text = "1-0 h2e9 h9g7\n0-1 h2e2 h9g7 h0g2\n1/2-1/2 b2e2 b9c7\n";
    let collection = read(text.as_bytes());
    assert_eq!((collection.kind, collection.problems.len()), (FileKind::List, 1));
    assert_eq!(collection.games.iter().map(Game::len).collect::<Vec<_>>(), [0, 3, 2]);
    let results: Vec<_> = collection.games.iter().map(|game| game.result).collect();
    assert_eq!(results, [GameResult::RedWins, GameResult::BlackWins, GameResult::Draw]);
    for (text, count) in [("*\n1-0\n", 2), ("0-1\n", 1), ("# one game\n*", 1)] {
        let without_moves = read(text.as_bytes());
        assert_eq!((without_moves.kind, without_moves.games.len()), (FileKind::List, count));
    }
}

#[test]
fn a_list_is_read_with_commas_and_its_defects_are_reported() {
    for text in ["1-0,h2e2,h9g7\n", "1-0 h2e2, h9g7\n", "1-0; h2e2; h9g7;\n", "1-0，h2e2，h9g7\n"]
    {
        let collection = read(text.as_bytes());
        assert_eq!(
            (collection.kind, &collection.problems[..]),
            (FileKind::List, &[][..]),
            "{text}"
        );
        let game = &collection.games[0];
        assert_eq!((game.len(), game.result), (2, GameResult::RedWins), "{text}");
    }
    // It must not be taken for a game without moves that has no defect.
    let unknown = read(b"1-0 h2e2h9g\n0-1 b2e2\n");
    assert_eq!((unknown.kind, unknown.problems.len()), (FileKind::List, 1));
    let remark = read(b"1-0 {a game without moves}\n");
    assert_eq!((remark.kind, remark.problems.len()), (FileKind::Pgn, 0));
}

#[test]
fn a_list_holds_the_usual_start_with_any_counters() {
    let fen = START_FEN.replace("0 1", "3 5");
    let bytes = file(&game(&fen, &["h2e2"]), FileKind::List);
    assert_eq!(bytes, b"* h2e2\n");
}

#[test]
fn dhtmlxq_keeps_black_to_move_without_a_move() {
    let fen = "3ak4/9/9/9/9/9/9/9/4p4/R2K5 b - - 0 1";
    let text = dhtmlxq(&game(fen, &[]));
    assert_eq!(read_one(text.as_bytes()).start().fen(), fen, "{text}");
    let red = dhtmlxq(&game(&fen.replace(" b ", " w "), &[]));
    assert!(!red.contains("DhtmlXQ_fen"), "{red}");
}

#[test]
fn a_start_of_dhtmlxq_that_is_no_position_is_a_defect() {
    let read = |start: &str| {
        let text = format!("[DhtmlXQ]\n{start}\n[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n");
        let collection = read(text.as_bytes());
        (collection.games.iter().map(Game::len).collect::<Vec<_>>(), collection.problems.len())
    };
    assert_eq!(read("[DhtmlXQ_fen]9/9 w[/DhtmlXQ_fen]"), (vec![], 1));
    assert_eq!(read("[DhtmlXQ_fen][/DhtmlXQ_fen]"), (vec![1], 0));
    // The men decide where the file has them.
    let men = "8979695949392919097717866646260600102030405060708012720323436383";
    let both = format!("[DhtmlXQ_binit]{men}[/DhtmlXQ_binit]\n[DhtmlXQ_fen]9/9 w[/DhtmlXQ_fen]");
    assert_eq!(read(&both), (vec![1], 0));
}

#[test]
fn dhtmlxq_results_are_read_in_several_forms() {
    for (text, result) in [
        ("和局", GameResult::Draw),
        ("红方胜", GameResult::RedWins),
        ("红先胜", GameResult::RedWins),
        ("黑負", GameResult::RedWins),
        ("红先负", GameResult::BlackWins),
        ("红先和", GameResult::Draw),
        ("0-1", GameResult::BlackWins),
        ("未知", GameResult::Unknown),
    ] {
        let text = format!(
            "[DhtmlXQ]\n[DhtmlXQ_result]{text}[/DhtmlXQ_result]\n\
             [DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]\n[/DhtmlXQ]\n"
        );
        assert_eq!(read_one(text.as_bytes()).result, result, "{text}");
    }
}

#[test]
fn the_other_lines_of_a_log_are_passed_over() {
    let lines = "ucci\nid name x\nucciok\nsetoption usemillisec true\nposition startpos moves h2e2\n\
                 go depth 3\ninfo depth 1 score 2\nbestmove h9g7\nposition startpos moves h2e2 h9g7\n";
    let ours: String = lines.lines().map(|line| format!(">> {line}\n")).collect();
    for text in [lines, &ours] {
        let collection = read(text.as_bytes());
        assert_eq!((collection.kind, &collection.problems[..]), (FileKind::Position, &[][..]));
        assert_eq!(collection.games.iter().map(Game::len).collect::<Vec<_>>(), [1, 2]);
    }
}

#[test]
fn dhtmlxq_in_big5_keeps_the_result() {
    use GameResult::{BlackWins, Draw, RedWins, Unknown};
    for (result, text) in
        [(RedWins, "紅勝"), (BlackWins, "黑勝"), (Draw, "和棋"), (Unknown, "未知")]
    {
        let mut game = game(START_FEN, &["h2e2"]);
        game.result = result;
        let games = [game];
        let bytes = write(&games, FileKind::DhtmlXq, Notation::Chinese, TextEncoding::Big5);
        let bytes = bytes.expect("all characters");
        assert!(
            TextEncoding::Big5
                .encode(text)
                .is_ok_and(|text| { bytes.windows(text.len()).any(|part| part == text) })
        );
        assert_eq!(read(&bytes).games, games);
    }
}

#[test]
fn only_a_notation_that_helps_is_recommended() {
    let mut game = game(START_FEN, &["h2e2", "h9g7"]);
    let error = |game: &Game, kind, notation| {
        let written = write(std::slice::from_ref(game), kind, notation, TextEncoding::Big5);
        written.expect_err("simplified characters").to_string()
    };
    let advice = ", or the notation 'traditional'";
    assert!(error(&game, FileKind::Pgn, Notation::Chinese).ends_with(advice));
    game.set_tag("Red", "许银川").expect("a tag");
    for (kind, notation) in [
        (FileKind::Pgn, Notation::Chinese),
        (FileKind::Pgn, Notation::Traditional),
        (FileKind::DhtmlXq, Notation::Chinese),
    ] {
        assert!(error(&game, kind, notation).ends_with("such as utf-8"), "{kind} {notation}");
    }
}
