#!/usr/bin/env python3
"""Drives the engine for hours as no test of the suite can, and measures memory and delays.

    scripts/soak.py session target/release/cannonade --minutes 60 --log soak.log
    scripts/soak.py match target/release/cannonade --games 10000 --limit nodes=200 --log soak.log

`session` plays games with one engine and disturbs it at random: `stop` and `ponderhit` at any time,
options, new games, commands during a search, SIGSTOP and SIGCONT, several threads, and SIGINT, SIGTERM
or `quit` at any time, after which it starts a new one. Every `go` must get one `bestmove` that the
engine itself then accepts as a move, every `isready` one `readyok`, and a process must end when it is
told to. `match` runs `cannonade match` between two copies of the engine.

Both write a line to the log every --every seconds: seconds since the start, what was done, memory and
threads of the processes, and the scheduling delay, which is how much too late a sleep of 5 ms ended:
the longest since the last line. What goes wrong is printed and ends the run with code 1.
"""

import argparse
import contextlib
import json
import os
import pathlib
import random
import re
import selectors
import signal
import subprocess
import sys
import threading
import time

from inputs import need_program


class Delay:
    """Measures how late the system lets a waiting thread run."""

    def __init__(self):
        self.longest = self.ever = 0.0
        threading.Thread(target=self.measure, daemon=True).start()

    def measure(self):
        while True:
            start = time.monotonic()
            time.sleep(0.005)
            late = time.monotonic() - start - 0.005
            self.longest = max(self.longest, late)
            self.ever = max(self.ever, late)

    def take(self):
        """The longest delay since the last call, in milliseconds."""
        longest, self.longest = self.longest, 0.0
        return round(1000 * longest)


def status(process):
    """Memory in kB and threads of a process; zeros if it has ended."""
    try:
        text = pathlib.Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0, 0
    value = lambda name: int((re.search(rf"{name}:\s+(\d+)", text) or [0, 0])[1])
    return value("VmRSS"), value("Threads")


def children(process):
    """The processes that a process has started."""
    found = []
    for task in pathlib.Path(f"/proc/{process}/task").glob("*"):
        with contextlib.suppress(OSError):
            found += [int(word) for word in (task / "children").read_text().split()]
    return found


class Log:
    """A file with one JSON object per line."""

    def __init__(self, path, every):
        self.file, self.every, self.last = path.open("a"), every, 0.0
        self.start = time.monotonic()

    def write(self, due=False, **fields):
        now = time.monotonic()
        if due or now - self.last >= self.every:
            self.last = now
            line = {"seconds": round(now - self.start)} | fields
            print(json.dumps(line), file=self.file, flush=True)


class Engine:
    """An engine behind pipes whose lines are read with a deadline."""

    def __init__(self, program, delay):
        self.delay = delay
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        os.set_blocking(self.process.stdout.fileno(), False)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout.fileno(), selectors.EVENT_READ)
        self.rest, self.lines, self.sent = b"", [], []
        self.send("uci")
        self.until("uciok")

    def fail(self, why):
        shown = "\n".join(self.sent[-30:])
        sys.exit(f"{why}\nlast lines sent:\n{shown}\nlast lines received: {self.lines[-5:]}")

    def send(self, line):
        self.sent = [*self.sent[-200:], line]
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            self.fail("the engine has ended")

    def until(self, start, seconds=60.0):
        """The lines up to one that begins so, with it."""
        deadline = time.monotonic() + seconds
        while True:
            for number, line in enumerate(self.lines):
                if line.startswith(start):
                    found, self.lines = self.lines[: number + 1], self.lines[number + 1 :]
                    return found
            left = deadline - time.monotonic()
            if left < 0:
                self.fail(f"no '{start}' for {seconds} s")
            if self.selector.select(left):
                data = os.read(self.process.stdout.fileno(), 1 << 16)
                if not data:
                    self.fail(f"the engine ended with code {self.process.wait()}")
                *whole, self.rest = (self.rest + data).split(b"\n")
                self.lines += [line.decode(errors="replace") for line in whole]

    def end(self, how):
        """Ends the process by a command or a signal; it must obey."""
        if how == "quit":
            self.send("quit")
        elif how == "end of input":
            self.process.stdin.close()
        else:
            self.process.send_signal(how)
        try:
            code = self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.fail(f"it does not end by {how}")
        if how in ("quit", "end of input") and code != 0:
            self.fail(f"code {code} after {how}")
        self.process.stdout.close()


def change_option(engine, dice):
    name, value = dice.choice([
        ("Hash", dice.choice([1, 2, 16, 64, 300])),
        ("Threads", dice.choice([1, 1, 2, 3, 5])),
        ("MultiPV", dice.choice([1, 1, 2, 7])),
        ("Move Overhead", dice.choice([0, 10, 100])),
        ("Clear Hash", None),
    ])
    engine.send(f"setoption name {name}" + ("" if value is None else f" value {value}"))


