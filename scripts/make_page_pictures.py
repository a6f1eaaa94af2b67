#!/usr/bin/env python3
"""Makes the pictures of the page in the readme: docs/page.png and docs/page.zh.png.

    scripts/make_page_pictures.py [--program target/release/cannonade] [--folder docs]

A game is analysed, and the engine shows its lines of the last position. Needs Chromium.
"""

import argparse
import pathlib
import sys

import browser
import web_page
from inputs import need_program

# Ten moves of a well-known opening, two of which the engine finds inaccurate.
MOVES = """1. 炮二平五 马８进７ 2. 马二进三 车９平８ 3. 车一平二 马２进３ 4. 兵七进一 卒７进１ 5. 车二进六 炮８平９
6. 车二平三 炮９退１ 7. 兵五进一 士４进５ 8. 兵五进一 炮９平７ 9. 车三平四 卒７进１ 10. 马三进五 卒７进１ *"""

# The language of each picture, and the names of the players.
PICTURES = {"page.png": ("en", "Li Ming", "Wang Fang", "Club championship"), "page.zh.png": ("zh", "李明", "王芳", "俱乐部锦标赛")}

SIZE = (1180, 760)

MOST_BYTES = 300_000


def make(program, folder, name):
    language, red, black, event = PICTURES[name]
    with web_page.Server(program) as server, browser.Browser(browser.find(), *SIZE) as window:
        window.open(server.url)
        web_page.prefer(window, language=language)
        page = web_page.Page(window, server.url, None, program)
        window.wait("document.body.classList.contains('ready')")
        page.open_text(f'[Event "{event}"]\n[Red "{red}"]\n[Black "{black}"]\n\n{MOVES}')
        window.click_on("#sweep")
        window.wait("document.querySelector('.summary')", 60)
        window.key("End")
        window.click_on(".switch")
        window.wait("document.querySelectorAll('#lines .value').length === 3")
        window.wait("Number(/\\d+/.exec(document.querySelector('#engine-facts').textContent)?.[0] ?? 0) >= 16", 120)
        window.wait("document.querySelector('.notice').hidden", 30)
        window.mouse("mouseMoved", 4, 4, button="none")
        path = folder / name
        window.picture(path)
    size = path.stat().st_size
    print(f"{path}: {size} bytes")
    return size <= MOST_BYTES


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/cannonade")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(__file__).parent.parent / "docs")
    options = parser.parse_args()
    if browser.find() is None:
        print("there is no Chromium; install it or set CHROMIUM")
        return 1
    need_program(parser, options.program)
    are_small = [make(options.program, options.folder, name) for name in PICTURES]
    return 0 if all(are_small) else 1


if __name__ == "__main__":
    sys.exit(main())
