//! Text files that are not UTF-8: every command finds out how they are encoded.

use std::fs;

use encoding_rs::{BIG5, GB18030};

use crate::{folder, run};

/// The text in each encoding that Chinese programs use, with a name for the file.
fn encoded(text: &str) -> [(&'static str, Vec<u8>); 5] {
    let utf16 = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect()
    };
    [
        ("bom", format!("\u{feff}{text}").into_bytes()),
        ("gb18030", GB18030.encode(text).0.into_owned()),
        ("big5", BIG5.encode(text).0.into_owned()),
        ("utf16le", utf16(u16::to_le_bytes)),
        ("utf16be", utf16(u16::to_be_bytes)),
    ]
}

#[test]
fn rating_tells_players_with_chinese_names_apart() {
    let folder = folder("rating-encodings");
    let game = |red: &str, black: &str| {
        format!("[Red \"{red}\"]\n[Black \"{black}\"]\n\n1. 炮二平五 馬８進７ 1-0\n\n")
    };
    let text = game("許銀川", "呂欽天") + &game("呂欽天", "王天一");
    for (name, bytes) in encoded(&text) {
        let path = folder.join(name);
        fs::write(&path, bytes).expect("a temporary file");
        let output = run(&["rating", path.to_str().expect("a path in UTF-8")]);
        let table = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        for player in ["許銀川", "呂欽天", "王天一"] {
            assert!(table.contains(player), "{name}: {table}");
        }
    }
}
