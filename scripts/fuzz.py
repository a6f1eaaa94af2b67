#!/usr/bin/env python3
"""Gives changed inputs to everything that reads input, for hours, and counts them.

    scripts/fuzz.py --minutes 60 --log fuzz.log
    scripts/fuzz.py --minutes 60 --log fuzz.log --target sessions record
    scripts/fuzz.py --minutes 60 --log fuzz.log --coverage corpus

Without --coverage the inputs are random changes of real ones (engine-tests/fuzz). With it libFuzzer
makes them and keeps those that reach new code in the folder; that needs a nightly toolchain and a
C++ compiler, and its build checks for overflows too. One process with one thread runs at a time,
each target for --slice seconds, then the next one. The log has a line for each slice: time, target,
inputs, seconds, seed. An input that breaks something is printed and ends the run with code 1.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CRATE = ROOT / "engine-tests/fuzz/coverage"
TRIPLE = "x86_64-unknown-linux-gnu"

# The test of each target.
TESTS = {
    "fen": "a_fen_is_refused_or_survives_being_written",
    "move": "a_move_is_refused_or_is_legal_and_survives_being_written",
    "line": "any_line_is_a_command_or_is_not",
    "setting": "settings_of_engines_and_words_of_flags_are_read_or_refused",
    "record": "games_read_from_a_file_survive_being_written",
    "large": "large_files_are_read_in_time",
    "engine-lines": "whatever_an_engine_writes_its_game_can_be_recorded",
    "network": "a_network_is_refused_or_evaluates",
    "self-play": "a_self_play_game_is_refused_or_survives_being_written",
    "book": "a_book_is_refused_or_can_be_played",
    "table": "a_table_is_refused_or_can_be_read",
    "sessions": "changed_sessions_neither_panic_nor_hang_nor_lose_the_position",
    "engines": "processes::engines_that_write_anything_lose_or_play_on",
    "streams": "processes::inputs_without_end_are_refused",
}

# What libFuzzer needs to know of the code: counters, where they are, and what is compared.
INSTRUMENTATION = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
]


def build_tests():
    """The path of the test program."""
    command = ["cargo", "test", "--release", "--package", "cannonade", "--test", "all", "--no-run"]
    command.append("--message-format=json-render-diagnostics")
    output = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    messages = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    programs = [message["executable"] for message in messages if message.get("executable")]
    return pathlib.Path(programs[-1])


def build_coverage():
    """The path of the program with libFuzzer."""
    environment = dict(os.environ, RUSTFLAGS=" ".join(INSTRUMENTATION))
    command = ["cargo", "+nightly", "build", "--release", "--target", TRIPLE]
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "coverage"
    environment["CARGO_TARGET_DIR"] = str(target)
    subprocess.run(command, cwd=CRATE, env=environment, check=True)
    return target / TRIPLE / "release/coverage"


def changed(program, target, seconds, seed):
    """Runs a target by random changes; returns the number of inputs."""
    environment = dict(os.environ, CANNONADE_FUZZ_SECONDS=str(seconds), CANNONADE_FUZZ_SEED=str(seed))
    command = [str(program), f"fuzz::{TESTS[target]}", "--exact", "--nocapture", "--test-threads=1"]
    run = subprocess.run(
        command, cwd=ROOT, env=environment, text=True, errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )
    counted = re.search(rf"{target}: (\d+) inputs", run.stdout)
    if run.returncode != 0 or not counted:
        sys.exit(f"{target}, seed {seed}: {run.stdout}")
    return int(counted[1])


def guided(program, target, seconds, seed, folder):
    """Runs a target by libFuzzer; returns the number of inputs."""
    corpus = folder / target
    environment = dict(os.environ, CANNONADE_FUZZ_TARGET=target)
    if not corpus.exists():
        seeds = dict(environment, CANNONADE_FUZZ_SEEDS=str(corpus))
        subprocess.run([str(program)], env=seeds, check=True)
    command = [
        str(program), str(corpus), f"-max_total_time={seconds}", f"-seed={seed}",
        "-print_final_stats=1", "-timeout=300", "-rss_limit_mb=4096", "-detect_leaks=0",
        f"-artifact_prefix={folder}/{target}-",
    ]
    run = subprocess.run(
        command, env=environment, text=True, errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )
    counted = re.search(r"stat::number_of_executed_units:\s*(\d+)", run.stdout)
    if run.returncode != 0 or not counted:
        sys.exit(f"{target}, seed {seed}: {run.stdout[-6000:]}")
    reached = re.findall(r"cov: (\d+)", run.stdout)
    print(f"{target}: {reached[-1] if reached else '?'} edges reached")
    return int(counted[1])


def totals(log):
    """The inputs and seconds of each target in a log."""
    sums = {}
    for line in log.read_text().splitlines():
        _, target, inputs, seconds, _ = line.split()
        before = sums.get(target, (0, 0.0))
        sums[target] = (before[0] + int(inputs), before[1] + float(seconds))
    return sums


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, required=True, help="minutes in all")
    parser.add_argument("--slice", type=int, default=60, help="seconds of a target at a time")
    parser.add_argument("--log", type=pathlib.Path, required=True, help="the file of counts")
    parser.add_argument("--target", nargs="+", choices=TESTS, default=list(TESTS))
    parser.add_argument("--seed", type=int, default=int(time.time()) % 1_000_000_000)
    parser.add_argument("--nice", type=int, default=15, help="priority, 0 to 19")
    parser.add_argument("--program", type=pathlib.Path, help="a test program that is built already")
    parser.add_argument(
        "--coverage", type=pathlib.Path, metavar="FOLDER", help="use libFuzzer; its inputs are here"
    )
    options = parser.parse_args()
    if options.coverage:
        # libFuzzer changes the inputs of functions, not of processes.
        options.target = [name for name in options.target if "::" not in TESTS[name]]
    os.nice(options.nice)
    program = options.program or (build_coverage() if options.coverage else build_tests())
    end = time.monotonic() + 60 * options.minutes
    seed = options.seed
    while time.monotonic() < end:
        for target in options.target:
            start = time.monotonic()
            if options.coverage:
                inputs = guided(program, target, options.slice, seed, options.coverage)
                name = f"guided-{target}"
            else:
                inputs = changed(program, target, options.slice, seed)
                name = target
            seconds = time.monotonic() - start
            with options.log.open("a") as log:
                when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
                print(when, name, inputs, f"{seconds:.1f}", seed, file=log)
            if time.monotonic() > end:
                break
        seed += 1
    for target, (inputs, seconds) in sorted(totals(options.log).items()):
        print(f"{target:20} {inputs:12,} inputs {seconds:10.0f} s {inputs / seconds:10.0f} per second")


if __name__ == "__main__":
    main()
