"""The examples in docstrings, in docs/PYTHON.md and in docs/CASCADE.md run, and say what they say they say."""

from __future__ import annotations

import doctest
import importlib
import os
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"
# Every page with the packages that it needs.
PAGES = {"PYTHON.md": ["gymnasium", "polars"], "CASCADE.md": []}


@pytest.mark.parametrize("name", ["counsel", "counsel.calibration", "counsel.errors", "counsel.settings", "counsel.stats", "counsel.gymnasium", "counsel.envs"])
def test_docstrings_run(name: str) -> None:
    if name in ("counsel.gymnasium", "counsel.envs"):
        pytest.importorskip("gymnasium")
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0 and (result.attempted > 0 or name == "counsel.gymnasium")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_runs(page: str, tmp_path: Path) -> None:
    for module in PAGES[page]:
        pytest.importorskip(module)
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        result = doctest.testfile(str(DOCS / page), module_relative=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    finally:
        os.chdir(before)
    assert result.failed == 0 and result.attempted > 10
