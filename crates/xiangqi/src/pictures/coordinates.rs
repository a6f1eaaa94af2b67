//! The names of files and ranks at the edges of the board.

use crate::geometry::Square;

use super::CoordinateStyle;
use super::colors::{Colors, Ink};
use super::glyphs::written;

/// The distance of the names from the outermost lines.
const DISTANCE: i32 = 64;

/// The height of the em.
const SIZE: f64 = 26.0;

/// The numbers 1 to 9.
pub(super) const CHINESE_NUMERALS: [char; 9] =
    ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// Returns the names of one style, with Red or Black below.
pub(super) fn coordinates(style: CoordinateStyle, flipped: bool, colors: Colors) -> String {
    let fill = colors.of(Ink::Coordinate);
    let mut names = Vec::new();
    for file in 0..Square::FILES {
        let column = if flipped { 8 - file } else { file };
        let x = 100 * i32::from(column);
        let (bottom, top) = (900 + DISTANCE, -DISTANCE);
        match style {
            CoordinateStyle::None => {}
            CoordinateStyle::FromZero | CoordinateStyle::FromOne => {
                names.push((char::from(b'a' + file).to_string(), x, bottom));
            }
            CoordinateStyle::Files | CoordinateStyle::Chinese => {
                let red = match style {
                    CoordinateStyle::Files => char::from_digit(9 - u32::from(file), 10),
                    _ => CHINESE_NUMERALS.iter().rev().nth(usize::from(file)).copied(),
                };
                let (reds, blacks) = if flipped { (top, bottom) } else { (bottom, top) };
                names.extend(red.map(|name| (name.to_string(), x, reds)));
                names.push(((file + 1).to_string(), x, blacks));
            }
        }
    }
    for rank in 0..Square::RANKS {
        let row = if flipped { rank } else { 9 - rank };
        let number = match style {
            CoordinateStyle::FromZero => rank,
            CoordinateStyle::FromOne => rank + 1,
            CoordinateStyle::Files | CoordinateStyle::Chinese | CoordinateStyle::None => continue,
        };
        names.push((number.to_string(), -DISTANCE, 100 * i32::from(row)));
    }
    names
        .iter()
        .map(|(name, x, y)| written(name, (f64::from(*x), f64::from(*y)), SIZE, &fill))
        .collect()
}
