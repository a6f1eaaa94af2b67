"""The engine in the process, analysis, batches and tables."""

import io
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from cannonade import (
    Board,
    Engine,
    Game,
    Limit,
    Score,
    analyse_game,
    evaluate,
    legal_moves,
    piece_arrays,
    read_games,
    tables,
    write_games,
)

MATED = "3k4R/6R2/9/9/9/9/9/9/9/4K4 b"
MATE_IN_TWO = "3k5/9/9/9/9/9/9/R8/1R7/4K4 w"


def test_a_search_finds_a_mate():
    with Engine() as engine:
        found = engine.analyse(Board(MATE_IN_TWO), nodes=20_000, multipv=2)
        assert found.score.kind == "mate" and found.score.value > 0
        assert found.pv[0] == found.best and len(found.lines) == 2
        assert engine.play(Board(MATE_IN_TWO), depth=3).move is not None


def test_lines_are_reported_while_searching_and_an_exception_ends_the_search():
    lines = []
    with Engine() as engine:
        engine.analyse(Board(), depth=6, info=lines.append)
        assert lines and lines[-1].moves and lines[-1].score.kind == "cp"

        def fail(line):
            raise KeyError(line.depth)

        with pytest.raises(KeyError):
            engine.analyse(Board(), infinite=True, info=fail)
        assert engine.analyse(Board(), depth=2).best is not None


def test_the_info_of_a_search_cannot_use_its_engine_and_does_not_wait_for_it():
    with Engine() as engine:
        for call in (engine.new_game, lambda: engine.analyse(Board(), depth=1), lambda: engine.configure({"Hash": 1})):
            with pytest.raises(RuntimeError, match="can only call stop"):
                engine.analyse(Board(), nodes=10_000, info=lambda _, call=call: call())
        found = engine.analyse(Board(), infinite=True, info=lambda _: engine.stop())
        assert found.best in Board().legal_moves


def test_an_analysis_streams_and_stops():
    board = Board()
    with Engine() as engine:
        with engine.analysis(board, multipv=2) as analysis:
            board.push("h2e2")
            for info in analysis:
                if info.depth >= 4 and info.multipv == 2:
                    break
        found = analysis.wait()
        assert found.best in Board().legal_moves and found.best == found.pv[0]
        assert [info.multipv for info in analysis.multipv] == [1, 2] and analysis.info == analysis.multipv[0]
        list(analysis)
        assert list(analysis) == []
        # A stop that comes before the search has begun.
        for _ in range(20):
            analysis = engine.analysis(board)
            analysis.stop()
            assert analysis.wait().depth < 30
        with engine.analysis(board, Limit(nodes=300)) as analysis:
            assert [info.nodes for info in analysis] and analysis.wait().nodes >= 300
        assert engine.analyse(board, depth=2).best is not None


def test_an_analysis_raises_what_its_search_raises():
    with Engine() as engine:
        with pytest.raises(ValueError, match="nodes: -1 is not"):
            engine.analysis(Board(), Limit(nodes=-1))
        analysis = engine.analysis(Board(), moves="e0e5")
        for result in (analysis.wait, lambda: list(analysis)):
            with pytest.raises(ValueError, match="e0e5"):
                result()
        with pytest.raises(KeyError), engine.analysis(Board()):
            raise KeyError
        assert list(engine.analysis(Board(MATED))) == [] and engine.analysis(Board(MATED)).wait().best is None
    with pytest.raises(ValueError, match="closed"):
        engine.analysis(Board())


def test_an_analysis_that_nobody_stops_does_not_outlive_the_interpreter():
    code = "import cannonade; e = cannonade.Engine(); a = e.analysis(cannonade.Board()); next(iter(a)); print('end')"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=False)
    assert (run.returncode, run.stdout.strip(), run.stderr) == (0, "end", "")


def test_limits_in_one_object():
    with Engine() as engine:
        assert engine.analyse(Board(), Limit(depth=3)).depth == 3
        assert engine.analyse(Board(MATE_IN_TWO), Limit(mate=2)).score.mate() > 0
        start = time.monotonic()
        black = Board()
        black.push("h2e2")
        assert engine.play(black, Limit(red_clock=10_000, black_clock=0.05)).move in black.legal_moves
        assert time.monotonic() - start < 5
        for wrong in (Limit(), Limit(black_clock=1)):
            with pytest.raises(ValueError, match="expected a limit"):
                engine.play(Board(), wrong)
        with pytest.raises(ValueError, match="expected a limit"):
            engine.analyse(Board(), Limit())
        with pytest.raises(ValueError, match="depth: -1 is not"):
            engine.analyse(Board(), Limit(depth=-1))
        with pytest.raises(TypeError, match="Limit or nodes, not both"):
            engine.play(Board(), Limit(depth=1), nodes=5)
        with pytest.raises(TypeError, match="expected a Limit, such as"):
            engine.analyse(Board(), 5)


