//! Texts, and the games into which they are taken apart.

use super::*;

fn words(text: &str) -> Vec<Vec<String>> {
    raw_games(text)
        .map(|game| {
            let words = game.tokens.iter().filter_map(|(_, token)| match token {
                Token::Word(word) => Some((*word).to_owned()),
                _ => None,
            });
            words.collect()
        })
        .collect()
}

#[test]
fn numbers_annotations_and_signs_are_not_moves() {
    let text = "1. C2=5 H8+7!? 2.H2+3 2... R9=8 $14 3 。P7+1?? +- 12…炮8平5 25=6 23.4 1-0";
    let expected = ["C2=5", "H8+7", "H2+3", "R9=8", "P7+1", "炮8平5", "25=6", "23.4"];
    assert_eq!(words(&text.replace('。', "")), [expected]);
    let game = raw_games("1. C2=5!! $22").next().expect("a game");
    let glyphs: Vec<_> = game.tokens.iter().skip(2).map(|(_, token)| *token).collect();
    assert_eq!(glyphs, [Token::Glyph(3), Token::Glyph(22)]);
}

#[test]
fn tags_keep_the_quotes_inside_them() {
    for (text, value) in [
        ("[Event \"x\"]", "x"),
        ("[Event \"\"中立杯\"赛\"]", "\"中立杯\"赛"),
        ("[Event \"a \\\"b\\\" \\\\c\"]", "a \"b\" \\c"),
        ("[ Event  \"x\" ]", "x"),
        ("[Event \"x]\"] [Red \"y\"]", "x]"),
        ("[Event x]", "x"),
        ("[Event \"x]", "x"),
        ("[Event \"C:\\\"]", "C:\\"),
        ("[Event \"\"]", ""),
    ] {
        let game = raw_games(text).next().expect(text);
        assert_eq!(game.tag("event"), Some(value), "{text}");
    }
    for text in ["[", "[]", "[Event", "[\"x\"]", "[ ]", "[é"] {
        assert!(raw_games(text).all(|game| game.tags.is_empty()), "{text}");
    }
}

#[test]
fn text_after_a_result_is_skipped_up_to_the_next_game() {
    let text = "[Red \"a\"]\n1. C2=5 1-0\n=====\nread www.example.com!\n\n[Red \"b\"]\n*\n\
                1. C8=5 0-1 more\n[Red \"c\"]\n1. H2+3\n\n[Red \"d\"]\n{no moves}";
    let games: Vec<_> = raw_games(text).collect();
    let results: Vec<_> = games.iter().map(|game| game.result).collect();
    let unknown = Some(GameResult::Unknown);
    let (red, black) = (Some(GameResult::RedWins), Some(GameResult::BlackWins));
    assert_eq!(results, [red, unknown, black, None, None]);
    assert_eq!(games.iter().map(|game| game.line).collect::<Vec<_>>(), [1, 6, 8, 9, 12]);
    assert_eq!(&text[..games[0].end], "[Red \"a\"]\n1. C2=5 1-0\n");
}

#[test]
fn a_game_without_tags_begins_after_a_result_with_any_form_of_a_move() {
    for moves in [
        "1．兵七进一 卒7进1",
        "1． 兵七进一 卒7进1",
        "１. C2=5 H8+7",
        "1 . C2=5 H8+7",
        "01. C2=5 H8+7",
        "1 C2=5 H8+7",
        "1… C2=5 H8+7",
        "1、 炮二平五，马8进7",
        "Che2 Hg7",
        "g4 c5",
        "P7+1",
        "+R-2 R+-2",
        "炮二平五，马8进7",
        "炮二平五、马8进7",
        "炮二平五！ 马8进7",
        "炮二平五{好}",
        "前七平八",
        "Ｈ２－Ｅ２",
        "h2–e2",
        "C2=5+ H8+7",
        "C2=5, H8+7",
        "C2=5!?",
        "h2e2*",
        "C0=5 H8+7",
    ] {
        let second = words(moves);
        assert!(second.len() == 1 && !second[0].is_empty(), "{moves}");
        for between in ["\n", "\n\nthanks to all\n", " "] {
            let text = format!("1. C2=5 1-0{between}{moves}");
            let expected = [vec![vec!["C2=5".to_owned()]], second.clone()].concat();
            assert_eq!(words(&text), expected, "{text}");
        }
    }
}

#[test]
fn prose_between_games_is_no_move() {
    for prose in [
        "more",
        "No.1 of the site",
        "12.5 points",
        "25=6",
        "2026.11.24",
        "60 moves",
        "天下太平",
        "和平年代 1",
        "（1. C2=5 ...）",
        "(C2=5)",
        "1小时30分",
        "12",
        "...",
    ] {
        let text = format!("1. C2=5 1-0\n{prose}\n[Red \"a\"]\n1. H2+3 *");
        assert_eq!(words(&text), [["C2=5"], ["H2+3"]], "{text}");
    }
}

