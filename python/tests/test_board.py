"""Boards and moves."""

import copy
import gc
import importlib.metadata
import pickle
import re
from pathlib import Path

import cannonade
import pytest
from cannonade import (
    BLACK,
    D0,
    D1,
    E9,
    KING,
    RED,
    START_FEN,
    Board,
    Engine,
    Game,
    Move,
    Piece,
    parse_square,
    square_name,
)

PERPETUAL_CHECK = ("3k5/9/9/9/9/9/9/9/4A4/R3K4 w", "a0a9 d9d8 a9a8 d8d9 a8a9 d9d8 a9a8 d8d9 a8a9")


def test_moves_made_and_taken_back_leave_the_board_as_it_was():
    board = Board()
    played = board.push_line(["h2e2", Move.from_uci("h9g7"), "马二进三"])
    assert [move.uci() for move in played] == ["h2e2", "h9g7", "h0g2"]
    assert board.move_stack == played
    assert board.ply() == 3 and board.turn == BLACK and board.peek() == played[-1]
    assert board.root() == Board()
    while board.ply():
        board.pop()
    assert board.fen() == START_FEN and board.turn == RED
    with pytest.raises(IndexError, match="no move"):
        board.pop()


def test_a_line_with_a_wrong_move_changes_nothing():
    board = Board()
    with pytest.raises(ValueError, match="a0a9"):
        board.push_line("h2e2 a0a9")
    assert board.fen() == START_FEN


def test_numbers_out_of_bounds_are_named():
    board = Board()
    squares = (
        board.piece_at,
        lambda square: board.attackers(True, square),
        lambda square: Move(square, 3),
        lambda square: Move(3, square),
    )
    for wrong in (-1, 90, 2**70, -(2**70)):
        for call in squares:
            with pytest.raises(ValueError, match=f"^{wrong} is not a square; expected 0"):
                call(wrong)
    calls = {
        "natural_limit": lambda number: board.outcome(natural_limit=number),
        "depth": board.perft,
        "count": board.is_repetition,
        "size": lambda number: board.svg(size=number),
        "width": board.png,
        "threads": lambda number: cannonade.evaluate([board.fen()], threads=number),
    }
    for wrong in (-1, 2**32, 2**70, -(2**70)):
        for name, call in calls.items():
            with pytest.raises(ValueError, match=f"^{name}: {wrong} is not a whole number from"):
                call(wrong)


def test_move_paths_are_counted():
    assert [Board().perft(depth) for depth in (1, 2, 3)] == [44, 1_920, 79_666]


def test_every_move_is_read_back_from_every_notation():
    board = Board()
    for move in board.legal_moves:
        texts = [move.uci(), move.iccs(), move.wxf(board), move.chinese(board), move.chinese(board, traditional=True)]
        texts += [move.text(board, name) for name in ("uci10", "algebraic")]
        assert {Move.parse(text, board) for text in texts if text != move.text(board, "uci10")} == {move}
    assert len({move.wxf(board) for move in board.legal_moves}) == 44


def test_ends_of_games():
    fen, moves = PERPETUAL_CHECK
    board = Board(fen)
    assert board.outcome() is None and not board.is_game_over()
    board.push_line(moves)
    ended = board.outcome()
    assert ended is not None
    assert (ended.termination, ended.winner, ended.result()) == ("repetition", BLACK, "0-1")
    assert board.is_repetition(3) and not board.is_repetition(4)
    drawn = board.outcome(rules="None")
    assert drawn is not None and drawn.winner is None
    mate = Board("3k4R/6R2/9/9/9/9/9/9/9/4K4 b")
    assert mate.is_checkmate() and mate.is_check() and not mate.is_stalemate()
    assert str(mate.outcome()) == "red wins: checkmate"


