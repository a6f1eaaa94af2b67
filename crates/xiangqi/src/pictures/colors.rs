//! The colours of drawings, from `assets/design.css`.
//!
//! A picture in a file has fixed colours. In a page they are CSS variables, so that the page can
//! change its theme without another drawing.

use super::Theme;

/// A part of a drawing that has a colour.
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
    /// Notes that people draw.
    Note,
    /// The text of labels.
    Label,
}

/// Colours, type and spacing of pages and pictures.
pub(super) const DESIGN: &str = include_str!("assets/design.css");

impl Ink {
    /// Returns the CSS variable.
    const fn variable(self) -> &'static str {
        match self {
            Ink::Wood => "--xq-wood",
            Ink::Grain => "--xq-grain",
            Ink::Edge => "--xq-edge",
            Ink::Grid => "--xq-grid",
            Ink::River => "--xq-river",
            Ink::Coordinate => "--xq-coordinate",
            Ink::Disc => "--xq-disc",
            Ink::Rim => "--xq-rim",
            Ink::Shadow => "--xq-shadow",
            Ink::Red => "--xq-red",
            Ink::Black => "--xq-black",
            Ink::LastMove => "--xq-last-move",
            Ink::Best => "--xq-best",
            Ink::Other => "--xq-other",
            Ink::Chase => "--xq-chase",
            Ink::Protect => "--xq-protect",
            Ink::Note => "--xq-note",
            Ink::Label => "--xq-label",
        }
    }
}

/// Returns the value of a variable in a theme: that of the theme's own board, else one of the pair
/// of the root.
fn value(ink: Ink, theme: Theme) -> Option<&'static str> {
    let declared = |block: &'static str| {
        let (_, after) = block.split_once(&format!("{}: ", ink.variable()))?;
        Some(after.split_once(';')?.0)
    };
    let own = match theme {
        Theme::Light | Theme::Dark => None,
        Theme::Paper | Theme::Jade => {
            let (_, after) = DESIGN.split_once(&format!("[data-board=\"{theme}\"]"))?;
            declared(after.split_once('}')?.0)
        }
    };
    own.or_else(|| {
        let pair = declared(DESIGN)?.strip_prefix("var(--xq-if-light, ")?.strip_suffix(')')?;
        let (light, dark) = pair.split_once(") var(--xq-if-dark, ")?;
        Some(if theme == Theme::Dark { dark } else { light })
    })
}

/// The source of a drawing's colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Colors {
    /// The colours of a theme.
    Fixed(Theme),
    /// The CSS variables of the page, `--xq-wood` and so on.
    Variables,
}

impl Colors {
    /// Returns the colour as a value of `fill` or `stroke`.
    pub(super) fn of(self, ink: Ink) -> String {
        match self {
            Colors::Fixed(theme) => value(ink, theme).unwrap_or("none").to_owned(),
            Colors::Variables => format!("var({})", ink.variable()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INKS: [Ink; 18] = [
        Ink::Wood,
        Ink::Grain,
        Ink::Edge,
        Ink::Grid,
        Ink::River,
        Ink::Coordinate,
        Ink::Disc,
        Ink::Rim,
        Ink::Shadow,
        Ink::Red,
        Ink::Black,
        Ink::LastMove,
        Ink::Best,
        Ink::Other,
        Ink::Chase,
        Ink::Protect,
        Ink::Note,
        Ink::Label,
    ];

    /// Returns the relative luminance of WCAG 2.
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
                (Ink::Wood, Ink::River),
                (Ink::Best, Ink::Label),
                (Ink::Other, Ink::Label),
                (Ink::Chase, Ink::Label),
                (Ink::Protect, Ink::Label),
                (Ink::Note, Ink::Label),
            ] {
                let mut both = [luminance(&color(ground)), luminance(&color(text))];
                both.sort_by(f64::total_cmp);
                let contrast = (both[1] + 0.05) / (both[0] + 0.05);
                assert!(contrast >= 4.5, "{theme}: {text:?} on {ground:?} has {contrast:.2}");
            }
        }
        for (ink, theme) in INKS.into_iter().flat_map(|ink| Theme::ALL.map(|theme| (ink, theme))) {
            let color = Colors::Fixed(theme).of(ink);
            let is_color = color.len() == 7 && color.starts_with('#');
            assert!(is_color, "{ink:?} of {theme} is {color}");
        }
    }
}
