"""Checks of the page that `check_web.py` runs: kept games, the analysis of a game, and what surrounds the board."""

import json
import tempfile
import time

from web_page import CHASE, Server, arrows_to, load_again, prefer, tab_to

# Black's fourth move gives a rook away, Red's fifth move does not take it.
MISTAKES = "1. h2e2 i9i8 2. h0g2 i8d8 3. b0c2 d8d3 4. g3g4 d3e3 5. a0a1 h9g7 *"


def begin_anew(window, url):
    """Opens the page of another server as in a new tab."""
    window.open(url)
    window.run("sessionStorage.clear()")
    load_again(window)
    window.wait("document.body.classList.contains('ready')")


def analyse_the_game(page, moves):
    page.open_text(moves)
    page.button("Analyse the game")
    page.window.wait("document.querySelector('.summary')", 60)


def keep_games(page):
    """A server killed in the middle of a game loses nothing: the list has the game, in this tab and in a new one."""
    window = page.window
    with tempfile.TemporaryDirectory() as folder:
        with Server(page.program, "--games", folder) as server:
            begin_anew(window, server.url)
            prefer(window, language="en", side="both", time="10+5")
            window.wait("document.body.classList.contains('ready')")
            page.button("Start the game")
            page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
            for count, move in enumerate(["h2e2", "h9g7", "h0g2"]):
                window.wait(f"document.querySelectorAll('.move-row [data-node]').length === {count}")
                page.move(move)
            page.wait_for_view(lambda view: len(view["moves"]) == 3 and view["kept"]["key"])
            time.sleep(1)
            server.process.kill()
        with Server(page.program, "--games", folder) as server:
            # Another port is another place for the browser: this is a new tab.
            begin_anew(window, server.url)
            window.wait("document.querySelector('#go-on')")
            page.picture("go-on")
            window.click_on("#go-on")
            view = page.wait_for_view(lambda view: len(view["moves"]) == 3)
            assert view["contest"]["left"][0] > 590000, view["contest"]
            page.button("Go on")
            page.wait_for_view(lambda view: view["contest"]["running"])
            page.button("Pause")
            window.click_on("#open-file")
            window.wait("document.querySelector('[data-game]')")
            page.picture("recent-games")
            window.click_on("[data-remove]")
            window.wait("document.querySelector('[data-restore]')")
            assert window.run("fetch('api/games').then((r) => r.json()).then((games) => games.length)") == 0
            window.click_on("[data-restore]")
            window.wait("document.querySelector('[data-game]')")
            games = window.run("fetch('api/games').then((r) => r.json())")
            assert len(games) == 1, games
            window.key("Escape")
    leave(window)
    return f"{games[0]['red']} - {games[0]['black']}, {games[0]['plies']} moves"


def keep_an_analysis(page):
    """A server killed in the middle of an analysis: it goes on in the same tab when the server is back."""
    window = page.window
    with tempfile.TemporaryDirectory() as folder:
        with Server(page.program, "--games", folder) as server:
            begin_anew(window, server.url)
            port = server.url.split(":")[2].split("/")[0]
            page.open_text("1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 4. c3c4 g6g5 5. h0h6 c9e7 *")
            page.button("Analyse the game")
            page.wait_for_view(lambda view: view["kept"]["key"] and view["sweep"] and view["sweep"][0] >= 3, 60)
            page.picture("progress")
            time.sleep(0.6)
            server.process.kill()
        with Server(page.program, "--games", folder, "--port", port) as server:
            window.open(server.url)
            window.wait("document.body.classList.contains('ready')")
            view = page.wait_for_view(lambda view: len(view["moves"]) == 10)
            known = sum("score" in move for move in view["moves"])
            assert known >= 2, view
            page.wait_for_view(lambda view: view["sweep"] is None and view["start_score"], 60)
            window.wait("document.querySelector('.summary')")
    leave(window)
    return f"{known} scores were kept"


def leave(window):
    window.open("about:blank#")
    window.problems.clear()
    window.requests.clear()


