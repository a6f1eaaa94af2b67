//! Recognises the text of an earlier analysis in the comment of a move, so that a new one replaces
//! it.
//!
//! The words of the program are recognised by their form, wherever they stand; all others stay. A
//! score that a time follows (`+0.35/12 0.050s`) is that of an engine that played the game.

use super::MoveClass;

/// Text removed from comments.
#[derive(PartialEq, Eq, Debug, Default)]
pub(super) struct Earlier {
    /// The classes of the move, if it was called a mistake.
    pub(super) classes: Vec<MoveClass>,
    /// The better moves as they were written.
    pub(super) better: Vec<String>,
}

/// Returns the comment without the scores of an earlier analysis, and their verdicts on the move.
pub(super) fn without_scores(comment: &str) -> (String, Earlier) {
    let mut earlier = Earlier::default();
    let rest = without(comment, |words| {
        let (count, class, better) = score_words(words)?;
        earlier.classes.extend(class);
        earlier.better.extend(better.map(str::to_owned));
        Some(count)
    });
    (rest, earlier)
}

/// Returns the comment without the text of an event, with or without the result in the endgame
/// tables. `event` is the text without that result.
pub(super) fn without_event(comment: &str, event: &str) -> String {
    let event: Vec<&str> = event.split_whitespace().collect();
    without(comment, |words| event_words(words, &event))
}

/// Removes the program's own words from the text: `find` counts them at the head of the words.
fn without<'a>(text: &'a str, mut find: impl FnMut(&[&'a str]) -> Option<usize>) -> String {
    let pieces: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    let words: Vec<&str> = pieces.iter().map(|piece| piece.trim_end()).collect();
    let mut rest = String::new();
    let mut at = 0;
    while let (Some(piece), Some(words)) = (pieces.get(at), words.get(at..)) {
        match find(words) {
            Some(count) => at += count.max(1),
            None => {
                rest.push_str(piece);
                at += 1;
            }
        }
    }
    if rest.len() < text.len() {
        rest.truncate(rest.trim_end().len());
    }
    rest
}

/// Returns the number of words at the head that are a score, such as `[%eval 0.35,12]` or
/// `[%eval -1.21,9] blunder loses 36 %; better C6-2`, with the class and the better move.
fn score_words<'a>(words: &[&'a str]) -> Option<(usize, Option<MoveClass>, Option<&'a str>)> {
    let (scored, rest) = match *words {
        ["[%eval", score, ref rest @ ..] if is_eval(score) => (2, rest),
        [score, ref rest @ ..]
            if is_score(score) && !rest.first().is_some_and(|word| is_time(word)) =>
        {
            (1, rest)
        }
        _ => return None,
    };
    let (name, rest) = rest.split_first().unwrap_or((&"", rest));
    let class = MoveClass::ALL.into_iter().find(|class| class.name() == *name);
    // Older versions did not write centipawns.
    let (loss, better) = match *rest {
        ["loses", percent, "%", cp, "cp);", "better", better, ..]
            if is_number(percent) && is_cp(cp) =>
        {
            (7, Some(better))
        }
        ["loses", percent, "%", cp, "cp)", ..] if is_number(percent) && is_cp(cp) => (5, None),
        ["loses", percent, "%;", "better", better, ..] if is_number(percent) => (5, Some(better)),
        ["loses", percent, "%", ..] if is_number(percent) => (3, None),
        _ => return Some((scored, None, None)),
    };
    match class {
        Some(_) => Some((scored + 1 + loss, class, better)),
        None => Some((scored, None, None)),
    }
}

/// Returns whether a word begins the centipawns lost: `(120 cp)`.
fn is_cp(word: &str) -> bool {
    word.strip_prefix('(').is_some_and(is_number)
}

/// Returns whether a word is the rest of `[%eval 0.35,12]` or `[%eval #-3]`.
fn is_eval(word: &str) -> bool {
    let Some(word) = word.strip_suffix(']') else { return false };
    let (score, depth) = word.split_once(',').unwrap_or((word, "0"));
    let score = match score.strip_prefix('#') {
        Some(moves) => moves.parse::<i32>().is_ok(),
        None => score.parse::<f64>().is_ok_and(f64::is_finite),
    };
    score && is_number(depth)
}

