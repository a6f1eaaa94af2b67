//! PGN as programs and people write it.

use xiangqi::board::START_FEN;
use xiangqi::geometry::Color;
use xiangqi::notation::Notation;
use xiangqi::records::{Collection, FileKind, Game, NodeId, TextEncoding, read, write_pgn};
use xiangqi::rules::GameResult;

use crate::common::snapshots::assert_text;

use super::tree::{dhtmlxq, tree_text};

fn read_text(text: &str) -> Collection {
    let collection = read(text.as_bytes());
    assert_eq!(collection.kind, FileKind::Pgn);
    collection
}

/// The tree of the only game of a text without defects.
fn tree_of(text: &str) -> String {
    let collection = read_text(text);
    assert_eq!(collection.problems, [], "{text}");
    assert_eq!(collection.games.len(), 1, "{text}");
    tree_text(&collection.games[0])
}

#[test]
fn a_comment_that_quotes_another_format_does_not_change_the_kind() {
    for quoted in ["[DhtmlXQ_init]500,350[/DhtmlXQ_init]", "<ChineseChessRecord>"] {
        let text = format!("[Event \"e\"]\n\n1. h2e2 {{from {quoted}}} h9g7 *\n");
        let expected = format!("{START_FEN} h2e2 {{from {quoted}}} h9g7 *");
        assert_eq!(tree_of(&text), expected);
        let game = &read_text(&text).games[0];
        let again = dhtmlxq(game);
        let collection = read(again.as_bytes());
        assert_eq!(collection.kind, FileKind::DhtmlXq, "{again}");
        assert_eq!(collection.games[0].moves(), game.moves(), "{again}");
    }
}

#[test]
fn a_comment_with_a_line_like_a_tag_stays_one_comment() {
    let mut game = read_text("1. h2e2 h9g7 *").games.remove(0);
    let first = game.children(NodeId::ROOT)[0];
    game.add_comment(first, "quoted:\n[Event \"another game\"]\n[Red \"x\"]");
    let pgn = write_pgn(&game, Notation::Uci);
    let collection = read_text(&pgn);
    assert_eq!(collection.problems, [], "{pgn}");
    assert_eq!(collection.games.len(), 1, "{pgn}");
    assert_eq!(collection.games[0].moves(), game.moves(), "{pgn}");
    assert!(collection.games[0].comment(first).ends_with("[Red \"x\"]"), "{pgn}");
}

#[test]
fn every_notation_is_read_without_being_told() {
    let expected = format!("{START_FEN} h2e2 h9g7 h0g2 g6g5 1-0");
    for moves in [
        "1. H2-E2 H9-G7 2. H0-G2 G6-G5 1-0",
        "h2e2 h9g7 h0g2 g6g5 1-0",
        "1. h3e3 h10g8 2. h1g3 g7g6 1-0",
        "1. C2=5 H8+7 2. H2+3 P7+1 1-0",
        "1. C2.5 N8+7 2. N2+3 P7+1 1-0",
        "1. 炮二平五 马８进７\n2. 马二进三 卒７进１ 1-0",
        "1.炮二平五 馬8進7 2.馬二進三 卒7進1 1-0",
        "1. Che2 Hg7 2. Hg2 g5 1-0",
        "1. 炮二平五 H8+7 2. Hg2 g6g5 1-0",
    ] {
        assert_eq!(tree_of(moves), expected, "{moves}");
    }
}

#[test]
fn ranks_from_one_are_recognised_by_legality_where_no_rank_shows_them() {
    // Each of these squares has a piece that can make the move, whichever way ranks are numbered.
    assert_eq!(
        tree_of("1. b3b4 b8b7 *"),
        format!("{START_FEN} b3b4 b8b7 *").replace("b3b4 b8b7", "b2b3 b7b6")
    );
    assert_eq!(tree_of("1. b2b3 b7b6 *"), format!("{START_FEN} b2b3 b7b6 *"));
}

#[test]
fn comments_and_variations_stand_where_they_were_written() {
    let text = "{start} 1. h2e2! {one} h9g7 (1... {why} b9c7 2. h0g2 (2. b0c2 $14) i9i8) (1... b7e7) \
                2. h0g2 ; two\n*";
    let expected = format!(
        "{START_FEN} {{start}} h2e2 $1 {{one}} h9g7 ( b9c7 {{why}} h0g2 ( b0c2 $14 ) i9i8 ) ( b7e7 ) \
         h0g2 {{two}} *"
    );
    assert_eq!(tree_of(text), expected);
}

