//! A picture as PNG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use thiserror::Error;

use super::{BoardPicture, svg};

/// The maximum width in pixels.
const MAX_WIDTH: u32 = 8000;

/// Error of drawing a picture in pixels.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PngError {
    /// The width is 0 or too great.
    #[error("a picture {0} pixels wide cannot be drawn; expected 1 to {MAX_WIDTH}")]
    Width(u32),
    /// The drawing could not be read.
    #[error("the drawing of the board cannot be read: {0}")]
    Drawing(String),
    /// The pixels could not be written.
    #[error("the picture cannot be encoded as PNG: {0}")]
    Encoding(String),
}

/// Returns the picture in pixels, as a PNG file of this width; the height follows.
///
/// # Errors
/// If the width is 0 or more than 8000.
pub fn png(picture: &BoardPicture, width: u32) -> Result<Vec<u8>, PngError> {
    let tree = Tree::from_str(&svg(picture), &Options::default())
        .map_err(|error| PngError::Drawing(error.to_string()))?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).round() as u32;
    let pixmap = (1..=MAX_WIDTH).contains(&width).then(|| Pixmap::new(width, height.max(1)));
    let mut pixmap = pixmap.flatten().ok_or(PngError::Width(width))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|error| PngError::Encoding(error.to_string()))
}