/// Returns whether a word is a score and a depth as older versions wrote them: `+0.35/12`,
/// `-mate3/9`, `+rule/120`.
fn is_score(word: &str) -> bool {
    let Some((score, depth)) = word.split_once('/') else { return false };
    let Some(score) = score.strip_prefix(['+', '-']) else { return false };
    let is_pawns = || {
        let parts = score.split_once('.');
        parts.is_some_and(|(pawns, rest)| is_number(pawns) && rest.len() == 2 && is_number(rest))
    };
    let is_mate =
        || score.strip_prefix("mate").is_some_and(|moves| moves.is_empty() || is_number(moves));
    is_number(depth) && (score == "rule" || is_mate() || is_pawns())
}

/// Returns whether a word is a time, such as `0.050s` or `12ms,`.
fn is_time(word: &str) -> bool {
    let word = word.trim_end_matches([',', ';']);
    let number = word.strip_suffix('s').map(|word| word.strip_suffix('m').unwrap_or(word));
    number.is_some_and(|number| number.parse::<f64>().is_ok())
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the number of words at the head that are this event.
fn event_words(words: &[&str], event: &[&str]) -> Option<usize> {
    let (last, first) = event.split_last()?;
    let (found, rest) = words.split_at_checked(event.len())?;
    let (found_last, found_first) = found.split_last()?;
    if found_first != first {
        return None;
    }
    if found_last == last {
        return Some(event.len());
    }
    if found_last.strip_suffix(';') != Some(*last) {
        return None;
    }
    let table = match rest {
        ["by", "the", "tables", "a", "draw", ..] => 5,
        ["by", "the", "tables", _, "has", "won", ..] => 6,
        ["by", "the", "tables", _, "wins", "in", _, "ply" | "plies", ..] => 8,
        _ => return None,
    };
    Some(event.len() + table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_words_of_the_program_are_taken_out() {
        for (comment, rest) in [
            ("+0.35/12", ""),
            ("good try +0.35/12", "good try"),
            ("+0.35/12 good try", "good try"),
            ("a\nb -mate3/9 blunder loses 36 %; better C6-2 c", "a\nb c"),
            ("+rule/120 mistake loses 12 % -0.10/7 inaccuracy loses 5 %;\nbetter 炮二平五", ""),
            ("+mate/1", ""),
            ("good [%eval 0.35,12]", "good"),
            ("a [%eval -1.2,9] blunder loses 36 % (120 cp); better C6-2 b", "a b"),
            ("[%eval -1.2,9] mistake loses 12 % (70 cp) b", "b"),
            ("a [%eval #-3,9] blunder loses 36 %; better C6-2 [%clk 0:01:00]", "a [%clk 0:01:00]"),
            ("[%eval 12.5]", ""),
            ("+0.35/12 Red loses 36 % of the games", "Red loses 36 % of the games"),
        ] {
            assert_eq!(without_scores(comment).0, rest, "{comment}");
        }
        for kept in [
            "",
            "+0.35/12 0.050s n=100",
            "[%eval good]",
            "[%eval",
            "+0.35/12 1s, Red mates",
            "+0.35/12, I think",
            "0.35/12",
            "+0.3/12",
            "+0.35",
            "+M3/12",
            "blunder loses 36 %  ",
            "two  blanks\n\nand lines ",
        ] {
            assert_eq!(without_scores(kept), (kept.to_owned(), Earlier::default()), "{kept}");
        }
    }

    #[test]
    fn a_score_tells_the_class_and_the_better_move() {
        let (_, earlier) = without_scores("-1.21/9 blunder loses 36 %; better C6-2");
        let better = vec!["C6-2".to_owned()];
        assert_eq!(earlier, Earlier { classes: vec![MoveClass::Blunder], better });
    }

    #[test]
    fn an_event_is_taken_out_with_its_table_result() {
        let event = "ending: red rook against black king alone";
        for (tail, rest) in [
            ("", ""),
            ("; by the tables red wins in 25 plies", ""),
            ("; by the tables black wins in 1 ply I see", "I see"),
            ("; by the tables a draw", ""),
            ("; by the tables red has won", ""),
            ("; by hand", "ending: red rook against black king alone; by hand"),
        ] {
            assert_eq!(without_event(&format!("{event}{tail}"), event), rest, "{tail}");
        }
    }
}
