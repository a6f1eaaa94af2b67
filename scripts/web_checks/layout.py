"""Checks of the page: sizes, places, colours and names, in windows of several sizes."""

import json

from web_page import prefer

GAME = """[Event "World Championship"]
[Date "2024.05.01"]
[Red "Hu Ronghua"]
[Black "Xu Yinchuan"]

""" + " ".join(["h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 b0c2 a9a8 a0a1 a8f8 a1d1 f8f4 g3g4 h7i7 h0h9 g7h9 c3c4 f4f6 d1d5 f6f5 *"])


def resize(window, width, height):
    window.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
    window.wait(f"innerWidth === {width} && innerHeight === {height}")


def at_size(page, width, height, check):
    """What a check finds in a window of another size."""
    resize(page.window, width, height)
    try:
        return check()
    finally:
        resize(page.window, 1280, 860)


def place(window, selector):
    return window.run(f"(() => {{ const {{left, top, width, height}} = document.querySelector({json.dumps(selector)}).getBoundingClientRect(); return [left, top, width, height]; }})()")


def keep_everything_in_place(page):
    """Nothing moves when the engine answers, at a step through the game, and at the first move of a game."""
    window = page.window
    page.open_text(GAME)
    window.click_on(".switch")
    window.wait("document.querySelectorAll('#lines .value').length === 3")
    # The list gets lower when the curve comes, but what stands above it stays.
    list_at = lambda: place(window, "#moves")[:3]
    before = list_at()
    for key in ["ArrowRight", "ArrowRight", "End", "ArrowLeft", "Home"]:
        window.key(key)
        assert list_at() == before, f"{key}: the list of moves has moved from {before} to {list_at()}"
        window.wait("document.querySelectorAll('#lines .value').length === 3")
        assert list_at() == before, f"the lines have moved the list of moves from {before} to {list_at()}"
    window.click_on(".switch")

    def first_move():
        prefer(window, language="en", side="both")
        page.button("Play")
        page.button("New game") if window.run("Boolean(document.querySelector('#new-game')?.offsetParent)") else None
        page.button("Start the game")
        page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"] and not view["moves"])
        window.wait("document.querySelector('#take-back')")
        window.run("scrollTo(0, 0)")
        before = [place(window, selector) for selector in ["#board", ".steps"]]
        page.move("h2e2")
        page.wait_for_view(lambda view: len(view["moves"]) == 1)
        window.wait("document.querySelectorAll('.move-row [data-node]').length === 1")
        window.run("scrollTo(0, 0)")
        after = [place(window, selector) for selector in ["#board", ".steps"]]
        assert before == after, f"the first move moves the board and its buttons from {before} to {after}"

    at_size(page, 390, 844, first_move)
    return "the list of moves, the board and its buttons stay"


def show_enough(page):
    """A large board at every size, at least eight rows of moves at 1280 x 720, the whole board on a phone held sideways."""
    window = page.window
    page.open_text(GAME)
    page.wait_for_view(lambda view: len(view["moves"]) == 20)

    def rows():
        return window.run("""(() => {
            const list = document.querySelector('#moves').getBoundingClientRect();
            return [...document.querySelectorAll('.move-row')].filter((row) => {
                const box = row.getBoundingClientRect();
                return box.top >= list.top - 1 && box.bottom <= Math.min(list.bottom, innerHeight) + 1;
            }).length;
        })()""")

    seen = at_size(page, 1280, 720, rows)
    assert seen >= 8, f"{seen} rows of moves at 1280 x 720"
    boards = {size: at_size(page, *size, lambda: place(window, "#board")) for size in [(1280, 720), (1440, 900), (2560, 1440), (844, 390), (390, 844)]}
    least = {(1280, 720): 530, (1440, 900): 680, (2560, 1440): 1150, (844, 390): 320, (390, 844): 360}
    for size, (_left, top, width, height) in boards.items():
        assert width >= least[size], f"the board has {width} pixels at {size}"
        assert top + height <= size[1] + 1, f"the board ends at {top + height} at {size}"
    page.choose("#book", "0")
    window.wait("document.querySelector('.book-moves .hint, [data-book-move]')")
    window.click_on(".switch")
    window.wait("document.querySelectorAll('#lines .value').length === 3")
    beside = {size: at_size(page, *size, rows) for size in [(1280, 720), (1366, 768), (1440, 900)]}
    assert min(beside.values()) >= 8, f"beside three lines and a book there are so many rows of moves: {beside}"
    lines = at_size(page, 360, 740, lambda: (window.run("void scrollTo(0, 0)"), place(window, "#lines"))[1])
    assert lines[1] + lines[3] <= 740, f"three lines of the engine end at {lines[1] + lines[3]} at 360 x 740"
    window.click_on(".switch")
    return f"{seen} rows, with lines and book {', '.join(map(str, beside.values()))}; boards of {', '.join(str(round(box[2])) for box in boards.values())}"


