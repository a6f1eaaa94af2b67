#!/usr/bin/env python3
"""Compares results and speed with `pyffish` and `cchess` on the same work, in one run.

    scripts/compare_python.py games.txt [--moves 1000000] [--files 1000]

`games.txt` has a game per line: a result and moves such as h2e2. Needs: pip install ./python pyffish cchess
"""

import argparse
import contextlib
import io
import tempfile
import time
from functools import partial
from pathlib import Path

from inputs import need_files

missing = None
try:
    import cannonade
    import cchess
    import pyffish
    import tomllib
except ImportError as error:
    missing = error.name

DATA = Path(__file__).resolve().parents[1] / "crates/xiangqi/tests/data"
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


def timed(work):
    """The result and the seconds of some work."""
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def row(what, ours, theirs, agree):
    """Prints seconds of both and how far the results agree; `theirs` is (name, seconds)."""
    name, seconds = theirs
    print(f"{what}: cannonade {ours:.3f} s, {name} {seconds:.3f} s, ratio {seconds / ours:.1f}; {agree}", flush=True)


def from_one(move):
    """A move as pyffish has it: ranks from 1."""
    return "".join(letter + str(int(rank) + 1) for letter, rank in (move[:2], move[2:]))


def from_zero(move):
    """A move of pyffish with ranks from 0."""
    cut = 2 if not move[2].isdigit() else 3
    return "".join(part[0] + str(int(part[1:]) - 1) for part in (move[:cut], move[cut:]))


