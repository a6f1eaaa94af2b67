"""Checks of the page: games against the engine and between people."""

import json
import os
import random
import time

from web_page import arrows_to, prefer, tab_to


def finish_a_game(page, move):
    """Makes random moves against the engine until one side has lost; `move` makes one. The last view."""
    window = page.window
    moves = random.Random(19)
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
    for number in range(150):
        view = page.wait_for_view(lambda view: view["end"] or view["side"] == "red")
        if view["end"]:
            break
        if view["moves"]:
            window.wait(f"document.querySelector('[data-node=\"{view['node']}\"]')")
        move(moves.choice(view["legal"]))
        count = len(view["moves"])
        page.wait_for_view(lambda view, count=count: len(view["moves"]) > count)
        if number == 6:
            page.wait_for_view(lambda view: view["end"] or view["side"] == "red")
            page.picture("play")
    assert view["end"], "the game did not end"
    window.wait("document.querySelector('#status').textContent.includes('wins')")
    return view


def play_a_whole_game(page):
    """A game by clicks until one side has lost; its last move is taken back."""
    prefer(page.window, time="0.2", side="red", language="en", elo=None)
    page.picture("play-form")
    page.button("Start the game")
    view = finish_a_game(page, page.move)
    page.picture("play-end")
    page.button("Take back")
    page.wait_for_view(lambda view: view["side"] == "red" and not view["end"])
    return f"{len(view['moves'])} moves, {view['end']['text']}"


def play_by_keyboard(page):
    """A game by Tab, arrows and Enter until one side has lost."""
    window = page.window
    prefer(window, time="0.2", side="red", language="en", elo=None)
    tab_to(window, "#start-game")
    window.key("Enter")

    def move(text):
        assert window.run("document.activeElement.matches('.xq-squares [data-square]')"), "the focus has left the board"
        for square in [text[:2], text[2:]]:
            arrows_to(window, square)
            window.key("Enter")

    view = finish_a_game(page, move)
    return f"{len(view['moves'])} moves, {view['end']['text']}"


def play_by_touch(page):
    """A game by taps until one side has lost."""
    prefer(page.window, time="0.2", side="red", language="en", elo=None)
    page.button("Start the game")
    view = finish_a_game(page, lambda text: [tap(page.window, square) for square in [text[:2], text[2:]]])
    return f"{len(view['moves'])} moves, {view['end']['text']}"


