"""The program ``cannonade``: ``python -m cannonade`` and the command that the package installs."""

import signal
import sys

from . import _cannonade


def main() -> int:
    """Runs the command line of this process and returns its exit code."""
    # Ctrl-C is for the program, which ends by it as the binary does, not for the interpreter.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # The first word is the name in the help.
    return _cannonade.main(["cannonade", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
