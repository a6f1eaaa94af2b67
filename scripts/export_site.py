"""The exported page on hosts of several kinds, for `check_export.py`."""

import base64
import contextlib
import functools
import hashlib
import http.server
import pathlib
import shutil
import tempfile
import threading
import time


class Site:
    """A server of the files, on a free port, without any header of its own."""

    def __init__(self, folder, handler=None):
        self.folder = folder
        handler = functools.partial(handler or QuietHandler, directory=folder)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def copyfile(self, source, outputfile):
        # A window that leaves a page ends its connections.
        with contextlib.suppress(ConnectionError):
            super().copyfile(source, outputfile)


class UntypedHandler(QuietHandler):
    """That of a host that knows no modules."""

    def guess_type(self, path):
        return "application/octet-stream" if str(path).endswith(".wasm") else super().guess_type(path)


class SlowHandler(QuietHandler):
    """That of a host far away: a module takes longer than an answer may."""

    def copyfile(self, source, outputfile):
        if str(source.name).endswith(".wasm"):
            time.sleep(12)
        super().copyfile(source, outputfile)


@contextlib.contextmanager
def copied_site(page, handler=None):
    """A copy of the files at another address. Afterwards the window has the page again."""
    window = page.window
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(page.site.folder, folder, dirs_exist_ok=True)
        site = Site(pathlib.Path(folder), handler)
        try:
            yield site
        finally:
            window.open(page.url)
            site.stop()
    window.wait("document.body.classList.contains('ready')")


def change_file(site, name, old, new):
    """Replaces a part of a script, and its hash, as the export of another version would."""
    path, keeper = site.folder / name, site.folder / "service-worker.js"
    before = path.read_text()
    assert old in before, f"{name} has no {old!r}"
    after = before.replace(old, new, 1)
    path.write_text(after)
    keeper.write_text(keeper.read_text().replace(integrity(before), integrity(after)))


def integrity(text):
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
