"""Checks of the page: nothing is lost when a server ends or does not answer."""

import os
import pathlib
import signal
import tempfile
import time

from web_page import Server, load_again, prefer

from web_checks.layout import at_size


def begin_anew(window, url):
    """Opens the page of another server as in a new tab."""
    window.open(url)
    window.run("sessionStorage.clear()")
    load_again(window)
    window.wait("document.body.classList.contains('ready')")


def keep_games(page):
    """A server killed in the middle of a game loses nothing: the list has the game, in this tab and in a new one."""
    window = page.window
    with tempfile.TemporaryDirectory() as folder:
        with Server(page.program, "--games", folder) as server:
            begin_anew(window, server.url)
            prefer(window, language="en", side="both", time="10+5")
            window.wait("document.body.classList.contains('ready')")
            page.button("Start the game")
            page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
            for count, move in enumerate(["h2e2", "h9g7", "h0g2"]):
                window.wait(f"document.querySelectorAll('.move-row [data-node]').length === {count}")
                page.move(move)
            page.wait_for_view(lambda view: len(view["moves"]) == 3 and view["key"])
            time.sleep(1)
            server.process.kill()
        with Server(page.program, "--games", folder) as server:
            # Another port is another place for the browser: this is a new tab.
            begin_anew(window, server.url)
            window.wait("document.querySelector('#go-on')")
            page.picture("go-on")
            window.click_on("#go-on")
            view = page.wait_for_view(lambda view: len(view["moves"]) == 3)
            assert view["contest"]["left"][0] > 590000, view["contest"]
            page.button("Resume")
            page.wait_for_view(lambda view: view["contest"]["running"])
            page.button("Pause")
            window.click_on("#open-file")
            window.wait("document.querySelector('[data-game]')")
            page.picture("recent-games")
            window.click_on("[data-remove]")
            window.wait("document.querySelector('[data-restore]')")
            assert window.run("fetch('api/games').then((r) => r.json()).then((games) => games.length)") == 0
            window.click_on("[data-restore]")
            window.wait("document.querySelector('[data-game]')")
            games = window.run("fetch('api/games').then((r) => r.json())")
            assert len(games) == 1, games
            window.key("Escape")
    leave(window)
    return f"{games[0]['red']} - {games[0]['black']}, {games[0]['plies']} moves"


def keep_an_analysis(page):
    """A server killed in the middle of an analysis: it goes on in the same tab when the server is back."""
    window = page.window
    with tempfile.TemporaryDirectory() as folder:
        with Server(page.program, "--games", folder) as server:
            begin_anew(window, server.url)
            port = server.url.split(":")[2].split("/")[0]
            page.open_text("1. h2e2 h9g7 2. h0g2 i9h9 3. i0h0 b9c7 4. c3c4 g6g5 5. h0h6 c9e7 *")
            page.button("Analyse the game")
            page.wait_for_view(lambda view: view["key"] and view["sweep"] and view["sweep"][0] >= 3, 60)
            page.picture("progress")
            time.sleep(0.6)
            server.process.kill()
        with Server(page.program, "--games", folder, "--port", port) as server:
            window.open(server.url)
            window.wait("document.body.classList.contains('ready')")
            view = page.wait_for_view(lambda view: len(view["moves"]) == 10)
            known = sum("score" in move for move in view["moves"])
            assert known >= 2, view
            page.wait_for_view(lambda view: view["sweep"] is None and view["start_score"], 60)
            window.wait("document.querySelector('.summary')")
    leave(window)
    return f"{known} scores were kept"


def leave(window):
    window.open("about:blank#")
    window.problems.clear()
    window.requests.clear()


def lose_the_server(page):
    """While the server is stopped or killed, a bar says so and nothing looks alive; both end when the server is back; the game is not lost."""
    window = page.window
    looks_alive = """document.querySelector('.xq-annotations').children.length > 0
        || document.querySelector('#engine-facts').textContent !== '' || !document.querySelector('#analyse-on').disabled"""
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
        window.click_on(".switch")
        window.wait("document.querySelectorAll('#lines .value').length === 3 && document.querySelector('.xq-annotations').children.length")
        server.process.send_signal(signal.SIGSTOP)
        stopped = time.time()
        window.wait(bar, 40)
        said_after = time.time() - stopped
        assert said_after < 15, f"said after {said_after:.0f} s"
        window.wait(f"!({looks_alive})", 2)
        page.picture("away")
        server.process.send_signal(signal.SIGCONT)
        window.wait(f"!{bar}", 20)
        window.wait("document.querySelectorAll('#lines .value').length === 3")
        time.sleep(0.5)
        server.process.kill()
        window.wait(bar, 20)
        time.sleep(7)
        assert window.run(f"Boolean({bar})"), "the bar does not last"
        assert not window.run(looks_alive), "arrows, depth or switch look alive"
        assert window.run("document.querySelector('#save-copy').offsetParent !== null")
    with Server(page.program, "--port", port) as server:
        window.open(server.url)
        window.wait("document.body.classList.contains('ready')")
        view = page.wait_for_view(lambda view: len(view["moves"]) == 4 and len(view["path"]) == 3)
        page.wait_for_view(lambda view: view["bottom"] == "black")
    window.open("about:blank#")
    window.problems.clear()
    window.requests.clear()
    return f"said after {said_after:.0f} s, {len(view['moves'])} moves are there again"


