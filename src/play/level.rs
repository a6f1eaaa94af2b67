//! Levels of the engine.

/// The level of full strength.
pub(super) const FULL_LEVEL: u32 = 20;

/// The level that the engine plays at if none is chosen.
pub(super) const DEFAULT_LEVEL: u32 = 5;

/// Reads a level: a number from 0 to 20, or `full`, also in Chinese.
pub(super) fn parse_level(text: &str) -> Result<u32, String> {
    let level = match text.trim().to_lowercase().as_str() {
        "full" | "最强" | "最強" => Some(FULL_LEVEL),
        number => number.parse().ok().filter(|&level| level <= FULL_LEVEL),
    };
    level.ok_or_else(|| format!("'{text}' is not a level; expected 0 (beginner) to 20, or full"))
}
