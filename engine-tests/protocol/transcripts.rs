//! Plays the transcripts of `engine-tests/data/sessions` against the binary.
//!
//! ```text
//! # a comment
//! > text      send a line; \r, \t and \xHH are bytes
//! < pattern   skip lines until one matches; * stands for any text
//! ! pattern   from here on no line may match; without pattern all lines may come again
//! . 300       no line may come for this many milliseconds
//! $           the process ends, its stderr empty
//! ```

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use super::client::Client;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("engine-tests/data/sessions")
}

/// Counts the transcripts.
fn transcripts_in_folder() -> usize {
    let entries =
        fs::read_dir(folder()).expect("the sessions").map(|entry| entry.expect("an entry"));
    entries.filter(|entry| entry.path().extension().is_some_and(|ext| ext == "txt")).count()
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
            assert_eq!(transcripts_in_folder(), [$($file),*].len());
        }
    };
}

transcripts! {
    handshakes_in_any_order => "handshakes.txt",
    nothing_is_sent_unasked => "unasked.txt",
    any_line_end_blanks_and_bytes => "bytes.txt",
    options_in_any_spelling => "options.txt",
    positions_in_any_spelling => "positions.txt",
    every_go_in_uci => "go-uci.txt",
    every_go_in_ucci => "go-ucci.txt",
    final_positions => "final.txt",
    root_moves_prove_little => "root-moves.txt",
    randomness_reports_its_lines => "randomness.txt",
    stop_in_idle_state => "idle-stop.txt",
    order_of_the_info_words => "info.txt",
    words_of_the_bestmove => "bestmove.txt",
    option_lines => "option-lines.txt",
    net_lookup => "net.txt",
    books_in_uci => "book-uci.txt",
    books_in_ucci => "book-ucci.txt",
    levels_below_full_strength => "levels.txt",
    quit_while_searching => "quit.txt",
    ucci_bans_draws_and_probes => "ucci.txt",
    ucci_batch_reads_nothing_while_thinking => "ucci-batch.txt",
    commands_during_a_search_wait_their_turn => "queue.txt",
    pondering_is_silent_until_the_hit => "ponder.txt",
    people_get_what_they_ask_for => "people.txt",
    uci_cyclone => "cyclone.txt",
    coordinates_are_recognized => "coordinates.txt",
    liground_counts_ranks_from_1 => "liground.txt",
    variantfishtest_counts_ranks_from_1 => "variantfishtest.txt",
    xboard_adapter_with_a_variant_counts_from_0 => "uci2wb-variant.txt",
    xboard_adapter_as_uci => "uci2wb-uci.txt",
    xboard_adapter_as_ucci => "uci2wb-ucci.txt",
}
