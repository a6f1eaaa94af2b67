#!/usr/bin/env python3
"""Plays games with a UCI engine as clients do that count ranks from 1, checked by `pyffish`.

    scripts/check_ranks.py target/release/cannonade [--opponent fairy-stockfish] [--games 2]

Without an opponent the engine is driven as liground does: `position fen` without moves, and every
move and principal variation is read with ranks 1 to 10. With an opponent both engines get the same
text, as variantfishtest sends it: `position startpos moves ..`. Prints what was checked; ends with
code 1 at the first illegal move.
"""

import argparse
import subprocess
import sys

try:
    import pyffish
except ImportError:
    pyffish = None

START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"


class Engine:
    """A UCI engine."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command.split(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.send("uci")
        self.options = [line for line in self.until("uciok") if line.startswith("option name")]

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def until(self, start):
        """The lines up to one that begins so, with it."""
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit(f"the engine ended; last lines: {lines[-3:]}")
            lines.append(line.strip())
            if line.startswith(start):
                return lines

    def ready(self):
        self.send("isready")
        self.until("readyok")

    def quit(self):
        self.send("quit")
        self.process.wait(timeout=10)


def check_pv(fen, moves, line):
    """Whether each move of a principal variation is legal; returns how many there are."""
    pv = line.split(" pv ")[1].split()
    played = list(moves)
    for move in pv:
        if move not in pyffish.legal_moves("xiangqi", fen, played):
            sys.exit(f"illegal in {fen} moves {played}: {move} of '{line}'")
        played.append(move)
    return len(pv)


def over(fen, moves):
    """Whether the game is over by the rules of pyffish."""
    if not pyffish.legal_moves("xiangqi", fen, moves):
        return "no legal move"
    ended, _ = pyffish.is_optional_game_end("xiangqi", fen, moves)
    return "repetition or move limit" if ended else None


def as_liground(command, games, go):
    engine = Engine(command)
    engine.send("setoption name UCI_Variant value xiangqi")
    engine.send("setoption name UCI_Chess960 value false")
    engine.ready()
    moves_checked = pvs_checked = 0
    for game in range(games):
        # Every game begins with another move.
        moves = [sorted(pyffish.legal_moves("xiangqi", START, []))[7 * game % 44]]
        while not over(START, moves) and len(moves) < 300:
            fen = pyffish.get_fen("xiangqi", START, moves)
            engine.send(f"position fen {fen}")
            engine.send(go)
            lines = engine.until("bestmove")
            for line in lines:
                if " pv " in line:
                    check_pv(fen, [], line)
                    pvs_checked += 1
            move = lines[-1].split()[1]
            if move not in pyffish.legal_moves("xiangqi", fen, []):
                sys.exit(f"illegal in {fen}: {move}")
            moves.append(move)
            moves_checked += 1
        print(f"game {game + 1}: {len(moves)} plies, {over(START, moves) or 'stopped'}")
    engine.quit()
    print(f"{moves_checked} moves and {pvs_checked} principal variations are legal")


def as_variantfishtest(command, opponent, games, go):
    engines = [Engine(command), Engine(opponent)]
    points = [0.0, 0.0]
    for game in range(games):
        for engine in engines:
            if not any("UCI_Variant" in option for option in engine.options):
                sys.exit("no option UCI_Variant")
            engine.send("setoption name UCI_Variant value xiangqi")
            engine.ready()
            engine.send("ucinewgame")
            engine.send("setoption name clear hash")
        moves = []
        while not (end := over(START, moves)) and len(moves) < 300:
            engine = engines[(len(moves) + game) % 2]
            engine.send("position startpos moves " + " ".join(moves))
            engine.send(go)
            move = engine.until("bestmove")[-1].split()[1]
            if move not in pyffish.legal_moves("xiangqi", START, moves):
                sys.exit(f"illegal after {moves}: {move}")
            moves.append(move)
        if end == "no legal move":
            points[(len(moves) + game + 1) % 2] += 1
        else:
            points = [half + 0.5 for half in points]
        print(f"game {game + 1}: {len(moves)} plies, {end or 'stopped'}")
    for engine in engines:
        engine.quit()
    print(f"all moves are legal; points {points[0]} to {points[1]}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("engine", help="the command of the engine")
    parser.add_argument("--opponent", help="the command of a second engine")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--go", default="go nodes 3000", help="the command that starts a search")
    arguments = parser.parse_args()
    if pyffish is None:
        parser.error("the Python library pyffish is missing: pip install pyffish")
    if arguments.opponent:
        as_variantfishtest(arguments.engine, arguments.opponent, arguments.games, arguments.go)
    else:
        as_liground(arguments.engine, arguments.games, arguments.go)


if __name__ == "__main__":
    main()