def test_results_are_attributes_and_keys():
    with Engine() as engine:
        lines = []
        found = engine.analyse(Board(), depth=3, info=lines.append)
        played = engine.play(Board(), nodes=100)
    for result in (found, played, lines[-1]):
        assert len(result) == len(dict(result)) > 2
        for name, value in result.items():
            assert getattr(result, name) is value or getattr(result, name) == value
        for missing in ("string", "__len__", "_x"):
            assert missing not in result and result.get(missing, 7) == 7
            with pytest.raises(KeyError):
                result[missing]
    assert found["pv"] == found.pv and found["move"] == found.best and lines[-1]["pv"] == lines[-1].moves


def test_the_options_are_those_of_the_engine():
    with Engine() as engine:
        options = engine.options
        assert {"Threads", "Hash", "RepetitionRule"} <= set(options) and "MultiPV" not in options
        for option in options.values():
            if option.default is not None:
                engine.configure({option.name: option.default})
            if option.type == "spin":
                assert option.min <= option.default <= option.max
            if option.type == "combo":
                assert option.default in option.var
        assert options["RepetitionRule"].default == "WXF" and "CXA" in options["RepetitionRule"].var


def test_numbers_of_threads_and_sizes_of_the_table_that_cannot_be_are_refused():
    for wrong in ({"threads": 0}, {"threads": 513}, {"threads": -1}, {"hash": 0}, {"hash": 65537}):
        ((name, value),) = wrong.items()
        with pytest.raises(ValueError, match=f"^{name}: {value} is not a whole number from 1 to"):
            Engine(**wrong)


def test_arrays_without_numpy_name_the_remedy(monkeypatch):
    monkeypatch.setattr("cannonade._batches.find_spec", lambda name: None)
    for call in (evaluate, legal_moves, piece_arrays):
        with pytest.raises(ImportError, match=r"pip install cannonade\[numpy\]"):
            call([Board().fen()])


def test_stop_ends_a_search_of_another_thread():
    engine = Engine()
    found = []
    thread = threading.Thread(target=lambda: found.append(engine.analyse(Board(), infinite=True)))
    thread.start()
    time.sleep(0.3)
    engine.stop()
    thread.join(10)
    assert found and found[0].best in Board().legal_moves
    engine.close()
    with pytest.raises(ValueError, match="closed"):
        engine.analyse(Board(), depth=1)


def test_eight_threads_search_at_once_and_leave_the_interpreter_free():
    engines = [Engine(hash=1) for _ in range(8)]
    found = [None] * 8

    def search(i):
        found[i] = engines[i].analyse(Board(), time=0.5)

    threads = [threading.Thread(target=search, args=[i]) for i in range(8)]
    start = time.monotonic()
    for thread in threads:
        thread.start()
    turns = 0
    while any(thread.is_alive() for thread in threads):
        turns += 1
        time.sleep(0.001)
    elapsed = time.monotonic() - start
    assert all(one is not None and one.depth >= 1 for one in found)
    # One after another they would take four seconds.
    assert elapsed < 3.5, elapsed
    assert turns > 20, turns


def test_the_rules_of_the_engine_are_an_option():
    with Engine(rules="CXA", options={"Skill Level": 5}) as engine:
        engine.configure({"Hash": 2})
        for name, value in (("RepetitionRule", "FIDE"), ("No Such Option", 1), ("Hash", "many")):
            with pytest.raises(ValueError):
                engine.configure({name: value})
        for wrong in ({}, {"time": -1.0}, {"time": float("nan")}, {"nodes": 1, "multipv": 0}, {"nodes": 1, "moves": ["e0e5"]}):
            with pytest.raises(ValueError):
                engine.analyse(Board(), **wrong)
        for name, value in (("nodes", -1), ("nodes", 2**64), ("depth", -1), ("depth", 2**32), ("mate", -1), ("multipv", 2**70)):
            with pytest.raises(ValueError, match=f"{name}: {value} is not a whole number"):
                engine.analyse(Board(), **{"nodes": 1, name: value})