def compare_legal_moves(games, positions):
    boards, fens = [], []
    for game in games:
        board = cannonade.Board()
        for move in game:
            boards.append(board.copy(stack=False))
            board.push(move)
        if len(boards) >= positions:
            break
    boards = boards[:positions]
    fens = [board.fen() for board in boards]
    ours, seconds = timed(lambda: [board.legal_moves for board in boards])
    from_fens, with_fens = timed(lambda: [cannonade.Board(fen).legal_moves for fen in fens])
    theirs, slow = timed(lambda: [pyffish.legal_moves("xiangqi", fen, []) for fen in fens])
    equal = sum({m.uci() for m in a} == set(map(from_zero, b)) for a, b in zip(from_fens, theirs))
    row(f"legal moves of {len(fens)} FENs", with_fens, ("pyffish", slow), f"{equal} equal")
    del ours
    few = fens[: max(1, len(fens) // 20)]
    cboards = [cchess.ChessBoard(fen) for fen in few]
    theirs, slow = timed(lambda: [list(board.create_moves()) for board in cboards])
    name = lambda square: "abcdefghi"[square[0]] + str(square[1])
    lists = [{name(a) + name(b) for a, b in found} for found in theirs]
    equal = sum({m.uci() for m in a} == b for a, b in zip(from_fens, lists))
    row(f"legal moves of {len(few)} boards", seconds * len(few) / len(fens), ("cchess", slow), f"{equal} of {len(few)} equal")


def perft_of_pyffish(fen, depth, path):
    moves = pyffish.legal_moves("xiangqi", fen, path)
    return len(moves) if depth == 1 else sum(perft_of_pyffish(fen, depth - 1, [*path, move]) for move in moves)


def perft_of_boards(board, depth):
    moves = board.legal_moves
    if depth == 1:
        return len(moves)
    nodes = 0
    for move in moves:
        board.push(move)
        nodes += perft_of_boards(board, depth - 1)
        board.pop()
    return nodes


def compare_perft(depth):
    board = cannonade.Board()
    inside, fast = timed(lambda: board.perft(depth))
    ours, seconds = timed(lambda: perft_of_boards(board, depth))
    theirs, slow = timed(lambda: perft_of_pyffish(START, depth, []))
    row(f"perft {depth} in Python", seconds, ("pyffish", slow), f"{ours} and {theirs} paths")
    print(f"perft {depth} by board.perft: {fast:.4f} s, {inside} paths, ratio {slow / fast:.0f}")


def compare_wxf(games, moves):
    some, count = [], 0
    for game in games:
        some.append(game)
        count += len(game)
        if count >= moves:
            break
    shifted = [[from_one(move) for move in game] for game in some]
    start = cannonade.Board()
    ours, seconds = timed(lambda: [start.variation(game, "wxf") for game in some])
    wxf = pyffish.NOTATION_XIANGQI_WXF
    theirs, slow = timed(lambda: [pyffish.get_san_moves("xiangqi", START, game, False, wxf) for game in shifted])
    differ = [
        (game, ply, a, b)
        for game, one, other in zip(some, ours, theirs)
        for ply, (a, b) in enumerate(zip(one, other))
        if a != b
    ]
    files = sum(names_file(*found) for found in differ)
    told = f"{len(differ)} differ, {files} by the file of one of two pieces on it where only one can make the move"
    row(f"WXF of {count} moves", seconds, ("pyffish", slow), told)
    for game, ply, a, b in [found for found in differ if not names_file(*found)][:5]:
        print(f"  {a}, pyffish {b}, after {' '.join(game[:ply])}")


def names_file(game, ply, ours, theirs):
    """Whether pyffish gives the file of a piece in place of the sign for front or rear, and it is read as the same move."""
    if ours[1] not in "+-" or not theirs[1].isdigit() or ours[0] + ours[2:] != theirs[0] + theirs[2:]:
        return False
    board = cannonade.Board()
    board.push_line(game[:ply])
    return board.parse_move(theirs).uci() == game[ply]


def compare_files(games, count):
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, moves in enumerate(games[:count]):
            game = cannonade.Game()
            game.add_line(moves)
            paths.append(Path(folder) / f"{i}.xqf")
            game.write(paths[-1])
        ours, seconds = timed(lambda: [[m.uci() for m in cannonade.read_games(path)[0].mainline_moves()] for path in paths])

        def read():
            with contextlib.redirect_stdout(io.StringIO()):
                found = [cchess.Game.read_from(str(path)) for path in paths]
                return [game.dump_iccs_moves()[0] for game in found]

        theirs, slow = timed(read)
        right = sum(a == list(b) for a, b in zip(games, ours))
        other = sum(a == list(b) for a, b in zip(games, theirs))
        row(f"{len(paths)} XQF files", seconds, ("cchess", slow), f"right: {right} and {other}")


def ruling_of_pyffish(fen, moves):
    """The ruling of a game in the words of ours; the value of pyffish is that of the side to move."""
    ended, value = pyffish.is_optional_game_end("xiangqi", fen, moves)
    if not ended:
        return "none"
    if value == 0:
        return "draw"
    red_to_move = (" b" not in fen) == (len(moves) % 2 == 0)
    return "black loses" if (value > 0) == red_to_move else "red loses"


def ruling_of_cannonade(fen, moves):
    return cannonade.judge(fen=fen, moves=moves).ruling


def rulings(cases, lines, judge):
    return [judge(case["fen"], line) for case, line in zip(cases, lines)]


def compare_rulings():
    for name in ("wxf-diagrams.toml", "wxf-loops.toml", "game-loops.toml"):
        cases = tomllib.loads((DATA / name).read_text(encoding="utf-8"))["case"]
        lines = [(case["lead"].split() + 3 * case["loop"].split()) for case in cases]
        shifted = [[from_one(move) for move in line] for line in lines]
        ours, seconds = timed(partial(rulings, cases, lines, ruling_of_cannonade))
        theirs, slow = timed(partial(rulings, cases, shifted, ruling_of_pyffish))
        right = sum(a == case["ruling"] for a, case in zip(ours, cases))
        other = sum(a == case["ruling"] for a, case in zip(theirs, cases))
        told = f"right: {right} and {other} of {len(cases)}"
        row(f"rulings of {name}, ours with reasons", seconds, ("pyffish", slow), told)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path)
    parser.add_argument("--moves", type=int, default=1_000_000, help="moves to write in WXF")
    parser.add_argument("--files", type=int, default=1000, help="XQF files to read")
    parser.add_argument("--positions", type=int, default=20_000)
    arguments = parser.parse_args()
    if missing:
        parser.error(f"{missing} is missing; pip install ./python pyffish cchess, with Python 3.11 or newer")
    need_files(parser, arguments.games)
    games = [line.split()[1:] for line in arguments.games.read_text(encoding="utf-8").splitlines() if line.strip()]
    print(f"cannonade {cannonade.version()}")
    compare_legal_moves(games, arguments.positions)
    compare_perft(3)
    compare_files(games, arguments.files)
    compare_rulings()
    compare_wxf(games, arguments.moves)


if __name__ == "__main__":
    main()
