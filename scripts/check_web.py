#!/usr/bin/env python3
"""Checks the page of `cannonade web` in a headless Chromium, as a person would use it.

    scripts/check_web.py [--program target/release/cannonade] [--pictures FOLDER] [CHECK..]

Without Chromium it says so and leaves the checks out. `--pictures` keeps screenshots to look at.
"""

import argparse
import json
import os
import random
import signal
import sys
import time
import traceback

import browser
import web_checks
import web_layout
from web_page import (
    CHASE,
    CHINESE_GAME,
    Page,
    Server,
    arrows_to,
    load_again,
    prefer,
    tab_to,
)


def play_a_whole_game(page):
    """A game by clicks, random moves against the engine, until one side has lost."""
    window = page.window
    prefer(window, time="0.2", side="red", language="en", elo=None)
    page.picture("play-form")
    page.button("Start the game")
    moves = random.Random(19)
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
    for number in range(150):
        view = page.wait_for_view(lambda view: view["end"] or view["side"] == "red")
        if view["end"]:
            break
        if view["moves"]:
            # The server is ahead of the page, which ignores clicks until it shows the answer.
            window.wait(f"document.querySelector('[data-node=\"{view['node']}\"]')")
        page.move(moves.choice(view["legal"]))
        count = len(view["moves"])
        page.wait_for_view(lambda view, count=count: len(view["moves"]) > count)
        if number == 6:
            page.wait_for_view(lambda view: view["end"] or view["side"] == "red")
            page.picture("play")
    assert view["end"], "the game did not end"
    window.wait("document.querySelector('#status').textContent.includes('wins')")
    page.picture("play-end")
    page.button("Take back")
    page.wait_for_view(lambda view: view["side"] == "red" and not view["end"])
    return f"{len(view['moves'])} moves, {view['end']['text']}"


def analyse(page):
    """The lines, arrows and bar of an analysis; it stops at once; a line is played by a click."""
    window = page.window
    page.open_text("1. h2e2 h9g7 2. h0g2 i9h9 *")
    window.click_on(".switch")
    window.wait("document.querySelectorAll('#lines .value').length === 3")
    window.wait("document.querySelectorAll('.xq-annotations use').length >= 3")
    window.wait("Number(/\\d+/.exec(document.querySelector('#engine-facts').textContent)[0]) >= 8", 60)
    window.key("End")
    window.wait("Number(/\\d+/.exec(document.querySelector('#engine-facts').textContent)?.[0] ?? 0) >= 8", 60)
    window.wait("document.querySelector('#moves .current .value')?.textContent && document.querySelector('#moves .current .value').textContent === document.querySelector('#lines .value')?.textContent", 5)
    window.key("Home")
    # Until then the lines of the last move are shown.
    window.wait("!document.querySelector('#moves .current')")
    window.wait("document.querySelectorAll('#lines .value').length === 3")
    page.picture("analyse")
    window.click_on('#lines [data-count="2"]')
    window.wait("document.querySelector('#insert-line').offsetParent")
    assert page.view()["node"] == 0, "looking at a line has changed the game"
    window.key("ArrowRight")
    window.wait("document.querySelector('#line-bar').textContent.includes('move 3')")
    window.key("ArrowLeft")
    window.click_on("#insert-line")
    page.wait_for_view(lambda view: len(view["path"]) == 2)
    start = time.time()
    window.click_on(".switch")
    page.wait_for_view(lambda view: view["analysis"] is None and view["work"] == "none")
    stop = time.time() - start
    assert stop < 2, stop
    page.button("Analyse the game")
    page.wait_for_view(lambda view: view["sweep"] is None and view["start_score"], 60)
    window.wait("document.querySelector('#curve path.now')")
    page.picture("curve")
    return f"stopped after {stop:.2f} s"


