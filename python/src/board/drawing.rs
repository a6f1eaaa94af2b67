//! Pictures of a board.

use pyo3::prelude::*;

use crate::errors::value_error;
use crate::numbers::Whole;
use crate::pictures::{self, Drawing};

use super::Board;

#[pymethods]
impl Board {
    /// The board as an SVG document that needs no font: ``pieces`` are ``chinese``, ``simplified``,
    /// ``filled``, ``lettered``, ``latin`` or ``symbols``, ``coordinates`` ``0-9``, ``1-10``,
    /// ``files``, ``chinese`` or ``none``, the theme ``light``, ``dark``, ``paper`` or ``jade``.
    /// Arrows (``h2e2``, ``h2e2:chase:1``) and marks (``e4``, ``e4:victim``) are as those of
    /// ``cannonade board``. The last move is marked unless ``last_move`` is False.
    ///
    /// >>> Board().svg(arrows=["h2e2"])[:4]
    /// '<svg'
    #[pyo3(signature = (*, arrows = vec![], marks = vec![], flipped = false, pieces = "chinese",
        coordinates = "0-9", theme = "light", last_move = true, size = None))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn svg(
        &self,
        arrows: Vec<String>,
        marks: Vec<String>,
        flipped: bool,
        pieces: &str,
        coordinates: &str,
        theme: &str,
        last_move: bool,
        size: Option<Whole>,
    ) -> PyResult<String> {
        let drawing = Drawing { arrows, marks, flipped, pieces, coordinates, theme, last_move };
        drawing.svg(self.placement(), self.last_move(), size)
    }

    /// The board as a PNG picture of this width in pixels; the other arguments are those of
    /// ``svg``.
    #[pyo3(signature = (width = 976, *, arrows = vec![], marks = vec![], flipped = false,
        pieces = "chinese", coordinates = "0-9", theme = "light", last_move = true))]
    #[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
    fn png(
        slf: PyRef<'_, Self>,
        py: Python<'_>,
        #[pyo3(from_py_with = width)] width: u32,
        arrows: Vec<String>,
        marks: Vec<String>,
        flipped: bool,
        pieces: &str,
        coordinates: &str,
        theme: &str,
        last_move: bool,
    ) -> PyResult<Vec<u8>> {
        let drawing = Drawing { arrows, marks, flipped, pieces, coordinates, theme, last_move };
        let picture = drawing.picture(slf.placement(), slf.last_move())?;
        // Other threads may use the board meanwhile.
        drop(slf);
        py.detach(|| xiangqi::pictures::png(&picture, width)).map_err(value_error)
    }

    /// The board as text with Chinese pieces and lines.
    fn unicode(&self) -> String {
        pictures::unicode(self.placement(), self.last_move())
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        Drawing::default().svg(self.placement(), self.last_move(), Some(Whole::Small(400)))
    }
}

/// The width of a picture in pixels.
fn width(number: &Bound<'_, PyAny>) -> PyResult<u32> {
    number.extract::<Whole>()?.within("width", 1..=u32::MAX)
}
