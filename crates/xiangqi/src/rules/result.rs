//! The result of a game, for both sides and for one of them.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::geometry::Color;
use crate::text_form::excerpt;

/// Result of a game, as records write it.
///
/// ```
/// use xiangqi::{Color, GameResult, Wdl};
///
/// let result: GameResult = "0-1".parse()?;
/// assert_eq!(result, GameResult::BlackWins);
/// assert_eq!(result.for_side(Color::Red), Some(Wdl::Loss));
/// assert_eq!(GameResult::Unknown.to_string(), "*");
/// # Ok::<(), xiangqi::rules::ParseResultError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GameResult {
    /// `1-0`.
    RedWins,
    /// `0-1`.
    BlackWins,
    /// `1/2-1/2`.
    Draw,
    /// `*`: not finished, or not known.
    #[default]
    Unknown,
}

impl GameResult {
    /// Returns the result as PGN writes it.
    pub const fn text(self) -> &'static str {
        match self {
            GameResult::RedWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
            GameResult::Unknown => "*",
        }
    }

    /// Reads a result as PGN writes it, with other dashes, fractions or colons, or in Chinese.
    pub fn from_text(text: &str) -> Option<GameResult> {
        Some(match text {
            "1-0" | "1–0" | "1:0" => GameResult::RedWins,
            "红胜" | "红方胜" | "红先胜" | "黑负" => GameResult::RedWins,
            "紅勝" | "紅方勝" | "紅先勝" | "黑負" => GameResult::RedWins,
            "0-1" | "0–1" | "0:1" => GameResult::BlackWins,
            "黑胜" | "黑方胜" | "红先负" | "红负" => GameResult::BlackWins,
            "黑勝" | "黑方勝" | "紅先負" | "紅負" => GameResult::BlackWins,
            "1/2-1/2" | "1/2–1/2" | "1/2:1/2" | "1/2" | "½-½" | "½–½" | "½:½" | "½" => {
                GameResult::Draw
            }
            "0.5-0.5" | "0.5–0.5" | "0.5:0.5" => GameResult::Draw,
            "和棋" | "和局" | "平局" | "红先和" | "紅先和" => GameResult::Draw,
            "*" => GameResult::Unknown,
            _ => return None,
        })
    }

    /// Reads a result with blanks around its sign at the start of a text, `1 - 0`. Returns the
    /// bytes that it takes too.
    pub(crate) fn from_spaced(text: &str) -> Option<(GameResult, usize)> {
        let score = |text: &str| -> Option<usize> {
            let known = ["1/2", "½", "0.5", "1", "0"].into_iter().find(|one| text.starts_with(one));
            known.map(str::len)
        };
        let blanks = |text: &str| text.len() - text.trim_start_matches([' ', '\t']).len();
        let mut end = score(text)?;
        let left = &text[..end];
        end += blanks(&text[end..]);
        let sign = text[end..].chars().next().filter(|&sign| matches!(sign, '-' | '–' | ':'))?;
        end += sign.len_utf8();
        end += blanks(&text[end..]);
        let right = &text[end..];
        let right = &right[..score(right)?];
        end += right.len();
        let is_over = text[end..].chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '/');
        let result = GameResult::from_text(&format!("{left}-{right}")).filter(|_| is_over)?;
        Some((result, end))
    }

    /// Reads the result of a tag, which may have an explanation after it: `1-0 (time)`. Blanks may
    /// stand around its sign: `1 - 0`.
    pub fn from_tag(value: &str) -> Option<GameResult> {
        let value = value.trim();
        let is_end = |c: char| c.is_whitespace() || "(（,，".contains(c);
        let first = value.split(is_end).next().unwrap_or_default();
        let spaced = || GameResult::from_spaced(value).map(|(result, _)| result);
        GameResult::from_text(first).or_else(spaced)
    }

    /// Returns the result of a game that this side won.
    pub const fn won_by(side: Color) -> GameResult {
        match side {
            Color::Red => GameResult::RedWins,
            Color::Black => GameResult::BlackWins,
        }
    }

    /// Returns the result for one side; `None` if it is not known.
    pub fn for_side(self, side: Color) -> Option<Wdl> {
        match self {
            GameResult::Unknown => None,
            GameResult::Draw => Some(Wdl::Draw),
            won if won == GameResult::won_by(side) => Some(Wdl::Win),
            GameResult::RedWins | GameResult::BlackWins => Some(Wdl::Loss),
        }
    }
}

/// A text that is not a game result.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is not a result; expected 1-0, 0-1, 1/2-1/2 or *")]
pub struct ParseResultError(pub String);

impl FromStr for GameResult {
    type Err = ParseResultError;

    /// Reads what [`GameResult::from_text`] reads.
    fn from_str(text: &str) -> Result<GameResult, ParseResultError> {
        GameResult::from_text(text).ok_or_else(|| ParseResultError(excerpt(text)))
    }
}

crate::text_form::serde_as_text!(GameResult);

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Win, draw or loss for one side: of a game, a ruling, or a position with best play; ordered
/// from loss to win.
///
/// ```
/// use xiangqi::{Color, GameResult, Wdl};
///
/// assert!(Wdl::Loss < Wdl::Win);
/// assert_eq!(Wdl::Loss.reversed(), Wdl::Win);
/// assert_eq!(Wdl::Loss.result_for(Color::Red), GameResult::BlackWins);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Wdl {
    /// The side loses.
    Loss = 0,
    /// Neither side wins.
    Draw = 1,
    /// The side wins.
    Win = 2,
}

/// The error for a text that is none of the three.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{0}' is not a result for one side; expected win, draw or loss")]
pub struct ParseWdlError(pub String);

impl Wdl {
    /// All values, the best first.
    pub const ALL: [Wdl; 3] = [Wdl::Win, Wdl::Draw, Wdl::Loss];

    /// Returns the value for the opponent.
    #[inline]
    #[must_use]
    pub const fn reversed(self) -> Wdl {
        match self {
            Wdl::Loss => Wdl::Win,
            Wdl::Draw => Wdl::Draw,
            Wdl::Win => Wdl::Loss,
        }
    }

    /// Returns the half points of the side: 0, 1 or 2.
    pub const fn half_points(self) -> u8 {
        self as u8
    }

    /// Returns the value with these half points.
    pub const fn from_half_points(points: u8) -> Option<Wdl> {
        match points {
            0 => Some(Wdl::Loss),
            1 => Some(Wdl::Draw),
            2 => Some(Wdl::Win),
            _ => None,
        }
    }

    /// Returns `win`, `draw` or `loss`.
    pub const fn name(self) -> &'static str {
        match self {
            Wdl::Loss => "loss",
            Wdl::Draw => "draw",
            Wdl::Win => "win",
        }
    }

    /// Returns the result of the game if this is the value for `side`.
    pub const fn result_for(self, side: Color) -> GameResult {
        match (self, side) {
            (Wdl::Draw, _) => GameResult::Draw,
            (Wdl::Win, Color::Red) | (Wdl::Loss, Color::Black) => GameResult::RedWins,
            (Wdl::Win, Color::Black) | (Wdl::Loss, Color::Red) => GameResult::BlackWins,
        }
    }
}

crate::text_form::serde_as_text!(Wdl);

crate::text_form::text_by_name!(Wdl, Wdl::ALL, ParseWdlError);
