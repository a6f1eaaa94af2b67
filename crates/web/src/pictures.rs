//! The shown position as a picture.

use xiangqi::geometry::Color;
use xiangqi::pictures::{Arrow, BoardPicture, CoordinateStyle, PieceSet, Theme, svg};

use super::http::{Request, Response};
use super::request_error::RequestError;
use super::session::BoardSession;

/// The width of a PNG in pixels.
#[cfg(feature = "png")]
const WIDTH: u32 = 976;

/// The maximum number of arrows.
const MAX_ARROWS: usize = 32;

/// Draws the shown position as `svg` or `png`, as the parameters say: `pieces`, `coordinates`,
/// `theme`, and `arrows` such as `h2e2,h7e7:other`.
///
/// # Errors
/// If a parameter has a value that is not known.
pub(super) fn picture(request: &Request, session: &BoardSession) -> Result<Response, RequestError> {
    let text = |name| request.parameter(name).unwrap_or_default();
    let mut drawn = session.look(|state| {
        let mut drawn = BoardPicture::new(state.position().board().clone());
        drawn.last_move = state.game().last_move();
        drawn.flipped = state.bottom == Color::Black;
        drawn
    });
    let wrong = |name, expected| RequestError::choice(name, text(name), expected);
    if let Some(set) = request.parameter("pieces") {
        drawn.pieces = set.parse::<PieceSet>().map_err(|_| wrong("pieces", "a set of pieces"))?;
    }
    if let Some(names) = request.parameter("coordinates") {
        let style = names.parse::<CoordinateStyle>();
        drawn.coordinates = style.map_err(|_| wrong("coordinates", "names at the edges"))?;
    }
    if let Some(theme) = request.parameter("theme") {
        let theme = theme.parse::<Theme>();
        drawn.theme = theme.map_err(|_| wrong("theme", "light, dark, paper or jade"))?;
    }
    let arrows = text("arrows").split(',').filter(|arrow| !arrow.is_empty()).take(MAX_ARROWS);
    let arrows: Result<Vec<Arrow>, _> = arrows.map(str::parse).collect();
    drawn.arrows = arrows.map_err(|_| wrong("arrows", "arrows such as h2e2"))?;
    match request.parameter("kind").unwrap_or("svg") {
        "svg" => {
            let response = Response::new("image/svg+xml", svg(&drawn).into_bytes());
            Ok(response.into_attachment("position.svg"))
        }
        "png" => png(&drawn),
        _ => Err(wrong("kind", "svg or png")),
    }
}

#[cfg(feature = "png")]
fn png(drawn: &BoardPicture) -> Result<Response, RequestError> {
    let bytes = xiangqi::pictures::png(drawn, WIDTH).map_err(|_| RequestError::NoPng)?;
    Ok(Response::new("image/png", bytes).into_attachment("position.png"))
}

#[cfg(not(feature = "png"))]
fn png(_: &BoardPicture) -> Result<Response, RequestError> {
    Err(RequestError::NoPng)
}