def tap(window, square):
    x, y = window.middle(f'.xq-squares [data-square="{square}"]')
    for kind, points in [("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])]:
        window.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)


def watch_the_engine(page):
    """The engine plays itself; the game is paused, goes on, and is looked at in the analysis."""
    window = page.window
    prefer(window, time="0.2", side="neither", language="en", elo=None)
    page.button("Start the game")
    page.wait_for_view(lambda view: len(view["moves"]) >= 4)
    page.button("Pause")
    paused = page.wait_for_view(lambda view: not view["contest"]["running"] and view["work"] == "none")
    page.button("Resume")
    page.wait_for_view(lambda view: len(view["moves"]) > len(paused["moves"]))
    page.button("Analyse")
    view = page.wait_for_view(lambda view: not view["contest"]["running"])
    # The new game is known by the comment that it does not have.
    window.run("void document.body.cannonade.change('annotate', {node: 0, comment: 'old'})")
    page.button("Play")
    page.button("New game")
    page.button("this position")
    page.button("the start")
    page.button("Start the game")
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"] and not view["comment"])
    page.button("Pause")
    return f"{len(view['moves'])} moves"


def press_buttons_slowly(page):
    """A click counts although its button is drawn again before it ends: between moves, and while a game is analysed."""
    window = page.window

    def press(selector, lasts):
        window.wait(f"document.querySelector({json.dumps(selector)})")
        window.mouse("mousePressed", *window.middle(selector))
        page.wait_for_view(lasts)
        # The page hears of it a little later.
        time.sleep(0.3)
        window.mouse("mouseReleased", *window.middle(selector))

    prefer(window, time="0.2", side="neither", language="en", elo=None)
    page.button("Start the game")
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
    press("#play-card .controls > :nth-child(2)", lambda view: len(view["moves"]) >= 3)
    page.wait_for_view(lambda view: not view["contest"]["running"])
    page.open_text("1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 *")
    page.button("Analyse the game")
    press(".progress button", lambda view: view["sweep"] and view["sweep"][0] >= 2)
    view = page.wait_for_view(lambda view: not view["sweep"])
    known = sum("score" in move for move in view["moves"])
    assert known < len(view["moves"]), "the analysis was not stopped"
    return f"stopped after {known} of {len(view['moves'])} moves"


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


def wait_with_a_move_in_advance(page, seconds):
    """Begins a game with h2e2, and chooses b0c2 while the engine thinks about its answer."""
    window = page.window
    prefer(window, language="en", side="red", time=seconds, elo=None)
    page.button("Start the game")
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
    page.move("h2e2")
    page.wait_for_view(lambda view: view["side"] == "black" and view["work"] != "none")
    window.wait("document.querySelector('#status').textContent.includes('thinking')")
    page.move("b0c2")
    window.wait("document.querySelector('.xq-annotations').children.length > 0")


def choose_a_move_in_advance(page):
    """A move chosen while the engine thinks is made at once when it is one's turn; Escape cancels it."""
    window = page.window
    wait_with_a_move_in_advance(page, seconds="30")
    window.key("Escape")
    window.wait("document.querySelector('.xq-annotations').children.length === 0")
    page.move("h0g2")
    page.picture("premove")
    page.button("Move now")
    view = page.wait_for_view(lambda view: len(view["moves"]) == 3, 30)
    assert view["moves"][2]["move"] == "h0g2", view["moves"]
    page.button("Pause")
    return "h0g2 after Black's move"


def take_back_with_a_move_in_advance(page):
    """A move taken back while another one waits: nothing is played."""
    window = page.window
    wait_with_a_move_in_advance(page, seconds="30")
    page.button("Take back")
    page.wait_for_view(lambda view: view["side"] == "red")
    window.wait("document.querySelector('.xq-annotations').children.length === 0")
    window.run("new Promise((done) => setTimeout(done, 300))")
    view = page.view()
    assert not view["path"], view["moves"]
    return "the start"


def start_a_game_by_two_clicks(page):
    """The second click begins no further game: the way back leads to the game before."""
    window = page.window
    prefer(window, language="en", side="both")
    page.open_text("1. h2e2 h9g7 *")
    page.wait_for_view(lambda view: len(view["moves"]) == 2)
    page.button("Play")
    window.run("[1, 2].forEach(() => document.querySelector('#start-game')?.click())")
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"] and not view["moves"])
    page.button("Back to the last game")
    page.wait_for_view(lambda view: len(view["moves"]) == 2)
    return "two moves are back"


def resign_while_the_engine_moves(page):
    """The question whether one resigns is still there after the engine's move."""
    window = page.window
    prefer(window, language="en", side="red", time="30", elo=None)
    page.button("Start the game")
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
    page.move("h2e2")
    page.wait_for_view(lambda view: view["side"] == "black" and view["work"] != "none")
    window.click_on("#resign")
    page.button("Move now")
    page.wait_for_view(lambda view: len(view["moves"]) == 2)
    window.wait("document.querySelectorAll('.move-row [data-node]').length === 2")
    page.button("Really resign?")
    view = page.wait_for_view(lambda view: view["end"])
    return view["end"]["text"]


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


def press_enter_twice(page):
    """A second Enter after the start of a game does not pause it."""
    window = page.window
    prefer(window, language="en", side="both")
    window.wait("document.body.classList.contains('ready')")
    window.run("document.querySelector('#start-game').focus()")
    window.key("Enter")
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
    window.wait("document.querySelector('#take-back')")
    window.key("Enter")
    view = page.wait_for_view(lambda view: view["contest"]["running"])
    window.wait("document.activeElement.closest('#board')")
    return "the focus is on the board" if view["contest"]["running"] else ""


def use_a_phone(page):
    """The page on a phone: everything fits, taps move."""
    window = page.window
    wide = window.run("document.documentElement.scrollWidth") - 390
    assert wide <= 0, f"the page is {wide} pixels too wide"
    page.picture("phone-form")
    page.button("Start the game")
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
    for square in ["h2", "e2"]:
        tap(window, square)
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


# Sounds that are begun by a click or key.
BEGUN = """(() => {
    let begun = 0;
    window.AudioContext = class { state = 'suspended'; async resume() { begun += 1; } };
    for (const event of [new PointerEvent('pointerup'), new KeyboardEvent('keydown')]) dispatchEvent(event);
    return begun;
})()"""


def be_heard_from_the_first_click(page):
    """A click or key itself begins the sound, as Safari demands it, unless sounds are off."""
    begun = []
    for sound in [True, False]:
        prefer(page.window, language="en", sound=sound)
        page.window.wait("document.body.classList.contains('ready')")
        begun.append(page.window.run(BEGUN))
    assert begun == [2, 0], begun
    return begun


def do_without_sound(page):
    """Moves are made where the browser has no sound, as in the lockdown mode of iOS."""
    window = page.window
    prefer(window, language="en")
    window.run("void delete window.AudioContext")
    page.move("h2e2")
    window.wait("document.querySelectorAll('.move-row [data-node]').length === 1")
    return page.text("#status")


CHECKS = [play_a_whole_game, play_by_keyboard, watch_the_engine, press_buttons_slowly, leave_a_game_and_come_back, choose_a_move_in_advance,
          take_back_with_a_move_in_advance, start_a_game_by_two_clicks, resign_while_the_engine_moves,
          play_from_a_book, press_enter_twice, be_heard_from_the_first_click, do_without_sound]

# In a window of 390 x 844 with touch.
ON_A_PHONE = [use_a_phone, play_by_touch]