#[test]
fn a_null_move_ends_its_line() {
    for (text, expected, number) in [
        ("1. 炮二平五 -- 2. 马二进三 *", "h2e2 *", "move 1 (black): '--'"),
        ("1. C2=5 —— 2. H2+3 *", "h2e2 *", "move 1 (black): '——'"),
        ("1. C2=5 H8+7 2.-- R9=8 *", "h2e2 h9g7 *", "move 2 (red): '--'"),
        ("1. C2=5 ... 2. H2+3 *", "h2e2 *", "move 1 (black): '...'"),
        ("1. C2=5 …… {a} 2.H2+3 *", "h2e2 {a} *", "move 1 (black): '……'"),
        ("[Red \"A\"]\n\n1... H8+7 2. H2+3 *", "*", "move 1 (red): '...'"),
        ("[Red \"A\"]\n\n{a} 1. ... 马8进7 *", "{a} *", "move 1 (red): '...'"),
        (
            "1. C2=5 (1. C8=5 ... 2. H8+7) H8+7 *",
            "h2e2 ( b2e2 ) h9g7 *",
            "in a variation, move 1 (black): '...'",
        ),
    ] {
        let collection = read_text(text);
        let [problem] = &collection.problems[..] else { panic!("{:?}", collection.problems) };
        assert!(problem.to_string().contains(number), "{text}: {problem}");
        assert_eq!(tree_text(&collection.games[0]), format!("{START_FEN} {expected}"), "{text}");
    }
}

#[test]
fn dots_and_dashes_that_stand_for_no_move_are_left_out() {
    let fen = "3ak4/4a4/4b4/p1p1N3p/9/2P3P2/P1n5P/4B4/4A4/2B1KA3 b - - 0 1";
    for (text, expected) in [
        ("1. C2=5 {a} ... H8+7 *", "h2e2 {a} h9g7 *"),
        ("1. C2=5 1... H8+7 2. ... H2+3 *", "h2e2 h9g7 h0g2 *"),
        ("1. C2=5 ... 1... H8+7 *", "h2e2 h9g7 *"),
        ("... 1. C2=5 H8+7 *", "h2e2 h9g7 *"),
        ("1. C2=5 (1... C8=5) *", "h2e2 ( b2e2 ) *"),
        ("1. C2=5 ... 1. ... H8+7 *", "h2e2 h9g7 *"),
        ("1. C2=5 H8+7 …… 2. H2+3 …… *", "h2e2 h9g7 h0g2 *"),
        ("1. C2=5 2. H8+7 3. H2+3 *", "h2e2 h9g7 h0g2 *"),
        ("1. C2=5 H8+7 +- -+ 1. H2+3 = *", "h2e2 h9g7 $18 $19 h0g2 $10 *"),
        ("1. C2=5 H8+7\n--\n-----\n*", "h2e2 h9g7 *"),
    ] {
        assert_eq!(tree_of(text), format!("{START_FEN} {expected}"), "{text}");
    }
    // Pairs that begin with a move of Black.
    for text in ["1. i6i5 e2g0 ... 2. e8d7 *", "1... i6i5 2. e2g0 e8d7 *"] {
        let text = format!("[FEN \"{fen}\"]\n\n{text}");
        assert_eq!(tree_of(&text), format!("{fen} i6i5 e2g0 e8d7 *"));
    }
}

#[test]
fn comments_of_a_variation_without_moves_are_kept() {
    for (text, expected) in [
        ("1. C2=5 H8+7 ({only text}) 2. H2+3 (红胜) *", "h2e2 h9g7 {only text} h0g2 {红胜} *"),
        ("1. C2=5 {a} ({b} $1 {c}) {d} H8+7 *", "h2e2 {a b c d} h9g7 *"),
        (
            "1. C2=5 (1. C8=5 ({a}) H8+7 ({b}) 2. H2+3) H8+7 *",
            "h2e2 ( b2e2 {a} h9g7 {b} h0g2 ) h9g7 *",
        ),
    ] {
        assert_eq!(tree_of(text), format!("{START_FEN} {expected}"), "{text}");
    }
    for (text, expected) in [
        ("1. C2=5 ({a} Zz9 {b}) H8+7 *", "h2e2 {a} h9g7 *"),
        ("1. C2=5 ({a} ({b}) C8=5 {c}) H8+7 *", "h2e2 ( b2e2 {a c} ) h9g7 *"),
        ("1. C2=5 H8+7 ({a}", "h2e2 h9g7 {a} *"),
    ] {
        let collection = read_text(text);
        assert_eq!(collection.problems.len(), 1, "{text}: {:?}", collection.problems);
        let expected = format!("{START_FEN} {expected}");
        assert_eq!(tree_text(&collection.games[0]), expected, "{text}");
    }
}

