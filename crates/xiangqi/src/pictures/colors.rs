//! The colours of the two themes.
//!
//! A picture in a file has fixed colours. In a page they are CSS variables, so that the page can
//! change its theme without another drawing.

use std::fmt::Write as _;

use super::Theme;

/// What is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ink {
    /// The board.
    Wood,
    /// The grain of the wood.
    Grain,
    /// The edge of the board.
    Edge,
    /// The lines.
    Grid,
    /// The characters in the river.
    River,
    /// Coordinates.
    Coordinate,
    /// The faces of the discs.
    Disc,
    /// The rims of the discs.
    Rim,
    /// The shadows of the discs.
    Shadow,
    /// Red's characters.
    Red,
    /// Black's characters.
    Black,
    /// The squares of the last move.
    LastMove,
    /// A plain mark, or the best move.
    Best,
    /// Another move.
    Other,
    /// Chasing and being chased.
    Chase,
    /// Protection.
    Protect,
    /// The text of labels.
    Label,
}

/// Ink, name, light and dark colour. Red and Black on Disc, Coordinate on Wood and Label on the arrows
/// have a contrast of at least 4.5 (WCAG 2, AA); a test computes it.
const INKS: [(Ink, &str, &str, &str); 17] = [
    (Ink::Wood, "wood", "#ecca94", "#4b3829"),
    (Ink::Grain, "grain", "#dcb47a", "#412f22"),
    (Ink::Edge, "edge", "#8a5a2e", "#211914"),
    (Ink::Grid, "grid", "#5f3c1c", "#c3a883"),
    (Ink::River, "river", "#8c5f33", "#a88d69"),
    (Ink::Coordinate, "coordinate", "#69441f", "#d6bd98"),
    (Ink::Disc, "disc", "#fbedd0", "#ecdcbc"),
    (Ink::Rim, "rim", "#b98a4e", "#8f6c40"),
    (Ink::Shadow, "shadow", "#3d240c", "#000000"),
    (Ink::Red, "red", "#b01c16", "#a51610"),
    (Ink::Black, "black", "#1d1b1a", "#191716"),
    (Ink::LastMove, "last-move", "#2f7d32", "#7fc97a"),
    (Ink::Best, "best", "#15568f", "#62b0ee"),
    (Ink::Other, "other", "#5d5a66", "#b9b4c6"),
    (Ink::Chase, "chase", "#9c1560", "#f07ab8"),
    (Ink::Protect, "protect", "#0b665d", "#52cbb8"),
    (Ink::Label, "label", "#ffffff", "#17110c"),
];

/// Where the colours of a drawing come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Colors {
    /// The colours of a theme.
    Fixed(Theme),
    /// The CSS variables of the page, `--xq-wood` and so on.
    Variables,
}

impl Colors {
    /// The colour as a value of `fill` or `stroke`.
    pub(super) fn of(self, ink: Ink) -> String {
        let found = INKS.iter().find(|(other, ..)| *other == ink);
        let Some((_, name, light, dark)) = found else { return "none".to_owned() };
        match self {
            Colors::Fixed(Theme::Light) => (*light).to_owned(),
            Colors::Fixed(Theme::Dark) => (*dark).to_owned(),
            Colors::Variables => format!("var(--xq-{name})"),
        }
    }
}

/// The CSS declarations of a theme's variables.
pub(super) fn declarations(theme: Theme) -> String {
    let mut text = String::new();
    for (_, name, light, dark) in INKS {
        let value = if theme == Theme::Light { light } else { dark };
        let _ = write!(text, "--xq-{name}:{value};");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of WCAG 2.
    fn luminance(color: &str) -> f64 {
        let part = |at: usize| {
            let value = u8::from_str_radix(&color[at..at + 2], 16).expect("a hexadecimal colour");
            let value = f64::from(value) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5)
    }

    #[test]
    fn every_ink_has_a_colour_and_text_has_contrast() {
        for theme in Theme::ALL {
            let color = |ink| Colors::Fixed(theme).of(ink);
            for (ground, text) in [
                (Ink::Disc, Ink::Red),
                (Ink::Disc, Ink::Black),
                (Ink::Wood, Ink::Coordinate),
                (Ink::Best, Ink::Label),
                (Ink::Other, Ink::Label),
                (Ink::Chase, Ink::Label),
                (Ink::Protect, Ink::Label),
            ] {
                let mut both = [luminance(&color(ground)), luminance(&color(text))];
                both.sort_by(f64::total_cmp);
                let contrast = (both[1] + 0.05) / (both[0] + 0.05);
                assert!(contrast >= 4.5, "{theme}: {text:?} on {ground:?} has {contrast:.2}");
            }
        }
        for (ink, ..) in INKS {
            assert!(Colors::Variables.of(ink).starts_with("var(--xq-"), "{ink:?}");
        }
    }
}