def keep_the_move_in_sight(page):
    """The current move stays in sight when the window or the lines of the engine leave the list less room."""
    window = page.window
    page.open_text(GAME)
    window.key("End")
    window.wait("document.querySelector('#moves .current')")
    hidden = """(async () => {
        await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        const list = document.querySelector('#moves').getBoundingClientRect();
        const move = document.querySelector('#moves .current').getBoundingClientRect();
        return Math.max(0, list.top - move.top, move.bottom - list.bottom);
    })()"""
    for height in [640, 560, 860]:
        resize(window, 1280, height)
        pixels = window.run(hidden)
        assert pixels == 0, f"{pixels} pixels of the last move are hidden in a window {height} pixels high"
    window.click_on(".switch")
    for count in [3, 8]:
        page.choose("#line-count", str(count))
        window.wait(f"document.querySelectorAll('#lines .value').length === {count}")
        pixels = window.run(hidden)
        assert pixels == 0, f"{pixels} pixels of the last move are hidden beside {count} lines"
    page.choose("#line-count", "3")
    window.click_on(".switch")
    # A reader who has scrolled away from the move stays there, until another move is shown.
    page.open_text(f"1. h2e2 {{{'A long comment. ' * 60}}} h9g7 *")
    window.key("End")
    window.wait("document.querySelector('#moves .current')")
    # Twice, since a change of the layout that comes late would scroll back to the move.
    for _ in range(2):
        assert window.run(hidden) == 0, "the last move is hidden"
    window.run("document.querySelector('#moves').scrollTop = 0")
    assert window.run(hidden) > 0, "the list has left its start"
    resize(window, 1280, 560)
    assert window.run(hidden) > 0, "the list has left its start in a lower window"
    window.key("Home")
    window.wait("!document.querySelector('#moves .current')")
    window.key("End")
    window.wait("document.querySelector('#moves .current')")
    assert window.run(hidden) == 0, "the last move is hidden after it was shown anew"
    return "3 heights, beside 3 and 8 lines, scrolled away and back"


def cover_no_button(page):
    """A notice lies on no button, whatever the size of the window; on an upright phone one can scroll."""
    window = page.window
    covered = """(() => {
        const notice = document.querySelector('.notice');
        const {left, right, top, bottom} = notice.getBoundingClientRect();
        return [...document.querySelectorAll('button, select, label.switch')].filter((one) => {
            const box = one.getBoundingClientRect();
            return one.offsetParent && !notice.contains(one) && box.left < right && box.right > left && box.top < bottom && box.bottom > top;
        }).map((one) => one.outerHTML.slice(0, 60));
    })()"""
    sizes = [(1920, 1080), (1280, 720), (1240, 860), (1024, 768), (844, 390)]
    for width, height in sizes:
        def check(size=f"{width} x {height}"):
            page.open_text(GAME)
            page.open_text("1. h2e2 h9g7 2. h0g2 *")
            window.wait("!document.querySelector('.notice').hidden")
            page.picture(f"notice-{size}")
            found = window.run(covered)
            assert not found, f"at {size} the notice covers {found}"

        at_size(page, width, height, check)
    return f"{len(sizes)} sizes"


