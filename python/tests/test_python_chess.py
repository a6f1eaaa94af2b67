"""What users of python-chess type, with the pieces and squares of xiangqi.

Each probe is an expression of the documented interface of python-chess that must be true. The modules ``chess``,
``chess.engine``, ``chess.pgn`` and ``chess.svg`` are one package here. ``docs/lab/python.md`` has the numbers.
"""

import io
import re
from pathlib import Path

import cannonade
import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"

PGN = """[Event "a cup"]
[Red "one"]
[Black "two"]
[Result "1-0"]

1. h2e2 {[%eval 0.35,12] [%clk 0:04:58.3] good} (1. b2e2 h9g7) h9g7 $2 2. h0g2 1-0

[Event "a second game"]

1. c3c4 *
"""

#: Without pieces but the kings and a red rook, which gives check on e9.
ROOK = "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 3 7"
MATED = "3k4R/6R2/9/9/9/9/9/9/9/4K4 b"

PROBES = {
    "squares and sides": """
        chess.COLORS == [chess.RED, chess.BLACK]
        chess.COLOR_NAMES[chess.RED] == "red"
        list(chess.PIECE_TYPES) == [chess.PAWN, chess.ADVISOR, chess.BISHOP, chess.KNIGHT, chess.CANNON, chess.ROOK, chess.KING]
        chess.piece_name(chess.KNIGHT) == "knight"
        chess.piece_symbol(chess.KNIGHT) == "n"
        chess.PIECE_NAMES[chess.ROOK] == "rook" and chess.PIECE_SYMBOLS[chess.ROOK] == "r"
        len(chess.SQUARES) == 90
        chess.SQUARE_NAMES[4] == "e0"
        chess.A0 == 0 and chess.E0 == 4 and chess.I9 == 89
        chess.parse_square("e0") == 4
        chess.square(4, 0) == 4
        chess.square_file(13) == 4 and chess.square_rank(13) == 1
        chess.FILE_NAMES[8] == "i" and chess.RANK_NAMES[9] == "9"
        chess.square_distance(0, 89) == 9
        chess.square_mirror(4) == 85
        chess.STARTING_FEN == board.fen()
    """,
    "moves": """
        chess.Move.from_uci("h2e2") == move
        move.uci() == str(move) == "h2e2"
        (move.from_square, move.to_square) == (25, 22)
        chess.Move(chess.H2, chess.E2) == move
        chess.Move.null().uci() == "0000"
        not chess.Move.null() and bool(move)
        chess.Move.from_uci("0000") == chess.Move.null()
        move.promotion is None
    """,
    "pieces": """
        chess.Piece(chess.CANNON, chess.RED).symbol() == "C"
        chess.Piece.from_symbol("n").piece_type == chess.KNIGHT
        chess.Piece.from_symbol("n").color == chess.BLACK
        chess.Piece.from_symbol("K").unicode_symbol() != chess.Piece.from_symbol("k").unicode_symbol()
    """,
    "board: set up": """
        chess.Board(ROOK).fen() == ROOK
        chess.Board.empty().board_fen() == "9/9/9/9/9/9/9/9/9/9"
        chess.Board.from_epd(ROOK[:-4] + ' id "x";')[0].board_fen() == ROOK.split()[0]
        (board.set_fen(ROOK), board.fen())[1] == ROOK
        (board.set_board_fen(ROOK.split()[0]), board.board_fen())[1] == ROOK.split()[0]
        (board.push("h2e2"), board.reset(), board.fen())[2] == chess.START_FEN
        (board.clear(), board.piece_map())[1] == {}
        board.epd() == " ".join(chess.START_FEN.split()[:4])
        (board.remove_piece_at(0), board.piece_at(0))[1] is None
        (board.set_piece_at(36, chess.Piece(chess.ROOK, chess.RED)), board.piece_at(36).symbol())[1] == "R"
        (board.set_piece_map({4: chess.Piece.from_symbol("K"), 84: chess.Piece.from_symbol("k")}), board.is_valid())[1]
        board.mirror().turn == chess.BLACK and board.mirror().mirror() == board
        setattr(board, "turn", chess.BLACK) is None and board.turn == chess.BLACK
        board.is_valid()
        board.castling_rights == 0
        board.ep_square is None
    """,
    "board: state": """
        board.turn == chess.RED
        board.fullmove_number == 1 and chess.Board(ROOK).fullmove_number == 7
        chess.Board(ROOK).halfmove_clock == 3
        board.ply() == 0
        board.copy() == board
        str(board).count("\\n") >= 9
        board._repr_svg_().startswith("<svg")
    """,
    "board: pieces": """
        board.piece_at(0) and board.piece_at(0).piece_type == chess.ROOK
        board.piece_type_at(0) == chess.ROOK and board.piece_type_at(1 + 9) is None
        board.color_at(0) == chess.RED and board.color_at(89) == chess.BLACK
        board.piece_map()[4].symbol() == "K"
        chess.A3 in board.pieces(chess.PAWN, chess.RED) and len(board.pieces(chess.PAWN, chess.RED)) == 5
        board.king(chess.RED) == 4
        25 in board.attackers(chess.RED, 79)
        board.is_attacked_by(chess.RED, 79) and not board.is_attacked_by(chess.BLACK, 40)
        79 in board.attacks(25)
        list(chess.Board("3k5/9/9/9/9/9/9/9/9/3RK4 b").checkers()) == [3]
        board.pieces(chess.ROOK, chess.RED) | board.pieces(chess.ROOK, chess.BLACK)
        not board.is_pinned(chess.RED, 25)
    """,
    "board: moves": """
        move in board.legal_moves
        board.legal_moves.count() == 44
        sum(1 for _ in board.legal_moves) == 44
        bool(board.legal_moves) and not chess.Board(MATED).legal_moves
        list(board.generate_legal_moves()) == list(board.legal_moves)
        [move.uci() for move in board.generate_legal_captures()] == ["b2b9", "h2h9"]
        board.is_legal(move) and not board.is_legal(chess.Move.from_uci("e0e5"))
        not board.is_capture(move)
        chess.Board(ROOK).gives_check(chess.Move.from_uci("a0a9"))
        not board.is_check()
        (board.push(move), board.peek())[1] == move
        (board.push(move), board.pop(), board.fen())[2] == chess.START_FEN
        board.push_uci("h2e2") == move
        board.push_san("C2=5") == move
        board.parse_uci("h2e2") == move
        board.parse_san("C2=5") == move
        board.san(move) == "C2=5"
        board.uci(move) == "h2e2"
        board.variation_san([move]) == "1. C2=5"
        board.find_move(25, 22) == move
        board.is_castling(move) is False
    """,
    "board: ends": """
        chess.Board(MATED).is_checkmate()
        not board.is_stalemate()
        not board.is_insufficient_material()
        not board.is_game_over()
        chess.Board(MATED).outcome().winner == chess.RED
        board.result() == "*" and chess.Board(MATED).result() == "1-0"
        not board.is_repetition(3)
        not board.can_claim_draw()
    """,
    "engine": """
        engine.play(board, chess.Limit(nodes=100)).move in board.legal_moves
        engine.play(board, chess.Limit(red_clock=1, black_clock=1, red_inc=0, black_inc=0, remaining_moves=40)).move
        engine.analyse(board, chess.Limit(depth=3))["depth"] == 3
        engine.analyse(board, chess.Limit(depth=3))["score"].is_mate() is False
        engine.analyse(board, chess.Limit(depth=3))["score"].score(mate_score=10000) < 10000
        engine.analyse(board, chess.Limit(depth=3))["score"].relative.score() is not None
        engine.analyse(board, chess.Limit(depth=3)).get("pv")[0] in board.legal_moves
        len(engine.analyse(board, chess.Limit(depth=3), multipv=2)) == 2
        engine.analyse(board, chess.Limit(nodes=50), root_moves=[move])["pv"][0] == move
        streamed(engine.analysis(board, chess.Limit(depth=4)))[-1]["depth"] == 4
        stopped(engine.analysis(board)) in board.legal_moves
        engine.analysis(board, chess.Limit(depth=2)).wait().move in board.legal_moves
        engine.id["name"].startswith("Cannonade")
        engine.options["Hash"].default == 16 and engine.options["Hash"].max >= 1024
        engine.configure({"Hash": 2}) is None
        engine.quit() is None
    """,
    "games": """
        chess.read_game(io.StringIO(PGN)).headers["Event"] == "a cup"
        (lambda file: [chess.read_game(file) is None for _ in range(3)])(io.StringIO(PGN)) == [False, False, True]
        [str(move) for move in game.mainline_moves()] == ["h2e2", "h9g7", "h0g2"]
        [node.move.uci() for node in game.mainline()] == ["h2e2", "h9g7", "h0g2"]
        game.end().board().ply() == 3
        game.next().san() == "C2=5"
        game.next().ply() == 1 and game.ply() == 0
        game.next().eval().score() == 35
        game.next().clock() == 298.3
        game.variations[1].comment == "" and "good" in game.variations[0].comment
        chess.NAG_MISTAKE in game.next().next().nags
        game.variation(1).move.uci() == "b2e2"
        game.end().is_end() and game.next().is_mainline()
        game.add_variation(chess.Move.from_uci("c3c4"), comment="x").parent == game
        chess.Game.from_board(board).board() == board
        '[Event "a cup"]' in str(game)
    """,
    "pictures": """
        board.svg(size=350).startswith("<svg")
        board.svg(arrows=[chess.Arrow(25, 22)])
    """,
}


