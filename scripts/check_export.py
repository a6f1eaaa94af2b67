#!/usr/bin/env python3
"""Checks the page that `cannonade web --export` writes, in headless browsers, from a plain file server.

    scripts/check_export.py FOLDER [--pictures FOLDER]

A desktop and a phone window of Chromium, and windows of Firefox (`pip install websockets`) and of WebKitGTK; a browser
that is not installed is named and left out.
"""

import argparse
import json
import os
import random
import sys
import time

import browser
import export_starts
import firefox
import webkit
from export_site import Site, SlowHandler, UntypedHandler, copied_site
from web_page import CHASE, CHINESE_GAME, Page, load_again, prefer

# Milliseconds in which a click is answered while the engine thinks.
MOST_WAIT = 100


class ExportedPage(Page):
    """The page from a site that a check can stop."""

    def __init__(self, window, site, pictures):
        super().__init__(window, site.url, pictures, None)
        self.site = site


# The number of shown moves.
MOVES = "document.querySelectorAll('#moves [data-node]').length"


# The middles of the points to which the chosen piece can move.
TARGETS = """[...document.querySelectorAll('.xq-target, .xq-capture')].map((mark) => {
    const box = mark.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
})"""


def make_a_random_move(page, moves):
    """Chooses a piece that can move, and one of the marked points."""
    window = page.window
    squares = [file + rank for file in "abcdefghi" for rank in "0123456789"]
    for square in moves.sample(squares, len(squares)):
        # A click beside the marks chooses another piece, or none.
        page.square(square)
        if targets := window.run(TARGETS):
            window.click(*moves.choice(targets))
            return
    raise AssertionError("no piece can move")


def play_a_level_to_the_end(page):
    """A game of random clicks against a level, until the level has won by the rules."""
    window = page.window
    prefer(window, time="0.2", side="red", language="en", elo=1500)
    page.button("Start the game")
    window.wait("document.querySelector('#take-back')")
    moves = random.Random(44)
    has_ended = "/wins|draw/i.test(document.querySelector('#status').textContent)"
    for number in range(0, 400, 2):
        window.wait(f"{has_ended} || {MOVES} === {number}", 30)
        if window.run(has_ended):
            break
        make_a_random_move(page, moves)
        window.wait(f"{MOVES} > {number}")
        if number == 6:
            page.picture("play")
    assert window.run(has_ended), "the game did not end"
    page.picture("end")
    return f"{window.run(MOVES)} moves: {page.text('#status')}"


