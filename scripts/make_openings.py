#!/usr/bin/env python3
"""Makes the opening suite of the matches from master games.

    scripts/make_openings.py master-games.txt.gz --engine target/release/cannonade -o scripts/openings.epd

The games are lines of a result and moves in ICCS squares (`h2e2`), plain or gzipped. From each game
one position between --first-ply and --last-ply is taken. Kept are positions with equal material,
nobody in check, unlike any other also after mirroring, at most --branch of them from one position
at ply 6, and with a score of less than --limit centipawns by a search of --nodes nodes. Without
--engine nothing is scored. The outcome depends on the games, the engine and --seed only.

The suite in this folder is made from the Chinese-Chess Practical Dataset (CCPD), Tseng & Chen 2026,
CC BY 4.0, https://creativecommons.org/licenses/by/4.0/.
"""

import argparse
import collections
import concurrent.futures
import gzip
import random
import re
import subprocess
import sys
import zlib

from inputs import need_program

MOVE = re.compile("([a-i][0-9]){2}")
# What goes wrong with a file of games that is missing, is no text or has another end.
UNREADABLE = (OSError, EOFError, UnicodeDecodeError, zlib.error)
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"
BRANCH_PLY = 6


def squares_of(board):
    """The ten ranks of a FEN board, the lowest first, as lists of nine letters or dots."""
    ranks = []
    for rank in reversed(board.split("/")):
        row = []
        for letter in rank:
            row.extend("." * int(letter) if letter.isdigit() else letter)
        ranks.append(row)
    return ranks


def board_of(ranks):
    rows = []
    for row in reversed(ranks):
        text, empty = "", 0
        for letter in row:
            if letter == ".":
                empty += 1
                continue
            text += (str(empty) if empty else "") + letter
            empty = 0
        rows.append(text + (str(empty) if empty else ""))
    return "/".join(rows)


def play(ranks, move):
    file_from, rank_from, file_to, rank_to = move
    column = "abcdefghi".index
    piece = ranks[int(rank_from)][column(file_from)]
    ranks[int(rank_from)][column(file_from)] = "."
    ranks[int(rank_to)][column(file_to)] = piece


def canonical(ranks):
    """One text for a board and its mirror image."""
    return min(board_of(ranks), board_of([row[::-1] for row in ranks]))


def is_level(ranks):
    letters = collections.Counter(letter for row in ranks for letter in row)
    return all(letters[p] == letters[p.lower()] for p in "RNCPAB")


def opened(path):
    """A file of games, plain or gzipped, opened to be read."""
    opener = gzip.open if path.endswith(".gz") else open
    return opener(path, "rt", encoding="ascii")


def move_lists(path):
    """Yields the moves of each line of a file of games; ends with a message at a word that is no move."""
    with opened(path) as games:
        for number, line in enumerate(games, start=1):
            moves = line.split()[1:]
            for move in moves:
                if not MOVE.fullmatch(move):
                    sys.exit(f"{path}, line {number}: '{move}' is no move such as h2e2")
            yield moves


def candidates(path, first, last, chance):
    """Yields (board, side, key, key at the branching ply), one for each game that is long enough."""
    for moves in move_lists(path):
        ply = chance.randint(first, last)
        if len(moves) <= ply:
            continue
        ranks = squares_of(START)
        branch = None
        for number, move in enumerate(moves[:ply]):
            if number == BRANCH_PLY:
                branch = canonical(ranks)
            play(ranks, move)
        if is_level(ranks):
            side = "wb"[ply % 2]
            yield board_of(ranks), side, canonical(ranks) + side, branch