#[test]
fn lines_at_the_head_of_a_text_for_people_are_tags() {
    let text = "标题：某局\n红方: 甲 (上海)\n棋钟: 60\n\n1. 炮二平五 马8进7\n红胜\n\n\
                Red: b\nresult: 0-1\n1. C2=5\n";
    let games: Vec<_> = raw_games(text).collect();
    let tags: Vec<_> = (games.iter().flat_map(|game| &game.tags))
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    let first = [("Event", "某局"), ("Red", "甲 (上海)"), ("棋钟", "60")];
    let second = [("Red", "b"), ("Result", "0-1")];
    assert_eq!(tags, [&first[..], &second].concat());
    assert_eq!(words(text), [vec!["炮二平五", "马8进7"], vec!["C2=5"]]);
    assert_eq!(games[0].final_result(), GameResult::RedWins);
    assert_eq!(games[1].final_result(), GameResult::BlackWins);
    for text in ["root:x:0", "Dear Bob: Red", "1. C2=5 Red: a", "红：炮二平五", ":", "："] {
        assert!(raw_games(text).all(|game| game.tags.is_empty()), "{text}");
    }
}

#[test]
fn a_line_may_have_several_headings() {
    for (text, expected) in [
        ("红方：许银川  黑方：吕钦\n1. C2=5 *", "Red=许银川 Black=吕钦 C2=5 *"),
        ("标题: 某局，红: 甲 (上海)； 黑 : 乙\n*", "Event=某局 Red=甲 (上海) Black=乙 *"),
        ("Red: Xu Yinchuan\tblack: Lu Qin\n*", "Red=Xu Yinchuan Black=Lu Qin *"),
        ("Date: 2026-11-24 10:30 Result: 1-0\n*", "Date=2026-11-24 10:30 Result=1-0 *"),
        ("Red: a\n棋钟：60 黑方：乙\n*", "Red=a 棋钟=60 Black=乙 *"),
        ("红方： 黑方：乙 红方：丙\n*", "Red= Black=乙 红方：丙 *"),
        ("Event: Shared: a\n*", "Event=Shared: a *"),
        ("红方：甲 黑：马8进7\n*", "Red=甲 黑：马8进7 *"),
    ] {
        assert_eq!(contents(text), [expected], "{text}");
    }
}

#[test]
fn a_tag_that_the_game_has_already_begins_a_game_after_an_empty_line() {
    for (text, expected) in [
        (
            "[A \"x\"]\n[B \"1\"]\n[C \"2\"]\n\n[A \"y\"]\n[B \"3\"]\n\nh2e2 *",
            &["A=x B=1 C=2", "A=y B=3 h2e2 *"][..],
        ),
        ("[A \"x\"]\r\n\r\n[a \"y\"]\r\n*", &["A=x", "a=y *"]),
        ("[A \"x\"]\n=====\n \n[A \"y\"]\n*", &["A=x", "A=y *"]),
        ("[A \"x\"]\n\n[B \"y\"]\n\n[C \"z\"]\n*", &["A=x B=y C=z *"]),
        ("[A \"x\"]\n[A \"y\"]\n% a\n[A \"z\"]\n*", &["A=x A=y A=z *"]),
        ("Red: a\nBlack: b\n\nRed: c\n*", &["Red=a Black=b", "Red=c *"]),
        ("Red: a\n\nBlack: b\nh2e2 *", &["Red=a Black=b h2e2 *"]),
    ] {
        assert_eq!(contents(text), expected, "{text}");
    }
}

/// Returns the tags and words of each game.
fn contents(text: &str) -> Vec<String> {
    let contents = |game: RawGame| {
        let tags = game.tags.iter().map(|(name, value)| format!("{name}={value}"));
        let tokens = game.tokens.iter().filter_map(|(_, token)| match token {
            Token::Word(text) => Some((*text).to_owned()),
            Token::Comment(text) | Token::Text(text) => Some(format!("{{{text}}}")),
            Token::Number(..) => None,
            other => Some(format!("{other:?}")),
        });
        let result = game.result.map(|result| result.to_string());
        tags.chain(tokens).chain(result).collect::<Vec<_>>().join(" ")
    };
    raw_games(text).map(contents).collect()
}