def streamed(analysis):
    """What an analysis tells until it ends."""
    with analysis:
        return list(analysis)


def stopped(analysis):
    """The move of an analysis that is stopped at its first line."""
    with analysis:
        for _ in analysis:
            analysis.stop()
    return analysis.wait().move


def probes():
    return [line.strip() for lines in PROBES.values() for line in lines.strip().splitlines()]


#: The probes that do not work, with the name in the table of equivalents that says so.
ABSENT = {
    "move.promotion is None": "promotion",
    "board.castling_rights == 0": "castling_rights",
    "board.ep_square is None": "ep_square",
    "board.is_castling(move) is False": "is_castling",
    "not board.can_claim_draw()": "can_claim_draw",
    "not board.is_pinned(chess.RED, 25)": "is_pinned",
    "board.pieces(chess.ROOK, chess.RED) | board.pieces(chess.ROOK, chess.BLACK)": "SquareSet",
    "len(engine.analyse(board, chess.Limit(depth=3), multipv=2)) == 2": "multipv",
    "engine.analyse(board, chess.Limit(nodes=50), root_moves=[move])[\"pv\"][0] == move": "root_moves",
    "board.svg(arrows=[chess.Arrow(25, 22)])": "Arrow",
}


def works(expression):
    names = {
        "chess": cannonade, "board": cannonade.Board(), "move": cannonade.Move(25, 22), "io": io, "PGN": PGN, "ROOK": ROOK,
        "MATED": MATED, "streamed": streamed, "stopped": stopped, "game": cannonade.read_games(PGN.encode())[0],
    }
    with cannonade.Engine() as names["engine"]:
        try:
            return bool(eval(expression, names))
        except (AttributeError, TypeError):
            return False


@pytest.mark.parametrize("expression", probes())
def test_what_users_of_python_chess_type_works_or_is_named_in_the_manual(expression):
    assert works(expression) == (expression not in ABSENT)
    if expression in ABSENT:
        assert re.search(rf"`[^`]*\b{ABSENT[expression]}\b[^`]*`", PAGE.read_text(encoding="utf-8"))


def test_the_probes_are_those_of_the_laboratory():
    assert len(set(probes())) == 126 and set(ABSENT) <= set(probes())
