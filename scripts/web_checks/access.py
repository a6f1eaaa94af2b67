"""Checks of the page: the page by keyboard alone and with a screen reader."""

import time

from web_page import CHASE, arrows_to, prefer, tab_to

from web_checks.analysing import MISTAKES, analyse_the_game


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


def learn_by_keyboard(page):
    """Mistakes are found, learnt from and heard of without a mouse."""
    window = page.window
    window.call("Accessibility.enable")
    analyse_the_game(page, MISTAKES)
    window.key("Home")
    window.key("n")
    page.wait_for_view(lambda view: view["node"] != 0)
    assessed = window.run("document.body.cannonade.review.found")
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


def change_the_language(page):
    """The language of the settings and the one of the button change the notation, too, unless one was chosen."""
    window = page.window
    page.move("h2e2")
    window.click_on("#open-settings")
    window.wait("document.querySelector('#settings-dialog').open")
    window.run("""(() => {
        const list = [...document.querySelectorAll('#settings-dialog select')].find((one) => one.querySelector('[value=zh]'));
        list.value = 'zh';
        list.dispatchEvent(new Event('change'));
    })()""")
    view = page.wait_for_view(lambda view: view["notation"] == "chinese")
    window.wait("document.querySelector('#notation').value === 'chinese'")
    window.key("Escape")
    window.click_on("#language")
    page.wait_for_view(lambda view: view["notation"] == "wxf")
    return view["moves"][0]["text"]


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
    hears(window, "Red’s expected points: ")
    window.click_on(".switch")
    fen, moves = CHASE
    page.open_text(f'[FEN "{fen}"]\n\n{moves} *')
    window.key("End")
    hears(window, "Black wins")
    hears(window, "Red loses")
    analyse_the_game(page, MISTAKES)
    found = tree(window)
    for role, part in [("image", "Red’s expected points over the game"), ("table", ""), ("button", "Black, Blunder: "), ("columnheader", "Accuracy"), ("grid", "Board")]:
        assert any(one == role and part in name for one, name in found), (role, part, [pair for pair in found if pair[0] == role])
    window.call("Accessibility.disable")
    return "moves, a score, a ruling, the table of an analysis"


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


CHECKS = [use_the_keyboard, use_only_the_keyboard, learn_by_keyboard, change_the_language, hear_the_page]
