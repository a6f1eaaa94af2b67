"""Checks of the looks of the page that need no kept picture: nothing moves or is cut, choices do what they say.

Each check notes what is wrong with `checks.fail`; `check_looks.py` runs them.
"""

import itertools
import json
import time

import page_states
import web_page

SIZES = [(1280, 720), (390, 844), (844, 390)]


def media(window, shade, **features):
    """Sets the theme of the system, and no motion."""
    wanted = {"prefers-color-scheme": shade, "prefers-reduced-motion": "reduce", **features}
    window.call("Emulation.setEmulatedMedia", features=[{"name": name, "value": value} for name, value in wanted.items()])


def resize(window, width, height):
    window.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
    window.wait(f"innerWidth === {width}")


def show(window, name, url, made, program):
    """Opens a state of the page or a report."""
    if name in made:
        window.open(made[name])
    else:
        page_states.enter(window, url, name, program)


def loads_without_shift(checks, url, made):
    """Nothing moves while the page or a report loads (cumulative layout shift)."""
    window = checks.window
    for (width, height), address in itertools.product(SIZES, [url, *made.values()]):
        resize(window, width, height)
        window.open("about:blank#")
        window.open(address)
        window.wait("document.body.classList.contains('ready')")
        time.sleep(0.3)
        shift = window.run("""new Promise((done) => {
            let sum = 0;
            new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value; }).observe({type: 'layout-shift', buffered: true});
            setTimeout(() => done(sum), 200);
        })""")
        if shift >= 0.02:
            checks.fail(f"{address.rsplit('/', 1)[-1] or 'page'}, {width} x {height}: a layout shift of {shift:.3f} while it loads")


