"""The page of `cannonade web` in a window, with what checks do to it."""

import contextlib
import json
import os
import subprocess
import sys
import time

import browser

CHINESE_GAME = """[Game "Chinese Chess"]
[Event "全国象棋个人赛"]
[Red "胡荣华"]
[Black "许银川"]
[Result "1-0"]

1. 炮二平五 马８进７
2. 马二进三 车９平８
3. 车一平二 马２进３
4. 兵七进一 (4. 兵三进一 卒３进１) 卒７进１
1-0
"""

CHASE = ("3k5/9/9/9/9/9/9/9/4A4/R3K4 w", "a0a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9 a8a9")


class Server:
    """A running `cannonade web`."""

    def __init__(self, program, *flags):
        games = [] if "--games" in flags else ["--no-games"]
        command = [program, "web", "--no-open", "--threads", "1", "--hash", "16", *games, *flags]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        if not self.url.startswith("http"):
            sys.exit(f"error: '{program} web' did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)


class Page:
    """The page in a window, with what the checks do to it."""

    def __init__(self, window, url, pictures, program):
        self.window, self.url, self.pictures, self.program = window, url, pictures, program
        window.open(url)
        window.wait("document.querySelectorAll('.xq-squares [data-square]').length === 90")
        window.wait("document.querySelector('#status').textContent !== ''")

    def view(self):
        return self.window.run("document.body.cannonade.now")

    def wait_for_view(self, condition, seconds=20):
        """Waits until the game of the page is so."""
        end = time.time() + seconds
        while time.time() < end:
            view = self.view()
            if condition(view):
                return view
            time.sleep(0.1)
        raise AssertionError(f"the game did not become as expected: {json.dumps(view)[:500]}")

    def square(self, name):
        self.window.click_on(f'.xq-squares [data-square="{name}"]')

    def move(self, text):
        self.square(text[:2])
        self.square(text[2:])

    def button(self, text):
        """Clicks on the visible button with this text, as soon as it is there."""
        script = f"""(() => {{
            const buttons = [...document.querySelectorAll('button, .button')].filter((b) => b.offsetParent);
            const button = buttons.find((b) => b.textContent.trim() === {json.dumps(text)});
            if (!button) return null;
            // At the edge of the window a notice may cover it.
            button.scrollIntoView({{block: 'center'}});
            const box = button.getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];
        }})()"""
        end = time.time() + 10
        while not (place := self.window.run(script)):
            assert time.time() < end, f"there is no button '{text}'"
            time.sleep(0.05)
        self.window.click(*place)

    def choose(self, selector, value):
        """Gives a list or a field this value, as a person would."""
        field = f"Object.assign(document.querySelector({json.dumps(selector)}), {{value: {json.dumps(value)}}})"
        self.window.run(f"void {field}.dispatchEvent(new Event('change'))")

    def text(self, selector):
        return self.window.run(f"document.querySelector({json.dumps(selector)}).textContent")

    def open_text(self, text):
        """Pastes a game and opens it."""
        self.open_text_only(text)
        self.window.wait("!document.querySelector('#load-dialog').open")

    def open_text_only(self, text):
        """Pastes a text that is no game."""
        self.window.click_on("#open-file")
        self.window.wait("document.querySelector('#game-text')")
        self.window.run(f"document.querySelector('#game-text').value = {json.dumps(text)}")
        self.window.click_on("#load-text")

    def saved(self, selector):
        """What a button of the dialog saves: the name of the file, its size and its text."""
        return self.window.run(f"""(async () => {{
            const [click, create] = [HTMLAnchorElement.prototype.click, URL.createObjectURL];
            let content;
            URL.createObjectURL = (blob) => {{ content = blob; return create(blob); }};
            const saved = new Promise((done, fail) => {{ setTimeout(() => fail(new Error('nothing is saved')), 20000); HTMLAnchorElement.prototype.click = function () {{ done(this.download); }}; }});
            document.querySelector({json.dumps(selector)}).click();
            const name = await saved;
            [HTMLAnchorElement.prototype.click, URL.createObjectURL] = [click, create];
            return {{name, size: content.size, type: content.type, text: await content.text()}};
        }})()""")

    def picture(self, name):
        if self.pictures:
            time.sleep(0.4)
            self.window.picture(os.path.join(self.pictures, f"{name}.png"))


def prefer(window, **prefs):
    """Sets the settings of the page and loads it again."""
    window.run(f"localStorage.setItem('cannonade', JSON.stringify({json.dumps(prefs)}))")
    load_again(window)


def keep_a_puzzle(window):
    """Puts a puzzle from the starting position, with h2e2 as the better move, into the page and loads it again."""
    puzzle = {"fen": "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w", "side": "red",
              "played": "a0a1", "text": "R9+1", "better": ["h2e2"], "betterText": "C2=5"}
    window.run(f"localStorage.setItem('puzzles', JSON.stringify([{json.dumps(puzzle)}]))")
    load_again(window)


def load_again(window):
    """Loads the page again and waits until the new one is complete; the old one may stay for a while."""
    window.run("void (window.isOld = true, location.reload())")
    end = time.time() + 20
    is_old = True
    while is_old:
        assert time.time() < end, "the page is not loaded again"
        time.sleep(0.1)
        # The script may go with the old page.
        with contextlib.suppress(browser.PageError):
            is_old = window.run("Boolean(window.isOld)")
    window.wait("document.readyState === 'complete' && document.querySelectorAll('.xq-squares [data-square]').length === 90")
    window.wait("document.querySelector('#status').textContent !== ''")


def arrows_to(window, square):
    """Leads the focus over the board by the arrow keys."""
    for _ in range(20):
        now = window.run("document.activeElement.dataset.square")
        if now == square:
            return
        if now[0] != square[0]:
            window.key("ArrowRight" if now[0] < square[0] else "ArrowLeft")
        else:
            window.key("ArrowUp" if now[1] < square[1] else "ArrowDown")
    raise AssertionError(f"the keys do not lead to {square}")


def tab_to(window, selector):
    """Leads the focus to an element by Tab; what has the focus on the way is seen."""
    for _ in range(60):
        if window.run(f"document.activeElement.matches({json.dumps(selector)})"):
            return
        window.key("Tab")
        box = window.run("""(() => {
            const shown = document.activeElement.closest('label.button, label.switch') ?? document.activeElement;
            const box = shown.getBoundingClientRect();
            return [shown.outerHTML.slice(0, 80), box.width, box.height];
        })()""")
        assert min(box[1:]) > 8, f"the focus is on something that is not seen: {box}"
    raise AssertionError(f"Tab does not lead to {selector}")