#[test]
fn a_defect_ends_its_line_and_is_reported_with_its_place() {
    let text = "[Red \"a\"]\n\n1. h2e2 h9g7\n2. h2h3 i9h9 1-0\n\n[Red \"b\"]\n1. C2=5 (1. C9=5 H8+7) H8+7\n\
                2. H2+3 0-1\n\n[FEN \"3k5/9 w\"]\n\n1. h2e2 *\n\n[Red \"d\"]\n1. C2=5 )\n 1-0";
    let collection = read_text(text);
    let reports: Vec<_> = collection.problems.iter().map(ToString::to_string).collect();
    assert_eq!(collection.games.len(), 3, "the game without a start is left out");
    for (report, part) in reports.iter().zip([
        "game 1, line 4: move 2 (red): 'h2h3'",
        "game 2, line 7: in a variation, move 1 (red): 'C9=5'",
        "game 3, line 10: start position: ",
        "game 4, line 15: a ')'",
    ]) {
        assert!(report.starts_with(part), "{report}");
    }
    assert_eq!(reports.len(), 4, "{reports:#?}");
    let trees: Vec<_> = collection.games.iter().map(tree_text).collect();
    assert_eq!(trees[0], format!("{START_FEN} h2e2 h9g7 1-0"));
    assert_eq!(trees[1], format!("{START_FEN} h2e2 h9g7 h0g2 0-1"));
    assert_eq!(collection.games[2].player(Color::Red), Some("d"));
}

#[test]
fn encodings_are_recognised_by_content() {
    let simplified =
        "[Red \"许银川\"]\n[Black \"胡荣华\"]\n\n1. 炮二平五 马８进７\n2. 马二进三 卒７进１ 1-0\n";
    let traditional =
        "[Red \"許銀川\"]\n[Black \"胡榮華\"]\n\n1. 炮二平五 馬８進７\n2. 馬二進三 卒７進１ 1-0\n";
    for (text, encoding) in [
        (simplified, TextEncoding::Utf8),
        (simplified, TextEncoding::Gb18030),
        (traditional, TextEncoding::Big5),
        (traditional, TextEncoding::Gb18030),
        (traditional, TextEncoding::Utf16Le),
        (simplified, TextEncoding::Utf16Be),
    ] {
        let collection = read(&encoding.encode(text).expect("no character is missing"));
        assert_eq!(collection.encoding, encoding);
        assert_eq!(collection.problems, [], "{encoding}");
        assert_eq!(collection.games[0].moves().len(), 4, "{encoding}");
        let red = if text == simplified { "许银川" } else { "許銀川" };
        assert_eq!(collection.games[0].player(Color::Red), Some(red));
    }
    let marked = [b"\xef\xbb\xbf", simplified.as_bytes()].concat();
    assert_eq!(read(&marked).games[0].moves().len(), 4);
    let utf16: Vec<u8> = "\u{feff}"
        .chars()
        .chain(simplified.chars())
        .flat_map(|c| (c as u16).to_le_bytes())
        .collect();
    assert_eq!(read(&utf16).games[0].moves().len(), 4);
}

#[test]
fn written_games_are_read_again_in_every_notation() {
    let text = "[Event \"a \\\"b\\\" \\\\\"]\n[Red \"x\"]\n[Black \"y\"]\n[Annotator \"z\"]\n\n\
                {start} 1. h2e2 $1 {one} h9g7 (1... b9c7 2. h0g2 (2. b0c2 a9a8) i9h9 {end}) (1... b7e7) \
                2. h0g2 i9h9 3. i0h0 {last\nof two lines} 1/2-1/2";
    let game = &read_text(text).games[0];
    let expected = tree_text(game);
    for notation in Notation::ALL {
        let written = write_pgn(game, notation);
        let collection = read_text(&written);
        assert_eq!(collection.problems, [], "{written}");
        assert_eq!(tree_text(&collection.games[0]), expected, "{written}");
        for name in ["Event", "Annotator"] {
            assert_eq!(collection.games[0].tag(name), game.tag(name), "{written}");
        }
        assert_eq!(collection.games[0].player(Color::Red), Some("x"), "{written}");
    }
}