def lead_arrows_past_pieces(page):
    """An arrow lies on no character between its ends, and not on a shorter arrow from the same square."""
    window = page.window
    page.open_text("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/C6C1/9/RNBAKABNR w")
    # The distance of each arrow from the centres of the pieces between its ends, and of the longer of two from the tip of the shorter.
    measure = """(() => {
        const board = document.querySelector('#board svg').getScreenCTM().a;
        const middle = (element) => { const {left, top, width, height} = element.getBoundingClientRect(); return [left + width / 2, top + height / 2]; };
        const pieces = [...document.querySelectorAll('.xq-pieces use:not(.xq-gone)')].map(middle);
        const shafts = [...document.querySelectorAll('.xq-annotations g > path')].map((path) => Array.from({length: 60}, (_, at) => {
            const point = path.getPointAtLength(path.getTotalLength() * at / 59).matrixTransform(path.getScreenCTM());
            return [point.x, point.y];
        }));
        const nearest = ([x, y], points) => Math.min(...points.map(([toX, toY]) => Math.hypot(x - toX, y - toY))) / board;
        const between = shafts.map((shaft) => {
            const [start, end] = [shaft[0], shaft.at(-1)];
            const others = pieces.filter((piece) => Math.min(nearest(piece, [start]), nearest(piece, [end])) > 65);
            return Math.min(...others.map((piece) => nearest(piece, shaft)));
        });
        return [between, nearest(shafts[1].at(-1), shafts[0])];
    })()"""
    found = []
    # Captures over a screen far away and beside the cannon, moves along empty squares; each with a shorter one.
    for arrows in [["h2h9", "h2h4"], ["h2h9", "h2h6"], ["h7h0", "h7h5"], ["a2a6", "h2e2"], ["e6e0", "i6h6"], ["i9i7", "i9i8"], ["a2g2", "a2b2"], ["a2g2", "a2e2"]]:
        for arrow in arrows:
            draw(window, arrow[:2], arrow[2:])
        between, apart = window.run(measure)
        assert between[0] >= 38, f"{arrows[0]} comes as near as {between[0]:.0f} to the centre of a piece, whose character ends at 31"
        assert apart >= 24, f"{arrows[0]} lies on {arrows[1]}: {apart:.0f}"
        found.append((round(min(between[0], 200)), round(min(apart, 200))))
        window.click_on('.xq-squares [data-square="e5"]')
        window.wait("document.querySelectorAll('.xq-annotations use').length === 0")
    return f"at least {min(one for one, _ in found)} from pieces, {min(one for _, one in found)} from tips"


def draw(window, start, end):
    """Draws an arrow with the right button."""
    (x, y), (to_x, to_y) = (window.middle(f'.xq-squares [data-square="{square}"]') for square in [start, end])
    for kind, at_x, at_y in [("mousePressed", x, y), ("mouseMoved", to_x, to_y), ("mouseReleased", to_x, to_y)]:
        window.call("Input.dispatchMouseEvent", type=kind, x=at_x, y=at_y, button="right", buttons=0 if kind == "mouseReleased" else 2, clickCount=1)


def fit_the_summary(page):
    """The table of accuracy and mistakes is as wide as its place, or narrower, in both languages."""
    window = page.window
    page.open_text("1. h2e2 h9g7 2. h0g2 *")
    page.button("Analyse the game")
    window.wait("document.querySelector('.summary')", 60)
    room = "(() => { const box = (name) => document.querySelector(name).getBoundingClientRect(); return box('#review').right - box('.summary').right; })()"
    least = 1000
    for language in ["en", "zh"]:
        for width, height in [(1440, 900), (1280, 720), (1180, 760), (1024, 768), (844, 390), (390, 844), (360, 740)]:
            found = at_size(page, width, height, lambda: window.run(room))
            assert found >= -0.5, f"in {language} at {width} x {height} the table is {-found:.0f} pixels too wide"
            least = min(least, found)
        window.click_on("#language")
        window.wait(f"document.documentElement.lang !== '{language}' || '{language}' === 'zh'")
    return f"at least {least:.0f} pixels are left"


