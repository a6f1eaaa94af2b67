//! PGN, the text format of games: tags, then moves with comments and variations.
//!
//! Source: S. Edwards, "Portable Game Notation Specification" (1994), with the tags of xiangqi
//! programs: `Red`, `Format`, `RedTeam`, `BlackTeam`.

mod diagram;
mod lexer;
mod line_starts;
mod prose;
mod raw_game;
mod reader;
mod sections;
mod tags;
mod writer;

pub(super) use lexer::SEPARATORS;
pub use lexer::raw_games;
pub(super) use line_starts::begins_with_move;
pub use raw_game::RawGame;
pub(super) use reader::{read, read_move_text};
pub use tags::TagError;
pub(super) use tags::{check_tag_name, first_tag, has_quoted_value};
pub use writer::write_pgn;

/// The signs that numeric annotation glyphs stand for, from 1 on.
pub const GLYPH_SIGNS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Returns the sign of a glyph for the position or the plan, such as `±`, which stands after the
/// one of the move.
const fn assessment_sign(glyph: u8) -> Option<&'static str> {
    Some(match glyph {
        7 => "□",
        10..=12 => "=",
        13 => "∞",
        14 => "⩲",
        15 => "⩱",
        16 => "±",
        17 => "∓",
        18 | 20 => "+−",
        19 | 21 => "−+",
        22 | 23 => "⨀",
        32 | 33 => "⟳",
        36 | 37 => "↑",
        40 | 41 => "→",
        44 | 45 => "=∞",
        132 | 133 => "⇆",
        138 | 139 => "⊕",
        140 => "∆",
        146 => "N",
        _ => return None,
    })
}

/// Returns the glyph of a sign for the position or the plan, as texts write it.
fn assessment_glyph(sign: &str) -> Option<u8> {
    Some(match sign {
        "□" => 7,
        "=" | "＝" => 10,
        "∞" => 13,
        "⩲" | "+/=" | "+=" => 14,
        "⩱" | "=/+" | "=+" => 15,
        "±" | "+/-" => 16,
        "∓" | "-/+" => 17,
        "+-" | "+−" | "+–" => 18,
        "-+" | "−+" | "–+" => 19,
        "⨀" | "⊙" => 22,
        "⟳" => 32,
        "↑" => 36,
        "→" => 40,
        "=∞" | "∞=" => 44,
        "⇆" => 132,
        "⊕" => 138,
        "∆" | "△" | "⌓" => 140,
        "N" => 146,
        _ => return None,
    })
}

/// Returns the sign of the first glyph for the move itself, such as `!?`.
pub fn move_sign(glyphs: &[u8]) -> Option<&'static str> {
    glyphs.iter().find_map(|&glyph| GLYPH_SIGNS.get(usize::from(glyph).checked_sub(1)?).copied())
}

/// Returns the signs of glyphs for the position or the plan, such as `±`.
///
/// ```
/// use xiangqi::records::{assessment_signs, move_sign};
///
/// let glyphs = [1, 14, 2];
/// assert_eq!((move_sign(&glyphs), assessment_signs(&glyphs).as_str()), (Some("!"), "⩲"));
/// ```
pub fn assessment_signs(glyphs: &[u8]) -> String {
    glyphs.iter().filter_map(|&glyph| assessment_sign(glyph)).collect()
}