def leave_room_for_the_bar(page):
    """The bar of a server that is away takes no part of the board, and the window still holds everything."""
    window = page.window
    places = """(() => {
        const end = (selector) => document.querySelector(selector).getBoundingClientRect().bottom;
        return [end('.away-bar'), document.querySelector('#board').getBoundingClientRect().top,
            Math.max(end('#board'), end('.steps'), document.documentElement.scrollHeight), innerHeight];
    })()"""
    sizes = [(1280, 800), (1024, 768), (844, 390), (640, 360)]
    with Server(page.program) as server:
        begin_anew(window, server.url)
        prefer(window, language="en")
        server.process.kill()
        window.wait("document.querySelector('.away-bar').offsetParent", 20)
    for width, height in sizes:
        def check(size=f"{width} x {height}"):
            window.wait("document.querySelector('.away-bar').getBoundingClientRect().bottom <= document.querySelector('#board').getBoundingClientRect().top", 2)
            page.picture(f"away-{size}")
            bar, board, last, inner = window.run(places)
            assert bar <= board and last <= inner, f"at {size} the bar ends at {bar}, the board begins at {board}, the page ends at {last}"

        at_size(page, width, height, check)
    for width, height in [(360, 640)]:
        at_size(page, width, height, lambda: page.picture("away-360 x 640"))
    leave(window)
    return f"{len(sizes)} sizes"


def keep_a_comment(page):
    """A typed comment outlives a reload, and a server that does not answer when it is left: it stays in the field and is saved later."""
    window = page.window
    field = "document.querySelector('#annotator textarea')"
    bar = "document.querySelector('.away-bar').offsetParent"
    comment = lambda view, at: view["moves"][at].get("comment")

    def type_a_comment(text):
        window.wait("document.querySelector('#annotator').hidden")
        window.click_on("#annotate")
        window.wait("document.activeElement.tagName === 'TEXTAREA'")
        window.call("Input.insertText", text=text)

    with Server(page.program) as server:
        window.open(server.url)
        prefer(window, language="en")
        page.open_text("1. h2e2 h9g7 2. h0g2 *")
        window.key("End")
        page.wait_for_view(lambda view: len(view["path"]) == 3)
        type_a_comment("loaded again")
        load_again(window)
        page.wait_for_view(lambda view: comment(view, 2) == "loaded again")
        window.key("ArrowLeft")
        page.wait_for_view(lambda view: len(view["path"]) == 2)
        type_a_comment("not answered")
        server.process.send_signal(signal.SIGSTOP)
        # The field is left.
        page.square("e5")
        window.wait(bar, 40)
        time.sleep(1)
        assert window.run(f"{field}.value") == "not answered", "the text is lost while the server is away"
        server.process.send_signal(signal.SIGCONT)
        window.wait(f"!{bar}", 20)
        page.wait_for_view(lambda view: comment(view, 1) == "not answered")
        window.key("ArrowRight")
        window.wait(f"{field}.value === 'loaded again'")
    leave(window)
    return "in two comments"


def pause_a_game_that_is_left(page):
    """A game that is left while there is no connection is paused as soon as there is one; until then its clocks stand still."""
    window = page.window
    prefer(window, language="en", side="both", time="1+1")
    page.button("Start the game")
    clocks = "[...document.querySelectorAll('.clock')].map((clock) => clock.textContent)"
    for count, ways in enumerate([["Analyse"], ["Pause", "New game"]]):
        page.wait_for_view(lambda view: view["contest"] and view["contest"]["running"])
        window.wait("document.querySelector('#take-back')")
        page.move(["h2e2", "h9g7"][count])
        page.wait_for_view(lambda view, count=count: view["contest"]["ticking"] == ["black", "red"][count])
        window.wait(f"document.querySelectorAll('.move-row [data-node]').length === {count + 1}")
        window.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
        for way in ways:
            page.button(way)
            # The bar moves the buttons.
            window.wait("document.querySelector('.away-bar').offsetParent")
        before = window.run(clocks)
        time.sleep(1.2)
        after = window.run(clocks)
        assert before == after and all(after), f"without a connection the clocks show {before}, then {after}"
        window.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
        view = page.wait_for_view(lambda view: not view["contest"]["running"])
        assert not view["end"], view["end"]
        window.wait("!document.querySelector('.away-bar').offsetParent")
        page.button("Play")
        page.button("Back to the game" if "New game" in ways else "Resume")
    page.wait_for_view(lambda view: view["contest"]["running"])
    page.button("Pause")
    window.problems[:] = [problem for problem in window.problems if "ERR_INTERNET_DISCONNECTED" not in problem]
    return f"{' and '.join(after)} are left"


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


def close_the_page(page):
    """The engine rests after the page with an analysis is closed, and works on when the page is there again."""
    window = page.window

    def work():
        """The seconds that the processor works for the server in one second; 0 where the system does not tell."""
        def used():
            try:
                times = pathlib.Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                return 0
            return int(times[11]) / os.sysconf("SC_CLK_TCK")
        before = used()
        time.sleep(1)
        return used() - before

    with Server(page.program) as server:
        window.open(server.url)
        window.wait("document.querySelector('#status')?.textContent")
        page.open_text("1. h2e2 h9g7 *")
        window.click_on(".switch")
        window.wait("document.querySelectorAll('#lines .value').length === 3")
        at_work = work()
        assert at_work > 0.05 or not pathlib.Path("/proc/self/stat").exists(), f"{at_work:.2f} s of work a second: nothing is measured"
        window.open("about:blank#")
        end = time.time() + 10
        while (at_rest := work()) > 0.05:
            assert time.time() < end, f"the engine works {at_rest:.2f} s a second for a closed page"
        window.open(server.url)
        window.wait("document.querySelectorAll('#lines .value').length === 3")
        assert len(page.view()["moves"]) == 2, "the page has another game"
        window.open("about:blank#")
    window.requests.clear()
    return f"{at_work:.2f} and {at_rest:.2f} s of work a second"


CHECKS = [close_the_page, keep_games, keep_an_analysis, keep_a_comment, leave_room_for_the_bar, lose_the_server, pause_a_game_that_is_left, start_the_server_again]