def set_up(page):
    """A position is set up by clicks and searched."""
    window = page.window
    page.button("Set up")
    page.button("Clear")
    for tool, square in [("K", "e0"), ("k", "d9"), ("R", "a5"), ("A", "e1"), ("p", "c3")]:
        window.click_on(f'[data-tool="{tool}"]')
        page.square(square)
    window.wait("document.querySelector('#fen').value === '3k5/9/9/9/R8/9/2p6/9/4A4/4K4 w'")
    page.picture("setup")
    window.click_on('[data-tool="k"]')
    page.square("e9")
    window.wait("!document.querySelector('#use-analyse').disabled")
    window.click_on('[data-tool="eraser"]')
    page.square("e9")
    window.wait("document.querySelector('#use-analyse').disabled")
    window.click_on('[data-tool="k"]')
    page.square("d9")
    window.wait("!document.querySelector('#use-analyse').disabled")
    type_fen(window, "3k5/9/9/9/Rx7/9/2p6/9/4A4/4K4 w")
    window.wait("document.querySelector('#setup-card .problem').textContent.includes(\"'x'\")")
    assert window.run("document.querySelector('#fen').value").startswith("3k5/9/9/9/Rx7"), "the text has to stay"
    type_fen(window, "position fen 3k5/9/9/9/R8/9/2p6/9/4A4/4K4 w - - 99 57 moves a5a9")
    window.wait("document.querySelector('#fen').value === 'R2k5/9/9/9/9/9/2p6/9/4A4/4K4 b - - 100 57'")
    type_fen(window, "fen 3k5/9/9/9/R8/9/2p6/9/4A4/4K4 w - - 98 57")
    window.wait("document.querySelector('#fen').value === '3k5/9/9/9/R8/9/2p6/9/4A4/4K4 w - - 98 57'")
    window.wait("!document.querySelector('#use-analyse').disabled")
    page.button("Analyse it")
    view = page.wait_for_view(lambda view: view["fen"] == "3k5/9/9/9/R8/9/2p6/9/4A4/4K4 w - - 98 57")
    return view["fen"]


def type_fen(window, text):
    """Pastes a text into the field for the FEN of the set-up."""
    window.run(f"(() => {{ const field = document.querySelector('#fen'); field.value = {json.dumps(text)};"
               "field.dispatchEvent(new Event('change')); })()")


def open_a_chinese_game(page):
    """A game in Chinese with a variation, in a page in Chinese."""
    window = page.window
    window.click_on("#language")
    page.open_text(CHINESE_GAME)
    window.wait("document.querySelector('#moves').textContent.includes('马８进７')")
    view = page.view()
    assert (view["red"], len(view["moves"])) == ("胡荣华", 10), view
    window.key("End")
    page.wait_for_view(lambda view: len(view["path"]) == 8)
    window.key("ArrowLeft")
    page.wait_for_view(lambda view: len(view["path"]) == 7)
    page.picture("chinese")
    window.click_on("#save-file")
    window.wait("document.querySelector('#download')")
    page.picture("save")
    window.key("Escape")
    window.click_on("#language")
    return "10 moves with a variation"


def watch_the_engine(page):
    """The engine plays itself; the game is paused, goes on, and is looked at in the analysis."""
    window = page.window
    prefer(window, time="0.2", side="neither", language="en", elo=None)
    page.button("Start the game")
    page.wait_for_view(lambda view: len(view["moves"]) >= 4)
    page.button("Pause")
    paused = page.wait_for_view(lambda view: not view["contest"]["running"] and view["work"] == "none")
    page.button("Go on")
    page.wait_for_view(lambda view: len(view["moves"]) > len(paused["moves"]))
    page.button("Analyse")
    view = page.wait_for_view(lambda view: not view["contest"]["running"])
    # The new game is known by the comment that it does not have.
    window.run("""fetch(`api/sessions/${sessionStorage.getItem('board')}/annotate`, {method: 'POST',
        headers: {'Content-Type': 'application/json'}, body: '{"node": 0, "comment": "old"}'}).then((r) => r.status)""")
    page.button("Play")
    page.button("New game")
    page.button("this position")
    page.button("the start")
    page.button("Start the game")
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"] and not view["comment"])
    page.button("Pause")
    return f"{len(view['moves'])} moves"


