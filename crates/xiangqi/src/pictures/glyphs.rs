//! The outlines of characters. Where they come from, and their licence, is at the top of
//! `assets/glyphs.txt`.

/// The form of a character.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum GlyphStyle {
    /// Brush characters for discs and the river.
    Kai,
    /// Latin capitals for discs.
    Serif,
    /// Coordinates and labels.
    Sans,
}

/// An outline.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Glyph {
    /// The distance to the next character, in thousandths of the em.
    pub(super) advance: u16,
    /// The data of an SVG path in thousandths of the em, the character's centre at the origin.
    pub(super) path: &'static str,
}

const DATA: &str = include_str!("assets/glyphs.txt");

/// Returns the outline of a character; `None` if the pictures have none.
pub(super) fn glyph(style: GlyphStyle, character: char) -> Option<Glyph> {
    let style = match style {
        GlyphStyle::Kai => "kai",
        GlyphStyle::Serif => "serif",
        GlyphStyle::Sans => "sans",
    };
    DATA.lines().filter(|row| !row.starts_with("# ")).find_map(|row| {
        let mut cells = row.split('\t');
        let is_wanted =
            cells.next() == Some(style) && cells.next()?.chars().eq(std::iter::once(character));
        let (advance, path) = (cells.next()?, cells.next()?);
        is_wanted.then(|| Some(Glyph { advance: advance.parse().ok()?, path }))?
    })
}

/// Returns the width of a text in units, without the characters that have no outline.
pub(super) fn width(text: &str, size: f64) -> f64 {
    let advances = text.chars().filter_map(|c| glyph(GlyphStyle::Sans, c));
    advances.map(|glyph| f64::from(glyph.advance) * size / 1000.0).sum()
}

/// Returns a text as paths, centred at a point. `size` is the height of the em in units.
pub(super) fn written(text: &str, (x, y): (f64, f64), size: f64, fill: &str) -> String {
    let glyphs: Vec<Glyph> = text.chars().filter_map(|c| glyph(GlyphStyle::Sans, c)).collect();
    let scale = size / 1000.0;
    let mut left = x - width(text, size) / 2.0;
    let mut paths = String::new();
    for glyph in glyphs {
        let advance = f64::from(glyph.advance) * scale;
        let centre = left + advance / 2.0;
        let path = glyph.path;
        paths += &format!(
            "<path transform=\"translate({centre:.1} {y:.1}) scale({scale:.4})\" fill=\"{fill}\" \
             d=\"{path}\"/>"
        );
        left += advance;
    }
    paths
}
