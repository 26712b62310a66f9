"""The examples in docstrings and in docs/PYTHON.md run, and say what they say they say."""

from __future__ import annotations

import doctest
import importlib
import os
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "PYTHON.md"


@pytest.mark.parametrize("name", ["counsel", "counsel.calibration", "counsel.errors", "counsel.settings", "counsel.stats", "counsel.gymnasium", "counsel.envs"])
def test_docstrings_run(name: str) -> None:
    if name in ("counsel.gymnasium", "counsel.envs"):
        pytest.importorskip("gymnasium")
    result = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert result.failed == 0 and (result.attempted > 0 or name == "counsel.gymnasium")


def test_the_tour_runs(tmp_path: Path) -> None:
    pytest.importorskip("gymnasium")
    pytest.importorskip("polars")
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        result = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    finally:
        os.chdir(before)
    assert result.failed == 0 and result.attempted > 10
