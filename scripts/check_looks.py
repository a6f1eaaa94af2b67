#!/usr/bin/env python3
"""Checks how the page of `cannonade web` and the reports look, and whether all people can use them.

    scripts/check_looks.py [--program target/release/cannonade] [--accept] [--pictures FOLDER] [STATE..]

Sixteen states are opened in three sizes of the window, light and dark. Each is compared with a small picture in
scripts/looks, with a tolerance; `--accept` writes the pictures anew, to be looked at before they are committed. On a
machine with other fonts the pictures are not compared. With Node, axe-core looks for obstacles to people who do not
see or use a mouse, and html-validate reads the HTML (npm install --prefix scripts/lint). Also checked: no text is
cut at 400 % zoom, nothing moves while the page loads, and forced colours keep what is chosen visible.
Ends with 0 and a message where there is no Chromium.
"""

import argparse
import base64
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import browser
import page_looks
import page_states
import web_page
from inputs import need_program
from page_looks import SIZES, media, resize, show

HERE = pathlib.Path(__file__).parent
LOOKS = HERE / "looks"
MODULES = HERE / "lint" / "node_modules"

# Pictures are kept at this part of their size; cells of so many pixels of them are compared.
SCALE, CELL = 0.3, 6

# A cell differs if its mean colour is so far away, of 255; of a picture so many of a thousand cells may.
CELL_DIFFERENCE, MOST_CELLS = 22, 3

# Draws a window into a picture of the kept size and compares it with its place in the kept sheet.
COMPARE = """(async () => {
    const load = (data) => new Promise((done, fail) => {
        const image = new Image();
        image.onload = () => done(image);
        image.onerror = fail;
        image.src = data;
    });
    const {shot, kept, x, y, width, height, cell} = %s;
    const pixels = (image, from) => {
        const canvas = new OffscreenCanvas(width, height);
        const context = canvas.getContext('2d', {willReadFrequently: true});
        context.imageSmoothingQuality = 'high';
        context.drawImage(image, ...from, 0, 0, width, height);
        return context.getImageData(0, 0, width, height).data;
    };
    const [now, before] = [await load(shot), await load(kept)];
    const [a, b] = [pixels(now, [0, 0, now.width, now.height]), pixels(before, [x, y, width, height])];
    let [different, cells] = [0, 0];
    for (let top = 0; top + cell <= height; top += cell) for (let left = 0; left + cell <= width; left += cell) {
        const sums = [0, 0, 0];
        for (let row = top; row < top + cell; row += 1) for (let column = left; column < left + cell; column += 1) {
            for (const part of [0, 1, 2]) sums[part] += a[4 * (row * width + column) + part] - b[4 * (row * width + column) + part];
        }
        cells += 1;
        different += Math.max(...sums.map(Math.abs)) / (cell * cell) > %d;
    }
    return 1000 * different / cells;
})()"""

# Puts the windows of one state into a sheet.
JOIN = """(async () => {
    const {parts, width, height} = %s;
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width, height];
    const context = canvas.getContext('2d');
    context.imageSmoothingQuality = 'high';
    for (const {data, place} of parts) {
        const image = new Image();
        image.src = data;
        await image.decode();
        context.drawImage(image, ...place);
    }
    return canvas.toDataURL('image/webp', 0.75);
})()"""

# Widths of texts, which tell fonts apart.
FONTS = """(() => {
    const context = document.createElement('canvas').getContext('2d');
    return ['system-ui', 'ui-monospace, monospace'].flatMap((font) => ['Handgloves 0123', '炮二平五'].map((text) => {
        context.font = `20px ${font}`;
        return Math.round(context.measureText(text).width);
    }));
})()"""


def places():
    """The place of each window in a sheet: light above dark."""
    found, left = {}, 0
    for width, height in SIZES:
        size = (round(SCALE * width), round(SCALE * height))
        tallest = round(SCALE * max(height for _, height in SIZES))
        for row, shade in enumerate(["light", "dark"]):
            found[width, shade] = (left, row * tallest, *size)
        left += size[0]
    return found, (left, 2 * tallest)


def picture(window):
    """The window as a data URL."""
    return "data:image/png;base64," + window.call("Page.captureScreenshot")["data"]


