#!/usr/bin/env python3
"""Writes the outlines of the characters of the board pictures, `pictures/assets/glyphs.txt` of `xiangqi`.

Pictures must look the same on machines without Chinese fonts, so each character is a path. The
paths come from fonts under the SIL Open Font License 1.1. Needs fontTools (`pip install fonttools`)
and the Debian packages fonts-lxgw-wenkai and fonts-noto-cjk, or the same files from elsewhere:

    python3 scripts/make_glyphs.py > crates/xiangqi/src/pictures/assets/glyphs.txt
"""

import argparse

# (style, which font, characters). Styles: `kai` for discs and the river, `serif` for Latin letters on
# discs, `sans` for coordinates and labels.
WANTED = [
    ("kai", "帥仕相傌俥炮兵將士象馬車砲卒帅马车将楚河漢汉界"),
    ("serif", "KAEHRCP"),
    ("sans", "abcdefghi0123456789?!+-#"),
    ("sans", "一二三四五六七八九"),
]

HEADER = """\
# Outlines of characters, made by scripts/make_glyphs.py. Style, character, advance, path; 1000 units
# are the height of the em, y grows downwards, the origin is the centre of the character (kai, serif)
# or of its advance and of the height of capitals (sans).
#
# kai: LXGW WenKai Bold, copyright 2021-2022 lxgw; serif: Noto Serif CJK Bold, sans: Noto Sans CJK Bold,
# copyright 2014-2023 Adobe. All under the SIL Open Font License 1.1; see OFL.txt in this folder."""


def outline(font, char, centre):
    """The advance and the SVG path of a character, moved so that `centre` is the origin."""
    from fontTools.pens.boundsPen import BoundsPen
    from fontTools.pens.svgPathPen import SVGPathPen
    from fontTools.pens.transformPen import TransformPen

    glyphs = font.getGlyphSet()
    glyph = glyphs[font.getBestCmap()[ord(char)]]
    scale = 1000 / font["head"].unitsPerEm
    bounds = BoundsPen(glyphs)
    glyph.draw(bounds)
    left, bottom, right, top = bounds.bounds
    x, y = (left + right) / 2, (bottom + top) / 2
    if centre == "advance":
        x = glyph.width / 2
        y = font["OS/2"].sCapHeight / 2 if ord(char) < 128 else y
    pen = SVGPathPen(glyphs, ntos=lambda number: str(round(number)))
    glyph.draw(TransformPen(pen, (scale, 0, 0, -scale, -x * scale, y * scale)))
    return round(glyph.width * scale), pen.getCommands()


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kai", default="/usr/share/fonts/truetype/lxgw-wenkai/LXGWWenKai-Bold.ttf", help="LXGW WenKai Bold")
    parser.add_argument("--serif", default="/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc", help="Noto Serif CJK Bold")
    parser.add_argument("--sans", default="/usr/share/fonts/opentype/noto/NotoSansCJK-Bold.ttc", help="Noto Sans CJK Bold")
    arguments = parser.parse_args()
    try:
        from fontTools.ttLib import TTCollection, TTFont
    except ImportError:
        parser.error("a Python library is missing: pip install fonttools")
    fonts = {
        "kai": TTFont(arguments.kai),
        "serif": TTCollection(arguments.serif).fonts[0],
        "sans": TTCollection(arguments.sans).fonts[0],
    }
    print(HEADER)
    for style, characters in WANTED:
        for char in characters:
            advance, path = outline(fonts[style], char, "advance" if style == "sans" else "box")
            print(style, char, advance, path, sep="\t")


if __name__ == "__main__":
    main()
