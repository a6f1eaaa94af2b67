"""Checks of the page: lines, the analysis of a game, and what one learns from it."""

import json
import time

from web_page import keep_a_puzzle, load_again, prefer

# Black's fourth move gives a rook away, Red's fifth move does not take it.
MISTAKES = "1. h2e2 i9i8 2. h0g2 i8d8 3. b0c2 d8d3 4. g3g4 d3e3 5. a0a1 h9g7 *"


def analyse_the_game(page, moves):
    page.open_text(moves)
    page.button("Analyse the game")
    page.window.wait("document.querySelector('.summary')", 60)


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
    window.mouse("mouseMoved", *window.middle('#lines [data-count="2"]'), button="none")
    window.wait("document.querySelector('.hover-board').offsetWidth > 0")
    lacking = window.run("[...document.querySelectorAll('.hover-board use')].map((use) => use.getAttribute('href')).filter((id) => !document.querySelector(id))")
    assert not lacking, f"the board beside the pointer lacks {lacking}"
    page.picture("hover-board")
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
    # All positions of the inserted moves may be known already.
    page.open_text("1. h2e2 h9g7 2. h0g2 i9h9 *")
    page.button("Analyse the game")
    page.wait_for_view(lambda view: view["sweep"] is None and view["start_score"], 60)
    window.wait("document.querySelector('#curve path.now')")
    page.picture("curve")
    return f"stopped after {stop:.2f} s"


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
    saved = page.saved("#download")["text"]
    assert "[%eval" in saved and "$4" in saved, saved
    window.click_on("#with-analysis")
    assert "[%eval" not in page.saved("#download")["text"]
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
    # Another notation is also that of the puzzle.
    window.click_on("#language")
    window.wait("/走了[^A-Za-z]+。/.test(document.querySelector('.learn-bar').textContent)")
    window.click_on("#language")
    window.wait("document.querySelector('.learn-bar').textContent.match(/played [A-Z+]\\S+ Find a better move/)")
    assessed = window.run("document.body.cannonade.review.found")
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


def stop_a_check_of_a_move(page):
    """While a tried move is examined, the solution is shown and stays, or the puzzle is left; after a failure one tries again."""
    window = page.window
    keep_a_puzzle(window)
    page.button("Analyse")
    state = "document.querySelector('.learn-bar').dataset.state"
    window.run("""void (() => {
        const ask = window.fetch;
        let count = 0;
        window.fetch = async (address, ...rest) => {
            if (/analyse$/.test(address)) {
                count += 1;
                if (count === 1) throw new TypeError('away');
            }
            const answer = await ask(address, ...rest);
            // A slow click, too, comes while the move is examined.
            if (/analyse$/.test(address)) await new Promise((done) => { window.goOn = done; });
            return answer;
        };
    })()""")
    window.click_on("#puzzles")
    window.wait(f"{state} === 'asking' && document.querySelector('.learn-bar').offsetParent")
    window.run(f"void (window.states = [], new MutationObserver(() => window.states.push({state})).observe(document.querySelector('.learn-bar'), {{attributes: true}}))")
    page.move("g3g4")
    window.wait("window.states.includes('checking')")
    window.wait(f"{state} === 'asking'")
    # The bar that says so moves the board.
    window.wait("!document.querySelector('.away-bar').offsetParent")
    for button, after in [("#learn-show", "shown"), ("#learn-end", None)]:
        page.move("g3g4")
        window.wait(f"{state} === 'checking'")
        window.wait("window.goOn")
        window.click_on(button)
        window.run("void (window.goOn(), window.goOn = null)")
        window.run("new Promise((done) => setTimeout(done, 1800))")
        assert window.run("document.querySelector('#toast').hidden"), page.text("#toast")
        if after:
            assert window.run(state) == after, window.run(state)
            window.click_on("#learn-end")
            window.click_on("#puzzles")
            window.wait(f"{state} === 'asking'")
    assert not window.run("Boolean(document.querySelector('.learn-bar').offsetParent)"), "the puzzle is not left"
    window.run("localStorage.removeItem('puzzles')")
    return "asked again, shown, left"


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
    page.picture("puzzle")
    window.key("s")
    window.wait("document.querySelector('#voice').textContent === 'Red to move'")
    shown = window.run("[...document.querySelectorAll('.captured, .meter:not(.unknown), .player.turn .side.black')].length")
    assert shown == 0, "a puzzle tells of the hidden game"
    load_again(window)
    window.wait("!document.querySelector('#puzzles').hidden")
    count = window.run("JSON.parse(localStorage.getItem('puzzles')).length")
    window.run("localStorage.removeItem('puzzles')")
    return f"{count} puzzles"


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


def look_into_a_book(page):
    """The moves of the built-in book with their weights; one is played by a click; a file is opened."""
    window = page.window
    page.open_text("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w")
    window.wait("document.querySelector('#book')")
    page.choose("#book", "0")
    window.wait("document.querySelectorAll('[data-book-move]').length > 3")
    page.picture("book")
    window.click_on('[data-book-move="h2e2"]')
    page.wait_for_view(lambda view: len(view["path"]) == 1)
    window.wait("!document.querySelector('[data-book-move=\"h2e2\"]')")
    window.wait("document.querySelector('[data-book-move=\"h9g7\"]')")
    wrong = window.run("""fetch('api/open-book?name=x', {method: 'POST', body: 'no book',
        headers: {'Content-Type': 'application/octet-stream'}}).then((r) => r.json())""")
    assert "not used" in wrong["error"], wrong
    window.problems[:] = [problem for problem in window.problems if "400" not in problem]
    page.choose("#book", "off")
    window.wait("!document.querySelector('[data-book-move]')")
    return "moves with weights, one played"


CHECKS = [analyse, leave_gaps_in_the_curve, summarise_the_game, learn_from_mistakes, stop_a_check_of_a_move,
          collect_puzzles, look_at_threats, look_into_a_book]
