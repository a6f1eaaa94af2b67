//! Plays the transcripts of `engine-tests/data/sessions` against the binary.
//!
//! ```text
//! # a comment
//! > text      send a line; \r, \t and \xHH are bytes
//! < pattern   skip lines until one matches; * stands for any text
//! ! pattern   from here on no line may match; without pattern all lines may come again
//! . 300       not a single line may come for so many milliseconds
//! $           the process ends, its stderr empty
//! ```

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use crate::client::Client;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("engine-tests/data/sessions")
}

/// The lines that all transcripts send.
pub fn all_sent() -> Vec<Vec<Vec<u8>>> {
    let mut names: Vec<_> = fs::read_dir(folder())
        .expect("the sessions")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "txt"))
        .collect();
    names.sort();
    let sent = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a transcript");
        text.lines().filter_map(|line| line.strip_prefix("> ")).map(bytes).collect()
    };
    names.iter().map(sent).collect()
}

/// The bytes of a line to send.
fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((head, tail)) = rest.split_once('\\') {
        bytes.extend_from_slice(head.as_bytes());
        let (byte, length) = match tail.as_bytes().first() {
            Some(b'r') => (b'\r', 1),
            Some(b't') => (b'\t', 1),
            Some(b'x') => (u8::from_str_radix(&tail[1..3], 16).expect("two hexadecimal digits"), 3),
            _ => panic!("'{text}': an escape that is none"),
        };
        bytes.push(byte);
        rest = &tail[length..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

fn play(name: &str) {
    let text = fs::read_to_string(folder().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut client = Some(Client::start());
    let mut forbidden: Vec<String> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let (mark, rest) = line.split_at(line.len().min(1));
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        let Some(engine) = client.as_mut() else {
            assert!(matches!(mark, "" | "#"), "{name}:{}: the process has ended", number + 1);
            continue;
        };
        match mark {
            "" | "#" => {}
            ">" => {
                let mut bytes = bytes(rest);
                bytes.push(b'\n');
                engine.send_bytes(&bytes);
            }
            "<" => drop(engine.expect_without(rest, &forbidden)),
            "!" if rest.is_empty() => forbidden.clear(),
            "!" => forbidden.push(rest.to_owned()),
            "." => {
                engine.expect_silence(Duration::from_millis(rest.parse().expect("milliseconds")));
            }
            "$" => {
                for line in engine.drain_to_end() {
                    engine.check(&line, &forbidden);
                }
                client = None;
            }
            _ => panic!("{name}:{}: '{line}' begins with no mark", number + 1),
        }
    }
    assert!(client.is_none(), "{name}: a transcript ends with '$'");
}

macro_rules! transcripts {
    ($($test:ident => $file:literal,)*) => {
        $(#[test] fn $test() { play($file); })*

        #[test]
        fn every_transcript_is_played() {
            assert_eq!(all_sent().len(), [$($file),*].len());
        }
    };
}

transcripts! {
    point_01_handshakes_in_any_order => "01-handshakes.txt",
    point_02_nothing_is_said_unasked => "02-unasked.txt",
    point_03_any_line_end_blanks_and_bytes => "03-bytes.txt",
    point_04_options_in_any_spelling => "04-options.txt",
    point_05_positions_in_any_dialect => "05-positions.txt",
    point_06_every_go_in_uci => "06-go-uci.txt",
    point_06_every_go_in_ucci => "06-go-ucci.txt",
    point_07_final_positions => "07-final.txt",
    point_08_stop_in_idle_state => "08-idle-stop.txt",
    point_09_order_of_the_info_words => "09-info.txt",
    point_10_words_of_the_bestmove => "10-bestmove.txt",
    point_11_option_lines => "11-option-lines.txt",
    point_13_net_lookup => "13-net.txt",
    point_14_quit_while_searching => "14-quit.txt",
    ucci_bans_draws_and_probes => "ucci.txt",
    ucci_batch_reads_nothing_while_thinking => "ucci-batch.txt",
    commands_during_a_search_wait_their_turn => "queue.txt",
    pondering_is_silent_until_the_hit => "ponder.txt",
    people_get_what_they_ask_for => "people.txt",
    uci_cyclone => "cyclone.txt",
    xboard_adapter_as_uci => "uci2wb-uci.txt",
    xboard_adapter_as_ucci => "uci2wb-ucci.txt",
}
