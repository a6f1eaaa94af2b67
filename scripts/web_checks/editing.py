"""Checks of the page: positions and games that are changed, and changes that are undone."""

import json

from web_page import keep_a_puzzle, load_again, prefer

OTHER = "3k5/9/9/9/R8/9/9/9/9/4K4 w"


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
    page.choose("#fen", "3k5/9/9/9/Rx7/9/2p6/9/4A4/4K4 w")
    window.wait("document.querySelector('#setup-card .problem').textContent.includes(\"'x'\")")
    assert window.run("document.querySelector('#fen').value").startswith("3k5/9/9/9/Rx7"), "the text has to stay"
    page.choose("#fen", "position fen 3k5/9/9/9/R8/9/2p6/9/4A4/4K4 w - - 99 57 moves a5a9")
    window.wait("document.querySelector('#fen').value === 'R2k5/9/9/9/9/9/2p6/9/4A4/4K4 b - - 100 57'")
    page.choose("#fen", "fen 3k5/9/9/9/R8/9/2p6/9/4A4/4K4 w - - 98 57")
    window.wait("document.querySelector('#fen').value === '3k5/9/9/9/R8/9/2p6/9/4A4/4K4 w - - 98 57'")
    window.wait("!document.querySelector('#use-analyse').disabled")
    page.button("Analyse it")
    view = page.wait_for_view(lambda view: view["fen"] == "3k5/9/9/9/R8/9/2p6/9/4A4/4K4 w - - 98 57")
    return view["fen"]


def leave_a_set_up(page):
    """The board can be flipped and nothing is saved; another game is set up from its own position, with a way back to the draft."""
    window = page.window
    page.open_text("1. h2e2 *")
    page.wait_for_view(lambda view: len(view["moves"]) == 1)
    page.button("Set up")
    page.button("Clear")
    window.wait("document.querySelector('#fen').value === '9/9/9/9/9/9/9/9/9/9 w'")
    assert window.run("document.querySelector('#save-file').disabled"), "the game that is not shown can be saved"
    window.run("document.activeElement.blur()")
    window.key("f")
    page.wait_for_view(lambda view: view["bottom"] == "black")
    window.click_on("#flip")
    page.wait_for_view(lambda view: view["bottom"] == "red")
    assert window.run("document.querySelector('#fen').value") == "9/9/9/9/9/9/9/9/9/9 w"
    page.button("Analyse")
    page.button("Set up")
    window.wait("document.querySelector('#fen').value === '9/9/9/9/9/9/9/9/9/9 w'")
    page.button("Shown position")
    window.wait("document.querySelector('#fen').value.startsWith('rnbakabnr/9/')")
    page.button("Clear")
    page.button("Analyse")
    page.open_text(f'[FEN "{OTHER}"]\n\n*')
    page.wait_for_view(lambda view: view["fen"].startswith(OTHER))
    page.button("Set up")
    window.wait(f"document.querySelector('#fen').value.startsWith('{OTHER}')")
    page.picture("setup-left")
    window.click_on("#language")
    window.wait("document.querySelector('.notice').textContent === '已保留所摆的局面。返回摆棋'")
    window.click_on("#language")
    page.button("Back to it")
    window.wait("document.querySelector('#fen').value === '9/9/9/9/9/9/9/9/9/9 w'")
    return "flipped, left and taken up again"


def annotate_a_game(page):
    """A comment and a mark are written, are in the list, and are saved; the keys go to a variation."""
    window = page.window
    page.open_text("1. h2e2 $1 $14 h9g7 $2 $4 *")
    window.wait("document.querySelectorAll('#moves .text').length === 2")
    texts = window.run("[...document.querySelectorAll('#moves .move')].map((move) => move.textContent + ' ' + move.className)")
    assert texts[0].split(" ")[0].endswith("!⩲") and "?" in texts[1] and "??" not in texts[1] and "mistake" in texts[1], texts
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
    window.click_on("#save-file")
    window.wait("document.querySelector('#download')")
    saved = page.saved("#download")["text"]
    window.key("Escape")
    assert "{The natural square. 正着}" in " ".join(saved.split()), saved
    return "a comment, a mark, a variation"


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


def change_a_running_game(page):
    """A file dropped on a running game, a game opened or pasted, and moves deleted from the first one on: one click has the game back."""
    window = page.window
    prefer(window, language="en", side="both", time="10+5")
    page.button("Start the game")
    page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
    for count, move in enumerate(["h2e2", "h9g7"]):
        window.wait(f"document.querySelectorAll('.move-row [data-node]').length === {count}")
        page.move(move)
    page.wait_for_view(lambda view: len(view["moves"]) == 2)
    window.wait("document.querySelectorAll('.move-row [data-node]').length === 2")

    drop = """(() => {
        const held = new DataTransfer();
        held.items.add(new File(['1. b2e2 *'], 'another.pgn'));
        for (const kind of ['dragenter', 'dragover', 'drop']) document.querySelector('#board').dispatchEvent(
            new DragEvent(kind, {dataTransfer: held, bubbles: true, cancelable: true}));
    })()"""
    paste = """(() => {
        const held = new DataTransfer();
        held.setData('text/plain', '1. b2e2 *');
        document.body.dispatchEvent(new ClipboardEvent('paste', {clipboardData: held, bubbles: true, cancelable: true}));
    })()"""
    for change in [lambda: window.run(drop), lambda: window.run(paste), lambda: page.open_text("1. b2e2 *")]:
        change()
        page.wait_for_view(lambda view: [move["move"] for move in view["moves"]] == ["b2e2"])
        page.button("Back to the last game")
        view = page.wait_for_view(lambda view: len(view["moves"]) == 2)
        assert view["contest"] and min(view["contest"]["left"]) > 500_000, f"the clocks are lost: {view['contest']}"
    page.button("Analyse")
    window.wait("document.querySelector('#remove-move')")
    window.click_on(f'[data-node="{view["moves"][0]["id"]}"]')
    page.wait_for_view(lambda now: now["node"] == view["moves"][0]["id"])
    window.click_on("#remove-move")
    page.wait_for_view(lambda view: not view["moves"])
    window.click_on(".notice button")
    page.wait_for_view(lambda view: len(view["moves"]) == 2)
    page.button("Play")
    page.button("Resume")
    page.wait_for_view(lambda view: view["contest"]["running"])
    page.button("Pause")
    return "dropped, pasted, opened, deleted"