def leave_a_game_and_come_back(page):
    """The clock stands still in the set-up, and the form of a new game leads back to the game."""
    window = page.window
    prefer(window, time="1+1", side="both", language="en")
    page.button("Start the game")
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
    window.wait("document.querySelector('#take-back')")
    page.move("h2e2")
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["ticking"] == "black")
    page.button("Set up")
    page.wait_for_view(lambda view: not view["contest"]["running"])
    page.button("Play")
    page.button("New game")
    page.button("Back to the game")
    view = page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
    page.button("Pause")
    return f"{len(view['moves'])} move"


def have_a_board_for_each_tab(page):
    """A duplicated tab gets another board, and two tabs keep each other's settings."""
    window = page.window
    own = window.run("sessionStorage.getItem('board')")
    first, window.session = window.session, None
    try:
        target = window.call("Target.createTarget", url=page.url)["targetId"]
        second = window.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        window.session = second
        window.wait("document.readyState === 'complete' && document.querySelector('#status')?.textContent")
        window.run(f"sessionStorage.setItem('board', '{own}')")
        other = own
        # On a busy machine the first tab may answer too late.
        for _ in range(5):
            if other == own:
                load_again(window)
                other = window.run("sessionStorage.getItem('board')")
        window.session = first
        window.click_on("#language")
        window.session = second
        window.run("document.querySelector('#line-count').dispatchEvent(new Event('change'))")
        kept = window.run("JSON.parse(localStorage.getItem('cannonade'))")
        window.session = None
        window.call("Target.closeTarget", targetId=target)
    finally:
        window.session = first
    assert own != other, f"both tabs have board {own}"
    assert kept["language"] == "zh", f"the second tab has set the language back: {kept}"
    return f"boards {own} and {other}"


def start_the_server_again(page):
    """The open page says that its address is not valid any more, also in Chinese; errors are in Chinese."""
    window = page.window
    with Server(page.program) as server:
        url = server.url
        window.open(url)
        prefer(window, language="zh")
        page.open_text_only("4k4/9/9/9/9/9/9/9/9/4K4 w")
        window.wait("document.querySelector('#toast').textContent.includes('照面')")
        window.key("Escape")
    port = url.split(":")[2].split("/")[0]
    with Server(page.program, "--port", port):
        window.wait("document.querySelector('.away-bar').textContent.includes('重新启动')", 30)
        window.click_on("#save-file")
        window.wait("document.querySelector('#download')")
        window.click_on("#download")
        window.wait("document.querySelector('#toast').textContent.includes('重新启动')")
        window.key("Escape")
        window.open(url)
        assert "cannonade web" in page.text("main"), "a wrong address shows no readable page"
    window.open("about:blank#")
    window.problems.clear()
    window.requests.clear()
    return "the page names the reason"


def undo_changes(page):
    """A notice offers to undo what was opened, deleted and resigned; keys undo and redo; a set-up without a change keeps the game."""
    window = page.window
    moves = "1. h2e2 h9g7 2. h0g2 i9h9 *"
    page.open_text(moves)
    page.wait_for_view(lambda view: len(view["moves"]) == 4)
    page.button("Set up")
    page.button("Analyse it")
    window.wait("document.body.dataset.mode === 'analyse'")
    assert len(page.view()["moves"]) == 4, "a set-up without a change has deleted the game"
    page.open_text("1. b2e2 *")
    page.wait_for_view(lambda view: len(view["moves"]) == 1)
    page.button("Back to the last game")
    view = page.wait_for_view(lambda view: len(view["moves"]) == 4)
    window.click_on(f'[data-node="{view["moves"][1]["id"]}"]')
    page.wait_for_view(lambda now: now["node"] == view["moves"][1]["id"])
    window.click_on("#remove-move")
    page.wait_for_view(lambda view: len(view["moves"]) == 1)
    page.picture("notice")
    window.click_on(".notice button")
    page.wait_for_view(lambda view: len(view["moves"]) == 4)
    window.click_on("#redo")
    page.wait_for_view(lambda view: len(view["moves"]) == 1)
    window.click_on("#undo")
    page.wait_for_view(lambda view: len(view["moves"]) == 4)
    prefer(window, time="0.2", side="black", language="en", elo=800)
    page.button("Play")
    page.button("Start the game")
    page.wait_for_view(lambda view: view["contest"] and view["side"] == "black" and len(view["moves"]) == 1)
    load_again(window)
    flipped = "document.querySelector('#player-bottom .side').classList.contains('black')"
    assert window.run(flipped), "the board is turned after the page was loaded again"
    page.button("Resign")
    assert page.view()["result"] == "*", "one click has resigned"
    page.button("Really resign?")
    page.wait_for_view(lambda view: view["result"] == "1-0")
    window.click_on(".notice button")
    view = page.wait_for_view(lambda view: view["result"] == "*" and view["contest"]["running"])
    return "a game opened, moves deleted, a resignation"


