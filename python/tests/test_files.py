"""Game files."""

import copy
import io
import pickle
from pathlib import Path

import cannonade
import pytest
from cannonade import Board, Game, read_games, write_games

RECORDS = Path(__file__).resolve().parents[2] / "engine-tests" / "data" / "records"


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


def test_damaged_copies_of_samples_do_not_end_the_interpreter():
    for path in sorted(RECORDS.rglob("*.xqf"))[:20]:
        content = bytearray(path.read_bytes())
        for place in range(0, len(content), 37):
            content[place] ^= 0xA5
            try:
                for game in read_games(content):
                    game.text("wxf")
            except ValueError:
                pass


def test_errors_of_files(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_games(tmp_path / "missing.pgn")
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
