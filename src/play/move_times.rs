//! Times left in game files: the command `%clk` in the comment after a move, as PGN readers expect.

use std::collections::BTreeMap;
use std::time::Duration;

use cannonade_game::ClockControl;
use xiangqi::records::{Game, NodeId};

const START: &str = "[%clk ";

/// Writes the times into the comments of the moves that the record has, in place of older ones.
pub(super) fn write(times: &BTreeMap<NodeId, Duration>, record: &mut Game) {
    for (&node, &left) in times {
        if record.mv(node).is_some() {
            let comment = without(record.comment(node));
            let text = format!("{comment} {START}{}]", clock_text(left));
            record.set_comment(node, text.trim());
        }
    }
}

/// Returns the clocks of a file: their control, and the time left after each move of the main line
/// where the file has one. `None` if the file says nothing of both.
pub(super) fn read(record: &Game) -> Option<(ClockControl, Vec<Option<Duration>>)> {
    let control: ClockControl = record.tag("TimeControl")?.parse().ok()?;
    let nodes = record.line_after(NodeId::ROOT);
    let times: Vec<_> = nodes.map(|node| parse(record.comment(node))).collect();
    times.iter().any(Option::is_some).then_some((control, times))
}

/// Removes the times from the comments of the main line.
pub(super) fn remove(record: &mut Game) {
    for node in record.line_after(NodeId::ROOT).collect::<Vec<_>>() {
        let comment = without(record.comment(node));
        record.set_comment(node, &comment);
    }
}

/// Reads the time in a comment: `[%clk 0:04:58.3]`.
fn parse(comment: &str) -> Option<Duration> {
    let (_, rest) = comment.split_once(START)?;
    let (text, _) = rest.split_once(']')?;
    let parts: Vec<&str> = text.trim().split(':').collect();
    let [hours, minutes, seconds] = parts[..] else { return None };
    let (hours, minutes) = (hours.parse::<u32>().ok()?, minutes.parse::<u32>().ok()?);
    let seconds: f64 = seconds.parse().ok().filter(|seconds| (0.0..60.0).contains(seconds))?;
    let whole = u64::from(hours) * 3600 + u64::from(minutes) * 60;
    Some(Duration::from_secs(whole) + Duration::from_secs_f64(seconds))
}

/// Removes the time from a comment.
fn without(comment: &str) -> String {
    let Some((before, rest)) = comment.split_once(START) else { return comment.to_owned() };
    let after = rest.split_once(']').map_or("", |(_, after)| after);
    format!("{} {}", before.trim(), after.trim()).trim().to_owned()
}

/// Writes hours, minutes and seconds, with tenths if there are any.
fn clock_text(left: Duration) -> String {
    let seconds = left.as_secs();
    let tenths = left.subsec_millis() / 100;
    let text = format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if tenths == 0 { text } else { format!("{text}.{tenths}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_as_it_is_written() {
        for millis in [0, 300, 59_900, 4_000_000] {
            let left = Duration::from_millis(millis);
            assert_eq!(parse(&format!("a {START}{}] b", clock_text(left))), Some(left));
        }
        for comment in ["", "[%clk 1:00]", "[%clk 0:00:61]", "[%clk x:0:0]", "[%clk 0:00:-1]"] {
            assert_eq!(parse(comment), None, "{comment}");
        }
    }

    #[test]
    fn the_rest_of_a_comment_stays() {
        assert_eq!(without("good [%clk 0:01:00] move"), "good move");
        assert_eq!(without("good"), "good");
    }
}