def leave_gaps_in_the_curve(page):
    """Positions that were not searched have no part of the curve."""
    window = page.window
    page.open_text("1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 *")
    window.click_on(".switch")
    for steps in [0, 1, 4, 5]:
        ids = [0] + [move["id"] for move in page.view()["moves"]]
        if steps:
            window.click_on(f'[data-node="{ids[steps]}"]')
        page.wait_for_view(lambda view, steps=steps: len(view["path"]) == steps)
        page.wait_for_view(lambda view, steps=steps: view["moves"][steps - 1].get("score") if steps else view["start_score"])
    window.click_on(".switch")
    # The curve follows the scores of the session; a single position is a short line round its ply.
    edge = "document.querySelector('#curve .edge')?.getAttribute('d')"
    window.wait(f"/^M0 [^LM]*L1 [^LM]*M4 [^LM]*L5 [^LM]*$/.test({edge})")
    return window.run(edge)


def lose_the_server(page):
    """While the server is stopped or killed, a bar says so; it goes when the server is back; the game is not lost."""
    window = page.window
    bar = "document.querySelector('.away-bar').offsetParent"
    with Server(page.program) as server:
        window.open(server.url)
        window.wait("document.querySelector('#status')?.textContent")
        prefer(window, language="en")
        port = server.url.split(":")[2].split("/")[0]
        page.open_text("1. h2e2 h9g7 (1. .. b9c7) 2. h0g2 *")
        window.key("End")
        page.wait_for_view(lambda view: len(view["path"]) == 3)
        window.key("f")
        page.wait_for_view(lambda view: view["bottom"] == "black")
        server.process.send_signal(signal.SIGSTOP)
        window.wait(bar, 40)
        page.picture("away")
        server.process.send_signal(signal.SIGCONT)
        window.wait(f"!{bar}", 20)
        time.sleep(0.5)
        server.process.kill()
        window.wait(bar, 20)
        time.sleep(7)
        assert window.run(f"Boolean({bar})"), "the bar does not last"
        assert window.run("document.querySelector('#save-copy').offsetParent !== null")
    with Server(page.program, "--port", port) as server:
        window.open(server.url)
        window.wait("document.body.classList.contains('ready')")
        view = page.wait_for_view(lambda view: len(view["moves"]) == 4 and len(view["path"]) == 3)
        page.wait_for_view(lambda view: view["bottom"] == "black")
    window.open("about:blank#")
    window.problems.clear()
    window.requests.clear()
    return f"{len(view['moves'])} moves are there again"