def test_a_position_is_set_up_piece_by_piece():
    board = Board.empty()
    assert board.defect() == "red has no king; put one into the palace" and not board.is_valid()
    assert board.fen() == "9/9/9/9/9/9/9/9/9/9 w - - 0 1" and board.move_stack == [] and board.ply() == 0
    for needs_a_position in (
        lambda: board.legal_moves,
        lambda: board.push("h2e2"),
        board.is_check,
        board.is_checkmate,
        board.outcome,
        lambda: board.perft(1),
        lambda: board.king(RED),
        lambda: Move(1, 2).wxf(board),
        lambda: Game(board),
        lambda: Engine().analyse(board, depth=1),
        lambda: Engine().analysis(board).wait(),
        lambda: cannonade.judge(board),
        lambda: cannonade.tables.probe(board),
    ):
        with pytest.raises(ValueError, match=r"^the board is not a valid position: red has no king"):
            needs_a_position()
    board.set_piece_at(D0, Piece(KING, RED))
    board.set_piece_at(E9, "k")
    assert board == Board("4k4/9/9/9/9/9/9/9/9/3K5 w") and board.is_valid() and board.king(BLACK) == E9
    for copied in (board.copy(), copy.deepcopy(board), pickle.loads(pickle.dumps(board)), board.root()):
        assert copied == board and type(copied) is Board
    board.push("d0d1")
    assert board.remove_piece_at(E9) == "k" and board.remove_piece_at(E9) is None and board.move_stack == []
    for copied in (board.copy(), board.copy(stack=False), copy.copy(board), pickle.loads(pickle.dumps(board)), board.root()):
        assert copied == board != Board() and hash(copied) == hash(board) and copied.turn == BLACK
        assert copied.defect() == "black has no king; put one into the palace"
    assert board.svg().startswith("<svg") and board.png(100) and "帥" in board.unicode() and "K" in str(board)
    for wrong in (lambda: board.set_piece_at(90, "k"), lambda: board.set_piece_at(0, "x"), lambda: board.set_piece_at(0, "kk")):
        with pytest.raises((ValueError, TypeError)):
            wrong()
    assert board.piece_map() == {D1: "K"}


def test_a_changed_turn_begins_another_game():
    board = Board()
    board.push("h2e2")
    board.turn = RED
    assert board.turn == RED and board.ply() == 0 and board.fullmove_number == 1
    board.set_fen("3k5/9/9/9/9/9/9/9/9/R3K4 w")
    board.push("a0a9")
    board.turn = RED
    assert board.defect() == "black is in check but it is the other side's turn; change the side to move"
    board.turn = BLACK
    assert board.is_check() and board.is_valid()
    board.clear()
    board.turn = BLACK
    board.set_board_fen(START_FEN.split()[0])
    assert board.turn == BLACK
    with pytest.raises(ValueError, match="expected 10"):
        board.set_fen("x")
    assert board.turn == BLACK and len(board.piece_map()) == 32, "a wrong FEN changes nothing"


def test_the_null_move_is_no_legal_move():
    null, board = Move.null(), Board()
    assert not null and null == Move.from_uci("0000") == pickle.loads(pickle.dumps(null)) and str(null) == "0000"
    assert null != Move(0, 1) and null < Move(0, 1) and repr(null) == "Move.from_uci('0000')"
    assert not board.is_legal(null) and not board.is_capture(null) and null not in board.legal_moves
    for push in (board.push, board.push_uci, board.parse_uci, board.gives_check, board.san):
        with pytest.raises(ValueError):
            push("0000" if push in (board.push_uci, board.parse_uci) else null)
    with pytest.raises(ValueError, match="null move passes the turn"):
        board.push(null)


def test_pieces_are_their_letters():
    for letter in "pabncrkPABNCRK":
        piece = Piece.from_symbol(letter)
        assert piece == letter == piece.symbol() and type(piece.symbol()) is str
        assert piece == Piece(piece.piece_type, piece.color)
        for copied in (pickle.loads(pickle.dumps(piece)), copy.deepcopy(piece)):
            assert type(copied) is Piece and copied == piece
    assert {Board().piece_at(square) for square in cannonade.SQUARES} - {None} == set("pabncrkPABNCRK")
    board = Board()
    for square, piece in board.piece_map().items():
        assert board.piece_type_at(square) == piece.piece_type and board.color_at(square) == piece.color
        assert square in board.pieces(piece.piece_type, piece.color)
        assert piece.unicode_symbol() in board.unicode()
    for wrong in (lambda: Piece.from_symbol("x"), lambda: Piece.from_symbol(""), lambda: Piece(0, RED), lambda: cannonade.piece_name(8)):
        with pytest.raises(ValueError):
            wrong()