#[test]
fn ranks_from_one_are_kept_where_no_rank_shows_them() {
    let text = "[FEN \"3k5/9/9/4P4/4P4/9/9/9/9/4K4 w\"]\n\n1. e5d5 *";
    let game = &read_text(text).games[0];
    let written = write_pgn(game, Notation::UciFromOne);
    assert!(written.contains("1. e6d6"), "{written}");
    assert_eq!(tree_of(&written), tree_text(game), "{written}");
    // A notation proven by the moves overrides the tag.
    let proven = "[Format \"uci10\"]\n\n1. h0g2 h9g7 *";
    assert_eq!(tree_of(proven), format!("{START_FEN} h0g2 h9g7 *"));
}

#[test]
fn an_empty_fen_is_the_starting_position() {
    assert_eq!(tree_of("[FEN \"\"]\n\n1. h2e2 *"), format!("{START_FEN} h2e2 *"));
}

#[test]
fn the_tag_says_the_result_where_the_text_ends_with_a_star() {
    assert_eq!(tree_of("[Result \"1-0\"]\n\n1. h2e2 *"), format!("{START_FEN} h2e2 1-0"));
    assert_eq!(tree_of("[Result \"*\"]\n\n1. h2e2 0-1"), format!("{START_FEN} h2e2 0-1"));
}

#[test]
fn a_long_tag_is_read_as_it_was_written() {
    let long = "注".repeat(20_000);
    let game = &read_text(&format!("[Event \"{long}\"]\n\n1. h2e2 *")).games[0];
    assert_eq!(game.tag("Event"), Some(long.as_str()));
    let written = write_pgn(game, Notation::Uci);
    assert_eq!(read_text(&written).games[0].tag("Event"), Some(long.as_str()));
}

#[test]
fn written_pgn_reads_as_programs_expect() {
    let text = "[Red \"x\"]\n[FEN \"3ak4/4a4/4b4/p1p1N3p/9/2P3P2/P1n5P/4B4/4A4/2B1KA3 b - - 0 1\"]\n\n\
                1... i6i5 2. e2g0 e8d7 0-1";
    let game = &read_text(text).games[0];
    let written = Notation::ALL.map(|notation| write_pgn(game, notation));
    assert_text!("pgn-in-every-notation", written.concat());
}

#[test]
fn pasted_chinese_text_is_read() {
    let moves = format!("{START_FEN} h2e2 h9g7 h0g2 i9h9");
    for (text, result) in [
        ("1、炮二平五 马８进７ 2、马二进三 车９平８ 红胜", "1-0"),
        ("１、炮二平五，马８进７；２、马二进三，车９平８。红先负", "0-1"),
        ("１．炮二平五　马８进７\n２．马二进三　车９平８\n黑胜", "0-1"),
        ("１、炮二平五，马８进７，2. 马二进三，车９平８。和棋", "1/2-1/2"),
        ("1. 炮二平五, 马８进７, 2. 马二进三, 车９平８, 1-0", "1-0"),
        ("1、炮二平五 马８进７ 2、马二进三 车９平８（红先胜）", "1-0"),
        ("1、炮二平五 马８进７ 2、马二进三 车９平８\n结果：黑胜。", "0-1"),
        ("1、炮二平五 马８进７ 2、马二进三 车９平８ 結果: 【和棋】", "1/2-1/2"),
        ("[Result \"紅勝\"]\n1.炮二平五，馬８進７\n２．…\n馬二進三，車９平８。", "1-0"),
    ] {
        assert_eq!(tree_of(text), format!("{moves} {result}"), "{text}");
    }
    let two = "1、炮二平五 红胜 精彩！\n转自网络\n1、马二进三 黑胜\n";
    assert_eq!(read_text(two).games.iter().map(Game::len).collect::<Vec<_>>(), [1, 1]);
    let two = "1、炮二平五 （红胜）\n\n1、马二进三 马８进７\n结果：黑胜\n";
    let results = read_text(two).games.iter().map(|game| game.result).collect::<Vec<_>>();
    assert_eq!(results, [GameResult::RedWins, GameResult::BlackWins]);
    // Before the moves the line is a tag.
    assert_eq!(tree_of("结果：红胜\n1、炮二平五"), format!("{START_FEN} h2e2 1-0"));
}

#[test]
fn a_result_tag_serves_where_the_moves_have_no_result() {
    let collection = read_text("[Result \"0-1\"]\n\n1. h2e2 h9g7\n");
    assert_eq!(collection.games[0].result, GameResult::BlackWins);
}