def summarise_the_game(page):
    """Accuracy and mistakes of both sides, markers with a tooltip, the better move, the way to the next mistake."""
    window = page.window
    page.open_text(MISTAKES)
    assert not window.run("Boolean(document.querySelector('.summary'))"), "accuracy is stated without an analysis"
    page.button("Analyse the game")
    window.wait("document.querySelector('progress')?.value > 0")
    assert " s left" in page.text("#review"), page.text("#review")
    assert not window.run("Boolean(document.querySelector('.summary'))"), "accuracy is stated too early"
    window.wait("document.querySelector('.summary')", 60)
    window.wait("document.querySelectorAll('.marker').length >= 2")
    accuracy = window.run("[...document.querySelectorAll('.summary .accuracy')].map((cell) => parseInt(cell.textContent))")
    assert len(accuracy) == 2 and all(0 <= value < 100 for value in accuracy), accuracy
    window.key("Home")
    window.key("n")
    first = page.wait_for_view(lambda view: view["node"] != 0)["node"]
    page.button("Next mistake")
    view = page.wait_for_view(lambda view: view["node"] not in (0, first))
    window.wait("document.querySelector('.verdict .tag')")
    window.wait("document.querySelector('[data-better]')")
    page.picture("summary")
    x, y = window.middle("#curve")
    window.mouse("mouseMoved", x, y, button="none")
    window.wait("!document.querySelector('.curve-tip').hidden && document.querySelector('.curve-tip').textContent.includes('%')")
    page.picture("curve-tip")
    moves = len(view["moves"])
    window.click_on('[data-better="1"]')
    window.wait("document.querySelector('#insert-line').offsetParent")
    assert len(page.view()["moves"]) == moves, "looking at the better line has changed the game"
    window.click_on("#insert-line")
    page.wait_for_view(lambda view: len(view["moves"]) == moves + 1)
    window.click_on("#save-file")
    window.wait("document.querySelector('#with-analysis')")
    save = "fetch(document.querySelector('#download').href).then((answer) => answer.text())"
    assert "[%eval" in window.run(save) and "$4" in window.run(save), window.run(save)
    window.click_on("#with-analysis")
    assert "[%eval" not in window.run(save)
    window.key("Escape")
    return f"accuracy {accuracy}"


def learn_from_mistakes(page):
    """A better move is looked for before it is shown; wrong moves are refused, and the game stays as it is."""
    window = page.window
    analyse_the_game(page, MISTAKES)
    moves = page.view()["moves"]
    window.click_on("#learn")
    window.wait("document.querySelector('.learn-bar').offsetParent && document.querySelectorAll('.xq-annotations use, .xq-annotations path').length")
    window.wait("document.querySelector('.learn-bar').textContent.includes('Find a better move')")
    page.picture("learn")
    assessed = window.run("fetch(`api/sessions/${sessionStorage.getItem('board')}/assessment`).then((r) => r.json())")
    mistake = next(move for move in assessed["moves"] if move and move["class"] in ("mistake", "blunder"))
    played = next(move["move"] for move in moves if move["id"] == mistake["node"])
    page.move(played)
    window.wait("document.querySelector('.learn-bar').dataset.state === 'wrong'")
    page.move(mistake["better"][0])
    window.wait("document.querySelector('.learn-bar').dataset.state === 'found'")
    page.picture("learn-found")
    window.click_on("#learn-next")
    window.wait("document.querySelector('.learn-bar').dataset.state === 'asking' || !document.querySelector('.learn-bar').offsetParent")
    window.click_on("#learn-show")
    window.wait("document.querySelector('.learn-bar').dataset.state === 'shown'")
    window.key("Escape")
    window.wait("!document.querySelector('.learn-bar').offsetParent")
    assert page.view()["moves"] == moves, "learning has changed the game"
    return f"{mistake['better'][0]} in place of {played}"


def collect_puzzles(page):
    """Mistakes of a game against the engine become puzzles that the browser keeps."""
    window = page.window
    prefer(window, language="en", side="red", time="0.2", elo=800)
    page.button("Start the game")
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
    # The cannon is given for a horse, then nothing is moved that would help.
    for move in ["h2h9", "a0a1"]:
        window.wait("document.querySelector('#status').textContent === 'Your turn' || document.querySelector('#status').textContent.includes('check')", 30)
        page.move(move)
        page.wait_for_view(lambda view: view["side"] == "red" and len(view["moves"]) % 2 == 0, 30)
    page.button("Pause")
    page.button("Analyse")
    page.button("Analyse the game")
    window.wait("document.querySelector('.summary')", 60)
    window.wait("!document.querySelector('#puzzles').hidden")
    window.click_on("#puzzles")
    window.wait("document.querySelector('.learn-bar').textContent.includes('Red played')")
    load_again(window)
    window.wait("!document.querySelector('#puzzles').hidden")
    count = window.run("JSON.parse(localStorage.getItem('puzzles')).length")
    window.run("localStorage.removeItem('puzzles')")
    return f"{count} puzzles"


def choose_a_move_in_advance(page):
    """A move chosen while the engine thinks is made at once when it is one's turn; Escape cancels it."""
    window = page.window
    prefer(window, language="en", side="red", time="5", elo=None)
    page.button("Start the game")
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
    page.move("h2e2")
    page.wait_for_view(lambda view: view["side"] == "black" and view["work"] != "none")
    window.wait("document.querySelector('#status').textContent.includes('thinking')")
    page.move("b0c2")
    window.wait("document.querySelector('.xq-annotations').children.length > 0")
    window.key("Escape")
    window.wait("document.querySelector('.xq-annotations').children.length === 0")
    page.move("h0g2")
    page.picture("premove")
    page.button("Move now")
    view = page.wait_for_view(lambda view: len(view["moves"]) == 3, 30)
    assert view["moves"][2]["move"] == "h0g2", view["moves"]
    page.button("Pause")
    return "h0g2 after Black's move"