def annotate_a_game(page):
    """A comment and a mark are written, are in the list, and are saved; the keys go to a variation."""
    window = page.window
    page.open_text("1. h2e2 h9g7 (1. .. b9c7) 2. h0g2 *")
    window.key("End")
    page.wait_for_view(lambda view: len(view["path"]) == 3)
    window.click_on("#annotate")
    window.wait("document.activeElement.tagName === 'TEXTAREA'")
    window.call("Input.insertText", text="The natural square. 正着")
    window.key("Escape")
    page.wait_for_view(lambda view: view["moves"][-1].get("comment") or view["moves"][2].get("comment"))
    window.click_on('[data-glyph="1"]')
    window.wait("document.querySelector('#moves .current').textContent.includes('h0g2!') || document.querySelector('#moves .current').textContent.endsWith('!')")
    window.wait("document.querySelector('#moves .comment')?.textContent === 'The natural square. 正着'")
    page.picture("comment")
    window.click_on("#annotate")
    window.key("ArrowLeft")
    page.wait_for_view(lambda view: len(view["path"]) == 2)
    before = page.view()["fen"]
    window.key("ArrowDown")
    page.wait_for_view(lambda view: view["fen"] != before and len(view["path"]) == 2)
    saved = window.run("""fetch(`api/sessions/${sessionStorage.getItem('board')}/save?kind=pgn`).then((r) => r.text())""")
    assert "{The natural square. 正着}" in " ".join(saved.split()), saved
    return "a comment, a mark, a variation"


def play_from_a_book(page):
    """The engine answers from the opening book at a level, and the page says so."""
    window = page.window
    prefer(window, time="30", side="red", language="en", elo=1000, playBook="0")
    page.button("Start the game")
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
    for move in ["h2e2", "h0g2"]:
        page.move(move)
        view = page.wait_for_view(lambda view: view["side"] == "red" and view["path"] and len(view["path"]) % 2 == 0)
        assert view["moves"][-1].get("book"), view["moves"]
        window.wait(f"document.querySelector('[data-node=\"{view['node']}\"] .from-book')?.offsetParent")
    window.wait("document.querySelector('#status').textContent.includes('opening book')")
    page.picture("play-book")
    return f"{len(view['moves'])} moves, {page.text('#status')}"


def save_as_every_kind(page):
    """The dialog offers what each kind holds, and what is saved is the game."""
    window = page.window
    page.open_text("1. h2e2 h9g7 (1. .. b9c7) 2. h0g2 *")
    window.click_on("#save-file")
    window.wait("document.querySelector('#save-kind')")
    kinds = window.run("[...document.querySelectorAll('#save-kind option')].map((option) => option.value)")
    assert len(kinds) == 7, kinds
    for kind in kinds:
        window.run(f"(() => {{ const list = document.querySelector('#save-kind'); list.value = '{kind}';"
                   "list.dispatchEvent(new Event('change')); })()")
        size, name = window.run("""fetch(document.querySelector('#download').href).then(async (answer) =>
            [(await answer.arrayBuffer()).byteLength, answer.headers.get('Content-Disposition')])""")
        assert size > 16 and "attachment" in name, (kind, size, name)
        if kind == "xqf":
            page.picture("save-xqf")
    window.key("Escape")
    return ", ".join(kinds)


def look_into_a_book(page):
    """The moves of the built-in book with their weights; one is played by a click; a file is opened."""
    window = page.window
    page.open_text("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w")
    choose = """(() => { const list = document.querySelector('#book'); list.value = '%s';
        list.dispatchEvent(new Event('change')); })()"""
    window.wait("document.querySelector('#book')")
    window.run(choose % "0")
    window.wait("document.querySelectorAll('[data-book-move]').length > 3")
    page.picture("book")
    window.click_on('[data-book-move="h2e2"]')
    page.wait_for_view(lambda view: len(view["path"]) == 1)
    window.wait("!document.querySelector('[data-book-move=\"h2e2\"]')")
    window.wait("document.querySelector('[data-book-move=\"h9g7\"]')")
    wrong = window.run("""fetch('api/books?name=x', {method: 'POST', body: 'no book',
        headers: {'Content-Type': 'application/octet-stream'}}).then((r) => r.json())""")
    assert "not used" in wrong["error"], wrong
    window.problems[:] = [problem for problem in window.problems if "400" not in problem]
    window.run(choose % "off")
    window.wait("!document.querySelector('[data-book-move]')")
    return "moves with weights, one played"


