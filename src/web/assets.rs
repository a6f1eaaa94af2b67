//! The page, which is part of the program.

use std::borrow::Cow;
use std::sync::LazyLock;

use xiangqi::pictures::{BOARD_SCRIPT, BOARD_STYLES, PieceSet, symbol_sheet, theme_styles};

use super::http::Response;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The place of the board's drawings in the page.
const SYMBOLS: &str = "<!-- symbols -->";

/// Names, media types and contents; those of the board come from [`xiangqi::pictures`].
static ASSETS: LazyLock<Vec<(&str, &str, Cow<'static, str>)>> = LazyLock::new(|| {
    let page = include_str!("page/index.html").replace(SYMBOLS, &symbol_sheet(&PieceSet::ALL));
    let styles = format!("{}{BOARD_STYLES}", theme_styles());
    vec![
        ("", HTML, page.into()),
        ("style.css", CSS, include_str!("page/style.css").into()),
        ("icon.svg", "image/svg+xml", include_str!("page/icon.svg").into()),
        ("board.css", CSS, styles.into()),
        ("board.js", SCRIPT, BOARD_SCRIPT.into()),
        ("annotator.js", SCRIPT, include_str!("page/annotator.js").into()),
        ("app.js", SCRIPT, include_str!("page/app.js").into()),
        ("book.js", SCRIPT, include_str!("page/book.js").into()),
        ("dom.js", SCRIPT, include_str!("page/dom.js").into()),
        ("files.js", SCRIPT, include_str!("page/files.js").into()),
        ("judging.js", SCRIPT, include_str!("page/judging.js").into()),
        ("lines.js", SCRIPT, include_str!("page/lines.js").into()),
        ("moves.js", SCRIPT, include_str!("page/moves.js").into()),
        ("play.js", SCRIPT, include_str!("page/play.js").into()),
        ("players.js", SCRIPT, include_str!("page/players.js").into()),
        ("scores.js", SCRIPT, include_str!("page/scores.js").into()),
        ("server.js", SCRIPT, include_str!("page/server.js").into()),
        ("settings.js", SCRIPT, include_str!("page/settings.js").into()),
        ("setup.js", SCRIPT, include_str!("page/setup.js").into()),
        ("text.js", SCRIPT, include_str!("page/text.js").into()),
        ("tree.js", SCRIPT, include_str!("page/tree.js").into()),
    ]
});

/// The part of the page with this name; the page itself has none.
pub(super) fn asset(name: &str) -> Option<Response> {
    let (_, content_type, text) = ASSETS.iter().find(|(known, ..)| *known == name)?;
    Some(Response::new(content_type, text.as_bytes()))
}
