"""Checks of the page: what is loaded, and many tabs of one browser."""

import json
import time

from web_page import load_again


def load_few_parts(page):
    """The page, its style and its script are one request each, all compressed."""
    window = page.window
    window.open("about:blank#")
    window.open(page.url)
    window.wait("document.body.classList.contains('ready')")
    loaded = window.run("""performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
        .filter(({name}) => !name.includes('/api/')).map(({name, encodedBodySize}) => [name, encodedBodySize])""")
    # WebKit loads the icon twice: for the page, and for the tab.
    parts = sorted({url.removeprefix(page.url) for url, _ in loaded})
    assert parts == ["", "icon.svg", "page.js", "style.css"], parts
    size = sum(size for _, size in loaded)
    assert size < 200_000, loaded
    return f"{len(parts)} parts, {size} bytes"


def have_a_board_for_each_tab(page):
    """A duplicated tab keeps its game in another file, and two tabs keep each other's settings."""
    window = page.window
    file = "document.body.cannonade.game.root.file?.key"
    page.button("Analyse")
    page.move("h2e2")
    window.wait(file)
    own, held = window.run(file), window.run("sessionStorage.getItem('copy')")
    first, window.session = window.session, None
    try:
        target = window.call("Target.createTarget", url=page.url)["targetId"]
        second = window.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        window.session = second
        window.wait("document.readyState === 'complete' && document.querySelector('#status')?.textContent")
        window.wait("document.body.classList.contains('ready')")
        time.sleep(0.5)
        window.run(f"sessionStorage.setItem('copy', {json.dumps(held)})")
        load_again(window)
        page.move("h9g7")
        window.wait(file)
        other = window.run(file)
        window.session = first
        window.click_on("#language")
        window.session = second
        window.run("document.querySelector('#line-count').dispatchEvent(new Event('change'))")
        kept = window.run("JSON.parse(localStorage.getItem('cannonade'))")
        window.session = None
        window.call("Target.closeTarget", targetId=target)
    finally:
        window.session = first
    assert own != other, f"both tabs keep their game in {own}"
    assert kept["language"] == "zh", f"the second tab has set the language back: {kept}"
    return f"{own} and {other}"


def open_seven_tabs(page):
    """More tabs than a browser has connections: each has its analysis, and the last one is answered."""
    window = page.window
    first = window.session
    targets = []
    try:
        for _ in range(7):
            window.session = None
            target = window.call("Target.createTarget", url="about:blank")["targetId"]
            targets.append(target)
            window.session = window.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            # A tab behind others counts as hidden; this one is to count as seen.
            window.call("Page.addScriptToEvaluateOnNewDocument", source="Object.defineProperty(document, 'hidden', {get: () => false});")
            window.call("Page.enable")
            window.open(page.url)
            window.wait("document.body.classList.contains('ready')", 30)
            window.run("void document.body.cannonade.setMode('analyse')")
            window.click_on(".switch")
            window.wait("document.querySelectorAll('#lines .value').length === 3", 30)
        page.move("h2e2")
        window.wait("document.querySelector('.move-row [data-node] .text')?.textContent === 'C2=5'", 20)
    finally:
        window.session = None
        for target in targets:
            window.call("Target.closeTarget", targetId=target)
        window.session = first
    return "seven seen tabs"


# A browser that keeps nothing for the site, and one whose storage is full.
NO_STORAGE = """
    const refuse = () => { throw new DOMException('denied', 'SecurityError'); };
    for (const name of ['sessionStorage', 'localStorage']) Object.defineProperty(window, name, {get: refuse});
    window.BroadcastChannel = class { constructor() { refuse(); } };
    if (navigator.locks) navigator.locks.request = async () => refuse();
"""
FULL_STORAGE = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"


def do_without_storage(page):
    """The page plays, sets up and changes its language where the browser keeps nothing."""
    window = page.window
    for script in [NO_STORAGE, FULL_STORAGE]:
        added = window.call("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
        try:
            window.open("about:blank#")
            window.open(page.url)
            window.wait("document.body.classList.contains('ready')")
            page.move("h2e2")
            window.wait("document.querySelectorAll('.move-row [data-node]').length === 1")
            language = page.text("#language")
            window.click_on("#language")
            window.wait(f"document.querySelector('#language').textContent !== '{language}'")
            window.click_on("#language")
            page.button("Set up")
            window.click_on('[data-tool="eraser"]')
            page.square("a0")
            page.button("Analyse")
            window.wait("document.querySelector('.notice')?.textContent.includes('is kept')")
        finally:
            window.call("Page.removeScriptToEvaluateOnNewDocument", identifier=added)
            window.open("about:blank#")
    window.open(page.url)
    window.wait("document.body.classList.contains('ready')")
    return "blocked, full"


CHECKS = [load_few_parts, have_a_board_for_each_tab, open_seven_tabs, do_without_storage]
