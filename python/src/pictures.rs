//! Pictures of a board.

use std::str::FromStr;

use pyo3::PyResult;
use xiangqi::pictures::{Arrow, Mark, PieceSet, TextStyle, svg, text};
use xiangqi::{Board, BoardPicture, Move};

use crate::errors::value_error;
use crate::numbers::Whole;

/// The options of a picture.
pub struct Drawing<'a> {
    pub arrows: Vec<String>,
    pub marks: Vec<String>,
    pub flipped: bool,
    pub pieces: &'a str,
    pub coordinates: &'a str,
    pub theme: &'a str,
    pub last_move: bool,
}

impl Default for Drawing<'_> {
    fn default() -> Self {
        Drawing {
            arrows: Vec::new(),
            marks: Vec::new(),
            flipped: false,
            pieces: "chinese",
            coordinates: "0-9",
            theme: "light",
            last_move: true,
        }
    }
}

impl Drawing<'_> {
    /// The picture of a board after a move.
    pub fn picture(&self, board: &Board, last_move: Option<Move>) -> PyResult<BoardPicture> {
        let mut picture = BoardPicture::new(board.clone());
        picture.last_move = last_move.filter(|_| self.last_move);
        picture.arrows = read_all::<Arrow>(&self.arrows)?;
        picture.marks = read_all::<Mark>(&self.marks)?;
        picture.flipped = self.flipped;
        picture.pieces = self.pieces.parse().map_err(value_error)?;
        picture.coordinates = self.coordinates.parse().map_err(value_error)?;
        picture.theme = self.theme.parse().map_err(value_error)?;
        Ok(picture)
    }

    /// The picture as SVG, this many pixels wide; by default as `cannonade board` writes it.
    pub fn svg(
        &self,
        board: &Board,
        last_move: Option<Move>,
        size: Option<Whole>,
    ) -> PyResult<String> {
        let document = svg(&self.picture(board, last_move)?);
        let Some(size) = size else { return Ok(document) };
        let size = size.within("size", 1..=u32::MAX)?;
        // Without a height it follows from the view box.
        let parts = document.split_once(" width=").zip(document.split_once(" role="));
        Ok(match parts {
            Some(((before, _), (_, rest))) => format!("{before} width=\"{size}\" role={rest}"),
            None => document,
        })
    }
}

fn read_all<T: FromStr<Err: std::fmt::Display>>(texts: &[String]) -> PyResult<Vec<T>> {
    texts.iter().map(|text| text.parse().map_err(value_error)).collect()
}

/// The board as text with Chinese pieces.
pub fn unicode(board: &Board, last_move: Option<Move>) -> String {
    let mut picture = BoardPicture::new(board.clone());
    picture.pieces = PieceSet::Chinese;
    picture.last_move = last_move;
    text(&picture, TextStyle::Unicode)
}
