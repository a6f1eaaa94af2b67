//! Draws a position: `draw_board FEN`, as text, or `draw_board FEN FILE.svg`.

use std::error::Error;
use std::{env, fs};

use xiangqi::pictures::{TextStyle, svg, text};
use xiangqi::{BoardPicture, Position};

fn main() -> Result<(), Box<dyn Error>> {
    let fen = env::args().nth(1).ok_or("expected a position in FEN")?;
    let position = Position::from_fen(&fen)?;
    let picture = BoardPicture::new(position.board().clone());
    match env::args().nth(2) {
        Some(path) => fs::write(path, svg(&picture))?,
        None => println!("{}", text(&picture, TextStyle::Unicode)),
    }
    Ok(())
}
