"""The states of the page of `cannonade web` and of reports that checks of looks and access go through."""

import json
import pathlib
import subprocess

import check_pages
import web_page

GAME = """[Event "World Championship"]
[Red "Hu Ronghua"]
[Black "Xu Yinchuan"]
[Result "1-0"]

1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 4. c3c4 {The old way.} (4. g3g4 c6c5) g6g5 5. h0h6 c9e7 6. h6g6 d9e8 7. b0c2 h9i9 8. a0b0 a9b9 1-0
"""

# The engine's work differs from run to run, so its place is seen but not its text.
MASK = """
    #engine-facts, #lines li > *, .meter i, #moves .value, .xq-annotations, .book-moves td,
    body:has(.summary) #moves .text, .verdict > *, .summary td, #curve svg, .marker, .size-grip, #current > :not(.headline), #curve > *, #legend, #summary td, footer, .detail { visibility: hidden !important; }
"""


def wait_until_ready(window):
    """Waits until the page has the server's first answer, after which it draws its forms again."""
    window.wait("document.body.classList.contains('ready')")


def start(page):
    """The form of a new game, as a first visitor sees it."""


def game(page):
    """A game of two people after three moves."""
    web_page.prefer(page.window, language="en", side="both", time="1")
    wait_until_ready(page.window)
    page.button("Start the game")
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
    for count, move in enumerate(["h2e2", "h9g7", "h0g2"]):
        page.window.wait(f"document.querySelectorAll('.move-row [data-node]').length === {count}")
        page.move(move)
    page.window.wait("document.querySelectorAll('.move-row [data-node]').length === 3")


def end(page):
    """A game that is won."""
    page.open_text(check_pages.MATE)
    page.window.key("End")
    page.window.wait("document.querySelector('#status').textContent.includes('wins')")


def analyse(page):
    """A game with a variation and a comment, the engine off."""
    page.open_text(GAME)
    page.window.key("End")
    page.window.wait("document.querySelector('#moves .current')")
    page.window.wait("!document.querySelector('[data-step=back]').disabled")


def lines(page):
    """The engine shows three lines."""
    analyse(page)
    page.window.click_on(".switch")
    page.window.wait("document.querySelectorAll('#lines .value').length === 3")


def review(page):
    """A game that the engine has analysed, at a move that loses points."""
    page.open_text(GAME)
    page.button("Analyse the game")
    page.window.wait("document.querySelector('.summary')", 60)
    page.window.key("End")
    page.window.wait("document.querySelector('#moves .current')")


def comment(page):
    """The fields for a comment and a mark."""
    analyse(page)
    page.window.click_on("#annotate")
    page.window.wait("document.activeElement.tagName === 'TEXTAREA'")


def book(page):
    """The moves of the built-in book."""
    page.open_text("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w")
    page.window.wait("document.querySelector('#book')")
    page.choose("#book", "0")
    page.window.wait("document.querySelectorAll('[data-book-move]').length > 3")


def judge(page):
    """The rulings on a repetition."""
    fen, moves = web_page.CHASE
    page.open_text(f'[FEN "{fen}"]\n\n{moves} *')
    page.window.key("End")
    page.window.wait("document.querySelector('#ruling').textContent.includes('Red loses')")
    page.window.click_on("#ruling")
    page.window.wait("document.querySelectorAll('.loop tr').length === 6")


def setup(page):
    """A position is set up."""
    page.button("Set up")
    page.window.click_on('[data-tool="R"]')


def settings(page):
    """The settings."""
    page.window.click_on("#open-settings")
    page.window.wait("document.querySelector('#settings-dialog').open")


def open_file(page):
    """The dialog that opens a game."""
    page.window.click_on("#open-file")
    page.window.wait("document.querySelector('#game-text')")


def save_file(page):
    """The dialog that saves a game."""
    analyse(page)
    page.window.click_on("#save-file")
    page.window.wait("document.querySelector('#download')")


def chinese(page):
    """The page in Chinese, with another set of pieces, Black below."""
    web_page.prefer(page.window, language="zh", pieces="filled")
    wait_until_ready(page.window)
    page.open_text(web_page.CHINESE_GAME)
    page.window.wait("document.querySelector('#moves').textContent.includes('马８进７')")
    page.window.click_on("#flip")


# By the names of the snapshots.
PAGE_STATES = {
    "start": start, "game": game, "end": end, "analyse": analyse, "lines": lines, "review": review, "comment": comment, "book": book,
    "judge": judge, "setup": setup, "settings": settings, "open": open_file, "save": save_file, "chinese": chinese,
}


def reports(program, folder):
    """Makes a report of an analysis and one of a ruling; returns their addresses by name."""
    ruling = ["judge", "--fen", check_pages.CHASE_FEN, "--moves", check_pages.CHASE]
    analysis = ["analyze", "-", "--hash", "8", "--nodes", "300", "--threads", "1", "--notation", "wxf"]
    made = {}
    for name, arguments in [("report", analysis), ("ruling", ruling)]:
        path = pathlib.Path(folder) / f"{name}.html"
        subprocess.run([program, *arguments, "--html", str(path)], input=GAME, text=True, check=True, stdout=subprocess.DEVNULL)
        made[name] = path.as_uri()
    return made


def enter(window, url, state, program):
    """Opens the page anew and brings it into a state."""
    window.open(url)
    # Before, the page would write its mode behind this.
    wait_until_ready(window)
    window.run(f"sessionStorage.clear(); localStorage.setItem('cannonade', JSON.stringify({json.dumps({'language': 'en'})}))")
    page = web_page.Page(window, url, None, program)
    wait_until_ready(window)
    PAGE_STATES[state](page)


def mask(window):
    """Hides what differs from run to run, and the focus, the cursor and the pointer, which depend on the way there."""
    window.mouse("mouseMoved", 1, 1, button="none")
    window.run(f"""(() => {{
        const sheet = new CSSStyleSheet();
        sheet.replaceSync({json.dumps(MASK + " * { caret-color: transparent !important; outline: none !important; }")});
        document.adoptedStyleSheets = [sheet];
        document.querySelector('#toast')?.setAttribute('hidden', '');
        scrollTo(0, 0);
    }})()""")
