"""Checks of the page: what its users have stumbled over."""

import json
import time

from web_page import keep_a_puzzle, prefer

from web_checks.analysing import MISTAKES, analyse_the_game
from web_checks.layout import at_size

VISIBLE = "[...document.querySelectorAll({selector})].filter((element) => element.checkVisibility({{visibilityProperty: true}})).length"


def visible(window, selector):
    return window.run(VISIBLE.format(selector=json.dumps(selector)))


def hide_the_answer(page):
    """While one looks for a better move, nothing on the page tells it: no verdict, no mark, no list of moves."""
    window = page.window
    analyse_the_game(page, MISTAKES)
    page.button("Next mistake")
    window.wait("document.querySelector('.verdict .tag')")
    window.click_on("#learn")
    window.wait("document.querySelector('.learn-bar').offsetParent")
    shown = {selector: visible(window, selector) for selector in [".verdict", ".marker", "#moves", "#lines", ".curve", ".summary"]}
    assert not any(shown.values()), shown
    page.picture("learn-alone")
    window.key("Escape")
    window.wait("document.querySelector('.verdict').offsetParent")
    return "only the task"


def keep_no_puzzle(page):
    """A puzzle that one gets wrong is in no list of games."""
    window = page.window
    keep_a_puzzle(window)
    count = "document.body.cannonade.store.list().then((games) => games.length)"
    before = window.run(count)
    page.button("Analyse")
    window.click_on("#puzzles")
    window.wait("document.querySelector('.learn-bar').dataset.state === 'asking' && document.querySelector('.learn-bar').offsetParent")
    page.move("a0a1")
    window.wait("document.querySelector('.learn-bar').dataset.state === 'wrong'")
    window.click_on("#learn-end")
    time.sleep(1)
    assert window.run(count) == before, "the puzzle is listed as a game"
    assert not page.view()["moves"], page.view()["moves"]
    window.run("localStorage.removeItem('puzzles')")
    return f"{before} games as before"


def go_through_a_collection(page):
    """The games of a file one after the other, found by name, without choosing the file again."""
    window = page.window
    games = "".join(f'[Red "Player {number}"]\n[Black "Rival{number % 7}"]\n\n1. {move} *\n\n'
                    for number, move in enumerate(["h2e2", "b2e2", "c3c4", "h0g2"] * 15))
    page.open_text(games)
    window.wait("document.querySelector('#list-games')?.textContent === 'Game 1 of 60'")
    window.click_on("#game-forward")
    page.wait_for_view(lambda view: view["red"] == "Player 1")
    window.wait("document.querySelector('#list-games').textContent === 'Game 2 of 60'")
    window.run("Object.assign(document.querySelector('#search-games'), {value: 'player rival3'}).dispatchEvent(new Event('input'))")
    window.wait("document.querySelectorAll('.game-list button').length === 9")
    window.click_on('[data-number="11"]')
    page.wait_for_view(lambda view: view["red"] == "Player 10")
    window.click_on("#game-forward")
    page.wait_for_view(lambda view: view["red"] == "Player 17")
    page.picture("collection-search")
    return page.text("#list-games")


def begin_by_a_move(page):
    """The first move on the board begins the game of the form, and the engine answers."""
    prefer(page.window, language="en", side="red", time="0.2", elo=800)
    page.move("h2e2")
    view = page.wait_for_view(lambda view: view["contest"] and len(view["moves"]) == 2)
    page.button("Pause")
    return " ".join(move["move"] for move in view["moves"])


def forget_old_errors(page):
    """The reason why a text was refused goes when another one is opened."""
    window = page.window
    page.open_text_only("no game at all")
    window.wait("!document.querySelector('#toast').hidden")
    window.run("document.querySelector('#game-text').value = '1. h2e2 *'")
    window.click_on("#load-text")
    page.wait_for_view(lambda view: len(view["moves"]) == 1)
    assert window.run("document.querySelector('#toast').hidden"), page.text("#toast")
    window.problems[:] = [problem for problem in window.problems if "400" not in problem]
    return "nothing is said"


def leave_a_game_to_its_tab(page):
    """A second tab does not offer the game that is live in the first one."""
    window = page.window
    prefer(window, language="en", side="both", time="10+5")
    page.button("Start the game")
    page.move("h2e2")
    page.wait_for_view(lambda view: view["key"])
    key = page.view()["key"]
    first, window.session = window.session, None
    try:
        target = window.call("Target.createTarget", url=page.url)["targetId"]
        window.session = window.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        window.wait("document.readyState === 'complete' && document.body.classList.contains('ready')")
        # An older one may be.
        assert window.run("document.body.cannonade.games.unfinished?.key") != key, "the live game is offered"
        window.click_on("#open-file")
        window.wait(f"document.querySelector('[data-game=\"{key}\"]')?.disabled")
        said = page.text(f'[data-game="{key}"]')
        window.session = None
        window.call("Target.closeTarget", targetId=target)
    finally:
        window.session = first
    page.button("Pause")
    assert "open in another tab" in said, said
    return said