def analyse_with_three_lines(page):
    """Three lines come while the engine thinks, and clicks are answered in time meanwhile."""
    window = page.window
    prefer(window, language="en", lines=3)
    page.open_text(CHINESE_GAME)
    window.wait(f"{MOVES} === 10")
    window.click_on("#analyse-on")
    window.wait("document.querySelectorAll('#lines .line-moves').length === 3", 30)
    window.wait("/depth 1[0-9]/i.test(document.querySelector('#engine-facts').textContent)", 60)
    page.picture("analysis")
    facts = page.text("#engine-facts")
    waits = []
    for key in ["ArrowRight", "ArrowRight", "End", "ArrowLeft", "ArrowLeft", "Home", "End", "Home"]:
        script = f"""new Promise((done) => {{
            const before = document.querySelector('#moves').innerHTML;
            const start = performance.now();
            const look = () => {{
                if (document.querySelector('#moves').innerHTML !== before) done(performance.now() - start);
                else if (performance.now() - start > 3000) done(null);
                else setTimeout(look, 2);
            }};
            document.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}));
            look();
        }})"""
        waits.append(window.run(script))
        time.sleep(0.7)
    assert None not in waits, waits
    waits.sort()
    isolated = window.run("crossOriginIsolated")
    window.click_on("#analyse-on")
    shown = " ".join(f"{wait:.0f}" for wait in waits)
    assert waits[len(waits) // 2] < MOST_WAIT, f"clicks are answered after {shown} ms"
    return f"{facts}; clicks answered after {shown} ms, isolated: {isolated}"


def analyse_a_game(page):
    """The analysis of a game goes on by itself, from position to position."""
    window = page.window
    prefer(window, language="en")
    page.open_text(CHINESE_GAME)
    page.button("Analyse the game")
    window.wait("document.querySelector('.summary .accuracy')", 60)
    page.picture("review")
    return page.text(".summary")


# The threads of the engine, by a worker like that of the page.
THREADS = """new Promise((done, fail) => {
    const worker = new Worker('board-worker.js', { type: 'module' });
    worker.onerror = ({ message }) => fail(new Error(`the worker has failed: ${message}`));
    worker.onmessage = ({ data }) => {
        if (data.number !== 1) return;
        worker.terminate();
        done(JSON.parse(new TextDecoder().decode(data.body)).threads);
    };
    worker.postMessage({ number: 1, name: 'about', query: '', body: new Uint8Array() });
})"""


def search_with_threads(page):
    """The page isolates itself before its engine loads, and searches with all cores if the module can."""
    window = page.window
    window.wait("navigator.serviceWorker.controller !== null")
    window.wait("document.body.classList.contains('ready')", 60)
    isolated, cores, threads = (window.run(script) for script in ("crossOriginIsolated", "navigator.hardwareConcurrency", THREADS))
    has_module = window.run("fetch('cannonade-threads.wasm', { method: 'HEAD' }).then((response) => response.ok)")
    # The module with threads needs SIMD.
    has_simd = window.run("import('./module.js').then(({ SIMD_TEST }) => WebAssembly.validate(SIMD_TEST))")
    expected = min(cores - 1 if cores > 2 else cores, 8) if isolated and has_module and has_simd else 1
    facts = f"{threads} threads, {cores} cores, isolated: {isolated}, module: {has_module}, SIMD: {has_simd}"
    assert threads == expected, facts
    return f"{threads} threads on {cores} cores, isolated: {isolated}"


def search_with_an_untyped_module(page):
    """A host that does not serve modules as such has threads, too."""
    with copied_site(page, UntypedHandler) as site:
        page.window.open(site.url)
        return search_with_threads(page)


# How the installation of the service worker ends.
INSTALL = """navigator.serviceWorker.register('service-worker.js').then((found) => new Promise((done) => {
    const worker = found.installing ?? found.waiting ?? found.active;
    const look = () => { if (/activated|redundant/.test(worker.state)) done(worker.state); };
    worker.addEventListener('statechange', look);
    look();
}))"""


def keep_whole_uploads_only(page):
    """Half of an upload is not kept; the whole one is at the next visit."""
    window = page.window
    with copied_site(page) as site:
        module = site.folder / "module.js"
        whole = module.read_bytes()
        module.write_bytes(whole + b"// another release\n")
        window.open(site.url)
        half = window.run(INSTALL)
        module.write_bytes(whole)
        # The server tells files apart by the second of their change.
        os.utime(module, (time.time() + 2,) * 2)
        load_again(window)
        found = [half, window.run(INSTALL)]
    assert found == ["redundant", "activated"], found
    return found


def leave_other_pages_alone(page):
    """A page in a folder below is not isolated, which would break what it takes from elsewhere."""
    window = page.window
    with copied_site(page) as site:
        (site.folder / "blog").mkdir()
        (site.folder / "blog" / "index.html").write_text("<!doctype html><title>Blog</title><link rel=icon href=data:,>")
        window.open(site.url)
        assert window.run(INSTALL) == "activated"
        isolated = []
        for address in (site.url, site.url + "blog/", site.url + "?lang=zh#x"):
            window.open(address)
            isolated.append(window.run("crossOriginIsolated"))
    assert isolated == [True, False, True], isolated
    return isolated


def load_what_cannot_be_kept(page):
    """A module for which the browser has no room is loaded all the same."""
    window = page.window
    if isinstance(window, (firefox.Firefox, webkit.Webkit)):
        return "no limit that a check can set"
    window.wait("navigator.serviceWorker.controller !== null")
    origin = page.url.rstrip("/")
    window.call("Storage.overrideQuotaForOrigin", origin=origin, quotaSize=1000)
    status = window.run("fetch('cannonade.wasm').then((response) => response.status, String)")
    window.call("Storage.overrideQuotaForOrigin", origin=origin)
    assert status == 200, status
    return status


def think_on(page):
    """An analysis goes deeper after the first looks for other work, which come every five seconds."""
    window = page.window
    window.click_on("#analyse-on")
    depth = "Number((document.querySelector('#engine-facts').textContent.match(/depth (\\d+)/i) || [0, 0])[1])"
    time.sleep(12)
    before = window.run(depth)
    assert before > 0, "no depth is shown"
    window.wait(f"{depth} >= {before + 3}", 120)
    facts = page.text("#engine-facts")
    window.click_on("#analyse-on")
    return f"depth {before} after 12 s, then {facts}"


def rule_a_repetition(page):
    """The repetition of a position is ruled, and explained."""
    window = page.window
    prefer(window, language="en")
    fen, moves = CHASE
    page.open_text(f"position fen {fen} moves {moves}")
    window.key("End")
    window.wait("document.querySelector('#ruling').offsetParent")
    ruling = page.text("#ruling")
    window.click_on("#ruling")
    window.wait("document.querySelector('#judge-dialog').open")
    page.picture("ruling")
    window.key("Escape")
    return ruling


def saved_file(window, selector, end):
    """The file that the browser saves after a click."""
    folder = window.downloads()
    window.click_on(selector)
    limit = time.time() + 20
    # Firefox begins with an empty file.
    while not (files := [path for path in folder.iterdir() if path.name.endswith(end) and path.stat().st_size]):
        assert time.time() < limit, f"{selector}: no file {end}; there are {os.listdir(folder)}"
        time.sleep(0.1)
    return files[0].read_bytes()


def save_files(page):
    """The report, the game and the picture in pixels are files that the browser saves."""
    window = page.window
    page.open_text(CHINESE_GAME)
    window.click_on("#save-file")
    window.wait("document.querySelector('#report')")
    report = saved_file(window, "#report", ".html").decode()
    game = saved_file(window, "#download", ".pgn").decode()
    picture = saved_file(window, "#picture-png", ".png")
    window.key("Escape")
    assert "胡荣华" in report, report[:500]
    assert "胡荣华" in game, game[:500]
    width, height = (int.from_bytes(picture[place:place + 4], "big") for place in (16, 20))
    assert picture[1:4] == b"PNG" and (width, height) == (976, 1076), (picture[:8], width, height)
    return f"report {len(report)} characters, game {len(game)}, picture {width} x {height}"


def keep_games(page):
    """A page that is loaded again has its game; a new tab has it in its list, and opens it."""
    window = page.window
    page.open_text(CHINESE_GAME)
    window.wait(f"{MOVES} === 10")
    load_again(window)
    window.wait(f"{MOVES} === 10")
    assert window.run("document.querySelector('#toast').hidden"), page.text("#toast")
    window.run("sessionStorage.clear()")
    load_again(window)
    window.wait(f"{MOVES} === 0")
    window.click_on("#open-file")
    window.wait("document.querySelector('[data-game]')")
    page.picture("recent-games")
    listed = page.text("[data-game]")
    window.click_on("[data-game]")
    window.wait(f"{MOVES} === 10")
    assert "胡荣华" in listed, listed
    return listed


def can_be_installed(page):
    """Chromium finds nothing that is missing for an installation."""
    page.window.wait("navigator.serviceWorker.controller !== null")
    if isinstance(page.window, (firefox.Firefox, webkit.Webkit)):
        return "this browser does not say"
    errors = page.window.call("Page.getInstallabilityErrors")["installabilityErrors"]
    # The window is one of those without traces, as all of these checks.
    errors = [error for error in errors if error["errorId"] != "in-incognito"]
    assert not errors, errors
    return "no error"


def load_slowly(page):
    """The page waits for its module as long as that takes, and says so."""
    window = page.window
    with copied_site(page, SlowHandler) as site:
        window.open(site.url)
        # Between two documents there is no status.
        window.wait("(document.querySelector('#status')?.textContent ?? '') !== ''")
        said = page.text("#status")
        window.wait("document.body.classList.contains('ready')", 60)
    assert said == "Loading …", said
    return said


def name_a_broken_module(page):
    """The page says that its module cannot be loaded, and goes on saying it."""
    window = page.window
    with copied_site(page) as site:
        for path in site.folder.glob("*.wasm"):
            path.write_bytes(b"")
        window.open(site.url)
        window.wait("!['', 'Loading …', undefined].includes(document.querySelector('#status')?.textContent)")
        said = page.text("#status")
        shown = "document.querySelector('#status').checkVisibility({ visibilityProperty: true })"
        assert window.run(shown), "the message is hidden"
    # Its worker has failed.
    window.problems.clear()
    assert said == "The engine cannot be loaded. Load the page again, or try another browser.", said
    return said


def work_offline(page):
    """Without its server the page loads and the engine thinks."""
    window = page.window
    window.wait("navigator.serviceWorker.controller !== null")
    page.site.stop()
    load_again(window)
    prefer(window, language="en")
    isolated = window.run("crossOriginIsolated")
    page.open_text("1. h2e2 *")
    window.wait(f"{MOVES} === 1")
    window.click_on("#analyse-on")
    window.wait("/depth 1[0-9]/i.test(document.querySelector('#engine-facts').textContent)", 60)
    page.picture("offline")
    return f"{page.text('#engine-facts')}, isolated: {isolated}"


# The last one stops the server.
CHECKS = [
    play_a_level_to_the_end,
    analyse_with_three_lines,
    analyse_a_game,
    search_with_threads,
    search_with_an_untyped_module,
    think_on,
    rule_a_repetition,
    save_files,
    keep_games,
    can_be_installed,
    keep_whole_uploads_only,
    leave_other_pages_alone,
    load_what_cannot_be_kept,
    load_slowly,
    name_a_broken_module,
    *export_starts.CHECKS,
    work_offline,
]


def windows():
    """The windows by their names; a browser that is not installed is left out."""
    if chromium := browser.find():
        yield "desktop", lambda: browser.Browser(chromium, 1280, 900)
        yield "phone", lambda: browser.Browser(chromium, 390, 844, touch=True)
    else:
        print("skipped: Chromium is not installed")
    if found := firefox.find():
        yield "firefox", lambda: firefox.Firefox(found, 1280, 900)
    else:
        print("skipped: Firefox or the Python package websockets is not installed")
    if driver := webkit.find():
        yield "webkit", lambda: webkit.Webkit(driver, 1280, 900)
    else:
        print("skipped: WebKitGTK, its driver or Xvfb is not installed")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="that --export has written")
    parser.add_argument("--pictures", help="a folder for screenshots")
    parser.add_argument("--only", choices=("desktop", "phone", "firefox", "webkit"), help="one window")
    arguments = parser.parse_args()
    failed = 0
    for name, opened in windows():
        if arguments.only not in (None, name):
            continue
        site = Site(arguments.folder)
        pictures = arguments.pictures and os.path.join(arguments.pictures, name)
        if pictures:
            os.makedirs(pictures, exist_ok=True)
        with opened() as window:
            page = ExportedPage(window, site, pictures)
            for check in CHECKS:
                start = time.time()
                try:
                    print(f"{name}: {check.__name__}: {check(page)} ({time.time() - start:.1f} s)", flush=True)
                except (AssertionError, browser.PageError) as error:
                    failed += 1
                    print(f"{name}: {check.__name__} FAILED: {error}", flush=True)
                    page.picture(f"failed-{check.__name__}")
            if window.problems:
                failed += 1
                print(f"{name}: problems of the page: {json.dumps(window.problems)[:2000]}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