#[test]
fn wrong_bytes_are_reported_and_the_rest_is_read() {
    let game = "[Red \"许银川\"]\n\n1. 炮二平五 马８进７ 2. 马二进三 红胜\n\n";
    let wrong = b"[Event \"Open \xe0 Paris\"]\n\n1. H2-E2 *\n\n";
    let collection = read(&[game.as_bytes(), wrong, game.as_bytes()].concat());
    assert_eq!(collection.encoding, TextEncoding::Utf8);
    assert_eq!(collection.games.iter().map(Game::len).collect::<Vec<_>>(), [3, 1, 3]);
    assert_eq!(collection.games[2].player(Color::Red), Some("许银川"));
    let [problem] = &collection.problems[..] else { panic!("{:?}", collection.problems) };
    let text = problem.to_string();
    assert!(text.starts_with("game 2, line 5: bytes that are not utf-8 are read as"), "{text}");
    assert!(!problem.affects_moves());

    let mut gb = TextEncoding::Gb18030.encode(game).expect("all characters");
    gb[6] = 0xff;
    let collection = read(&gb);
    assert_eq!((collection.encoding, collection.problems.len()), (TextEncoding::Gb18030, 1));
    assert_eq!(collection.games[0].len(), 3);
}

#[test]
fn joined_files_of_windows_keep_the_first_tag_of_each() {
    let fen = "4k4/4a4/9/9/9/9/9/9/9/1N1K5 w - - 0 1";
    let text = format!(
        "\u{feff}[Event \"one\"]\n\n1. h2e2 1-0\n\u{feff}[FEN \"{fen}\"]\n[Event \"two\"]\n\n1. b0c2 *\n"
    );
    let collection = read_text(&text);
    assert_eq!(collection.problems, []);
    assert_eq!(collection.games[1].start().fen(), fen);
    assert_eq!(collection.games[1].len(), 1);
}

#[test]
fn carriage_returns_alone_end_lines() {
    let text =
        "[Event \"one\"]\r[Red \"甲\"]\r\r1. H2-E2 H9-G7 1-0\r\r[Event \"two\"]\r\r1. b2e2 *\r";
    for encoding in [TextEncoding::Utf8, TextEncoding::Gb18030] {
        let collection = read(&encoding.encode(text).expect("no character is missing"));
        assert_eq!(collection.problems, []);
        let trees: Vec<_> = collection.games.iter().map(tree_text).collect();
        assert_eq!(trees, ["h2e2 h9g7 1-0", "b2e2 *"].map(|rest| format!("{START_FEN} {rest}")));
        assert_eq!(collection.games[0].tag("Red"), Some("甲"));
    }
}

#[test]
fn a_comment_before_the_first_tag_belongs_to_the_first_game() {
    for head in ["; made by hand\n\n", "{made by hand}\n", "; made by\n; hand\n"] {
        let text = format!(
            "{head}[Event \"x\"]\n[Red \"a\"]\n\n1. h2e2 1-0\n\n[Event \"y\"]\n\n{{note}} *\n"
        );
        let trees: Vec<_> = read_text(&text).games.iter().map(tree_text).collect();
        let expected = ["{made by hand} h2e2 1-0", "{note} *"];
        assert_eq!(trees, expected.map(|rest| format!("{START_FEN} {rest}")), "{text}");
    }
    let text = "{made by hand}\n红方：甲\n黑方：乙\n\n1. 炮二平五 *";
    assert_eq!(tree_of(text), format!("{START_FEN} {{made by hand}} h2e2 *"));
    assert_eq!(read_text(text).games[0].tag("Red"), Some("甲"));
}