def print_the_game(page):
    """On paper there are the board and all moves, and no buttons."""
    window = page.window
    page.open_text(" ".join(f"{number}. h0g2 h9g7 {number + 1}. g2h0 g7h9" for number in range(1, 60, 2)) + " *")
    window.call("Emulation.setEmulatedMedia", media="print")
    try:
        shown = {selector: visible(window, selector) for selector in [".top", ".steps", ".moves-tools", ".engine-card", "button.tool"]}
        hidden = window.run("(({scrollHeight, clientHeight}) => scrollHeight - clientHeight)(document.querySelector('#moves'))")
        rows = visible(window, ".move-row")
        page.picture("print")
    finally:
        window.call("Emulation.setEmulatedMedia", media="")
    assert not any(shown.values()) and hidden <= 1 and rows == 60, (shown, hidden, rows)
    return f"{rows} rows"


def keep_moves_whole(page):
    """No move is broken, also in Chinese with comments on a tablet."""
    window = page.window
    prefer(window, language="zh")
    page.open_text("1. h2e2 $1 {长长的评注长长的评注长长的评注} (1. b2e2 $2 h9g7 $4 {另一条评注} 2. h0g2 $6) h9g7 $3 2. h0g2 $5 i9h9 *")
    for width in (820, 1024):
        def check(width=width):
            lines = window.run("[...document.querySelectorAll('#moves .text')].map((text) => text.getClientRects().length)")
            assert lines and set(lines) == {1}, f"at {width}: {lines}"

        at_size(page, width, 1000, check)
    return "at 820 and 1024"


def show_the_tables(page):
    """The result of an ending from the tables, and that of each move."""
    window = page.window
    page.open_text("3k5/9/9/9/9/9/9/9/9/R3K4 w")
    window.wait("document.querySelector('#table-card').offsetParent")
    said = page.text(".table-value")
    assert "Red wins in" in said, said
    window.click_on("[data-table-move]")
    page.wait_for_view(lambda view: len(view["moves"]) == 1)
    page.open_text("3k5/9/9/9/9/9/9/9/4A4/4K4 w")
    window.wait("document.querySelector('.table-value')?.textContent.includes('draw')")
    page.picture("tables")
    page.open_text("1. h2e2 *")
    window.wait("!document.querySelector('#table-card').offsetParent")
    return said


def set_up_with_help(page):
    """The set-up names a king outside its palace, marks the piece, undoes a step, and shows no names of the game before."""
    window = page.window
    page.open_text('[Red "Hu"]\n\n1. h2e2 h9g7 2. e2e6 *')
    window.key("End")
    page.button("Set up")
    window.wait("document.querySelector('#fen')")
    assert "Hu" not in page.text("#player-bottom") and not window.run("Boolean(document.querySelector('.captured'))")
    page.button("Clear")
    window.click_on('[data-tool="K"]')
    page.square("a5")
    window.wait("document.querySelector('.problem').textContent.includes('red king belongs')")
    window.wait("document.querySelector('.xq-annotations').children.length > 0")
    window.call("Input.dispatchKeyEvent", type="keyDown", key="z", modifiers=2, windowsVirtualKeyCode=90)
    window.call("Input.dispatchKeyEvent", type="keyUp", key="z", modifiers=2, windowsVirtualKeyCode=90)
    window.wait("document.querySelector('#fen').value.startsWith('9/9/9')")
    window.click_on('[data-tool="A"]')
    page.square("a0")
    window.wait("document.querySelector('.problem').textContent")
    said = page.text(".problem")
    page.button("Analyse")
    return said


def save_with_names(page):
    """Date and result have fields, and the file is named after the players."""
    window = page.window
    page.open_text('[Red "Hu Ronghua"]\n[Black "许银川"]\n\n1. h2e2 *')
    window.click_on("#save-file")
    window.wait("document.querySelector('#result')")
    page.choose("#result", "1-0")
    page.wait_for_view(lambda view: view["result"] == "1-0")
    file = page.saved("#download")
    window.key("Escape")
    assert file["name"] == "Hu-Ronghua-许银川.pgn" and "1-0" in file["text"], file
    return file["name"]


def analyse_twice(page):
    """An analysis by nodes finds the same twice."""
    window = page.window
    prefer(window, language="en", analysis="nodes 100000")
    found = []
    for _ in range(2):
        page.open_text("1. h2e2 h9g7 2. h0g2 i9h9 *")
        page.button("Analyse the game")
        window.wait("document.querySelector('.summary')", 60)
        found.append([(move.get("mark"), move["score"]["red"], move["score"]["depth"]) for move in page.view()["moves"]])
    assert found[0] == found[1], found
    return found[0]


