#!/usr/bin/env python3
"""Steps through reports in a headless Chromium, as a reader with mouse, finger and keyboard would.

    scripts/check_pages.py [--cannonade target/release/cannonade] [--pictures FOLDER]

Reports of a perpetual chase, of a mate, of variations, of two games and of 200 plies are made and opened in a desktop window and in
one of the size of a phone, light and dark. With --pictures the windows are kept as PNG. Ends with 0
and a message where there is no Chromium.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import browser
from inputs import need_program

CHASE = "g8h8 h7c7 h8c8 c7h7 c8h8 h7c7 h8c8 c7h7 c8h8"
CHASE_FEN = "3aka3/6R2/7c1/9/9/9/9/9/4A4/3AK1p2 w"
MATE = '[FEN "3k5/9/9/9/9/9/8p/9/4R4/R3K4 w"]\n[Red "Rooks"]\n[Black "<b>King</b>"]\n\n1. e1e8 i3i2 2. a0a9 1-0\n'
VARIATIONS = "1. h2e2! h9g7 ( 1... b9c7 {also good} 2. h0g2 ( 2. b0c2? h7e7 ) 2... a9b9 ) 2. h0g2 ( 2. b0c2 ) 2... i9h9 *\n"
# A perpetual check, and a game that its start has ended.
GAMES = """[FEN "3k5/9/9/9/9/9/9/9/4A4/R3K4 w"]
[Red "A name of usual length"]
[Black "Another one as long"]

1. a0a9 d9d8 2. a9a8 d8d9 3. a8a9 d9d8 4. a9a8 d8d9 5. a8a9 0-1

[FEN "4k4/9/9/9/9/9/4c4/9/3K5/3A5 w"]

