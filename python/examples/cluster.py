"""Analyses the games of a file with all machines of a Ray cluster, or the cores of this one without Ray.

    python cluster.py games.pgn report.jsonl --nodes 50000 [--address auto]

The machines need only the package and Ray.
"""

import argparse
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Optional

import cannonade


def reports(games: cannonade.Collection, nodes: int, address: Optional[str]) -> Iterator[cannonade.GameReport]:
    """The reports in the order of the games."""
    analyse = partial(cannonade.analyse_game, nodes=nodes)
    if address is None:
        with ProcessPoolExecutor() as pool:
            yield from pool.map(analyse, games)
        return
    try:
        import ray
    except ImportError:
        raise SystemExit("error: Ray is not installed; 'pip install ray' gets it, without --address none is needed") from None
    ray.init(address=address, log_to_driver=False)
    remote: Any = ray.remote(cannonade.analyse_game)
    for task in [remote.remote(game, nodes=nodes) for game in games]:
        yield ray.get(task)


def percent(side: cannonade.SideSummary) -> str:
    """The accuracy of a side, which may have no moves."""
    return "-" if side.accuracy is None else f"{side.accuracy:.1f} %"


def main() -> None:
    """Writes the reports and prints the accuracies."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=Path)
    parser.add_argument("report", type=Path)
    parser.add_argument("--nodes", type=int, default=20_000, help="for each position")
    parser.add_argument("--address", help="of a Ray cluster, such as auto or 10.0.0.1:6379")
    arguments = parser.parse_args()
    games = cannonade.read_games(arguments.games)
    with open(arguments.report, "w", encoding="utf-8") as file:
        for game, report in zip(games, reports(games, arguments.nodes, arguments.address)):
            file.write(report.json_lines())
            print(f"{game!r}: accuracy {percent(report.red)} and {percent(report.black)}", flush=True)


if __name__ == "__main__":
    main()
