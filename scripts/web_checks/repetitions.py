"""Checks of the page: rulings on repetitions, and their explanation."""

from web_page import CHASE


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
    # The loop is shown from its first move, so the end is left.
    page.wait_for_view(lambda view: len(view["path"]) < len(view["moves"]))
    window.key("End")
    page.wait_for_view(lambda view: len(view["path"]) == len(view["moves"]))
    window.wait("document.querySelector('#status').textContent.includes('Black wins')")
    window.click_on("#open-settings")
    page.choose("#rules", "None")
    window.wait("document.querySelector('#status').textContent.includes('Draw')")
    page.picture("settings")
    page.choose("#rules", "WXF")
    window.wait("document.querySelector('#status').textContent.includes('Black wins')")
    window.key("Escape")
    return "WXF: red loses; None: draw"


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


CHECKS = [rule_a_repetition, draw_a_repetition]
