//! Texts of DhtmlXQ, and the games that they hold.

use super::*;
use std::time::Instant;

fn field(name: &str, value: &str) -> String {
    format!("[DhtmlXQ_{name}]{value}[/DhtmlXQ_{name}]\n")
}

#[test]
fn black_to_move_is_kept_after_all_moves_are_removed() {
    let start = Position::from_fen("3ak4/9/9/9/9/9/9/9/4p4/R2K5 b - - 0 1").expect("a position");
    let mut game = Game::with_moves(start, ["e1d1".parse().expect("a move")]).expect("legal");
    assert!(!game.is_empty());
    game.remove(game.children(NodeId::ROOT)[0]);
    assert!(game.is_empty());
    let again = read(&write_dhtmlxq(&game, TextEncoding::Utf8)).games.remove(0);
    assert_eq!(again.start().fen(), game.start().fen());
}

/// Returns a game of knight moves there and back, as `movelist` has it.
fn long_line(plies: usize) -> String {
    ["7967", "7062", "6779", "6270"].into_iter().cycle().take(plies).collect()
}

#[test]
fn records_without_an_enclosure_begin_with_a_tag_that_the_last_one_has() {
    let titles = |text: &str| -> Vec<(Option<String>, usize)> {
        let games = read(text).games;
        games.iter().map(|game| (game.tag("Title").map(str::to_owned), game.len())).collect()
    };
    let [x, y] = ["x", "y"].map(|title| field("title", title));
    let [one, two] = ["7747", "77477062"].map(|moves| field("movelist", moves));
    let (x_title, y_title) = (Some("x".to_owned()), Some("y".to_owned()));
    let both = [(x_title, 2), (y_title.clone(), 1)];
    assert_eq!(titles(&[&x[..], &two, &y, &one].concat()), both);
    let enclosed = ["[DhtmlXQ]", &x, &two, "[/DhtmlXQ][DhtmlXQ]", &y, &one, "[/DhtmlXQ]"];
    assert_eq!(titles(&enclosed.concat()), both);
    assert_eq!(titles(&[&two[..], &one].concat()), [(None, 2), (None, 1)]);
    // Inside an enclosure the last one counts.
    let twice = ["[DhtmlXQ]", &x, &y, &two, "[/DhtmlXQ]"].concat();
    assert_eq!(titles(&twice), [(y_title, 2)]);
}

#[test]
fn a_comment_of_no_move_is_reported() {
    let text = [
        field("movelist", "77477062"),
        field("comment0", "start"),
        field("comment2", "end"),
        field("comment3", "none"),
        field("comment4", ""),
        field("comment9_1", "none"),
        field("move_0_2_1", "1022"),
        field("comment1_3", "none"),
        field("comment1_1", "shared"),
    ];
    let reading = read(&text.concat());
    let problems: Vec<_> = reading.problems.iter().map(ToString::to_string).collect();
    let of_no_move =
        |line, name| format!("game 1, line {line}: {name} belongs to no move of the game");
    let expected = [(4, "comment3"), (6, "comment9_1"), (8, "comment1_3")];
    assert_eq!(problems, expected.map(|(line, name)| of_no_move(line, name)));
    assert!(reading.problems.iter().all(|problem| !problem.affects_moves()));
    let game = &reading.games[0];
    let comments = [NodeId::ROOT].into_iter().chain(game.main_line());
    let comments: Vec<_> = comments.map(|node| game.comment(node)).collect();
    assert_eq!(comments, ["start", "shared", "end"]);
}

#[test]
fn lines_far_from_each_other_are_read_at_once() {
    const COUNT: usize = 30_000;
    const ENDS: usize = COUNT / 3;
    let chain: String = (0..COUNT)
        .map(|i| field(&format!("move_{i}_2_{}", i + 1), "7062"))
        .chain([field("movelist", "7747")])
        .collect();
    let zigzag: String = (1..COUNT)
        .map(|i| match i % 2 {
            0 => field(&format!("move_0_2_{i}"), "7062"),
            _ => field(&format!("move_0_{COUNT}_{i}"), "1022"),
        })
        .chain([field("movelist", &long_line(COUNT))])
        .collect();
    // Each line leaves the end of the main line; two more name it, of which one leaves the
    // start.
    let there_and_back: String = (1..ENDS)
        .flat_map(|i| {
            let (start, end) = (ENDS + i, 2 * ENDS + i);
            [
                field(&format!("move_0_{COUNT}_{i}"), "1022"),
                field(&format!("move_{i}_1_{start}"), "7747"),
                field(&format!("move_{i}_{COUNT}_{end}"), "1022"),
            ]
        })
        .chain([field("movelist", &long_line(COUNT))])
        .collect();
    let before = Instant::now();
    for (text, count) in
        [(chain, COUNT + 1), (zigzag, 2 * COUNT - 1), (there_and_back, COUNT + 3 * (ENDS - 1))]
    {
        let reading = read(&text);
        assert_eq!(reading.problems, [], "{text:.80}");
        assert_eq!(reading.games[0].len(), count);
    }
    assert!(before.elapsed().as_secs() < 10, "{:?}", before.elapsed());
}

#[test]
fn a_line_leaves_any_line_before_it_where_its_number_says() {
    // Line k leaves line k - 1 with its second move, up to line 60; the others leave line 60
    // far before its begin.
    const DEPTH: usize = 60;
    let line = |k: usize| long_line(k + 8)[4 * k..].to_owned();
    let deep = (1..=DEPTH).map(|k| field(&format!("move_{}_{}_{k}", k - 1, k + 1), &line(k)));
    let back = (1..=DEPTH).map(|k| field(&format!("move_{DEPTH}_{k}_{}", DEPTH + k), "9999"));
    let moves = long_line(2 * DEPTH);
    let text: String = deep.chain(back).chain([field("movelist", &moves)]).collect();
    let mut reading = read(&text);
    let game = reading.games.remove(0);
    // `9999` is no move, and the defect has the number of the move in the game.
    let numbers = reading.problems.iter().map(|problem| match problem.defect.in_any_line() {
        RecordError::OffBoard { number, .. } => *number as usize,
        other => panic!("{other}"),
    });
    let mut numbers: Vec<usize> = numbers.collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=DEPTH).map(|k| k.div_ceil(2)).collect::<Vec<_>>());
    // Line k has its first move at half-move k + 1, after the first moves of all lines before.
    let mut node = game.children(NodeId::ROOT)[0];
    for _ in 0..DEPTH {
        node = *game.children(node).last().expect("a line");
    }
    assert_eq!(game.path_to(node).len(), DEPTH + 1);
}

#[test]
fn a_list_of_men_that_is_cut_short_names_its_defect() {
    let whole = men::squares(Position::startpos().board());
    let whole = whole.map(|square| square.map_or("99".to_owned(), digits)).concat();
    assert!(read(&field("binit", &whole)).problems.is_empty());
    let reading = read(&field("binit", &whole[..62]));
    let [problem] = &reading.problems[..] else { panic!("{:?}", reading.problems) };
    assert_eq!(problem.defect, RecordError::Binit(62));
    assert!(problem.to_string().contains("binit has 62 digits; expected 64"), "{problem}");
}