#[test]
fn comments_around_a_result_belong_to_the_game_that_they_stand_at() {
    let start = START_FEN;
    for (text, expected) in [
        ("1. h2e2 1-0\n\n{note} 1. b2e2 0-1", ["h2e2 1-0", "{note} b2e2 0-1"]),
        ("1. h2e2 1-0\n\n{note}\n1. b2e2 0-1", ["h2e2 1-0", "{note} b2e2 0-1"]),
        ("1. h2e2 1-0 {won}\n1. b2e2 0-1", ["h2e2 {won} 1-0", "b2e2 0-1"]),
        ("1. h2e2 1-0 {won}\n{note}\nb2e2 0-1", ["h2e2 {won} 1-0", "{note} b2e2 0-1"]),
        ("1. h2e2 1-0 {see\n1. x} 1. b2e2 0-1", ["h2e2 {see\n1. x} 1-0", "b2e2 0-1"]),
        ("1. h2e2 1-0\n{won}\n\n[Red \"x\"]\n1. b2e2 0-1", ["h2e2 {won} 1-0", "b2e2 0-1"]),
        ("1. h2e2 1-0\nad\n{ad\n1. x}\n1. b2e2 0-1", ["h2e2 1-0", "{ad\n1. x} b2e2 0-1"]),
        ("1. h2e2 1-0\nad\n{ad\n1. x}\n\n[Red \"x\"]\n1. b2e2 0-1", ["h2e2 1-0", "b2e2 0-1"]),
    ] {
        let collection = read_text(text);
        assert_eq!(collection.problems, [], "{text}");
        let trees: Vec<_> = collection.games.iter().map(tree_text).collect();
        assert_eq!(trees, expected.map(|moves| format!("{start} {moves}")), "{text}");
    }
}

#[test]
fn algebraic_moves_with_ranks_from_one_are_read() {
    // Written by Fairy-Stockfish; no square shows how ranks are numbered.
    let uci = "h3h7 c10a8 e4e5 i7i6 e5e6 g10i8 b3g3 b8d8 b1c3 a8c6 g3h3 d8d3 e6e7 h8d8 h3f3 d3d2 h1g3 \
               c6a8 a1a3 a8c6 h7h9 d8f8 c3e2 d2d5 *";
    let san = "1. Ch7 Ea8 2. Pe5 Pi6 3. Pe6 Ei8 4. Cg3 Cbd8 5. Hc3 Ec6 6. Cgh3 Cd3 7. Pxe7 Chd8 8. Cf3 \
               Cd2 9. Hg3 Ea8 10. Ra3 Ec6 11. Ch9 Cf8 12. He2 Cd5 *";
    assert_eq!(tree_of(san), tree_of(uci));
    assert_eq!(tree_of("1. Che3 Nc8 2. Nc3 *"), tree_of("h3e3 b10c8 b1c3 *"));
    assert_eq!(tree_of("1. Cb5 Hc8 2. Ri2 Hb10 *"), tree_of("b3b5 b10c8 i1i2 c8b10 *"));
    // Both numberings fit; the server has only one.
    let moves = "1. Cb5 Cb6 2. Ri2 *";
    assert_eq!(tree_of(moves), tree_of("b2b5 b7b6 i0i2 *"));
    let site = "[Site \"https://www.pychess.org/AbCd1234\"]\n\n";
    assert_eq!(tree_of(&format!("{site}{moves}")), tree_of("b3b5 b8b6 i1i2 *"));
    assert_eq!(tree_of(&format!("{site}1. Che2 Hg7 *")), tree_of("h2e2 h9g7 *"));
}

#[test]
fn results_with_explanations_and_of_variations_are_read() {
    for (text, expected) in [
        ("[Result \"1-0 (time)\"]\n\n1. h2e2 *", "h2e2 1-0"),
        ("[Result \"红方胜\"]\n\n1. h2e2 *", "h2e2 1-0"),
        ("1. h2e2 和局", "h2e2 1/2-1/2"),
        ("1. h2e2 1:0", "h2e2 1-0"),
        ("1. h2e2 0–1", "h2e2 0-1"),
        ("1. h2e2 1/2", "h2e2 1/2-1/2"),
        ("1. h2e2 ½-½", "h2e2 1/2-1/2"),
        ("1. h2e2 0.5:0.5", "h2e2 1/2-1/2"),
        ("1. h2e2 (1. b2e2 b9c7 1-0) h9g7 0-1", "h2e2 ( b2e2 b9c7 {1-0} ) h9g7 0-1"),
        ("1. h2e2 (1. b2e2 *) h9g7 0-1", "h2e2 ( b2e2 ) h9g7 0-1"),
    ] {
        assert_eq!(tree_of(text), format!("{START_FEN} {expected}"), "{text}");
    }
}

#[test]
fn the_player_of_red_is_renamed_in_any_case() {
    let written = |text: &str, notation| write_pgn(&read_text(text).games[0], notation);
    let (white, red) = ("[WHITE \"x\"]\n\n1. h2e2 *", "[red \"x\"]\n\n1. h2e2 *");
    let iccs = written(white, Notation::Iccs);
    assert_text!(
        "player-of-red",
        iccs + &written(white, Notation::Uci) + &written(red, Notation::Algebraic)
    );
}
