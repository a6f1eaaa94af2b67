"""Game files."""

import copy
import io
import os
import pickle
import tempfile
from pathlib import Path

import cannonade
import pytest
from cannonade import Board, Game, read_game, read_games, write_games

RECORDS = Path(__file__).resolve().parents[2] / "crates/xiangqi/tests/data/records"


def a_game():
    game = Game()
    game.headers["Red"], game.headers["Black"] = "胡荣华", "吕钦"
    first = game.add_variation("炮二平五", comment="中炮")
    first.add_variation("马8进7", nags=[1])
    first.add_variation("炮8平5", comment="列炮").add_variation("马二进三")
    game.result = "1-0"
    return game


def same(one, other):
    return one.text("iccs") == other.text("iccs") and one.mainline_moves() == other.mainline_moves()


@pytest.mark.parametrize(
    ("encoding", "notation"),
    [(encoding, notation) for encoding in ("utf-8", "gb18030") for notation in ("iccs", "wxf", "chinese", "algebraic")]
    + [("big5", "traditional")],
)
def test_pgn_is_read_back(tmp_path, encoding, notation):
    game = a_game()
    if encoding == "big5":
        game.headers["Red"], game.headers["Black"] = "胡榮華", "呂欽"
        game.next().variations[1].comment = "列炮"
    path = tmp_path / "game.pgn"
    game.write(path, notation=notation, encoding=encoding)
    found = read_games(path)
    assert found.kind == "pgn" and len(found) == 1 and not found.problems
    assert same(found[0], game)
    assert same(read_games(path.read_bytes())[0], game)
    with open(path, "rb") as file:
        assert same(read_games(file)[0], game)


@pytest.mark.parametrize("kind", ["xqf", "cbr", "dhtmlxq"])
def test_variations_are_kept_by_the_kinds_that_have_them(tmp_path, kind):
    game = a_game()
    path = tmp_path / f"game.{kind}"
    write_games([game], path, kind=kind)
    found = read_games(path)
    assert found.kind == kind
    assert [node.move for node in found[0].next().variations] == [node.move for node in game.next().variations]
    assert found[0].next().comment == "中炮"


