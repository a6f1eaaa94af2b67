#!/usr/bin/env python3
"""Spread self-play, a match or the analysis of games over a cluster, with Ray (https://www.ray.io, `pip install ray`).

    scripts/spread.py datagen data/big --games 1000000 --seed 7 --openings scripts/openings.epd \\
        -- --nodes 1000 --net nets/default.net
    scripts/spread.py match data/test --pairs 20000 --openings scripts/openings.epd \\
        --sprt elo0=0 elo1=3 -- --engine cmd=./new name=new --engine cmd=./old name=old --each tc=5+0.05

    scripts/spread.py analyze data/report -- games.pgn --nodes 50000 --pgn

The flags after `--` are those of `cannonade datagen` or `match`; `analyze` has its own, which
`scripts/spread.py analyze FOLDER -- --help` lists. The work is divided into shards. Of self-play and
matches each shard is one run of the program on one machine; programs, networks and openings that are
files here are sent along. A shard of games is analysed by `analyse_game` of the Python package
(`pip install ./python`), which is sent along too; a machine for which this build is not made uses its
own, which must have the same version. So the other machines need only Ray, and must be able to run what
is sent. A shard whose worker or machine is lost is given to another one.

The games of each shard of self-play are kept in FOLDER/shards and at the end joined, without
duplicates, into FOLDER/all.games. The results of a match are pooled after each shard into
FOLDER/pooled.json, with pairs of games as the unit (pentanomial). When the SPRT on all results is
decided, all shards stop. The analyses of all games are joined in the order of the games into
FOLDER/analysis.txt, .pgn (with --pgn), .jsonl (--json) or .html (--html): the output that
`cannonade analyze` writes of all games at once.
The same command continues an interrupted run; of an analysis also with another output.

Without --address the run starts a cluster of this machine only.
"""

import argparse
import contextlib
import ctypes
import hashlib
import json
import os
import pickle
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Any

from inputs import need_files

ROOT = Path(__file__).resolve().parent.parent

# Failures of a shard after which the run ends: the cause is then probably not a machine.
ATTEMPTS = 4

# Values of EvalFile that name no file.
BUILT_IN_NAMES = ("none", "material")

# Seconds for a shard to stop before it is killed.
PATIENCE = 20


class Shipment:
    """Files that shards need, by checksum, so that each is sent to a machine only once."""

    def __init__(self):
        self.files = {}

    def add(self, path):
        """Adds a file and returns the mark that stands for it in the command of a shard."""
        return self.add_content(Path(path).name, os.access(path, os.X_OK), Path(path).read_bytes())

    def add_content(self, name, executable, content):
        """Adds a file of this name and returns its mark."""
        digest = hashlib.sha256(content).hexdigest()[:32]
        self.files[digest] = (name, executable, content)
        return f"@@{digest}@@"

    def add_package(self, folder):
        """Adds an installed Python package as an archive and returns its mark."""
        archive = BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
            for file in sorted(folder.rglob("*")):
                if file.is_file() and "__pycache__" not in file.parts:
                    # Without its time, which would change the checksum.
                    entry = zipfile.ZipInfo(str(Path(folder.name) / file.relative_to(folder)))
                    packed.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)
        return self.add_content(f"{folder.name}.zip", False, archive.getvalue())

    def translate(self, word):
        """A word of a command with the file that it names, if so, replaced by its mark."""
        key, equals, value = word.partition("=")
        if equals and Path(value).is_file():
            return f"{key}={self.add(value)}"
        return self.add(word) if Path(word).is_file() else word


def unpack(files):
    """On the worker: puts the files where commands find them; a dictionary of mark -> path."""
    import ray

    place = Path(tempfile.gettempdir()) / f"cannonade-files-{os.getuid()}"
    paths = {}
    for digest, (name, executable, reference) in files.items():
        path = place / digest / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            # Other workers of this machine may do the same at this moment.
            scratch = path.with_name(f"{name}.{os.getpid()}")
            scratch.write_bytes(ray.get(reference))
            scratch.chmod(0o755 if executable else 0o644)
            scratch.replace(path)
        paths[f"@@{digest}@@"] = str(path)
    return paths