1. d1e1 e3e2 1/2-1/2
"""
DESKTOP, PHONE = (1280, 900), (390, 844)


def long_game(plies):
    """A game of so many plies, moves of kings and rooks that attack nothing."""
    turn = ["a0a1", "a9a8", "i0i1", "i9i8", "a1a0", "a8a9", "i1i0", "i8i9"]
    return " ".join(turn[ply % 8] for ply in range(plies)) + " *\n"


def make(program, folder, name, arguments, text=""):
    path = folder / f"{name}.html"
    command = [program, *arguments, "--html", str(path)]
    subprocess.run(command, input=text, text=True, check=True, stdout=subprocess.DEVNULL)
    return path


def expect(page, script, wanted):
    found = page.run(script)
    if found != wanted:
        raise browser.PageError(f"{script}: {found!r}, expected {wanted!r}")


def check_frame(page):
    """What holds for every report at every step."""
    expect(page, "document.querySelectorAll('[role=gridcell]').length", 90)
    expect(page, "[...document.querySelectorAll('use')].filter((use) => !document.querySelector(use.getAttribute('href'))).length", 0)
    expect(page, "document.documentElement.scrollWidth <= innerWidth", True)
    expect(page, "[...document.querySelectorAll('button')].filter((b) => !(b.getAttribute('aria-label') || b.textContent.trim())).length", 0)
    if page.problems:
        raise browser.PageError("; ".join(page.problems))
    foreign = [url for url in page.requests if not url.startswith("file:")]
    if foreign:
        raise browser.PageError(f"the page loads {foreign}")


HEADLINE = "document.querySelector('#current .headline').textContent"
AT = "document.querySelector('[data-square=\"{}\"]').getAttribute('aria-label')"


def check_chase(page, path):
    page.open(path.as_uri())
    check_frame(page)
    # The page opens at the repetition; the chase is marked on the board and in the list.
    expect(page, "document.querySelector('#loops .ruling').textContent", "red loses")
    page.click_on("#next")
    expect(page, "document.querySelectorAll('.xq-annotations use[href=\"#xq-mark-victim\"]').length", 1)
    expect(page, "document.querySelectorAll('.xq-annotations use[href=\"#xq-mark-chaser\"]').length", 1)
    check_frame(page)
    page.run("document.getElementById('language').value = 'zh'; document.getElementById('language').dispatchEvent(new Event('change'))")
    expect(page, "document.documentElement.lang", "zh-Hans")
    expect(page, "document.querySelector('#loops h2').textContent", "循环")
    check_frame(page)


def check_mate(page, path):
    page.open(path.as_uri())
    expect(page, "document.title", "Rooks – <b>King</b>")
    page.key("End")
    expect(page, "document.querySelector('#next').disabled", True)
    expect(page, HEADLINE + ".startsWith('2. ')", True)
    expect(page, "document.querySelector('#current .comment').textContent", "by the rules the game is over: red wins: checkmate")
    page.key("Home")
    expect(page, HEADLINE, "Start of the game")
    for _ in range(2):
        page.key("ArrowRight")
    expect(page, AT.format("i2"), "i2, black pawn")
    # A line of the engine is played on the board, and left again.
    page.key("Home")
    page.click_on("#current .line button")
    expect(page, "document.querySelectorAll('#current .line button[aria-current]').length", 1)
    page.key("Escape")
    expect(page, "document.querySelectorAll('#current .line button[aria-current]').length", 0)
    check_frame(page)


def check_long(page, path):
    page.open(path.as_uri())
    expect(page, "document.querySelectorAll('#moves button').length", 200)
    # A click in the middle of the curve goes to the middle of the game.
    page.click_on("#curve")
    expect(page, "Math.abs(document.getElementById('curve').getAttribute('aria-valuenow') - 100) <= 1", True)
    expect(page, "(() => { const list = document.getElementById('moves').getBoundingClientRect(), move = document.querySelector('#moves [aria-current]').getBoundingClientRect(); return move.top >= list.top && move.bottom <= list.bottom; })()", True)
    before = page.run(AT.format("a1"))
    page.click_on("#turn")
    expect(page, AT.format("a1"), before)
    expect(page, "document.querySelector('[data-square=\"a0\"]').offsetTop < document.querySelector('[data-square=\"a9\"]').offsetTop", True)
    page.key("f")
    page.run("document.getElementById('settings').open = true")
    for pieces in ["simplified", "latin", "symbols"]:
        page.run(f"document.getElementById('pieces').value = '{pieces}'; document.getElementById('pieces').dispatchEvent(new Event('change'))")
        expect(page, f"document.querySelectorAll('.xq-pieces use[href^=\"#xq-{pieces}-\"]').length", 32)
    check_frame(page)


def check_games(page, path):
    page.open(path.as_uri())
    check_frame(page)
    # Kinds of moves have one height, numbers stay on one line, and the table of games needs no scrolling beside a desktop's board.
    page.key("End")
    expect(page, "document.querySelectorAll('.tag.check').length > 1", True)
    expect(page, "new Set([...document.querySelectorAll('.tag')].map((tag) => tag.offsetHeight)).size", 1)
    expect(page, "getComputedStyle(document.querySelector('#summary td')).whiteSpace", "nowrap")
    expect(page, "(([table]) => innerWidth < 500 || table.scrollWidth <= table.clientWidth)(document.querySelectorAll('.wide'))", True)
    page.run("document.querySelectorAll('#list button')[1].click()")
    expect(page, "document.querySelector('#current').textContent.includes('by the rules the game is over: draw: neither side can win')", True)
    check_frame(page)


def check_variations(page, path):
    page.open(path.as_uri())
    check_frame(page)
    current = "document.querySelector('#moves [aria-current]').textContent"
    expect(page, "document.querySelectorAll('#moves .variation').length", 3)
    # A move of a variation within a variation, and back through the moves that lead to it.
    page.click_on("[data-variation='1 1']")
    expect(page, HEADLINE + ".startsWith('2… ')", True)
    expect(page, AT.format("e7"), "e7, black cannon")
    expect(page, AT.format("c7"), "c7, black knight")
    # Moves and edges have the names of players, unless a notation is chosen.
    expect(page, current, "C8=5")
    expect(page, "document.querySelector('.xq-ground use[href^=\"#xq-coordinates\"]').getAttribute('href')", "#xq-coordinates-files")
    page.key("ArrowLeft")
    page.key("ArrowLeft")
    expect(page, "document.querySelector('#current .comment').textContent", "also good")
    page.key("ArrowLeft")
    expect(page, HEADLINE + ".startsWith('1. ')", True)
    page.key("ArrowRight")
    expect(page, HEADLINE + ".startsWith('1… ')", True)
    expect(page, "document.querySelector('#current').textContent.includes('Instead:')", True)
    page.click_on("[data-variation='2 0']")
    check_frame(page)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cannonade", default="target/release/cannonade")
    parser.add_argument("--pictures", type=pathlib.Path, help="keep pictures of the windows in this folder")
    arguments = parser.parse_args()
    program = browser.find()
    if program is None:
        print("check_pages: skipped, there is no Chromium (apt-get install chromium)")
        return 0
    need_program(parser, arguments.cannonade)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        search = ["analyze", "-", "--hash", "8", "--nodes", "300"]
        checks = {
            "chase": (check_chase, make(arguments.cannonade, folder, "chase", ["judge", "--fen", CHASE_FEN, "--moves", CHASE])),
            "mate": (check_mate, make(arguments.cannonade, folder, "mate", search, MATE)),
            "variations": (check_variations, make(arguments.cannonade, folder, "variations", search, VARIATIONS)),
            "games": (check_games, make(arguments.cannonade, folder, "games", search, GAMES)),
            "long": (check_long, make(arguments.cannonade, folder, "long", search, long_game(200))),
        }
        for (width, height), is_dark in [(DESKTOP, False), (DESKTOP, True), (PHONE, False), (PHONE, True)]:
            with browser.Browser(program, width, height, is_dark, touch=width < 500) as page:
                for check, (steps, path) in checks.items():
                    steps(page, path)
                    if arguments.pictures:
                        arguments.pictures.mkdir(parents=True, exist_ok=True)
                        shade = "dark" if is_dark else "light"
                        page.picture(arguments.pictures / f"{check}-{width}-{shade}.png")
            print(f"check_pages: {width} x {height}, {'dark' if is_dark else 'light'}: {len(checks)} reports stepped through")
    return 0


if __name__ == "__main__":
    sys.exit(main())