def look_at_threats(page):
    """The threat is drawn, the captured pieces stand beside the names, the keys are listed, and a text is pasted anywhere."""
    window = page.window
    text = "3k5/9/9/9/r3R4/9/9/9/4A4/4K4 w"
    window.run(f"""(() => {{
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', {json.dumps(text)});
        document.body.dispatchEvent(new ClipboardEvent('paste', {{clipboardData, bubbles: true}}));
    }})()""")
    page.wait_for_view(lambda view: view["start"].startswith("3k5/"))
    window.wait("document.body.dataset.mode === 'analyse'")
    window.key("x")
    window.wait("document.querySelector('#lines').textContent.startsWith('Threat')")
    window.wait("document.querySelector('.xq-annotations').children.length > 0")
    page.picture("threat")
    window.key("x")
    page.move("e5a5")
    window.wait("document.querySelector('#player-bottom .captured')?.getAttribute('aria-label').includes('black rook')")
    window.key("?")
    window.wait("document.querySelector('#keys-dialog').open && document.querySelectorAll('#keys-dialog tr').length > 8")
    page.picture("keys")
    window.key("Escape")
    return "a threat, a captured rook, the keys"


def save_a_picture(page):
    """The shown position is saved as SVG and PNG as the board looks, and copied."""
    window = page.window
    prefer(window, language="en", pieces="latin", board="jade")
    page.open_text("1. h2e2 *")
    window.click_on("#save-file")
    window.wait("document.querySelector('#picture-png')")
    kinds = window.run("""Promise.all(['svg', 'png'].map((kind) => fetch(document.querySelector(`#picture-${kind}`).href)
        .then(async (answer) => [answer.headers.get('Content-Type'), (await answer.blob()).size])))""")
    assert [kind for kind, _ in kinds] == ["image/svg+xml", "image/png"] and min(size for _, size in kinds) > 5000, kinds
    window.run("navigator.clipboard.write = (items) => items[0].getType('image/png').then((blob) => { window.copied = blob.size; })")
    window.click_on("#picture-copy")
    window.wait("window.copied > 5000")
    window.key("Escape")
    return ", ".join(f"{kind} of {size} bytes" for kind, size in kinds)


def draw_a_repetition(page):
    """The explanation of a repetition goes through the loop on the board."""
    window = page.window
    fen, moves = CHASE
    page.open_text(f'[FEN "{fen}"]\n\n{moves} *')
    window.key("End")
    window.wait("document.querySelector('#ruling').offsetParent")
    window.click_on("#ruling")
    window.wait("document.querySelectorAll('.loop tr').length === 6")
    page.button("Show on the board")
    window.wait("document.querySelector('#leave-loop').offsetParent")
    texts = []
    for number in range(4):
        text = "document.querySelector('#leave-loop').parentElement.textContent"
        window.wait(f"{text}.startsWith('Move {number + 1} of 4')")
        texts.append(window.run(text))
        page.picture(f"loop-{len(texts)}")
        window.key("ArrowRight")
    assert sum("check" in text for text in texts) >= 2, texts
    window.key("Escape")
    window.wait("!document.querySelector('#leave-loop').offsetParent")
    return texts[0]


def tree(window):
    """The accessibility tree: (role, name) of what a screen reader finds."""
    nodes = window.call("Accessibility.getFullAXTree")["nodes"]
    value = lambda node, part: node.get(part, {}).get("value", "")
    return [(value(node, "role"), value(node, "name")) for node in nodes if not node.get("ignored")]


def live_texts(window):
    """What the live regions of the page say, by the accessibility tree."""
    nodes = {node["nodeId"]: node for node in window.call("Accessibility.getFullAXTree")["nodes"]}
    said = []
    for node in nodes.values():
        live = {one["name"]: one["value"].get("value") for one in node.get("properties", [])}.get("live")
        if live in ("polite", "assertive"):
            texts, open_nodes = [], [node["nodeId"]]
            while open_nodes:
                one = nodes.get(open_nodes.pop(0))
                if one:
                    if one.get("role", {}).get("value") == "StaticText":
                        texts.append(one["name"]["value"])
                    open_nodes[:0] = one.get("childIds", [])
            said.append(" ".join(texts))
    return said


def hears(window, text, seconds=15):
    """Waits until a live region says a text."""
    end = time.time() + seconds
    while not any(text in one for one in live_texts(window)):
        assert time.time() < end, f"'{text}' is not said: {live_texts(window)}"
        time.sleep(0.1)