def import_package(archive, version):
    """On the worker: the package `cannonade` of this archive, or that of the machine if this build is for others."""
    folder = archive.with_suffix("")
    if not folder.exists():
        scratch = Path(tempfile.mkdtemp(dir=archive.parent))
        with zipfile.ZipFile(archive) as packed:
            packed.extractall(scratch)
        try:
            scratch.rename(folder)
        except OSError:
            # Another worker of this machine was sooner.
            shutil.rmtree(scratch)
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    try:
        import cannonade

        return cannonade
    except ImportError as error:
        sent = error
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.split(".")[0] == "cannonade"]:
        del sys.modules[name]
    host, need = socket.gethostname(), f"install version {version} of it there"
    try:
        import cannonade
    except ImportError as error:
        raise RuntimeError(f"{host} cannot load the Python package that was sent ({sent}), nor its own ({error}); {need}") from None
    if cannonade.__version__ != version:
        raise RuntimeError(
            f"{host} cannot load the Python package that was sent ({sent}) and has version {cannonade.__version__}; {need}"
        )
    return cannonade


def analyse_shard(package, version, files, games, settings, at_once):
    """On the worker: the reports of pickled games, pickled."""
    cannonade = import_package(Path(unpack(files)[package]), version)

    def analyse(game):
        return cannonade.analyse_game(game, **settings)

    games = pickle.loads(games)
    if at_once == 1:
        # In this thread, where a cancellation ends the search.
        reports = list(map(analyse, games))
    else:
        with ThreadPoolExecutor(at_once) as pool:
            try:
                reports = list(pool.map(analyse, games))
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
    return socket.gethostname(), {"reports": pickle.dumps(reports)}


