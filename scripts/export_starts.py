"""Starts of the exported page in which a part fails or never answers, for `check_export.py`."""

import os
import threading

from export_site import QuietHandler, SlowHandler, change_file, copied_site
from web_page import load_again

READY = "document.body.classList.contains('ready')"

# Seconds in which a page in a hurry starts a second time, on a busy machine.
AGAIN = 60


def in_a_hurry(site):
    """Lets a start stall after six seconds."""
    change_file(site, "page.js", "const STALL = 20;", "const STALL = 6;")


def once(name, fault):
    """A host with a fault the first time that it sends a file."""

    class Handler(QuietHandler):
        has_failed = False

        def do_GET(self):
            if self.path != f"/{name}" or Handler.has_failed:
                super().do_GET()
                return
            Handler.has_failed = True
            fault(self)

    return Handler


def stop_halfway(handler):
    """Sends half of a file and nothing more."""
    path = handler.translate_path(handler.path)
    handler.send_response(200)
    handler.send_header("Content-Type", handler.guess_type(path))
    handler.send_header("Content-Length", str(os.path.getsize(path)))
    handler.end_headers()
    with open(path, "rb") as file:
        handler.wfile.write(file.read(os.path.getsize(path) // 2))
    handler.wfile.flush()
    threading.Event().wait(60)


def start_after_an_error(page):
    """A worker that cannot be loaded is started once more."""
    handler = once("board-worker.js", lambda handler: handler.send_error(500))
    with copied_site(page, handler) as site:
        page.window.open(site.url)
        page.window.wait(READY)
    assert handler.has_failed
    # The browser reports the status.
    page.window.problems.clear()
    return "started"


def start_after_a_stall(page):
    """A module that stops halfway is loaded once more."""
    handler = once("cannonade-simd.wasm", stop_halfway)
    with copied_site(page, handler) as site:
        in_a_hurry(site)
        change_file(site, "module.js", "typeof SharedArrayBuffer !== 'undefined'", "false")
        page.window.open(site.url)
        page.window.wait(READY, AGAIN)
    assert handler.has_failed
    return "started"


def start_without_games(page):
    """Without an answer of its storage the page starts, and says that it keeps nothing."""
    with copied_site(page) as site:
        in_a_hurry(site)
        change_file(site, "page.js", "indexedDB.open('cannonade', 1)", "/** @type {any} */ ({})")
        page.window.open(site.url)
        page.window.wait(READY, AGAIN)
        page.move("h2e2")
        page.window.wait("/storage of the browser/.test(document.querySelector('.away-bar').textContent)")
        said = page.text(".away-bar span")
    return said


def start_without_threads(page):
    """A page whose threads never begin searches without them."""
    window = page.window
    with copied_site(page) as site:
        in_a_hurry(site)
        change_file(site, "thread-starter.js", "navigator.hardwareConcurrency", "2")
        change_file(site, "thread.js", "listen((", "((_) => {})((")
        window.open(site.url)
        window.wait("navigator.serviceWorker.controller !== null", AGAIN)
        window.open(f"{site.url}?again")
        window.wait(READY, AGAIN)
        isolated = window.run("crossOriginIsolated")
        page.open_text("1. h2e2 *")
        window.click_on("#analyse-on")
        window.wait("/depth [4-9]/i.test(document.querySelector('#engine-facts').textContent)")
        facts = page.text("#engine-facts")
    assert isolated
    return facts


def start_late(page):
    """A page whose second start stalls, too, says what to do, and starts when it can."""
    window = page.window
    with copied_site(page, SlowHandler) as site:
        in_a_hurry(site)
        window.open(site.url)
        # Between two documents there is no status.
        window.wait("/has not started/.test(document.querySelector('#status')?.textContent)", AGAIN)
        said = page.text("#status")
        window.wait(READY, AGAIN)
    return said


def start_offline_alone(page):
    """Without a network the page also starts where its worker may not share memory."""
    window = page.window
    with copied_site(page) as site:
        change_file(site, "module.js", "typeof SharedArrayBuffer !== 'undefined'", "false")
        window.open(site.url)
        window.wait("navigator.serviceWorker.controller !== null", AGAIN)
        window.wait(READY, AGAIN)
        site.stop()
        load_again(window)
        window.wait(READY, AGAIN)
    return "started"


CHECKS = [
    start_after_an_error,
    start_after_a_stall,
    start_without_games,
    start_without_threads,
    start_late,
    start_offline_alone,
]
