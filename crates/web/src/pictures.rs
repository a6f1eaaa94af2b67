//! A position as a picture.

use xiangqi::pictures::{Arrow, BoardPicture, CoordinateStyle, PieceSet, Theme, svg};

use super::functions::Answer;
use super::request_error::RequestError;
use super::requests::PictureRequest;

/// The width of a PNG in pixels.
#[cfg(feature = "png")]
const WIDTH: u32 = 976;

/// The maximum number of arrows.
const MAX_ARROWS: usize = 32;

/// Draws a position as `svg` or `png`.
///
/// # Errors
/// If a part of the request has a value that is not known.
pub(super) fn picture(wanted: &PictureRequest) -> Result<Answer, RequestError> {
    let mut drawn = BoardPicture::new(wanted.position()?.board().clone());
    drawn.last_move = wanted.last;
    drawn.flipped = wanted.flipped;
    if let Some(set) = &wanted.pieces {
        let wrong = |_| RequestError::choice("pieces", set, "a set of pieces");
        drawn.pieces = set.parse::<PieceSet>().map_err(wrong)?;
    }
    if let Some(names) = &wanted.coordinates {
        let wrong = |_| RequestError::choice("coordinates", names, "names at the edges");
        drawn.coordinates = names.parse::<CoordinateStyle>().map_err(wrong)?;
    }
    if let Some(theme) = &wanted.theme {
        let wrong = |_| RequestError::choice("theme", theme, "light, dark, paper or jade");
        drawn.theme = theme.parse::<Theme>().map_err(wrong)?;
    }
    let arrow = |text: &String| {
        text.parse::<Arrow>()
            .map_err(|_| RequestError::choice("arrows", text, "arrows such as h2e2"))
    };
    let arrows: Result<Vec<Arrow>, _> = wanted.arrows.iter().take(MAX_ARROWS).map(arrow).collect();
    drawn.arrows = arrows?;
    let name = |end: &str| format!("position.{end}");
    match wanted.kind.as_deref().unwrap_or("svg") {
        "svg" => {
            let bytes = svg(&drawn).into_bytes();
            Ok(Answer::File { media_type: "image/svg+xml", name: name("svg"), bytes })
        }
        "png" => {
            Ok(Answer::File { media_type: "image/png", name: name("png"), bytes: png(&drawn)? })
        }
        other => Err(RequestError::choice("kind", other, "svg or png")),
    }
}

#[cfg(feature = "png")]
fn png(drawn: &BoardPicture) -> Result<Vec<u8>, RequestError> {
    xiangqi::pictures::png(drawn, WIDTH).map_err(|_| RequestError::NoPng)
}

#[cfg(not(feature = "png"))]
fn png(_: &BoardPicture) -> Result<Vec<u8>, RequestError> {
    Err(RequestError::NoPng)
}
