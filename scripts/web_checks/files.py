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
        file = page.saved("#download")
        assert file["size"] > 16 and file["name"].startswith("game."), (kind, file)
        if kind == "xqf":
            page.picture("save-xqf")
    window.key("Escape")
    return ", ".join(kinds)


def open_files_at_the_limits(page):
    """A file that is too large is refused in the language of the page, defects are named in it, and a game that is not listed is found."""
    window = page.window
    prefer(window, language="zh", coordinates="auto")
    load = """((text) => {
        const data = new DataTransfer();
        data.items.add(new File([text], 'games.pgn'));
        document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true}));
    })"""
    said = "!document.querySelector('#toast').hidden && document.querySelector('#toast').textContent"
    window.run(f"{load}('x'.repeat(13 * 2 ** 20))")
    window.wait(f"{said} === '文件超过 4 MiB'")
    window.run(f"{load}('1. h2e2 h2h9 *')")
    window.wait(f"{said} === '第 1 局第 1 回合的“h2h9”不是合法着法，其后的着法未读入'")
    page.open_text_only("4k4/9/9/9/9/9/9/9/3K5/A8 w")
    window.wait(f"{said} === '红仕不能放在本方九路第 1 横线'")
    page.picture("toast-chinese")
    window.run("document.querySelector('#game-text').value = '4k4/9/9/9/9/9/9/9/9/4K4 w'")
    window.click_on("#load-text")
    window.wait(f"{said} === '将帅在红方五路照面，请在其间放一子'")
    window.key("Escape")
    window.run(f"{load}('[Event \"x\"]\\n\\n1. h2e2 *\\n\\n'.repeat(2000) + '[Red \"Last\"]\\n\\n1. c3c4 *')")
    window.wait("document.querySelector('#search-games')", 30)
    page.picture("collection")
    window.run("Object.assign(document.querySelector('#search-games'), {value: 'last'}).dispatchEvent(new Event('input'))")
    window.click_on('[data-number="2001"]')
    page.wait_for_view(lambda view: view["red"] == "Last")
    assert "2001" in page.text("#list-games"), page.text("#list-games")
    return "13 MiB, a wrong move, a wrong position, game 2001"


def drop_on_a_dialog(page):
    """A game dropped while a dialog is open closes the dialog, which shows the game before."""
    window = page.window
    page.open_text('[Red "Hu"]\n\n1. h2e2 *')
    for opener, dialog in [("#save-file", "#save-dialog"), ("#open-settings", "#settings-dialog")]:
        window.click_on(opener)
        window.wait(f"document.querySelector('{dialog}').open")
        window.run("""(() => {
            const held = new DataTransfer();
            held.items.add(new File(['1. b2e2 *'], 'another.pgn'));
            document.querySelector('dialog[open]').dispatchEvent(new DragEvent('drop', {dataTransfer: held, bubbles: true, cancelable: true}));
        })()""")
        window.wait("!document.querySelector('dialog[open]')")
    view = page.wait_for_view(lambda view: [move["move"] for move in view["moves"]] == ["b2e2"])
    window.click_on("#save-file")
    window.wait("document.querySelector('#save-dialog input').value === ''")
    window.key("Escape")
    return view["moves"][0]["text"]


def save_a_picture(page):
    """The shown position is saved as SVG and PNG as the board looks, and copied."""
    window = page.window
    prefer(window, language="en", pieces="latin", board="jade")
    page.open_text("1. h2e2 *")
    window.click_on("#save-file")
    window.wait("document.querySelector('#picture-png')")
    files = [page.saved(f"#picture-{kind}") for kind in ("svg", "png")]
    kinds = [(file["type"], file["size"]) for file in files]
    assert [kind for kind, _ in kinds] == ["image/svg+xml", "image/png"] and min(size for _, size in kinds) > 5000, kinds
    window.run("navigator.clipboard.write = (items) => items[0].getType('image/png').then((blob) => { window.copied = blob.size; })")
    window.click_on("#picture-copy")
    window.wait("window.copied > 5000")
    window.key("Escape")
    return ", ".join(f"{kind} of {size} bytes" for kind, size in kinds)


def drop_and_paste_texts(page):
    """A text dropped on a field belongs to the field, elsewhere it is opened; a pasted FEN may have moves."""
    window = page.window
    window.wait("document.body.classList.contains('ready')")
    page.button("Analyse")
    window.click_on("#annotate")

    def drop(selector):
        return window.run(f"""(() => {{
            const held = new DataTransfer();
            held.setData('text/plain', '1. b2e2 *');
            const event = (kind) => new DragEvent(kind, {{dataTransfer: held, bubbles: true, cancelable: true}});
            return ['dragover', 'drop'].map((kind) => document.querySelector('{selector}').dispatchEvent(event(kind)));
        }})()""")

    assert drop("#annotator textarea") == [True, True], "the page has taken the text of a field"
    assert drop("#board") == [False, False], "the page has not taken the text"
    page.wait_for_view(lambda view: [move["move"] for move in view["moves"]] == ["b2e2"])
    page.open_text("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h9g7")
    view = page.wait_for_view(lambda view: [move["move"] for move in view["moves"]] == ["h2e2", "h9g7"])
    return f"{len(view['moves'])} moves behind a FEN"


def close_a_dialog(page):
    """A click beside a dialog closes it; one on its edge, and a selection that ends outside, do not."""
    window = page.window
    is_open = "document.querySelector('#load-dialog').open"
    window.click_on("#open-file")
    window.wait(is_open)
    left, top, height = window.run("(({left, top, height}) => [left, top, height])(document.querySelector('#load-dialog').getBoundingClientRect())")
    x, y = window.middle("#game-text")
    window.click(left + 6, top + height / 2)
    assert window.run(is_open), "closed by a click on its edge"
    for begin, end in [((x, y), (left - 60, y)), ((left - 60, y), (x, y))]:
        window.mouse("mousePressed", *begin)
        window.drag_to(*begin, *end)
        window.mouse("mouseReleased", *end)
        assert window.run(is_open), f"closed by a selection from {begin} to {end}"
    window.click(left - 60, y)
    window.wait(f"!{is_open}")
    return "by a click beside it"


def copy_without_permission(page):
    """A browser that does not allow copying is named as the reason."""
    window = page.window
    window.run("void (navigator.clipboard.write = navigator.clipboard.writeText = () => Promise.reject(new DOMException('denied', 'NotAllowedError')))")
    window.click_on("#save-file")
    window.wait("document.querySelector('#save-dialog').open")
    said = []
    for name in ["Copy the text", "Copy the FEN"]:
        window.run("void (document.querySelector('#toast').textContent = '')")
        page.button(name)
        window.wait("document.querySelector('#toast').textContent !== ''")
        said.append(page.text("#toast"))
    assert said == ["The browser does not allow copying."] * 2, said
    # In Safari a click no longer counts when the text comes from the server.
    calls = window.run("""(() => {
        let calls = 0;
        navigator.clipboard.write = async () => { calls += 1; };
        [...document.querySelectorAll('dialog[open] button')].find((button) => button.textContent === 'Copy the text').click();
        return calls;
    })()""")
    assert calls == 1, "the clipboard is not asked during the click"
    window.key("Escape")
    return said[0]


CHECKS = [open_a_chinese_game, save_as_every_kind, open_files_at_the_limits, drop_on_a_dialog, save_a_picture, drop_and_paste_texts, close_a_dialog, copy_without_permission]