class Engine:
    """An engine in UCI that is asked for scores."""

    def __init__(self, command, nodes):
        self.nodes = nodes
        self.process = subprocess.Popen(
            [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.send("uci")
        self.wait("uciok")

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, word):
        """Reads up to the line that begins with `word`; the score on the way, if there is one."""
        score = None
        for line in self.process.stdout:
            words = line.split()
            if words and words[0] == word:
                return score
            if "score" in words and "lowerbound" not in words and "upperbound" not in words:
                kind, value = words[words.index("score") + 1 :][:2]
                score = int(value) if kind == "cp" else None
        raise SystemExit("the engine ended before it answered")

    def score(self, fen):
        """Centipawns for the side to move; None if it sees a mate."""
        self.send("ucinewgame")
        self.send(f"position fen {fen}")
        self.send(f"go nodes {self.nodes}")
        return self.wait("bestmove")

    def quit(self):
        self.send("quit")
        self.process.wait()


def in_check(engine_free_ranks, side):
    """Whether the side to move is in check: rook, cannon, knight or pawn (advisors never reach)."""
    king = "K" if side == "w" else "k"
    enemy = str.lower if side == "w" else str.upper
    rank, file = next(
        (r, f) for r in range(10) for f in range(9) if engine_free_ranks[r][f] == king
    )
    at = lambda r, f: engine_free_ranks[r][f] if 0 <= r < 10 and 0 <= f < 9 else "#"
    for dr, df in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        seen, r, f = 0, rank + dr, file + df
        while at(r, f) != "#":
            piece = at(r, f)
            if piece != ".":
                if seen == 0 and piece in (enemy("r"), enemy("k")) and (piece not in "kK" or df == 0):
                    return True
                if seen == 1 and piece == enemy("c"):
                    return True
                seen += 1
            r, f = r + dr, f + df
    forward = 1 if side == "w" else -1
    if enemy("p") in (at(rank + forward, file), at(rank, file - 1), at(rank, file + 1)):
        return True
    for dr in (-1, 1):
        for df in (-1, 1):
            if at(rank + dr, file + df) != ".":
                continue
            if enemy("n") in (at(rank + 2 * dr, file + df), at(rank + dr, file + 2 * df)):
                return True
    return False


def scored(chosen, arguments):
    """The positions with their scores, in order; those beyond the limit are left out."""
    parts = [chosen[i :: arguments.jobs] for i in range(arguments.jobs)]

    def work(part):
        engine = Engine(arguments.engine, arguments.nodes)
        found = [(board, side, engine.score(f"{board} {side} - - 0 1")) for board, side in part]
        engine.quit()
        return found

    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = [row for part in pool.map(work, parts) for row in part]
    kept = [row for row in results if row[2] is not None and abs(row[2]) < arguments.limit]
    return sorted(kept)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", help="a file of games, one a line: a result and moves; plain or gzipped")
    parser.add_argument("-o", "--output", required=True, help="the file of positions to write, in EPD")
    parser.add_argument("--engine", help="a UCI engine with ICCS squares (ranks 0-9); without it nothing is scored")
    parser.add_argument("--nodes", type=int, default=50_000, help="nodes to score a position with (default: %(default)s)")
    parser.add_argument("--limit", type=int, default=100, help="centipawns that no score may reach (default: %(default)s)")
    parser.add_argument("--count", type=int, default=4000, help="positions at most (default: %(default)s)")
    parser.add_argument("--first-ply", type=int, default=8, help="the earliest ply of a position (default: %(default)s)")
    parser.add_argument("--last-ply", type=int, default=16, help="the latest ply of a position (default: %(default)s)")
    parser.add_argument(
        "--branch", type=int, default=20, help=f"positions at most from one position at ply {BRANCH_PLY} (default: %(default)s)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="engines that score at the same time (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="random seed (default: %(default)s)")
    arguments = parser.parse_args()
    if arguments.jobs < 1:
        parser.error(f"--jobs {arguments.jobs}: give at least 1")
    if not 0 <= arguments.first_ply <= arguments.last_ply:
        parser.error("--first-ply must be at least 0 and at most --last-ply")

    if arguments.engine:
        need_program(parser, arguments.engine)

    chance = random.Random(arguments.seed)
    try:
        rows = list(candidates(arguments.games, arguments.first_ply, arguments.last_ply, chance))
    except UNREADABLE as error:
        parser.error(f"the games cannot be read: {error}")
    if not rows:
        sys.exit(f"{arguments.games}: no game has a level position of ply {arguments.first_ply} to {arguments.last_ply}")
    chance.shuffle(rows)
    seen, branches, chosen = set(), collections.Counter(), []
    for board, side, key, branch in rows:
        if key in seen or branches[branch] >= arguments.branch:
            continue
        if in_check(squares_of(board), side):
            continue
        seen.add(key)
        branches[branch] += 1
        chosen.append((board, side))
    print(f"{len(rows)} games, {len(chosen)} different positions", flush=True)
    # Some will be too uneven; three quarters pass with a sensible engine.
    chosen = chosen[: arguments.count if not arguments.engine else arguments.count * 3 // 2]
    if arguments.engine:
        kept = scored(chosen, arguments)
        print(f"{len(kept)} of {len(chosen)} have less than {arguments.limit} centipawns")
        chance.shuffle(kept)
        lines = [f"{board} {side} - - ce {score};" for board, side, score in kept]
    else:
        lines = [f"{board} {side} - -" for board, side in chosen]
    lines = sorted(lines[: arguments.count])
    with open(arguments.output, "w", encoding="ascii", newline="\n") as output:
        output.write("\n".join(lines) + "\n")
    print(f"{len(lines)} positions in {arguments.output}")


if __name__ == "__main__":
    main()