def speak_the_language(page):
    """A mated side has no number of moves, and a person is called so in the language of the page."""
    window = page.window
    page.open_text("3k5/9/9/9/9/9/9/9/R8/1R3K3 w moves a1a8 d9e9 b0b9")
    page.button("Analyse the game")
    window.wait("[...document.querySelectorAll('.move .value')].some((value) => value.textContent === '#')", 60)
    return page.text("#status")


def open_sensibly(page):
    """A beginner's level plays its first moves from the built-in book."""
    prefer(page.window, language="en", side="red", time="0.2", elo=550)
    page.button("Start the game")
    page.move("h2e2")
    view = page.wait_for_view(lambda view: len(view["moves"]) == 2)
    page.button("Pause")
    assert view["moves"][1]["book"], view["moves"]
    return view["moves"][1]["text"]


def play_again(page):
    """After a game the first button begins it again with the sides swapped; two people agree to a draw."""
    window = page.window
    prefer(window, language="en", side="both", time="1+1")
    page.button("Start the game")
    page.move("h2e2")
    page.button("Offer a draw")
    page.wait_for_view(lambda view: view["end"] and view["end"]["reason"] == "agreement")
    page.picture("ended")
    page.button("Rematch")
    view = page.wait_for_view(lambda view: view["contest"]["running"] and not view["moves"])
    page.button("Pause")
    return f"{view['red']} - {view['black']}"


def move_at_once(page):
    """A piece stands on its square in the frame of the click, whatever the way to the server takes."""
    window = page.window
    page.button("Analyse")
    try:
        times = window.run("""(async () => {
            window.ask = window.fetch;
            window.fetch = (...call) => new Promise((done) => { setTimeout(done, 400); }).then(() => window.ask(...call));
            const app = document.body.cannonade;
            const times = [];
            for (const move of ['h2e2', 'h9g7', 'h0g2', 'i9h9', 'i0h0', 'b9c7']) {
                const start = performance.now();
                app.moved(move.slice(0, 2), move.slice(2));
                if (app.board.pieces.get(move.slice(2)) === undefined) throw new Error('not drawn');
                times.push(performance.now() - start);
                await new Promise((done) => setTimeout(done, 100));
            }
            return times;
        })()""")
    finally:
        window.run("void (window.fetch = window.ask)")
    shown = " ".join(f"{time:.1f}" for time in times)
    assert sorted(times)[len(times) // 2] < 50, shown
    return f"drawn after {shown} ms at 400 ms of delay"


def open_a_link(page):
    """An address with moves opens that line, once."""
    window = page.window
    window.open("about:blank#")
    window.open(page.url + "#moves=h2e2+h9g7+h0g2")
    window.wait("document.readyState === 'complete' && document.body.classList.contains('ready')")
    view = page.wait_for_view(lambda view: len(view["path"]) == 3)
    assert window.run("location.hash") == "", "the address would open the line again"
    link = window.run("document.body.cannonade.files.link")
    assert link.endswith("#moves=h2e2+h9g7+h0g2"), link
    return view["moves"][2]["text"]


def learn_by_side(page):
    """The mistakes of one side alone."""
    window = page.window
    analyse_the_game(page, MISTAKES)
    window.click_on("#learn")
    window.wait("document.querySelector('#learn-side').offsetParent")
    for side in ["red", "black"]:
        page.choose("#learn-side", side)
        window.wait(f"document.querySelector('.learn-bar').textContent.includes('{side.title()} played')")
    window.key("Escape")
    return "Red's, then Black's"


def find_the_board(page):
    """On a phone the board is in sight when it is needed."""
    window = page.window
    analyse_the_game(page, MISTAKES)
    for button in ["#next-mistake", "#learn"]:
        window.click_on(button)
        window.wait("(({top, bottom}) => top >= 0 && bottom <= innerHeight)(document.querySelector('#board').getBoundingClientRect())", 3)
    page.picture("phone-learn")
    window.run("document.querySelector('#learn-end').click()")
    return "after both buttons"


CHECKS = [move_at_once, hide_the_answer, keep_no_puzzle, go_through_a_collection, begin_by_a_move, forget_old_errors, leave_a_game_to_its_tab,
          print_the_game, keep_moves_whole, show_the_tables, set_up_with_help, save_with_names, analyse_twice, speak_the_language,
          open_sensibly, play_again, open_a_link, learn_by_side]

# In a window of 390 x 844 with touch.
ON_A_PHONE = [find_the_board]
