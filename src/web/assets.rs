//! The page, which is part of the program.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::LazyLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use xiangqi::pictures::{BOARD_SCRIPT, BOARD_STYLES, PieceSet, symbol_sheet, theme_styles};

use super::http::{Request, Response};
use crate::analysis::CONTROL_STYLES;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The place of the board's drawings in the page.
const SYMBOLS: &str = "<!-- symbols -->";

/// The place of the links that load all modules at once, not each after the one that imports it.
const MODULES: &str = "<!-- modules -->";

/// Names, media types and contents; those of the board come from [`xiangqi::pictures`].
static SOURCES: LazyLock<Vec<(&str, &str, Cow<'static, str>)>> = LazyLock::new(|| {
    let page = include_str!("page/index.html").replace(SYMBOLS, &symbol_sheet(&PieceSet::ALL));
    let own = concat!(include_str!("page/style.css"), include_str!("page/features.css"));
    let parts = [theme_styles(), BOARD_STYLES, CONTROL_STYLES, own];
    vec![
        ("", HTML, page.into()),
        ("style.css", CSS, parts.concat().into()),
        ("icon.svg", "image/svg+xml", include_str!("page/icon.svg").into()),
        ("board.js", SCRIPT, BOARD_SCRIPT.into()),
        ("annotator.js", SCRIPT, include_str!("page/annotator.js").into()),
        ("app.js", SCRIPT, include_str!("page/app.js").into()),
        ("away.js", SCRIPT, include_str!("page/away.js").into()),
        ("book.js", SCRIPT, include_str!("page/book.js").into()),
        ("copy.js", SCRIPT, include_str!("page/copy.js").into()),
        ("dom.js", SCRIPT, include_str!("page/dom.js").into()),
        ("files.js", SCRIPT, include_str!("page/files.js").into()),
        ("history.js", SCRIPT, include_str!("page/history.js").into()),
        ("judging.js", SCRIPT, include_str!("page/judging.js").into()),
        ("lines.js", SCRIPT, include_str!("page/lines.js").into()),
        ("looks.js", SCRIPT, include_str!("page/looks.js").into()),
        ("moves.js", SCRIPT, include_str!("page/moves.js").into()),
        ("notices.js", SCRIPT, include_str!("page/notices.js").into()),
        ("play.js", SCRIPT, include_str!("page/play.js").into()),
        ("players.js", SCRIPT, include_str!("page/players.js").into()),
        ("preview.js", SCRIPT, include_str!("page/preview.js").into()),
        ("scores.js", SCRIPT, include_str!("page/scores.js").into()),
        ("server.js", SCRIPT, include_str!("page/server.js").into()),
        ("settings.js", SCRIPT, include_str!("page/settings.js").into()),
        ("setup.js", SCRIPT, include_str!("page/setup.js").into()),
        ("sound.js", SCRIPT, include_str!("page/sound.js").into()),
        ("status.js", SCRIPT, include_str!("page/status.js").into()),
        ("stream.js", SCRIPT, include_str!("page/stream.js").into()),
        ("text.js", SCRIPT, include_str!("page/text.js").into()),
        ("thinking.js", SCRIPT, include_str!("page/thinking.js").into()),
        ("tree.js", SCRIPT, include_str!("page/tree.js").into()),
    ]
});

/// A part of the page, also as gzip.
struct Asset {
    name: &'static str,
    content_type: &'static str,
    text: String,
    gzip: Vec<u8>,
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let mut links = String::new();
    for (name, content_type, _) in SOURCES.iter() {
        if *content_type == SCRIPT && *name != "board.js" {
            let _ = writeln!(links, "<link rel=\"modulepreload\" href=\"{name}\">");
        }
    }
    let asset = |(name, content_type, text): &(&'static str, &'static str, Cow<'static, str>)| {
        let text = if name.is_empty() { text.replace(MODULES, &links) } else { text.to_string() };
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        // Memory takes everything.
        let gzip = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
        Asset { name, content_type, text, gzip: gzip.unwrap_or_default() }
    };
    SOURCES.iter().map(asset).collect()
});

/// The part of the page with this name, compressed if the client reads that; the page itself has no
/// name.
pub(super) fn asset(name: &str, request: &Request) -> Option<Response> {
    let asset = ASSETS.iter().find(|asset| asset.name == name)?;
    let response = if request.accepts_gzip && !asset.gzip.is_empty() {
        Response::new(asset.content_type, asset.gzip.as_slice())
            .with_header("Content-Encoding", "gzip")
    } else {
        Response::new(asset.content_type, asset.text.as_bytes())
    };
    Some(response.with_header("Vary", "Accept-Encoding"))
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn every_module_that_is_imported_is_there() {
        let imports = SOURCES.iter().flat_map(|(_, _, text)| text.split(" from './").skip(1));
        let names: Vec<&str> = imports.filter_map(|text| text.split('\'').next()).collect();
        assert!(names.len() > 20, "{names:?}");
        for name in names {
            assert!(SOURCES.iter().any(|(known, ..)| *known == name), "{name} is not served");
            let link = format!("<link rel=\"modulepreload\" href=\"{name}\">");
            assert!(ASSETS.iter().any(|asset| asset.text.contains(&link)), "{name} comes late");
        }
    }

    #[test]
    fn the_compressed_parts_are_the_parts_and_much_smaller() {
        let (mut plain, mut packed) = (0, 0);
        for asset in ASSETS.iter() {
            let mut text = String::new();
            GzDecoder::new(asset.gzip.as_slice()).read_to_string(&mut text).expect("gzip");
            assert_eq!(text, asset.text, "{}", asset.name);
            plain += asset.text.len();
            packed += asset.gzip.len();
        }
        assert!(packed * 2 < plain, "{plain} bytes become {packed}");
    }
}
