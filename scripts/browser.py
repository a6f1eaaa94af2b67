"""A headless Chromium for the checks of pages, driven by the DevTools protocol through a pipe.

Needs nothing but Python and Chromium (`apt-get install chromium`).
"""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

# Seconds without a message after which Chromium hangs; longer than any wait for a page.
SILENCE = 180

PROGRAMS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]


def find():
    """The path of Chromium, from $CHROMIUM or the PATH; None if there is none."""
    return os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)


class PageError(Exception):
    """A script in the page has failed."""


class Browser:
    """One window with one page."""

    def __init__(self, program, width=1280, height=900, dark=False, touch=False):
        self.folder = tempfile.TemporaryDirectory(prefix="browser")
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()

        def redirect():
            # Duplicates above 4 first, since 3 and 4 may be among the pipe's own ends.
            ends = [os.dup(os.dup(os.dup(end))) for end in (to_browser, from_browser)]
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--mute-audio",
                 "--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe",
                 f"--user-data-dir={self.folder.name}", "about:blank"]
        self.process = subprocess.Popen([program, *flags], preexec_fn=redirect, close_fds=False,  # noqa: PLW1509  no threads yet
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session = b"", 0, None
        self.problems, self.requests = [], []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=touch)
        if touch:
            self.call("Emulation.setTouchEmulationEnabled", enabled=True)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.output)
        self.process.terminate()
        self.process.wait()
        os.close(self.input)
        # The browser's helper processes can write for a moment after its end.
        for _attempt in range(50):
            try:
                self.folder.cleanup()
                return
            except OSError:
                time.sleep(0.1)

    def serve_from(self, folder):
        """Takes scripts and styles from `crates/web/src/page` in place of the server, while one works on them."""
        self.parts = folder
        kinds = [{"resourceType": kind} for kind in ["Script", "Stylesheet"]]
        self.call("Fetch.enable", patterns=kinds)

    def answer(self, request, url):
        """Answers a request that `serve_from` has stopped."""
        name = url.split("?")[0].rsplit("/", 1)[1]
        root = pathlib.Path(self.parts)
        drawn = root / "../../../xiangqi/src/pictures/assets"
        # The server joins these; modules are loaded one by one here.
        joined = {
            "page.js": [drawn / "board.js"],
            "style.css": [drawn / "design.css", drawn / "board.css", root / "../../../analysis/src/page/assets/controls.css", root / "style.css", root / "features.css"],
        }.get(name, [root / name])
        if not all(path.is_file() for path in joined):
            self.send("Fetch.continueRequest", requestId=request)
            return
        body = b"".join(path.read_bytes() for path in joined) + (b"import('./app.js');" if name == "page.js" else b"")
        media = "text/css" if name.endswith(".css") else "text/javascript"
        self.send("Fetch.fulfillRequest", requestId=request, responseCode=200, body=base64.b64encode(body).decode(),
                  responseHeaders=[{"name": "Content-Type", "value": f"{media}; charset=utf-8"}])

    def send(self, method, **parameters):
        """Sends a command and returns its number."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        return self.number

    def call(self, method, **parameters):
        """Sends a command and returns its result."""
        number = self.send(method, **parameters)
        while True:
            reply = self.read()
            if reply.get("id") == number:
                if "error" in reply:
                    raise PageError(f"{method}: {reply['error']['message']}")
                return reply["result"]
            self.note(reply)

    def read(self):
        while b"\0" not in self.buffer:
            if not select.select([self.input], [], [], SILENCE)[0]:
                raise PageError(f"Chromium has been silent for {SILENCE} s")
            part = os.read(self.input, 1 << 16)
            if not part:
                raise PageError("Chromium has ended")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def note(self, event):
        """Keeps errors of the page, refused contents, and what it loads."""
        method, details = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            thrown = details["exceptionDetails"]
            self.problems.append(thrown.get("exception", {}).get("description", thrown["text"]))
        elif method == "Log.entryAdded" and details["entry"]["level"] == "error":
            self.problems.append(details["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(details["request"]["url"])
        elif method == "Fetch.requestPaused":
            self.answer(details["requestId"], details["request"]["url"])

    def open(self, url):
        """Opens a page and waits until it is loaded."""
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")

    def run(self, script):
        """The value of a JavaScript expression."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise PageError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, condition, seconds=20):
        """Waits until a JavaScript expression is true, also while another page is being loaded."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            script = f"""new Promise((done) => {{
                const end = Date.now() + {1000 * left};
                const test = () => (({condition}) ? done(true) : Date.now() > end ? done(false) : setTimeout(test, 20));
                test();
            }})"""
            try:
                if self.run(script):
                    return
            except PageError as error:
                # The page in which the script ran is gone, or the new one is not there yet.
                signs = ["xecution context", "navigated", "Promise was collected"]
                if not any(sign in str(error) for sign in signs):
                    raise
                time.sleep(0.05)
        raise PageError(f"waited {seconds} s for {condition}; the page is {self.state()}")

    def state(self):
        """What tells why a page is not as expected: its address, how far it is loaded, and what it says."""
        try:
            return self.run("[location.href, document.readyState, document.querySelector('#status')?.textContent ?? document.title]")
        except PageError as error:
            return error

    def download_folder(self):
        folder = pathlib.Path(self.folder.name, "downloads")
        folder.mkdir(exist_ok=True)
        return folder

    def downloads(self):
        """The folder of the files that the page saves from now on."""
        folder = self.download_folder()
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
        return folder

    def mouse(self, kind, x, y, button="left"):
        """One event of the mouse: mousePressed, mouseMoved or mouseReleased."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1,
                  buttons=1 if kind == "mousePressed" else 0)

    def drag_to(self, x, y, to_x, to_y, steps=4):
        """Moves the mouse with its left button pressed."""
        for step in range(1, steps + 1):
            part = step / steps
            self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + part * (to_x - x), y=y + part * (to_y - y),
                      button="left", buttons=1)

    def click(self, x, y):
        """A click at a point of the window."""
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)

    def click_on(self, selector):
        """A click on the middle of an element."""
        x, y = self.middle(selector)
        self.click(x, y)

    def middle(self, selector):
        """The middle of an element in the window; the element is scrolled into it."""
        return self.run(f"""(() => {{
            const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{block: 'nearest'}});
            const box = element.getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2];
        }})()""")

    def key(self, key, code=None):
        """Presses and releases a key such as `ArrowRight`, `Enter` or `a`."""
        codes = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Enter": 13,
                 "Escape": 27, "Home": 36, "End": 35, "Tab": 9, " ": 32}
        number = code or codes.get(key, ord(key[0].upper()))
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=number,
                      text=text if kind == "keyDown" else "")

    def picture(self, path, full=False):
        """Writes a PNG of the window, or of the whole page."""
        data = self.call("Page.captureScreenshot", captureBeyondViewport=full, **self.clip(full))
        with open(path, "wb") as file:
            file.write(base64.b64decode(data["data"]))

    def clip(self, full):
        if not full:
            return {}
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        return {"clip": {"x": 0, "y": 0, "width": size["width"], "height": size["height"],
                         "scale": 1}}