def test_files_that_cannot_be_opened_are_an_os_error(tmp_path):
    missing, damaged = tmp_path / "missing", tmp_path / "damaged"
    damaged.write_bytes(b"CANNONET" + bytes(100))
    game = Game()
    game.add_line("h2e2")
    with Engine() as engine:
        for path, expected in ((missing, FileNotFoundError), (damaged, ValueError)):
            for name in ("EvalFile", "BookFile"):
                with pytest.raises(expected, match=f"option {name}: .*{path.name}") as raised:
                    engine.configure({name: str(path)})
                assert "os error" not in str(raised.value)
            with pytest.raises(expected):
                evaluate([Board().fen()], network=path)
        for path, expected in ((missing, FileNotFoundError), (damaged, NotADirectoryError)):
            for call in (
                lambda folder: engine.configure({"TablePath": str(folder)}),
                tables.Tables,
                lambda folder: analyse_game(game, nodes=1, tables=folder),
            ):
                with pytest.raises(expected, match=path.name):
                    call(path)


def test_more_threads_than_keep_the_time_are_a_warning():
    if 4 * (os.cpu_count() or 1) >= 512:
        pytest.skip("the machine has room for all threads")
    engine = Engine()
    for call in (lambda: Engine(threads=512), lambda: engine.configure({"Threads": 512})):
        with pytest.warns(UserWarning, match="512 threads would not keep the time") as warned:
            call()
        assert [warning.filename for warning in warned] == [__file__]
    with pytest.warns(UserWarning), pytest.raises(ValueError, match="many"):
        # The options after it are set, too.
        Engine(threads=512, options={"Hash": "many"})


def test_options_of_clients_are_refused_with_what_there_is_instead(tmp_path):
    with Engine() as engine:
        for name in ("MultiPV", "multi pv"):
            with pytest.raises(ValueError, match="multipv="):
                engine.configure({name: 2})
        with pytest.raises(ValueError, match="info="):
            engine.configure({"Debug Log File": str(tmp_path / "log")})
        with pytest.raises(ValueError, match="moves: expected at least one"):
            engine.analyse(Board(), nodes=10, moves=[])
        assert engine.analyse(Board(), nodes=10, moves=(move for move in ["a0a1"])).best == Board().parse_move("a0a1")
        assert {line.moves[0].uci() for line in engine.analyse(Board(), nodes=100, moves="a0a1, a0a2", multipv=9).lines} == {"a0a1", "a0a2"}


def test_a_position_without_moves_has_no_best_move():
    with Engine() as engine:
        found = engine.analyse(Board("3k4R/6R2/9/9/9/9/9/9/9/4K4 b"), nodes=100)
        assert found.best is None and found.score.value == 0


def test_scores():
    assert str(Score("cp", 35)) == "+0.35" and Score("mate", -2).centipawns == -29996
    assert Score("cp", 35).for_red(False).value == -35
    assert [score.score() for score in (Score("cp", 35), Score("mate", 3), Score("rule", 4))] == [35, None, 19996]
    mates = [Score("mate", 3), Score("mate", -3), Score("mate", 0), Score("mate", 0, wins=True)]
    assert [score.score(mate_score=1000) for score in mates] == [997, -997, -1000, 1000]
    assert [score.mate() for score in mates] == [3, -3, 0, 0] and Score("rule", 4).mate() is None


def test_a_start_that_cannot_be_searched_is_refused():
    (game,) = read_games(b'[FEN "3kR4/9/9/9/9/9/9/9/9/4K4 w"]\n\n*')
    assert game.board().defect() == "black is in check but it is the other side's turn; change the side to move"
    assert Board().defect() is None
    with pytest.raises(ValueError, match="start position: black is in check"):
        analyse_game(game, nodes=100)
    with Engine() as engine:
        for search in (engine.analyse, engine.play):
            with pytest.raises(ValueError, match="black is in check"):
                search(game.board(), nodes=100)