def use_red_for_red_alone(page):
    """Red is the colour of a side; the chosen move, buttons and mistakes have others, the same in reports."""
    window = page.window
    page.open_text(GAME)
    window.key("End")
    window.wait("document.querySelector('#moves .current')")
    colors = window.run("""(() => {
        const of = (name) => {
            const probe = document.createElement('span');
            document.body.append(probe);
            probe.style.color = `var(${name})`;
            const {color} = getComputedStyle(probe);
            probe.remove();
            return color;
        };
        const named = Object.fromEntries(['--red-side', '--share-red', '--accent', '--inaccuracy', '--mistake', '--blunder', '--warn', '--good', '--offence'].map((name) => [name, of(name)]));
        return {...named, current: getComputedStyle(document.querySelector('#moves .current')).backgroundColor};
    })()""")
    assert colors["current"] == colors["--accent"], colors
    reds = [colors.pop(name) for name in ("--red-side", "--share-red")]
    assert not set(reds) & set(colors.values()), colors
    window.click_on("#save-file")
    window.wait("document.querySelector('#report')")
    report = page.saved("#report")["text"]
    window.key("Escape")
    design = "--share-red:"
    assert design in report, "the report has colours of its own"
    page_styles = window.run("fetch('style.css').then((r) => r.text())")
    line = next(line for line in page_styles.splitlines() if design in line)
    assert line.strip() in report, f"page and report differ in {line}"
    return f"{len(colors)} other colours"


def name_things(page):
    """Event, date and result are shown, there is no button for repetitions without one, and a file that is no game is refused in words."""
    window = page.window
    page.open_text(GAME)
    window.wait("document.querySelector('.game-title')?.textContent === 'World Championship · 2024.05.01'")
    assert not window.run("document.querySelector('#judge').offsetParent"), "there are no repetitions"
    refused = window.run("""fetch('api/read', {method: 'POST',
        headers: {'Content-Type': 'application/octet-stream'}, body: new Uint8Array(4096).map((_, i) => (i < 4 ? [127, 69, 76, 70][i] : i * 7))}).then((r) => r.json())""")
    assert "GB18030" not in refused["error"] and "PGN" in refused["error"], refused
    window.problems[:] = [problem for problem in window.problems if "400" not in problem]
    window.click_on("[data-go=play]")
    window.wait("document.querySelector('#play-card').textContent.includes('Time control')")
    page.open_text("1. h2e2 h9g7 1-0")
    window.wait("document.querySelector('#moves .result')?.textContent === '1-0 · Red wins'")
    return refused["error"]


def show_whole_dialogs(page):
    """On phones, upright and on their side, the whole of the long dialogs is seen."""
    window = page.window
    page.open_text(GAME)
    for width, height in [(844, 390), (390, 844)]:
        def check(size=f"{width} x {height}"):
            for opener, dialog in [("#open-settings", "#settings-dialog"), ("#save-file", "#save-dialog")]:
                window.click_on(opener)
                window.wait(f"document.querySelector('{dialog}').open")
                page.picture(f"{dialog[1:]}-{size}")
                hidden = window.run(f"(({{scrollHeight, clientHeight}}) => scrollHeight - clientHeight)(document.querySelector('{dialog}'))")
                assert hidden <= 0, f"{hidden} pixels of {dialog} are out of sight at {size}"
                window.key("Escape")
                window.wait(f"!document.querySelector('{dialog}').open")

        at_size(page, width, height, check)
    return "settings and save"