def keep_what_is_held(page):
    """What changes meanwhile does not let go of a chosen or dragged piece, nor take a click away."""
    window = page.window

    def hear_of(name):
        """Everything is drawn again, with another name for Red."""
        window.run(f"void document.body.cannonade.change('settings', {{red: {json.dumps(name)}}})")
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
    window.run("void document.body.cannonade.change('annotate', {node: 0, comment: 'A comment above the moves.'})")
    hear_of("Lü")
    window.mouse("mouseReleased", *first)
    page.wait_for_view(lambda view: view["node"] == view["moves"][0]["id"])
    window.wait("document.querySelector('#moves .comment')")
    return "a chosen piece, a dragged one, a click"


def drag_with_two_buttons(page):
    """A drag ends where the last pressed button is released."""
    window = page.window
    x, y = window.middle('.xq-squares [data-square="h2"]')
    window.mouse("mousePressed", x, y)
    to_x, to_y = window.middle('.xq-squares [data-square="h4"]')
    window.drag_to(x, y, to_x, to_y)
    window.wait("document.querySelector('.xq-dragged')")
    for kind, button, buttons in [("mousePressed", "right", 3), ("mouseReleased", "left", 2), ("mouseReleased", "right", 0)]:
        window.call("Input.dispatchMouseEvent", type=kind, x=to_x, y=to_y, button=button, buttons=buttons, clickCount=1)
    assert not window.run("Boolean(document.querySelector('.xq-dragged'))"), "the piece hangs on the pointer"
    view = page.wait_for_view(lambda view: [move["move"] for move in view["moves"]] == ["h2h4"])
    return view["moves"][0]["text"]


def keep_what_is_typed(page):
    """A comment, and a FEN of the set-up, are not lost by a click on the board; then the arrow keys are the game's again."""
    window = page.window
    page.button("Analyse")
    window.click_on("#annotate")
    window.wait("document.activeElement.tagName === 'TEXTAREA'")
    window.call("Input.insertText", text="Before the first move")
    page.move("h2e2")
    view = page.wait_for_view(lambda view: len(view["moves"]) == 1)
    assert view["comment"] == "Before the first move", view
    window.wait("document.querySelector('#annotator textarea').value === ''")

    window.click_on("#annotate")
    window.run("document.querySelector('#line-count').focus()")
    window.click_on('[data-square="e5"]')
    window.key("ArrowLeft")
    page.wait_for_view(lambda view: view["node"] == 0)
    assert window.run("document.querySelector('#line-count').value") == "3", "the key has changed the lines"

    page.button("Set up")
    window.click_on('[data-tool="R"]')
    for after, act in [("R3k4/9/9/9/9/9/9/9/9/3K5 w", lambda: page.square("a9")), ("4k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1", lambda: page.button("Black"))]:
        window.click_on("#fen")
        window.run("document.querySelector('#fen').select()")
        window.call("Input.insertText", text="4k4/9/9/9/9/9/9/9/9/3K5 w")
        act()
        window.wait(f"document.querySelector('#fen').value === '{after}'")
    return view["comment"]


def undo_only_what_is_seen(page):
    """Ctrl+Z leaves the game alone that a dialog or a puzzle covers."""
    window = page.window
    keep_a_puzzle(window)
    page.button("Analyse")
    page.move("b2e2")
    page.wait_for_view(lambda view: len(view["moves"]) == 1)

    def press():
        window.call("Input.dispatchKeyEvent", type="keyDown", key="z", modifiers=2, windowsVirtualKeyCode=90)
        window.call("Input.dispatchKeyEvent", type="keyUp", key="z", modifiers=2, windowsVirtualKeyCode=90)

    window.click_on("#open-settings")
    window.wait("document.querySelector('#settings-dialog').open")
    window.run("document.querySelector('#rules').focus()")
    press()
    window.run("document.activeElement.blur()")
    press()
    window.key("Escape")
    window.wait("!document.querySelector('#settings-dialog').open")
    window.click_on("#puzzles")
    window.wait("document.querySelector('.learn-bar').dataset.state === 'asking' && document.querySelector('.learn-bar').offsetParent")
    press()
    assert window.run("document.querySelector('#undo').disabled && document.querySelector('#remove-move').hidden"), "buttons of a covered game"
    window.run("new Promise((done) => setTimeout(done, 200))")
    assert len(page.view()["moves"]) == 1, "a move is undone that nobody sees"

    # A line of the engine takes the place of the puzzle.
    window.key("a")
    window.wait("document.querySelector('#lines .line-move')")
    window.run("document.querySelector('#lines .line-move').click()")
    window.wait("document.querySelector('#line-bar').offsetParent && !document.querySelector('.learn-bar').offsetParent")
    window.key("Escape")
    press()
    page.wait_for_view(lambda view: len(view["moves"]) == 0)
    window.run("localStorage.removeItem('puzzles')")
    return "a dialog, a puzzle, the game"


CHECKS = [set_up, leave_a_set_up, annotate_a_game, undo_changes, change_a_running_game, keep_what_is_held, drag_with_two_buttons,
          keep_what_is_typed, undo_only_what_is_seen]
