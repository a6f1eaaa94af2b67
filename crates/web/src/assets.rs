//! The page, which is part of the program.

use std::borrow::Cow;
use std::io::Write as _;
use std::sync::LazyLock;

use cannonade_analysis::CONTROL_STYLES;
use flate2::Compression;
use flate2::write::GzEncoder;
use xiangqi::pictures::{
    BOARD_SCRIPT, BOARD_STYLES, CoordinateStyle, PieceSet, SheetParts, remaining_sheet,
    symbol_sheet, theme_styles,
};

use super::bundle::{BundleError, bundle, compact};
use super::http::{Request, Response};

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The place of the board's drawings in the page.
const SYMBOLS: &str = "<!-- symbols -->";

/// Symbols of the boards that a first visitor sees, the one beside the pointer without names at its
/// edges; `symbols.js` loads the rest when it is chosen.
const FIRST_SYMBOLS: SheetParts<'_> = SheetParts {
    sets: &[PieceSet::Chinese],
    coordinates: &[CoordinateStyle::Files, CoordinateStyle::None],
};

/// The modules of the page; `app.js` is the first one to run.
const MODULES: [(&str, &str); 47] = [
    ("annotator.js", include_str!("page/annotator.js")),
    ("app.js", include_str!("page/app.js")),
    ("away.js", include_str!("page/away.js")),
    ("book.js", include_str!("page/book.js")),
    ("captured.js", include_str!("page/captured.js")),
    ("clock.js", include_str!("page/clock.js")),
    ("collection.js", include_str!("page/collection.js")),
    ("dom.js", include_str!("page/dom.js")),
    ("downloads.js", include_str!("page/downloads.js")),
    ("engine.js", include_str!("page/engine.js")),
    ("files.js", include_str!("page/files.js")),
    ("functions.js", include_str!("page/functions.js")),
    ("game.js", include_str!("page/game.js")),
    ("games.js", include_str!("page/games.js")),
    ("history.js", include_str!("page/history.js")),
    ("judging.js", include_str!("page/judging.js")),
    ("keeper.js", include_str!("page/keeper.js")),
    ("learn.js", include_str!("page/learn.js")),
    ("lines.js", include_str!("page/lines.js")),
    ("looks.js", include_str!("page/looks.js")),
    ("moves.js", include_str!("page/moves.js")),
    ("notices.js", include_str!("page/notices.js")),
    ("pgn.js", include_str!("page/pgn.js")),
    ("pictures.js", include_str!("page/pictures.js")),
    ("play.js", include_str!("page/play.js")),
    ("players.js", include_str!("page/players.js")),
    ("premove.js", include_str!("page/premove.js")),
    ("preview.js", include_str!("page/preview.js")),
    ("problems.js", include_str!("page/problems.js")),
    ("review.js", include_str!("page/review.js")),
    ("rules.js", include_str!("page/rules.js")),
    ("scores.js", include_str!("page/scores.js")),
    ("settings.js", include_str!("page/settings.js")),
    ("setup.js", include_str!("page/setup.js")),
    ("shortcuts.js", include_str!("page/shortcuts.js")),
    ("sound.js", include_str!("page/sound.js")),
    ("status.js", include_str!("page/status.js")),
    ("storage.js", include_str!("page/storage.js")),
    ("store.js", include_str!("page/store.js")),
    ("symbols.js", include_str!("page/symbols.js")),
    ("tab.js", include_str!("page/tab.js")),
    ("tables.js", include_str!("page/tables.js")),
    ("text.js", include_str!("page/text.js")),
    ("thinking.js", include_str!("page/thinking.js")),
    ("transport.js", include_str!("page/transport.js")),
    ("tree.js", include_str!("page/tree.js")),
    ("view.js", include_str!("page/view.js")),
];

/// Names, media types and contents; those of the board come from [`xiangqi::pictures`].
static SOURCES: LazyLock<Vec<(&str, &str, Cow<'static, str>)>> = LazyLock::new(|| {
    let page = include_str!("page/index.html").replace(SYMBOLS, &symbol_sheet(FIRST_SYMBOLS));
    let own = concat!(include_str!("page/style.css"), include_str!("page/features.css"));
    let styles = [theme_styles(), BOARD_STYLES, CONTROL_STYLES, own].concat();
    // A test joins them, too; without the script the page says that it needs one.
    let script =
        [&compact(BOARD_SCRIPT), bundle(&MODULES, "app.js").as_deref().unwrap_or_default()]
            .concat();
    vec![
        ("", HTML, page.into()),
        ("style.css", CSS, styles.into()),
        ("icon.svg", "image/svg+xml", include_str!("page/icon.svg").into()),
        ("page.js", SCRIPT, script.into()),
        ("symbols.svg", "image/svg+xml", remaining_sheet(FIRST_SYMBOLS).into()),
    ]
});

/// A part of the page, also as gzip.
struct Asset {
    name: &'static str,
    content_type: &'static str,
    text: String,
    gzip: Vec<u8>,
}

/// Returns the files of the page with these modules in the place of its own or besides them: names
/// and texts.
///
/// # Errors
/// If the modules cannot be joined.
pub(super) fn page_files(others: &[(&str, &str)]) -> Result<Vec<(String, String)>, BundleError> {
    let is_other = |(name, _): &&(&str, &str)| others.iter().any(|(known, _)| known == name);
    let own = MODULES.iter().filter(|module| !is_other(module));
    let modules: Vec<(&str, &str)> = own.chain(others).copied().collect();
    let script = [compact(BOARD_SCRIPT), bundle(&modules, "app.js")?].concat();
    let file = |(name, kind, text): &(&str, &str, Cow<'static, str>)| {
        let text = if *kind == SCRIPT { script.clone() } else { text.to_string() };
        ((*name).to_owned(), text)
    };
    Ok(SOURCES.iter().map(file).collect())
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let asset = |(name, content_type, text): &(&'static str, &'static str, Cow<'static, str>)| {
        let text = text.to_string();
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        // Memory takes everything.
        let gzip = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
        Asset { name, content_type, text, gzip: gzip.unwrap_or_default() }
    };
    SOURCES.iter().map(asset).collect()
});

/// Returns the part of the page with this name, compressed if the client reads that; the page
/// itself has no name.
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
    fn all_modules_are_joined_to_one_script() {
        let script = bundle(&MODULES, "app.js").expect("sound modules");
        for (name, _) in MODULES {
            assert!(script.contains(&format!("\nmodules['{name}'] = ")), "nothing imports {name}");
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