def fit_everything(page):
    """In no window anything of the form of a new game or of a game with clocks lies beyond its place, and pieces beside names are whole."""
    window = page.window
    beyond = """(() => {
        const parts = [...document.querySelectorAll('.top, .player, .panel, .card, .field, .segments, .controls')].filter((part) => part.offsetParent);
        const wide = parts.filter((part) => part.scrollWidth > part.clientWidth + 1).map((part) => `${part.className}: ${part.scrollWidth - part.clientWidth}`);
        const page = document.documentElement.scrollWidth - innerWidth;
        const names = [...document.querySelectorAll('.player .name')].filter((name) => name.clientWidth < Math.min(60, name.scrollWidth)).map((name) => `${name.textContent}: ${name.clientWidth} wide`);
        const boxes = [...document.querySelectorAll('.captured')].map((place) => [place.getBoundingClientRect(), [...place.children].map((piece) => piece.getBoundingClientRect())]);
        const cut = boxes.flatMap(([place, pieces]) => pieces.filter(({top, right}) => top < place.bottom && right > place.right + 0.5).map(({right}) => `piece: ${right - place.right}`));
        return [...wide, ...(page > 0 ? [`page: ${page}`] : []), ...names, ...cut];
    })()"""
    sizes = [(1240, 800), (1024, 768), (900, 700), (844, 390), (740, 360), (736, 414), (683, 384), (667, 375), (640, 430), (640, 360), (560, 500), (390, 844), (360, 640), (320, 568)]

    def fits(what):
        for width, height in sizes:
            found = at_size(page, width, height, lambda: window.run(beyond))
            assert not found, f"{what}, {width} x {height}: {found}"

    for language in ["zh", "en"]:
        prefer(window, language=language, side="red", time="30+20", elo=None)
        window.wait("document.body.classList.contains('ready')")
        fits(f"form in {language}")
    page.open_text("1. h2h9 i9h9 2. b2b9 a9b9 3. a0a1 *")
    window.key("End")
    page.wait_for_view(lambda view: len(view["path"]) == 5)
    page.button("Play")
    fits("form in an opened game")
    page.button("this position")
    page.button("Start the game")
    window.wait("document.querySelector('.thinking') && document.querySelectorAll('.captured').length === 2")
    fits("game")
    page.button("Pause")
    return f"{len(sizes)} sizes"


def show_long_names(page):
    """The games of a file lie below each other however long their names are, and a toast is as wide as its text."""
    window = page.window
    names = [f"{'A tournament with a long name ' * 4}{number}" for number in range(14)]
    games = "\n\n".join(f'[Event "{name}"]\n\n1. h2e2 *' for name in names)
    overlaps = """(() => {
        const boxes = [...document.querySelectorAll('.game-list button')].map((button) => [button.getBoundingClientRect(), button.scrollHeight - button.clientHeight]);
        return boxes.filter(([box, hidden], at) => hidden > 1 || (at > 0 && box.top < boxes[at - 1][0].bottom)).length;
    })()"""

    def check():
        page.open_text(games)
        window.wait("document.querySelectorAll('.game-list button').length === 14")
        found = window.run(overlaps)
        assert not found, f"{found} of 14 names are not seen whole"
        page.open_text_only("this is no game")
        window.wait("!document.querySelector('#toast').hidden")
        width = place(window, "#toast")[2]
        assert width >= 300, f"the toast has {width} pixels"
        window.key("Escape")
        window.wait("!document.querySelector('#load-dialog').open")
        window.run("document.querySelector('#toast').hidden = true")
        window.problems[:] = [problem for problem in window.problems if "400" not in problem]

    for size in [(1280, 800), (390, 844), (360, 640)]:
        at_size(page, *size, check)
    return "three sizes"


CHECKS = [keep_everything_in_place, show_enough, keep_the_move_in_sight, cover_no_button, lead_arrows_past_pieces, show_whole_dialogs, fit_everything, show_long_names, fit_the_summary, use_red_for_red_alone, name_things]