class Checks:
    """What is checked of each state, and what was found."""

    def __init__(self, options, window):
        self.options, self.window, self.failures, self.shots = options, window, [], {}
        self.farthest = 0
        axe = MODULES / "axe-core" / "axe.min.js"
        self.axe = axe.read_text() if axe.exists() else None
        self.html = {}
        self.sheets, self.size = places()
        fonts = window.run(FONTS)
        kept = LOOKS / "fonts.json"
        self.compares = options.accept or (kept.exists() and json.loads(kept.read_text()) == fonts)
        if options.accept:
            LOOKS.mkdir(exist_ok=True)
            kept.write_text(json.dumps(fonts) + "\n")
        elif not self.compares:
            print("check_looks: other fonts than those of the kept pictures; looks are not compared")
        if not self.axe:
            print("check_looks: no axe-core; npm install --prefix scripts/lint")

    def fail(self, text):
        print(f"FAILED  {text}", flush=True)
        self.failures.append(text)

    def visit(self, name, width, shade):
        """Everything about the state that is shown now."""
        window, where = self.window, f"{name}, {width} pixels, {shade}"
        wide = window.run("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            self.fail(f"{where}: {wide} pixels too wide")
        if self.axe:
            window.run(f"typeof axe === 'undefined' && (() => {{ {self.axe} }})()")
            found = window.run("axe.run({resultTypes: ['violations'], rules: {'target-size': {enabled: true}}}).then(({violations}) => violations.map(({id, nodes}) => `${id}: ${nodes.map((node) => node.html.slice(0, 90)).slice(0, 3).join(' ')}`))")
            for violation in found:
                self.fail(f"{where}: {violation}")
        if shade == "light" and width == SIZES[0][0]:
            self.html[name] = "<!doctype html>\n" + window.run("document.documentElement.outerHTML")
        if self.compares:
            page_states.mask(window)
            time.sleep(0.15)
            self.shots.setdefault(name, {})[width, shade] = picture(window)
            if self.options.pictures:
                window.picture(f"{self.options.pictures}/{name}-{width}-{shade}.png")

    def compare(self):
        """Compares the pictures of each state with its sheet, or writes the sheet."""
        self.window.open("about:blank#")
        for name, shots in self.shots.items():
            path = LOOKS / f"{name}.webp"
            if self.options.accept:
                parts = [{"data": data, "place": self.sheets[key]} for key, data in shots.items()]
                what = {"parts": parts, "width": self.size[0], "height": self.size[1]}
                path.write_bytes(base64.b64decode(self.window.run(JOIN % json.dumps(what)).split(",")[1]))
                continue
            if not path.exists():
                self.fail(f"{name}: there is no {path}; look at the state and use --accept")
                continue
            kept = "data:image/webp;base64," + base64.b64encode(path.read_bytes()).decode()
            for (width, shade), shot in shots.items():
                x, y, wide, high = self.sheets[width, shade]
                what = {"shot": shot, "kept": kept, "x": x, "y": y, "width": wide, "height": high, "cell": CELL}
                share = self.window.run(COMPARE % (json.dumps(what), CELL_DIFFERENCE))
                self.farthest = max(share, self.farthest)
                if share > MOST_CELLS:
                    self.fail(f"{name}, {width} pixels, {shade}: {share:.0f} of a thousand cells differ from {path.name}")

    def validate(self):
        """Reads the HTML of the states with html-validate."""
        program = MODULES / ".bin" / "html-validate"
        if not program.exists():
            print("check_looks: no html-validate; npm install --prefix scripts/lint")
            return
        with tempfile.TemporaryDirectory() as folder:
            for name, html in self.html.items():
                (pathlib.Path(folder) / f"{name}.html").write_text(html)
            config = HERE / "lint" / "html-validate.json"
            done = subprocess.run([program, "--config", config, "--formatter", "text", folder], text=True, capture_output=True, check=False)
        for line in done.stdout.splitlines():
            self.fail(line.replace(folder + "/", ""))
        if done.returncode and not done.stdout:
            self.fail(done.stderr.strip())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/cannonade")
    parser.add_argument("--accept", action="store_true", help="write the kept pictures anew")
    parser.add_argument("--pictures", help="a folder for the windows in full size")
    parser.add_argument("--parts", help="crates/web/src/page, to look at its scripts and styles without building the program")
    parser.add_argument("states", nargs="*", help="names of states; all if left out")
    options = parser.parse_args()
    program = browser.find()
    if program is None:
        print("check_looks: skipped, there is no Chromium (apt-get install chromium)")
        return 0
    need_program(parser, options.program)
    if options.pictures:
        pathlib.Path(options.pictures).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, web_page.Server(options.program) as server, browser.Browser(program) as window:
        if options.parts:
            window.serve_from(options.parts)
        made = page_states.reports(options.program, folder)
        checks = Checks(options, window)
        names = options.states or [*page_states.PAGE_STATES, *made]
        for width, height in SIZES:
            resize(window, width, height)
            for shade in ["light", "dark"]:
                media(window, shade)
                for name in names:
                    show(window, name, server.url, made, options.program)
                    checks.visit(name, width, shade)
            print(f"check_looks: {width} x {height}: {len(names)} states", flush=True)
        checks.compare()
        checks.validate()
        if not options.states:
            media(window, "light")
            page_looks.loads_without_shift(checks, server.url, made)
            page_looks.zoom(checks, server.url, made, options.program)
            for check in [page_looks.forced_colors, page_looks.choices, page_looks.drawings, page_looks.thinking]:
                try:
                    check(checks, server.url, options.program)
                except (AssertionError, browser.PageError) as error:
                    checks.fail(f"{check.__name__}: {error}")
        for problem in window.problems:
            checks.fail(problem)
    if checks.compares and not options.accept:
        print(f"check_looks: at most {checks.farthest:.1f} of a thousand cells differ")
    print(f"check_looks: {len(checks.failures)} failures")
    return 1 if checks.failures else 0


if __name__ == "__main__":
    sys.exit(main())