def rule_a_repetition(page):
    """A perpetual check is ruled under the chosen rules, with reasons."""
    window = page.window
    fen, moves = CHASE
    page.open_text(f'[FEN "{fen}"]\n\n{moves} *')
    window.key("End")
    window.wait("document.querySelector('#status').textContent.includes('Black wins')")
    window.wait("document.querySelector('#ruling').textContent.includes('Red loses')")
    window.click_on("#ruling")
    window.wait("document.querySelectorAll('.loop tr').length === 6")
    assert "perpetual check" in page.text(".loop"), page.text(".loop")
    page.picture("judge")
    page.button("Show on the board")
    window.wait("!document.querySelector('#judge-dialog').open")
    window.key("End")
    window.wait("document.querySelector('#status').textContent.includes('Black wins')")
    window.click_on("#open-settings")
    window.run("""(() => { const list = document.querySelector('#rules'); list.value = 'None';
        list.dispatchEvent(new Event('change')); })()""")
    window.wait("document.querySelector('#status').textContent.includes('Draw')")
    page.picture("settings")
    window.run("""(() => { const list = document.querySelector('#rules'); list.value = 'WXF';
        list.dispatchEvent(new Event('change')); })()""")
    window.wait("document.querySelector('#status').textContent.includes('Black wins')")
    window.key("Escape")
    return "WXF: red loses; None: draw"


def keep_what_is_held(page):
    """What the server sends meanwhile does not let go of a chosen or dragged piece, nor take a click away."""
    window = page.window

    def hear_of(name):
        """The server sends everything again, with another name for Red."""
        window.run(f"""fetch('api/sessions/' + sessionStorage.getItem('board') + '/settings', {{
            method: 'POST',
            headers: {{'Content-Type': 'application/json'}},
            body: JSON.stringify({{red: {json.dumps(name)}}}),
        }}).then(() => null)""")
        window.wait(f"document.querySelector('#player-bottom .name').textContent === {json.dumps(name)}")

    page.open_text("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w")
    page.square("e3")
    window.wait("""document.querySelector('[data-square="e3"]').ariaSelected === 'true'""")
    hear_of("Hu")
    assert window.run("""document.querySelector('[data-square="e3"]').ariaSelected === 'true'"""), "the piece was let go"
    page.square("e4")
    page.wait_for_view(lambda view: view["moves"] and view["moves"][0]["move"] == "e3e4")
    page.move("e6e5")
    page.wait_for_view(lambda view: len(view["moves"]) == 2)
    window.wait("document.querySelectorAll('.move-row [data-node]').length === 2")
    start, end = (window.middle(f'.xq-squares [data-square="{square}"]') for square in ["h2", "e2"])
    window.mouse("mousePressed", *start)
    window.drag_to(*start, start[0] + 40, start[1])
    hear_of("Xu")
    window.drag_to(start[0] + 40, start[1], *end)
    window.mouse("mouseReleased", *end)
    page.wait_for_view(lambda view: len(view["moves"]) == 3 and view["moves"][2]["move"] == "h2e2")
    window.wait("document.querySelectorAll('.move-row [data-node]').length === 3")
    first = window.middle(".move-row [data-node]")
    window.mouse("mousePressed", *first)
    window.run("""fetch('api/sessions/' + sessionStorage.getItem('board') + '/annotate', {
        method: 'POST',
        headers: {'Content-Type': 'application/json'},
        body: JSON.stringify({node: 0, comment: 'A comment above the moves.'}),
    }).then(() => null)""")
    hear_of("Lü")
    window.mouse("mouseReleased", *first)
    page.wait_for_view(lambda view: view["node"] == view["moves"][0]["id"])
    window.wait("document.querySelector('#moves .comment')")
    return "a chosen piece, a dragged one, a click"


