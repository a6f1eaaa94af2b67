#!/usr/bin/env bash
# Checks the Python package against the installed wheel: tests, examples, types.
#
#   pip install pytest mypy numpy ; pip install ./python
#
# What is not installed is named and left out.
set -euo pipefail
cd "$(dirname "$0")"

# A package has only files of its own folder.
cmp licenses/MIT.txt ../LICENSE
cmp licenses/OFL.txt ../crates/xiangqi/src/pictures/assets/OFL.txt

python=${PYTHON:-python3}
if ! (cd / && "$python" -c "import cannonade, pytest") 2>/dev/null; then
    echo "skipped: the tests of the Python package; pip install pytest numpy ./python"
    exit 0
fi
# From `tests`, where the sources of the package do not hide the installed one.
(cd tests && "$python" -m pytest -q -p no:cacheprovider)
if "$python" -c "import mypy" 2>/dev/null; then
    "$python" -m mypy --strict cannonade
    (cd / && "$python" -m mypy.stubtest cannonade._cannonade)
else
    echo "skipped: the types of the Python package; pip install mypy"
fi
