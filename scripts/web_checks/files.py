"""Checks of the page: games and pictures that are opened and saved."""

from web_page import CHINESE_GAME, prefer


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


def save_as_every_kind(page):
    """The dialog offers what each kind holds, and what is saved is the game."""
    window = page.window
    page.open_text("1. h2e2 h9g7 (1. .. b9c7) 2. h0g2 *")
    window.click_on("#save-file")
    window.wait("document.querySelector('#save-kind')")
    kinds = window.run("[...document.querySelectorAll('#save-kind option')].map((option) => option.value)")
    assert len(kinds) == 7, kinds
    for kind in kinds:
        page.choose("#save-kind", kind)
        size, name = window.run("""fetch(document.querySelector('#download').href).then(async (answer) =>
            [(await answer.arrayBuffer()).byteLength, answer.headers.get('Content-Disposition')])""")
        assert size > 16 and "attachment" in name, (kind, size, name)
        if kind == "xqf":
            page.picture("save-xqf")
    window.key("Escape")
    return ", ".join(kinds)


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


CHECKS = [open_a_chinese_game, save_as_every_kind, save_a_picture]