def use_the_keyboard(page):
    """A move without a mouse: Tab to the board, arrows, Enter."""
    window = page.window
    page.open_text("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w")
    window.run("""document.querySelector('.xq-squares [tabindex="0"]').focus()""")
    at = window.run("document.activeElement.dataset.square")
    assert at, "the board has no square that can be focused"
    arrows_to(window, "e3")
    window.key("Enter")
    arrows_to(window, "e4")
    window.key("Enter")
    page.wait_for_view(lambda view: view["moves"] and view["moves"][0]["move"] == "e3e4")
    return "e3e4"


def use_only_the_keyboard(page):
    """Everything in Chinese and without a mouse: a game, an analysis, a comment, a dialog, a set-up."""
    window = page.window
    prefer(window, time="0.2", side="red", language="zh", elo=800, lines=2)

    tab_to(window, "#start-game")
    window.key("Enter")
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
    window.run("document.activeElement.blur()")
    tab_to(window, ".xq-squares [data-square]")
    for square in ["h2", "e2"]:
        arrows_to(window, square)
        window.key("Enter")
    page.wait_for_view(lambda view: len(view["moves"]) == 2)
    tab_to(window, "[data-step=start]")
    window.run("document.querySelector('[data-go=play]').focus()")
    tab_to(window, "[data-go=analyse]")
    window.key("Enter")
    tab_to(window, "#analyse-on")
    window.key(" ")
    window.wait("document.querySelectorAll('#lines .value').length === 2")
    window.key("a")
    tab_to(window, "#annotate")
    window.key("Enter")
    window.wait("document.activeElement.tagName === 'TEXTAREA'")
    window.call("Input.insertText", text="好着")
    window.key("Escape")
    window.wait("document.querySelector('#moves .comment')?.textContent === '好着'")
    page.picture("keyboard")
    window.run("document.querySelector('.tools button').focus()")
    tab_to(window, "#open-settings")
    window.key("Enter")
    window.wait("document.querySelector('#settings-dialog').open")
    tab_to(window, "#settings-dialog #rules")
    window.key("Escape")
    window.wait("!document.querySelector('#settings-dialog').open && document.activeElement.id === 'open-settings'")
    window.run("document.querySelector('[data-go=play]').focus()")
    tab_to(window, "[data-go=setup]")
    window.key("Enter")
    labels = window.run("['K', 'k', 'P'].map((tool) => document.querySelector(`[data-tool=${tool}]`).getAttribute('aria-label'))")
    assert labels == ["红帅", "黑将", "红兵"], labels
    for tool, square in [("eraser", "a0"), ("R", "e5")]:
        tab_to(window, f"[data-tool={tool}]")
        window.key("Enter")
        window.run("document.querySelector('[data-go=setup]').focus()")
        tab_to(window, ".xq-squares [data-square]")
        arrows_to(window, square)
        window.key("Enter")
    # The engine may have moved a soldier into this row.
    window.wait("document.querySelector('#fen').value.split('/')[4].includes('R')")
    tab_to(window, "#use-analyse:not(:disabled)")
    window.key("Enter")
    view = page.wait_for_view(lambda view: "R" in view["start"].split("/")[4])
    assert view["start"].split(" ")[0].endswith("/1NBAKABNR"), f"the rook on a0 was not removed: {view['start']}"
    english = window.run("document.body.innerText.match(/\\b(to move|Engine|Comment|Moves|Opening|Settings)\\b/)?.[0] ?? ''")
    assert not english, f"the Chinese page says '{english}'"
    return view["start"]