#[test]
fn a_tag_ends_before_what_follows_it_on_its_line() {
    for (text, expected) in [
        (
            "[Event \"x\"] 1. h2e2 {[%clk 0:01]} h9g7 1-0",
            &["Event=x h2e2 {[%clk 0:01]} h9g7 1-0"][..],
        ),
        ("[Event \"x\"] {[%clk 0:01]} 1. h2e2 h9g7 1-0", &["Event=x {[%clk 0:01]} h2e2 h9g7 1-0"]),
        ("[Event \"x\"]{c}[Site \"y\"] *", &["Event=x Site=y {c} *"]),
        ("[Event \"x\"] $1 [a \"b\" c] *", &["Event=x Glyph(1) {a \"b\" c]} *"]),
        ("[A \"x\"] h2e2 * [A \"y\"]\nb2e2 *", &["A=x h2e2 *", "b2e2 *"]),
        ("[A \"x] 1\"] *", &["A=x] 1 *"]),
    ] {
        assert_eq!(contents(text), expected, "{text}");
    }
}

#[test]
fn a_comment_between_tags_does_not_begin_a_game() {
    for (text, expected) in [
        ("[A \"x\"]\n{c}\n[B \"y\"]\n\n1. h2e2 *", &["A=x B=y {c} h2e2 *"][..]),
        ("[A \"x\"]\n; c\n[B \"y\"]\n{d}\n[C \"z\"]\n*", &["A=x B=y C=z {c} {d} *"]),
        ("[A \"x\"]\n{c}\n[a \"y\"]\n*", &["A=x {c}", "a=y *"]),
        ("[A \"x\"]\n{c\n[B \"y\"]\nh2e2 *", &["A=x {c}", "B=y h2e2 *"]),
        ("[A \"x\"]\nh2e2\n{c}\n[B \"y\"]\n*", &["A=x h2e2 {c}", "B=y *"]),
    ] {
        assert_eq!(contents(text), expected, "{text}");
    }
}

#[test]
fn words_in_brackets_are_not_tags_in_comments_and_after_results() {
    for quoted in ["[see diagram 3] indeed", "[黑方 应对]", "[Stockfish 15]", "[Event \"b\"]\nrest"]
    {
        let text = format!("1. h2e2 {{a\n{quoted}}} h9g7 1-0");
        assert_eq!(contents(&text), [format!("h2e2 {{a\n{quoted}}} h9g7 1-0")], "{text}");
    }
    let text = "1. h2e2 1-0\n[Visit our site]\n[Event b]\n1. b2e2 0-1";
    assert_eq!(contents(text), ["h2e2 1-0", "Event=b b2e2 0-1"]);
}

#[test]
fn signs_of_full_width_are_annotations() {
    let text = "1. 炮二平五！ 马8进7？！ 2. 马二进三！! ？";
    let expected = "炮二平五 Glyph(1) 马8进7 Glyph(6) 马二进三 Glyph(3) Glyph(2)";
    assert_eq!(contents(text), [expected]);
}

#[test]
fn a_result_may_touch_the_last_move_and_have_blanks() {
    for (text, expected) in [
        ("1. h2e2*", "h2e2 *"),
        ("1. 炮二平五！*", "炮二平五 Glyph(1) *"),
        ("1. h2e2 (1. b2e2*) h9g7*", "h2e2 Open b2e2 Close h9g7 *"),
        ("1. h2e2 *** h9g7 *", "h2e2 h9g7 *"),
        ("1. h2e2 1 - 0", "h2e2 1-0"),
        ("1. h2e2 0 : 1 (time)", "h2e2 0-1"),
        ("1. h2e2 0.5 - 0.5", "h2e2 1/2-1/2"),
        ("1. h2e2 1 h9g7 *", "h2e2 h9g7 *"),
    ] {
        assert_eq!(contents(text), [expected], "{text}");
    }
    let game = raw_games("[Result \"1 - 0 (time)\"]\n1. h2e2 *").next().expect("a game");
    assert_eq!(game.final_result(), GameResult::RedWins);
}

#[test]
fn comments_nest_only_where_their_braces_match() {
    let comments = |text: &str| -> Vec<String> {
        let tokens = raw_games(text).flat_map(|game| game.tokens);
        let texts = tokens.filter_map(|(_, token)| match token {
            Token::Comment(text) => Some(text.to_owned()),
            _ => None,
        });
        texts.collect()
    };
    assert_eq!(comments("1. C2=5 {a {b} c} H8+7 ; rest 1-0\n{d}"), ["a {b} c", "rest 1-0", "d"]);
    assert_eq!(comments("1. C2=5 {a :-{ b} H8+7 {c}"), ["a :-{ b", "c"]);
    assert_eq!(comments("1. C2=5 {no end\n[Red \"x\"]\n1. C2=5 {c}"), ["no end", "c"]);
    assert_eq!(comments("1. C2=5 {no end"), ["no end"]);
}

#[test]
fn the_end_of_nested_comments_is_not_sought_again_and_again() {
    let text = "[A \"x\"]\n}{{{\n[A \"x\"]\n}\n".repeat(50_000);
    let before = std::time::Instant::now();
    assert_eq!(raw_games(&text).count(), 50_000);
    assert!(before.elapsed().as_secs() < 10, "{:?}", before.elapsed());
}