def test_attacks_are_the_reverse_of_attackers():
    board = Board()
    board.push_line("h2e2 h9g7 h0g2 i9h9")
    for square, piece in board.piece_map().items():
        for target in board.attacks(square):
            assert square in board.attackers(piece.color, target) and board.is_attacked_by(piece.color, target)
    for move in board.legal_moves:
        if board.is_capture(move):
            assert move.to_square in board.attacks(move.from_square)


def test_epd_is_read_back():
    board = Board("3k5/9/9/9/9/9/9/9/9/R3K4 w - - 3 7")
    operations = {"bm": [Move.from_uci("a0a9"), Move.from_uci("a0a1")], "id": "a; name", "acd": 12}
    again, found = Board.from_epd(board.epd(**operations))
    assert again == board and found == operations
    for line in (board.fen(), board.fen() + ' id "x";', board.board_fen(), board.board_fen() + " w", board.epd()):
        assert Board.from_epd(line)[0] == board
    assert Board.from_epd(board.fen() + ' c0 "x"; noop;') == (board, {"c0": "x", "noop": ""})
    assert Board.from_epd(board.fen() + " acd 5;")[0].halfmove_clock == 3
    for wrong in ("", "x", board.epd() + " bm e0e5;"):
        with pytest.raises(ValueError):
            Board.from_epd(wrong)


def test_a_mirrored_board_is_the_same_for_the_other_side():
    board = Board()
    board.push_line("h2e2 h9g7")
    mirrored = board.mirror()
    assert mirrored.turn == BLACK and len(mirrored.legal_moves) == len(board.legal_moves)
    assert mirrored.mirror() == board and mirrored.piece_at(parse_square("e7")) == "c"


def test_a_line_has_numbers_in_wxf():
    board = Board()
    assert board.variation_san([]) == ""
    board.push("h2e2")
    assert board.variation_san(["h9g7", "h0g2", "i9h9"]) == "1... H8+7 2. H2+3 R9=8"


def test_copies_are_independent_and_pickles_keep_the_moves():
    fen, moves = PERPETUAL_CHECK
    board = Board(fen)
    board.push_line(moves)
    for other in (board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert other == board and hash(other) == hash(board) and other is not board
        assert other.move_stack == board.move_stack and other.is_repetition(3)
        other.pop()
        assert other != board
    assert board.copy(stack=False).ply() == 0
    for move in board.move_stack:
        assert pickle.loads(pickle.dumps(move)) == move == copy.deepcopy(move)


def test_pieces_and_squares():
    board = Board()
    assert len(board.piece_map()) == 32
    assert board.piece_at(parse_square("e9")) == "k" and board.piece_at(parse_square("e5")) is None
    assert square_name(board.king(RED)) == "e0"
    assert [square_name(one) for one in board.attackers(RED, parse_square("h9"))] == ["h2"]
    assert Board("3k5/9/9/9/9/9/9/9/9/3RK4 b").checkers() == [parse_square("d0")]


def test_pictures():
    board = Board()
    board.push("h2e2")
    assert board._repr_svg_().startswith("<svg") and 'width="400"' in board._repr_svg_()
    assert board.svg() != board.svg(last_move=False) != board.svg(flipped=True, last_move=False)
    assert board.png(200)[:8] == b"\x89PNG\r\n\x1a\n"
    with pytest.raises(ValueError, match="chess"):
        board.svg(pieces="chess")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Board("hello"),
        lambda: Board(""),
        lambda: Board("9/9/9/9/9/9/9/9/9/9 w"),
        lambda: Board("k" * 100_000),
        lambda: Board().push(""),
        lambda: Board().push("e0e5"),
        lambda: Board().push(Move(0, 89)),
        lambda: Board().push("\0\ud7ff炮炮炮炮"),
        lambda: Board().push("\ud800"),
        lambda: Board().push_line("\ud800"),
        lambda: Board().perft(1000),
        lambda: Board().piece_at(90),
        lambda: Board().attackers(RED, 1 << 40),
        lambda: square_name(90),
        lambda: cannonade.square_file(-1),
        lambda: cannonade.square_rank(900),
        lambda: Move(3, 3),
        lambda: Move(0, 90),
        lambda: Move.from_uci("z9z9"),
        lambda: Move(0, 89).wxf(Board()),
        lambda: Board().outcome(rules="FIDE"),
        lambda: Board().variation("h2e2", "morse"),
        lambda: Board().png(0),
        lambda: Board().png(4_000_000_000),
        lambda: Board().svg(arrows=("h2",)),
    ],
)
def test_wrong_input_is_a_value_error(wrong):
    with pytest.raises(ValueError) as raised:
        wrong()
    assert str(raised.value)