def test_the_tree_can_be_changed():
    game = a_game()
    side = game.next().variations[1]
    assert side.comment == "列炮" and side.board().ply() == 2
    side.promote_to_main()
    assert game.mainline_moves()[1].uci() == "h7e7"
    game.next().variations[1].remove()
    assert len(game.next().variations) == 1
    assert game.plain().next().comment == ""
    for other in (game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert same(other, game)
        other.add_line("马8进7")
        assert not same(other, game)


def test_headers_are_a_mapping():
    game = Game()
    game.headers["Event"] = "a cup"
    assert game.headers["event"] == "a cup" and dict(game.headers)["Event"] == "a cup"
    del game.headers["Event"]
    with pytest.raises(KeyError):
        game.headers["Event"]


def test_sample_files_are_read():
    files = [path for path in sorted(RECORDS.rglob("*")) if path.suffix in (".xqf", ".pgn", ".cbr", ".txt", ".cbf")]
    assert files
    read = [read_games(path) for path in files]
    assert sum(len(found) for found in read) >= len(files) // 2


def test_defects_are_told_and_what_is_before_them_is_kept():
    found = read_games(b"1. h2e2 h9g7 2. e0e5 *\n")
    assert len(found[0].mainline_moves()) == 2
    assert found.problems[0].affects_moves and "e0e5" in str(found.problems[0])
    with pytest.raises(ValueError, match="e0e5"):
        read_games(b"1. h2e2 h9g7 2. e0e5 *\n", strict=True)


@pytest.mark.parametrize("content", [b"", b"\0" * 1000, b"XQ" + bytes(range(256)) * 9, bytes(range(256)) * 40, b"[" * 50_000])
def test_damaged_files_do_not_end_the_interpreter(content):
    try:
        found = read_games(content)
    except ValueError as error:
        assert str(error)
    else:
        assert found.problems or len(found)


def test_errors_of_files(tmp_path):
    missing = tmp_path / "missing.pgn"
    for path in (missing, str(missing)):
        with pytest.raises(FileNotFoundError) as raised:
            read_games(path)
        assert raised.value.filename == str(missing)
    endless = tmp_path / "endless.pgn"
    with endless.open("wb") as file:
        file.truncate((512 << 20) + 1)
    with pytest.raises(OSError, match="larger than 512 MiB"):
        read_games(endless)
    with pytest.raises(ValueError, match="morse"):
        a_game().text("morse")
    with pytest.raises(ValueError, match="doc"):
        a_game().write(tmp_path / "a", kind="doc")
    with pytest.raises(ValueError):
        write_games([a_game(), a_game()], io.BytesIO(), kind="xqf")
    with pytest.raises(ValueError):
        Game().result = "won"
    with pytest.raises(ValueError):
        Game(Board()).add_variation("e0e5")
    assert cannonade.Game().result == "*"


def nodes_of(game):
    first = game.add_variation("h2e2")
    later = first.add_variation("h9g7")
    other = game.add_variation("b2e2")
    return [game, first, later, other, later.add_variation("h0g2")]


def test_a_copied_node_is_the_same_move():
    nodes = nodes_of(Game())
    for copied in ([pickle.loads(pickle.dumps(node)) for node in nodes], [copy.deepcopy(node) for node in nodes]):
        assert [node.board().move_stack for node in copied] == [node.board().move_stack for node in nodes]
        assert copied[1] != nodes[1]
    assert [copy.copy(node) == node for node in nodes] == [False, True, True, True, True]
    one, two = pickle.loads(pickle.dumps(nodes[1:3]))
    assert two.parent == one
    one, two = copy.deepcopy(nodes[1:3])
    assert two.parent == one != nodes[1]


def test_a_removed_node_is_not_copied_with_its_game():
    game, first, later, other, _ = nodes_of(Game())
    first.remove()
    for node in (first, later):
        for call in (pickle.dumps, copy.deepcopy):
            with pytest.raises(ValueError, match="taken out"):
                call(node)
        assert copy.copy(node) == node
    assert pickle.loads(pickle.dumps(other)).move == other.move
    assert same(copy.deepcopy(game), game)


@pytest.mark.parametrize("suffix", ["dhtmlxq", "ubb", "UBB", "list", "position", "xqf", "cbr", "cbf", "pgn", "txt"])
def test_the_name_of_a_file_shows_its_kind(tmp_path, suffix):
    path = tmp_path / f"game.{suffix}"
    game = Game()
    game.add_line("h2e2 h9g7")
    game.write(path)
    kind = {"ubb": "dhtmlxq", "txt": "pgn"}.get(suffix.lower(), suffix)
    found = read_games(path)
    assert found.kind == kind and found[0].mainline_moves() == game.mainline_moves()


def test_the_name_of_an_open_file_shows_its_kind(tmp_path):
    path = tmp_path / "game.xqf"
    with path.open("wb") as file:
        a_game().write(file)
    assert read_games(path).kind == "xqf"
    # Its name may be a number, or none.
    with tempfile.TemporaryFile() as file:
        a_game().write(file)
        file.seek(0)
        assert read_games(file).kind == "pgn"
    content = io.BytesIO()
    a_game().write(content)
    assert read_games(content.getvalue()).kind == "pgn"


def test_a_game_of_a_board_has_its_moves_if_they_are_asked_for():
    board = Board("3k5/9/9/9/9/9/9/9/9/R3K4 w")
    moves = board.push_line("a0a9 d9d8")
    assert Game(board).mainline_moves() == [] and Game(board).board().fen() == board.fen()
    game = Game.from_board(board)
    assert game.mainline_moves() == moves and game.board() == board.root() and game.end().board().fen() == board.fen()


def test_a_game_cannot_be_the_base_of_a_class():
    with pytest.raises(TypeError, match="Game cannot be the base of a class"):
        type("MyGame", (Game,), {})


def test_a_library_of_ccbridge_is_not_written(tmp_path):
    with pytest.raises(ValueError, match="cbl"):
        Game().write(tmp_path / "games.cbl")


def test_a_start_with_a_defect_is_copied():
    (game,) = read_games(b'[FEN "3kR4/9/9/9/9/9/9/9/9/4K4 w"]\n\n1. e9d9 *')
    for thing in (game, game.board()):
        for copied in (pickle.loads(pickle.dumps(thing)), copy.deepcopy(thing)):
            board = copied if isinstance(copied, Board) else copied.board()
            assert board == game.board() and board.defect() == game.board().defect() is not None
    with pytest.raises(ValueError, match="in check"):
        Board(game.board().fen())


@pytest.mark.parametrize("name", ['a"b', "", "A]B", "[", "a\nb", "a b", "%", ";", "a;b", "a.b", "a'b", "{", "}", "\\", "\0", "\u3000"])
def test_a_name_that_no_tag_can_have_is_refused(name):
    game = Game()
    with pytest.raises(ValueError, match="is not the name of a tag"):
        game.headers[name] = "x"
    assert not dict(game.headers)
    game.add_line("h2e2")
    assert read_games(game.text().encode())[0].mainline_moves() == game.mainline_moves()


@pytest.mark.parametrize("name", ["名", "1", "-", "X" * 300, "Élan", "_a_b"])
def test_other_names_of_tags_are_read_back(name):
    game = Game()
    game.headers[name] = "x"
    assert read_games(game.text().encode())[0].headers[name] == "x"


def test_the_tag_of_the_result_is_the_result():
    game = Game()
    assert "Result" not in game.headers and len(game.headers) == 0
    game.headers["result"] = "1-0"
    assert game.result == game.headers["Result"] == dict(game.headers)["Result"] == "1-0"
    assert '[Result "1-0"]' in game.text() and game.text().count("[Result") == 1
    assert read_games(game.text().encode())[0].result == "1-0"
    with pytest.raises(ValueError, match="won"):
        game.headers["Result"] = "won"
    del game.headers["Result"]
    assert game.result == "*" and "Result" not in game.headers
    game.headers.update(Red="a", Result="0-1")
    game.headers.clear()
    assert game.result == "*" and not game.headers


def test_the_tags_of_the_start_and_the_notation_are_not_set():
    game = Game("3k5/9/9/9/9/9/9/9/9/R3K4 w")
    for name in ("FEN", "fen", "Xiangqi-FEN", "SetUp", "Format", "Variant"):
        with pytest.raises(ValueError, match=f"the tag {name} follows from the start"):
            game.headers[name] = "x"
    tags = [line[1:].split()[0] for line in game.text("uci").splitlines() if line.startswith("[")]
    assert {"FEN", "Xiangqi-FEN", "SetUp", "Format", "Variant"} <= set(tags), "the file has them"


def test_headers_have_no_tag_without_a_name():
    headers = Game().headers
    assert 3 not in headers and headers.get(3) is None
    with pytest.raises(KeyError):
        headers[3]


def test_glyphs_out_of_bounds_are_named_and_change_nothing():
    game = Game()
    node = game.add_variation("h2e2", comment="good", nags=[1, 255])
    for wrong in (-1, 256, 300, 70_000, 2**70):
        with pytest.raises(ValueError, match=f"^{wrong} is not an annotation glyph"):
            node.nags = [1, wrong]
        for move in ("b2e2", "h2e2"):
            with pytest.raises(ValueError, match=f"^{wrong} is not an annotation glyph"):
                game.add_variation(move, comment="bad", nags=[wrong])
    assert len(game.variations) == 1 and node.nags == [1, 255] and node.comment == "good"


def test_a_line_may_end_with_a_result():
    for result in ("1-0", "0-1", "1/2-1/2", "*"):
        game = Game()
        game.add_line(f"1. h2e2 h9g7 2. h0g2 {result}")
        assert len(game.mainline_moves()) == 3
    with pytest.raises(ValueError, match="1-0"):
        Board().push_line("h2e2 1-0 h9g7")


def test_an_entry_of_a_folder_in_bytes_is_a_path(tmp_path):
    (tmp_path / "game.pgn").write_text("1. h2e2 *")
    (entry,) = os.scandir(os.fsencode(tmp_path))
    assert read_games(entry)[0].mainline_moves() == read_games(b"1. h2e2 *")[0].mainline_moves()


def test_the_games_of_a_file_are_read_one_after_another(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text("".join(f'[Event "{number}"]\n\n1. h2e2 *\n\n' for number in range(3)))
    for mode in ("r", "rb"):
        with path.open(mode) as file:
            found = []
            while (game := read_game(file)) is not None:
                found.append(game.headers["Event"])
            assert found == ["0", "1", "2"] and read_game(file) is None
            file.seek(0)
            assert read_game(file).headers["Event"] == "0"
            file.seek(0)
            assert read_game(file).headers["Event"] == "0"
    read, write = os.pipe()
    os.write(write, path.read_bytes())
    os.close(write)
    with open(read, "rb") as file:
        assert [read_game(file) is None for _ in range(4)] == [False, False, False, True]
    with pytest.warns(UserWarning, match="game 1: .*e0e5") as warned:
        assert read_game(io.StringIO("1. h2e2 h9g7 2. e0e5 *")).end().ply() == 2
    assert [warning.filename for warning in warned] == [__file__]


def test_scores_and_clocks_of_comments():
    game = Game()
    node = game.add_variation("h2e2")
    for comment, score in (
        ("[%eval 0.35,12]", ("cp", 35)), ("a [%eval -1.2] b", ("cp", -120)), ("[%eval 3]", ("cp", 300)), ("[%eval #-3,9]", ("mate", -3)),
        ("[%eval #4]", ("mate", 4)),
    ):
        node.comment = comment
        assert (node.eval().kind, node.eval().value) == score
    node.comment = "[%eval #0]"
    assert node.eval().wins and node.eval().centipawns == 30000
    reply = node.add_variation("h9g7", comment="[%eval #0]")
    assert not reply.eval().wins
    for comment, seconds in (("[%clk 0:04:58.3]", 298.3), ("x [%clk 1:00:00] y", 3600)):
        node.comment = comment
        assert node.clock() == seconds and node.eval() is None
    for comment in ("", "[%clk 1:00]", "[%eval good]", "[%eval ]"):
        node.comment = comment
        assert node.clock() is None and node.eval() is None
    report = cannonade.analyse_game(game, nodes=100)
    scores = [node.eval() for node in report.annotated().mainline()]
    assert [score.centipawns for score in scores] == [move.score.centipawns for move in report.moves]


def test_nodes_have_their_texts():
    game = Game("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 8")
    game.add_line("h7e7 h0g2")
    assert [(node.ply(), node.san(), node.uci()) for node in game.mainline()] == [(1, "C8=5", "h7e7"), (2, "H2+3", "h0g2")]
    side = game.add_variation("b7e7")
    assert game.variation(1) == side and not side.is_mainline() and side.is_end() and game.is_mainline() and not game.is_end()
    for call in (game.san, game.uci):
        with pytest.raises(ValueError, match="root"):
            call()