def die_with_parent():
    """Ends the engine together with its worker, so that a lost worker leaves no process behind (Linux)."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)


def run_shard(command, files, outputs):
    """On the worker: runs a command in an empty folder; the named files that it leaves there."""
    paths = unpack(files)
    for mark, path in paths.items():
        command = [word.replace(mark, path) for word in command]
    with tempfile.TemporaryDirectory() as folder:
        with open(Path(folder) / "said", "w+", encoding="utf-8", errors="replace") as said:
            process = subprocess.Popen(
                command,
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                preexec_fn=die_with_parent,  # noqa: PLW1509  it only calls prctl
            )
            try:
                # Not one long wait, in which a cancellation would go unheard.
                while process.poll() is None:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(0.2)
            finally:
                if process.poll() is None:
                    process.terminate()
                    process.wait()
            if process.returncode != 0:
                said.seek(0)
                tail = said.read()[-2000:]
                raise RuntimeError(f"exit code {process.returncode} of {' '.join(command)}\n{tail}")
        found = {name: (Path(folder) / name).read_bytes() for name in outputs}
    return socket.gethostname(), found


class Work:
    """A run: its shards, which of them are done, and how to join the results."""

    # The results of a shard by name, and their endings in the folder of the run.
    outputs: tuple[str, ...]
    kept: tuple[str, ...]

    # What makes a shard on a worker, and its arguments.
    worker: Callable[..., tuple[str, dict[str, bytes]]] = staticmethod(run_shard)

    def total(self):
        """The games or pairs of the run."""
        raise NotImplementedError

    def task(self, shard, files):
        """The arguments of the worker for a shard; `files` are the references of those that are sent."""
        raise NotImplementedError

    def is_decided(self):
        """Whether the shards that are left can change nothing."""
        return False

    def finish(self):
        """Joins the results of the shards."""
        raise NotImplementedError

    def settings(self):
        """What a run that is continued must share, besides kind, shard and total."""
        raise NotImplementedError

    def __init__(self, arguments):
        self.arguments = arguments
        self.folder = arguments.folder
        self.shards = self.folder / "shards"
        self.shipment = Shipment()
        self.count = -(-self.total() // arguments.shard)

    def keep_plan(self):
        """Two runs with different settings must not share a folder."""
        plan = {
            "kind": self.arguments.kind,
            "shard": self.arguments.shard,
            # The last shard may be smaller than the others, so that another total needs another one.
            "total": self.total(),
            **self.settings(),
        }
        self.shards.mkdir(parents=True, exist_ok=True)
        file = self.folder / "plan.json"
        if file.exists() and json.loads(file.read_text(encoding="utf-8")) != plan:
            sys.exit(
                f"error: {self.folder} holds a run with other settings or programs; give those of "
                f"{file}, or another folder"
            )
        write_whole(file, json.dumps(plan, indent=1).encode())

    def range_of(self, shard):
        """The first unit of a shard, and how many it has."""
        first = shard * self.arguments.shard
        return first, min(self.arguments.shard, self.total() - first)

    def is_done(self, shard):
        return (self.shards / f"{shard:06}{self.kept[0]}").exists()

    def files_of_done(self):
        return [
            self.shards / f"{shard:06}{self.kept[0]}"
            for shard in range(self.count)
            if self.is_done(shard)
        ]

    def keep(self, shard, found):
        # The file that tells that the shard is done comes last.
        for name, suffix in reversed(list(zip(self.outputs, self.kept))):
            write_whole(self.shards / f"{shard:06}{suffix}", found[name])


class ProgramRun(Work):
    """A run whose shards are runs of the program."""

    def command(self, shard):
        """The command of a shard, files by their marks."""
        raise NotImplementedError

    def __init__(self, arguments, words):
        super().__init__(arguments)
        self.words = [self.shipment.translate(word) for word in words]
        self.engine = self.shipment.add(arguments.engine)
        self.openings = self.shipment.add(arguments.openings) if arguments.openings else None

    def settings(self):
        return {
            "sprt": self.arguments.sprt,
            "seed": self.arguments.seed,
            "command": [self.engine, *self.words, self.openings],
        }

    def task(self, shard, files):
        return self.command(shard), files, self.outputs

    def ask(self, *words):
        """Runs the program here and returns what it says."""
        command = [str(Path(self.arguments.engine).resolve()), *map(str, words)]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode != 0:
            sys.exit(f"error: {' '.join(command[:3])} ..: {run.stderr.strip()}")
        return run.stdout


class SelfPlay(ProgramRun):
    outputs = ("shard.games",)
    kept = (".games",)

    def total(self):
        return self.arguments.games

    def command(self, shard):
        first, games = self.range_of(shard)
        openings = ["--openings", self.openings] if self.openings else []
        return [
            *(self.engine, "datagen", "--output", self.outputs[0]),
            *("--first", str(first), "--games", str(games)),
            *("--threads", str(self.arguments.cpus)),
            *("--seed", str(self.arguments.seed)),
            *openings,
            *self.words,
        ]

    def finish(self):
        joined = self.folder / "all.games"
        print(self.ask("data", "merge", *self.files_of_done(), "--output", joined), end="")
        print(self.ask("data", "stats", joined), end="")


def count_positions(path):
    """The positions of a FEN or EPD file."""
    lines = map(str.strip, path.read_text(encoding="utf-8").splitlines())
    return sum(not line.startswith("#") for line in lines if line)


class Match(ProgramRun):
    outputs = ("result.json", "games.pgn")
    kept = (".json", ".pgn")

    def __init__(self, arguments, words):
        for word in words:
            key, _, value = word.partition("=")
            is_net = key.lower() == "option.evalfile"
            if is_net and value not in BUILT_IN_NAMES and not Path(value).is_file():
                sys.exit(f"error: {word}: there is no such file; or give none or material")
        super().__init__(arguments, words)

    def total(self):
        return self.arguments.pairs

    def command(self, shard):
        first, pairs = self.range_of(shard)
        openings = []
        if self.openings:
            # After the last opening follows the first.
            start = first % count_positions(self.arguments.openings) + 1
            openings = ["--openings", f"file={self.openings}", "order=random", f"start={start}"]
        return [
            *(self.engine, "match", *self.words),
            *("--rounds", str(pairs), "--repeat", *openings),
            *("--seed", str(self.arguments.seed)),
            *("--concurrency", str(self.arguments.cpus)),
            *("--json", self.outputs[0], "--pgn", self.outputs[1], "--report-every", "0"),
        ]

    def pool(self):
        files = self.files_of_done()
        if not files:
            return "", None
        pooled = self.folder / "pooled.json"
        sprt = ["--sprt", *self.arguments.sprt] if self.arguments.sprt else []
        said = self.ask("pool", *files, "--json", pooled, *sprt)
        return said, json.loads(pooled.read_text(encoding="utf-8"))["sprt"]

    def is_decided(self):
        said, sprt = self.pool()
        line = next((line for line in said.splitlines() if line.startswith(("LLR", "Elo"))), None)
        if sprt:
            line = next(line for line in said.splitlines() if line.startswith("LLR"))
        if line:
            print(f"  {line}", flush=True)
        return sprt is not None and sprt["report"]["state"] != "continue"

    def finish(self):
        with open(self.folder / "games.pgn", "wb") as games:
            games.writelines(file.with_suffix(".pgn").read_bytes() + b"\n" for file in self.files_of_done())
        print(self.pool()[0], end="")


class Analysis(Work):
    outputs = ("reports",)
    kept = (".reports",)
    worker = staticmethod(analyse_shard)

    def __init__(self, arguments, words):
        try:
            import cannonade
        except ImportError:
            sys.exit("error: the analysis of games needs the Python package; 'pip install ./python' gets it")
        self.cannonade = cannonade
        self.flags = self.read_flags(words)
        # Whether the files have no defect.
        self.sound = True
        self.games = self.read()
        try:
            # Nothing is searched in a position without a move; wrong settings are refused.
            mated = cannonade.Game("3k1R3/9/9/3R5/9/9/9/9/9/4K4 b")
            cannonade.analyse_game(mated, notation=self.flags.notation or "uci", **self.search())
        except ValueError as error:
            sys.exit(f"error: {error}")
        super().__init__(arguments)
        self.package = self.shipment.add_package(Path(cannonade.__file__).parent)

    @staticmethod
    def read_flags(words):
        flags = argparse.ArgumentParser(prog="spread.py analyze FOLDER --", allow_abbrev=False)
        flags.add_argument("files", nargs="+", help="files of games of any kind that the program reads")
        flags.add_argument("--nodes", type=int, help="nodes for each position")
        flags.add_argument("--depth", type=int, help="depth for each position")
        flags.add_argument("--time", type=float, metavar="S", help="seconds for each position")
        flags.add_argument("--multipv", type=int, default=1, metavar="K", help="best lines of a position")
        flags.add_argument("--threads", type=int, default=1, help="threads of a search; a shard has --cpus of them")
        flags.add_argument("--hash", type=int, default=64, metavar="MIB", help="transposition table of a game in MiB")
        flags.add_argument(
            "--tables", default="none", metavar="DIR",
            help="a folder of endgame tables on all machines (default: none besides the built-in ones)",
        )
        flags.add_argument("--notation", help="of moves (default: uci, of a page wxf)")
        flags.add_argument("--language", choices=("en", "zh"), default="en", help="of a page")
        output = flags.add_mutually_exclusive_group()
        for suffix, what in (("pgn", "annotated games"), ("json", "JSON lines"), ("html", "a page")):
            output.add_argument(f"--{suffix}", dest="output", action="store_const", const=suffix, help=f"writes {what}")
        return flags.parse_args(words)

    def read(self):
        """The games; defects are reported."""
        games = []
        for path in self.flags.files:
            try:
                collection = self.cannonade.read_games(path)
            except OSError as error:
                sys.exit(f"error: {path}: {error.strerror}")
            except ValueError as error:
                sys.exit(f"error: {error}")
            for problem in collection.problems:
                self.sound = False
                print(f"error: {path}: {problem}", file=sys.stderr)
            # The search of a start with a defect means nothing.
            games.extend(game for game in collection if game.board().root().defect() is None)
        if not games:
            sys.exit(f"error: {', '.join(self.flags.files)}: no game can be analysed")
        return games

    def total(self):
        return len(self.games)

    def settings(self):
        games = hashlib.sha256("".join(map(str, self.games)).encode()).hexdigest()
        return {"package": self.package, "games": games, "search": self.search()}

    def search(self):
        """The keywords of `analyse_game`."""
        names = ("nodes", "depth", "time", "multipv", "threads", "hash", "tables")
        return {name: getattr(self.flags, name) for name in names}

    def task(self, shard, files):
        first, count = self.range_of(shard)
        games = pickle.dumps(self.games[first : first + count])
        at_once = max(1, self.arguments.cpus // max(1, self.flags.threads))
        return self.package, self.cannonade.__version__, files, games, self.search(), at_once

    def finish(self):
        reports = [report for file in self.files_of_done() for report in pickle.loads(file.read_bytes())]
        form = self.flags.output
        for report in reports:
            report.notation = self.flags.notation or "uci"
        if form == "html":
            notation = self.flags.notation or "wxf"
            text = self.cannonade.reports_page(reports, language=self.flags.language, notation=notation)
        elif form == "json":
            text = "".join(report.json_lines(number) for number, report in enumerate(reports, 1))
        elif form == "pgn":
            text = "".join(report.annotated().text(report.notation) for report in reports)
        else:
            texts = list(map(str, reports))
            if len(texts) > 1:
                texts.append(self.cannonade.games_table(reports))
            text = "\n".join(texts)
        output = self.folder / f"analysis.{ {None: 'txt', 'json': 'jsonl'}.get(form, form) }"
        write_whole(output, text.encode())
        print(f"{len(reports)} game{'s' * (len(reports) != 1)} in {output}")
        if not self.sound:
            sys.exit("error: the files have defects, reported above")


def write_whole(path, content):
    """Replaces a file, so that nobody ever sees half of it."""
    scratch = path.with_name(path.name + ".part")
    scratch.write_bytes(content)
    scratch.replace(path)


def spread(ray, work):
    """Does the shards that are not done yet, until all are or the work is decided."""
    files = {
        digest: (name, executable, ray.put(content))
        for digest, (name, executable, content) in work.shipment.files.items()
    }
    cpus = work.arguments.cpus
    # Lost shards are given out again below, where it is told.
    remote = ray.remote(num_cpus=cpus, max_retries=0)(work.worker)
    waiting = [shard for shard in range(work.count) if not work.is_done(shard)]
    done = work.count - len(waiting)
    print(f"{work.count} shard{'s' * (work.count != 1)}, {done} of them done before", flush=True)
    attempts = {}
    running = {}
    decided = done > 0 and work.is_decided()
    try:
        while (waiting or running) and not decided:
            # Machines may come and go; one shard more than there is room for keeps all of it full.
            room = int(ray.cluster_resources().get("CPU", 0) // cpus) + 1
            while waiting and len(running) < room:
                shard = waiting.pop(0)
                running[remote.remote(*work.task(shard, files))] = shard
            ended, _ = ray.wait(list(running), timeout=5)
            for reference in ended:
                shard = running.pop(reference)
                try:
                    host, found = ray.get(reference)
                except ray.exceptions.RayError as error:
                    attempts[shard] = attempts.get(shard, 0) + 1
                    reason = str(error).strip().splitlines()
                    print(f"shard {shard}: lost ({type(error).__name__}), goes to another worker", flush=True)
                    if attempts[shard] == ATTEMPTS:
                        sys.exit(f"error: shard {shard} failed {ATTEMPTS} times; the last time:\n" + "\n".join(reason[-12:]))
                    waiting.insert(0, shard)
                    continue
                work.keep(shard, found)
                done += 1
                print(f"shard {shard}: done on {host}, {done} of {work.count}", flush=True)
                decided = decided or work.is_decided()
    finally:
        stop(ray, running)
    if decided and done < work.count:
        print("decided; the other shards are stopped", flush=True)


def stop(ray, running):
    for reference in running:
        ray.cancel(reference)
    left = ray.wait(list(running), num_returns=len(running), timeout=PATIENCE)[1] if running else []
    for reference in left:
        ray.cancel(reference, force=True)


def main():
    argv = sys.argv[1:]
    cut = argv.index("--") if "--" in argv else len(argv)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kind", choices=("datagen", "match", "analyze"))
    parser.add_argument("folder", type=Path, help="where shards and results are kept")
    parser.add_argument("--games", type=int, help="datagen: games in all")
    parser.add_argument("--pairs", type=int, help="match: pairs of games in all, at most")
    parser.add_argument("--shard", type=int, help="games (500; of an analysis 20) or pairs (10) of a shard")
    parser.add_argument("--sprt", nargs="+", default=[], metavar="KEY=VALUE", help="match: elo0= elo1= ..")
    parser.add_argument("--openings", type=Path, help="FEN or EPD positions to begin with")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cpus", type=int, default=1, help="cores of a shard: games at once")
    parser.add_argument("--engine", type=Path, default=ROOT / "target/release/cannonade")
    parser.add_argument("--address", help="of a Ray cluster, such as auto or 10.0.0.1:6379")
    parser.add_argument("--local", type=int, metavar="CORES", help="of this machine, without --address")
    arguments = parser.parse_args(argv[:cut])
    needed = {"datagen": "games", "match": "pairs"}.get(arguments.kind)
    if needed and not getattr(arguments, needed):
        parser.error(f"{arguments.kind} needs --{needed}")
    if arguments.shard is None:
        arguments.shard = {"datagen": 500, "match": 10, "analyze": 20}[arguments.kind]
    if arguments.shard < 1:
        parser.error(f"--shard {arguments.shard}: give at least 1")
    engine = None if arguments.kind == "analyze" else arguments.engine
    need_files(parser, *filter(None, (engine, arguments.openings)))
    try:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        import ray
    except ImportError:
        sys.exit("error: Ray is not installed; 'pip install ray' gets it")

    work = {"datagen": SelfPlay, "match": Match, "analyze": Analysis}[arguments.kind](arguments, argv[cut + 1 :])
    work.keep_plan()
    quiet: dict[str, Any] = {"logging_level": "ERROR", "log_to_driver": False}
    if arguments.address:
        ray.init(address=arguments.address, **quiet)
    else:
        store = 256 << 20
        ray.init(num_cpus=arguments.local, include_dashboard=False, object_store_memory=store, **quiet)
    try:
        spread(ray, work)
    except KeyboardInterrupt:
        sys.exit("interrupted; the same command continues from here")
    finally:
        ray.shutdown()
    work.finish()


if __name__ == "__main__":
    main()