def test_wrong_types_are_type_errors():
    for wrong in (lambda: Board(3), lambda: Board().push(None), lambda: Board().push_line([1]), lambda: Board() < Board()):
        with pytest.raises(TypeError):
            wrong()


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda: Board().push(None), "expected a Move or text, not NoneType"),
        (lambda: Game().add_variation(3), "expected a Move or text, not int"),
        (lambda: Board().push_line(["h2e2", None]), "expected a Move or text, not NoneType"),
        (lambda: Board().push_line(move for move in ["h2e2"]), "expected text or a list of moves, not generator"),
        (lambda: Engine().analyse(Board(), nodes=1, moves=[None]), "expected a Move or text, not NoneType"),
        (lambda: Engine().analyse(Board(), nodes=1e5), "nodes: expected a whole number, not float"),
        (lambda: Engine().analyse(Board(), nodes=1, multipv=None), "multipv: expected a whole number, not NoneType"),
        (lambda: Engine().play(Board(), clock=1, moves_to_go=2.0), "moves_to_go: expected a whole number, not float"),
        (lambda: Engine().play(Board(), time="1"), "time: expected a number of seconds, not str"),
        (lambda: cannonade.analyse_game(Game(), depth="5"), "depth: expected a whole number, not str"),
        (lambda: Engine(rules=None), "option RepetitionRule: expected a value, not None"),
        (lambda: cannonade.judge(START_FEN), "expected a Game or Board, such as Board(fen), not str"),
        (lambda: cannonade.repetitions(START_FEN), "expected a Game or Board, such as Board(fen), not str"),
        (
            lambda: cannonade.write_games([Board()], "a.pgn"),
            "expected a Game, such as Game.from_board(board), not Board",
        ),
        (
            lambda: cannonade.analyse_game(Board(), nodes=1),
            "expected a Game, such as Game.from_board(board), not Board",
        ),
        (lambda: cannonade.square_file(2.5), "'float' object cannot be interpreted as an integer"),
        (lambda: cannonade.square(7.5, 2), "'float' object cannot be interpreted as an integer"),
    ],
)
def test_errors_of_types_name_what_was_expected(wrong, told):
    with pytest.raises(TypeError) as raised:
        wrong()
    # The name of an argument may be before it.
    assert str(raised.value).split("': ")[-1] == told


def resident_kib():
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the memory from /proc")
def test_ten_thousand_boards_leak_nothing():
    def round_of_boards():
        boards = [Board() for _ in range(10_000)]
        for board in boards:
            board.push_line("h2e2 h9g7")
            pickle.loads(pickle.dumps(board.copy()))
            board.legal_moves[0].wxf(board)
        del boards
        gc.collect()

    round_of_boards()
    before = resident_kib()
    for _ in range(3):
        round_of_boards()
    assert resident_kib() - before < 4096


def test_the_version_is_that_of_the_program():
    assert importlib.metadata.version("cannonade") == cannonade.__version__
    assert cannonade.__version__[0].isdigit()


def test_the_docstring_of_pictures_names_all_values():
    """An unknown name is refused with a list of those that are known."""
    for option in ("pieces", "coordinates", "theme"):
        with pytest.raises(ValueError) as error:
            Board().svg(**{option: "?"})
        names = re.sub(" or |, ", " ", str(error.value).split("expected ")[1]).split()
        assert len(names) > 3
        for name in names:
            assert Board().svg(**{option: name})
            assert f"``{name}``" in Board.svg.__doc__, name
