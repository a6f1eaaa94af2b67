"""The checks of the page of `cannonade web`, a file for each part of it; `check_web.py` runs them."""

from web_checks import (
    access,
    analysing,
    editing,
    files,
    findings,
    keeping,
    layout,
    loading,
    playing,
    repetitions,
)

CHECKS = [check for part in [playing, analysing, editing, files, keeping, repetitions, access, loading, layout, findings]
    for check in part.CHECKS]
