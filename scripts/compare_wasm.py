#!/usr/bin/env python3
"""Compares the speed of the WebAssembly modules with that of the program and of another package, all with one thread.

    scripts/compare_wasm.py [--program target/release/cannonade] [--package wasm/package]
        [--other node_modules/fairy-stockfish-nnue.wasm] [--nodes 200000] [--rounds 3]

Every engine searches the same positions for the same number of nodes, in a process of its own, one engine after the
other, in rounds. The time is that of the processor for the whole process, start and compilation included. Needs Node.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys

# A package of Cannonade as a program that speaks UCI.
MODULE = """
import(process.argv[1]).then(async ({ createEngine }) => {
  const engine = await createEngine(JSON.parse(process.argv[2]));
  engine.onmessage = (line) => console.log(line);
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    if (line === 'quit') process.exit();
    engine.postMessage(line);
  });
});
"""

# A package with the interface of stockfish.wasm; it must not take the `fetch` of Node for that of a browser.
OTHER = """
delete globalThis.fetch;
require(process.argv[1])().then((engine) => {
  engine.addMessageListener((line) => console.log(line));
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    if (line === 'quit') process.exit();
    engine.postMessage(line);
  });
});
"""


def search(command, setup, positions, nodes):
    """Searches the positions in a new process. Returns the nodes searched and the seconds of processor time."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def send(line):
        process.stdin.write(line + "\n")
        process.stdin.flush()

    def read_until(start):
        last = ""
        for line in process.stdout:
            if line.startswith(start):
                return last
            if " nodes " in line:
                last = line
        raise SystemExit(f"{command[0]} ended before '{start}'")

    send("uci")
    read_until("uciok")
    for line in setup:
        send(line)
    total = 0
    for fen in positions:
        send(f"position fen {fen}")
        send(f"go nodes {nodes}")
        total += int(read_until("bestmove").partition(" nodes ")[2].split()[0])
    send("quit")
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return total, usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="target/release/cannonade")
    parser.add_argument("--package", default="wasm/package")
    parser.add_argument("--other", help="the folder of a package with the interface of stockfish.wasm that plays xiangqi")
    parser.add_argument("--nodes", type=int, default=200_000, help="for each position")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    lines = (pathlib.Path(__file__).parent / "openings.epd").read_text().splitlines()
    fens = [" ".join(line.split()[:2]) for line in lines if line.strip() and not line.startswith("#")]
    positions = [f"{fen} - - 0 1" for fen in fens[::len(fens) // 16][:16]]
    index = pathlib.Path(arguments.package, "index.js").resolve().as_uri()
    node = ["node", "--eval", MODULE, index]
    engines = {
        "program": ([arguments.program], []),
        "module with threads": ([*node, '{"threads": true}'], []),
        "module with SIMD": ([*node, '{"threads": false}'], []),
        "module without": ([*node, '{"simd": false}'], []),
    }
    if arguments.other:
        script = pathlib.Path(arguments.other, "stockfish.js").resolve()
        engines[pathlib.Path(arguments.other).name] = (["node", "--eval", OTHER, str(script)], ["setoption name UCI_Variant value xiangqi"])
    speeds = {name: [] for name in engines}
    for _ in range(arguments.rounds):
        for name, (command, setup) in engines.items():
            total, seconds = search(command, ["setoption name Hash value 16", *setup], positions, arguments.nodes)
            speeds[name].append(total / seconds)
    base = statistics.median(speeds["program"])
    print(f"{len(positions)} positions, {arguments.nodes} nodes each, median of {arguments.rounds} rounds")
    for name, found in speeds.items():
        middle = statistics.median(found)
        print(f"{name:28} {middle:10,.0f} nodes/s  {middle / base:.2f}  ({min(found):,.0f} to {max(found):,.0f})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