def search(engine, dice, position, counts):
    """One search, disturbed at random; returns the best move, or None if there is none."""
    engine.send(position)
    kind = dice.choice(["movetime", "nodes", "clock", "infinite", "ponder", "depth"])
    limits = {
        "movetime": f"movetime {dice.randrange(1, 60)}",
        "nodes": f"nodes {dice.randrange(1, 5000)}",
        "clock": f"wtime {dice.randrange(1, 2000)} btime {dice.randrange(1, 2000)} winc 10 binc 10",
        "infinite": "infinite",
        "ponder": f"ponder wtime {dice.randrange(1, 2000)} btime {dice.randrange(1, 2000)}",
        "depth": f"depth {dice.randrange(1, 7)}",
    }
    engine.send("go " + limits[kind])
    counts[kind] = counts.get(kind, 0) + 1
    while dice.random() < 0.3:
        time.sleep(dice.random() * 0.02)
        disturbance = dice.choice(["isready", "noise", "suspend", "hit"])
        counts[disturbance] = counts.get(disturbance, 0) + 1
        if disturbance == "isready":
            engine.send("isready")
            received = engine.until("readyok")
            engine.lines += [line for line in received if line.startswith("bestmove")]
        elif disturbance == "noise":
            engine.send(dice.choice(["d", "xyz", ""]))
        elif disturbance == "hit":
            engine.send("ponderhit")
        else:
            engine.process.send_signal(signal.SIGSTOP)
            time.sleep(dice.random() * 0.1)
            engine.process.send_signal(signal.SIGCONT)
    if kind == "ponder" and dice.random() < 0.6:
        engine.send("ponderhit")
    if kind in ("infinite", "ponder") or dice.random() < 0.2:
        time.sleep(dice.random() * 0.02)
        engine.send("stop")
    best = engine.until("bestmove")[-1].split()[1]
    return None if best in ("(none)", "0000") else best


def session(options, delay, log):
    dice = random.Random(options.seed)
    counts = {"engines": 0, "games": 0, "moves": 0}
    engine = None
    end = time.monotonic() + 60 * options.minutes
    while time.monotonic() < end:
        if engine is None:
            engine, counts["engines"] = Engine(options.program, delay), counts["engines"] + 1
        counts["games"] += 1
        engine.send("ucinewgame")
        moves = []
        while len(moves) < 120 and time.monotonic() < end:
            if dice.random() < 0.1:
                change_option(engine, dice)
            text = f"position startpos moves {' '.join(moves)}" if moves else "position startpos"
            best = search(engine, dice, text, counts)
            if best is None:
                break
            moves.append(best)
            counts["moves"] += 1
            # Nothing is left over: the next answer is the one to the next question.
            engine.send("isready")
            left = engine.until("readyok")
            if any(line.startswith("bestmove") for line in left):
                engine.fail("a second bestmove")
            if any("refused" in line or "panick" in line for line in left):
                engine.fail(f"{left}")
            memory, threads = status(engine.process.pid)
            log.write(**counts, memory=memory, threads=threads, delay=delay.take())
            if dice.random() < 0.002:
                engine.send(text + f" {best}")
                engine.send(dice.choice(["isready", "go infinite", "go movetime 500", "go ponder"]))
                time.sleep(dice.random() * 0.05)
                how = dice.choice(["quit", "end of input", signal.SIGINT, signal.SIGTERM])
                counts[f"end by {getattr(how, 'name', how)}"] = (
                    counts.get(f"end by {getattr(how, 'name', how)}", 0) + 1
                )
                engine.end(how)
                engine = None
                break
    if engine:
        engine.end("quit")
    log.write(due=True, **counts, delay=round(1000 * delay.ever))
    print(json.dumps(counts | {"longest delay, ms": round(1000 * delay.ever)}))


def play_match(options, delay, log):
    program = str(pathlib.Path(options.program).resolve())
    command = [program, "match", "--rounds", str(options.games), "--report-every", "0"]
    for name in ("first", "second"):
        command += ["--engine", f"cmd={program}", f"name={name}"]
    command += ["--each", *options.limit, "--seed", str(options.seed)]
    if options.openings:
        command += ["--openings", options.openings]
    command += ["--pgn", options.pgn] if options.pgn else []
    with open(f"{options.log}.out", "w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
        while process.poll() is None:
            time.sleep(min(options.every, 1))
            engines = [status(child) for child in children(process.pid)]
            memory, threads = status(process.pid)
            if engines:
                log.write(memory=memory, threads=threads, engines=engines, delay=delay.take())
    text = pathlib.Path(f"{options.log}.out").read_text()
    print(" ".join(command))
    print("\n".join(text.splitlines()[-8:]))
    print(f"longest scheduling delay: {1000 * delay.ever:.0f} ms")
    endings = re.findall(r"^Endings: (.*)$", text, re.MULTILINE)
    has_faults = re.search(r"^(Games lost by faults|Restarts) of ", text, re.MULTILINE)
    if process.returncode != 0 or not endings or has_faults:
        sys.exit("the match had faults")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["session", "match"])
    parser.add_argument("program", help="the engine")
    parser.add_argument("--log", type=pathlib.Path, required=True)
    parser.add_argument("--every", type=float, default=10.0, help="seconds between lines of the log")
    parser.add_argument("--minutes", type=float, default=60.0, help="length of `session`")
    parser.add_argument("--games", type=int, default=10_000, help="games of `match`")
    parser.add_argument("--limit", nargs="+", default=["nodes=200"], help="settings of both engines")
    parser.add_argument("--openings", help="opening positions of `match`")
    parser.add_argument("--pgn", help="the games of `match`")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nice", type=int, default=15, help="priority, 0 to 19")
    options = parser.parse_args()
    need_program(parser, options.program)
    # A shell without job control starts what runs in the background with SIGINT ignored, and a
    # program would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.nice(options.nice)
    delay, log = Delay(), Log(options.log, options.every)
    (session if options.what == "session" else play_match)(options, delay, log)


if __name__ == "__main__":
    main()
