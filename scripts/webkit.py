"""A WebKitGTK window for the checks of pages, driven by WebDriver: the same window as that of `browser.py`.

Needs the engine of Safari for Linux with a screen in memory (`apt-get install webkit2gtk-driver xvfb`).
"""

import base64
import contextlib
import glob
import json
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

import browser
from firefox import KEYS

BROWSERS = ["/usr/lib/*/webkit2gtk-4.*/MiniBrowser", "/usr/libexec/webkit2gtk-4.*/MiniBrowser"]

# The value of an expression, with the errors since the last one: the driver does not tell them.
EVALUATE = """const done = arguments[arguments.length - 1];
if (!window.problems) {
    window.problems = [];
    addEventListener('error', ({ message }) => window.problems.push(message));
    addEventListener('unhandledrejection', ({ reason }) => window.problems.push(String(reason)));
}
const tell = (value) => done(JSON.stringify([...value, window.problems.splice(0)]));
(async () => (%s))().then((value) => tell([value ?? null, null]), (error) => tell([null, String(error)]));"""


def find():
    """The path of the driver, from $WEBKIT_DRIVER or the PATH; None if it or the screen in memory is missing."""
    return shutil.which("Xvfb") and find_browser() and (os.environ.get("WEBKIT_DRIVER") or shutil.which("WebKitWebDriver"))


def find_browser():
    return next((path for pattern in BROWSERS for path in sorted(glob.glob(pattern))), None)


class Webkit(browser.Browser):
    """One window with one page."""

    def __init__(self, program, width=1280, height=900, dark=False):
        self.folder = tempfile.TemporaryDirectory(prefix="webkit", ignore_cleanup_errors=True)
        self.problems, self.requests, self.session = [], [], None
        home = pathlib.Path(self.folder.name)
        (home / "user-dirs.dirs").write_text(f'XDG_DOWNLOAD_DIR="{self.download_folder()}"\n')
        read, write = os.pipe()
        screen = ["Xvfb", "-displayfd", str(write), "-screen", "0", "2000x1800x24", "-nolisten", "tcp"]
        self.screen = subprocess.Popen(screen, pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as said:
            display = said.readline().strip()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        environment = {**os.environ, "DISPLAY": f":{display}", "HOME": str(home), "GDK_BACKEND": "x11",
                       # As in Safari: isolated pages share memory.
                       "JSC_useSharedArrayBuffer": "1",
                       **{f"XDG_{kind}_HOME": str(home) for kind in ("CONFIG", "DATA", "CACHE", "STATE")}}
        self.process = subprocess.Popen([program, f"--port={port}"], env=environment, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.address = f"http://127.0.0.1:{port}"
        options = {"binary": find_browser(), "args": ["--automation", *(["--dark-mode"] if dark else [])]}
        wanted = {"browserName": "MiniBrowser", "webkitgtk:browserOptions": options}
        limit = time.time() + 30
        while True:
            try:
                session = self.ask("POST", "/session", capabilities={"alwaysMatch": wanted})
                break
            except urllib.error.URLError:
                assert time.time() < limit, "the driver of WebKit does not start"
                time.sleep(0.1)
        self.address += f"/session/{session['sessionId']}"
        self.ask("POST", "/timeouts", script=1000 * browser.SILENCE, pageLoad=1000 * browser.SILENCE)
        self.size = width, height
        self.resize(width, height)

    def resize(self, width, height):
        """Gives the page itself this size; the bar of the window is added."""
        self.ask("POST", "/window/rect", x=0, y=0, width=width, height=height)
        inner = self.run("[innerWidth, innerHeight]")
        self.ask("POST", "/window/rect", x=0, y=0, width=2 * width - inner[0], height=2 * height - inner[1])
        if self.run("innerWidth") > width:
            self.resize(*self.size)
            raise NotImplementedError(f"a window of {width} pixels, narrower than the bar of the window")

    def __exit__(self, *_):
        with contextlib.suppress(browser.PageError, OSError):
            self.ask("DELETE", "")
        self.process.terminate()
        self.process.wait()
        self.screen.terminate()
        self.screen.wait()
        self.folder.cleanup()

    def ask(self, method, path, **parameters):
        body = json.dumps(parameters).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + path, body, method=method)
        try:
            with urllib.request.urlopen(request, timeout=2 * browser.SILENCE) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            said = json.load(error)["value"]
            text = f"{said['error']}: {said['message']}"
            raise browser.PageError(text) from None

    def call(self, method, **parameters):
        """Does what a check asks of Chromium, as far as WebDriver can."""
        if method == "Input.insertText":
            self.press([(kind, key) for key in parameters["text"] for kind in ("keyDown", "keyUp")])
        elif method == "Emulation.setDeviceMetricsOverride":
            self.resize(parameters["width"], parameters["height"])
        else:
            raise NotImplementedError(method)

    def open(self, url):
        self.ask("POST", "/url", url=url)

    def run(self, script):
        try:
            reply = self.ask("POST", "/execute/async", script=EVALUATE % script, args=[])
        except browser.PageError as error:
            # The page is being left; errors of the script itself are in the reply.
            raise browser.PageError(f"navigated: {error}") from None
        value, failure, problems = json.loads(reply)
        self.problems += problems
        if failure is not None:
            raise browser.PageError(failure)
        return value

    def act(self, source, actions):
        self.ask("POST", "/actions", actions=[{"id": source["type"], **source, "actions": actions}])

    def mouse(self, kind, x, y, button="left"):
        steps = {"mousePressed": "pointerDown", "mouseReleased": "pointerUp"}
        step = [{"type": steps[kind], "button": 0}] if kind in steps else []
        self.act({"type": "pointer"}, [{"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0}, *step])

    def drag_to(self, x, y, to_x, to_y, steps=4):
        for step in range(1, steps + 1):
            self.mouse("mouseMoved", x + step / steps * (to_x - x), y + step / steps * (to_y - y))

    def click(self, x, y):
        at = {"x": round(x), "y": round(y), "duration": 0}
        steps = [{"type": "pointerMove", **at}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.act({"type": "pointer"}, steps)

    def key(self, key, code=None):
        self.press([("keyDown", key), ("keyUp", key)])

    def press(self, steps):
        self.act({"type": "key"}, [{"type": kind, "value": KEYS.get(key, key)} for kind, key in steps])

    def picture(self, path, full=False):
        # What is drawn may be older than what a script sees.
        self.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 100))))")
        pathlib.Path(path).write_bytes(base64.b64decode(self.ask("GET", "/screenshot")))

    def downloads(self):
        return self.download_folder()
