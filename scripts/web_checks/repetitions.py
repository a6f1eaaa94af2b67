"""Checks of the page: rulings on repetitions, and their explanation."""

from web_page import CHASE


def open_ruling(page, fen, moves):
    """Opens a game that ends by a repetition, and the explanation of its ruling."""
    window = page.window
    page.open_text(f'[FEN "{fen}"]\n\n{moves} *')
    window.key("End")
    window.wait("document.querySelector('#ruling').offsetParent")
    window.click_on("#ruling")
    window.wait("document.querySelectorAll('.loop tr').length === 6")


def rule_a_repetition(page):
    """A perpetual check is ruled under the chosen rules, with reasons."""
    window = page.window
    open_ruling(page, *CHASE)
    window.wait("document.querySelector('#status').textContent.includes('Black wins')")
    window.wait("document.querySelector('#ruling').textContent.includes('Red loses')")
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
    window.wait("document.querySelector('#ruling').textContent.endsWith(' · Every repetition is a draw: Draw')")
    page.choose("#rules", "WXF")
    window.wait("document.querySelector('#status').textContent.includes('Black wins')")
    window.key("Escape")
    window.click_on("#language")
    window.wait("document.querySelector('#ruling').textContent.endsWith(' · WXF：红方负')")
    window.click_on("#ruling")
    window.wait("document.querySelector('.loop')?.textContent.includes('电脑对局')")
    page.picture("judge-chinese")
    assert "红方：长将，黑方：允许着法" in page.text(".loop"), page.text(".loop")
    window.key("Escape")
    window.click_on("#language")
    return "WXF: red loses; None: draw"


# A rook that chases a cannon without end.
ROOK_CHASES = ("3aka3/6R2/7c1/9/9/9/9/9/4A4/3AK1p2 w", "g8h8 h7c7 h8c8 c7h7 c8h8 h7c7 h8c8 c7h7 c8h8")


def speak_the_notation(page):
    """The explanation names pieces as the moves do, and as the names at the edges of the board."""
    window = page.window
    open_ruling(page, *ROOK_CHASES)
    reason = page.text(".loop")
    assert "chases C8 with every move" in reason and "cannon" not in reason, reason
    page.button("Show on the board")
    bar = "document.querySelector('#loop-bar').textContent"
    window.wait(f"{bar}.startsWith('Move 1 of 4 of the repetition · C8=3: ')")
    window.key("ArrowRight")
    window.wait(f"{bar}.includes('R2=7: chase') && {bar}.includes(' · R7 attacks C3: chase')")
    page.picture("loop-words")
    window.click_on("#open-settings")
    page.choose("#notation", "uci")
    window.wait(f"{bar}.includes('h8c8: chase') && {bar}.includes(' · rook c8 attacks cannon c7: chase')")
    squares = window.run(bar)
    page.choose("#notation", "wxf")
    window.wait(f"{bar}.includes(' · R7 attacks C3: chase')")
    window.key("Escape")
    return squares


def draw_a_repetition(page):
    """The explanation of a repetition goes through the loop on the board."""
    window = page.window
    open_ruling(page, *CHASE)
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


CHECKS = [rule_a_repetition, speak_the_notation, draw_a_repetition]
