"""The examples of all docstrings, the README and the manual."""

import doctest
import importlib
import inspect
from pathlib import Path

import cannonade
import pytest
from cannonade import _cannonade

MODULES = ["cannonade"] + [
    f"cannonade.{name}" for name in (
        "tables", "_analysis", "_batches", "_board", "_engine", "_game", "_limits", "_pieces", "_results", "_rulings", "_squares",
    )
]
PACKAGE = Path(__file__).resolve().parents[1]
PAGES = [PACKAGE / "README.md", PACKAGE.parent / "docs" / "python.md"]


def documented(name, thing):
    """The docstrings of a module, class or function, with the names of their owners."""
    if isinstance(thing, (str, int, tuple, range)) or not getattr(thing, "__doc__", None):
        return
    yield name, thing.__doc__
    if inspect.isclass(thing) or inspect.ismodule(thing):
        for key, member in vars(thing).items():
            member = getattr(member, "__func__", member)
            owner = getattr(member, "__module__", None) or getattr(thing, "__module__", None)
            is_own = inspect.isclass(thing) or owner == getattr(thing, "__name__", None)
            if is_own and not key.startswith("__") and not inspect.ismodule(member):
                yield from documented(f"{name}.{key}", member)


def examples():
    roots = [(name, importlib.import_module(name)) for name in MODULES]
    roots += [("Board", _cannonade.Board), ("Move", cannonade.Move)]
    for root, thing in roots:
        for name, text in documented(root, thing):
            if ">>>" in text:
                yield pytest.param(text, id=name)


def run(text, name):
    names = {**vars(cannonade), "cannonade": cannonade}
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    failed, tried = runner.run(test)
    assert tried and not failed


@pytest.mark.parametrize("text", list(examples()))
def test_examples_of_docstrings(text, request):
    pytest.importorskip("numpy")
    run(text, request.node.name)


def test_the_docstrings_have_examples():
    assert len(list(examples())) > 20


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_of_pages(page, tmp_path, monkeypatch):
    pytest.importorskip("numpy")
    monkeypatch.chdir(tmp_path)
    # The fences would be part of the expected output.
    text = page.read_text(encoding="utf-8").replace("```\n", "\n")
    run(text, page.name)