def hear_the_page(page):
    """A screen reader hears moves, scores and rulings, and finds the board, the curve and the table by their names."""
    window = page.window
    window.call("Accessibility.enable")
    page.open_text("1. h2e2 h9g7 2. h0g2 i9h9 *")
    window.key("End")
    hears(window, "R9=8. Red to move")
    page.move("i0h0")
    hears(window, "R1=2. Black to move")
    window.click_on(".switch")
    window.wait("document.querySelectorAll('#lines .value').length === 3")
    window.key("s")
    hears(window, "% of the points")
    window.click_on(".switch")
    fen, moves = CHASE
    page.open_text(f'[FEN "{fen}"]\n\n{moves} *')
    window.key("End")
    hears(window, "Black wins")
    hears(window, "Red loses")
    analyse_the_game(page, MISTAKES)
    found = tree(window)
    for role, part in [("image", "Red’s share of the points"), ("table", ""), ("button", "Black, Blunder: "), ("columnheader", "Accuracy"), ("grid", "Board")]:
        assert any(one == role and part in name for one, name in found), (role, part, [pair for pair in found if pair[0] == role])
    window.call("Accessibility.disable")
    return "moves, a score, a ruling, the table of an analysis"


def learn_by_keyboard(page):
    """Mistakes are found, learnt from and heard of without a mouse."""
    window = page.window
    window.call("Accessibility.enable")
    analyse_the_game(page, MISTAKES)
    window.key("Home")
    window.key("n")
    page.wait_for_view(lambda view: view["node"] != 0)
    assessed = window.run("fetch(`api/sessions/${sessionStorage.getItem('board')}/assessment`).then((r) => r.json())")
    best = next(move for move in assessed["moves"] if move and move["class"] in ("mistake", "blunder"))["better"][0]
    tab_to(window, "#learn")
    window.key("Enter")
    window.wait("document.querySelector('.learn-bar').dataset.state === 'asking'")
    hears(window, "Find a better move")
    window.run("document.querySelector('[data-go=analyse]').focus()")
    tab_to(window, ".xq-squares [data-square]")
    for square in [best[:2], best[2:]]:
        arrows_to(window, square)
        window.key("Enter")
    window.wait("document.querySelector('.learn-bar').dataset.state === 'found'")
    hears(window, page.text(".learn-bar > span"))
    tab_to(window, "#learn-end")
    window.key("Enter")
    window.wait("!document.querySelector('.learn-bar').offsetParent")
    window.call("Accessibility.disable")
    return best


def open_seven_tabs(page):
    """More tabs than a browser has connections: each is answered, and the last one follows its board."""
    window = page.window
    first = window.session
    targets = []
    try:
        for _ in range(7):
            window.session = None
            target = window.call("Target.createTarget", url="about:blank")["targetId"]
            targets.append(target)
            window.session = window.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            # A tab behind others counts as hidden; this one is to count as seen.
            window.call("Page.addScriptToEvaluateOnNewDocument", source="Object.defineProperty(document, 'hidden', {get: () => false});")
            window.call("Page.enable")
            window.open(page.url)
            window.wait("document.body.classList.contains('ready')", 30)
        board = window.run("sessionStorage.getItem('board')")
        window.run(f"""fetch('api/sessions/{board}/move', {{method: 'POST', headers: {{'Content-Type': 'application/json'}},
            body: JSON.stringify({{move: 'h2e2'}})}}).then((r) => r.status)""")
        window.wait("document.querySelectorAll('.move-row [data-node]').length === 1", 20)
    finally:
        window.session = None
        for target in targets:
            window.call("Target.closeTarget", targetId=target)
        window.session = first
    return "seven seen tabs"


def load_few_parts(page):
    """The page, its style and its script are one request each, all compressed."""
    window = page.window
    window.open("about:blank#")
    window.requests.clear()
    window.open(page.url)
    window.wait("document.body.classList.contains('ready')")
    parts = [url.removeprefix(page.url) for url in window.requests if "/api/" not in url and url.startswith(page.url)]
    assert sorted(parts) == ["", "icon.svg", "page.js", "style.css"], parts
    sizes = window.run("""performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
        .filter(({name}) => !name.includes('/api/')).map(({name, encodedBodySize}) => encodedBodySize)""")
    assert sum(sizes) < 200_000, sizes
    return f"{len(parts)} parts, {sum(sizes)} bytes"


CHECKS = [keep_games, keep_an_analysis, summarise_the_game, learn_from_mistakes, collect_puzzles, choose_a_move_in_advance,
          look_at_threats, save_a_picture, draw_a_repetition, hear_the_page, learn_by_keyboard, open_seven_tabs, load_few_parts]
