#!/usr/bin/env python3
"""Checks that every link of the built book leads to a file and to an anchor in it.

mdbook build docs && scripts/check_book.py
"""

import argparse
import re
import sys
from pathlib import Path

LINK = re.compile(r'(?:href|src)="([^"#]*)(?:#([^"]*))?"')
ANCHOR = re.compile(r'id="([^"]*)"')
# Pages that mdBook makes beside those of the table of contents.
MADE = {"404.html", "print.html", "toc.html"}


def broken_links(book: Path) -> "tuple[int, list[str]]":
    """Returns the number of links to files of the book, and those that lead nowhere."""
    pages = {page.resolve(): page.read_text(encoding="utf-8") for page in sorted(book.rglob("*.html"))}
    anchors = {page: set(ANCHOR.findall(text)) for page, text in pages.items()}
    seen, broken = 0, []
    for page, text in pages.items():
        if page.name in MADE:
            continue
        for target, anchor in LINK.findall(text):
            if re.match(r"[a-z]+:", target):
                continue
            seen += 1
            path = (page.parent / target).resolve() if target else page
            if not path.exists() or (anchor and path in anchors and anchor not in anchors[path]):
                broken.append(f"{page.relative_to(book.resolve())}: {target}{'#' + anchor if anchor else ''}")
    return seen, broken


def main() -> None:
    """Prints the broken links; exits with 1 if there are any, or no links at all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = Path(__file__).resolve().parent.parent
    parser.add_argument("book", nargs="?", type=Path, default=root / "target" / "book", help="the folder of the built book")
    book = parser.parse_args().book
    seen, broken = broken_links(book)
    if not seen:
        sys.exit(f"{book} has no pages with links; build the book with `mdbook build docs`")
    print("\n".join([*broken, f"{seen} links, {len(broken)} broken"]))
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