def test_batches_agree_with_boards():
    numpy = pytest.importorskip("numpy")
    board = Board()
    fens = [board.fen()]
    for _ in range(600):
        moves = board.legal_moves
        if not moves:
            break
        board.push(moves[len(fens) * 7 % len(moves)])
        fens.append(board.fen())
    found = legal_moves(numpy.array(fens))
    for i in (0, 1, len(fens) // 2, len(fens) - 1):
        squares = found.squares[found.offsets[i]:found.offsets[i + 1]].tolist()
        assert sorted(squares) == sorted([move.from_square, move.to_square] for move in Board(fens[i]).legal_moves)
    values = evaluate(fens)
    assert values.dtype == numpy.int32 and (values == evaluate(fens, threads=1)).all()
    assert values.std() > 0
    pieces, red_to_move = piece_arrays(fens)
    assert pieces.shape == (len(fens), 10, 9) and red_to_move[:2].tolist() == [True, False]
    assert (numpy.count_nonzero(pieces, axis=(1, 2)) == [len(Board(fen).piece_map()) for fen in fens]).all()
    assert evaluate([]).shape == (0,) and legal_moves([]).squares.shape == (0, 2)
    with pytest.raises(ValueError, match=r"fens\[1\]"):
        evaluate([fens[0], "x"])
    with pytest.raises(ValueError, match="not one"):
        evaluate(fens[0])


def test_tables_know_endings():
    found = tables.probe(Board("3k5/9/9/9/9/9/9/9/9/R3K4 w"))
    assert found is not None and found.result == "win" and found.plies and len(found.moves) > 10
    assert found.moves[0].result == "win"
    assert tables.probe(Board()) is None


def test_the_program_is_in_the_package():
    run = [sys.executable, "-m", "cannonade"]
    told = subprocess.run([*run, "perft", "--depth", "3"], capture_output=True, check=True, text=True).stdout
    assert "79666" in told
    told = subprocess.run([*run, "perft", "--help"], capture_output=True, check=True, text=True).stdout
    assert "Usage: cannonade perft" in told
    wrong = subprocess.run([*run, "judge", "--fen", "x", "--moves", "h2e2"], check=False, capture_output=True, text=True)
    assert wrong.returncode == 2 and wrong.stderr.startswith("error: ")


def test_a_mate_on_the_board_is_won_by_the_side_that_moved():
    assert str(Score("mate", 0)) == "-M0" and Score("mate", 0).centipawns == -30000
    won = Score("mate", 0).for_red(False)
    assert str(won) == "+M0" and won.centipawns == 30000 and won != Score("mate", 0)
    assert won.for_red(False) == Score("mate", 0) == Score("mate", 0).for_red(True)
    assert repr(won) == "Score(kind='mate', value=0, wins=True)" and "wins" not in repr(Score("mate", 0))
    assert not Score("mate", 2).for_red(False).wins and not Score("cp", 0).for_red(False).wins
    red, black = ("3k5/R8/1R7/9/9/9/9/9/9/4K4 w", "b7b9"), ("4k4/9/9/9/9/9/9/1r7/r8/3K5 b", "b2b0")
    for (fen, mate), sign in ((red, 1), (black, -1)):
        game = Game(fen)
        game.add_line(mate)
        score = analyse_game(game, nodes=100).moves[-1].score
        assert (score.kind, score.value) == ("mate", 0)
        assert score.centipawns == 30000 * sign and str(score) == f"{sign:+d}"[0] + "M0"


FORK = """
import multiprocessing, os, sys
import cannonade

engine = cannonade.Engine()

def start():
    global engine
    engine = cannonade.Engine()

def search(fen):
    return engine.analyse(cannonade.Board(fen), nodes=200).nodes

if __name__ == "__main__":
    for end in ("engine = cannonade.Engine(); search(cannonade.START_FEN)", "engine.close()", "del engine", "pass"):
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            exec(end, globals())
            # Not os._exit: what is left is dropped at the end of the interpreter too.
            sys.exit(7)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    with multiprocessing.get_context("fork").Pool(2, initializer=start) as pool:
        print(min(pool.map(search, [cannonade.START_FEN] * 4)) >= 200)
    print(search(cannonade.START_FEN) >= 200)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_fork_can_drop_the_engine_of_its_parent_and_create_another():
    run = subprocess.run([sys.executable, "-c", FORK], capture_output=True, text=True, timeout=60, check=False)
    assert run.stdout.split() == ["7", "7", "7", "7", "True", "True"], run.stderr


def during(work, use):
    """Calls ``use`` again and again while another thread works, and returns how often."""
    times = 0
    with ThreadPoolExecutor() as pool:
        working = pool.submit(work)
        while not working.done():
            use()
            times += 1
            time.sleep(0.01)
        working.result()
    return times


def test_games_and_boards_can_be_used_while_another_thread_works_with_them():
    game = Game()
    game.add_line("h2e2 h9g7")

    def change():
        game.headers["Red"] = "a"
        assert game.end().board().ply() == 2

    assert during(lambda: analyse_game(game, time=0.1), change) > 3
    board = Board()

    def move():
        board.push("h2e2")
        board.pop()

    assert during(lambda: board.perft(5), move) > 1
    long = Game()
    long.add_line(" ".join(["h0g2 h9g7 g2h0 g7h9"] * 100))
    assert during(lambda: write_games([long] * 1000, io.BytesIO(), notation="chinese"), move) > 3
    assert during(lambda: board.png(4000), move) > 1


def test_limits_out_of_bounds_are_named():
    numpy = pytest.importorskip("numpy")
    game = Game()
    game.add_line("h2e2")
    with Engine() as engine:
        searches = [
            (lambda **limits: engine.analyse(Board(), **limits), [("mate", 0), ("mate", 1001), ("mate", 2**30)]),
            (lambda **limits: engine.play(Board(), **{"clock": 0.1, **limits}), [("moves_to_go", -1)]),
            (lambda **limits: analyse_game(game, **limits), [("threads", 0), ("threads", 513), ("hash", 0), ("hash", 65537)]),
        ]
        wrong = [("nodes", -1), ("nodes", numpy.int64(-1)), ("depth", numpy.int64(2**40))]
        for search, more in searches:
            for name, value in wrong + more:
                with pytest.raises(ValueError, match=f"^{name}: {value} is not a whole number from"):
                    search(**{"nodes": 1, name: value})
            for value in (10**400, -(10**400)):
                with pytest.raises(ValueError, match=f"^time: {value} is not a number of seconds"):
                    search(time=value)
        with pytest.raises(ValueError, match="multipv: 0 is not"):
            engine.analyse(Board(), nodes=1, multipv=numpy.int64(0))
        for name in ("clock", "increment"):
            with pytest.raises(ValueError, match=f"^{name}: 1"):
                engine.play(Board(), **{"clock": 1.0, name: 10**400})
        assert engine.analyse(Board(), nodes=numpy.int64(100), multipv=numpy.int64(2)).lines[1:]
    report = analyse_game(game, nodes=numpy.int64(10))
    assert '"game":3' in report.json_lines(numpy.int64(3)).replace(" ", "")
    for wrong_number in (-1, 2**32, 2**64):
        with pytest.raises(ValueError, match=f"^number: {wrong_number} is not a whole number"):
            report.json_lines(wrong_number)


@pytest.fixture
def interrupted_after():
    """A function that sets the seconds after which a signal raises KeyboardInterrupt."""
    if not hasattr(signal, "setitimer"):
        pytest.skip("the system has no timer")

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    yield lambda seconds: signal.setitimer(signal.ITIMER_REAL, seconds)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_a_signal_ends_a_batch(interrupted_after):
    pytest.importorskip("numpy")
    fens = [Board().fen()] * 400_000
    start = time.monotonic()
    evaluate(fens, threads=1)
    whole = time.monotonic() - start
    interrupted_after(whole / 10)
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        evaluate(fens, threads=1)
    assert time.monotonic() - start < whole / 2


def test_a_signal_ends_the_reading_of_games(interrupted_after, tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    # If the signal is not served, the pipe ends, so that the test fails and does not hang.
    end = threading.Timer(10, lambda: path.open("wb").close())
    end.start()
    interrupted_after(0.2)
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        read_games(path)
    assert time.monotonic() - start < 5
    end.cancel()
    # The thread that was left ends.
    path.open("wb").close()


def test_a_signal_ends_the_wait_for_the_search_of_another_thread(interrupted_after):
    engine = Engine()
    thread = threading.Thread(target=lambda: engine.analyse(Board(), infinite=True))
    # If the signal is not served, the search ends, so that the test fails and does not hang.
    end = threading.Timer(10, engine.stop)
    end.start()
    thread.start()
    time.sleep(0.2)
    try:
        for call in (engine.new_game, lambda: engine.analyse(Board(), depth=1), lambda: engine.configure({"Hash": 1})):
            interrupted_after(0.2)
            start = time.monotonic()
            with pytest.raises(KeyboardInterrupt):
                call()
            assert time.monotonic() - start < 5 and thread.is_alive()
    finally:
        end.cancel()
        engine.stop()
        thread.join()
    assert engine.analyse(Board(), depth=1).best is not None
