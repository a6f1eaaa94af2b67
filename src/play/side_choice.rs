//! The side that the person plays.

use clap::ValueEnum;
use xiangqi::geometry::Color;

/// The side that the person plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum SideChoice {
    /// Red, who begins
    Red,
    /// Black
    Black,
    /// Both: two people, or a board to try moves on
    Both,
}

impl SideChoice {
    /// Returns the side, if it is one.
    pub(super) fn color(self) -> Option<Color> {
        match self {
            SideChoice::Red => Some(Color::Red),
            SideChoice::Black => Some(Color::Black),
            SideChoice::Both => None,
        }
    }

    /// Returns whether the person plays this side.
    pub(super) fn includes(self, side: Color) -> bool {
        self.color().is_none_or(|own| own == side)
    }

    /// Returns the choice of one side.
    pub(super) fn only(side: Color) -> SideChoice {
        match side {
            Color::Red => SideChoice::Red,
            Color::Black => SideChoice::Black,
        }
    }
}
