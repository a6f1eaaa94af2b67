#!/usr/bin/env python3
"""Print the record of a training cycle as Markdown: cycle_record.py FOLDER/state.json

cycle.py writes the same text to FOLDER/record.md after each step.
"""

import argparse
import json
from pathlib import Path


def interval(elo):
    """`+246 (+193 to +307)`; `open` for an end without bound."""
    end = lambda value: "open" if value is None else f"{value:+.0f}"
    return f"{end(elo['estimate'])} ({end(elo['lower'])} to {end(elo['upper'])})"


def record(state):
    """The record of a state, as Markdown."""
    text = ["# Record of a training cycle", "", "| setting | value |", "|---|---|"]
    for name, value in state["settings"].items():
        value = ", ".join(map(str, value)) if isinstance(value, list) else value
        text.append(f"| {name.replace('_', ' ')} | {value} |")
    text += ["", "| step | seconds | CPU | result |", "|---|---|---|---|"]
    for name, step in state["steps"].items():
        text.append(f"| {name} | {step['seconds']} | {step['cpu_seconds']} | {summary(step)} |")
    seconds = sum(step["seconds"] for step in state["steps"].values())
    cpu = sum(step["cpu_seconds"] for step in state["steps"].values())
    text.append(f"| all | {seconds:.0f} | {cpu:.0f} | |")
    for name, step in state["steps"].items():
        if "losses" in step:
            text += ["", f"## {name}", "", "| epoch | loss | validation |", "|---|---|---|"]
            text += [f"| {n} | {a:.6f} | {b:.6f} |" for n, (a, b) in enumerate(step["losses"], 1)]
        if "statistics" in step:
            text += ["", f"## {name}", "", "```", *step["statistics"], "```"]
    return "\n".join(text) + "\n"


def summary(step):
    """The result of a step in one line."""
    if "program" in step:
        # Older records have the commit of the repository.
        version = step.get("version") or f"commit {step['commit'][:12]}"
        return f"{version}, program SHA-256 {step['program'][:16]}"
    if "elo" in step:
        score = step["score"]
        games = f"+{score['wins']} -{score['losses']} ={score['draws']}"
        line = f"against {Path(step['against']).stem} at {step['conditions']}: {games}, Elo {interval(step['elo'])}"
        if step["sprt"]:
            bounds = step["sprt"]["bounds"].replace(" ", ", ")
            line += f"; SPRT [{bounds}] LLR {step['sprt']['llr']:.2f}, {step['sprt']['state']}"
        return line
    if "adopted" in step:
        if not step["adopted"]:
            return "not adopted"
        return f"adopted as {step['network']}, SHA-256 {step['sha256'][:16]}"
    if "losses" in step:
        last = step["losses"][-1] if step["losses"] else (float("nan"), float("nan"))
        return f"{step['network']}; loss {last[0]:.6f}, validation {last[1]:.6f}; SHA-256 {step['sha256'][:16]}"
    if "shape" in step:
        return f"the first rival: width, pairs, threats {step['shape']}"
    said = step.get("said", "")
    said = "; ".join(said) if isinstance(said, list) else said
    if "by" in step:
        return f"by {Path(step['by']).stem} at {step['nodes']} nodes: {said}; SHA-256 {step['sha256'][:16]}"
    return said


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("state", type=Path, help="the file state.json of a cycle")
    path = parser.parse_args().state
    try:
        print(record(json.loads(path.read_text(encoding="utf-8"))), end="")
    except (OSError, ValueError, KeyError, TypeError) as error:
        parser.error(f"{path} is not a state of cycle.py: {error}")


if __name__ == "__main__":
    main()
