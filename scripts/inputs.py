"""Checks of what a command line names, for other scripts."""

import shutil
import subprocess
from pathlib import Path


def need_files(parser, *paths):
    """Ends with a message unless all of these are files."""
    for path in paths:
        if not Path(path).is_file():
            parser.error(f"there is no file {path}")


def need_program(parser, path):
    """Ends with a message unless this can be started."""
    if shutil.which(path) is None:
        parser.error(f"there is no program {path}")


def run_match(command):
    """Runs `cannonade match`; the exit code and what it tells of errors."""
    run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    return run.returncode, run.stderr.strip()