def use_a_phone(page):
    """The page on a phone: everything fits, taps move."""
    window = page.window
    wide = window.run("document.documentElement.scrollWidth") - 390
    assert wide <= 0, f"the page is {wide} pixels too wide"
    page.picture("phone-form")
    page.button("Start the game")
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
    for square in ["h2", "e2"]:
        x, y = window.middle(f'.xq-squares [data-square="{square}"]')
        for kind in ["touchStart", "touchEnd"]:
            points = [{"x": x, "y": y}] if kind == "touchStart" else []
            window.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)
    page.wait_for_view(lambda view: len(view["moves"]) == 2)
    window.run("scrollTo(0, 0)")
    page.picture("phone-play")
    page.button("Analyse")
    window.click_on(".switch")
    window.wait("document.querySelectorAll('#lines .value').length === 3")
    wide = window.run("document.documentElement.scrollWidth") - 390
    assert wide <= 0, f"the page is {wide} pixels too wide"
    time.sleep(1)
    window.run("scrollTo(0, 0)")
    page.picture("phone-analyse")
    window.picture(os.path.join(page.pictures, "phone-whole.png"), full=True) if page.pictures else None
    page.button("Set up")
    window.run("scrollTo(0, 0)")
    page.picture("phone-setup")
    for width, height in [(360, 740), (844, 390)]:
        window.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=True)
        window.wait(f"innerWidth === {width}")
        wide = window.run("document.documentElement.scrollWidth") - width
        assert wide <= 0, f"the page is {wide} pixels too wide at {width}"
        board = window.run("document.querySelector('#board').getBoundingClientRect().width")
        assert board >= 300, f"the board has {board} pixels at {width} x {height}"
        page.picture(f"phone-{width}")
    return "390 x 844, 360 x 740, 844 x 390"


CHECKS = [play_a_whole_game, watch_the_engine, leave_a_game_and_come_back, analyse, set_up, open_a_chinese_game,
          annotate_a_game, look_into_a_book, play_from_a_book, save_as_every_kind, rule_a_repetition, keep_what_is_held,
          use_the_keyboard, use_only_the_keyboard, have_a_board_for_each_tab, undo_changes, leave_gaps_in_the_curve, lose_the_server,
          start_the_server_again, *web_checks.CHECKS, *web_layout.CHECKS]


def run(check, window, url, pictures, program):
    """Runs a check in a new board; returns whether it passed."""
    try:
        window.open(url)
        window.run("sessionStorage.clear(); localStorage.setItem('cannonade', JSON.stringify({language: 'en'}))")
        said = check(Page(window, url, pictures, program))
        outside = [address for address in window.requests
                   if not address.startswith((url.rsplit("/", 2)[0], "data:", "about:", "blob:"))]
        assert not outside, f"loaded from elsewhere: {outside}"
        assert not window.problems, "; ".join(window.problems)
        print(f"passed  {check.__name__}: {said}", flush=True)
        return True
    except (AssertionError, browser.PageError) as error:
        print(f"FAILED  {check.__name__}: {error}", flush=True)
        traceback.print_exc(limit=-2)
        if pictures:
            window.picture(os.path.join(pictures, f"failed-{check.__name__}.png"))
        window.problems.clear()
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="target/release/cannonade")
    parser.add_argument("--url", help="the address of a server that runs already")
    parser.add_argument("--pictures", help="a folder for screenshots")
    parser.add_argument("--dark", action="store_true", help="in dark colours")
    parser.add_argument("--parts", help="src/web/page, to try its scripts and styles without building the program")
    parser.add_argument("checks", nargs="*", help="names of checks; all if left out")
    options = parser.parse_args()
    program = browser.find()
    if program is None:
        print("skipped: there is no Chromium; install it or set CHROMIUM")
        return 0
    if options.pictures:
        os.makedirs(options.pictures, exist_ok=True)
    wanted = lambda check: not options.checks or check.__name__ in options.checks
    results = []
    server = None if options.url else Server(options.program)
    try:
        url = options.url or server.url
        with browser.Browser(program, width=1280, height=860, dark=options.dark) as window:
            if options.parts:
                window.serve_from(options.parts)
            results += [run(check, window, url, options.pictures, options.program) for check in CHECKS if wanted(check)]
        if wanted(use_a_phone):
            with browser.Browser(program, width=390, height=844, dark=True, touch=True) as window:
                results.append(run(use_a_phone, window, url, options.pictures, options.program))
    finally:
        if server:
            server.__exit__()
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
