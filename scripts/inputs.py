"""Checks of what a command line names, for other scripts."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

# How `cannonade match` tells of an option that an engine does not have, and of a value that Cannonade refuses.
UNKNOWN = re.compile(r"warning: engine .*: no option '(.*)'")
REFUSED = re.compile(r"engine .*?: option \w+: ")


def need_files(parser, *paths):
    """Ends with a message unless all of these are files."""
    for path in paths:
        if not Path(path).is_file():
            parser.error(f"there is no file {path}")


def need_program(parser, path):
    """Ends with a message unless this can be started."""
    if shutil.which(path) is None:
        parser.error(f"there is no program {path}")


def wrong_options(told, constants):
    """The lines of `cannonade match` on options that have no effect. An engine that has a constant of the search
    does not announce it, and is said to have no such option."""
    found = []
    for line in told.splitlines():
        unknown = UNKNOWN.match(line)
        if REFUSED.match(line) or (unknown and unknown[1] not in constants):
            found.append(line)
    return found


def run_match(command, constants):
    """Runs `cannonade match`; the exit code and what it tells of errors. Ends with a message if an option has no effect."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        told = []
        for line in process.stderr:
            told.append(line)
            if wrong_options(line, constants):
                process.terminate()
                sys.exit(f"error: the match would tell nothing: {line.strip()}")
    return process.returncode, "".join(told).strip()
