#!/usr/bin/env python3
"""Checks the page of `cannonade web` in a headless Chromium, or in WebKitGTK, as a person would use it.

    scripts/check_web.py [--program target/release/cannonade] [--pictures FOLDER] [CHECK..]

The checks are in `web_checks`. Without Chromium it says so and leaves them out. `--pictures` keeps screenshots to look at.
"""

import argparse
import os
import sys
import traceback

import browser
import web_checks
import webkit
from inputs import need_program
from web_checks import findings, playing
from web_page import Page, Server


def run(check, window, url, pictures, program):
    """Runs a check in a new board; returns whether it passed."""
    try:
        window.open(url)
        # Before, the page would write its mode behind this.
        window.wait("document.body.classList.contains('ready')")
        window.run("void (sessionStorage.clear(), localStorage.setItem('cannonade', JSON.stringify({language: 'en'})))")
        said = check(Page(window, url, pictures, program))
        outside = [address for address in window.requests
                   if not address.startswith((url.rsplit("/", 2)[0], "data:", "about:", "blob:"))]
        assert not outside, f"loaded from elsewhere: {outside}"
        assert not window.problems, "; ".join(window.problems)
        print(f"passed  {check.__name__}: {said}", flush=True)
        return True
    except NotImplementedError as error:
        print(f"skipped {check.__name__}: it needs {error}", flush=True)
        return None
    except (AssertionError, browser.PageError) as error:
        print(f"FAILED  {check.__name__}: {error}", flush=True)
        traceback.print_exc(limit=-2)
        if pictures:
            window.picture(os.path.join(pictures, f"failed-{check.__name__}.png"))
        window.problems.clear()
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/cannonade")
    parser.add_argument("--url", help="the address of a server that runs already")
    parser.add_argument("--pictures", help="a folder for screenshots")
    parser.add_argument("--dark", action="store_true", help="in dark colours")
    parser.add_argument("--webkit", action="store_true", help="in WebKitGTK, without what needs Chromium")
    parser.add_argument("--parts", help="crates/web/src/page, to try its scripts and styles without building the program")
    parser.add_argument("checks", nargs="*", help="names of checks; all if left out")
    options = parser.parse_args()
    if options.webkit and options.parts:
        parser.error("--parts needs Chromium")
    program = webkit.find() if options.webkit else browser.find()
    if program is None:
        print("skipped: there is no " + ("WebKitGTK with its driver and Xvfb" if options.webkit else "Chromium; install it or set CHROMIUM"))
        return 0
    window_class = webkit.Webkit if options.webkit else browser.Browser
    if not options.url:
        need_program(parser, options.program)
    if options.pictures:
        os.makedirs(options.pictures, exist_ok=True)
    wanted = lambda check: not options.checks or check.__name__ in options.checks
    results = []
    server = None if options.url else Server(options.program)
    try:
        url = options.url or server.url
        with window_class(program, width=1280, height=860, dark=options.dark) as window:
            if options.parts:
                window.serve_from(options.parts)
            results += [run(check, window, url, options.pictures, options.program) for check in web_checks.CHECKS if wanted(check)]
        # The windows of WebKitGTK are wider than a phone.
        on_a_phone = [check for check in playing.ON_A_PHONE + findings.ON_A_PHONE if wanted(check) and not options.webkit]
        if on_a_phone:
            with browser.Browser(program, width=390, height=844, dark=True, touch=True) as window:
                results += [run(check, window, url, options.pictures, options.program) for check in on_a_phone]
    finally:
        if server:
            server.__exit__()
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 1 if False in results else 0


if __name__ == "__main__":
    sys.exit(main())