def zoom(checks, url, made, program):
    """At 400 % of a window of 1280 x 1024 nothing is too wide, in any state."""
    window = checks.window
    resize(window, 320, 256)
    for name in [*page_states.PAGE_STATES, *made]:
        show(window, name, url, made, program)
        wide = window.run("document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            checks.fail(f"{name} at 400 %: {wide} pixels too wide")


def forced_colors(checks, url, program):
    """With forced colours the chosen move, the switch and the sides can still be told apart."""
    window = checks.window
    resize(window, *SIZES[0])
    media(window, "dark", **{"forced-colors": "active"})
    page_states.enter(window, url, "analyse", program)
    color = lambda selector, part="background-color": window.run(f"getComputedStyle(document.querySelector({json.dumps(selector)})).getPropertyValue('{part}')")
    if color("#moves .current") == color("#moves .move:not(.current)"):
        checks.fail("forced colours hide the chosen move")
    off = color(".slider")
    window.click_on(".switch")
    window.wait("document.querySelector('#analyse-on').checked")
    if color(".slider") == off:
        checks.fail("forced colours hide whether the engine is on")
    sides = [window.run(f"getComputedStyle(document.querySelector('.player .side.{side}')).forcedColorAdjust") for side in ["red", "black"]]
    if sides != ["none", "none"]:
        checks.fail("forced colours hide the colours of the sides")
    if checks.options.pictures:
        window.picture(f"{checks.options.pictures}/forced-colors.png")


def choices(checks, url, program):
    """Sets of pieces, boards, names at the edges, sounds and size are chosen, kept, and do what they say."""
    window = checks.window
    resize(window, *SIZES[1])
    media(window, "light")
    resize(window, *SIZES[0])
    page_states.enter(window, url, "settings", program)
    expect = lambda script, what: None if window.run(script) else checks.fail(what)
    edges = "document.querySelector('.xq-ground use[href^=\"#xq-coordinates\"]').getAttribute('href')"
    expect(f"{edges} === '#xq-coordinates-files'", "WXF moves have no file numbers at the edges")
    sets = window.run("[...document.querySelectorAll('.pieces button')].map((button) => button.getAttribute('aria-label'))")
    boards = window.run("[...document.querySelectorAll('.boards button')].map((button) => button.getAttribute('aria-label'))")
    if len(set(sets)) != 6 or len(set(boards)) != 5:
        checks.fail(f"sets {sets}, boards {boards}")
    window.wait("document.querySelectorAll('.xq-sheet').length === 2")
    for number in range(6):
        window.click_on(f".pieces button:nth-child({number + 1})")
        expect("new Set([...document.querySelectorAll('#board .xq-pieces use')].map((use) => use.getAttribute('href').split('-')[1])).size === 1"
               " && [...document.querySelectorAll('use')].every((use) => document.querySelector(use.getAttribute('href')))", f"{sets[number]} is not drawn")
    wood = "getComputedStyle(document.querySelector('#board')).getPropertyValue('--xq-wood').trim()"
    light = window.run(wood)
    media(window, "dark")
    expect(f"{wood} !== '{light}'", "the board does not follow the page")
    media(window, "light")
    colors = []
    for number in range(2, 6):
        window.click_on(f".boards button:nth-child({number})")
        colors.append(window.run(wood))
    if len(set(colors)) != 4 or light != colors[0]:
        checks.fail(f"the boards have the colours {colors}")
    samples = window.run("[...document.querySelectorAll('.boards .wood')].map((part) => getComputedStyle(part).fill)")
    if len(set(samples[1:])) != 4 or samples[0] != samples[1]:
        checks.fail(f"the samples of boards have the colours {samples}")
    before = window.run("document.querySelector('#board').clientWidth")
    window.run("(() => { const slider = document.querySelector('#board-size'); slider.value = '60'; slider.dispatchEvent(new Event('input')); })()")
    after = window.run("document.querySelector('#board').clientWidth")
    if not 0.5 * before < after < 0.7 * before:
        checks.fail(f"a board of 60 % has {after} pixels of {before}")
    window.click_on("#setting-sound")
    kept = window.run("JSON.parse(localStorage.getItem('cannonade'))")
    wanted = {"pieces": "symbols", "board": "jade", "size": 60, "sound": False}
    if {name: kept.get(name) for name in wanted} != wanted:
        checks.fail(f"kept are {kept}")


def drawings(checks, url, program):
    """The right button draws arrows and circles; the left one and a move remove them."""
    window = checks.window
    page_states.enter(window, url, "analyse", program)
    count = "document.querySelectorAll('.xq-annotations use').length"

    def draw(start, end, modifiers=0):
        (x, y), (to_x, to_y) = (window.middle(f'.xq-squares [data-square="{square}"]') for square in [start, end])
        for kind, at_x, at_y in [("mousePressed", x, y), ("mouseMoved", to_x, to_y), ("mouseReleased", to_x, to_y)]:
            window.call("Input.dispatchMouseEvent", type=kind, x=at_x, y=at_y, button="right", modifiers=modifiers,
                        buttons=0 if kind == "mouseReleased" else 2, clickCount=1)

    def expect(wanted, what):
        found = window.run(count)
        if found != wanted:
            checks.fail(f"{what}: {found} drawings, expected {wanted}")

    draw("h2", "h9")
    draw("e4", "e4")
    draw("a3", "c3", modifiers=8)
    expect(3, "two arrows and a circle")
    if window.run("document.querySelectorAll('.xq-annotations use[href$=\"-chase\"]').length") != 1:
        checks.fail("Shift draws no arrow of another colour")
    draw("e4", "e4")
    expect(2, "the circle once more")
    window.click_on('.xq-squares [data-square="e5"]')
    expect(0, "after a click")
    draw("h2", "h9")
    window.key("Home")
    window.wait(f"{count} === 0")
    if checks.options.pictures:
        draw("h2", "h9")
        draw("h0", "g2")
        window.picture(f"{checks.options.pictures}/drawings.png")


def thinking(checks, url, program):
    """While the engine thinks, its name and the title of the tab say so."""
    window = checks.window
    page_states.enter(window, url, "start", program)
    web_page.prefer(window, language="en", side="black", time="30", elo=None, playBook="off")
    page_states.wait_until_ready(window)
    page = web_page.Page(window, url, None, program)
    page.button("Start the game")
    window.wait("document.title.startsWith('●')")
    window.wait("/^[1-9] s$/.test(document.querySelector('.thinking .seconds')?.textContent)")
    page.button("Move now")
    window.wait("!document.querySelector('.thinking') && !document.title.startsWith('●') && document.title.includes('Your turn')")
