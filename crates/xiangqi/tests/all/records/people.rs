//! Game texts as people paste them: remarks, titles and trailers around the moves, numbers and
//! headings of any form.

use std::time::{Duration, Instant};

use xiangqi::board::START_FEN;
use xiangqi::records::{Collection, Game, NodeId, read};

use super::tree::tree_text;

fn read_text(text: &str) -> Collection {
    read(text.as_bytes())
}

/// The only game of a text without defects.
fn only_game(text: &str) -> Game {
    let mut collection = read_text(text);
    assert_eq!(collection.problems, [], "{text}");
    assert_eq!(collection.games.len(), 1, "{text}");
    collection.games.remove(0)
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(tree_text(&only_game(text)), format!("{START_FEN} {expected}"), "{text}");
}

fn tags(game: &Game) -> Vec<(&str, &str)> {
    game.tags().iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

#[test]
fn text_around_the_moves_is_a_comment_at_its_place() {
    let text = "红方: 甲\n黑方: 乙\n\n【主变: 和棋】\n　　1.　炮二平五　　马８进７\n\n\
                棋谱由 example 生成\n";
    check(text, "h2e2 h9g7 {棋谱由 example 生成} 1/2-1/2");
    assert_eq!(tags(&only_game(text)), [("Red", "甲"), ("Black", "乙")]);
    for (text, expected) in [
        ("许银川 吕钦\n1. 炮二平五 马8进7", "{许银川 吕钦} h2e2 h9g7 *"),
        ("王天一 1-0 郑惟桐\n1. 炮二平五 马8进7", "{王天一 1-0 郑惟桐} h2e2 h9g7 *"),
        ("中炮对屏风马\n1. 炮二平五", "{中炮对屏风马} h2e2 *"),
        ("2019年个人赛 第3轮\n1. 炮二平五", "{2019年个人赛 第3轮} h2e2 *"),
        ("着法：炮二平五 马8进7", "{着法：} h2e2 h9g7 *"),
        ("棋谱：1.炮二平五 马8进7", "{棋谱：} h2e2 h9g7 *"),
        (
            "本局红方以炮二平五开局，马8进7，马二进三。\n\n1. 炮二平五 马8进7\n\
             此时红方也可走马八进七，车9平8。\n2. 马二进三",
            "{本局红方以炮二平五开局，马8进7，马二进三。} h2e2 h9g7 \
             {此时红方也可走马八进七，车9平8。} h0g2 *",
        ),
        (
            "1. 炮二平五 马8进7\n这里有两种选择：1.车一平二；2.兵七进一。\n2.马二进三",
            "h2e2 h9g7 {这里有两种选择：1.车一平二；2.兵七进一。} h0g2 *",
        ),
        (
            "1. 炮二平五（当头炮） 马8进7 (屏风马)\n2. 马二进三(若车一平二，则炮8平5) 车9平8（图1）",
            "h2e2 {当头炮} h9g7 {屏风马} h0g2 {若车一平二，则炮8平5} i9h9 {图1} *",
        ),
        ("1. 炮二平五(好棋 马8进7", "h2e2 {好棋} h9g7 *"),
        ("1. 炮二平五（！） 马8进7(?)", "h2e2 $1 h9g7 $2 *"),
        ("1. C2=5 H8+7 (+0.3) 2. H2+3", "h2e2 h9g7 {+0.3} h0g2 *"),
        ("1. C2=5 H8+7 good move 2. H2+3 and more", "h2e2 h9g7 {good move} h0g2 {and more} *"),
        ("Red plays C2=5 here.\n1. C2=5 H8+7", "{Red plays C2=5 here.} h2e2 h9g7 *"),
        ("1. 炮二平五，当头炮，马8进7，屏风马；2. 马二进三", "h2e2 {当头炮} h9g7 {屏风马} h0g2 *"),
        ("1. 炮二平五① 马8进7*\n2. 马二进三\n①当头炮。", "h2e2 {①} h9g7 h0g2 {①当头炮。} *"),
        ("1. 炮二平五 * 马8进7\n2. 马二进三", "h2e2 h9g7 h0g2 *"),
        ("1. 炮二平五 ……\n（当头炮）\n1. …… 马8进7", "h2e2 {当头炮} h9g7 *"),
        ("1. 炮二平五 马8进7\n转自某论坛\n2. 马二进三", "h2e2 h9g7 {转自某论坛} h0g2 *"),
        ("红方 炮二平五 黑方 马8进7", "h2e2 h9g7 *"),
        ("红：炮二平五\n黑：马8进7", "h2e2 h9g7 *"),
    ] {
        check(text, expected);
    }
}

#[test]
fn results_in_words_are_results() {
    for (words, result) in [
        ("红胜定", "1-0"),
        ("黑方认负", "1-0"),
        ("黑方认输", "1-0"),
        ("红方投子认负", "0-1"),
        ("黑胜定。", "0-1"),
        ("紅方認負", "0-1"),
        ("（红胜）", "1-0"),
    ] {
        check(&format!("1. 炮二平五 马8进7 {words}"), &format!("h2e2 h9g7 {result}"));
        check(&format!("1. 炮二平五 马8进7\n{words}\n转自某站"), &format!("h2e2 h9g7 {result}"));
    }
    check("1. 炮二平五 马8进7 红胜定\n2. 马二进三 车9平8", "h2e2 h9g7 {红胜定} h0g2 i9h9 1-0");
}

#[test]
fn numbers_have_any_form_and_moves_need_no_blanks() {
    for text in [
        "1.炮二平五马8进7 2.马二进三车9平8",
        "1.炮二平五马8进72.马二进三车9平8",
        "炮二平五马8进7马二进三车9平8",
        "1炮二平五 马8进7 2马二进三 车9平8",
        "第1回合 炮二平五 马8进7\n第2回合 马二进三 车9平8",
        "第一回合：炮二平五 马8进7\n第二回合：马二进三 车9平8",
        "①炮二平五 马8进7 ②马二进三 车9平8",
        "（1）炮二平五 马8进7 （2）马二进三 车9平8",
        "(1)炮二平五 马8进7 (2)马二进三 车9平8",
        "一、炮二平五 马8进7\n二、马二进三 车9平8",
        "1)炮二平五 马8进7 2)马二进三 车9平8",
        "1）炮二平五 马8进7 2）马二进三 车9平8",
        "1:炮二平五 马8进7 2:马二进三 车9平8",
        "1.炮二平五-马8进7 2.马二进三-车9平8",
        "h2e2h9g7h0g2i9h9",
        "1.H2-E2H9-G7 2.H0-G2I9-H9",
        "1.C2=5H8+7 2.H2+3R9=8",
    ] {
        check(text, "h2e2 h9g7 h0g2 i9h9 *");
    }
    let start = &read_text("* 炮二平五马8进7").games[0];
    assert_eq!(start.moves().len(), 2, "a list");
}

#[test]
fn headings_never_overwrite_one_another() {
    for (text, expected) in [
        ("日期: 2020-01-01\n时间: 10:30", &[("Date", "2020-01-01"), ("时间", "10:30")][..]),
        ("标题: 某局\n赛事: 五羊杯", &[("Event", "某局"), ("赛事", "五羊杯")]),
        ("赛事: 五羊杯\n标题: 某局", &[("Event", "五羊杯"), ("标题", "某局")]),
        ("Event: a\nTitle: b", &[("Event", "a"), ("Title", "b")]),
        ("棋局: a\n比赛: b", &[("Event", "a"), ("比赛", "b")]),
        ("红方: 甲\n红: 乙\n黑方: 丙", &[("Red", "甲"), ("红", "乙"), ("Black", "丙")]),
        ("红方: 甲 红: 乙", &[("Red", "甲"), ("红", "乙")]),
        (
            "【赛事】五羊杯 【红方】许银川 【黑方】吕钦",
            &[("Event", "五羊杯"), ("Red", "许银川"), ("Black", "吕钦")],
        ),
    ] {
        let game = only_game(&format!("{text}\n\n1. 炮二平五 *"));
        assert_eq!(tags(&game), expected, "{text}");
        assert_eq!(game.moves().len(), 1);
    }
}

#[test]
fn signs_of_evaluation_may_touch_a_move() {
    for (first, second) in
        [("h2e2", "h9g7"), ("C2=5", "H8+7"), ("炮二平五", "马8进7"), ("Che2", "Hg7")]
    {
        for (sign, glyph) in
            [("±", 16), ("□", 7), ("⩲", 14), ("∞", 13), ("N", 146), ("+-", 18), ("=", 10)]
        {
            let expected = format!("h2e2 ${glyph} h9g7 *");
            check(&format!("1. {first}{sign} {second}"), &expected);
            check(&format!("1. {first} {sign} {second}"), &expected);
        }
    }
    check("1. h2e2!?± h9g7", "h2e2 $5 $16 h9g7 *");
}

/// The form in which dpxq.com writes a game as text.
#[test]
fn lines_under_headings_are_variations() {
    let text = "标题: 甲 和 乙\n布局: E42 对兵互进右马局\n结果: 和棋\n日期: 2023.12.10\n \n　　第3局\n \n\
                【主变: 和棋】\n　　1.　兵七进一　　卒７进１　\n　　2.　马八进七 *　　马８进７B　\n　　\
                3.　马二进一　　象３进５　\n\n　　*第  2 回合红: 好棋\n　　\
                *第  2 回合黑: 有[变1-0-2]\n \n【变1-0-2】\n　　2.　…………　　马２进３　\n　　\
                3.　马二进三　　车１进１\n \n【变2-1-3】\n　　3.　兵三进一\n";
    check(text, "{第3局} c3c4 g6g5 b0c2 {好棋} h9g7 ( b9c7 h0g2 ( g3g4 ) a9a8 ) h0i2 c9e7 1/2-1/2");
    check(
        "主变: 和棋\n1. 炮二平五 马8进7\n2. 马二进三\n\n变①接主变第2回合\n2. 马八进七 车9平8",
        "h2e2 h9g7 h0g2 ( b0c2 i9h9 ) 1/2-1/2",
    );
    check(
        "1. 炮二平五 马8进7 2. 马二进三 车9平8\n另一走法是：\n2. 马八进七 车9平8",
        "h2e2 h9g7 h0g2 ( b0c2 i9h9 ) i9h9 {另一走法是：} *",
    );
    let collection = read_text("1. 炮二平五 马8进7\n【变1-0-9】\n9. 炮八平五");
    assert_eq!(collection.games[0].moves().len(), 2);
    assert!(collection.problems[0].to_string().contains("variation 【变1-0-9】"));
    assert!(!collection.problems[0].affects_main_line());
}

#[test]
fn the_start_is_read_from_a_line_and_from_a_drawing() {
    let text = "初始局面: 3akab2/9/9/9/4p4/9/9/9/9/4K2R1 w\n\n1. 车二进九";
    assert_eq!(tree_text(&only_game(text)), "3akab2/9/9/9/4p4/9/9/9/9/4K2R1 w - - 0 1 h0h9 *");
    let empty = " ├─┼─┼─┼─┼─┼─┼─┼─┤ \n　│　│　│　│　│　│　│　│　│　\n";
    let drawing = format!(
        "初始局面:\n　　　 黑方　　　 \n ┌─┬─┬─┬─┬─[将]─┬─┬─┐ \n　│　│　│　│＼│／│　│　│　│　\n{}\
         (车)─┼─┼─┼─※─┼─┼─┼─┤ \n └─┴─┴─┴─(帅)─┴─┴─┴─┘ \n　　　 红方　　　 \n\n\
         【主变: 红胜】\n　　1.　…………　　将６进１\n　　2.　车九进六\n",
        empty.repeat(7)
    );
    assert_eq!(tree_text(&only_game(&drawing)), "5k3/9/9/9/9/9/9/9/R8/4K4 b - - 0 1 f9f8 a1a7 1-0");
    // What is no position is text.
    check("初始局面: 标准开局\n1. 炮二平五", "h2e2 *");
}

#[test]
fn a_title_before_the_number_one_begins_the_next_game() {
    let text = "第一局 甲 - 乙\n1. 炮二平五 马8进7\n2. 马二进三\n\n第二局 丙 - 丁\n1. 兵七进一 卒7进1\n\n\
                红方: 戊\n1. 相三进五 炮8平5\n\n1. 炮八平五";
    let collection = read_text(text);
    assert_eq!(collection.problems, []);
    let comments: Vec<_> =
        collection.games.iter().map(|game| (game.comment(NodeId::ROOT), game.len())).collect();
    assert_eq!(comments, [("第一局 甲 - 乙", 3), ("第二局 丙 - 丁", 2), ("", 2), ("", 1)]);
}

#[test]
fn a_text_in_place_of_a_move_is_a_defect() {
    for (text, word) in [
        ("1. C2=5 Zz9 2. H2+3 R9=8", "Zz9"),
        ("1. 炮二平五 ？？ 马8 2. 马二进三 车9平8 3. 车一平二 马2进3", "马8"),
        ("1. 炮二平五 炮二平十 2. 马二进三 车9平8", "炮二平十"),
    ] {
        let collection = read_text(text);
        let [problem] = &collection.problems[..] else { panic!("{:?}", collection.problems) };
        let expected = format!("game 1, line 1: move 1 (black): '{word}' is not a move");
        assert!(problem.to_string().starts_with(&expected), "{text}: {problem}");
        assert_eq!(collection.games[0].len(), 1, "{text}");
    }
}

#[test]
fn hostile_texts_for_people_are_read_in_time() {
    const SIZE: usize = 500_000;
    for unit in [
        "炮二平五马8进7",
        "炮二平五* ",
        "1炮二平五",
        "（a",
        "(a ",
        "(a)",
        "1）",
        "好棋，1.炮二平五，",
        "好 1.炮二平五 ",
        "好\n\n1. ",
        "红方：甲 红：乙 ",
        "红方: 甲\n\n",
        "【变1-0-1】\n1.炮八平五\n",
        "变一：\n1. 炮八平五 马8进7\n",
        "*第 1 回合红: a\n",
        "红胜\n2. ",
        "h2e2±",
        "± ",
        "！",
        "[车]─┼─┼─┼─※─┼─┼─┼─┤ \n",
        "a:炮二平五",
        "百",
        "初始局面: 9/9/9/9/9/9/9/9/9/9\n",
    ] {
        let body = unit.repeat(SIZE / unit.len());
        for text in [body.clone(), format!("1. h2e2 {body}"), format!("红方: 甲\n{body}")] {
            let before = Instant::now();
            let collection = read_text(&text);
            assert!(collection.games.len() < SIZE);
            assert!(before.elapsed() < Duration::from_secs(10), "{text:.40}");
        }
    }
}
