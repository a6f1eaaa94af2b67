"""A headless Firefox for the checks of pages, driven by WebDriver BiDi: the same window as that of `browser.py`.

Needs Firefox (`apt-get install firefox-esr`) and `pip install websockets`.
"""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

import browser

PROGRAMS = ["firefox", "firefox-esr"]

# Keys that WebDriver names by characters of their own.
KEYS = {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015", "Enter": "\ue007",
        "Escape": "\ue00c", "Home": "\ue011", "End": "\ue010", "Tab": "\ue004"}

# Seconds in which what does not hang answers a question that needs no work.
FIRST_SIGN = 20

# Errors of a page that is being left, in the words in which `Browser.wait` knows them.
LEFT = ["no such frame", "discarded", "destroyed", "unloaded", "AbortError"]


def find():
    """The path of Firefox, from $FIREFOX or the PATH; None if it or the client of web sockets is missing."""
    try:
        import websockets.sync.client  # noqa: F401  an option of the checks
    except ImportError:
        return None
    return os.environ.get("FIREFOX") or next(filter(None, map(shutil.which, PROGRAMS)), None)


class Firefox(browser.Browser):
    """One window with one page."""

    def __init__(self, program, width=1280, height=900):
        import websockets.sync.client

        self.folder = tempfile.TemporaryDirectory(prefix="firefox")
        self.problems, self.requests = [], []
        profile = pathlib.Path(self.folder.name, "profile")
        profile.mkdir()
        prefs = {
            "browser.download.dir": str(self.download_folder()),
            "browser.download.folderList": 2,
            "browser.download.alwaysOpenPanel": False,
            "app.update.enabled": False,
            "browser.shell.checkDefaultBrowser": False,
            "datareporting.policy.dataSubmissionEnabled": False,
        }
        texts = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in prefs.items()]
        (profile / "user.js").write_text("\n".join(texts))
        command = [program, "--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port", "0", "about:blank"]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE)
        lines = iter(self.process.stderr.readline, b"")
        address = next(found[1].decode() for line in lines if (found := re.search(rb"listening on (ws://\S+)", line)))
        self.socket = websockets.sync.client.connect(f"{address}/session", max_size=None)
        self.number = 0
        self.call("session.new", capabilities={})
        self.call("session.subscribe", events=["log.entryAdded"])
        self.context = self.call("browsingContext.getTree")["contexts"][0]["context"]
        self.call("browsingContext.setViewport", context=self.context, viewport={"width": width, "height": height})

    def __exit__(self, *_):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.process.stderr.close()
        self.folder.cleanup()

    def send(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        return self.number

    def call(self, method, **parameters):
        number = self.send(method, **parameters)
        reply = self.reply(number, browser.SILENCE)
        if not reply:
            asked = " ".join(str(parameters.get("expression", parameters)).split())
            raise browser.PageError(f"no answer in {browser.SILENCE} s to {method} {asked[:300]}: {self.silent_part()}")
        if reply["type"] == "error":
            text = f"{reply['error']}: {reply['message']}"
            raise browser.PageError(f"navigated: {text}" if any(sign in text for sign in LEFT) else text)
        return reply["result"]

    def reply(self, number, seconds):
        """The reply to a command, `None` if it does not come in time; errors of the page before it are kept."""
        end = time.monotonic() + seconds
        while True:
            try:
                reply = json.loads(self.socket.recv(timeout=max(end - time.monotonic(), 0)))
            except TimeoutError:
                return None
            if reply.get("id") == number:
                return reply
            entry = reply.get("params", {})
            if reply.get("method") == "log.entryAdded" and entry["level"] == "error":
                self.problems.append(entry["text"])

    def silent_part(self):
        """What hangs after a call without an answer."""
        script = {"expression": "1", "target": {"context": self.context}, "awaitPromise": False}
        if not self.reply(self.send("session.status"), FIRST_SIGN):
            return "Firefox hangs"
        if not self.reply(self.send("script.evaluate", **script), FIRST_SIGN):
            return "the page hangs"
        return "Firefox and the page answer, but what the call waits for does not come"

    def open(self, url):
        self.call("browsingContext.navigate", context=self.context, url=url, wait="complete")

    def run(self, script):
        result = self.call("script.evaluate", expression=f"(async () => JSON.stringify(await ({script})))()",
                           target={"context": self.context}, awaitPromise=True)
        if result["type"] == "exception":
            raise browser.PageError(result["exceptionDetails"]["text"])
        return json.loads(result["result"]["value"]) if result["result"]["type"] == "string" else None

    def act(self, source, **description):
        self.call("input.performActions", context=self.context, actions=[{"id": source["type"], **source, **description}])

    def click(self, x, y):
        at = {"x": round(x), "y": round(y)}
        actions = [{"type": "pointerMove", **at}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]
        self.act({"type": "pointer"}, actions=actions)

    def key(self, key, code=None):
        value = KEYS.get(key, key)
        self.act({"type": "key"}, actions=[{"type": kind, "value": value} for kind in ["keyDown", "keyUp"]])

    def picture(self, path, full=False):
        origin = "document" if full else "viewport"
        data = self.call("browsingContext.captureScreenshot", context=self.context, origin=origin)
        pathlib.Path(path).write_bytes(base64.b64decode(data["data"]))

    def downloads(self):
        return self.download_folder()
