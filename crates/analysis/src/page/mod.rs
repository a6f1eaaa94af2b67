//! Reports as pages: one HTML file with everything in it, which works without a network.
//!
//! The data of the games stand in the page as JSON, whose shape is that of [`data`]; a script
//! writes them as text, so that no name or comment of a game file can become HTML. The page's
//! policy allows only the scripts and styles that carry its number, which is random.

mod data;
mod languages;
mod loops;
mod options;
mod variations;

use std::iter;

use serde_json::json;

pub use data::summary as summary_json;
pub use languages::in_both_languages;
pub use loops::explained_loops;
pub use options::{ReportGame, ReportOptions};
use xiangqi::geometry::Color;
use xiangqi::pictures::{
    BOARD_SCRIPT, BOARD_STYLES, CoordinateStyle, SheetParts, symbol_sheet, theme_styles,
};

use cannonade_engine::build_name;
use cannonade_tables::random::fresh_seed;

const TEMPLATE: &str = include_str!("assets/report.html");

/// The styles of buttons, fields, cards and tags that reports share with the page of
/// `cannonade web`.
pub const CONTROL_STYLES: &str = include_str!("assets/controls.css");

const STYLES: &str = include_str!("assets/report.css");
const WORDS: &str = include_str!("assets/words.js");
const VARIATIONS: &str = include_str!("assets/variations.js");
const SCRIPT: &str = include_str!("assets/report.js");

/// Returns the report of one or more games as an HTML document.
pub fn report_page(games: &[ReportGame<'_>], options: &ReportOptions) -> String {
    let data = json!({
        "language": options.language.to_string(),
        "coordinates": CoordinateStyle::from(options.notation).to_string(),
        "games": games.iter().map(|game| data::game(game, options)).collect::<Vec<_>>(),
    });
    let generator = format!("Cannonade {}", build_name());
    let nonce = format!("{:016x}{:016x}", fresh_seed(), fresh_seed());
    let styles = [theme_styles(), BOARD_STYLES, CONTROL_STYLES, STYLES].concat();
    fill(TEMPLATE, |name| match name {
        "nonce" => nonce.clone(),
        "generator" => generator.clone(),
        "origin" => {
            let limits = options.limits.iter().map(|limits| format!("; {limits}"));
            let text: String = iter::once(generator.clone()).chain(limits).collect();
            html_escape::encode_quoted_attribute(&text).into_owned()
        }
        "title" => html_escape::encode_quoted_attribute(&title(games)).into_owned(),
        "styles" => styles.clone(),
        "sheet" => symbol_sheet(SheetParts::ALL),
        "data" => script_data(&data.to_string()),
        "board" => BOARD_SCRIPT.to_owned(),
        "words" => WORDS.to_owned(),
        "report" => [VARIATIONS, SCRIPT].concat(),
        _ => String::new(),
    })
}

fn title(games: &[ReportGame<'_>]) -> String {
    let players = match games {
        [one] => Color::ALL.map(|side| one.game.player(side)),
        _ => [None, None],
    };
    match players {
        [Some(red), Some(black)] => format!("{red} – {black}"),
        _ => "Xiangqi report".to_owned(),
    }
}

/// Replaces each `{{name}}` of the template; inserted text is not searched again.
fn fill(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once("{{") {
        let (name, after) = behind.split_once("}}").unwrap_or((behind, ""));
        text += before;
        text += &value(name);
        rest = after;
    }
    text + rest
}

/// Escapes JSON for a `<script>` element: the characters that could end the element or begin a
/// comment in it occur only within strings.
fn script_data(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                safe += &format!("\\u{:04x}", u32::from(c));
            }
            _ => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_not_searched_for_names() {
        let text = fill("<{{a}}|{{b}}|{{a}}>", |name| match name {
            "a" => "{{b}}".to_owned(),
            _ => "x".to_owned(),
        });
        assert_eq!(text, "<{{b}}|x|{{b}}>");
    }

    #[test]
    fn data_cannot_leave_the_script() {
        let json = json!({ "Red": "</script><script>alert(1)</script><!-- \u{2028}&" }).to_string();
        let safe = script_data(&json);
        assert!(!safe.contains(['<', '>', '&', '\u{2028}']), "{safe}");
        let back: serde_json::Value = serde_json::from_str(&safe).expect("JSON");
        assert_eq!(back, serde_json::from_str::<serde_json::Value>(&json).expect("JSON"));
    }
}
